"""What the database does for a query: term statistics and candidates. The only code that knows which engine it is."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import BooleanField, F, Func, Manager, QuerySet, Sum

from topics.kept import Kept
from topics.models import Passage, PassageCount
from topics.retrieval.columns import prefix_of
from topics.retrieval.score import K1, WEIGHTS, B

# Of the rows that hold a term of the question, so many are scored unless the caller needs more.
CANDIDATES = 200
# Where only the likeliest rows of a space are wanted, so many are looked at, and found by terms in so many rows.
LIKELIEST, SEARCHED_FOR_LIKELIEST = 100, 1_000
# Of the likeliest rows of a space so many times what is wanted are looked at for those that may be seen.
LOOKED_AT = 4

# PostgreSQL looks only at rows with a second term of the question where they are expected to be so many times what is
# wanted.
NARROWED_FROM = 1.25

# Rows that a question finds by its terms, together: what a query costs must not grow with the space. In a space of more
# rows the rarest terms find rows, as many terms as stay within this. The others find rows only where the rare ones find
# fewer than ENOUGH, and then beside one another, the latest of these. All terms count in what the found rows are worth.
SEARCHED = 5_000
ENOUGH = 100
LATEST = 500
MOST_FREQUENT_TERMS = 6

# PostgreSQL has to look at each row to count it. In a space of KEPT_FROM rows it keeps the share of a term that stands
# in COUNTED of them or more until the space has grown by a quarter; in one of ESTIMATED_FROM it counts frequent terms
# in samples of the rows, one in COARSE and one in FINE (see migrations 0017 and 0020), wherever they stand often enough
# in them to tell. SQLite knows how often a term stands; in a space of ESTIMATED_FROM rows, where it takes long to look
# up, it reckons from how near to one another the LATEST_HITS last rows with the term are, and keeps that.
KEPT_FROM, ESTIMATED_FROM, COUNTED = 5_000, 20_000, 512
COARSE, ENOUGH_OF_COARSE = 1024, 20
FINE, ENOUGH_OF_FINE = 64, COUNTED // 64
LATEST_HITS = 20_000
_shares: Kept[tuple[str, int], float] = Kept(20_000, lambda share: 1)

_SQLITE_FREQUENCIES = "SELECT term, doc FROM topics_passage_terms WHERE term IN ({marks})"
_SQLITE_WORTH = f"bm25(topics_passage_index, {', '.join(map(str, WEIGHTS))})"
_SQLITE_RANKED = """
    SELECT rowid FROM topics_passage_index WHERE topics_passage_index MATCH %s ORDER BY {worth}, rowid LIMIT %s
"""
_SQLITE_BEST = """
    SELECT id FROM (SELECT rowid, SUM(idf) AS held FROM ({matching}) GROUP BY rowid) AS found
    JOIN topics_passage ON id = found.rowid ORDER BY held / (%s + %s * n_all) DESC, id LIMIT %s
"""
_SQLITE_LATEST = """
    SELECT rowid FROM topics_passage_index WHERE topics_passage_index MATCH %s ORDER BY rowid DESC LIMIT %s
"""
_POSTGRESQL_FREQUENCIES = """
    SELECT term, (SELECT count(*) FROM topics_passage WHERE terms @@ quote_literal(term)::tsquery)
    FROM unnest(ARRAY[{marks}]::text[]) AS term
"""
_SQLITE_HITS = """SELECT rowid FROM topics_passage_index
            WHERE topics_passage_index MATCH '"' || value || '"' ORDER BY rowid"""
_SQLITE_ESTIMATED = """
    WITH asked AS MATERIALIZED (
        SELECT value AS term,
            ({found} LIMIT 1) AS first,
            ({found} DESC LIMIT 1) AS last,
            ({found} DESC LIMIT 1 OFFSET {hits} - 1) AS nth
        FROM json_each(json_array({marks}))
    )
    SELECT term, CASE
        WHEN nth IS NULL THEN (SELECT doc FROM topics_passage_terms AS counts WHERE counts.term = asked.term)
        ELSE {hits} * (last - first) / (last - nth)
    END FROM asked
