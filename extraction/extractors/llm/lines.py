"""The turns of a window as a model is shown them: lines with short labels, long messages cut at sentence ends.

Only what users say gets an `m` label, and only words behind an `m` label can be quoted: the rules extractor reads
nobody else either, so that an assistant's suggestion never becomes its user's decision. Assistants are shown with `c`
labels, for understanding; system prompts and the output of tools are not shown at all.
"""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from extraction.extractors.llm.quotes import Folded
from extraction.extractors.protocol import Turn
from extraction.extractors.rules.sentences import QUOTED_LINE, cut_at_sentence_ends, own_words
from topics.text.tokens import count_tokens

CONTEXT_LINES = 4
CONTEXT_TOKENS = 120  # of one line that is shown for understanding only; what is over is left out in its middle


@dataclass(frozen=True)
class Line:
    """A turn, or a part of a long one. `spans` are the parts of the turn's text that the line shows, in order."""

    label: str
    turn: Turn
    spans: tuple[tuple[int, int], ...]
    is_new: bool  # its words may be quoted

    @cached_property
    def shown(self) -> str:
        """The words as a model sees them: without echoes of memory, code, quoted mail and invisible characters."""
        text = visible("\n".join(self.turn.text[start:end].strip() for start, end in self.spans))
        return text if self.is_new else _shortened(text)

    @cached_property
    def tokens(self) -> int:
        return count_tokens(self.shown)

    @cached_property
    def _folded(self) -> list[tuple[int, Folded]]:
        return [(start, Folded.of(self.turn.text[start:end])) for start, end in self.spans]

    def find(self, words: str) -> tuple[int, int] | None:
        """Where the words stand in the turn's own text, or None."""
        for offset, folded in self._folded:
            span = folded.find(words)
            if span is not None:
                return offset + span[0], offset + span[1]
        return None


def visible(text: str) -> str:
    """The text without characters that nobody sees, in which instructions can be hidden."""
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc", "Cs"))


def new_lines(turns: Sequence[Turn], *, most_tokens: int) -> list[Line]:
    """The lines of turns that are to be read, none longer than `most_tokens`, but for a sentence that is longer.

    Turns without a word of their own give no line.
    """
    lines: list[Line] = []
    for number, turn in enumerate(turns, start=1):
        if turn.role == "user":
            parts = _parts(turn.text, most_tokens)
            for letter, spans in zip(_letters(), parts, strict=False):
                lines.append(Line(f"m{number}{letter if len(parts) > 1 else ''}", turn, spans, is_new=True))
        elif turn.role == "assistant" and turn.text.strip():
            lines.append(Line(f"c{number}", turn, ((0, len(turn.text)),), is_new=False))
    return lines


def earlier_lines(turns: Sequence[Turn]) -> list[Line]:
    """The lines of turns that came before, for understanding only. Their labels go on before those of `new_lines`."""
    return [
        Line(f"b{number}", turn, spans, is_new=False)
        for number, turn in enumerate(turns, start=1)
        if turn.role in ("user", "assistant") and (spans := tuple(_shown_spans(turn.text)))
    ]


def as_context(line: Line) -> Line:
    """A line that was read before, shown again for understanding only."""
    return Line(f"b{line.label}" if line.is_new else line.label, line.turn, line.spans, is_new=False)


def batches(lines: Sequence[Line], *, most_tokens: int) -> Iterator[list[Line]]:
    """Runs of lines of at most `most_tokens`, each with something to read."""
    batch: list[Line] = []
    tokens = 0
    for line in lines:
        if batch and tokens + line.tokens > most_tokens:
            if any(held.is_new for held in batch):
                yield batch
                batch = []
            else:  # nothing but assistants: of use only to what comes next
                batch = batch[-CONTEXT_LINES:]
            tokens = sum(held.tokens for held in batch)
        batch.append(line)
        tokens += line.tokens
    if any(line.is_new for line in batch):
        yield batch


def _parts(text: str, most_tokens: int) -> list[tuple[tuple[int, int], ...]]:
    """The spans of a message that its author wrote himself, in parts of at most `most_tokens`, cut at sentence ends."""
    parts: list[list[tuple[int, int]]] = []
    tokens = 0
    for start, end in _pieces(text, most_tokens):
        has_words = any(map(str.isalnum, text[start:end]))
        cost = count_tokens(text[start:end]) if has_words else 0
        if not parts or tokens + cost > most_tokens:
            parts.append([])
            tokens = 0
        tokens += cost
        if parts[-1] and parts[-1][-1][1] == start:
            parts[-1][-1] = (parts[-1][-1][0], end)
        else:
            parts[-1].append((start, end))
    return [tuple(spans) for spans in parts]


def _pieces(text: str, most_tokens: int) -> Iterator[tuple[int, int]]:
    """Sentences in order; one that is too long for a part is cut where it must be."""
    for start, end in _shown_spans(text):
        for first, last in cut_at_sentence_ends(text, start, end):
            # A token has a character or more, but for rare scripts.
            step = most_tokens if count_tokens(text[first:last]) > most_tokens else last - first
            yield from ((at, min(last, at + step)) for at in range(first, last, step))


def _shown_spans(text: str) -> Iterator[tuple[int, int]]:
    """What is the author's own: no echo of memory, no fenced code, no quoted lines of somebody else's message."""
    for start, end in own_words(text):
        run = start
        for first, last in cut_at_sentence_ends(text, start, end):
            if QUOTED_LINE.match(text[first:last].lstrip("\r\n")):
                yield from _worded(text, run, first)
                run = last
        yield from _worded(text, run, end)


def _worded(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if any(map(str.isalnum, text[start:end])):
        yield start, end


def _letters() -> Iterator[str]:
    """a, b, … z, aa, ab, …"""
    yield from string.ascii_lowercase
    for first in _letters():
        yield from (first + second for second in string.ascii_lowercase)


def _shortened(text: str) -> str:
    if count_tokens(text) <= CONTEXT_TOKENS:
        return text
    half = CONTEXT_TOKENS  # characters: at worst one is a token
    return f"{text[:half]} […] {text[-half:]}" if len(text) > 2 * half else text
