"""How much two texts have in common, by the terms that mean something."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from topics.text.analyse import analyse, analyse_question, is_weak

STEM = 4  # letters from which on two words of the same beginning are one: moved and moving, Postgres and PostgreSQL


def terms(text: str) -> set[str]:
    """The telling terms of a text: stems of words, single characters of unspaced scripts, no particles."""
    found = {term for term in analyse_question(text) if not _is_pair(term)}
    return found or set(analyse(text))


def share(wanted: Collection[str], pool: Iterable[str]) -> float:
    """Which share of the terms is in the pool, from 0 to 1; of none, 0."""
    pool = set(pool)
    stems = {term[:STEM] for term in pool if len(term) >= STEM}
    return sum(term in pool or term[:STEM] in stems for term in wanted) / len(wanted) if wanted else 0.0


def strong_terms(text: str) -> set[str]:
    """The terms that make two texts speak of one matter: no single characters of unspaced scripts."""
    return {term for term in analyse(text) if not is_weak(term)}


def _is_pair(term: str) -> bool:
    return len(term) == 2 and is_weak(term[0])
