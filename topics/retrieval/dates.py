"""The days and months that a question names, in English and Chinese."""

from __future__ import annotations

import calendar
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum

from topics.text.analyse import fold

# Something is often told days after it happened: what was said this long after a named day may be about it.
ECHO_DAYS = 14

_MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name}
_MONTH = (
    "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"((?:19|20)\d\d)"
_BARE_MONTH = r"january|february|april|june|july|august|september|october|november|december"
_NUMBERS = {c: i for i, c in enumerate("零一二三四五六七八九十")} | {"两": 2, "几": 3}


# 五月, 十二月三号; but not 两个月, which is a length of time.
_HAN_NUMBER = re.compile(
    "[一二三四五六七八九]?十[一二三四五六七八九]?(?=[月日号])|(?<![十几])[一二三四五六七八九](?=[月日号])"
)

Years = Callable[[], Iterable[int]]


class Grain(Enum):
    DAY = "day"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `first` to `last`, inclusive, as proleptic ordinals."""

    first: int
    last: int
    grain: Grain

    @property
    def names_days(self) -> bool:
        """Whether it is exact enough for everything said then to be worth a look."""
        return self.grain is not Grain.YEAR

    @property
    def last_echo(self) -> int:
        """The last day on which words about the period are looked for."""
        return self.last + ECHO_DAYS if self.grain is Grain.DAY else self.last

    def proximity(self, day: int) -> float:
        """1 within the period, then falling off with the days after it, 0 before."""
        if day < self.first:
            return 0.0
        return 1.0 if day <= self.last else math.exp(-(day - self.last) / ECHO_DAYS)


def named_periods(question: str, *, years: Years, now: date | None = None) -> list[Period]:
    """Every day, month and year that the question names.

    A date without a year stands for that date in each of `years()`. Words such as "yesterday" and 去年 are resolved
    against `now`, and left alone without it.
    """
    text = _HAN_NUMBER.sub(lambda match: str(_han_number(match[0])), fold(question))
    found: list[Period] = []
    for pattern, read in _PATTERNS:
        while match := pattern.search(text):
            found += read(match, years)
            text = f"{text[: match.start()]} {text[match.end() :]}"
    if now:
        found += _relative_periods(text, now)
    return list(dict.fromkeys(found))


def proximity(periods: Iterable[Period], day: int | None) -> float:
    """The best proximity of a day to any of the periods."""
    return max((period.proximity(day) for period in periods), default=0.0) if day is not None else 0.0


# ------------------------------------------------------------------------------------------------------- calendars


def _han_number(text: str) -> int:
    tens, ten, units = text.rpartition("十")
    return (10 * _NUMBERS.get(tens, 1) if ten else 0) + _NUMBERS.get(units, 0)


def _on_day(years: Iterable[int], month: int, day: int) -> Iterator[Period]:
    for year in years:
        try:
            at = date(year, month, day).toordinal()
        except ValueError:
            continue
        yield Period(at, at, Grain.DAY)


def _in_month(years: Iterable[int], month: int) -> Iterator[Period]:
    for year in years:
        if 1 <= month <= 12:
            first = date(year, month, 1).toordinal()
            yield Period(first, first + calendar.monthrange(year, month)[1] - 1, Grain.MONTH)


def _in_year(year: int) -> Iterator[Period]:
    yield Period(date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal(), Grain.YEAR)


def _month_number(name: str) -> int:
    return _MONTHS[name[:3]]


Reader = Callable[[re.Match[str], Years], Iterable[Period]]

# The most exact first: what one pattern has read is gone for the next.
_PATTERNS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (
        re.compile(rf"{_YEAR}\s*年\s*(\d{{1,2}})\s*月\s*(\d{{1,2}})\s*[日号]?"),
        lambda m, _: _on_day([int(m[1])], int(m[2]), int(m[3])),
    ),
    (
        re.compile(rf"\b{_YEAR}[-/.](\d{{1,2}})[-/.](\d{{1,2}})\b"),
        lambda m, _: _on_day([int(m[1])], int(m[2]), int(m[3])),
    ),
    (
        re.compile(rf"\b{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}\b"),
        lambda m, _: _on_day([int(m[3])], _month_number(m[2]), int(m[1])),
    ),
    (
        re.compile(rf"\b{_MONTH}\s+(?:the\s+)?{_DAY},?\s+{_YEAR}\b"),
        lambda m, _: _on_day([int(m[3])], _month_number(m[1]), int(m[2])),
    ),
    (re.compile(rf"{_YEAR}\s*年\s*(\d{{1,2}})\s*月"), lambda m, _: _in_month([int(m[1])], int(m[2]))),
    (re.compile(rf"\b{_YEAR}[-/](\d{{1,2}})\b"), lambda m, _: _in_month([int(m[1])], int(m[2]))),
    (re.compile(rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}\b"), lambda m, _: _in_month([int(m[2])], _month_number(m[1]))),
    (re.compile(r"(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]"), lambda m, years: _on_day(years(), int(m[1]), int(m[2]))),
    (
        re.compile(rf"\b{_DAY}\s+(?:of\s+)?{_MONTH}\b"),
        lambda m, years: _on_day(years(), _month_number(m[2]), int(m[1])),
    ),
    (
        re.compile(rf"\b{_MONTH}\s+(?:the\s+)?{_DAY}\b"),
        lambda m, years: _on_day(years(), _month_number(m[1]), int(m[2])),
    ),
    (re.compile(r"(?<!\d)(\d{1,2})\s*月(?!\s*\d)"), lambda m, years: _in_month(years(), int(m[1]))),
    (
        re.compile(rf"\b(?:in|during|of|since|by|until|before|after|last|this|early|late|mid)[\s-]+{_MONTH}(?!\w)"),
        lambda m, years: _in_month(years(), _month_number(m[1])),
    ),
    (re.compile(rf"\b({_BARE_MONTH})\b"), lambda m, years: _in_month(years(), _month_number(m[1]))),
    (re.compile(rf"{_YEAR}\s*年"), lambda m, _: _in_year(int(m[1]))),
    (re.compile(rf"\b(?:in|during|of|since|by|throughout)\s+{_YEAR}\b"), lambda m, _: _in_year(int(m[1]))),
)


# -------------------------------------------------------------------------------------------------- relative to now


def _relative_periods(text: str, now: date) -> Iterator[Period]:
    for pattern, read in _RELATIVE:
        for match in re.finditer(pattern, text):
            yield from read(match, now)


def _days_back(now: date, days: int) -> Iterator[Period]:
    at = now.toordinal() - days
    if at > 0:
        yield Period(at, at, Grain.DAY)


def _week(now: date, back: int) -> Iterator[Period]:
    monday = (now - timedelta(days=now.weekday() + 7 * back)).toordinal()
    yield Period(monday, monday + 6, Grain.DAY)


def _month_back(now: date, back: int) -> Iterator[Period]:
    months = now.year * 12 + now.month - 1 - back
    if months >= 12:
        yield from _in_month([months // 12], months % 12 + 1)


def _year_back(now: date, back: int) -> Iterator[Period]:
    if now.year > back:
        yield from _in_year(now.year - back)


def _amount(text: str) -> int:
    if text.isdigit():
        return min(int(text), 10_000)
    if text in _NUMBERS:
        return _NUMBERS[text]
    return _WORDS.get(text, 1)


_WORDS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}
_AMOUNT = rf"(\d{{1,4}}|{'|'.join(_WORDS)})"
_HAN_AMOUNT = f"(\\d{{1,4}}|[{''.join(_NUMBERS)}])"

_RELATIVE: tuple[tuple[str, Callable[[re.Match[str], date], Iterable[Period]]], ...] = (
    (r"\btoday\b|今天|今日", lambda m, now: _days_back(now, 0)),
    (r"\byesterday\b|昨天|昨日", lambda m, now: _days_back(now, 1)),
    (r"前天|前日", lambda m, now: _days_back(now, 2)),
    (r"\bthis week\b|(?:这|本)(?:个)?(?:周|星期|礼拜)", lambda m, now: _week(now, 0)),
    (r"\blast week\b|上(?:个)?(?:周|星期|礼拜)", lambda m, now: _week(now, 1)),
    (r"\bthis month\b|(?:这个|本|这)月", lambda m, now: _month_back(now, 0)),
    (r"\blast month\b|上(?:个)?月", lambda m, now: _month_back(now, 1)),
    (r"\bthis year\b|今年", lambda m, now: _year_back(now, 0)),
    (r"\blast year\b|去年", lambda m, now: _year_back(now, 1)),
    (r"前年", lambda m, now: _year_back(now, 2)),
    (rf"\b{_AMOUNT} days? ago\b|{_HAN_AMOUNT}天(?:之|以)?前", lambda m, now: _days_back(now, _amount(m[1] or m[2]))),
    (
        rf"\b{_AMOUNT} weeks? ago\b|{_HAN_AMOUNT}(?:个)?(?:周|星期|礼拜)(?:之|以)?前",
        lambda m, now: _week(now, _amount(m[1] or m[2])),
    ),
    (
        rf"\b{_AMOUNT} months? ago\b|{_HAN_AMOUNT}个月(?:之|以)?前",
        lambda m, now: _month_back(now, _amount(m[1] or m[2])),
    ),
    (rf"\b{_AMOUNT} years? ago\b|{_HAN_AMOUNT}年(?:之|以)?前", lambda m, now: _year_back(now, _amount(m[1] or m[2]))),
)
