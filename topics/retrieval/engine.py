"""What the database does for a query: term statistics and candidates. The only code that knows which engine it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from django.db import connection
from django.db.models import QuerySet, Sum

from topics.models import Passage, PassageCount
from topics.retrieval.columns import prefix_of
from topics.retrieval.score import WEIGHTS

CANDIDATES = 300
# PostgreSQL counts only which terms a row holds, not how often and where, so more of its rows are scored by us.
POSTGRESQL_CANDIDATES = 600
# Of the likeliest rows of a space so many times what is wanted are looked at for those that may be seen.
LOOKED_AT = 4

# A term of more rows than this finds a row only beside another term of the question: what a query costs must not grow
# with the space. In what the found rows are worth, such a term counts like any other.
FREQUENT = 5_000
MOST_FREQUENT_TERMS = 6
# From so many rows on PostgreSQL counts the rows of frequent terms in a sample (see migration 0017).
SAMPLED_FROM, SAMPLE = 20_000, 64

_SQLITE_FREQUENCIES = "SELECT term, doc FROM topics_passage_terms WHERE term IN ({marks})"
_SQLITE_RANKED = """
    SELECT rowid FROM topics_passage_index WHERE topics_passage_index MATCH %s
    ORDER BY bm25(topics_passage_index, {weights}), rowid LIMIT %s
"""
_POSTGRESQL_FREQUENCIES = """
    SELECT term, (SELECT count(*) FROM topics_passage WHERE terms @@ quote_literal(term)::tsquery)
    FROM unnest(ARRAY[{marks}]::text[]) AS term
"""
_POSTGRESQL_SAMPLED = """
    SELECT term, (SELECT count(*) FROM topics_passage WHERE terms @@ quote_literal(term)::tsquery AND id %% 64 = 0)
    FROM unnest(ARRAY[{marks}]::text[]) AS term
