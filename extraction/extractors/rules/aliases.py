"""Other names that a message gives to somebody or something."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAME = r"(?P<alias>[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,3}|\"[^\"\n]{1,40}\"|“[^”\n]{1,40}”)"
_FULL = r"(?P<full>(?<![\w.])(?:[A-Z][\w&'’.-]*)(?: (?:[A-Z][\w&'’.-]*|of|and|for|the)){0,6})"
_ZH_NAME = r"(?P<alias>[\u4e00-\u9fffA-Za-z·]{1,12}?)"
_ZH_END = r"(?=$|吧|就行|就好|就可以|即可|哦|呀|啊|了|[，,。；;！!）)\s」”])"
_ZH_FULL = r"(?P<full>[\u4e00-\u9fffA-Za-z0-9·]{2,20}?)"

_OF_SPEAKER = [
    re.compile(
        rf"\b(?i:(?:you|everyone|everybody|people|(?:my )?friends|(?:my )?colleagues|they|most people|folks)(?: all| "
        rf"usually| can| just| mostly| may)* )?calls? me {_NAME}"
    ),
    re.compile(rf"\b(?:I go by|I(?:'m| am) (?:also |better )?known as|my nickname is|my friends know me as) {_NAME}"),
    re.compile(rf"(?:叫|喊|称呼|称)我(?:为)?{_ZH_NAME}{_ZH_END}"),
    re.compile(rf"我的(?:小名|昵称|外号|绰号|英文名|网名|笔名|艺名)(?:是|叫){_ZH_NAME}{_ZH_END}"),
]
_OF_NAMED = [
    re.compile(
        rf"{_FULL},?\s*(?:\(|（)?(?:is |who is |which is )?(?:also called|also known as|a\.?k\.?a\.?|known internally "
        rf"as|better known as|nicknamed|goes by|or simply|(?:we|people|everyone|they)(?: all| usually| just)? call "
        rf"(?:it|him|her|them)) {_NAME}"
    ),
    re.compile(rf"{_FULL} \((?P<alias>[A-Z][A-Za-z&-]{{1,9}})\)"),
    re.compile(
        rf"{_ZH_FULL}[，,]?(?:（|\()?(?:又名|又称|也叫|也称|俗称|简称|以下简称|别名|绰号|外号|外号叫|小名|小名叫|"
        rf"昵称)(?:是|为|叫|：|:|"
        rf"做)?[“「\"]?{_ZH_NAME}(?:[”」\"]|{_ZH_END})"
    ),
    re.compile(
        rf"(?:大家|我们|同事们?|朋友们?|都|内部)+(?:都)?(?:管|把){_ZH_FULL}叫(?:做|作|他|她|它)?{_ZH_NAME}{_ZH_END}"
    ),
]
_OF_LAST_NAMED = [
    re.compile(
        rf"\b(?i:everyone|everybody|people|we|they|friends|colleagues|most people|I)"
        rf"(?: all| usually| just| mostly)* calls? (?P<pronoun>him|her|it|them) {_NAME}"
    ),
    re.compile(
        rf"(?:大家|我们|同事们?|朋友们?|人们|都)+(?:叫|喊|称|称呼)(?P<pronoun>[他她它])(?:为|作)?{_ZH_NAME}{_ZH_END}"
    ),
]

_MAY_NAME = re.compile(r"\b(?:call|known|a\.?k\.?a|nick|go(?:es)? by|or simply)|[(（叫称喊名号]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AliasMention:
    """`alias` names the same as `full`, or as whoever was last named if `full` is empty. It is said in [start, end)."""

    alias: str
    full: str
    is_about_speaker: bool
    is_of_person: bool  # "him": not a thing
    start: int
    end: int


def find_alias(text: str, *, chinese: bool) -> AliasMention | None:
    """The other name that a sentence gives, or None."""
    if not _MAY_NAME.search(text):
        return None
    for patterns, of_speaker in ((_OF_SPEAKER, True), (_OF_NAMED, False), (_OF_LAST_NAMED, False)):
        for pattern in patterns:
            match = pattern.search(text)
            if match is None or (patterns is _OF_NAMED and not _is_short_form(match)):
                continue
            alias = match["alias"].strip('"“”「」 .')
            start, end = _clause(text, match) if chinese and of_speaker else (0, len(text))
            full = match["full"].strip() if patterns is _OF_NAMED else ""
            is_of_person = patterns is _OF_LAST_NAMED and match["pronoun"] in ("him", "her", "他", "她")
            return AliasMention(alias, full, of_speaker, is_of_person, start, end) if alias else None
    return None


def _clause(text: str, match: re.Match[str]) -> tuple[int, int]:
    start = max(text.rfind(comma, 0, match.start() + 1) for comma in "，,；;") + 1
    ends = [end for comma in "，,；;" if (end := text.find(comma, match.end())) >= 0]
    return start, min(ends, default=len(text))


def _is_short_form(match: re.Match[str]) -> bool:
    """Whether a bracket after a name holds its initials, rather than a place or a role."""
    if not match[0].endswith(")"):
        return True
    initials = "".join(word[0] for word in match["full"].split() if word[0].isupper())
    alias = match["alias"].upper()
    return alias.rstrip("S") == initials.rstrip("S") or match["full"].upper().startswith(alias)
