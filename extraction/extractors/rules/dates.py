"""Finds the dates that a sentence names, in English or Chinese, and says how exact they are.

A date is resolved against the local time at which the sentence was said. The result never claims more than the words
do: "in May" is a month, "last week" is no day. Weeks and quarters have no precision of their own, so a date that is
known by its week gets the month's if the whole week lies in it and otherwise the year's.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Literal

from extraction.extractors.protocol import Precision
from extraction.extractors.rules.places import STREET
from extraction.extractors.rules.sentences import blanked

Tense = Literal["past", "future", ""]


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date at [start, end) of a text. `at` is local and aware; below `precision` it means nothing.

    `ends_range`: it is the last day of several, of which the mention before it is the first.
    """

    start: int
    end: int
    at: datetime
    precision: Precision
    relation: Literal["on", "since", "until"] = "on"
    ends_range: bool = False


@dataclass(frozen=True, slots=True)
class _Resolved:
    day: date
    precision: Precision
    clock: time | None = None


_Rule = tuple[re.Pattern[str], Callable[[re.Match[str], date, Tense], _Resolved | None]]


def find_dates(text: str, said_at: datetime, tense: Tense, *, ahead_from: int | None = None) -> list[DateMention]:
    """The dates in `text`, in order, none overlapping another.

    `said_at` must be aware and in the time zone of the reader. `tense` decides what a date without a year, or a bare
    weekday, refers to; when it is empty the nearest one is taken. From `ahead_from` on, all that is told is to come.
    """
    if not _MAY_NAME_A_DATE.search(text):
        return []
    text = _DAYS_APART.sub(lambda match: match[0].replace("-", "–"), without_opening_days(text))
    found: list[DateMention] = []
    for rule, resolve in _RULES:
        for match in rule.finditer(text):
            if any(match.start() < other.end and other.start < match.end() for other in found):
                continue
            is_ahead = ahead_from is not None and match.end() > ahead_from
            mention = _resolved(match, resolve, said_at, "future" if is_ahead else tense)
            if mention:
                found.append(mention)
    found.sort(key=lambda mention: mention.start)
    return [_with_clock(text, mention) for mention in _as_ranges(text, found, said_at)]


def _as_ranges(text: str, mentions: list[DateMention], said_at: datetime) -> list[DateMention]:
    """The mentions, with both ends of a range as such: "3 to 10 May", "from 24 December to 2 January", 5月3日到10日.

    An end that is told by its day alone is in the month of the other. Where no year is told the first is before the
    last, and of days to come the last is.
    """
    today = datetime.combine(said_at.date(), time.min, tzinfo=said_at.tzinfo)
    ranged: list[DateMention] = []
    for mention in mentions:
        before = _FIRST_OF_RANGE.search(text, 0, mention.start)
        behind = _LAST_OF_RANGE.match(text, mention.end) if mention.precision == "day" else None
        last = ranged[-1] if ranged else None
        if last and last.precision == mention.precision == "day" and _TO.fullmatch(text, last.end, mention.start):
            first, end = last, replace(mention, ends_range=True)
            if first.at > end.at and not _TELLS_YEAR.search(text, first.start, mention.end):
                first = replace(first, at=_year_before(first.at))
            if first.at <= end.at:
                ranged[-1:] = [first, end]
                continue
        elif before and mention.precision == "day" and int(before["day"]) < mention.at.day:
            first = replace(mention, start=before.start(), end=before.end("day"), relation="since")
            first = replace(first, at=mention.at.replace(day=int(before["day"])))
            ranged += [first, replace(mention, ends_range=True)]
            continue
        elif behind and mention.at.day < int(chinese_number(behind["day"])) and _exists_with(mention, behind["day"]):
            at = mention.at.replace(day=int(chinese_number(behind["day"])))
            first = mention
            if mention.at > today and not _TELLS_YEAR.search(text, mention.start, behind.end()):
                began, over = _year_before(mention.at), _year_before(at)
                first, at = (replace(mention, at=began), over) if over >= today else (mention, at)
            end = replace(mention, start=behind.start("day"), end=behind.end(), at=at, relation="on", ends_range=True)
            ranged += [first, end]
            continue
        ranged.append(mention)
    return ranged


def _year_before(day: datetime) -> datetime:
    """The same day of the year before; of 29 February the 28th."""
    is_there = _exists(day.year - 1, day.month, day.day)
    return day.replace(year=day.year - 1, day=day.day if is_there else day.day - 1)


