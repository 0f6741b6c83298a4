"""Small makers for tests of the memory."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib.auth import get_user_model

from topics.changes import Actor, change_set
from topics.models import Alias, Conversation, Dispute, Evidence, Fact, Message, Passage, Space, TimelineEntry, Topic
from topics.services.conversations import MessageInput, store_messages
from topics.services.spaces import create_api_key, create_space
from topics.services.statements import FactDraft, Span, close_dispute, commit_facts
from topics.services.topics import create_topic

SAID_AT = datetime(2024, 3, 5, 9, 0, tzinfo=UTC)


def make_space(slug: str = "acme", **values: str) -> Space:
    return create_space(slug=slug, **values)


def make_person(username: str = "mei") -> Actor:
    return Actor.person(get_user_model().objects.create_user(username=username))


def make_agent(space: Space) -> Actor:
    return Actor.key(create_api_key(space=space, scopes=["write"], name="agent")[0])


def make_topic(space: Space, actor: Actor, name: str = "Acme", **values: Any) -> Topic:
    return create_topic(space=space, actor=actor, name=name, **values)


def say(
    space: Space,
    text: str,
    *,
    conversation: str = "c1",
    said_at: datetime = SAID_AT,
    name: str = "",
    role: str = "user",
) -> Message:
    """A stored message."""
    sent = MessageInput(role=role, content=text, said_at=said_at, name=name)
    return store_messages(space=space, conversation=conversation, messages=[sent]).messages[0]


def span(message: Message, words: str = "") -> Span:
    """The first place of `words` in the message; without words all of it."""
    start = message.content.index(words)
    return Span(message, start, start + len(words or message.content))


def hold(topic: Topic, text: str, *, said_at: datetime = SAID_AT, **values: Any) -> Fact:
    """A fact that an extractor took from a message which says just this."""
    message = say(topic.space, text, said_at=said_at, conversation=f"of {topic.pk}")
    draft = FactDraft(topic=topic, text=text, spans=[span(message)], said_at=said_at, **values)
    return commit_facts(space=topic.space, actor=Actor(label="test extractor"), drafts=[draft])[0]


def settle(dispute: Dispute, outcome: str = Dispute.Outcome.KEEP) -> None:
    """Settle a dispute as though somebody had decided."""
    with change_set(space=dispute.fact.space, actor=Actor(label="Lin"), action="resolve_conflict") as change:
        close_dispute(dispute=dispute, outcome=outcome, by=change.row)


def stored_messages(space: Space) -> list[str]:
    return list(Message.objects.filter(space=space).order_by("position").values_list("content", flat=True))


def conversations(space: Space) -> int:
    return Conversation.objects.filter(space=space).count()


def picture(space: Space) -> dict[str, Any]:
    """All that a reader can see of a space: documents, words behind them, and the search index."""
    return {
        "topics": list(
            Topic.objects.filter(space=space)
            .exclude(status=Topic.Status.DELETED)
            .order_by("pk")
            .values_list("pk", "name", "kind", "summary", "summary_by_person", "status")
        ),
        "aliases": list(Alias.objects.order_by("pk").values_list("pk", "topic", "name", "key", "is_name")),
        "facts": list(
            Fact.objects.exclude(status=Fact.Status.RETRACTED)
            .order_by("pk")
            .values_list("pk", "text", "attribute", "value", "status", "superseded_by", "valid_until", "corrected_at")
        ),
        "timeline": list(
            TimelineEntry.objects.exclude(status=TimelineEntry.Status.RETRACTED)
            .order_by("pk")
            .values_list("pk", "text", "happened_at", "precision")
        ),
        "evidence": list(
            Evidence.objects.filter(removed_by=None)
            .exclude(fact__status=Fact.Status.RETRACTED)
            .exclude(entry__status=TimelineEntry.Status.RETRACTED)
            .order_by("pk")
            .values_list("pk", "fact", "entry", "start", "end")
        ),
        "index": sorted(Passage.objects.values_list("kind", "fact", "entry", "own", "speaker_terms"), key=str),
    }


def without_messages(seen: dict[str, Any]) -> dict[str, Any]:
    """Acts that store a message leave it stored: only documents are undone."""
    return seen | {"index": [row for row in seen["index"] if row[0] != Passage.Kind.MESSAGE]}
