"""When something is open, week by week: `Support hours are 8 to 18, Monday to Friday`, `商店周一至周六营业`."""

from __future__ import annotations

import re

from extraction.extractors.rules.concepts import Attribute, attribute_key
from extraction.extractors.rules.dates import EN_DAYS, ZH_DAYS, is_of_one_week
from extraction.extractors.rules.statement import one_of

_CLOCK = r"\d{1,2}(?:[:.]\d\d)?(?:\s?[ap]\.?m\b\.?)?(?: o'clock)?"
_TIMES = rf"{_CLOCK}\s?(?:-|–|—|to|till|until|and)\s?{_CLOCK}"
_DAYS = rf"(?:{EN_DAYS}|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|weekends|every day|daily|all week|24/7)"
_WHEN = rf"(?P<value>(?:{_DAYS}|{_TIMES})(?:,?\s+(?:and |on |from |between )*(?:{_DAYS}|{_TIMES}))*)(?![\w%])"
_SO = r"(?: (?:now|usually|always|only|still|currently|normally))*"
_OPEN = r"(?:open|staffed|reachable|available|attended)"
_ENGLISH_HOURS = re.compile(
    r"\b(?P<noun>(?:[a-z]+ ){0,2}?"
    + one_of(
        """opening open business support service office working visiting store shop trading reception core library
        museum customer hotline helpdesk collection"""
    )
    + rf" (?:hours|times))(?: are| is| will be|:| (?:have |were |have been )?(?:changed|extended|moved) to){_SO} "
    rf"(?:from |between )?{_WHEN}",
    re.IGNORECASE,
)
_ENGLISH_OPEN = re.compile(
    r"(?:^|[,;]\s+|\band\s+)(?:we|(?:the|our|my) (?P<noun>(?!(?:meeting|position|offer|question|job)\b)[a-z]+"
    rf"(?: (?!(?:is|are|opens?)\b)[a-z]+)?))(?:(?:'re|'s| is| are){_SO} {_OPEN}|{_SO} opens?){_SO} "
    rf"(?:on |from |between )*{_WHEN}",
    re.IGNORECASE,
)
_ZH_CLOCK = (
    r"(?:上午|早上|早|下午|晚上|晚|中午)?"
    r"(?:\d{1,2}(?:[:：]\d\d|[点时](?:\d\d分?|半)?)|[一二三四五六七八九十]{1,3}点半?)"
)
_ZH_TIMES = rf"{_ZH_CLOCK}\s?[至到\-–—~～]\s?{_ZH_CLOCK}"
_ZH_WHEN = (
    rf"(?P<value>(?:{ZH_DAYS}|每天|每日|工作日|周末(?=[^上办]*(?:营业|开[门放])))(?:[，,\s的]*{_ZH_TIMES})?|"
    rf"{_ZH_TIMES})"
)
_CHINESE_OPEN = re.compile(
    r"(?:^|(?<=[，,；;]))(?:我们的?|我司的?|咱们的?|本)?(?P<noun>(?:(?![我你他她它周每是在都只])[一-龥]){0,8}?)"
    rf"(?:现在|目前|一般|通常|平时|每周|都|只|仅|是|在)*{_ZH_WHEN}(?:都|均|正常|对外|才|会|有人|可以)*"
    r"(?P<verb>营业|开门|开放|办公|上班|接待|值班|接听)"
)
_ZH_HOURS = {"开门": "营业时间", "开放": "开放时间", "营业": "营业时间", "办公": "办公时间", "上班": "上班时间"}


def find_hours(text: str, *, chinese: bool) -> Attribute | None:
    """When something is open as a rule; None if the text tells no such hours, or those of one week only."""
    if is_of_one_week(text):
        return None
    if chinese:
        match = _CHINESE_OPEN.search(text)
        if match is None:
            return None
        hours = _ZH_HOURS.get(match["verb"], f"{match['verb']}时间")
        return Attribute(attribute_key(f"{match['noun']}{hours}", chinese=True), match["value"])
    if match := _ENGLISH_HOURS.search(text):
        return Attribute(attribute_key(match["noun"], chinese=False), match["value"].rstrip("."))
    if match := _ENGLISH_OPEN.search(text):
        return Attribute(
            attribute_key(f"{match['noun'] or ''} opening hours", chinese=False), match["value"].rstrip(".")
        )
    return None
