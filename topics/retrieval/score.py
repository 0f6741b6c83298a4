"""How good a row answers a question.

BM25 (Robertson and Walker 1994) as SQLite's FTS5 computes it over weighted columns (k1 = 1.2, b = 0.75), plus hand
weights for the session, the speaker, the date and the length, tuned on LoCoMo's development conversations. Nothing is
normalised over the corpus, so only candidates are touched; the result is a log-odds. With vectors there is one term
more, and those of the words weigh a little differently.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol

# own, speaker_terms, prev1, prev2, next1, next2
WEIGHTS = (1.0, 2.0, 0.5, 0.43, 0.2, 0.14)
K1, B = 1.2, 0.75
BEST_OF_SESSION = 3
FULL_LENGTH = math.log(25)


class TermStatistics(Protocol):
    @property
    def mean_length(self) -> float: ...
    @property
    def idf(self) -> dict[str, float]: ...


@dataclass(slots=True)
class Row:
    """A candidate as the formula sees it. `columns` are the analysed ones, in the order of WEIGHTS."""

    session: Hashable
    columns: Sequence[str]
    n_terms: int
    n_all: int
    is_named: bool = False
    is_reply: bool = False
    date_proximity: float = 0.0
    meaning: float = 0.0


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part of the score counts; `meaning` for a standard deviation."""

    words: float
    words_of_best: float
    session: float
    length: float
    meaning: float = 0.0


BY_WORDS = Weights(words=3.5, words_of_best=3.4, session=3.5, length=2.2)
BY_MEANING = Weights(words=5.0, words_of_best=0.0, session=2.0, length=3.0, meaning=0.9)
NAMED, DATE, REPLY = 1.5, 3.5, 1.5


def score_rows(rows: Sequence[Row], stats: TermStatistics, weights: Weights = BY_WORDS) -> list[float]:
    """The score of each row. `is_named`: who or what the question names is who or what the row is about;
    `is_reply`: an assistant said it, and the question does not ask what the assistant told. Memory is of what people
    say: replies repeat the words of what they answer, and at more length."""
    idf = stats.idf
    lexical = [bm25(row, idf, stats.mean_length) for row in rows]
    by_session: dict[Hashable, list[float]] = defaultdict(list)
    for row, value in zip(rows, lexical, strict=True):
        by_session[row.session].append(value)
    session = {key: sum(heapq.nlargest(BEST_OF_SESSION, values)) for key, values in by_session.items()}
    best = sum(idf.values()) or 1.0
    return [
        weights.words * value / 10
        + weights.words_of_best * value / best
        + weights.session * session[row.session] / 30
        + weights.meaning * row.meaning
        + NAMED * row.is_named
        - REPLY * row.is_reply
        + DATE * row.date_proximity
        + weights.length * min(math.log(max(row.n_terms, 1)), FULL_LENGTH) / 2
        for row, value in zip(rows, lexical, strict=True)
    ]


def bm25(row: Row, idf: dict[str, float], mean_length: float) -> float:
    """FTS5's bm25(), positive: each column's occurrences count with its weight, the length is that of all columns."""
    found: dict[str, float] = {}
    for weight, column in zip(WEIGHTS, row.columns, strict=True):
        # Most columns hold none of the terms: to look for these letters takes far less than to take each apart.
        perhaps = [term for term in idf if term in column]
        terms = column.split() if perhaps else []
        for term in perhaps:
            if count := terms.count(term):
                found[term] = found.get(term, 0.0) + weight * count
    norm = K1 * (1 - B + B * row.n_all / mean_length)
    return sum(idf[term] * n * (K1 + 1) / (n + norm) for term, n in found.items())
