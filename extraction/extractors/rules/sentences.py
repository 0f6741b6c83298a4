"""Cuts a message into the sentences that its author wrote himself, as spans of the message's text.

Everything here is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from topics.text.echoes import without_echoes

LONGEST_SENTENCE = 400

_CODE_FENCE = re.compile(r"^[ \t]*```", re.MULTILINE)
QUOTED_LINE = re.compile(r"^[ \t]*[>＞]")
_CLOSING_QUOTES = "\"'”’」』）)\\]】》"
_SENTENCE_END = re.compile(
    rf"(?:[.!?~～]+|…+)[{_CLOSING_QUOTES}]*(?=\s|[\u3400-\u9fff]|$)|[。！？!?｡]+[。！？!?…~～]*[{_CLOSING_QUOTES}]*|"
    rf"……+|"
    rf"\s{{4,}}|[\r\n\v\f\x85\u2028\u2029]+"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|no|vs|etc|e\.g|i\.e|approx|inc|ltd|co|corp|jr|sr|jan|feb|mar|apr|jun|jul|aug|"
    r"sept?|"
    r"oct|nov|dec|fig|u\.s|a\.m|p\.m|[a-z])\.$",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,，;；:：、—\s]")
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")
_BULLET = re.compile(r"[\s\-*•·‣#>、]*(?:\d{1,3}[.)、]\s+)?[\s\-*•·‣#]*")
_QUOTED_SPEECH = re.compile(r"“[^“”]{1,400}”|\"[^\"]{1,400}\"|「[^「」]{1,400}」|『[^『』]{1,400}』|《[^《》]{1,200}》")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A span of a message.

    `masked` has the same length as `text`, with the inside of quotation marks blanked out by `＿` and apostrophes
    straight.
    """

    start: int
    end: int
    text: str
    masked: str
    is_question: bool

    def part(self, start: int, end: int) -> Sentence:
        """The sentence between two offsets into its own text, without surrounding white space."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip())
        end = max(start, end - (len(text) - len(text.rstrip())))
        return Sentence(
            self.start + start, self.start + end, self.text[start:end], self.masked[start:end], self.is_question
        )

    def split(self, boundary: re.Pattern[str], unless_before: re.Pattern[str] | None = None) -> list[Sentence]:
        """The pieces between the matches of a pattern; what begins with `unless_before` stays with the piece before."""
        position, pieces = 0, []
        for match in boundary.finditer(self.masked):
            if unless_before and unless_before.match(self.masked, match.end()):
                continue
            pieces.append(self.part(position, match.start()))
            position = match.end()
        return [*pieces, self.part(position, len(self.text))]


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a message in order, none longer than LONGEST_SENTENCE.

    Left out are echoes of memory that was put into a prompt (see `topics.text.echoes`), fenced code, quoted lines of
    somebody else's message (`> …`), unbroken runs of characters too long to be a sentence and the same few words over
    and over.
    """
    for start, end in own_words(text):
        for first, last in cut_at_sentence_ends(text, start, end):
            for sentence_start, sentence_end in _cut_long(text, first, last):
                sentence = _sentence(text, sentence_start, sentence_end)
                if _WORD.search(sentence.text) and not _is_repetitive(sentence.text):
                    yield sentence


def own_words(text: str) -> Iterator[tuple[int, int]]:
    """The spans of a message outside echoes of memory that was put into a prompt and outside fenced code."""
    for start, end in without_echoes(text):
        yield from _without_code(text, start, end)


def _without_code(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    fences = [match.start() for match in _CODE_FENCE.finditer(text, start, end)]
    position = start
    for opening, closing in zip(fences[::2], fences[1::2], strict=False):
        yield position, opening
        line_end = text.find("\n", closing)
        position = end if line_end < 0 else min(line_end, end)
    yield position, fences[-1] if len(fences) % 2 else end


def cut_at_sentence_ends(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences in [start, end), which they cover without a gap, white space and all."""
    position = start
    for match in _SENTENCE_END.finditer(text, start, end):
        if match[0] == "." and _ABBREVIATION.search(text[max(position, match.end() - 12) : match.end()]):
            continue
        yield position, match.end()
        position = match.end()
    if position < end:
        yield position, end


def _cut_long(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > LONGEST_SENTENCE:
        cut = _last_clause_end(text, start, start + LONGEST_SENTENCE)
        if cut is None:
            following = _CLAUSE_END.search(text, start + LONGEST_SENTENCE, end)
            if following is None:
                return
            start = following.end()
            continue
        yield start, cut
        start = cut
    yield start, end


def _last_clause_end(text: str, start: int, end: int) -> int | None:
    for marks in ("；;，,—:：、", " \t"):
        cut = max(text.rfind(mark, start, end) for mark in marks)
        if cut > start:
            return cut + 1
    return None


def _sentence(text: str, start: int, end: int) -> Sentence:
    raw = text[start:end]
    if QUOTED_LINE.match(raw):
        return Sentence(start, start, "", "", False)
    bullet = _BULLET.match(raw)
    lead = bullet.end() if bullet else 0
    body = raw[lead:].rstrip()
    return Sentence(
        start + lead, start + lead + len(body), body, _mask(body), body.rstrip(_CLOSING_QUOTES)[-1:] in ("?", "？")
    )


def blanked(pattern: re.Pattern[str], text: str) -> str:
    """The text, of the same length, with what the pattern matches blanked as speech is in `Sentence.masked`."""
    return pattern.sub(lambda match: "＿" * len(match[0]), text)


def _is_repetitive(text: str) -> bool:
    words = _WORD.findall(text.lower())
    return len(words) > 20 and len(words) > 4 * len(set(words))


def _mask(text: str) -> str:
    without_speech = _QUOTED_SPEECH.sub(lambda match: match[0][0] + "＿" * (len(match[0]) - 2) + match[0][-1], text)
    return without_speech.replace("’", "'")
