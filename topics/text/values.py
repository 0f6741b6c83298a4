"""The value of a statement after its text was edited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

_NUMBER = re.compile(
    r"(?P<digits>\d+(?:[.,:/\-]\d+)*)(?:\s?(?P<multiple>thousand|million|billion|k|m|bn|千|万|亿)(?![a-z]))?", re.I
)
_MULTIPLES = {
    "k": 10**3, "thousand": 10**3, "千": 10**3, "万": 10**4, "m": 10**6, "million": 10**6, "亿": 10**8,
    "bn": 10**9, "billion": 10**9,
}  # fmt: skip
_PLAIN = re.compile(r"\d+(?:\.\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)?")
# Characters. What takes the place of a value is a value as well, and no other half of the sentence.
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class _Number:
    """A number as it stands (`words`, its `digits`), and how much it is in plain digits, if it is an amount."""

    words: str
    digits: str
    amount: str


def renewed_value(before: str, after: str, value: str) -> str | None:
    """The value that a statement has after its text changed, as far as the words tell; None where they do not.

    `value` is that of the statement that said `before`, in its words or as a plain amount (84000 for "84,000", 500000
    for 50万). It stays where `after` says it as well. Another number in the place of its number, or other words in its
    place where nothing else changed, are the new one.
    """
    if _says(after, value):
        return value
    return _other_number(_numbers(before), _numbers(after), value) or _other_words(before, after, value)


def _says(text: str, value: str) -> bool:
    # Neither 20 in 320 nor 1 in 1,200.
    lead, end = r"(?<![\d.,])" if value[0].isdigit() else "", r"(?![.,]?\d)" if value[-1].isdigit() else ""
    return re.search(lead + re.escape(value) + end, text, re.IGNORECASE) is not None


def _numbers(text: str) -> list[_Number]:
    return [_number(match) for match in _NUMBER.finditer(text)]


def _number(match: re.Match[str]) -> _Number:
    digits, multiple = match["digits"], match["multiple"]
    amount = ""
    if _PLAIN.fullmatch(digits):
        amount = f"{Decimal(digits.replace(',', '')) * _MULTIPLES.get((multiple or '').casefold(), 1):f}"
        amount = amount.rstrip("0").rstrip(".") if "." in amount else amount
    return _Number(match[0], digits, amount)


def _other_number(before: Sequence[_Number], after: Sequence[_Number], value: str) -> str | None:
    own = _numbers(value)
    if len(own) != 1 or len(after) != len(before):
        return None
    places = [at for at, number in enumerate(before) if number.digits == own[0].digits]
    in_words = bool(places)
    if not in_words:
        places = [at for at, number in enumerate(before) if number.amount and number.amount == own[0].amount]
    others = [[n.words for at, n in enumerate(numbers) if [at] != places] for numbers in (before, after)]
    if len(places) != 1 or others[0] != others[1]:
        return None
    new = after[places[0]]
    if in_words:
        return value.replace(own[0].digits, new.digits)
    return value.replace(own[0].words, new.amount) if new.amount else None


def _other_words(before: str, after: str, value: str) -> str | None:
    lead, found, rest = before.partition(value)
    if not found or not (after.startswith(lead) and after.endswith(rest)) or len(after) <= len(lead) + len(rest):
        return None
    words = after[len(lead) : len(after) - len(rest)].strip()
    return words if words and len(words) <= _LONGEST and not re.search(r"[.!?;,]\s|[。！？；，]", words) else None