def _exists_with(mention: DateMention, day: str) -> bool:
    return _exists(mention.at.year, mention.at.month, int(chinese_number(day)))


def _resolved(
    match: re.Match[str],
    resolve: Callable[[re.Match[str], date, Tense], _Resolved | None],
    said_at: datetime,
    tense: Tense,
) -> DateMention | None:
    try:
        resolved = resolve(match, said_at.date(), tense)
    except (ValueError, OverflowError):  # 31 February, or a year that no calendar holds
        return None
    if resolved is None:
        return None
    at = datetime.combine(resolved.day, resolved.clock or time.min, tzinfo=said_at.tzinfo)
    return DateMention(
        match.start(), match.end(), at, "minute" if resolved.clock else resolved.precision, _relation(match)
    )


# --- what the words mean -------------------------------------------------------------------------------------------


def _month_start(year: int, month: int) -> _Resolved:
    return _Resolved(date(year, month, 1), "month")


def _year_start(year: int) -> _Resolved:
    return _Resolved(date(year, 1, 1), "year")


def _shift_months(today: date, months: int) -> _Resolved:
    index = today.year * 12 + today.month - 1 + months
    return _month_start(index // 12, index % 12 + 1)


def _week_of(day: date) -> _Resolved:
    monday = day - timedelta(days=day.weekday())
    same_month = monday.month == (monday + timedelta(days=6)).month
    return _Resolved(day, "month" if same_month else "year")


def _weekend_of(day: date) -> _Resolved:
    saturday = day - timedelta(days=day.weekday()) + timedelta(days=5)
    return _Resolved(saturday, "month" if saturday.month == (saturday + timedelta(days=1)).month else "year")


def _weekday_in_week(today: date, weekday: int, weeks: int) -> _Resolved:
    monday = today - timedelta(days=today.weekday())
    return _Resolved(monday + timedelta(days=weekday, weeks=weeks), "day")


def _bare_weekday(today: date, weekday: int, tense: Tense) -> _Resolved:
    ahead = (weekday - today.weekday()) % 7
    if tense == "past":
        return _Resolved(today - timedelta(days=(-ahead) % 7 or 7), "day")
    return _Resolved(today + timedelta(days=ahead or 7), "day")


def _without_year(today: date, month: int, day: int | None, tense: Tense) -> _Resolved:
    candidates = [
        _day_or_month(today.year + offset, month, day)
        for offset in (-1, 0, 1)
        if _exists(today.year + offset, month, day)
    ]
    if tense == "past":
        candidates = [c for c in candidates if c.day <= today] or candidates
        return candidates[-1]
    if tense == "future":
        this_month = date(today.year, today.month, 1)
        candidates = [c for c in candidates if c.day >= (today if day else this_month)] or candidates
        return candidates[0]
    return min(candidates, key=lambda c: abs(c.day - today))


def _exists(year: int, month: int, day: int | None) -> bool:
    return day is None or 1 <= day <= calendar.monthrange(year, month)[1]


def _day_or_month(year: int, month: int, day: int | None) -> _Resolved:
    return _Resolved(date(year, month, day), "day") if day else _month_start(year, month)


def _ago(today: date, amount: float, unit: str, sign: int) -> _Resolved | None:
    """`amount` units before (sign -1) or after `today`; None when the words are too vague for a date."""
    if unit == "day":
        return _Resolved(today + timedelta(days=sign * amount), "day")
    if unit == "week":
        return _week_of(today + timedelta(weeks=sign * amount))
    if unit == "month":
        if amount != int(amount):
            return _week_of(today + timedelta(days=sign * amount * 30))
        return _shift_months(today, sign * int(amount))
    if amount != int(amount):
        return _shift_months(today, sign * round(amount * 12))
    return _year_start(today.year + sign * int(amount))


# --- English -------------------------------------------------------------------------------------------------------

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_WEEKDAYS = {name.lower(): number for number, name in enumerate(calendar.day_name)}
_WEEKDAYS |= {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4}
_NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
} | {"a": 1, "an": 1, "half a": 0.5, "a couple of": 2, "a couple": 2}

