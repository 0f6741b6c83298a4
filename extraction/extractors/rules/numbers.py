"""Amounts in a sentence: money, shares and counts, with the plain decimal value and the unit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from extraction.extractors.rules.dates import chinese_number

_CURRENCY_SIGNS = {
    "US$": "USD",
    "HK$": "HKD",
    "NT$": "TWD",
    "A$": "AUD",
    "C$": "CAD",
    "S$": "SGD",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "CNY",
    "￥": "CNY",
    "＄": "USD",
}
_CURRENCY_WORDS = {
    "dollars": "USD",
    "dollar": "USD",
    "bucks": "USD",
    "usd": "USD",
    "euros": "EUR",
    "euro": "EUR",
    "eur": "EUR",
    "pounds": "GBP",
    "gbp": "GBP",
    "yuan": "CNY",
    "rmb": "CNY",
    "cny": "CNY",
    "yen": "JPY",
    "jpy": "JPY",
    "hkd": "HKD",
    "chf": "CHF",
    "元": "CNY",
    "块钱": "CNY",
    "块": "CNY",
    "人民币": "CNY",
    "美元": "USD",
    "美金": "USD",
    "刀": "USD",
    "欧元": "EUR",
    "英镑": "GBP",
    "日元": "JPY",
    "港币": "HKD",
    "港元": "HKD",
    "台币": "TWD",
}
_SCALES = {
    "k": 10**3,
    "thousand": 10**3,
    "m": 10**6,
    "mn": 10**6,
    "million": 10**6,
    "bn": 10**9,
    "b": 10**9,
    "billion": 10**9,
    "千": 10**3,
    "万": 10**4,
    "十万": 10**5,
    "百万": 10**6,
    "千万": 10**7,
    "亿": 10**8,
}
_NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
}

_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,15}(?:\.\d+)?"
_SIGN = "|".join(re.escape(sign) for sign in sorted(_CURRENCY_SIGNS, key=len, reverse=True))
_PER = (
    r"(?:\s?(?:a|per|/|each|every)\s?"
    r"(?P<per>year|yr|annum|month|mo|week|day|hour|hr|person|head|seat|user|unit|night|session|class)\b)?"
)
_PER_CODES = {
    "yr": "year",
    "annum": "year",
    "mo": "month",
    "hr": "hour",
    "head": "person",
    "年": "year",
    "月": "month",
    "周": "week",
    "天": "day",
    "小时": "hour",
    "人": "person",
    "平米": "m²",
    "平方米": "m²",
}

_ENGLISH_MONEY = re.compile(
    rf"(?:(?P<sign>{_SIGN})\s?(?P<amount>{_DIGITS})(?:\s?(?P<scale>k|mn|m|bn|b|thousand|million|billion)\b)?"
    rf"|(?<![\w.,])(?P<amount2>{_DIGITS})\s?(?P<scale2>k|m|bn|thousand|million|billion)?\s?"
    rf"(?P<word>dollars?|bucks|usd|euros?|eur|pounds|gbp|yuan|rmb|cny|yen|jpy|hkd|chf)\b){_PER}",
    re.IGNORECASE,
)
_PERCENT = re.compile(
    rf"(?<![A-Za-z\d.,])(?P<amount>{_DIGITS})\s?(?:%|％|percent\b|per cent\b)|百分之(?P<chinese>\d+(?:\.\d+)?|"
    rf"[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九])",
    re.IGNORECASE,
)
_CHINESE_AMOUNT = r"(?:\d[\d,]*(?:\.\d+)?|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九])"
_CHINESE_MONEY = re.compile(
    rf"(?<![\d.])(?P<sign>[¥￥$＄])?(?P<amount>{_CHINESE_AMOUNT})\s?(?P<scale>千万|百万|十万|亿|万|千)?(?:多|余)?\s?"
    r"(?P<word>元|块钱|块(?!儿|头)|人民币|美元|美金|欧元|英镑|日元|港币|港元|台币)?(?P<approx>左右)?"
)
_PLAIN_NUMBER = re.compile(
    rf"(?<![A-Za-z\d.,])(?P<amount>{_DIGITS})\s?(?P<scale>(?:k|thousand|mn|million|bn|billion)\b|千万|百万|十万|亿|万|千)?"
    r"(?![.,:/-]?\d)",
    re.IGNORECASE,
)
# "The budget went up from 5k to 7k" leaves the currency out; "we sold 5k" is no money.
_BARE_MONEY = re.compile(
    rf"(?<![\w.,])(?P<amount>{_DIGITS})\s?(?P<scale>k|thousand|million|bn|billion)\b(?!\s+[a-z]+s\b)", re.IGNORECASE
)
_ENGLISH_MONEY_BEFORE = re.compile(
    r"\b(?:budget|price|pricing|costs?|fees?|salary|wage|rent|revenue|turnover|quote|deposit|income|funding|loan|debt)"
    r"(?:\s+(?:is|was|are|will|be|has|have|been|went|goes|gone|rose|fell|dropped|grew|increased|raised|cut|reduced|"
    r"changed|moved|up|down|from|to|now|of|at|about|around|currently|only|just|set|stands)\b|"
    r"\s+[\d.,]+\s?(?:k|thousand|million|bn)\b)*\s*$",
    re.IGNORECASE,
)
# 预算18万 leaves the currency out; 粉丝18万 is no money.
_MONEY_BEFORE = re.compile(
    r"(?:预算|价格?|报价|成本|费用?|营收|收入|额|薪|工资|租金?|款|押金|定金|花了|付了)[^，,。；;]{0,12}$"
)
_CHINESE_PER = re.compile(r"^\s*(?:/|每|一)\s?(?P<per>年|个?月|周|天|小时|人|平米|平方米)")
_CHINESE_PER_BEFORE = re.compile(
    r"(?:每|一)个?(?P<per>年|月|周|天|小时|人)[^，,。]{0,6}$|(?P<monthly>月[薪租供])|(?P<yearly>年薪)"
)
_TO = r"\s?(?:到|至|~|～|-|—|–|to)\s?"
_SIGN_OR_NOT = r"[¥￥$€£]?"
_RANGE_AFTER = re.compile(rf"{_TO}{_SIGN_OR_NOT}\d")
_RANGE_BEFORE = re.compile(rf"\d\s?(?:[万千亿元%k]|块|m)*{_TO}{_SIGN_OR_NOT}$", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:rais|increas|cut|reduc|chang|adjust|mov|went|goes|lower|bump|doubl|grew|rose|fell|dropp)\w*\b.*\bfrom\b|"
    r"从.*(?:调|提|增|降|涨|改|升|减|变)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity at [start, end). `unit` is an ISO 4217 code, with `/year` and the like for a rate, or `%`."""

    start: int
    end: int
    value: str
    unit: str


