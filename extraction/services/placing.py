"""Where findings go: to a topic that stands, to a proposed one, or to one that is to be proposed.

Whoever speaks, with a name or without one, and what the caller says a conversation is about, is always worth a topic.
What is only mentioned is worth one once enough was said about it: the confidence of its statements adds up to the
threshold of the space. What names nothing, in a conversation without names, is none where a person reviews: it gathers
until a discovery finds what belongs together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Sum

from extraction.extractors.protocol import KnownTopic, TopicRef, unnamed_speaker
from extraction.models import Proposal
from extraction.services.resembling import resembling_topic
from topics.models import Conversation, Space, Topic
from topics.selectors.topics import topic_by_id, topic_by_name
from topics.text.names import match_keys, name_key

if TYPE_CHECKING:
    from extraction.services.filing import Found

OPEN = (Proposal.Status.PENDING, Proposal.Status.SNOOZED)
# What the confidence of its statements must add up to before something mentioned becomes a topic.
WORTH: dict[str, float] = {
    Space.TopicSensitivity.LOW: 2.0,
    Space.TopicSensitivity.NORMAL: 0.4,
    Space.TopicSensitivity.HIGH: 0.0,
}


@dataclass(frozen=True, slots=True)
class Place:
    """A topic, or a proposal of one, or neither: then a topic is to be proposed, provisionally unless `is_worth_it`.

    `is_guess` says that only the likeness to what the topic holds speaks for it, `resembles` that a new topic may be
    this one.
    """

    topic: Topic | None = None
    proposed: Proposal | None = None
    is_worth_it: bool = True
    is_guess: bool = False
    resembles: Topic | None = None


def find_place(space: Space, items: Sequence[Found], *, conversation: Conversation | None) -> Place:
    """The place of findings that refer to the same. `conversation` is None where the caller has named the topic."""
    ref = items[0].finding.topic
    topic = topic_referred_to(space, ref)
    if topic is not None:
        return Place(topic)
    is_nameless = conversation is not None and names_nothing(ref, conversation)
    if is_nameless and items[0].suggested is not None:
        return Place(items[0].suggested, is_guess=True)
    proposed = waiting_topic(space, ref.name, kind=ref.kind if is_nameless else "")
    is_worth_it = conversation is None or _is_worth_it(space, items, conversation, proposed)
    if proposed is not None:
        return Place(proposed=proposed, is_worth_it=is_worth_it)
    resembles = None if is_nameless else (resembling_topic(space, ref.name) or items[0].suggested)
    return Place(is_worth_it=is_worth_it, resembles=resembles)


def topic_referred_to(space: Space, ref: TopicRef) -> Topic | None:
    """The topic that stands under the reference's id or, as one may be deleted while it is read about, its name."""
    return (topic_by_id(space, ref.id) if ref.id else None) or topic_by_name(space, ref.name)


def names_nothing(ref: TopicRef, conversation: Conversation) -> bool:
    """Whether the reference is only to the conversation itself, which happens to have an id."""
    return ref.id is None and name_key(ref.name) == name_key(conversation.external_id)


def waiting_topic(space: Space, name: str, *, kind: str = "") -> Proposal | None:
    """The proposed topic of this name (and kind) that waits for a decision."""
    waiting = Proposal.objects.filter(space=space, kind=Proposal.Kind.TOPIC, topic_key=name_key(name), status__in=OPEN)
    return (waiting.filter(topic_kind=kind) if kind else waiting).first()


def waiting_names(space: Space) -> list[KnownTopic]:
    """The proposed topics of the space, by one proposal each, whose id they have; not those that only stand for a
    conversation. One query."""
    waiting = Proposal.objects.filter(space=space, kind=Proposal.Kind.TOPIC, status__in=OPEN).order_by("pk")
    rows = waiting.values_list("pk", "topic_key", "topic_name", "topic_kind", "message__conversation__external_id")
    found: dict[str, KnownTopic] = {}
    for pk, key, name, kind, conversation in rows.iterator(chunk_size=5000):
        if key != name_key(conversation or ""):
            found.setdefault(key, KnownTopic(str(pk), name, kind, (name,)))  # type: ignore[arg-type]
    return list(found.values())


def _is_worth_it(space: Space, items: Sequence[Found], conversation: Conversation, proposed: Proposal | None) -> bool:
    ref = items[0].finding.topic
    if proposed is not None and not proposed.is_provisional:
        return True
    if ref in (unnamed_speaker(space.language), unnamed_speaker(space.language, conversation.external_id)):
        return True
    if names_nothing(ref, conversation) and ref.kind != "person":
        # Where nobody reviews, an agent relies on what was said at once: it belongs to the conversation.
        return space.review_policy == Space.ReviewPolicy.AUTOMATIC
    speakers = [span.message.name for item in items for span in item.spans]
    said = {key for name in (conversation.subject_name, *speakers) if name for key in match_keys(name)}
    if said.intersection(match_keys(ref.name)):
        return True
    waiting = Proposal.objects.filter(new_topic=proposed, status__in=OPEN) if proposed else Proposal.objects.none()
    before = waiting.aggregate(sum=Sum("confidence"))["sum"] or 0.0
    return before + sum(item.finding.confidence for item in items) >= WORTH[space.topic_sensitivity]
