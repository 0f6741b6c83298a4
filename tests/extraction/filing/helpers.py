"""Findings made by hand, so that the tests of filing and deciding need no extractor."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from extraction.extractors.protocol import Finding, Quote, TopicRef
from extraction.models import Conflict, Proposal
from extraction.services.decisions import Decided, Result, decide_proposals
from extraction.services.filing import Filed, Found, file_findings
from tests.topics.services.helpers import say, span
from topics.changes import Actor
from topics.models import Fact, Message, Space, Topic

MONDAY = datetime(2024, 3, 4, 9, 0, tzinfo=UTC)
TUESDAY, WEDNESDAY = MONDAY + timedelta(days=1), MONDAY + timedelta(days=2)
EXTRACTOR = Actor(label="test extractor")


def found(
    space: Space,
    text: str,
    *,
    topic: Topic | str = "Acme",
    said_at: datetime = MONDAY,
    message: Message | None = None,
    topic_kind: Any = "customer",
    **values: Any,
) -> Found:
    """A finding that says `text` in the words of `message`, by default of a new message that says just this."""
    said = message or say(space, text, said_at=said_at, conversation=f"{said_at:%a}")
    words = span(said, values.pop("words", text))
    ref = TopicRef(str(topic.pk), topic.name) if isinstance(topic, Topic) else TopicRef(None, topic, topic_kind)
    quote = Quote(str(said.pk), words.start, words.end, said.content[words.start : words.end])
    finding = Finding(**({"kind": "fact", "topic": ref, "text": text, "quotes": (quote,)} | values))
    return Found(finding, (words,))


def file(space: Space, *items: Found) -> Filed:
    return file_findings(space=space, actor=EXTRACTOR, found=items, extractor="test")


def propose(space: Space, text: str, **values: Any) -> Proposal:
    """File one finding that is new: its proposal (not that of its topic)."""
    filed = file(space, found(space, text, **values))
    return filed.proposals[-1]


def propose_conflict(space: Space, text: str, **values: Any) -> Conflict:
    """File one finding that contradicts what is held."""
    return file(space, found(space, text, **values)).conflicts[0]


def decide(actor: Actor, *proposals: Proposal, decision: str = "approve", **values: Any) -> Decided:
    return decide_proposals(
        space=proposals[0].space, actor=actor, ids=[p.pk for p in proposals], decision=decision, **values
    )


def approve(actor: Actor, proposal: Proposal, **values: Any) -> Result:
    return decide(actor, proposal, **values).results[0]


def texts(topic: Topic, status: str = Fact.Status.ACTIVE) -> list[str]:
    """What the document says, in the order it was written."""
    return list(topic.facts.filter(status=status).order_by("pk").values_list("text", flat=True))


def waiting(space: Space) -> list[str]:
    rows = Proposal.objects.filter(space=space, status=Proposal.Status.PENDING).order_by("pk")
    return [p.text or p.alias or p.topic_name for p in rows]