# What makes a month or an ordinal the name of a street: "12 March Avenue". Words that also begin what is done on a day
# ("on 12 March drive to Oslo") need a capital, or the end of the clause behind them.
_STREET = (
    rf"\.?\s+(?:(?-i:{STREET})\b|(?-i:St)\b(?!\.?\s+(?-i:[A-Z]))|"
    r"(?:street|avenue|ave|road|rd|lane|drive|square|court|place|boulevard)\.?\s*(?:$|[,;:!?)]))"
)
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b(?!{_STREET})\.?"
_CAPITAL_MONTH = (
    r"(?P<month>January|February|March|April|May|June|July|August|September|October|November|December)\b"
    rf"(?!{_STREET})"
)
# Behind these "to June" is a month and nobody's name.
_PUT = (
    "(?:moved|postponed|delayed|deferred|rescheduled|shifted|pushed|slipped|extended|changed|back|forward|"
    r"from\s+[A-Z][a-z]+)"
)
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_WEEKDAY = rf"(?P<weekday>{'|'.join(sorted(_WEEKDAYS, key=len, reverse=True))})\b"
_AMOUNT = rf"(?P<amount>\d{{1,3}}|{'|'.join(sorted(_NUMBER_WORDS, key=len, reverse=True))})"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_WHICH = {
    "last": -1,
    "previous": -1,
    "this past": -1,
    "this": 0,
    "current": 0,
    "this coming": 0,
    "next": 1,
    "coming": 1,
}
_ENGLISH_CLOCK = re.compile(
    r"^(?:\s*,)?\s*(?:at|around|by|from|"
    r"@)?\s*(?:(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d))?\s*(?P<half>[ap])\.?m\b\.?"
    r"|(?:at\s+|@\s*)?(?P<hour24>[01]?\d|2[0-3])[:.](?P<minute24>[0-5]\d)|at (?P<noon>noon|midday))",
    re.IGNORECASE,
)
_CLOCK_BEFORE = re.compile(
    r"(?:(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d))?\s*(?P<half>[ap])\.?m\b\.?|(?P<hour24>[01]?\d|"
    r"2[0-3]):(?P<minute24>[0-5]\d)"
    r"|(?P<noon>noon|midday))\s*,?\s*(?:on\s+)?$",
    re.IGNORECASE,
)


def _english(pattern: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:(?P<relation>since|until|till|from|starting|as of)\s+)?{pattern}(?![\w-])", flags)


def _amount(word: str) -> float:
    return float(word) if word.isdigit() else _NUMBER_WORDS[word.lower()]


def _named_day(match: re.Match[str], today: date, tense: Tense) -> _Resolved:
    month, day = _MONTHS[match["month"].lower()], int(match["day"])
    return (
        _Resolved(date(int(match["year"]), month, day), "day")
        if match["year"]
        else _without_year(today, month, day, tense)
    )


def _named_month(match: re.Match[str], today: date, tense: Tense) -> _Resolved:
    month = _MONTHS[match["month"].lower()]
    return _month_start(int(match["year"]), month) if match["year"] else _without_year(today, month, None, tense)


def _which_month(match: re.Match[str], today: date, tense: Tense) -> _Resolved:
    month = _MONTHS[match["month"].lower()]
    if match["which"].lower() == "this":
        return _month_start(today.year, month)
    past = match["which"].lower() == "last"
    year = today.year - (month >= today.month) if past else today.year + (month <= today.month)
    return _month_start(year, month)


def _which_period(match: re.Match[str], today: date, tense: Tense) -> _Resolved:
    step, unit = _WHICH[match["which"].lower()], match["unit"].lower()
    if unit == "week":
        return _week_of(today + timedelta(weeks=step))
    if unit == "weekend":
        return _weekend_of(_weekend_anchor(today, step, tense))
    return _shift_months(today, step) if unit == "month" else _year_start(today.year + step)


def _weekend_anchor(today: date, step: int, tense: Tense) -> date:
    # Said on a Sunday, "last weekend" is the one before; "this weekend" told as past on a Monday is the one just over.
    if step == 0 and tense == "past" and today.weekday() < 5:
        step = -1
    return today + timedelta(weeks=step)


def _which_weekday(match: re.Match[str], today: date, tense: Tense) -> _Resolved:
    weekday, which = _WEEKDAYS[match["weekday"].lower()], (match["which"] or "").lower()
    if which == "next":
        return _weekday_in_week(today, weekday, 1)
    if which in ("last", "this past", "previous"):
        return _bare_weekday(today, weekday, "past")
    if which == "this" and tense == "past":
        return _weekday_in_week(today, weekday, 0)
    return _bare_weekday(today, weekday, tense)


def _weekday_next_week(match: re.Match[str], today: date, tense: Tense) -> _Resolved:
    return _weekday_in_week(today, _WEEKDAYS[match["weekday"].lower()], _WHICH[match["which"].lower()])


