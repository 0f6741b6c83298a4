"""What is put right in the same breath: `The budget is $7,000. Sorry, $8,000.`, `预算是7万元。不是7万元，是8万元。`,
`The deadline is not 15 June, it is 30 June.`"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from extraction.extractors.protocol import Finding, Quote, Turn
from extraction.extractors.rules.measures import is_denied
from extraction.extractors.rules.numbers import Amount, find_money, find_percentages
from extraction.extractors.rules.sentences import Sentence

_SLIP = re.compile(
    r"\b(?:correction|sorry|wait|no|oops|actually|i meant?|my mistake|make (?:it|that))\b|更正|纠正|修正|抱歉|不好意思|"
    r"对不起|说错了|不对|错了|口误",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"\b(?:it's|its|it|isn't|is|that's|should|be|but|not|instead|of|rather|than|now|and|in fact)\b|不是|而是|应该|并非|"
    r"一下|[我是为应]",
    re.IGNORECASE,
)

_THING = r"(?:[^.;!?]|\.(?=\d)){1,60}?"
_DENIED_FIRST = re.compile(
    # Behind a bare "but" much else may follow: "is not Bosch but Siemens is cheaper", "is not fixed but it matters".
    r"(?:(?<=\bis)|(?<=\bare)|(?<=\bwas)|(?<=\bwere)|(?<='s)|(?<='re))(?P<denied>(?:n't| not| no longer) (?:"
    rf"(?=[^,;]{{0,40}}(?:\d|(?-i:[A-Z]))){_THING}"
    r",? but(?: rather| now)?(?= )(?! (?:\S+ ){1,4}(?:is|are|was|were|will|has|have)\b)|"
    rf"{_THING}(?:[,;]| [–—-]) (?:but )?(?:now )?(?:it|that|they|he|she)(?:'s| is|'re| are)))"
    r"(?= )",
    re.IGNORECASE,
)
_DENIED_LAST = re.compile(
    r"(?P<denied>,? (?:and )?not (?:(?:in|at|on|by|the) )?"
    r"(?:[A-Z0-9][\w.,&-]*(?: |(?=[.!]*$))|of (?=[A-Z0-9])){1,4})[.!]*$"
)
# 供应商不是华为，是因为太贵 puts nothing in the place of what it denies.
_ZH_TOLD = r"(?!谁|哪|什么|多少|几[^十]|否|不是|因为|由于|为了|怕|指|说|想|要|这样|这么|如何|怎)[^，,；;。！!？?]"
_ZH_DENIED_FIRST = re.compile(
    r"(?P<denied>(?:(?:已经|并)?不(?:再)?是|并非)[^，,；;。！!？?]{1,24}?"
    rf"(?:[，,；;]\s*(?:现在|如今|应该|应|其实|而|就)*|而))(?=是{_ZH_TOLD})|"
    r"(?P<left>(?:已经)?不(?:再)?(?P<verb>居住在|住在|定居在|在)[^，,；;。！!？?]{1,24}[，,；;]\s*"
    r"(?:而是|我|现在|如今|已经|而)*)(?=(?P=verb))"
)
_ZH_DENIED_LAST = re.compile(r"(?P<denied>[，,；;]\s*(?:而|并)?(?:不是|不再是|并非)[^，,；;。！!？?]{1,24})[。！!]*$")
_BEFORE_THE_VALUE = re.compile(
    r"\s*(?:(?:now|actually|currently|on|by|in|at|the|an?|called|named|about|exactly)\s+)*[$€£¥￥]?|"
    r"(?:是|居住在|住在|定居在|在|由|叫)*[$€£¥￥]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Replaced:
    """What a sentence says without what it denies, which stood at `at` of it, before or behind the value that holds."""

    sentence: Sentence
    at: int
    length: int
    is_last: bool

    def is_replaced_by(self, value_at: int) -> bool:
        """Whether a value that starts there is what stands in the place of the denied one, and not further off."""
        if self.is_last:
            return 0 <= value_at < self.at
        return value_at >= self.at and bool(_BEFORE_THE_VALUE.fullmatch(self.sentence.text[self.at : value_at]))


def without_denied(sentence: Sentence, *, chinese: bool) -> Replaced | None:
    """The sentence as if it had only said what holds: `The deadline is [not 15 June, it is] 30 June`.

    A denial belongs to the value that it stands with: it neither denies the other one nor hides it.
    """
    patterns = (_ZH_DENIED_FIRST, _ZH_DENIED_LAST) if chinese else (_DENIED_FIRST, _DENIED_LAST)
    for pattern in patterns:
        if match := pattern.search(sentence.masked):
            start, end = match.span("denied") if match["denied"] else match.span("left")
            text, masked = (said[:start] + said[end:] for said in (sentence.text, sentence.masked))
            return Replaced(replace(sentence, text=text, masked=masked), start, end - start, pattern is patterns[1])
    return None


def put_right(held: Finding, sentence: Sentence, turn: Turn, *, chinese: bool) -> Finding | None:
    """The finding with the amount that the sentence behind it puts in the place of its own, quoted with both.

    None if the sentence does otherwise: it must deny the very amount held or speak of a slip, and tell nothing else.
    """
    quote, text = held.quotes[0], sentence.masked
    amounts = find_money(text, chinese) or find_percentages(text)
    denied = [amount for amount in amounts if is_denied(text, amount)]
    said = [amount for amount in amounts if amount not in denied]
    if len(said) != 1 or sentence.is_question or not _is_measured_alike(held, said[0]):
        return None
    if any(amount.value != held.value for amount in denied) or not (denied or _SLIP.search(text)):
        return None
    if re.search(r"\w", _LINK.sub("", _SLIP.sub("", _without(amounts, text))) + turn.text[quote.end : sentence.start]):
        return None
    words = turn.text[quote.start : sentence.start + len(sentence.text)]
    return replace(
        held, text=words, quotes=(Quote(turn.id, quote.start, quote.start + len(words), words),), value=said[0].value
    )


def _is_measured_alike(held: Finding, amount: Amount) -> bool:
    return bool(held.attribute) and held.unit.split("/")[0] == amount.unit.split("/")[0]


def _without(amounts: list[Amount], text: str) -> str:
    for amount in reversed(amounts):
        text = f"{text[: amount.start]} {text[amount.end :]}"
    return text
