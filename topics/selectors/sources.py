"""The messages behind a document."""

from __future__ import annotations

from django.db.models import Prefetch, Q, QuerySet

from topics.models import Evidence, Message, Topic
from topics.models.statement import Fact, TimelineEntry


def sources_of(topic: Topic) -> QuerySet[Message]:
    """Messages that a fact or timeline entry which was not retracted rests on, the oldest first.

    Each comes with its conversation, and in `quoted` with the evidence for this topic.
    """
    standing = Evidence.objects.filter(
        Q(fact__topic=topic, fact__status__in=[Fact.Status.ACTIVE, Fact.Status.SUPERSEDED])
        | Q(entry__topic=topic, entry__status=TimelineEntry.Status.ACTIVE),
        removed_by=None,
    )
    messages = Message.objects.filter(space=topic.space_id, pk__in=standing.values("message"))
    quoted = Prefetch("evidence", standing.select_related("message").order_by("pk"), to_attr="quoted")
    return messages.select_related("conversation").prefetch_related(quoted).order_by("pk")
