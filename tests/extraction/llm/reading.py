"""Short ways to read a window with a model whose answers a test writes itself, without an endpoint between them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from extraction.extractors.llm.answers import Refused, read_draft
from extraction.extractors.llm.grounding import ground
from extraction.extractors.llm.lines import earlier_lines, new_lines
from extraction.extractors.llm.sheet import Sheet, facts_of, find_candidates
from extraction.extractors.protocol import Finding, KnownFact, KnownTopic, Role, TopicKind, Turn, Window

SHANGHAI = ZoneInfo("Asia/Shanghai")
WEDNESDAY = datetime(2024, 5, 15, 10, 0, tzinfo=SHANGHAI)


def turn(text: str, *, role: Role = "user", speaker: str = "Mia", id: str = "1", at: datetime = WEDNESDAY) -> Turn:
    return Turn(id, role, text, at, speaker)


def topic(name: str, *names: str, kind: TopicKind = "project") -> KnownTopic:
    return KnownTopic(f"id of {name}", name, kind, (name, *names))


def fact(text: str, of: KnownTopic, **values: Any) -> KnownFact:
    return KnownFact(f"id of {text}", of.id, text, **values)


def sheet_of(
    *turns: Turn,
    subject: KnownTopic | str | None = None,
    topics: Sequence[KnownTopic] = (),
    facts: Sequence[KnownFact] = (),
    context: Sequence[Turn] = (),
) -> Sheet:
    """What a model is shown of these turns: m1 is the first, t1 the subject or else the first speaker."""
    window = Window(
        tuple(turns),
        SHANGHAI,
        conversation="call-7",
        context=tuple(context),
        subject=subject,
        topics=tuple(topics),
        facts=tuple(facts),
    )
    candidates = find_candidates(window, turns)
    return Sheet(
        window,
        tuple(earlier_lines(context)),
        tuple(new_lines(turns, most_tokens=500)),
        candidates,
        facts_of(window, candidates),
    )


def said(text: str, words: str, *, m: str = "m1", topic: str = "t1", kind: str = "fact", **more: Any) -> dict[str, Any]:
    """A finding as a model writes it."""
    quotes = [{"m": m, "words": words}]
    return {"quotes": quotes, "topic": topic, "kind": kind, "text": text, "certainty": "confirmed"} | more


def outcome(sheet: Sheet, item: Any) -> Finding | str:
    """The finding, or the reason for which it is dropped."""
    try:
        return ground(read_draft(item, sheet), sheet)
    except Refused as refused:
        return refused.reason


def kept(sheet: Sheet, item: Any) -> Finding:
    found = outcome(sheet, item)
    assert isinstance(found, Finding), found
    return found
