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
from rapidfuzz import fuzz, process

from extraction.extractors.protocol import TopicRef, unnamed_speaker
from extraction.models import Proposal
from topics.models import Alias, Conversation, Space, Topic
from topics.selectors.topics import topic_by_id, topic_by_name
from topics.text.analyse import fold
from topics.text.names import match_keys, name_key, untitled

if TYPE_CHECKING:
    from extraction.services.filing import Found

OPEN = (Proposal.Status.PENDING, Proposal.Status.SNOOZED)
# What the confidence of its statements must add up to before something mentioned becomes a topic.
WORTH: dict[str, float] = {
    Space.TopicSensitivity.LOW: 2.0,
    Space.TopicSensitivity.NORMAL: 0.4,
    Space.TopicSensitivity.HIGH: 0.0,
}
# Percent of `rapidfuzz.fuzz.ratio` from which two names may mean the same.
ALIKE = 88
# Shorter names differ by a letter and mean something else: Ann and Anna, 王芳 and 王方.
LEAST_LETTERS = 5


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


def resembling_topic(space: Space, name: str) -> Topic | None:
    """The topic one of whose names is written almost like this one, or is the same but for a title or the word order.

    Never one with another number in it: phase 2 is not phase 1.
    """
    wanted = _comparable(name)
    if len(wanted) < LEAST_LETTERS:
        return None
    rows = Alias.objects.filter(space=space, topic__status__in=(Topic.Status.ACTIVE, Topic.Status.ARCHIVED))
    names = {pk: alias for pk, alias in rows.values_list("pk", "name") if _digits(alias) == _digits(name)}
    best = process.extractOne(wanted, names, processor=_comparable, scorer=fuzz.ratio, score_cutoff=ALIKE)
    if best is None:
        best = process.extractOne(_in_order(name), names, processor=_in_order, scorer=fuzz.ratio, score_cutoff=ALIKE)
    return rows.select_related("topic").get(pk=best[2]).topic if best else None


def _comparable(name: str) -> str:
    return name_key(untitled(name))


def _in_order(name: str) -> str:
    """The words (of Chinese: the characters) of a name in one order, whatever theirs."""
    words = fold(untitled(name)).split()
    return " ".join(sorted(words)) if len(words) > 1 else "".join(sorted(_comparable(name)))


def _digits(name: str) -> str:
    return "".join(c for c in fold(name) if c.isdigit() or c in "一二三四五六七八九十")
