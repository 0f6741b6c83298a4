"""Which company a part of its name means: only where it can mean nothing else that is known here."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

import rjieba

from extraction.extractors.protocol import KnownTopic, Window
from extraction.extractors.rules.names import ORDINARY_WORD
from extraction.extractors.rules.statement import one_of
from topics.text.names import name_key
from topics.text.short_names import short_names

_WORD = re.compile(r"[^\W_]+")
_SMALL = re.compile(r"(?<![^\W_])[a-z]+(?![^\W_])")
# What a firm may be called and a sentence may begin with.
_COMMON = re.compile(
    one_of(
        """general global national international universal united federal central north south east west northern
        southern eastern western european american british asian african royal first second best new next
        old early late open smart simple easy fast quick rapid direct express prime premium standard classic
        modern digital mobile online virtual total complete perfect pure natural organic fresh green blue
        red black white gold silver bright clear safe secure service services solution solutions system
        systems product products production quality price prices delivery deliveries shipping transport
        logistics supply supplies storage trade trading business commerce market markets finance capital
        credit money cash payment payments insurance investment investments fund funds bank energy power
        water light heat steel metal wood paper glass plastic oil gas coal food foods coffee tea bread milk
        meat fish fruit sugar wine beer fashion clothing furniture design art media print printing film
        video sound data software hardware technology technologies internet web network networks cloud
        security safety support training education research science health care medicine sport sports
        fitness travel tourism event events home homes house housing office offices building construction
        engineering industry industries manufacturing agriculture farming property estate land garden city
        town street world earth sun moon star stars sky sea river mountain forest nature time today progress
        success future vision idea ideas team partner partners people human person company group unit target
        goal focus concept project plan option delta alpha beta summit gap visa return returns order orders
        invoice invoices contract contracts budget budgets feedback communication information knowledge
        experience planning growth"""
    ),
    re.IGNORECASE,
)
# Names, among the tags of Chinese words; those of places are no firm's.
_NAME_TAGS = ("nr", "nt", "nz")


class ShortNames:
    """The short names of known topics that each mean one of them, and no ordinary word."""

    def __init__(self, topics: Iterable[KnownTopic], window: Window) -> None:
        topics = tuple(topics)
        owners: dict[str, dict[str, KnownTopic]] = defaultdict(dict)
        for topic in topics:
            for name in topic.names:
                for short in short_names(name):
                    owners[name_key(short)][topic.id] = topic
        speakers = {turn.speaker for turn in (*window.opening, *window.context, *window.turns) if turn.speaker}
        alone = {key: next(iter(found.values())) for key, found in owners.items() if len(found) == 1}
        self._topics = {
            key: topic
            for key, topic in alone.items()
            if not _is_ordinary(key)
            and not _means_another(key, topic, topics)
            and not any(_stands_in(key, speaker) for speaker in speakers)
        }
        self._in_small_letters = (
            {word for turn in (*window.context, *window.turns) for word in _SMALL.findall(turn.text[:20_000])}
            if self._topics
            else set()
        )

    def topic_of_words(self, words: str) -> KnownTopic | None:
        """The topic of which these words are the short name, written as a name is: `wren` is a bird."""
        topic = self._topics.get(name_key(words)) if self._topics and words[:1].isupper() else None
        return topic if topic and words.lower() not in self._in_small_letters else None

    def topic_of_run(self, run: str, start: int, end: int) -> KnownTopic | None:
        """The topic of which [start, end) of a Chinese text is the short name, where words begin and end
        there: 蓝鲸科技园 is no firm."""
        topic = self._topics.get(run[start:end])
        return topic if topic and {start, end} <= _word_ends(run) else None


def _word_ends(run: str) -> set[int]:
    ends, at = {0}, 0
    for word, _tag in rjieba.tag(run):
        at += len(word)
        ends.add(at)
    return ends


def _is_ordinary(key: str) -> bool:
    if key.isascii():
        return len(key) < 3 or bool(ORDINARY_WORD.fullmatch(key) or _COMMON.fullmatch(key))
    words = rjieba.tag(key)
    return len(key) < 2 or (len(words) == 1 and not words[0][1].startswith(_NAME_TAGS))


def _means_another(key: str, topic: KnownTopic, topics: Iterable[KnownTopic]) -> bool:
    """Whether another topic has it in its name, other than as part of this one's: Christopher Wren, the Wren Hotel."""
    mine = [name_key(name) for name in topic.names if name_key(name) != key]
    return any(
        _stands_in(key, name) and not any(own in name_key(name) for own in mine)
        for other in topics
        if other.id != topic.id
        for name in other.names
    )


def _stands_in(key: str, name: str) -> bool:
    """Whether the name has these words: whole words of an alphabet, any run of Chinese."""
    if not key.isascii():
        return key in name_key(name)
    words = [name_key(word) for word in _WORD.findall(name)]
    return any(
        "".join(words[start:end]) == key for start in range(len(words)) for end in range(start + 1, len(words) + 1)
    )
