"""What is cut out of a turn: words that were taken back or put right, or that belong to topics which are not shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

# [start, end) of a message's content, in code points.
Span = tuple[int, int]


def visible(content: str, start: int, end: int, cuts: Sequence[Span]) -> str:
    """The words [start, end) with "…" in place of what is cut; "" when no word is left."""
    kept = [content[a:b] for a, b in _kept(start, end, cuts)]
    worded = [i for i, piece in enumerate(kept) if any(map(str.isalnum, piece))]
    if not worded:
        return ""
    before, after = "…" * (worded[0] > 0), "…" * (worded[-1] < len(kept) - 1)
    return before + "…".join(kept[i] for i in worded) + after


def overlaps(span: Span, cuts: Sequence[Span]) -> bool:
    """Whether any of the span is cut."""
    return any(first < span[1] and span[0] < last for first, last in cuts)


def _kept(start: int, end: int, cuts: Sequence[Span]) -> Iterator[Span]:
    at = start
    for first, last in sorted(cuts):
        if overlaps((at, end), [(first, last)]):
            yield at, max(at, first)
            at = min(last, end)
    yield at, end
