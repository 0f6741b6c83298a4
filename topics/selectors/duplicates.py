"""Reads of the suggested duplicates."""

from __future__ import annotations

from django.db.models import QuerySet

from topics.models import DuplicatePair, Space
from topics.selectors.names import READABLE


def duplicate_pairs(space: Space, *, dismissed: bool = False) -> QuerySet[DuplicatePair]:
    """The pairs that are suggested, the likeliest first, or those that somebody has dismissed, the latest first.

    A pair of which one was merged or deleted since is left out.
    """
    rows = DuplicatePair.objects.filter(
        space=space, dismissed_at__isnull=not dismissed, first__status__in=READABLE, second__status__in=READABLE
    )
    return rows.select_related("first", "second").order_by("-dismissed_at" if dismissed else "-score", "pk")