def _day_word(match: re.Match[str], today: date, tense: Tense) -> _Resolved:
    offsets = {
        "the day before yesterday": -2,
        "yesterday": -1,
        "last night": -1,
        "the day after tomorrow": 2,
        "tomorrow": 1,
    }
    return _Resolved(today + timedelta(days=offsets.get(" ".join(match["word"].lower().split()), 0)), "day")


def _day_of_month(match: re.Match[str], today: date, tense: Tense) -> _Resolved | None:
    day, which = int(match["day"]), (match["which"] or "").lower()
    if which:
        month = _shift_months(today, _WHICH[which]).day
        return _Resolved(month.replace(day=day), "day")
    months = (0, -1) if tense == "past" else (0, 1)
    for step in months:
        month = _shift_months(today, step).day
        if not _exists(month.year, month.month, day):
            continue
        candidate = month.replace(day=day)
        if (candidate <= today) if tense == "past" else (candidate >= today):
            return _Resolved(candidate, "day")
    return None


def _part_of_period(match: re.Match[str], today: date, tense: Tense) -> _Resolved:
    end = match["part"].lower().endswith("end")
    if match["year"]:
        year = int(match["year"])
    else:
        step = _WHICH.get((match["which"] or "this").lower(), 0)
        if match["unit"].lower() == "month":
            return _shift_months(today, step)
        year = today.year + step
    return _month_start(year, 12) if end else _year_start(year)


def _iso(match: re.Match[str], today: date, tense: Tense) -> _Resolved:
    return _Resolved(date(int(match["year"]), int(match["number"]), int(match["day"])), "day")


def _slashes(match: re.Match[str], today: date, tense: Tense) -> _Resolved:
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    if first > 12 or first == second:
        return _Resolved(date(year, second, first), "day")
    if second > 12:
        return _Resolved(date(year, first, second), "day")
    return _year_start(year)  # 03/04/2024 is March in one country and April in another


def _hence(match: re.Match[str], today: date, tense: Tense) -> _Resolved | None:
    # Told as past, "in two weeks" is how long it took.
    return None if tense == "past" else _ago(today, _amount(match["amount"]), match["unit"].lower(), 1)


def _quarter(match: re.Match[str], today: date, tense: Tense) -> _Resolved:
    year = int(match["year"]) if match["year"] else today.year
    return _Resolved(date(year, int(match["quarter"]) * 3 - 2, 1), "year")


def _english_rules() -> list[_Rule]:
    ago = _english(rf"(?:about |around |over |almost )?{_AMOUNT}\s+{_UNIT}\s+(?:ago|back|earlier)")
    hence = _english(rf"(?:in|within)\s+(?:about |around )?{_AMOUNT}\s+{_UNIT}(?:'s? time)?(?!\s+(?:of|old))")
    later = _english(rf"{_AMOUNT}\s+{_UNIT}\s+from (?:now|today)")
    which = r"(?P<which>last|previous|this past|this coming|this|current|next|coming)"
    return [
        (_english(rf"{_YEAR}[-/.](?P<number>1[0-2]|0?[1-9])[-/.]{_DAY}"), _iso),
        (_english(rf"(?P<first>\d{{1,2}})/(?P<second>\d{{1,2}})/{_YEAR}"), _slashes),
        (_english(rf"{_DAY}(?:\s+of)?\s+{_MONTH}(?:,?\s+{_YEAR})?"), _named_day),
        (
            _english(rf"{_MONTH}\s+(?:the\s+)?{_DAY}(?!\s*(?:%|percent|people|[ap]\.?m\b)|:)(?:,?\s+{_YEAR})?"),
            _named_day,
        ),
        (
            _english(
                rf"(?:the\s+)?(?P<part>end|early|late|beginning|start|mid|middle)(?:\s+of)?[\s-]+(?:(?:the|"
                rf"(?P<which>last|this|next))\s+)?"
                rf"(?:{_YEAR}|(?P<unit>year|month))"
            ),
            _part_of_period,
        ),
        (_english(rf"{_MONTH},?\s+(?:of\s+)?{_YEAR}"), _named_month),
        (
            _english(
                r"(?P<word>(?:the )?day before yesterday|(?:the )?day after tomorrow|yesterday|last night|tomorrow|"
                r"today|tonight"
                r"|this (?:morning|afternoon|evening))"
            ),
            _day_word,
        ),
        (ago, lambda m, today, tense: _ago(today, _amount(m["amount"]), m["unit"].lower(), -1)),
        (hence, _hence),
        (later, lambda m, today, tense: _ago(today, _amount(m["amount"]), m["unit"].lower(), 1)),
        (_english(rf"{_WEEKDAY}\s+(?:of\s+)?(?P<which>last|this|next) week"), _weekday_next_week),
        (_english(rf"(?:{which}\s+){_WEEKDAY}"), _which_weekday),
        (_english(rf"(?:on|by|this|before|after|to|until|for)\s+(?P<which>)?{_WEEKDAY}"), _which_weekday),
        (
            _english(
                r"(?:the\s+)?(?P<day>3[01]|[12]\d|[1-9])(?:st|nd|rd|th)(?:\s+of\s+(?P<which>last|this|next) month)?"
                rf"(?!{_STREET}|\s+(?:of|floor|grade|time|place|birthday|anniversary|century|year|day|edition|street|"
                rf"ave|avenue|one))"
            ),
            _day_of_month,
        ),
        (_english(rf"{which}\s+(?P<unit>week|weekend|month|year)(?!s|\s+(?:of|end))"), _which_period),
        (_english(rf"(?P<which>last|this|next)\s+{_MONTH}"), _which_month),
        (
            _english(
                rf"(?:in|during|by|of|for|this|until|since|before|after|{_PUT}\s+to)\s+{_CAPITAL_MONTH}(?P<year>)?",
                re.RegexFlag(0),
            ),
            _named_month,
        ),
        (
            _english(
                rf"(?:in|during|by|of|since|until|before|after|from|back in|around)\s+{_YEAR}(?!\s*(?:%|people|users|"
                rf"km|m\b))"
            ),
            lambda m, today, tense: _year_start(int(m["year"])),
        ),
        (_english(rf"(?:in |by |for )?Q(?P<quarter>[1-4])(?:\s+(?:of\s+)?{_YEAR})?"), _quarter),
    ]


