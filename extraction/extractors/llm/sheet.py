"""One question to the model: the lines, topics and facts that it may point at, each under a short label.

A model never sees an id of ours and can name nothing but a label of its own sheet. Whatever people wrote stands inside
JSON strings on lines of our own, so that no message can pass for another turn, a topic or an instruction's end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from zoneinfo import ZoneInfo

from extraction.extractors.llm.lines import Line
from extraction.extractors.protocol import KnownFact, KnownTopic, TopicRef, Turn, Window
from extraction.extractors.rules.names import NewName, guess_kind
from extraction.extractors.rules.routing import Router
from topics.text.names import match_keys, name_key

MOST_TOPICS = 12
MOST_NAMES = 4  # of a topic
MOST_FACTS = 20
NAME_LENGTH = 80
_LINE_ENDS = re.compile(r"\s+")


@dataclass(frozen=True)
class Candidate:
    """A topic that findings may be about: one that exists, or one that would be new."""

    label: str
    ref: TopicRef
    names: tuple[str, ...]
    role: str = ""  # what it is to the conversation


@dataclass(frozen=True)
class Sheet:
    """What one question shows. `context` comes before `lines` and cannot be quoted."""

    window: Window
    context: tuple[Line, ...]
    lines: tuple[Line, ...]
    candidates: tuple[Candidate, ...]
    facts: dict[str, KnownFact] = field(default_factory=dict)

    @cached_property
    def by_label(self) -> dict[str, Line]:
        return {line.label: line for line in (*self.context, *self.lines)}

    @cached_property
    def topics(self) -> dict[str, Candidate]:
        return {candidate.label: candidate for candidate in self.candidates}

    @cached_property
    def readable(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.is_new)

    @cached_property
    def words(self) -> str:
        """All that the model was shown in somebody's own words."""
        names = [name for candidate in self.candidates for name in candidate.names]
        speakers = [line.turn.speaker for line in (*self.context, *self.lines)]
        facts = [fact.text for fact in self.facts.values()]
        return "\n".join([line.shown for line in (*self.context, *self.lines)] + names + speakers + facts)

    def find(self, label: str, words: str) -> tuple[Line, int, int] | None:
        """Where the words stand in the turn of that label, whichever part of the turn it is."""
        named = self.by_label[label]
        parts = [line for line in self.readable if line.turn is named.turn and line is not named]
        for line in (named, *parts):
            span = line.find(words)
            if span is not None:
                return line, *span
        return None

    def topic_called(self, name: str) -> TopicRef | None:
        """The candidate of that name, with or without a title; None where there is none or there are two."""
        for key in match_keys(name):
            found = {c.ref for c in self.candidates if any(name_key(known) == key for known in c.names)}
            if found:
                return found.pop() if len(found) == 1 else None
        return None

    def render(self) -> str:
        """The sheet as the model reads it."""
        out = [f"Time zone: {self.window.time_zone.key}", "", "Topics:"]
        for candidate in self.candidates:
            out += self._topic(candidate)
        if self.context:
            out += ["", "Earlier lines (only to understand):", *map(self._line, self.context)]
        return "\n".join([*out, "", "New lines:", *map(self._line, self.lines)])

    def _topic(self, candidate: Candidate) -> Iterator[str]:
        names = " = ".join(quoted(name) for name in candidate.names[:MOST_NAMES])
        yield f"{candidate.label}: {names} ({', '.join(filter(None, [candidate.ref.kind, candidate.role]))})"
        for label, fact in self.facts.items():
            if fact.topic == candidate.ref.id:
                yield f"  {label}: {quoted(fact.text)}"

    def _line(self, line: Line) -> str:
        speaker = quoted(line.turn.speaker) if line.turn.speaker else line.turn.role
        return f"{line.label} [{moment(line.turn.said_at, self.window.time_zone)}] {speaker}: {quoted(line.shown)}"


def quoted(text: str) -> str:
    """A JSON string on one line."""
    return json.dumps(_LINE_ENDS.sub(" ", text).strip(), ensure_ascii=False)


def local(at: datetime, zone: ZoneInfo) -> datetime:
    """The moment in that zone."""
    try:
        return at.astimezone(zone)
    except OverflowError:  # the first or the last day of the calendar
        return at


def moment(at: datetime, zone: ZoneInfo) -> str:
    """`2024-05-15 Wed 10:00`, in whatever locale."""
    at = local(at, zone)
    return f"{at:%Y-%m-%d} {'Mon Tue Wed Thu Fri Sat Sun'.split()[at.weekday()]} {at:%H:%M}"


def find_candidates(window: Window, turns: Sequence[Turn]) -> tuple[Candidate, ...]:
    """The topics that these turns may be about: subject and speakers first, then those that are named in them.

    Where nobody says who speaks or what it is about, the conversation itself stands for it, as with the rules.
    """
    router = Router(window)
    for turn in window.context:
        router.hear_turn(turn)
    known = {topic.id: topic for topic in window.topics}
    if isinstance(window.subject, KnownTopic):
        known[window.subject.id] = window.subject
    found: dict[str, tuple[TopicRef, list[str]]] = {}
    for ref, role in _present(window, turns, router):
        key = ref.id or name_key(ref.name)
        found.setdefault(key, (ref, []))[1].append(role)
    if not found:
        found["conversation"] = (TopicRef(None, window.conversation, "other"), ["this conversation"])
    for topic in sorted(window.topics, key=lambda topic: not _is_named(topic, turns)):
        found.setdefault(topic.id, (TopicRef(topic.id, topic.name, topic.kind), []))
    return tuple(
        Candidate(f"t{n}", ref, _names(ref, known), ", ".join(dict.fromkeys(roles)))
        for n, (ref, roles) in enumerate(list(found.values())[:MOST_TOPICS], start=1)
    )


def facts_of(window: Window, candidates: Iterable[Candidate]) -> dict[str, KnownFact]:
    """The facts of these topics under their labels, in the window's order."""
    ids = {candidate.ref.id for candidate in candidates if candidate.ref.id}
    held = [fact for fact in window.facts if fact.topic in ids][:MOST_FACTS]
    return {f"f{n}": fact for n, fact in enumerate(held, start=1)}


def _present(window: Window, turns: Sequence[Turn], router: Router) -> Iterator[tuple[TopicRef, str]]:
    subject = window.subject
    if isinstance(subject, KnownTopic):
        yield TopicRef(subject.id, subject.name, subject.kind), "what it is mainly about"
    elif subject:
        yield router.named(subject, NewName(subject, guess_kind(subject))), "what it is mainly about"
    for turn in turns:
        speaker = router.speaker_of(turn) if turn.role == "user" else None
        if speaker is not None:
            yield speaker, "speaks"


def _names(ref: TopicRef, known: dict[str, KnownTopic]) -> tuple[str, ...]:
    names = known[ref.id].names if ref.id in known else ()
    return tuple(dict.fromkeys(name[:NAME_LENGTH] for name in (ref.name, *names)))


def _is_named(topic: KnownTopic, turns: Sequence[Turn]) -> bool:
    text = name_key(" ".join(turn.text for turn in turns))
    return any(name_key(name) in text for name in topic.names)
