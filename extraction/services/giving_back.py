"""A discovered topic that is refused gives its statements back: they gather again, each with its conversation."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from extraction.models import Proposal
from extraction.services.placing import OPEN, waiting_topic
from topics.models import Topic
from topics.text.names import name_key


def give_back(topics: Sequence[Proposal]) -> None:
    """Let the open statements of these topics gather again. Needs the change set that refuses the topics."""
    statements = Proposal.objects.filter(new_topic__in=[t.pk for t in topics], topic=None, status__in=OPEN)
    rows = statements.filter(message__isnull=False).select_related("message__conversation", "space").order_by("pk")
    for statement in rows:
        statement.new_topic = _gathering_place(statement)
        statement.save(update_fields=["new_topic"])


def _gathering_place(statement: Proposal) -> Proposal:
    message: Any = statement.message
    name = message.conversation.external_id
    standing = waiting_topic(statement.space, name, kind=Topic.Kind.OTHER)
    if standing is not None:
        return standing
    place = Proposal(
        space=statement.space,
        kind=Proposal.Kind.TOPIC,
        topic_name=name,
        topic_kind=Topic.Kind.OTHER,
        topic_key=name_key(name),
        is_provisional=True,
        message=message,
        said_at=statement.said_at,
        extractor=statement.extractor,
    )
    place.fingerprint = hashlib.sha256(f"gathers\x1f{place.pk}".encode()).hexdigest()
    place.save(force_insert=True)
    return place