# --- Chinese -------------------------------------------------------------------------------------------------------

_DIGITS = {"零": 0, "〇": 0, "两": 2} | {character: number for number, character in enumerate("一二三四五六七八九", 1)}
_CHINESE_NUMBER = r"(?:\d{1,3}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九]|半)"
_CHINESE_WEEKDAY = {**{c: i for i, c in enumerate("一二三四五六")}, "日": 6, "天": 6, "末": 5}
_RELATIVE_YEAR = {"大前年": -3, "前年": -2, "去年": -1, "上年": -1, "今年": 0, "本年": 0, "明年": 1, "后年": 2}
_RELATIVE_DAY = {
    "大前天": -3,
    "前天": -2,
    "前晚": -2,
    "昨天": -1,
    "昨日": -1,
    "昨晚": -1,
    "昨夜": -1,
    "今天": 0,
    "今日": 0,
    "今早": 0,
    "今晚": 0,
    "今晨": 0,
    "明天": 1,
    "明日": 1,
    "明早": 1,
    "明晚": 1,
    "后天": 2,
    "大后天": 3,
}
_CHINESE_YEAR = r"(?P<year>(?:19|20)\d\d|[一二][零〇九][零〇一二三四五六七八九]{2})\s?年"
_STEP = r"(?P<step>上上|上|这|本|下下|下)(?:一)?个?"
_STEPS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_DAY_SUFFIX = r"(?P<day>\d{1,2}|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])\s?[号日]"
_PART = r"(?P<part>月底|月末|月初|月中|底|末|初|中旬|上旬|下旬|年底|年末|年初|年中)?"
_CHINESE_CLOCK = re.compile(
    r"^的?\s*(?P<period>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?\s*"
    r"(?:(?P<hour>\d{1,2}|[一二两三四五六七八九]?十[一二三]?|[一二两三四五六七八九])(?:点(?!多|左右)钟?|[:：](?=\d\d))"
    r"(?P<minute>[0-5]\d|半|[一二三四五]?十[一二三四五六七八九]?)?(?:分)?)"
)


def chinese_number(text: str) -> float:
    """The value of a short Chinese or Arabic numeral (`十五`, `两`, `半`, `12`)."""
    if text.isdigit():
        return float(text)
    if text == "半":
        return 0.5
    if "十" in text:
        tens, ones = text.split("十")
        return (_DIGITS[tens] if tens else 1) * 10 + (_DIGITS[ones] if ones else 0)
    return float(_DIGITS[text])


