"""Finds the words that a model quotes in the text that it quotes them from.

First as they are; then without regard to what models change when they copy: white space, width and compatibility forms
(NFKC), case, the kind of quotation marks and dashes, invisible characters, and punctuation at either end. What is found
is a span of the text itself, in code points, so that what is stored is the text's own writing and never the model's.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_SAME = dict.fromkeys("\"'`´‘’‚‛“”„‟«»‹›「」『』〝〞〟＂＇", "'") | dict.fromkeys("‐‑‒–—―−", "-")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text with all that does not matter folded away; character n of `folded` comes from [starts[n], ends[n])."""

    text: str
    folded: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Folded:
        folded: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        position = 0
        while position < len(text):
            end = position + 1
            while end < len(text) and unicodedata.combining(text[end]):
                end += 1
            cluster = _fold(text[position:end])
            folded.append(cluster)
            starts += [position] * len(cluster)
            ends += [end] * len(cluster)
            position = end
        return cls(text, "".join(folded), tuple(starts), tuple(ends))

    def find(self, words: str) -> tuple[int, int] | None:
        """Where `words` first stand as whole words, or None. Words without a letter or digit stand nowhere."""
        bare = words.strip()
        if not any(map(str.isalnum, bare)):
            return None
        exact = _find_whole(self.text, bare)
        if exact is not None:
            return exact
        needle = _fold(bare)
        return self._find_folded(needle) or self._find_folded(_without_edges(needle))

    def _find_folded(self, needle: str) -> tuple[int, int] | None:
        at = self.folded.find(needle) if needle else -1
        while at >= 0:
            start, end = self.starts[at], self.ends[at + len(needle) - 1]
            if _is_whole(self.text, start, end):
                return start, end
            at = self.folded.find(needle, at + 1)
        return None


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(
        _SAME.get(character, character)
        for character in folded
        if not character.isspace() and unicodedata.category(character) not in ("Cf", "Cc")
    )


def _without_edges(folded: str) -> str:
    """Without punctuation and symbols at either end, which models add and leave out."""
    start, end = 0, len(folded)
    while start < end and not folded[start].isalnum():
        start += 1
    while end > start and not folded[end - 1].isalnum():
        end -= 1
    return folded[start:end]


def _find_whole(text: str, words: str) -> tuple[int, int] | None:
    at = text.find(words)
    while at >= 0:
        if _is_whole(text, at, at + len(words)):
            return at, at + len(words)
        at = text.find(words, at + 1)
    return None


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word of an alphabet, and no number, is cut at either end: `art` does not stand in `party`."""
    return not (_joined(text, start) or _joined(text, end))


def _joined(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before.isdigit() and after.isdigit():
        return True
    return _is_alphabetic(before) and _is_alphabetic(after)


def _is_alphabetic(character: str) -> bool:
    """A letter of a script whose words are parted by spaces."""
    return character.isalpha() and (character < "\u0e00" or "\u1e00" <= character < "\u2000")
