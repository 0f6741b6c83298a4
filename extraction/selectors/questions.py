"""Questions that agents should put to their users."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet

from extraction.models import Confirmation
from topics.models import Space


def open_questions(space: Space, topics: Collection[Any] | None = None) -> QuerySet[Confirmation]:
    """Questions that wait for an answer, about these topics or (None) any, the oldest first."""
    rows = Confirmation.objects.filter(space=space, status=Confirmation.Status.OPEN)
    if topics is not None:
        rows = rows.filter(conflict__fact__topic__in=topics)
    return rows.select_related("conflict__fact").order_by("pk")