def _chinese_year(text: str) -> int:
    return int(text) if text.isdigit() else int("".join(str(_DIGITS[c]) for c in text))


def _chinese(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<relation>自从|自|从)?{pattern}(?P<until>之前|以前|前|为止|以来|起|开始)?")


def _in_year(match: re.Match[str], year: int) -> _Resolved:
    groups = match.groupdict()
    if groups.get("month"):
        month = int(chinese_number(groups["month"]))
        return _day_or_month(year, month, int(chinese_number(groups["day"])) if groups.get("day") else None)
    if (groups.get("part") or "").endswith(("底", "末")):
        return _month_start(year, 12)
    return _year_start(year)


_MONTH_IN_YEAR = rf"(?:\s?(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月份?(?:{_DAY_SUFFIX})?)?"


def _relative_month(match: re.Match[str], today: date, tense: Tense) -> _Resolved:
    month = _shift_months(today, _STEPS[match["step"]])
    return _Resolved(month.day.replace(day=int(chinese_number(match["day"]))), "day") if match["day"] else month


def _relative_week(match: re.Match[str], today: date, tense: Tense) -> _Resolved:
    step, weekday = _STEPS[match["step"]], match["weekday"]
    if weekday is None:
        return _week_of(today + timedelta(weeks=step))
    if weekday == "末":
        return _weekend_of(_weekend_anchor(today, step, tense))
    return _weekday_in_week(today, _CHINESE_WEEKDAY[weekday], step)


def _bare_chinese_weekday(match: re.Match[str], today: date, tense: Tense) -> _Resolved | None:
    return _bare_weekday(today, _CHINESE_WEEKDAY[match["weekday"]], tense) if tense else None


def _month_without_year(match: re.Match[str], today: date, tense: Tense) -> _Resolved:
    day = int(chinese_number(match["day"])) if match["day"] else None
    return _without_year(today, int(chinese_number(match["month"])), day, tense)


def _chinese_ago(match: re.Match[str], today: date, tense: Tense) -> _Resolved | None:
    unit = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}[
        match["unit"]
    ]
    return _ago(today, chinese_number(match["amount"]), unit, -1 if match["side"] in ("前", "之前", "以前") else 1)


def _chinese_part(match: re.Match[str], today: date, tense: Tense) -> _Resolved:
    if match["part"].startswith("月"):
        return _shift_months(today, 0)
    return _month_start(today.year, 12) if match["part"] in ("年底", "年末") else _year_start(today.year)


# Behind a place, and before a thing that has numbers, 25号 is where something is or which one it is.
_ADDRESS_BEFORE = re.compile(
    r"(?:(?<![铁公线思出])路|[街巷弄镇村庄栋幢坊苑]|(?<![知报频渠])道|(?<![小社地景校])区|(?<![老家同])乡|"
    r"(?<![这那哪家心手公群会店])里|[\d一二三四五六七八九十][楼段]|[A-Z]座|胡同|大厦|广场|花园|(?:科技|工业|产业)园|"
    r"编号|门牌号?|[工尾房]号)(?:是|为|[：:])?\s*(?:\d+\s*[-–—~～至、]\s*)*$"
)
_NUMBERED_BEHIND = re.compile(
    r"\s?(?:楼|线(?![上下])|院|机(?!场|票)|店(?![庆里])|门(?!票)|桌|房(?!租|贷|东|产)|仓|库(?!存)|选手|球员|位(?!于)|"
    r"栋|幢|座(?!谈)|厅|馆|室|柜|床|窗口|台(?!风|湾|北|中)|站(?!会)|桩|井|塔|炉|泵|车(?:厢|间|道|位|库)|"
    r"(?:登机|检票|出入)口|地块|公路|航站楼|病[房床]|会议室|服务器|产线|生产线|电池|套餐|厂(?!家|商)|"
    r"\d+(?:楼|层|室|栋|幢|单元))"
)
_TIME_BEHIND = re.compile(
    r"之[前后]|以[前后来]|[前后](?![面门台边排])|起|开始|为止|[上中下]午|早上|晚上|凌晨|当天|那天"
)


def _chinese_day_of_month(match: re.Match[str], today: date, tense: Tense) -> _Resolved | None:
    """A bare 25号, unless it is a house or the number of a thing."""
    before, behind = match.string[: match.start("day")], match.string[match.end("day") + 1 :]
    if _NUMBERED_BEHIND.match(behind) or (_ADDRESS_BEFORE.search(before) and not _TIME_BEHIND.match(behind)):
        return None
    return _day_of_month(match, today, tense)


