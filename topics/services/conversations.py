"""Storing the original words, exactly once, before anything else happens to them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Case, Q, Value, When
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from topics.changes import OpenChange
from topics.errors import InvalidInput, MessageConflict
from topics.models import Conversation, Message, Space, Topic
from topics.retrieval import index
from topics.selectors.topics import reads_as_id, resolve_topic, topics_by_name
from topics.signals import act_ended
from topics.text.clean import clean_name, said_time, storable_text
from topics.text.names import subject_key

CONTENT_LIMIT = 1_048_576
MOST_MESSAGES = 500
BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageInput:
    """A message as a caller sends it. Without `id` it is always new; without `said_at` it is said now."""

    role: str
    content: str
    id: str = ""
    name: str = ""
    said_at: datetime | None = None
    repeats_memory: bool = False


@dataclass(frozen=True, slots=True)
class Stored:
    """What storing did: the new messages, and those that were here already, each in the order sent."""

    conversation: Conversation
    messages: list[Message]
    duplicates: list[Message]


def store_messages(*, space: Space, conversation: str, messages: Sequence[MessageInput], subject: str = "") -> Stored:
    """Append messages to a conversation. `subject` is the topic it is mainly about, by name or id.

    Raises InvalidInput naming `messages.N.field`, or `subject` for an id that is no topic's, and MessageConflict when
    an id was sent before with another text, role or name; nothing is stored then.
    """
    check_messages(messages)
    external_id = storable_text(conversation, field="conversation", limit=200)
    with transaction.atomic():
        held = _held_conversation(space, external_id)
        _set_subject(held, subject)
        known = {
            m.external_id: m
            for m in held.messages.filter(external_id__in=[m.id for m in messages if m.id])
            if m.external_id
        }
        fresh: list[Message] = []
        duplicates: list[Message] = []
        now = timezone.now()
        for sent in messages:
            earlier = known.get(sent.id) if sent.id else None
            if earlier is not None:
                _refuse_other_words(earlier, sent)
                duplicates.append(earlier)
                continue
            row = Message(
                space=space,
                conversation=held,
                external_id=sent.id or uuid.uuid4().hex,
                position=held.message_count + len(fresh),
                role=sent.role,
                name=sent.name,
                content=sent.content,
                repeats_memory=sent.repeats_memory,
                said_at=sent.said_at or now,
                received_at=now,
            )
            known[row.external_id] = row
            fresh.append(row)
        Message.objects.bulk_create(fresh)
        if fresh:
            held.message_count += len(fresh)
            held.last_said_at = max([m.said_at for m in fresh] + ([held.last_said_at] if held.last_said_at else []))
            held.save(update_fields=["message_count", "last_said_at"])
            # Where a person reviews, a turn may be seen when it has been read and nothing in it waits.
            index.index_messages(space, fresh, withheld=space.review_policy != Space.ReviewPolicy.AUTOMATIC)
        return Stored(held, fresh, duplicates)


def check_messages(messages: Sequence[MessageInput]) -> None:
    """Raise InvalidInput, naming each `messages.N.field`, for what cannot be stored."""
    problems: dict[str, list[str]] = {}
    if not messages:
        problems["messages"] = [_("Send at least one message.")]
    if len(messages) > MOST_MESSAGES:
        problems["messages"] = [_("At most %(most)d messages a call.") % {"most": MOST_MESSAGES}]
    for n, message in enumerate(messages):
        try:
            if message.role not in Message.Role.values:
                text = _("The role is one of user, assistant, system, tool.")
                raise InvalidInput(text, fields={f"messages.{n}.role": [text]})
            if message.said_at is not None:
                said_time(message.said_at, field=f"messages.{n}.said_at")
            storable_text(message.content, field=f"messages.{n}.content", limit=CONTENT_LIMIT)
            storable_text(message.id, field=f"messages.{n}.id", limit=200, blank=True)
            if message.name:
                clean_name(message.name, field=f"messages.{n}.name")
        except InvalidInput as error:
            problems.update(error.details["fields"])
    if problems:
        raise InvalidInput(_("Some messages cannot be stored; none was."), fields=problems)


def _held_conversation(space: Space, external_id: str) -> Conversation:
    """The conversation, created on its first message, held until the transaction ends so that positions never clash."""
    row, _created = Conversation.objects.get_or_create(space=space, external_id=external_id)
    return Conversation.objects.select_for_update(no_key=True).get(pk=row.pk)


def _set_subject(conversation: Conversation, subject: str) -> None:
    if not subject:
        return
    name = clean_name(subject, field="subject")
    topic: Topic | None = resolve_topic(conversation.space, name)
    if topic is None and reads_as_id(name):
        if conversation.subject_id == uuid.UUID(name):
            return  # deleted since: its name stands for it
        problem = _("There is no topic with this id.")
        raise InvalidInput(problem, fields={"subject": [problem]})
    conversation.subject = topic
    conversation.subject_name = topic.name if topic else name
    conversation.subject_key = subject_key(conversation.subject_name)
    conversation.save(update_fields=["subject", "subject_name", "subject_key"])


@receiver(act_ended, dispatch_uid="topics.link_subjects")
def link_subjects(sender: Any, change: OpenChange, **kwargs: Any) -> None:
    """Link the conversations whose subject is one of the names that the act gave to topics, and has no topic yet.

    Conversations are stored before anybody knows what they are about. The search rows hold the name as it was sent.
    """
    keys = {subject_key(name) for name in change.names}
    if not keys:
        return
    unlinked = Conversation.objects.filter(space=change.space, subject_key__in=keys).filter(
        Q(subject=None) | Q(subject__status=Topic.Status.DELETED)
    )
    topics = topics_by_name(change.space, list(unlinked.order_by().values_list("subject_name", flat=True).distinct()))
    if topics:
        linked = Case(*(When(subject_name=name, then=Value(topic.pk)) for name, topic in topics.items()))
        # By their own keys: an UPDATE cannot join the topics.
        ids = list(unlinked.filter(subject_name__in=list(topics)).values_list("pk", flat=True))
        for start in range(0, len(ids), BATCH):
            Conversation.objects.filter(pk__in=ids[start : start + BATCH]).update(subject=linked)


def _refuse_other_words(earlier: Message, sent: MessageInput) -> None:
    if earlier.content != sent.content or earlier.role != sent.role:
        problem = _("The message %(id)s was sent before with another text. Nothing was stored.")
    elif earlier.name != sent.name:
        problem = _("The message %(id)s was sent before with another name. Nothing was stored.")
    else:
        return
    raise MessageConflict(problem % {"id": sent.id}, details={"message": sent.id})
