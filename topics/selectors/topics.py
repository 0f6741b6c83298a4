"""Finding topics by id or by any of their names."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet

from topics.models import Alias, Conversation, Space, Topic
from topics.text.names import match_keys, name_key

_ID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)


def resolve_topic(space: Space, reference: str) -> Topic | None:
    """The topic that `reference` (an id or a name in any writing) means: None when there is none.

    A merged topic answers as its survivor, a deleted one not at all.
    """
    topic = topic_by_id(space, reference)
    return topic if topic is not None else topic_by_name(space, reference)


def reads_as_id(reference: object) -> bool:
    """Whether it is written as ids are, with hyphens, and so is never a name. 32 bare digits may be one."""
    return _ID.fullmatch(str(reference)) is not None


def topic_by_id(space: Space, reference: object) -> Topic | None:
    """The topic with this id in this space, following merges; None for anything else."""
    if not reads_as_id(reference):
        return None
    return standing_topic(Topic.objects.filter(space=space, pk=uuid.UUID(str(reference))).first())


def standing_topic(topic: Topic | None) -> Topic | None:
    """The topic that answers for this one now: its survivor when it was merged, None when that was deleted."""
    while topic is not None and topic.merged_into is not None:
        topic = topic.merged_into
    return None if topic is None or topic.status == Topic.Status.DELETED else topic


def topic_by_name(space: Space, name: str) -> Topic | None:
    """The topic with this name or alias after normalisation: as written first, then without a title."""
    return topics_by_name(space, [name]).get(name)


def topics_by_name(space: Space, names: Sequence[str]) -> dict[str, Topic]:
    """For those of the names that a topic has: name → topic, as `topic_by_name`. One query."""
    keys_of = {name: match_keys(name) for name in names}
    wanted = {key for keys in keys_of.values() for key in keys}
    found = {a.key: a.topic for a in Alias.objects.filter(space=space, key__in=wanted).select_related("topic")}
    matches = {name: next((found[key] for key in keys if key in found), None) for name, keys in keys_of.items()}
    return {name: topic for name, topic in matches.items() if topic is not None}


def has_several_subjects(space: Space) -> bool:
    """Whether the conversations of the space are about several people or customers, as their callers say.

    A subject without a topic stands for somebody too, and so does a topic of which nobody knows what it is.
    """
    told = Conversation.objects.filter(subject=OuterRef("pk"))
    people = Topic.objects.filter(
        Exists(told),
        space=space,
        kind__in=[Topic.Kind.PERSON, Topic.Kind.CUSTOMER, Topic.Kind.OTHER],
        status__in=[Topic.Status.ACTIVE, Topic.Status.ARCHIVED],
    )
    known = len(people.order_by().values_list("pk")[:2])
    if known > 1:
        return True
    unlinked = Conversation.objects.filter(Q(subject=None) | Q(subject__status=Topic.Status.DELETED), space=space)
    names = unlinked.exclude(subject_key="").order_by().values_list("subject_key").distinct()
    return known + len(names[:2]) > 1


def find_topics(
    space: Space, *, alias: str | None = None, q: str | None = None, kind: str | None = None, status: str | None = None
) -> QuerySet[Topic]:
    """Topics of the space that are neither merged nor deleted, the oldest first.

    `alias` is a whole name, `q` a part of one, both after normalisation.
    """
    rows = Topic.objects.filter(
        space=space, status__in=[status] if status else [Topic.Status.ACTIVE, Topic.Status.ARCHIVED]
    )
    if kind:
        rows = rows.filter(kind=kind)
    if alias is not None:
        found = topic_by_name(space, alias)
        rows = rows.filter(pk=found.pk) if found else rows.none()
    if q:
        key = name_key(q)
        rows = (
            rows.filter(pk__in=Alias.objects.filter(space=space, key__contains=key).values("topic"))
            if key
            else rows.none()
        )
    return rows.order_by("pk")
