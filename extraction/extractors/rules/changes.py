"""Attributes that are told by what changed: `I left Siemens and joined Bosch`, `李娜接任项目经理`."""

from __future__ import annotations

import re

from extraction.extractors.rules.concepts import Attribute, attribute_key
from extraction.extractors.rules.properties import (
    AT_PLACE,
    CAPITAL,
    HELD_ONCE,
    PROPER,
    SPEAKER,
    VALUE_END,
    ZH_END,
    ZH_HELD_ONCE,
    ZH_MARRIED,
    ZH_NOW,
    ZH_SINCE,
)
from extraction.extractors.rules.titles import ROLE, ZH_TITLE

# --- English -------------------------------------------------------------------------------------------------------

_LONG_AGO = r"(?!.*\b(?:years? ago|(?:in|back in) (?:19|20)\d\d|when I|as a)\b)"
_NEW = (
    ("residence", rf"{SPEAKER}\s+(?:moved|relocated)(?: house)? from [^,.;]{{2,40}}? to {AT_PLACE}{VALUE_END}"),
    (
        "employer",
        rf"{SPEAKER}\s+(?:left|quit) {CAPITAL}(?: {CAPITAL})*(?:,? (?:and|then|to|for))+ (?:(?:now|have|recently) )*"
        rf"(?:joined|join|work(?:ing)? (?:at|for)|started at) {PROPER}",
    ),
    (
        "employer",
        rf"{SPEAKER}\s+(?:started|got|landed|accepted|took|found|have)(?: an?| my)?(?: new)?(?: [a-z]+){{0,2}}? "
        rf"(?:job|position|role) (?:at|with) {AT_PLACE}{VALUE_END}",
    ),
    ("occupation", rf"{SPEAKER}\s+(?:become|became|retrained as) an? (?P<value>{ROLE})\b"),
    (
        "marital status",
        rf"{_LONG_AGO}\bI(?:'ve| have)?(?: just| recently| finally| now)* (?:got|gotten) "
        r"(?P<value>married|divorced|engaged)\b(?! (?:in|with) (?:an?|the|my|this|some)\b)",
    ),
)
# A team that moved to Slack lives nowhere else.
_WE_MOVED = re.compile(
    r"\bmy (?:family|wife|husband|partner|girlfriend|boyfriend|kids|parents) and I(?:'ve| have)?"
    r"(?: just| recently| finally| all)* (?:moved|relocated)(?: from [^,.;]{2,40}?)?(?: back)? to "
    rf"{AT_PLACE}{VALUE_END}",
    re.IGNORECASE,
)
_OVER = (
    (
        "employer",
        rf"{SPEAKER}\s+(?:(?:left|quit|lost) my (?:[a-z]+ ){{0,2}}(?:job|position|role|post) (?:at|with)|resigned from|"
        rf"(?:was|got) (?:laid off|fired) (?:from|by|at)) {AT_PLACE}{VALUE_END}",
    ),
)
_ENGLISH_NEW, _ENGLISH_OVER = (
    tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in patterns) for patterns in (_NEW, _OVER)
)
_NOBODY = r"(?!(?:I|it|this|that|he|she|they|there|here|who|what|you|we|today|tomorrow)\b)"
_TAKES_A_POST = re.compile(
    rf"^(?:and |so )?{_NOBODY}{PROPER} (?:(?:(?:has |will )?(?:just |recently |now )*"
    r"(?:took|taken|takes?) over as|is now|"
    rf"replace[sd]? {CAPITAL}(?: {CAPITAL})? as)(?: the| our| my)?|"
    r"(?:is|became|has become|will be|was (?:named|appointed))(?: now)? (?:the|our|my) new) "
    rf"(?P<noun>(?:[a-z]+ ){{0,2}}?{HELD_ONCE})\b",
    re.IGNORECASE,
)
_HAS_A_NEW_ONE = re.compile(
    rf"\b(?:I|we)(?: now| just)?(?:'ve| have)?(?: got)? a new (?!phone)(?P<noun>(?:[a-z]+ )?{HELD_ONCE})"
    rf"(?:, | called | named |: ){_NOBODY}{PROPER}",
    re.IGNORECASE,
)
_THAT_IS = re.compile(
    rf"\bmy (?P<noun>(?:all-time )?favou?rite [a-z]+(?: [a-z]+)?), {_NOBODY}{PROPER}(?=\s*[,.;!]|$)", re.IGNORECASE
)

# --- Chinese -------------------------------------------------------------------------------------------------------

