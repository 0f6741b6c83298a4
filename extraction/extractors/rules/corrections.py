"""What is put right in the same breath: `The budget is $7,000. Sorry, $8,000.`, `预算是7万元。不是7万元，是8万元。`"""

from __future__ import annotations

import re
from dataclasses import replace

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
