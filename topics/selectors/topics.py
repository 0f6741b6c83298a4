"""Finding topics by id or by any of their names."""

from __future__ import annotations

import uuid

from topics.models import Alias, Space, Topic
from topics.text.names import match_keys


def resolve_topic(space: Space, reference: str) -> Topic | None:
    """The topic that `reference` (an id or a name in any writing) means: None when there is none.

    A merged topic answers as its survivor, a deleted one not at all.
    """
    topic = topic_by_id(space, reference)
    return topic if topic is not None else topic_by_name(space, reference)


def topic_by_id(space: Space, reference: object) -> Topic | None:
    """The topic with this id in this space, following merges; None for anything else."""
    try:
        pk = uuid.UUID(str(reference))
    except ValueError:
        return None
    topic = Topic.objects.filter(space=space, pk=pk).exclude(status=Topic.Status.DELETED).first()
    while topic is not None and topic.merged_into is not None:
        topic = topic.merged_into
    return topic


def topic_by_name(space: Space, name: str) -> Topic | None:
    """The topic with this name or alias after normalisation: as written first, then without a title."""
    keys = match_keys(name)
    found = {a.key: a.topic for a in Alias.objects.filter(space=space, key__in=keys).select_related("topic")}
    return next((found[key] for key in keys if key in found), None)
