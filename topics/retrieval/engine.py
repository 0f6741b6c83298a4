"""What the database does for a query: term statistics and candidates. The only code that knows which engine it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db import connection
from django.db.models import Count, QuerySet, Sum

from topics.models import Passage
from topics.retrieval.columns import prefix_of
from topics.retrieval.score import WEIGHTS

CANDIDATES = 300
# PostgreSQL counts only which terms a row holds, not how often and where, so more of its rows are scored by us.
POSTGRESQL_CANDIDATES = 600

_SQLITE_FREQUENCIES = "SELECT term, doc FROM topics_passage_terms WHERE term IN ({marks})"
_POSTGRESQL_FREQUENCIES = """
    SELECT term, (SELECT count(*) FROM topics_passage WHERE terms @@ quote_literal(term)::tsquery)
    FROM unnest(ARRAY[{marks}]::text[]) AS term
"""


@dataclass(frozen=True)
class Statistics:
    """Of one space and one kind of row: how many rows, their mean length in terms, and in how many each term stands."""

    rows: int
    mean_length: float
    frequencies: dict[str, int]

    @cached_property
    def idf(self) -> dict[str, float]:
        """Term → inverse document frequency as SQLite's FTS5 computes it, for terms that occur."""
        return {
            term: max(math.log((self.rows - n + 0.5) / (n + 0.5)), 1e-6) for term, n in self.frequencies.items() if n
        }


def statistics(space_id: int, terms: Sequence[str], *, statements: bool) -> Statistics:
    """Statistics for these terms (with their prefix) over the messages or the statements of a space."""
    kinds = [Passage.Kind.FACT, Passage.Kind.ENTRY] if statements else [Passage.Kind.MESSAGE]
    totals = Passage.objects.filter(space_id=space_id, kind__in=kinds).aggregate(rows=Count("pk"), length=Sum("n_all"))
    rows = totals["rows"]
    if not rows or not terms:
        return Statistics(rows, 1.0, {})
    return Statistics(rows, (totals["length"] or rows) / rows, _document_frequencies(terms))


def candidates(visible: QuerySet[Passage], terms: Sequence[str], stats: Statistics) -> list[int]:
    """Keys of the rows of `visible` that hold any of the terms (with their prefix), the likeliest first."""
    known = [term for term in terms if term in stats.idf]
    if not known:
        return []
    if connection.vendor == "sqlite":
        return _sqlite_candidates(visible, known)
    return _postgresql_candidates(visible, known, stats)


def terms_of(space_id: int, terms: Sequence[str], *, statements: bool) -> list[str]:
    """The terms with the prefix of the space and the kind."""
    prefix = prefix_of(space_id, statements=statements)
    return [prefix + term for term in terms]


# ---------------------------------------------------------------------------------------------------------- SQLite


def _sqlite_candidates(visible: QuerySet[Passage], terms: Sequence[str]) -> list[int]:
    weights = ", ".join(str(weight) for weight in WEIGHTS)
    ranked = visible.extra(  # noqa: S610  (an ORM query cannot name a virtual table; the values are parameters)
        tables=["topics_passage_index"],
        where=["topics_passage_index.rowid = topics_passage.id", "topics_passage_index MATCH %s"],
        params=[" OR ".join(f'"{term}"' for term in terms)],
        select={"fts_rank": f"bm25(topics_passage_index, {weights})"},
    )
    return [key for key, _ in ranked.order_by("fts_rank", "pk").values_list("pk", "fts_rank")[:CANDIDATES]]


def _document_frequencies(terms: Sequence[str]) -> dict[str, int]:
    distinct = list(dict.fromkeys(terms))
    query = _SQLITE_FREQUENCIES if connection.vendor == "sqlite" else _POSTGRESQL_FREQUENCIES
    with connection.cursor() as cursor:
        cursor.execute(query.format(marks=", ".join(["%s"] * len(distinct))), distinct)
        return {term: n for term, n in cursor.fetchall() if n}


# ------------------------------------------------------------------------------------------------------ PostgreSQL


def _postgresql_candidates(visible: QuerySet[Passage], terms: Sequence[str], stats: Statistics) -> list[int]:
    matching = visible.extra(  # the generated column is no field of the model
        where=["topics_passage.terms @@ %s::tsquery"], params=[" | ".join(f"'{term}'" for term in terms)]
    )
    weight = " + ".join(["(topics_passage.terms @@ %s::tsquery)::int * %s::float8"] * len(terms))
    values = [value for term in terms for value in (f"'{term}'", stats.idf[term])]
    ranked = matching.extra(select={"matched": weight}, select_params=values)  # noqa: S610  (a fixed text)
    return [key for key, _ in ranked.order_by("-matched", "pk").values_list("pk", "matched")[:POSTGRESQL_CANDIDATES]]
