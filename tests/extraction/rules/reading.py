"""Short ways to read one message with the rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from extraction.extractors.protocol import Finding, KnownTopic, Role, TopicKind, Turn, Window
from extraction.extractors.rules import RulesExtractor

SHANGHAI = ZoneInfo("Asia/Shanghai")
WEDNESDAY = datetime(2024, 5, 15, 10, 0, tzinfo=SHANGHAI)


def turn(text: str, *, role: Role = "user", speaker: str = "Mia", id: str = "m1", at: datetime = WEDNESDAY) -> Turn:
    return Turn(id, role, text, at, speaker)


def topic(name: str, *names: str, kind: TopicKind = "other") -> KnownTopic:
    return KnownTopic(f"id of {name}", name, kind, (name, *names))


def read_turns(
    *turns: Turn,
    subject: KnownTopic | str | None = None,
    topics: Sequence[KnownTopic] = (),
    context: Sequence[Turn] = (),
    zone: ZoneInfo = SHANGHAI,
) -> list[Finding]:
    window = Window(
        tuple(turns), zone, conversation="call-7", context=tuple(context), subject=subject, topics=tuple(topics)
    )
    return list(RulesExtractor().extract(window).findings)


def read(
    text: str,
    *,
    speaker: str = "Mia",
    at: datetime = WEDNESDAY,
    subject: KnownTopic | str | None = None,
    topics: Sequence[KnownTopic] = (),
    zone: ZoneInfo = SHANGHAI,
) -> list[Finding]:
    return read_turns(turn(text, speaker=speaker, at=at), subject=subject, topics=topics, zone=zone)


def only(
    text: str,
    *,
    speaker: str = "Mia",
    at: datetime = WEDNESDAY,
    subject: KnownTopic | str | None = None,
    topics: Sequence[KnownTopic] = (),
    zone: ZoneInfo = SHANGHAI,
) -> Finding:
    findings = read(text, speaker=speaker, at=at, subject=subject, topics=topics, zone=zone)
    assert len(findings) == 1, findings
    return findings[0]
