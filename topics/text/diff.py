"""What changed between two texts, in pieces that a person can read."""

from __future__ import annotations

import re
from typing import Literal

from rapidfuzz.distance import Indel

from topics.text.analyse import UNSPACED

Operation = Literal["same", "remove", "add"]
Piece = tuple[Operation, str]

# One character of a script without spaces; a word or number with the marks inside it; white space; any other character.
_TOKEN = re.compile(
    f"[{UNSPACED}]|(?:(?![{UNSPACED}])\\w)+(?:[.,:'’-](?:(?![{UNSPACED}])\\w)+)*|\\s+|.[\u0300-\u036f\ufe0e\ufe0f]*",
    re.DOTALL,
)


def word_diff(old: str, new: str) -> list[Piece]:
    """The pieces ("same" | "remove" | "add", text) from `old` to `new`: words, or single characters of Chinese text.

    The pieces but "add" joined are `old`, those but "remove" joined are `new`. What is removed stands before what took
    its place. What stayed the same between two larger changes counts as changed, so that the result reads as phrases.
    """
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    stretches: list[_Stretch] = []
    for step in Indel.opcodes(before, after):
        removed, added = before[step.src_start : step.src_end], after[step.dest_start : step.dest_end]
        _append(stretches, _Stretch(step.tag == "equal", "".join(removed), "".join(added)))
    return [piece for stretch in _merge_islands(stretches) for piece in stretch.pieces()]


class _Stretch:
    """Text that is the same on both sides, or text that took the place of other text."""

    def __init__(self, is_same: bool, old: str, new: str) -> None:
        self.is_same = is_same
        self.old = old
        self.new = new

    @property
    def size(self) -> int:
        return max(len(self.old), len(self.new))

    def pieces(self) -> list[Piece]:
        if self.is_same:
            return [("same", self.old)]
        changes: list[Piece] = [("remove", self.old), ("add", self.new)]
        return [piece for piece in changes if piece[1]]


def _append(stretches: list[_Stretch], stretch: _Stretch) -> None:
    """Add a stretch, joined to the one before it when both are of one sort."""
    if stretches and stretches[-1].is_same == stretch.is_same:
        stretches[-1].old += stretch.old
        stretches[-1].new += stretch.new
    else:
        stretches.append(stretch)


def _merge_islands(stretches: list[_Stretch]) -> list[_Stretch]:
    """Take unchanged stretches that are no longer than the changes on both sides of them into the change."""
    merged: list[_Stretch] = []
    for n, stretch in enumerate(stretches):
        is_between = 0 < n < len(stretches) - 1 and stretch.is_same
        if is_between and stretch.size <= min(merged[-1].size, stretches[n + 1].size):
            stretch.is_same = False
        _append(merged, stretch)
    return merged
