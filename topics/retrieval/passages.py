"""Long messages are searched and shown by passage, cut where a sentence ends."""

from __future__ import annotations

import re
from collections.abc import Iterator

from topics.text.tokens import count_tokens

PASSAGE_TOKENS = 200
LONGEST_TOKEN = 128  # characters; the tokenizer refuses texts of a million, which need not be counted to be too long
# A run without a sentence end is cut at white space, or failing that anywhere, so that no row grows without bound.
_LONGEST_SENTENCE = 400

_SENTENCE = re.compile(
    rf"(?:[^.!?。！？；\n]|[.!?](?!\s)){{1,{_LONGEST_SENTENCE}}}(?:[.!?。！？；\n]{{1,20}}[\"'”’」』）)]{{0,3}})?\s{{0,20}}"
    rf"|\s{{1,{_LONGEST_SENTENCE}}}|\S"
)


def split_passages(content: str) -> list[tuple[int, int]]:
    """Spans [start, end) of the passages in code points, in order, without the white space around them.

    A message of up to PASSAGE_TOKENS tokens is one passage; a passage of several sentences stays within that. A
    blank message has none.
    """
    may_be_short = len(content) <= PASSAGE_TOKENS * LONGEST_TOKEN
    is_short = may_be_short and count_tokens(content) <= PASSAGE_TOKENS
    spans = [_trimmed(content, 0, len(content))] if is_short else _joined(content)
    return [span for span in spans if span[0] < span[1]]


def _joined(content: str) -> Iterator[tuple[int, int]]:
    start, end, spent = 0, 0, 0
    for sentence_end in _sentence_ends(content):
        cost = count_tokens(content[end:sentence_end])
        if spent and spent + cost > PASSAGE_TOKENS:
            yield _trimmed(content, start, end)
            start, spent = end, 0
        end, spent = sentence_end, spent + cost
    yield _trimmed(content, start, len(content))


def _sentence_ends(content: str) -> Iterator[int]:
    at = 0
    for match in _SENTENCE.finditer(content):
        end = match.end()
        if end - at >= _LONGEST_SENTENCE and end < len(content) and not content[end - 1].isspace():
            space = content.rfind(" ", at + _LONGEST_SENTENCE // 2, end)
            if space > at:
                yield space + 1
        yield end
        at = end


def _trimmed(content: str, start: int, end: int) -> tuple[int, int]:
    text = content[start:end]
    return start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip())
