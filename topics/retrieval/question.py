"""What a question asks for: its terms, the topics, speakers and dates it names, whether it is about the past."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from uuid import UUID
from zoneinfo import ZoneInfo

from topics.models import Message, Passage, Space, Topic
from topics.retrieval.dates import Period, named_periods
from topics.retrieval.routing import mentions_in, named_topics
from topics.text.analyse import UNSPACED, analyse, analyse_question, fold, is_weak, without_asking
from topics.text.names import name_key

# A question may be a whole message; of one longer than this the rarest terms are looked for.
MOST_TERMS = 64
# Characters. Of a longer one (a pasted document) the beginning and the end are read, where people ask.
READ_AT_EACH_END = 5_000
# A date without a year is looked for in this many years at most, the latest.
_MOST_YEARS = 10

_FIRST_PERSON = re.compile(r"\b(?:i|me|my|mine|myself|i'm|i've)\b|我|咱")
_PAST = re.compile(
    r"\b(?:used to|previous(?:ly)?|before|former(?:ly)?|original(?:ly)?|earlier|initial(?:ly)?|prior|at first"
    r"|in the past|at the time|back then|history|historical|once|old|no longer|ever|chang(?:e|ed|es))\b"
    r"|以前|之前|过去|曾经|曾|原来|原本|原先|原定|原价|初始|开始时|一开始|最开始|前任|当初|当时|起初|最初|历史|早先|先前|此前|从前|旧|变化|变更|改"
)
# Questions to an assistant about what he told before.
_TOLD = re.compile(
    r"\b(?:did|have|had|were|was) you\b|\bremind me\b"
    r"|\byou(?:r|['’]ve| have| had)? (?:\w+ly )?"
    r"(?:\w+ed|said|told|gave|suggest\w*|recommend\w*|advice|advise\w*|mention\w*|answer\w*|explain\w*)\b"
    r"|[你您].{0,6}(?:说|讲|提到|提过|推荐|建议|告诉|介绍|回答|解释|列|给)|提醒我"
)
# Terms that ask for a comparison. They are looked for only if there is nothing else.
_COMPARING = frozenset(
    term
    for term in analyse(
        "compare comparison differ difference different versus vs 区别 比较 差别 差异 对比 相比 不同 分别 异同"
    )
    if not is_weak(term)
)
# Of a message that only greets or thanks nothing is asked.
_GREETING = frozenset(
    analyse(
        "hi hello hey hiya howdy greetings good morning afternoon evening night day bye goodbye thanks thank thx "
        "please ok okay "
        "你好 您好 嗨 哈喽 喂 早上好 早安 上午好 中午好 下午好 晚上好 晚安 谢谢 多谢 感谢 再见 拜拜 好的"
    )
)
_NAME_WORD = re.compile(f"[{UNSPACED}]+|(?:(?![{UNSPACED}])[^\\W_])+")


@dataclass(frozen=True)
class Question:
    """`terms` carry no prefix. `topics` are those named, in the order of mention, and `names` the words for them."""

    text: str
    terms: tuple[str, ...]
    topics: tuple[Topic, ...]
    names: frozenset[str]
    periods: tuple[Period, ...]
    asks_for_the_past: bool

    @property
    def strong_terms(self) -> list[str]:
        """The terms of which a row must hold one: single Chinese characters do not count
        unless there is nothing else."""
        return [term for term in self.terms if not is_weak(term)] or list(self.terms)

    def topic_ids(self) -> set[UUID]:
        return {topic.pk for topic in self.topics}

    def named_speaker(self, speakers: Iterable[str]) -> str | None:
        """The one speaker whom the question names, out of those that occur; None for none or several.

        In a chat without names, "I" and 我 are the user.
        """
        distinct = set(speakers)
        named = {speaker for speaker in distinct if self._parts_named(speaker)}
        if not named and Message.Role.USER in distinct and _FIRST_PERSON.search(self._folded[0]):
            return Message.Role.USER.value
        return named.pop() if len(named) == 1 else None

    @property
    def asks_what_was_told(self) -> bool:
        """Whether it asks an assistant for his own words."""
        return _TOLD.search(self._folded[0]) is not None

    @property
    def matter_terms(self) -> list[str]:
        """The terms of what is asked about the topics that are named."""
        return [term for term in analyse_question(self.matter(())) if term not in _COMPARING and not is_weak(term)]

    def topics_of_speakers(self, speakers: Iterable[str]) -> dict[str, set[UUID]]:
        """Speaker → the named topics that he is, by name."""
        keys = {name_key(topic.name): topic.pk for topic in self.topics}
        found = {speaker: keys.get(name_key(speaker)) for speaker in set(speakers)}
        return {speaker: {pk} for speaker, pk in found.items() if pk}

    def matter(self, speakers: Iterable[str]) -> str:
        """What is asked, apart from whom or what it is asked about: neither these speakers nor topics by name."""
        parts = {part for speaker in set(speakers) for part in self._parts_named(speaker)}
        return without_asking(self.text, self.names | parts)

    @cached_property
    def _folded(self) -> tuple[str, frozenset[str]]:
        folded = fold(self.text)
        return folded, frozenset(_NAME_WORD.findall(folded))

    def _parts_named(self, speaker: str) -> list[str]:
        """The parts of a speaker's name that stand in the question."""
        folded, words = self._folded
        parts = _NAME_WORD.findall(fold(speaker))
        return [p for p in parts if p in words or (not p.isascii() and len(p) > 1 and p in folded)]


def read_question(space: Space, text: str, now: datetime | None) -> Question:
    """Read a question. Relative dates are resolved only when `now` is given.

    Of more than two times READ_AT_EACH_END characters the middle is passed over.
    """
    if len(text) > 2 * READ_AT_EACH_END:
        text = f"{text[:READ_AT_EACH_END]}\n{text[-READ_AT_EACH_END:]}"
    local_now = now.astimezone(ZoneInfo(space.time_zone)).date() if now else None
    periods = named_periods(text, years=lambda: _years(space), now=local_now)
    mentions = mentions_in(space, text)
    terms = analyse_question(text)
    return Question(
        text=text,
        terms=() if _GREETING.issuperset(terms) else tuple([t for t in terms if t not in _COMPARING] or terms),
        topics=tuple(named_topics(mentions)),
        names=frozenset(mention.words for mention in mentions),
        periods=tuple(periods),
        asks_for_the_past=bool(periods) or _PAST.search(fold(text)) is not None,
    )


def _years(space: Space) -> Sequence[int]:
    dated = Passage.objects.filter(space=space, day__isnull=False).values_list("day", flat=True)
    first_day, last_day = dated.order_by("day").first(), dated.order_by("-day").first()
    if first_day is None or last_day is None:
        return ()
    first, last = date.fromordinal(first_day).year, date.fromordinal(last_day).year
    return range(max(first, last - _MOST_YEARS + 1), last + 1)