def find_money(text: str, chinese: bool) -> list[Amount]:
    """Sums of money. The ends of a range (`10到15万元`) are left out: neither of them is the value."""
    pattern = _CHINESE_MONEY if chinese else _ENGLISH_MONEY
    amounts = []
    for match in pattern.finditer(text):
        groups = match.groupdict()
        word, sign = (groups["word"] or "").lower(), groups["sign"] or ""
        bare = not (word or sign)
        if bare and not (groups["scale"] and _MONEY_BEFORE.search(text, 0, match.start())):
            continue
        if _is_range_end(text, match):
            continue
        number = groups["amount"] or groups.get("amount2") or ""
        scale = (groups["scale"] or groups.get("scale2") or "").lower()
        currency = "CNY" if bare else _CURRENCY_WORDS[word] if word else _CURRENCY_SIGNS[sign.upper()]
        end, per = _rate(text, match, chinese)
        amounts.append(Amount(match.start(), end, decimal_value(number, scale), currency + (f"/{per}" if per else "")))
    return amounts or ([] if chinese else _bare_money(text))


def _bare_money(text: str) -> list[Amount]:
    """English sums without a currency, behind a word for money."""
    return [
        Amount(match.start(), match.end(), decimal_value(match["amount"], match["scale"].lower()), "")
        for match in _BARE_MONEY.finditer(text)
        if _ENGLISH_MONEY_BEFORE.search(text, 0, match.start()) and not _is_range_end(text, match)
    ]


def find_percentages(text: str) -> list[Amount]:
    """Shares, in percent."""
    return [
        Amount(m.start(), m.end(), decimal_value(m["amount"] or m["chinese"]), "%")
        for m in _PERCENT.finditer(text)
        if not _is_range_end(text, m)
    ]


def find_plain_numbers(text: str) -> list[Amount]:
    """Numbers in digits as they are, with what they are multiplied by: `60k`, 6万."""
    return [
        Amount(m.start(), m.end(), decimal_value(m["amount"], (m["scale"] or "").lower()), "")
        for m in _PLAIN_NUMBER.finditer(text)
    ]


def _is_range_end(text: str, match: re.Match[str]) -> bool:
    """Whether the amount is one end of `10 to 15`, unless the words are of a change from one to the other."""
    before, after = text[max(0, match.start() - 8) : match.start()], text[match.end() : match.end() + 6]
    return bool(_RANGE_BEFORE.search(before) or _RANGE_AFTER.match(after)) and not _CHANGE.search(text)


def decimal_value(number: str, scale: str = "") -> str:
    """The plain decimal form: (`1.5`, `万`) → `15000`, `84,000` → `84000`, `twelve` → `12`."""
    bare = number.replace(",", "").lower()
    if bare in _NUMBER_WORDS:
        value = Decimal(_NUMBER_WORDS[bare])
    elif bare[:1].isdigit():
        value = Decimal(bare)
    else:
        value = Decimal(str(chinese_number(bare)))
    return f"{(value * _SCALES.get(scale, 1)).normalize():f}"


def _rate(text: str, match: re.Match[str], chinese: bool) -> tuple[int, str]:
    if not chinese:
        per = (match["per"] or "").lower()
        return match.end(), _PER_CODES.get(per, per)
    after = _CHINESE_PER.match(text[match.end() : match.end() + 6])
    if after:
        return match.end() + after.end(), _PER_CODES[after["per"].removeprefix("个")]
    before = _CHINESE_PER_BEFORE.search(text[max(0, match.start() - 10) : match.start()])
    if before is None:
        return match.end(), ""
    return match.end(), "month" if before["monthly"] else "year" if before["yearly"] else _PER_CODES[before["per"]]