"""


@dataclass(frozen=True)
class Statistics:
    """Of one space and one kind of row: how many rows, their mean length in terms, and in how many each term stands.

    In a large space on PostgreSQL the frequency of a frequent term is an estimate.
    """

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
    counts = PassageCount.objects.filter(space=space_id, statements=statements)
    totals = counts.aggregate(rows=Sum("rows"), length=Sum("terms"))
    rows = totals["rows"] or 0
    if not rows or not terms:
        return Statistics(rows, 1.0, {})
    return Statistics(rows, (totals["length"] or rows) / rows, _frequencies(list(dict.fromkeys(terms)), rows))


def candidates(visible: QuerySet[Passage], terms: Sequence[str], stats: Statistics) -> list[int]:
    """Keys of the rows of `visible` that hold any of the terms (with their prefix), the likeliest first.

    Frequent terms find only rows that hold two of them.
    """
    known = [term for term in terms if term in stats.idf]
    if not known:
        return []
    rare = [term for term in known if stats.frequencies[term] <= FREQUENT]
    frequent = sorted((term for term in known if term not in set(rare)), key=lambda term: stats.frequencies[term])
    if not rare and len(frequent) == 1:
        return _latest(visible, frequent[0])
    wanted = [*((term,) for term in rare), *combinations(frequent[:MOST_FREQUENT_TERMS], 2)]
    if connection.vendor == "sqlite":
        return _sqlite_candidates(visible, wanted)
    return _postgresql_candidates(visible, wanted, known, stats)


def terms_of(space_id: int, terms: Sequence[str], *, statements: bool) -> list[str]:
    """The terms with the prefix of the space and the kind."""
    prefix = prefix_of(space_id, statements=statements)
    return [prefix + term for term in terms]


def _latest(visible: QuerySet[Passage], term: str) -> list[int]:
    """Of the rows of a single frequent term, which are all alike, those that were written last."""
    if connection.vendor == "sqlite":
        return list(_sqlite_matching(visible, f'"{term}"').order_by("-pk").values_list("pk", flat=True)[:CANDIDATES])
    rows = visible.extra(where=["topics_passage.terms @@ %s::tsquery"], params=[f"'{term}'"])
    return list(rows.order_by("-pk").values_list("pk", flat=True)[:POSTGRESQL_CANDIDATES])


def _among(visible: QuerySet[Passage], ranked: Sequence[int]) -> list[int]:
    """Those of the keys that are of `visible`, in their order."""
    seen = set(visible.filter(pk__in=ranked).values_list("pk", flat=True))
    return [key for key in ranked if key in seen]


def _frequencies(terms: Sequence[str], rows: int) -> dict[str, int]:
    """In how many rows each of the terms stands, for those that occur."""
    if connection.vendor == "sqlite":
        return _counted(_SQLITE_FREQUENCIES, terms)
    if rows < SAMPLED_FROM:
        return _counted(_POSTGRESQL_FREQUENCIES, terms)
    estimates = {term: SAMPLE * n for term, n in _counted(_POSTGRESQL_SAMPLED, terms).items() if SAMPLE * n > FREQUENT}
    return estimates | _counted(_POSTGRESQL_FREQUENCIES, [term for term in terms if term not in estimates])


def _counted(query: str, terms: Sequence[str]) -> dict[str, int]:
    if not terms:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(query.format(marks=", ".join(["%s"] * len(terms))), list(terms))
        return {term: n for term, n in cursor.fetchall() if n}


# ---------------------------------------------------------------------------------------------------------- SQLite


def _sqlite_candidates(visible: QuerySet[Passage], wanted: Sequence[tuple[str, ...]]) -> list[int]:
    """Rank first and see then what may be seen: to join every row that matches takes far longer."""
    match = " OR ".join("(" + " AND ".join(f'"{term}"' for term in group) + ")" for group in wanted)
    weights = ", ".join(str(weight) for weight in WEIGHTS)
    with connection.cursor() as cursor:
        cursor.execute(_SQLITE_RANKED.format(weights=weights), [match, LOOKED_AT * CANDIDATES])
        ranked = [key for (key,) in cursor.fetchall()]
    found = _among(visible, ranked)
    if len(found) >= CANDIDATES or len(ranked) < LOOKED_AT * CANDIDATES:
        return found[:CANDIDATES]
    rows = _sqlite_matching(visible, match).extra(  # noqa: S610  (the values are parameters)
        select={"fts_rank": f"bm25(topics_passage_index, {weights})"}
    )
    return [key for key, _ in rows.order_by("fts_rank", "pk").values_list("pk", "fts_rank")[:CANDIDATES]]


def _sqlite_matching(visible: QuerySet[Passage], match: str) -> QuerySet[Passage]:
    return visible.extra(  # an ORM query cannot name a virtual table
        tables=["topics_passage_index"],
        where=["topics_passage_index.rowid = topics_passage.id", "topics_passage_index MATCH %s"],
        params=[match],
    )


# ------------------------------------------------------------------------------------------------------ PostgreSQL


def _postgresql_candidates(
    visible: QuerySet[Passage], wanted: Sequence[tuple[str, ...]], terms: Sequence[str], stats: Statistics
) -> list[int]:
    match = " | ".join("(" + " & ".join(f"'{term}'" for term in group) + ")" for group in wanted)
    weight = " + ".join(["(topics_passage.terms @@ %s::tsquery)::int * %s::float8"] * len(terms))
    values = [value for term in terms for value in (f"'{term}'", stats.idf[term])]

    def ranked(rows: QuerySet[Passage], most: int) -> list[int]:
        matching = rows.extra(  # the generated column is no field of the model
            where=["topics_passage.terms @@ %s::tsquery"], params=[match]
        )
        found = matching.extra(select={"matched": weight}, select_params=values)  # noqa: S610  (a fixed text)
        return [key for key, _ in found.order_by("-matched", "pk").values_list("pk", "matched")[:most]]

    most = LOOKED_AT * POSTGRESQL_CANDIDATES
    likeliest = ranked(Passage.objects.all(), most)
    found = _among(visible, likeliest)
    if len(found) >= POSTGRESQL_CANDIDATES or len(likeliest) < most:
        return found[:POSTGRESQL_CANDIDATES]
    return ranked(visible, POSTGRESQL_CANDIDATES)
