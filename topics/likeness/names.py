"""How alike two names are: in another word order, with a title or a legal form, shortened, or a little misspelt.

Traditional and simplified characters, width and case are one already (`topics.text.analyse.fold`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import rjieba
from rapidfuzz.distance import OSA

from topics.text.analyse import UNSPACED, fold
from topics.text.names import untitled

Kind = Literal["same", "contained", "abbreviation", "similar"]

_BRACKETS = re.compile(r"[(（\[【〔].*?[)）\]】〕]")
_WORD = re.compile(f"[{UNSPACED}]+|(?:(?![{UNSPACED}])[^\\W_])+")
_POSSESSIVE = re.compile(r"['’]s?\b")
_HAN = re.compile(f"^[{UNSPACED}]+$")
# Words that name no thing of their own: articles, and what a firm is by law.
_EMPTY = frozenset(
    "the a an and of de la le el inc incorporated ltd limited llc llp lp pte pty corp corporation co company plc gmbh "
    "ag kg ohg ug sarl srl bv nv oy oyj aps".split()
)
_LEGAL = re.compile(r"(?<=..)(?:集团|(?:股份)?(?:有限)?(?:责任)?公司)+$")


@dataclass(frozen=True)
class Name:
    """A name taken apart. `words` are folded and without empty ones, unspaced text in one piece."""

    text: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        folded = fold(untitled(self.text))
        bare = _BRACKETS.sub(" ", folded)
        words = _words(bare if _words(bare) else folded)
        return words or _words(folded, keeps_empty=True)

    @cached_property
    def key(self) -> str:
        """Equal for names that differ in word order, titles, articles, legal forms and what stands in brackets."""
        return " ".join(sorted(self.words))

    @cached_property
    def han(self) -> str:
        """The name when it is written without spaces throughout, else empty."""
        return self.words[0] if len(self.words) == 1 and _HAN.match(self.words[0]) else ""

    @cached_property
    def initials(self) -> str:
        return "".join(word[0] for word in self.words) if len(self.words) > 1 and not self.han else ""

    @cached_property
    def pieces(self) -> frozenset[str]:
        """What is compared: words, and of unspaced text its words too."""
        return frozenset(piece for word in self.words for piece in (segments(word) if _HAN.match(word) else [word]))


@dataclass(frozen=True, slots=True)
class Likeness:
    """`score` from 0 to 1. `first` and `second` are the names that were compared."""

    kind: Kind
    score: float
    first: str
    second: str


class Vocabulary:
    """How telling each word is among all names: a word that many names share says little."""

    def __init__(self, names: Iterable[Name]) -> None:
        rows = [name.pieces for name in names]
        self._counts = Counter(piece for pieces in rows for piece in pieces)
        self._total = max(len(rows), 1)

    def weight(self, word: str) -> float:
        return math.log(1 + self._total / (self._counts.get(word, 0) or 1)) + 0.1

    def count(self, word: str) -> int:
        return self._counts.get(word, 0)


def _words(text: str, *, keeps_empty: bool = False) -> tuple[str, ...]:
    words = []
    for word in _WORD.findall(_POSSESSIVE.sub("", text)):
        bare = (_LEGAL.sub("", word) or word) if _HAN.match(word) else word
        if keeps_empty or bare not in _EMPTY:
            words.append(bare)
    return tuple(words)


@lru_cache(maxsize=50_000)
def segments(text: str) -> tuple[str, ...]:
    """The words of a text that is written without spaces."""
    return tuple(rjieba.cut(text, False))


def compare(first: Name, second: Name, vocabulary: Vocabulary) -> Likeness | None:
    """How alike two names are; None when they have nothing in common."""
    if first.key == second.key:
        return Likeness("same", 1.0, first.text, second.text)
    shortened = max(abbreviates(first, second), abbreviates(second, first))
    if shortened:
        return Likeness("abbreviation", shortened, first.text, second.text)
    if first.han and second.han:
        score = _han_overlap(first.han, second.han)
        short, full = sorted((first.han, second.han), key=len)
        # 职业教育, 职业教育组: what one has more than the other is what tells them apart.
        kind: Kind = "contained" if _is_within(short, full) else "similar"
        return Likeness(kind, score, first.text, second.text) if score else None
    return _compare_words(first, second, vocabulary)


def _compare_words(first: Name, second: Name, vocabulary: Vocabulary) -> Likeness | None:
    pairs = _matches(first.pieces, second.pieces)
    if not pairs:
        return None
    shared = sum(max(vocabulary.weight(a), vocabulary.weight(b)) for a, b in pairs)
    rest_first = sum(vocabulary.weight(word) for word in first.pieces - {a for a, _b in pairs})
    rest_second = sum(vocabulary.weight(word) for word in second.pieces - {b for _a, b in pairs})
    jaccard = shared / (shared + rest_first + rest_second)
    contained = shared / (shared + min(rest_first, rest_second))
    if contained == 1.0:
        return Likeness("contained", 0.5 + jaccard / 2, first.text, second.text)
    return Likeness("similar", jaccard, first.text, second.text)


def _matches(first: frozenset[str], second: frozenset[str]) -> list[tuple[str, str]]:
    """Words that are in both, those that are nearly written alike included."""
    pairs = [(word, word) for word in first & second]
    left, right = sorted(first - second), sorted(second - first)
    for word in left:
        match = next((other for other in right if _written_alike(word, other)), None)
        if match is not None:
            pairs.append((word, match))
            right.remove(match)
    return pairs


def _written_alike(a: str, b: str) -> bool:
    """Whether one is a slip of the pen away from the other, or its beginning: grill, grille; deli, delicatessen."""
    shorter = min(len(a), len(b))
    if shorter < 4 or a.isdigit() or b.isdigit():
        return False
    if a.startswith(b) or b.startswith(a):
        return True
    slips = 0 if shorter < 5 else 1 if shorter < 9 else 2
    return OSA.distance(a, b, score_cutoff=slips) <= slips


def _han_overlap(first: str, second: str) -> float:
    """The share of characters that both have, whatever their order: 智能家居项目, 家居智能化项目.

    Less when each has some of its own, which as a rule tell two things apart: 亚洲, 欧洲.
    """
    ours, theirs = Counter(first), Counter(second)
    share = 2 * (ours & theirs).total() / (len(first) + len(second))
    return share * 0.8 if ours - theirs and theirs - ours else share


def _is_within(short: str, full: str) -> bool:
    rest = iter(full)
    return all(character in rest for character in short)


def abbreviates(short: Name, full: Name) -> float:
    """How well the one is read as the other shortened, from 0 to 1: 北大 of 北京大学, IBM of its three words."""
    if short.han and full.han:
        return _han_abbreviates(short.han, full.han)
    letters = "".join(short.words)
    if len(short.words) == 1 and len(letters) >= 2 and full.initials:
        every = "".join(word[0] for word in _words(fold(full.text), keeps_empty=True))
        return 0.9 if letters in (full.initials, every) else 0.0
    return 0.0


@lru_cache(maxsize=200_000)
def _han_abbreviates(short: str, full: str) -> float:
    """Chinese shortens a name to characters of its words, in their order, most often to the first of each.

    0 unless the characters of `short` stand in `full` in this order; also 0 for four or more that follow one another
    there, for that is a name within a longer one. Otherwise the share of what speaks for it: characters that begin a
    word, or end one, each of another word; words that are left with a character, above all the first and the last.
    """
    if not 2 <= len(short) < len(full) or (len(short) >= 4 and short in full):
        return 0.0
    words = segments(full)
    places = [(n, at == 0, at == len(word) - 1) for n, word in enumerate(words) for at in range(len(word))]
    taken = _best_places(short, full, places)
    if taken is None:
        return 0.0
    worth, places_taken = taken
    kept = {places[at][0] for at in places_taken}
    ends = 0.2 * (len(words) - 1 in kept) + 0.1 * (0 in kept)
    return 0.4 * worth / (1.5 * len(short)) + 0.3 * len(kept) / len(words) + ends


def _best_places(
    short: str, full: str, places: Sequence[tuple[int, bool, bool]]
) -> tuple[float, tuple[int, ...]] | None:
    """The places in `full` of the characters of `short`, in order, that are worth most together; None without any."""
    # For each place of the present character: the best choice of places up to it.
    best: dict[int, tuple[float, tuple[int, ...]]] = {-1: (0.0, ())}
    for character in short:
        found: dict[int, tuple[float, tuple[int, ...]]] = {}
        for at, (word, begins, ends) in enumerate(places):
            if full[at] != character:
                continue
            own = 1.0 if begins else 0.6 if ends else 0.3
            options = [
                (worth + own + (0.5 if before < 0 or places[before][0] != word else 0.0), (*chosen, at))
                for before, (worth, chosen) in best.items()
                if before < at
            ]
            if options:
                found[at] = max(options)
        best = found
    return max(best.values(), default=None)
