"""Reading a statement into clauses that can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import rjieba

from extraction.contradiction.opposites import ANY_SIDE, PAIRS
from extraction.contradiction.words import (
    AIM,
    ASKS,
    CLAUSE_END,
    DENIAL,
    EMPTY,
    EMPTY_HAN,
    FORGET,
    HAS,
    LASTS,
    NEVER,
    NO_DENIAL,
    NUMBER,
    NUMBERED,
    RATED,
    RATED_NOUN,
    REACHED_AT,
    STATES_NOTHING,
    SUBJECT,
    TIMES,
)
from extraction.extractors.rules.language import is_chinese
from extraction.extractors.rules.numbers import decimal_value
from topics.text.analyse import analyse, fold

LONGEST_READ = 600  # characters of a statement
MOST_CLAUSES = 8
_REACH = {True: 6, False: 30}  # characters before a Chinese, an English word in which its denial stands
# Where what a rate is of begins: "we raised our success rate" names the success and not the raising.
_NO_MODIFIER = re.compile(
    r"^.*\b(?:the|our|my|your|his|her|their|its|a|an|this|that|we|i|it|is|are|was|has|have|to|of|and|at|with|from|by)\s+"
)
_ZH_NO_MODIFIER = re.compile(r"^.*(?:我们?|他们?|她们?|现在|目前|如今|当前|已经|今年|每月|[是在的](?=.*的)|^的)")
# What may stand behind a number that counts nothing: "at 6 now".
_COUNTS_NOTHING = frozenset("now already currently these in on at and or so but because".split())
_CONTENT_TAGS = ("n", "v", "a", "i", "l", "j", "z", "t", "s", "b", "eng")  # of the segmenter, ICTCLAS style


class Side(NamedTuple):
    """Which of two opposites a clause takes, and whether it denies it."""

    pair: str
    second: bool
    denied: bool
    complete: bool


@dataclass(frozen=True, slots=True)
class Clause:
    """What a clause says. `terms` are what it is about; `acts` how it is tied to that, which must agree to compare.
    `never`: it denies that it was so at any time.

    `reached`: it gives a number or an address. `rated`: what a rate or a price in it is of.
    `numbers` are plain decimals (or times of day), each with what is counted; `which` the things told apart by number.
    """

    subject: str
    times: frozenset[str]
    which: frozenset[str]
    rated: frozenset[str]
    denied: bool
    never: bool
    reached: bool
    terms: frozenset[str]
    acts: frozenset[str]
    sides: tuple[Side, ...]
    numbers: tuple[tuple[str, str], ...]
    lasts: bool


@lru_cache(maxsize=20_000)
def read(text: str) -> tuple[Clause, ...]:
    """The clauses that state something. Cached, because what is held is compared again with all that comes."""
    pieces = CLAUSE_END.split(fold(text[:LONGEST_READ]).replace("’", "'"))
    return tuple(_clauses([piece.strip() for piece in pieces if piece and piece.strip()]))[:MOST_CLAUSES]


def _clauses(pieces: list[str]) -> Iterator[Clause]:
    for piece, after in zip(pieces, [*pieces[1:], ""], strict=True):
        if after[:1] not in ("?", "？") and not ASKS.search(piece) and not STATES_NOTHING.search(piece):
            yield _clause(NO_DENIAL.sub(" ", FORGET.sub(" ", piece)))


def _clause(text: str) -> Clause:
    chinese = is_chinese(text)
    times = frozenset(match[0] for match in TIMES.finditer(text))
    which = which_of(text)
    sides, rest = _sides(TIMES.sub(" ", text), _REACH[chinese])
    acts = {side.pair for side in sides}
    acts |= {"has"} if HAS.search(rest) and not sides else set()
    bare = NUMBER.sub(lambda match: f" {match['noun'] or match['of'] or ''} ", DENIAL.sub(" ", rest))
    return Clause(
        subject=subject_of(text),
        times=times,
        which=which,
        rated=rated_in(text),
        denied=len(DENIAL.findall(rest)) % 2 == 1,
        never=NEVER.search(rest) is not None,
        reached=REACHED_AT.search(text) is not None,
        terms=bare_terms(bare, chinese=chinese),
        acts=frozenset(acts),
        sides=tuple(sides),
        numbers=tuple(_numbers(rest)),
        lasts=LASTS.search(text) is not None and AIM.search(text) is None,
    )


def bare_terms(text: str, *, chinese: bool) -> frozenset[str]:
    """What a text is about, in the terms in which clauses are compared."""
    return _han_terms(text) if chinese else frozenset(analyse(text)) - EMPTY


def which_of(text: str) -> frozenset[str]:
    """The things that a text tells apart by their numbers: order 3, 订单3."""
    found: set[str] = set()
    for match in NUMBERED.finditer(text):
        groups = [value for value in match.groups() if value]
        thing = next(value for value in groups if not value[0].isdigit())
        number = next(value for value in groups if value[0].isdigit())
        found.add(f"{thing.rstrip('s')} {number.lstrip('0') or '0'}")
    return frozenset(found)


def rated_in(text: str) -> frozenset[str]:
    """What the first rate, share or price that a text tells is of, in terms: `success rate of the login` → success,
    login."""
    match = RATED.search(text) if RATED_NOUN.search(text) else None
    if match is None:  # as in most texts
        return frozenset()
    if match["before2"] is not None:
        return frozenset(_ZH_NO_MODIFIER.sub("", match["before2"]).replace("的", ""))
    before = _NO_MODIFIER.sub("", match["before"])
    return frozenset(analyse(f"{before} {match['of'] or ''}")) - EMPTY


def are_of_two(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether two rates are of two things: each is of something that the other does not name."""
    return bool(a - b and b - a)


def are_apart(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether two texts are about things that are told apart by number."""
    return bool(a and b) and a.isdisjoint(b)


def subject_of(text: str) -> str:
    """Of whom it is said, if not of the topic itself."""
    match = SUBJECT.match(text)
    return "" if match is None else match["other"] or ("you" if match["you"] else "they")


def _sides(text: str, reach: int) -> tuple[list[Side], str]:
    """The sides that are taken, and the text without the words that take them."""
    sides: list[Side] = []
    if not ANY_SIDE.search(text):  # as for most clauses
        return sides, text
    for pair in PAIRS:
        for second, pattern in enumerate(pair.sides):
            if match := pattern.search(text):
                denials = DENIAL.findall(text, max(0, match.start() - reach), match.start())
                sides.append(Side(pair.name, bool(second), len(denials) % 2 == 1, pair.complete))
                text = f"{text[: match.start()]} {text[match.end() :]}"
                break
    return sides, text


def _han_terms(text: str) -> frozenset[str]:
    """The characters of the words that carry meaning: whole words would part 养狗 from 狗."""
    words = [w for w, tag in rjieba.tag(text) if tag.startswith(_CONTENT_TAGS) and w not in EMPTY_HAN]
    return frozenset(c for word in words for c in ([word] if word.isascii() else word) if c not in EMPTY_HAN)


def _numbers(text: str) -> Iterator[tuple[str, str]]:
    for match in NUMBER.finditer(text):
        number = match["latin"] or match["word"] or match["han"]
        counted = match["noun"] or match["of"] or match["measure"] or ""
        counted = "" if counted in _COUNTS_NOTHING else counted.rstrip("s")
        yield number if ":" in number else decimal_value(number), counted
