"""Which statements agents call wrong."""

from __future__ import annotations

from django.db.models import F, Q, QuerySet

from topics.models import Fact, Objection, Space, TimelineEntry, Topic


def open_objections(space: Space, topic: Topic | None = None) -> QuerySet[Objection]:
    """Objections that wait for a person, the latest first: the statement is current and reads as it did then."""
    gone = [Topic.Status.DELETED, Topic.Status.MERGED]
    fact = Q(fact__status=Fact.Status.ACTIVE, fact__content_key=F("content_key")) & ~Q(fact__topic__status__in=gone)
    entry = Q(entry__status=TimelineEntry.Status.ACTIVE, entry__content_key=F("content_key"))
    entry &= ~Q(entry__topic__status__in=gone)
    rows = Objection.objects.filter(fact | entry, space=space, dismissed_at=None)
    if topic is not None:
        rows = rows.filter(Q(fact__topic=topic) | Q(entry__topic=topic))
    return rows.select_related("feedback__api_key", "fact__topic", "entry__topic").order_by("-pk")