def _chinese_rules() -> list[_Rule]:
    relative_year = "|".join(sorted(_RELATIVE_YEAR, key=len, reverse=True))
    relative_day = "|".join(sorted(_RELATIVE_DAY, key=len, reverse=True))
    return [
        (
            _chinese(rf"{_CHINESE_YEAR}{_MONTH_IN_YEAR}{_PART}"),
            lambda m, today, tense: _in_year(m, _chinese_year(m["year"])),
        ),
        (
            _chinese(rf"(?P<year>{relative_year}){_MONTH_IN_YEAR}{_PART}"),
            lambda m, today, tense: _in_year(m, today.year + _RELATIVE_YEAR[m["year"]]),
        ),
        (
            _chinese(rf"(?P<word>{relative_day})"),
            lambda m, today, tense: _Resolved(today + timedelta(days=_RELATIVE_DAY[m["word"]]), "day"),
        ),
        (
            _chinese(
                rf"(?<![几十百千万\d])(?P<amount>{_CHINESE_NUMBER})\s?个?多?(?P<unit>天|日|周|星期|礼拜|月|"
                rf"年)(?P<side>之前|以前|前|之后|以后|后)"
            ),
            _chinese_ago,
        ),
        (_chinese(rf"{_STEP}(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天末])?"), _relative_week),
        (_chinese(rf"{_STEP}月份?(?:{_DAY_SUFFIX})?(?:底|末|初|中旬|上旬|下旬)?"), _relative_month),
        (
            _chinese(
                rf"(?<!\d)(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月份?(?:{_DAY_SUFFIX})?(?:底|末|"
                rf"初|中旬|上旬|下旬)?"
            ),
            _month_without_year,
        ),
        (
            _chinese(r"(?<![每个两三几各])(?:周|星期|礼拜)(?P<weekday>[一二三四五六日])(?![个本])"),
            _bare_chinese_weekday,
        ),
        (_chinese(r"(?<![\d每第])(?P<day>3[01]|[12]\d|[1-9])号(?P<which>)?"), _chinese_day_of_month),
        (_chinese(r"(?<![每\d今去明])(?P<part>年底|年末|年初|月底|月末|月初)"), _chinese_part),
    ]


# --- days that come round every week ----------------------------------------------------------------------------------

_EN_DAY = r"(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:days?)?\.?"
EN_DAYS = rf"{_EN_DAY}(?:\s*(?:[-–—,/&]|\b(?:to|through|thru|until|till|and|or)\b)(?:\s*and\b)?\s*{_EN_DAY})+"
_ZH_DAY = r"(?:周|星期|礼拜)?[一二三四五六日天末]"
ZH_DAYS = rf"(?:周|星期|礼拜)[一二三四五六日天](?:\s*[至到和及与、\-–—~～]\s*{_ZH_DAY})+"
_OPENING_DAYS = re.compile(rf"(?<![\w-])(?:(?:on|from)\s+)?(?:{EN_DAYS})(?![\w-])|{ZH_DAYS}", re.IGNORECASE)
_OPENS = re.compile(
    r"\b(?:hours|opening times?|(?:is|are|'s|'re|be|stays?|remains?|always|only|now|usually|also) (?:\w+ )?"
    r"(?:open|closed|staffed|available|reachable)|opens?|closes|(?:on|in) duty|office days|working days)\b|"
    r"营业|开门|关门|开放|上班|办公|工作时间|服务时间|客服|接待|值班|接听|门诊|休息|坐班",
    re.IGNORECASE,
)
_ONE_WEEK = re.compile(
    r"\b(?:this|next|last|coming|(?:moved|postponed|changed|shifted|rescheduled) from|\d{1,2}(?:st|nd|rd|th))\b"
    r"(?! (?:shop|store|office|museum|place|restaurant)\b)|"
    r"[上下这本]个?(?:周|星期|礼拜)|改到|推迟|提前|挪到|延到|\d[日号]",
    re.IGNORECASE,
)


def is_of_one_week(text: str) -> bool:
    """Whether words say that days of the week are those of one week."""
    return _ONE_WEEK.search(text) is not None


def without_opening_days(text: str) -> str:
    """The text, of the same length, with the days blanked on which something is open week by week: they are no date."""
    if not _OPENS.search(text) or is_of_one_week(text):
        return text
    return blanked(_OPENING_DAYS, text)


# --- from one day to another ------------------------------------------------------------------------------------------

