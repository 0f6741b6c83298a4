"""Dates as a model writes them, held against the dates that the words name.

Models reckon badly. The rules read the dates in the quoted words exactly, so a model may choose among them and leave
precision out, but its own arithmetic is never believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal

from extraction.extractors.rules.dates import DateMention

_PARTIAL = re.compile(
    r"(?P<year>\d{4})(?:[-/.](?P<month>\d{1,2})(?:[-/.](?P<day>\d{1,2})"
    r"(?:[T ](?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?)?)?"
)
_PARTS = ("year", "month", "day", "hour", "minute")
_MONTHS = "January February March April May June July August September October November December".split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_KNOWN_PARTS = {"year": 1, "month": 2, "day": 3, "minute": 5}


def meant(written: str, mentions: Sequence[DateMention]) -> DateMention | None:
    """The date in the words that the model means; the only one if it means none of them; None if that is unclear."""
    match = _PARTIAL.fullmatch(written.strip())
    if match:
        given = [int(match[part]) for part in _PARTS if match[part]]
        for mention in mentions:
            said = _numbers(mention)
            common = min(len(given), len(said))
            if given[:common] == said[:common]:
                return mention
    return mentions[0] if len(mentions) == 1 else None


def numbers_of(at: datetime) -> Iterator[Decimal]:
    """The numbers that a text may write for this moment."""
    yield from (Decimal(n) for n in (at.year, at.year % 100, at.month, at.day, at.hour, at.hour % 12, at.minute))


def words_of(at: datetime) -> str:
    """The words that a text may write for this moment, in either language."""
    month, day = _MONTHS[at.month - 1], _DAYS[at.weekday()]
    weekday = "一二三四五六日"[at.weekday()]
    return f"{month} {month[:3]} {day} 年月日号时分点上下午 星期{weekday}周{weekday} {at:%Y %m %d} {at.month} {at.day}"


def _numbers(mention: DateMention) -> list[int]:
    at = mention.at
    return [at.year, at.month, at.day, at.hour, at.minute][: _KNOWN_PARTS[mention.precision]]