"""
_POSTGRESQL_SAMPLED = """
    WITH coarse AS MATERIALIZED (
        SELECT term, wanted,
            (SELECT count(*) FROM topics_passage WHERE terms @@ wanted AND id %% {coarse} = 0) AS n
        FROM (
            SELECT term, quote_literal(term)::tsquery AS wanted FROM unnest(ARRAY[{marks}]::text[]) AS term
        ) AS asked
    )
    SELECT term, CASE WHEN n >= {enough_of_coarse} THEN n * {coarse} ELSE (
        SELECT CASE WHEN fine.n >= {enough_of_fine} THEN fine.n * {fine} ELSE (
            SELECT count(*) FROM topics_passage WHERE terms @@ wanted
        ) END FROM (
            SELECT count(*) AS n FROM topics_passage WHERE terms @@ wanted AND id %% {fine} = 0
        ) AS fine
    ) END FROM coarse
"""


class Among(Func):
    """Whether a column holds one of these values: what `__in` asks for, with one parameter on PostgreSQL.

    `__in` has one for each value: for hundreds of keys it took longer to write the query than to answer it. The values
    are keys of rows, no text.
    """

    output_field = BooleanField()

    def __init__(self, column: str, values: Iterable[Any]) -> None:
        super().__init__(F(column))
        self.values = list(values)

    def as_sql(self, compiler: Any, connection: Any, *_args: Any, **_options: Any) -> Any:
        """The condition and its parameters. Without values there is nothing to ask for: EmptyResultSet."""
        if not self.values:
            raise EmptyResultSet
        (column,) = self.source_expressions
        sql, params = compiler.compile(column)
        if connection.vendor == "postgresql":
            listed = ",".join(map(str, self.values))
            return f"{sql} = ANY(%s::{column.output_field.db_type(connection)}[])", [*params, f"{{{listed}}}"]
        values = [column.output_field.get_db_prep_value(value, connection) for value in self.values]
        return f"{sql} IN ({', '.join(['%s'] * len(values))})", [*params, *values]


def among(rows: QuerySet[Any] | Manager[Any], column: str, values: Collection[Any]) -> QuerySet[Any]:
    """The rows whose column holds one of the values. Without values none are asked for."""
    return rows.filter(Among(column, values)) if values else rows.none()


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

    def of_rarest(self, most: int) -> Statistics:
        """The same for the rarest terms alone, `most` of them."""
        if len(self.idf) <= most:
            return self
        rarest = sorted(self.idf, key=lambda term: -self.idf[term])[:most]
        return Statistics(self.rows, self.mean_length, {term: self.frequencies[term] for term in rarest})


def statistics(space_id: int, terms: Sequence[str], *, statements: bool) -> Statistics:
    """Statistics for these terms (with their prefix) over the messages or the statements of a space."""
    return statistics_of_kinds(space_id, {statements: terms})[statements]


def statistics_of_kinds(space_id: int, terms: Mapping[bool, Sequence[str]]) -> dict[bool, Statistics]:
    """Statistics over the statements (True) or the messages (False) of a space, or of each, for the terms of each
    (with their prefix)."""
    counts = PassageCount.objects.filter(space=space_id).order_by().values_list("statements")
    totals = {kind: (rows, length) for kind, rows, length in counts.annotate(Sum("rows"), Sum("terms"))}
    rows_of = {kind: totals.get(kind, (0, 0))[0] for kind in terms}
    found = _frequencies({term: rows_of[kind] for kind, some in terms.items() if rows_of[kind] for term in some})
    return {
        kind: Statistics(
            rows_of[kind],
            (totals[kind][1] or rows_of[kind]) / rows_of[kind] if rows_of[kind] and some else 1.0,
            # An estimate may come to more rows than there are.
            {term: min(found[term], rows_of[kind]) for term in dict.fromkeys(some) if term in found},
        )
        for kind, some in terms.items()
    }


def candidates(
    visible: QuerySet[Passage],
    terms: Sequence[str],
    stats: Statistics,
    *,
    fields: Sequence[str],
    most: int = CANDIDATES,
    only_likeliest: bool = False,
) -> dict[int, dict[str, Any]]:
    """Key → `fields` (`pk` among them) of the rows of `visible` that hold any of the terms (with their prefix), the
    likeliest first.

    `most` rows. In a large space terms of very many rows find none by themselves, and only where the rarer ones stand
    in few rows do they find the latest that hold two of them. `only_likeliest`: those that are among the likeliest of
    the whole space.
    """
    known = [term for term in terms if term in stats.idf]
    rare = _rarest(known, stats, SEARCHED_FOR_LIKELIEST if only_likeliest else SEARCHED)
    found: dict[int, dict[str, Any]] = {}
    if rare and only_likeliest:
        found = _first_of(visible, fields, _ranked(rare, known, stats, None, LIKELIEST), LIKELIEST)
    elif rare:
        found = _visible_ranked(visible, fields, rare, known, stats, most)
    is_enough = sum(stats.frequencies[term] for term in rare) >= (1 if only_likeliest else ENOUGH)
    if len(rare) == len(known) or is_enough:
        return found
    frequent = sorted(set(known) - set(rare), key=lambda term: (stats.frequencies[term], term))[:MOST_FREQUENT_TERMS]
    pairs: list[Sequence[str]] = list(combinations(frequent, 2))
    if not pairs and not rare:
        pairs = [frequent]
    return found | _latest(visible, fields, pairs, most) if pairs else found


def _rarest(terms: Sequence[str], stats: Statistics, most: int) -> list[str]:
    """Those of the terms that find rows alone: the rarest ones, as far as these are in `most` rows together, though
    the rarest of all may be in SEARCHED."""
    if stats.rows <= SEARCHED:
        return list(terms)
    found: list[str] = []
    rows = 0
    for term in sorted(terms, key=lambda term: (stats.frequencies[term], term)):
        rows += stats.frequencies[term]
        if rows > (most if found else SEARCHED):
            break
        found.append(term)
    return found


def terms_of(space_id: int, terms: Sequence[str], *, statements: bool) -> list[str]:
    """The terms with the prefix of the space and the kind."""
    prefix = prefix_of(space_id, statements=statements)
    return [prefix + term for term in terms]


def _frequencies(terms: Mapping[str, int]) -> dict[str, int]:
    """In how many rows each of the terms stands, for those that occur. `terms`: each with the rows of its kind."""
    kept_from = ESTIMATED_FROM if connection.vendor == "sqlite" else KEPT_FROM
    sizes = {term: round(math.log(rows, 1.25)) for term, rows in terms.items() if rows >= kept_from}
    shares = {term: share for term, size in sizes.items() if (share := _shares.get((term, size))) is not None}
    kept = {term: round(share * terms[term]) for term, share in shares.items()}
    unknown = {term: rows for term, rows in terms.items() if term not in kept}
    counts = _counted(_EXACT[connection.vendor], [term for term, rows in unknown.items() if rows < ESTIMATED_FROM])
    counts |= _counted(
        _OF_LARGE_SPACE[connection.vendor], [term for term, rows in unknown.items() if rows >= ESTIMATED_FROM]
    )
    for term, n in counts.items():
        if term in sizes and n >= COUNTED:
            _shares.put((term, sizes[term]), n / terms[term])
    return kept | counts


def _counted(query: str, terms: Sequence[str]) -> dict[str, int]:
    if not terms:
        return {}
    limits: dict[str, Any] = {"found": _SQLITE_HITS, "hits": LATEST_HITS, "coarse": COARSE, "fine": FINE}
    limits |= {"enough_of_coarse": ENOUGH_OF_COARSE, "enough_of_fine": ENOUGH_OF_FINE}
    with connection.cursor() as cursor:
        cursor.execute(query.format(marks=", ".join(["%s"] * len(terms)), **limits), list(terms))
        return {term: n for term, n in cursor.fetchall() if n}


_EXACT = {"sqlite": _SQLITE_FREQUENCIES, "postgresql": _POSTGRESQL_FREQUENCIES}
_OF_LARGE_SPACE = {"sqlite": _SQLITE_ESTIMATED, "postgresql": _POSTGRESQL_SAMPLED}


# ------------------------------------------------------------------------------------------------ what may be seen


def _visible_ranked(
    visible: QuerySet[Passage],
    fields: Sequence[str],
    rare: Sequence[str],
    terms: Sequence[str],
    stats: Statistics,
    most: int,
) -> dict[int, dict[str, Any]]:
    """The `most` rows of `visible` that hold one of the rare terms, the likeliest first.

    Ranked first and seen to then: to join every row that matches takes far longer. Where most of the likeliest may not
    be seen, all that may are ranked.
    """
    likeliest = _ranked(rare, terms, stats, None, LOOKED_AT * most)
    found = _first_of(visible, fields, likeliest, most)
    if len(found) >= most or len(likeliest) < LOOKED_AT * most:
        return found
    return _first_of(visible, fields, _ranked(rare, terms, stats, visible, most), most)


def _ranked(
    rare: Sequence[str], terms: Sequence[str], stats: Statistics, rows: QuerySet[Passage] | None, most: int
) -> list[int]:
    """The likeliest of `rows`; None is of all, which takes no join."""
    if connection.vendor == "sqlite":
        return (
            _sqlite_best(rare, stats, rows, most) if stats.rows < ESTIMATED_FROM else _sqlite_ranked(rare, rows, most)
        )
    return _postgresql_ranked(rare, terms, stats, rows, most)


def _latest(
    visible: QuerySet[Passage], fields: Sequence[str], groups: Sequence[Sequence[str]], most: int
) -> dict[int, dict[str, Any]]:
    """`most` rows of `visible` that hold all terms of a group, out of the latest such rows of the space."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(_SQLITE_LATEST, [_sqlite_match(groups), LATEST])
            latest = [key for (key,) in cursor.fetchall()]
    else:
        rows = _postgresql_matching(Passage.objects.all(), groups)
        latest = list(rows.order_by("-pk").values_list("pk", flat=True)[:LATEST])
    return _first_of(visible, fields, latest, most)


