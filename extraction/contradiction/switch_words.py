"""The words that tell what took the place of what: `switched from X to Y`, `replaced X with Y`, `从X换成Y`.

Each pattern has the groups `old` and `new`, and is searched for in folded text. What is only meant to be done matches
none.
"""

from __future__ import annotations

import re

_NAME = r"[^\W_][\w&'+#./-]*(?: (?!(?:to|for|with|by|and|or|from|in|on)\b)[\w&'+#./-]+){0,3}?"
_END = (
    r"(?=\s*(?:$|[,.;:!?()–—]|\b(?:in|on|at|last|this|since|because|for|and|as|when|after|before|yesterday|today|"
    r"recently|now|already|so|with|which|who|due|to|a|an|two|three|\d+)\b))"
)
_ARTICLES = r"(?:(?:the|our|my|their|an?|using|old|previous|former) )*"
_OLD, _NEW = rf"{_ARTICLES}(?P<old>{_NAME})", rf"{_ARTICLES}(?P<new>{_NAME})"
_BY_NOW = r"(?: (?:now|just|already|recently|finally|mostly|completely|fully|both|all|over|away|everything|it))*"
_WHAT = r"(?: (?:the|our|my|all|their) (?:[\w-]+ ){0,4}?(?:[\w-]+))?"
ENGLISH_SWITCHES = tuple(
    re.compile(rf"\b{pattern}{_END}")
    for pattern in (
        r"(?:switched|migrated|moved|changed|transitioned|converted|shifted|upgraded|swapped)"
        rf"{_BY_NOW}{_WHAT}{_BY_NOW} from {_OLD}(?: over| across)? to {_NEW}",
        rf"(?:replaced|swapped|exchanged|ditched|dropped|abandoned|traded(?: in)?|gave up|substituted) {_OLD} "
        rf"(?:with|by|for|in favou?r of) {_NEW}",
        rf"{_OLD} (?:was|were|is|are|has been|have been|got){_BY_NOW} replaced (?:with|by) {_NEW}",
        rf"us(?:e|es|ing) {_NEW}(?: now)?,? (?:instead of|rather than|in place of) {_OLD}",
        rf"use {_NEW}(?: now)?,? (?:and )?(?:not|no longer) {_OLD}",
    )
)
_ZH_OLD, _ZH_NEW = (
    rf"(?P<{side}>[A-Za-z][\w .+#-]*?|[^，,。；;：:！!？?的了\s把将从用]{{2,12}}?)" for side in ("old", "new")
)
_ZH_END = r"(?=了?(?:$|[，,。；;！!？?\s]|之后|以后))"
_ZH_ALL = r"\s?(?:都|全部|全面|已经?|正式|逐步|整体|最终|终于|又|也)*"
_MOVED = "(?:切换|迁移|替换|更换|变更|过渡|转移|升级|调整|换|改|转|迁)"
_TURN = rf"(?:{_MOVED}(?:成|为|到|至|用|向)|改用|换用)了?(?:使?用|新的)?\s?"
CHINESE_SWITCHES = tuple(
    re.compile(pattern + _ZH_END)
    for pattern in (
        rf"[从把将]\s?{_ZH_OLD}{_ZH_ALL}{_TURN}{_ZH_NEW}",
        rf"用\s?{_ZH_NEW}{_ZH_ALL}来?(?:取代|代替|替代|替换|换掉)了?\s?{_ZH_OLD}",
        rf"不再?(?:使用|采用|用)\s?{_ZH_OLD}了?[，,；;]\s?(?:而是?|我们|现在|都|已经|全部)*(?:改用|换成|换用|使用|用)了?\s?{_ZH_NEW}",
    )
)
# A cheap look before the patterns.
HAS_CHANGED = re.compile(
    r"\b(?:from|replaced|swapped|exchanged|ditched|dropped|abandoned|traded|gave up|substituted|instead of|rather than|"
    r"in place of|no longer|not)\b|[换改转迁替]|取代|代替|升级|过渡|变更|不再?[使采用]"
)
