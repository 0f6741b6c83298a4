"""The quantities that a text names, however they are written: `150,000`, `15万`, `十五万`, `1.5 million`, `forty`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal

_SCALES = {
    "k": 10**3, "thousand": 10**3, "m": 10**6, "mn": 10**6, "million": 10**6, "b": 10**9, "bn": 10**9, "billion": 10**9,
    "百": 10**2, "千": 10**3, "万": 10**4, "萬": 10**4, "十万": 10**5, "百万": 10**6, "千万": 10**7, "亿": 10**8,
    "億": 10**8,
}  # fmt: skip
_DIGITS = re.compile(
    r"(?<![\d.])(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,15}(?:\.\d+)?)"
    r"\s?(?P<scale>(?:thousand|million|billion|mn|bn|k|m|b)(?![a-z])|十万|百万|千万|[百千万萬亿億])?",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"(?<![\d.])(?=[万萬亿億]*[零〇一二两兩三四五六七八九十百千])[零〇一二两兩三四五六七八九十百千万萬亿億]+"
    r"(?:点[零〇一二三四五六七八九]+)?"
)
_CHINESE_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_CHINESE_PLACES = {"十": 10, "百": 100, "千": 1000}
_ONES = {
    word: number
    for number, word in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
        seventeen eighteen nineteen""".split()
    )
}
_TENS = {
    word: 10 * number
    for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
_LARGE = {"hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9}
_ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), start=1
    )
}
_WORDS = re.compile(
    rf"\b(?:{'|'.join([*_ONES, *_TENS])})(?:[\s-]+(?:and\s+)?(?:{'|'.join([*_ONES, *_TENS, *_LARGE])}))*\b",
    re.IGNORECASE,
)
_ORDINAL = re.compile(rf"\b(?:{'|'.join(_ORDINALS)})\b", re.IGNORECASE)
SMALL = 2  # number words up to here are as often no number: "one of them", "the two"
_HALF = re.compile(r"半|\bhalf\b", re.IGNORECASE)


def quantities(text: str) -> set[Decimal]:
    """Every number that the text may mean; `15万` gives both 15 and 150000, for either may be repeated alone."""
    text = unicodedata.normalize("NFKC", text)
    return {number.normalize() for number in _quantities(text)}


def stated(text: str) -> set[Decimal]:
    """The numbers that a text states without doubt: `一起` and `one of them` state none."""
    text = unicodedata.normalize("NFKC", text)
    found = {_scaled(match) for match in _DIGITS.finditer(text)}
    found |= {_chinese(match[0]) for match in _CHINESE.finditer(text) if len(match[0]) > 1}
    found |= {number for match in _WORDS.finditer(text) if (number := _english(match[0])) > SMALL}
    return {number.normalize() for number in found}


def plain_decimal(text: str) -> str:
    """The one number that a value stands for in plain decimal form: `15万` → `150000`; "" for anything else."""
    bare = unicodedata.normalize("NFKC", text).strip()
    if match := _DIGITS.fullmatch(bare):
        number = _scaled(match)
    elif _CHINESE.fullmatch(bare):
        number = _chinese(bare)
    elif _WORDS.fullmatch(bare):
        number = _english(bare)
    else:
        return ""
    return f"{number.normalize():f}"


def _quantities(text: str) -> Iterator[Decimal]:
    for match in _DIGITS.finditer(text):
        yield Decimal(match["number"].replace(",", ""))
        yield _scaled(match)
    for match in _CHINESE.finditer(text):
        yield _chinese(match[0])
    for match in _WORDS.finditer(text):
        yield _english(match[0])
    for match in _ORDINAL.finditer(text):
        yield Decimal(_ORDINALS[match[0].lower()])
    if _HALF.search(text):
        yield Decimal("0.5")


def _scaled(match: re.Match[str]) -> Decimal:
    return Decimal(match["number"].replace(",", "")) * _SCALES.get((match["scale"] or "").lower(), 1)


def _chinese(text: str) -> Decimal:
    whole, _, fraction = text.partition("点")
    if not any(c in "十百千万萬亿億" for c in whole):  # 二〇二四: digits one by one
        number = Decimal("".join(str(_CHINESE_DIGITS[c]) for c in whole) or "0")
    else:
        number = Decimal(_chinese_whole(whole))
    if fraction:
        number += Decimal("0." + "".join(str(_CHINESE_DIGITS[c]) for c in fraction))
    return number


def _chinese_whole(text: str) -> int:
    total = group = digit = 0
    for character in text:
        if character in "亿億":
            total = (total + group + digit or 1) * 10**8
            group = digit = 0
        elif character in "万萬":
            total += (group + digit or 1) * 10**4
            group = digit = 0
        elif character in _CHINESE_PLACES:
            group += (digit or 1) * _CHINESE_PLACES[character]
            digit = 0
        else:
            digit = _CHINESE_DIGITS[character]
    return total + group + digit


def _english(text: str) -> Decimal:
    total = group = 0
    for word in re.findall(r"[a-z]+", text.lower()):
        if word == "hundred":
            group = (group or 1) * 100
        elif word in _LARGE:
            total += (group or 1) * _LARGE[word]
            group = 0
        else:
            group += _ONES.get(word, _TENS.get(word, 0))
    return Decimal(total + group)