def _first_of(
    visible: QuerySet[Passage], fields: Sequence[str], keys: Sequence[int], most: int
) -> dict[int, dict[str, Any]]:
    """The first `most` of the keys that are of `visible`, in their order, each with its row. Nearly always few more
    need be asked for."""
    found: dict[int, dict[str, Any]] = {}
    at, step = 0, most + most // 8
    while at < len(keys) and len(found) < most:
        some = keys[at : at + step]
        seen = {row["pk"]: row for row in visible.filter(Among("pk", some)).order_by().values(*fields)}
        found |= {key: seen[key] for key in some if key in seen}
        at, step = at + step, len(keys)
    return dict(islice(found.items(), most))


# ---------------------------------------------------------------------------------------------------------- SQLite


def _sqlite_best(terms: Sequence[str], stats: Statistics, rows: QuerySet[Passage] | None, most: int) -> list[int]:
    """The likeliest rows as PostgreSQL ranks them: what FTS5 reckons depends on what other spaces hold."""
    values: list[Any] = [value for term in terms for value in (stats.idf[term], f'"{term}"')]
    of_term = "SELECT rowid, %s AS idf FROM topics_passage_index WHERE topics_passage_index MATCH %s"
    query = _SQLITE_BEST.format(matching=" UNION ALL ".join([of_term] * len(terms)))
    limit = most if rows is None else -1
    with connection.cursor() as cursor:
        cursor.execute(query, [*values, 1 + K1 * (1 - B), K1 * B / stats.mean_length, limit])
        keys = [key for (key,) in cursor.fetchall()]
    if rows is None:
        return keys
    seen = set(among(rows, "pk", keys).order_by().values_list("pk", flat=True))
    return [key for key in keys if key in seen][:most]