_TO = re.compile(
    r"\s*(?:-|–|—|~|～|to|through|thru|until|till|and|到|至)\s*(?:(?:on|the|including)\s+)?", re.IGNORECASE
)
_FIRST_OF_RANGE = re.compile(
    r"(?<![\w.,:/$€£¥-])(?:(?P<from>from|between|on) )?(?:the )?(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
    r"\s*(?:-|–|—|to|through|thru|until|till|(?(from)and|&))\s*(?:the )?$",
    re.IGNORECASE,
)
_LAST_OF_RANGE = re.compile(
    r"\s?(?:-|–|—|~|～|to|through|until|till|(?:改|延|推迟|提前|调整)?[到至])\s?(?:the )?"
    r"(?P<day>(?:3[01]|[12]\d|0?[1-9])(?=[日号])|(?:3[01]|[12]\d|0?[1-9])(?![\d:%/-]|[.,]\d|月|\s?(?:people|percent|[ap]\.?m\b|%|"
    r"[A-Za-z]{3,9}\b(?<=uary|arch|pril| may|june|july|gust|mber|ober)))|[一二三]?十[一二三四五六七八九]?(?=[日号]))"
    r"(?:st|nd|rd|th|日|号)?(?![A-Za-z])",
    re.IGNORECASE,
)
# A hyphen would make the days of "3-5 May" and "May 3-5" parts of a number.
_DAYS_APART = re.compile(
    rf"(?<![\d-])\d{{1,2}}-(?=\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH.replace('?P<month>', '?:')})|"
    rf"\b{_MONTH.replace('?P<month>', '?:')}\s+\d{{1,2}}(?:st|nd|rd|th)?-(?=\d{{1,2}}\b(?!-))",
    re.IGNORECASE,
)
_TELLS_YEAR = re.compile(r"(?:19|20)\d\d|[今明去前后]年")

# --- putting it together -------------------------------------------------------------------------------------------

_MAY_NAME_A_DATE = re.compile(
    r"\d|day|night|week|month|year|ago|this (?:morning|afternoon|evening)|tomorrow|mon|tue|wed|thu|fri|sat|sun|"
    + "|".join(name for name in _MONTHS if len(name) == 3)
    + r"|[天晚早夜周年月日号]|星期|礼拜",
    re.IGNORECASE,
)
_RULES = _english_rules() + _chinese_rules()


def _relation(match: re.Match[str]) -> Literal["on", "since", "until"]:
    groups = match.groupdict()
    words = f"{groups.get('relation') or ''} {groups.get('until') or ''} {match[0].split(' ')[0].lower()}".lower()
    if any(word in words for word in ("since", "from", "starting", "as of", "从", "自", "起", "开始", "以来")):
        return "since"
    return "until" if any(word in words for word in ("until", "till", "为止", "之前", "以前")) else "on"


def _with_clock(text: str, mention: DateMention) -> DateMention:
    """The mention together with a time of day that stands right beside it."""
    if mention.precision != "day":
        return mention
    after = _ENGLISH_CLOCK.match(text[mention.end : mention.end + 24]) or _CHINESE_CLOCK.match(
        text[mention.end : mention.end + 16]
    )
    before = _CLOCK_BEFORE.search(text[max(0, mention.start - 16) : mention.start])
    match = after or before
    clock = _clock(match, text[mention.start : mention.end]) if match else None
    if match is None or clock is None:
        return mention
    start = mention.start - (0 if after else len(match[0]))
    end = mention.end + (len(match[0]) if after else 0)
    return replace(
        mention,
        start=start,
        end=end,
        at=datetime.combine(mention.at.date(), clock, mention.at.tzinfo),
        precision="minute",
    )


def _clock(match: re.Match[str], day_words: str) -> time | None:
    groups = match.groupdict()
    if groups.get("noon"):
        return time(12)
    if groups.get("hour24"):
        return time(int(groups["hour24"]), int(groups["minute24"]))
    hour = int(chinese_number(groups["hour"]))
    minute = 30 if groups["minute"] == "半" else int(chinese_number(groups["minute"] or "0"))
    period = groups.get("period") or ("晚上" if day_words.endswith(("晚", "夜")) else "")
    if "half" in groups:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if groups["half"].lower() == "p" else 0)
    elif (period in ("下午", "傍晚", "晚上", "夜里") and hour < 12) or (period == "中午" and hour < 3):
        hour += 12
    return time(hour, minute) if hour < 24 and minute < 60 else None
