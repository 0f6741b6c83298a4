"""What a clause measures, and whether two statements measure one thing and come to different results.

How many, how long, how often, at which page, which share, what sum, in which time. "I've read 20 pages so far" and "I'm
on page 45 now" are one thing at two times: the second takes the place of the first. What merely happened ("I ran five
miles", "I ran seven") measures nothing that lasts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from extraction.contradiction.reading import (
    LONGEST_READ,
    MOST_CLAUSES,
    are_apart,
    are_of_two,
    bare_terms,
    rated_in,
    subject_of,
    which_of,
)
from extraction.contradiction.words import AIM, ASKS, DENIAL, NO_DENIAL, STATES_NOTHING, TIMES
from extraction.extractors.rules.language import is_chinese
from extraction.extractors.rules.standing import (
    Measure,
    as_it_stands,
    find_measures,
    may_measure,
    tells_a_change,
    tells_what_lasts,
    without_weekdays,
)
from topics.text.analyse import fold

OF_CLAUSE = 0.6  # share of the terms of the shorter of two clauses that both have, from which they are of one matter
OF_STATEMENT = 0.5  # the same of two whole statements, which say other things as well
FEW, SOME = 2, 3  # terms that clauses, statements must have in common
OFTEN = 4  # terms of a clause that tells how often something is done, all of which the other's few stand among

_CLAUSE_END = re.compile(
    r"[;!\n，；。！…~～—]+|(?<!\bdr)(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bst)\.(?=\s|$)|(?=[?？])|(?<=[?？])|"
    r",(?=[\u4e00-\u9fff])|,\s+(?:(?:and|but|so|or|which|because|since|although)\s+)*"
    r"(?=(?:i|i'm|i've|we|we've|he|she|it|it's|they|they've|my|our|each|has|have|is)\b)|"
    r",\s+so\b|\s-\s|\band (?=(?:i|we|he|she|they|it|never|not)\b)|\b(?:but|although|because|whereas|while|so that)\b|"
    r"但是?|不过|而且|因为|所以|可是|然后|虽然"
)
# "It's been three weeks" is about what was just said; so is "has now reached 65", and "I've reached 65%", which counts
# nothing by name.
_POINTS_BACK = re.compile(r"(?:it|that|they|which|has|have|is)\b|已经|到现在|现在|目前|一共|总共")
_CAME_TO = re.compile(
    r"(?:i|we)(?:(?:'ve| have)?(?: now| currently| already| just| recently| only)* (?:reached|hit|got(?:ten)? to)|"
    r"(?:'m|'re| am| are)(?: now| currently| already)* (?:at|up to|down to))\b"
)
# Whoever hopes to beat "my best time of 25:50" has it, whatever comes of the hope.
_KNOWN = re.compile(
    r"\b(?:my|our)\s+(?!(?:[a-z'-]+\s+)?(?:goal|target|aim|plan|dream)s?\b)(?:[a-z'-]+\s+){1,4}?of\s+[$€£]?\d[\d:.,]*(?:\s?%|\s+[a-z]+)?|"
    r"我(?:们)?(?:的|现在|目前)?\d[^，,。的]{0,10}的(?!目标|计划)[一-龥]{2,8}|我(?:们)?的(?!目标|计划)[一-龥]{2,8}\d[^，,。]{0,8}"
)
_LASTING = ("duration", "frequency", "day")  # kinds that tell of what goes on, without a word for it


@dataclass(frozen=True, slots=True)
class Measured:
    """A clause with a measure. `terms` are the words beside it, `around` those of the whole statement."""

    subject: str
    times: frozenset[str]
    which: frozenset[str]
    rated: frozenset[str]
    stands: bool
    lasts: bool
    measures: tuple[Measure, ...]
    terms: frozenset[str]
    around: frozenset[str]


def moved_on(first: str, second: str) -> bool:
    """Whether two statements about one topic give different measures of the same thing."""
    return any(_moved_on(a, b) for a in measured(first) for b in measured(second))


@lru_cache(maxsize=20_000)
def measured(text: str) -> tuple[Measured, ...]:
    """The clauses that measure how something stands. Cached, because what is held is compared again and again."""
    folded = NO_DENIAL.sub(" ", fold(text[:LONGEST_READ]).replace("’", "'"))
    if not may_measure(folded):
        return ()
    chinese = is_chinese(folded)
    pieces = [piece.strip() for piece in _CLAUSE_END.split(folded) if piece and piece.strip()][: 2 * MOST_CLAUSES]
    around = _terms(folded, chinese=chinese)
    return tuple(_clauses(pieces, around, folded, chinese=chinese))


def _clauses(pieces: list[str], around: frozenset[str], text: str, *, chinese: bool) -> Iterator[Measured]:
    stands = tells_a_change(text)
    before: frozenset[str] = frozenset()
    for piece, after in zip(pieces, [*pieces[1:], ""], strict=True):
        now = as_it_stands(piece)
        terms = _terms(now, chinese=chinese)
        measures = tuple(find_measures(now))
        if (
            not terms
            or _POINTS_BACK.match(now)
            or (_CAME_TO.match(now) and not any(measure.noun for measure in measures))
        ):
            terms |= before
        before = terms
        if after[:1] in ("?", "？") or any(pattern.search(now) for pattern in (ASKS, STATES_NOTHING, DENIAL)):
            continue
        if AIM.search(now):
            known = _KNOWN.search(now)
            now = known[0] if known else ""
            terms, measures = _terms(now, chinese=chinese), tuple(find_measures(now))
        if measures:
            times = frozenset(match[0] for match in TIMES.finditer(without_weekdays(now)))
            lasts = tells_what_lasts(now)
            yield Measured(subject_of(now), times, which_of(now), rated_in(now), stands, lasts, measures, terms, around)


_NO_TERMS = frozenset(
    """one two three four five six seven eight nine ten eleven twelv now current alreadi far recent late time day week
    month year hour minut new realli just total far way speak everi twice last past monday tuesday wednesday thursday
    friday saturday sunday yesterday today tonight includ lot want make sure need help start get work go""".split()
)


_CURRENCIES = frozenset("euro dollar pound yuan rmb franc yen rupe krone krona zloti eur usd gbp cny chf".split())
# What is said of a sum that is another one now, and no matter of its own.
_OF_SUMS = _CURRENCIES | frozenset(
    """rais rose rise risen increas drop decreas cut reduc grow grew grown went goe up down chang set lower higher fall
    fell move reach cost pay amount come came
    涨 降 升 到 调 整 改 为 至 变 元 了 从 成 高 低 提 少 增 加 减 新""".split()
)


def _terms(text: str, *, chinese: bool) -> frozenset[str]:
    text = AIM.sub(" ", text)
    return frozenset(t for t in bare_terms(text, chinese=chinese) if t not in _NO_TERMS and not t[0].isdigit())


def _moved_on(a: Measured, b: Measured) -> bool:
    if a.subject != b.subject or not (a.times == b.times or (a.stands and b.stands and not (a.times and b.times))):
        return False
    if are_apart(a.which, b.which) or are_of_two(a.rated, b.rated):
        return False
    pairs = [(x, y) for x in a.measures for y in b.measures if _of_one_kind(x, y)]
    same = {(x.kind, x.noun) for x, y in pairs if x.value == y.value}
    other = [(x, y) for x, y in pairs if (x.kind, x.noun) not in same]
    if not other or (all(_is_sum(x) for x, _y in other) and not _of_one_sum(a.terms, b.terms)):
        return False
    if any(_counts_it_again(a, b, x, y) or _counts_it_again(b, a, y, x) for x, y in other):
        return True
    if a.stands or b.stands or any(x.kind in _LASTING for x, _y in other):
        is_often = all(x.kind == "frequency" for x, _y in other)
        is_named = any(x.kind != "count" or x.noun or y.noun for x, y in other)
        return _one_matter(a, b, is_named=is_named, most=OFTEN if is_often else FEW)
    return a.lasts and b.lasts and len(a.terms) >= SOME and a.terms == b.terms


def _of_one_kind(a: Measure, b: Measure) -> bool:
    if a.kind == b.kind == "day":
        return bool(a.noun or b.noun)
    return a.kind == b.kind and (a.noun == b.noun or not (a.noun and b.noun))


def _is_sum(measure: Measure) -> bool:
    return measure.kind == "money" or measure.noun in _CURRENCIES


def _of_one_sum(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether one of two clauses names nothing but what the other does. Of a customer many sums are told, whose name
    stands in all of them: his budget and what he pays for support are two."""
    first, second = a - _OF_SUMS, b - _OF_SUMS
    return first <= second or second <= first


def _counts_it_again(named: Measured, other: Measured, count: Measure, again: Measure) -> bool:
    """Whether a bare number ("which has reached 165") is of what the other clause counts by name ("150 commits")."""
    is_told = other.stands and count.noun != "" and again.noun == "" and count.noun in other.terms
    return is_told and _common(named.terms, other.terms) >= SOME


def _one_matter(a: Measured, b: Measured, *, is_named: bool, most: int = FEW) -> bool:
    """Whether enough of the words agree. What `is_named` needs few words: "four of them" may be of anything."""
    if (
        is_named
        and 0 < _common(a.terms, b.terms) == _shorter(a.terms, b.terms)
        and max(len(a.terms), len(b.terms)) <= most
    ):
        return True
    return any(
        _common(x, y) >= least and _common(x, y) / _shorter(x, y) >= share
        for x, y, least, share in ((a.terms, b.terms, FEW, OF_CLAUSE), (a.around, b.around, SOME, OF_STATEMENT))
    )


def _common(a: frozenset[str], b: frozenset[str]) -> int:
    return len(a & b)


def _shorter(a: frozenset[str], b: frozenset[str]) -> int:
    return min(len(a), len(b))