def _sqlite_ranked(terms: Sequence[str], rows: QuerySet[Passage] | None, most: int) -> list[int]:
    match = _sqlite_match([[term] for term in terms])
    if rows is None:
        with connection.cursor() as cursor:
            cursor.execute(_SQLITE_RANKED.format(worth=_SQLITE_WORTH), [match, most])
            return [key for (key,) in cursor.fetchall()]
    found = rows.extra(  # noqa: S610  (an ORM query cannot name a virtual table; the values are parameters)
        tables=["topics_passage_index"],
        where=["topics_passage_index.rowid = topics_passage.id", "topics_passage_index MATCH %s"],
        params=[match],
        select={"worth": _SQLITE_WORTH},
    )
    return [key for key, _ in found.order_by("worth", "pk").values_list("pk", "worth")[:most]]


def _sqlite_match(groups: Sequence[Sequence[str]]) -> str:
    return " OR ".join("(" + " AND ".join(f'"{term}"' for term in group) + ")" for group in groups)


# ------------------------------------------------------------------------------------------------------ PostgreSQL


def _postgresql_ranked(
    rare: Sequence[str], terms: Sequence[str], stats: Statistics, rows: QuerySet[Passage] | None, most: int
) -> list[int]:
    """The likeliest rows. Each row that matches has to be looked at, so where enough of them must hold another term of
    the question beside a rare one, only those are."""
    others = [term for term in terms if term not in rare and 2 * stats.frequencies[term] < stats.rows]
    missing = math.prod(1 - stats.frequencies[term] / stats.rows for term in others)
    expected = sum(stats.frequencies[term] for term in rare) * (1 - missing)
    if expected >= NARROWED_FROM * most:
        pairs = [[term, other] for term in rare for other in others] + [list(pair) for pair in combinations(rare, 2)]
        found = _postgresql_best(pairs, terms, stats, rows, most)
        if len(found) == most:
            return found
    return _postgresql_best([[term] for term in rare], terms, stats, rows, most)


