"""What a text repeats of the memory that was put into a prompt: whole blocks, lines of them, cited sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A citation as the context block numbers its lines: [1], [1, 2], 【3】. No link, which has its address after it.
MARKER = re.compile(r"[\[【] {0,2}\d{1,3}(?: {0,2}[,，、] {0,2}\d{1,3}){0,20} {0,2}[\]】](?!\()")

_BLOCK_OPENING = re.compile(r"<memory[^<>\n]{0,200}>", re.IGNORECASE)
_BLOCK_CLOSING = re.compile(r"</memory[^<>\n]{0,200}>", re.IGNORECASE)
# A whole line of a block; else the end of a sentence, with the citations that follow it on the same line.
_BLOCK_LINE = re.compile(rf"[ \t>*•-]{{0,8}}{MARKER.pattern}[^\n]*\n*")
_SENTENCE_END = re.compile(
    rf"(?:(?<![.!?])[.!?]++[\"'”’)]{{0,3}}(?=\s|$|[\[【])|[。！？]++[”’」』）]{{0,3}}|(?=\n))"
    rf"(?:[ \t]{{0,4}}{MARKER.pattern})*(?:(?<![ \t])[ \t]*+)?\n*"
)


def outside_blocks(text: str) -> Iterator[tuple[int, int]]:
    """The spans of a text outside `<memory …>…</memory>`; a block that does not end takes all the rest."""
    position = 0
    while opening := _BLOCK_OPENING.search(text, position):
        yield position, opening.start()
        closing = _BLOCK_CLOSING.search(text, opening.end())
        if closing is None:
            return
        position = closing.end()
    yield position, len(text)


def without_echoes(text: str) -> Iterator[tuple[int, int]]:
    """The spans of a text outside blocks, without the sentences that cite a line of one and without such lines."""
    for start, end in outside_blocks(text):
        if not MARKER.search(text, start, end):
            yield start, end
            continue
        run = start
        for first, last in _sentences(text, start, end):
            if MARKER.search(text, first, last):
                yield run, first
                run = last
        yield run, end


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Sentences, lines of a block whole, which cover [start, end) without a gap."""
    position = start
    while position < end:
        is_line_start = position == 0 or text[position - 1] == "\n"
        match = (is_line_start and _BLOCK_LINE.match(text, position, end)) or _SENTENCE_END.search(text, position, end)
        stop = match.end() if match else end
        yield position, stop
        position = stop


def markers_in(text: str) -> list[str]:
    """The numbers that a text cites, each once, in the order of their first use."""
    numbers = [str(int(number)) for found in MARKER.findall(text) for number in re.findall(r"\d+", found)]
    return list(dict.fromkeys(numbers))


def without_markers(text: str) -> str:
    """The text without its citations."""
    return re.sub(rf" ?{MARKER.pattern}", "", text)
