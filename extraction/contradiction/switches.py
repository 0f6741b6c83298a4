"""What took the place of what: `We switched from MySQL to PostgreSQL`, `我们用Teams取代了Slack`.

Whoever used the old one uses it no more, so that a statement that it is used, or that something is it, is over. It is
seen only where the new words name the old thing: that PostgreSQL and MySQL are two of one kind, no rule knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from extraction.contradiction.reading import LONGEST_READ, subject_of
from extraction.contradiction.switch_words import CHINESE_SWITCHES, ENGLISH_SWITCHES, HAS_CHANGED
from extraction.contradiction.words import ASKS, DENIAL, STATES_NOTHING
from extraction.extractors.rules.language import is_chinese
from topics.text.analyse import fold

_CLAUSE_END = re.compile(
    r"[;!\n。；！…]+|(?<!\w\.\w)\.(?=\s|$)|(?=[?？])|(?<=[?？])|\b(?:but|although|whereas)\b|但是?|不过"
)
_LEAD = re.compile(
    r"^(?:(?:the|our|my|their|his|her|its|an?|old|previous|former|current|good|using|having)\s+|"
    r"(?:我们|公司|原来|以前|之前|现在|旧|老)?的)+"
)
# What is moved from one day, time, sum or place in a row to another is no thing that somebody uses.
_NO_THING = re.compile(
    r"[\d$€£¥]|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:january|february|march|april|may|june|july|august|"
    r"september|october|november|december|spring|summer|autumn|winter|morning|afternoon|evening|q[1-4]|bad|good|worse|"
    r"better|one|time|there|here|it|that|this|them)\b|[周今明昨前后上下本这来未不没那]|星期|礼拜|[一二三四五六七八九十]"
)
# Not meant, not done, or not yet.
_NOT_SO = re.compile(
    rf"(?:{DENIAL.pattern}|\b(?:almost|nearly|if|will|would|should|could|might|may|plan\w*|want\w*|hope\w*|try\w*|"
    r"going to)\b)"
    r"[^,;]{0,24}$"
)
_ZH_TO_COME = re.compile(r"打算|计划|准备|考虑|可能|也许|或许|如果|是否|要不要|将会?|[会要想]|没|别|建议|应该")
_USES = (
    r"(?:\b(?:us(?:e|es|ing)|run(?:s|ning)?(?: on| with)?|work(?:s|ing)? (?:with|on|in)|rel(?:y|ies|ying) on|built on|"
    r"(?:hosted|host|hosts|are|is|am|'re|'m) (?:on|with|using)|have|has|own|owns|drives?|rides?|subscribe[sd]? to|"
    r"banks? with|(?:buy|buys|order|orders|get|gets|source|sources)(?: [\w-]+){1,4} from|"
    r"(?:our|my|the|their)(?: [\w-]+){1,3} is(?: now| still| currently)?(?: called)?)"
    r"(?: (?:currently|now|still|only|mostly|mainly|also|the|our|my|an?|both))*"
    r"|(?:使用|采用|用|运行在|部署在|托管在|跑在|基于|订阅了?|开|骑|有|是|为)(?:的是|的还是|着|了)?)"
    r"\s*"
)
# Behind the thing its name must not go on, nor a list of such things, of which one is over and the others are not.
_ENDS = (
    r"(?![a-z0-9_-]|['.]\w)(?! (?-i:[A-Z])|\s*[、和及与跟]|\s*,\s*[\w.]+\s*(?:,|and\b|or\b)|\s*&|"
    r" (?:and|or) (?!(?:we|i|it|they|he|she|our|my|have|has|are|is|do|like|love|pay|use|want|need|also|am)\b))"
)


class Switch(NamedTuple):
    """Of whom it is told, what is no more used, and what is in its place."""

    subject: str
    old: str
    new: str


def switched_over(first: str, second: str) -> bool:
    """Whether one of two statements about one topic says that something else took the place of what the other says is
    used."""
    return _ends(first, second) or _ends(second, first)


def _ends(told: str, held: str) -> bool:
    return any(_is_used(switch, held) for switch in _switches(told))


@lru_cache(maxsize=20_000)
def _switches(text: str) -> tuple[Switch, ...]:
    folded = fold(text[:LONGEST_READ]).replace("’", "'")
    return tuple(_found(folded)) if HAS_CHANGED.search(folded) else ()


def _found(folded: str) -> Iterator[Switch]:
    chinese = is_chinese(folded)
    pieces = [piece for piece in _CLAUSE_END.split(folded) if piece and piece.strip()]
    for piece, after in zip(pieces, [*pieces[1:], ""], strict=True):
        clause = piece.strip()
        if after[:1] in ("?", "？") or ASKS.search(clause) or STATES_NOTHING.search(clause):
            continue
        if chinese and _ZH_TO_COME.search(clause) and not re.search(r"了|已", clause):
            continue
        for pattern in CHINESE_SWITCHES if chinese else ENGLISH_SWITCHES:
            match = pattern.search(clause)
            if match is None or _NOT_SO.search(clause[: match.start()]):
                continue
            old, new = (_LEAD.sub("", match[side].strip(" '\".")) for side in ("old", "new"))
            if len(old) > 1 and old != new and not _NO_THING.match(old):
                yield Switch(_whose(clause), old, new)
                break


def _whose(clause: str) -> str:
    """The subject; what a team and a company do is told of the topic itself."""
    subject = subject_of(clause)
    return "" if subject in ("team", "company") else subject


def _is_used(switch: Switch, held: str) -> bool:
    if switch.old not in fold(held[:LONGEST_READ]):
        return False
    if any(switch.old == other.new and switch.subject == other.subject for other in _switches(held)):
        return True
    thing = re.escape(switch.old)
    used = re.compile(
        rf"{_USES}{thing}{_ENDS}|(?:^|[,，]\s?){thing} (?:is|are) (?:our|my|used|in use)\b", re.IGNORECASE
    )
    for piece in _CLAUSE_END.split(held[:LONGEST_READ].replace("’", "'")):
        match = used.search(piece) if piece else None
        clause = fold(piece or "").strip()
        if match and switch.subject == _whose(clause) and not _NOT_SO.search(fold(piece[: match.start()])):
            return not (DENIAL.search(clause) or ASKS.search(clause) or STATES_NOTHING.search(clause))
    return False