def _postgresql_best(
    groups: Sequence[Sequence[str]],
    terms: Sequence[str],
    stats: Statistics,
    rows: QuerySet[Passage] | None,
    most: int,
) -> list[int]:
    """Of the rows that hold all terms of a group those that are worth most."""
    # BM25 as if each term stood once in the row: the index of PostgreSQL tells neither how often it does nor where.
    held = " + ".join(["(topics_passage.terms @@ %s::tsquery)::int * %s::float8"] * len(terms))
    weight = f"({held}) / (1 + %s::float8 + %s::float8 * topics_passage.n_all)"
    values: list[Any] = [value for term in terms for value in (f"'{term}'", stats.idf[term])]
    values += [K1 * (1 - B), K1 * B / stats.mean_length]
    matching = _postgresql_matching(Passage.objects.all() if rows is None else rows, groups)
    found = matching.extra(select={"worth": weight}, select_params=values)  # noqa: S610  (a fixed text)
    return [key for key, _ in found.order_by("-worth", "pk").values_list("pk", "worth")[:most]]


def _postgresql_matching(rows: QuerySet[Passage], groups: Sequence[Sequence[str]]) -> QuerySet[Passage]:
    match = " | ".join("(" + " & ".join(f"'{term}'" for term in group) + ")" for group in groups)
    return rows.extra(  # the generated column is no field of the model
        where=["topics_passage.terms @@ %s::tsquery"], params=[match]
    )
