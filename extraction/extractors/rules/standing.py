"""How things stand, in a number: how many, how long, how often, at which page, which share, what sum, in which time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from extraction.extractors.rules.numbers import decimal_value
from extraction.extractors.rules.statement import one_of
from topics.text.analyse import analyse, fold

_UNIT = "day|week|month|year|hour|minute"
_NUMBER = (
    r"(?:\d[\d,]*(?:\.\d+)?(?:\s?[-–]\s?\d+)?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?![\w:]|\.\d)"
)
_ORDINAL = r"(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th))"
_ORDINALS = dict(zip("second third fourth fifth sixth seventh eighth ninth tenth".split(), range(2, 11), strict=True))
_WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_PLACED = "page|episode|chapter|level|lesson|season|volume|round|stage|step|section|unit|version|row|rank|number|sprint"
_HAN = r"(?:\d[\d,]*(?:\.\d+)?|[一二两三四五六七八九]?[百十][一二两三四五六七八九十]*|[一二两三四五六七八九])"
_HAN_UNIT = "天|周|个?星期|个?月|年|小时|个小时|分钟|个?礼拜"

# Each kind in turn; what one has read is not read again. Of a count, `noun` is what is counted.
_MEASURES = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("money", rf"[$€£¥]\s?(?P<n>\d[\d,]*(?:\.\d+)?(?:k|m)?)\b|(?P<n2>{_HAN}[万千百]?)(?:元|块钱|美元|欧元)"),
        ("share", rf"(?P<n>\d+(?:\.\d+)?)\s?(?:%|percent\b|per cent\b)|百分之(?P<n2>{_HAN})"),
        ("time", r"(?<![\d:])(?P<n>\d{1,3}:\d\d(?::\d\d)?)(?![\d:])(?!\s?[ap]\.?m)|(?P<n2>\d+分\d+秒)"),
        (
            "frequency",
            rf"\b(?P<n>(?:once|twice|{_NUMBER}\s+times)\s+(?:a|per|each|every)\s+(?:{_UNIT})|"
            rf"every\s+(?:other\s+|second\s+|{_NUMBER}\s+)?(?:{_UNIT})s?)\b|"
            rf"(?P<n2>每隔?{_HAN}?(?:{_HAN_UNIT})[^，,。0-9一二两三四五六七八九十]{{0,6}}{_HAN}[次回]|"
            rf"[一每]个?(?:天|周|星期|月|年)[^，,。0-9一二两三四五六七八九十]{{0,6}}{_HAN}[次回]|"
            rf"每{_HAN}(?:{_HAN_UNIT})(?:一[次回])?)",
        ),
        (
            "day",
            rf"\b(?P<each>every|on)\s+(?P<n>{_WEEKDAY}(?:(?:,\s*|\s+and\s+|,\s+and\s+){_WEEKDAY})*)\b|"
            r"(?P<each2>每)?个?(?:周|星期|礼拜)(?P<n2>[一二三四五六日天](?:[、和](?:周|星期|礼拜)?[一二三四五六日天])*)",
        ),
        (
            "duration",
            rf"\b(?<!in the )(?<!the past )(?<!the last )(?P<n>{_NUMBER}|an?(?=\s+(?:{_UNIT})\s+now))"
            rf"\s+(?P<noun>{_UNIT})s?\b(?!\s+(?:ago|later|before|old|from|meeting|trip|project|course))|"
            rf"(?<![\d第])(?P<n2>(?!\d{{3}}){_HAN})(?:多|来)?(?P<noun2>天|周|个?星期|个月|年|个?小时|分钟|个?礼拜)"
            r"(?![前后的级内以之])",
        ),
        (
            "count",
            rf"\b(?P<place>{_PLACED})\s+(?P<n>\d[\d,]*(?:\.\d+)*)\b|第(?P<n2>{_HAN})(?P<noun2>[页集章课关季期本卷级节])",
        ),
        ("count", rf"\bmy\s+(?P<n>{_ORDINAL})\s+(?P<noun>[a-z-]+)"),
        (
            "count",
            rf"(?<![\w.:/-])(?P<n>{_NUMBER})(?:\s+of\s+[\w']+)?(?P<noun>(?:\s+[a-z][a-z'-]*){{0,4}})|"
            rf"(?P<n2>(?!一[^十百]){_HAN})(?P<of>[个只条名位辆套本部篇首张台件家所棵盆双瓶杯页集章课次支封枚块款门节])"
            r"(?P<noun2>[一-龥]{0,6})",
        ),
    )
)
_WEEKDAYS = re.compile(r"[a-z]+day|[一二三四五六日天]")
_DAY = next(pattern for kind, pattern in _MEASURES if kind == "day")
_NOUN_END = re.compile(
    r"\s+(?:"
    + one_of(
        """so in on at for from by with since and or of to that this now already lately recently right currently
        waiting stocked left is are was were per during over under until till as than yet around about too also"""
    )
    + r")\b.*$|(?:的|了|在|和|是|都|也|要|就|会|来|给).*$"
)
_NOT_COUNTED = re.compile(r"^(?:am|pm|a\.m|p\.m|o'clock|k|x|st|nd|rd|th)\b")
_POINTS = re.compile(r"^(?:ones?|them|of|different|new|more|so|such)?$")
# A number of nothing in particular is one of something when it is said to stand so.
_STANDS_AT = re.compile(
    r"\b(?:currently|now|now at|now have|reached|up to|down to|(?:a )?total of|already|only|just)\s*$"
)
_OF_WHAT_WAS_SAID = re.compile(
    r"\s*(?:(?:different|new|more|others?)\s+)?(?:ones\b|of (?:them|those|these)\b|so far\b|now\b|already\b)"
)
_DATE = re.compile(
    r"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?\s+\d{1,2}(?:st|nd|rd|th)?\b(?:,?\s+\d{4})?|"
    r"\b\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b|"
    r"\b\d{4}-\d\d(?:-\d\d)?\b|(?<![\d$€£¥,.])(?:19|20)\d\d\b(?!\s?[元块个条])|\d{2,4}年|\d{1,2}月(?:\d{1,2}[日号]?)?"
)
# What was before, and what is not so, is no measure of how things stand.
_GONE = re.compile(
    r"\b(?:up |down )?from\s+(?:the\s+)?[$€£]?[\d,.:]+\s?(?:%|k\b)?(?:\s+\w+)?(?=\s+(?:to|down|up)\b)|"
    r"(?:,\s*)?\b(?:not|instead of|rather than|(?:up|down) from|used to be|was previously|previously)\s+"
    r"[$€£]?[\d,.:]+%?|从[^，,。到至]{1,12}(?=[到至涨升降增减改变换提])|而?不是[^，,。]{1,8}|"
    r"(?:原来|之前|以前|原先)[^，,。]{1,10}(?=[，,。])"
)
# Words that say how things stand by now.
_STANDS = re.compile(
    r"\b"
    + one_of(
        """now currently so_far already at_the_moment right_now these_days to_date in_total a_total_of by_now
        (?:has|have|'ve|'s)_(?:just_|recently_|now_|finally_)*(?:reached|improved|grown|risen|gone|increased|dropped|decreased)
        reached up_to down_to just_(?:finished|completed|hit|reached|realized|checked) since_I
        in_the_(?:last|past)_\\S+_(?:days|weeks|months|years)
        personal_best best_time high_score new_record anymore any_more still
        no_longer switched"""
    )
    + r"\b|"
    + one_of(
        """现在 目前 如今 眼下 当前 已经 至今 到现在为止 迄今 一共 总共 累计 刚刚?(?:读完|看完|完成|达到|突破) 达到 突破
        不再 还剩 涨到 升到 降到 增加到 减少到 提高到 改成 改为 换成 变成 调整为 调到 最好成绩 最佳成绩 个人最好
        新纪录"""
    )
)
# Forms that last: without them a number tells of one occasion.
_LASTS = re.compile(
    r"\b(?:am|is|are|have|has|got|own|owns|need|needs|lead|leads|weighs?|costs?|works?|lives?|see|go|goes|take|takes)\b|"
    r"'(?:m|re|ve|s)\b|[是有养共]|学了|用了|住了|做了|读了|看了|练了|写了|坚持"
)


class Measure(NamedTuple):
    """Of one `kind`: a value as it is compared, and the stem of what is counted ("" where a pronoun or nothing is)."""

    kind: str
    value: str
    noun: str


_OWN = re.compile(r"\b(?:i|my|we|our|i'm|i've|we've|we're)\b|[我俺咱]")
# Stems of what is counted in talk and is no state of anything.
_OF_TALK = frozenset(
    "question idea tip option reason thing way step point suggest thought minut second 问题 建议 想法 原因 方面".split()
)
_HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")
_QUANTITY = re.compile(
    rf"\d|\b(?:every|on \w+days?|twice|once|a (?:{_UNIT}) now|two|three|four|five|six|seven|eight|nine|ten|eleven|"
    rf"twelve|{_ORDINAL})\b|[一二两三四五六七八九十每]"
)


def may_measure(folded: str) -> bool:
    """Whether a folded text holds a quantity at all, which most do not."""
    return _QUANTITY.search(folded) is not None


def as_it_stands(folded: str) -> str:
    """The text without what was before, what is not so, and dates."""
    return _DATE.sub(" ", _GONE.sub(" ", folded))


def tells_a_change(folded: str) -> bool:
    """Whether words say that things stand so by now, or stood otherwise before."""
    return bool(_STANDS.search(folded) or _GONE.search(folded))


def tells_what_lasts(folded: str) -> bool:
    """Whether it is put as a state, not as an occasion."""
    return _LASTS.search(folded) is not None


def without_weekdays(folded: str) -> str:
    """The text without days that come round every week."""
    return _DAY.sub(" ", folded)


def says_how_it_stands(text: str) -> bool:
    """Whether somebody tells in a number how something of his own stands by now, or how it goes on."""
    if not may_measure(text) or _HALF_A_CHARACTER.search(text):
        return False
    folded = fold(text).replace("’", "'")
    if not _OWN.search(folded):
        return False
    measures = [measure for measure in find_measures(as_it_stands(folded)) if measure.noun not in _OF_TALK]
    if tells_a_change(folded):
        return bool(measures)
    # "Every day" and "on Mondays" are said of much; "three times a week" is counted.
    often = find_measures(_DAY.sub(" ", _EVERY.sub(" ", as_it_stands(folded))))
    return any(measure.kind == "frequency" for measure in often) and tells_what_lasts(folded)


def find_measures(piece: str) -> Iterator[Measure]:
    """What a folded clause measures, kind by kind."""
    for kind, pattern in _MEASURES:
        for match in list(pattern.finditer(piece)):
            if measure := _measure(kind, match):
                yield measure
                if kind == "day" and measure.noun and (days := len(_WEEKDAYS.findall(measure.value))) > 1:
                    yield Measure("frequency", f"{days} a week", "")
        if kind != "count" or "noun" not in pattern.groupindex:
            piece = pattern.sub(" ", piece)


def _measure(kind: str, match: re.Match[str]) -> Measure | None:
    groups = match.groupdict()
    number = groups.get("n") or groups.get("n2") or ""
    if kind == "frequency":
        return Measure(kind, _frequency(number), "")
    if kind == "day":
        each = groups["each"] == "every" or number.endswith("s") or groups["each2"]
        return Measure(kind, re.sub(r"(?<=day)s\b", "", number), "each" if each else "")
    if kind != "count":
        return Measure(kind, _plain(number) + (groups.get("noun") or ""), "")
    noun = groups.get("place") or groups.get("noun") or groups.get("noun2") or ""
    noun = _NOUN_END.sub("", f" {noun.strip()}").strip() or groups.get("of") or ""
    head = "" if _NOT_COUNTED.match(noun) else _head(noun)
    if not head and (_NOT_COUNTED.match(noun) or not _is_of_what_was_said(match)):
        return None
    return Measure(kind, str(_ORDINALS.get(number) or _plain(re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", number))), head)


_TIMES_A = re.compile(rf"(?P<often>once|twice|(?P<n>{_NUMBER})\s+times)\s+(?:a|per|each|every)\s+(?P<unit>{_UNIT})")
_EVERY = re.compile(rf"\bevery\s+(?:(?P<which>other|second|{_NUMBER})\s+)?(?P<unit>{_UNIT})s?\b")
_ZH_TIMES = re.compile(
    rf"[一每]个?(?P<unit>天|周|星期|月|年)[^，,。\d一二两三四五六七八九十]{{0,6}}(?P<n>{_HAN})[次回]"
)
_ZH_UNITS = {"天": "day", "周": "week", "星期": "week", "月": "month", "年": "year"}


def _frequency(words: str) -> str:
    """How often, in one way for all words that say so: `twice a week`, `每周两次` → `2 a week`; else the words."""
    if match := _TIMES_A.fullmatch(words):
        times = {"once": "1", "twice": "2"}.get(match["often"]) or _plain(match["n"])
        return f"{times} a {match['unit']}"
    if (match := _EVERY.fullmatch(words)) and not match["which"]:
        return f"1 a {match['unit']}"
    if match := _ZH_TIMES.fullmatch(words):
        return f"{_plain(match['n'])} a {_ZH_UNITS[match['unit']]}"
    return " ".join(words.split())


def _is_of_what_was_said(match: re.Match[str]) -> bool:
    """Whether a number that counts nothing by name counts what was spoken of: "currently 25", "four so far"."""
    before, after = match.string[: match.start()], match.string[match.end("n") :] if match["n"] else ""
    return bool(_STANDS_AT.search(before) or _OF_WHAT_WAS_SAID.match(after))


def _head(noun: str) -> str:
    """The stem of the word that is counted: the last plural, else the first; of Chinese the words as they stand."""
    if not noun.isascii():
        return noun
    words = noun.split()
    head = next(
        (w for w in reversed(words) if w.endswith("s") and not w.endswith(("'s", "ss"))), words[0] if words else ""
    )
    return "" if _POINTS.match(head) else "".join(analyse(head)[:1])


def _plain(number: str) -> str:
    number = " ".join(number.split())
    try:
        return decimal_value(number)
    except (ArithmeticError, ValueError, KeyError, IndexError):
        return number