_ZH_TIMES = (
    r"(?:[今去]年|\d{4}年(?:\d{1,2}月)?|上个?[周月]|这个?[周月]|[昨今前]天|\d{1,2}月(?:\d{1,2}[日号])?|"
    r"[一二三四五六七八九十]{1,2}月(?:[一二三四五六七八九十]{1,3}[日号])?|刚|最近|终于|已经?|现在)*"
)
_ZH_WHEN = rf"{_ZH_TIMES}(?:[和跟](?:(?!说|讲|聊|告诉)[^，,。他她你]){{1,6}}?)?{_ZH_TIMES}"
_ZH_FROM = r"(?:从[^，,。把将]{1,12}?)?"
_ZH_PLACE = r"(?P<value>[^，,。；;！!？?的了呢啊吧、\s]{2,16}?)"
_CHINESE_NEW = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        (
            "居住地",
            rf"{ZH_NOW}{ZH_SINCE}{_ZH_FROM}(?:又|就)?(?:搬到|搬去|搬回|搬来|迁到|移居到?)了?(?!新){_ZH_PLACE}"
            rf"(?:住|生活|定居)?了?{ZH_END}",
        ),
        (
            "工作单位",
            rf"{ZH_NOW}{ZH_SINCE}{_ZH_FROM}(?:跳槽到|跳槽去|跳到|入职|加盟)了?{_ZH_PLACE}(?:工作|上班|任职)?了?{ZH_END}",
        ),
        (
            "职业",
            rf"{ZH_NOW}{ZH_SINCE}(?:改行|转行)?(?:去|来|开始)*(?:当上?|做)了?(?:一[名个位])?(?P<value>{ZH_TITLE})了?{ZH_END}",
        ),
    )
)
_CHINESE_OVER = (
    (
        "工作单位",
        re.compile(
            rf"{ZH_NOW}{ZH_SINCE}(?:从{_ZH_PLACE}(?:离职|辞职)|辞(?:掉|去)了?(?P<left>[^，,。的]{{2,16}}?)的(?:工作|职务))"
        ),
    ),
)
_ZH_WE_MOVED = re.compile(
    rf"我们(?:全家|一家)?{ZH_SINCE}{_ZH_FROM}(?:搬到|搬去|搬回|移居到?)了?(?![新A-Za-z]){_ZH_PLACE}(?:住|生活|定居)?了?{ZH_END}"
)
_ZH_MARRIED = re.compile(rf"我{_ZH_WHEN}(?:领证)?(?P<value>结婚|离婚|订婚)了(?!吗|多|\d|[一二两三四五六七八九十])")
_ZH_TAKES_A_POST = re.compile(
    r"^(?P<value>(?![我你他她它这那谁])[一-龥]{2,4}?)(?:[昨今]天|上个?[周月]|现在|已经|将)*"
    r"(?:接任了?|接替[一-龥]{2,4}?(?:担任|出任|成为|做|任)了?|"
    r"(?:是|成为|担任|出任|当)了?(?:我们?的?|公司的?|项目的?)?新(?:的|任)?)"
    rf"(?P<noun>[一-龥]{{0,4}}?(?:负责人|经理|主管|老板|领导|联系人|对接人|供应商|服务商))了?{ZH_END}"
)
_ZH_HAS_A_NEW_ONE = re.compile(
    rf"(?:换了|来了|有了?)(?:一?[个位名])?新的?(?P<noun>{ZH_HELD_ONCE})[，,]?(?:名?叫|是){_ZH_PLACE}{ZH_END}"
)


def find_change(text: str, *, chinese: bool, business: bool = False) -> Attribute | None:
    """The value that something has by a change that the sentence tells, or has no more; None if it tells none.

    Where the talk is not of `business`, "we" who move are the speaker with his own.
    """
    found = _chinese(text) if chinese else _english(text)
    if found is None and not business and (match := (_ZH_WE_MOVED if chinese else _WE_MOVED).search(text)):
        return Attribute("居住地" if chinese else "residence", match["value"].strip(" ."), denied=False)
    return found


def _english(text: str) -> Attribute | None:
    for patterns, denied in ((_ENGLISH_NEW, False), (_ENGLISH_OVER, True)):
        for name, pattern in patterns:
            if match := pattern.search(text):
                return Attribute(name, match["value"].strip(" ."), denied=denied)
    for pattern in (_TAKES_A_POST, _HAS_A_NEW_ONE, _THAT_IS):
        if match := pattern.search(text):
            return Attribute(attribute_key(match["noun"], chinese=False), match["value"].strip(" ."))
    return None


def _chinese(text: str) -> Attribute | None:
    for patterns, denied in ((_CHINESE_NEW, False), (_CHINESE_OVER, True)):
        for name, pattern in patterns:
            if match := pattern.search(text):
                return Attribute(name, match["value"] or match["left"], denied=denied)
    if match := _ZH_MARRIED.search(text):
        return Attribute("婚姻状况", ZH_MARRIED[match["value"]], at=match.start("value"), denied=False)
    for pattern in (_ZH_TAKES_A_POST, _ZH_HAS_A_NEW_ONE):
        if match := pattern.search(text):
            return Attribute(attribute_key(match["noun"], chinese=True), match["value"])
    return None
