"""The changes of a space, whoever made them."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from topics.models import ChangeSet, Space


def changes_in(
    space: Space, *, who: str = "", action: str = "", since: datetime | None = None, until: datetime | None = None
) -> QuerySet[ChangeSet]:
    """Change sets, the latest first, with their topics: by part of the actor's name, action, and moment (inclusive)."""
    changes = ChangeSet.objects.filter(space=space).order_by("-id")
    if who:
        changes = changes.filter(actor_label__icontains=who)
    if action:
        changes = changes.filter(action=action)
    if since:
        changes = changes.filter(at__gte=since)
    if until:
        changes = changes.filter(at__lte=until)
    return changes.select_related("undoes").prefetch_related("undone_by", "documents__topic")
