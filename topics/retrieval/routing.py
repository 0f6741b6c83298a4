"""Which topics a question names: every alias that stands in it, the longest first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from topics.models import Alias, Space, Topic
from topics.retrieval.engine import among
from topics.text.analyse import UNSPACED
from topics.text.names import name_key

# A name in an unspaced script has up to this many characters, another up to this many words.
_MOST_CHARACTERS, _MOST_WORDS = 16, 6
_BATCH = 5000

_ATOM = re.compile(f"[{UNSPACED}]|(?:(?![{UNSPACED}])[\\w#&%@+])+")


@dataclass(frozen=True, slots=True)
class Mention:
    """A topic that a question names, in the order of mention, and by which words."""

    topic: Topic
    words: str


@dataclass(frozen=True, slots=True)
class _Window:
    start: int
    end: int
    key: str
    words: str

    def contains(self, other: _Window) -> bool:
        return self.start <= other.start and other.end <= self.end and self != other


def named_topics(mentions: Iterable[Mention]) -> list[Topic]:
    """The topics mentioned, each once, in the order of their mention."""
    return list({mention.topic.pk: mention.topic for mention in mentions}.values())


def mentions_in(space: Space, question: str) -> list[Mention]:
    """Where the name or an alias of a topic stands in the question, in order, merged topics as their survivors. Deleted
    ones are left out, archived ones are not."""
    windows = list(_windows(question))
    topic_of = _topics_by_key(space, {window.key for window in windows})
    hits = [window for window in windows if window.key in topic_of]
    longest = [hit for hit in hits if not any(other.contains(hit) for other in hits)]
    found = [Mention(_survivor(topic_of[hit.key]), hit.words) for hit in longest]
    return [mention for mention in found if mention.topic.status != Topic.Status.DELETED]


def _topics_by_key(space: Space, keys: set[str]) -> dict[str, Topic]:
    # In two steps: joined, PostgreSQL reads all topics of a space that has some thousands.
    ordered = sorted(keys)
    found: dict[str, UUID] = {}
    for at in range(0, len(ordered), _BATCH):
        aliases = Alias.objects.filter(space=space, key__in=ordered[at : at + _BATCH])
        found |= dict(aliases.values_list("key", "topic_id"))
    topics = {topic.pk: topic for topic in among(Topic.objects, "pk", set(found.values()))}
    return {key: topics[topic_id] for key, topic_id in found.items()}


def _survivor(topic: Topic) -> Topic:
    seen: set[UUID] = set()
    while topic.merged_into is not None and topic.pk not in seen:
        seen.add(topic.pk)
        topic = topic.merged_into
    return topic


def _windows(question: str) -> Iterator[_Window]:
    """Every run of neighbouring words and characters that could be a name, with the key it would have."""
    atoms = list(_ATOM.finditer(question))
    keys = _atom_keys(question, [atom[0] for atom in atoms])
    for start in range(len(keys)):
        words = 0
        for end in range(start, min(start + _MOST_CHARACTERS, len(keys))):
            words += len(keys[end]) > 1
            if words > _MOST_WORDS:
                break
            key = "".join(keys[start : end + 1])
            if key:
                yield _Window(start, end + 1, key, question[atoms[start].start() : atoms[end].end()])


def _atom_keys(question: str, atoms: list[str]) -> list[str]:
    """The key of each atom. Han text is converted as a whole where that keeps its length, since a character's
    simplified form can depend on its neighbours."""
    keys = [name_key(atom) for atom in atoms]
    whole, at = name_key(question), 0
    if len("".join(keys)) != len(whole):
        return keys
    for i, key in enumerate(keys):
        keys[i] = whole[at : at + len(key)]
        at += len(key)
    return keys
