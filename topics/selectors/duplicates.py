"""Reads of the suggested duplicates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from topics.models import DuplicatePair, DuplicateSearch, Space
from topics.selectors.names import READABLE


def duplicate_pairs(space: Space, *, dismissed: bool = False) -> QuerySet[DuplicatePair]:
    """The pairs that are suggested, the likeliest first, or those that somebody has dismissed, the latest first.

    A pair of which one was merged or deleted since is left out.
    """
    rows = DuplicatePair.objects.filter(
        space=space, dismissed_at__isnull=not dismissed, first__status__in=READABLE, second__status__in=READABLE
    )
    return rows.select_related("first", "second").order_by("-dismissed_at" if dismissed else "-score", "pk")


@dataclass(frozen=True, slots=True)
class Comparison:
    """How far the topics of a space are compared: `is_due` when some have changed since `done_at`."""

    is_running: bool
    is_due: bool
    done_at: datetime | None

    @property
    def is_at_work(self) -> bool:
        return self.is_running or self.is_due


def comparison_of(space: Space) -> Comparison:
    """Two queries."""
    search = DuplicateSearch.objects.filter(pk=space.pk).first()
    done_at = search.last_began_at if search is not None else None
    waiting = space.topics.all() if done_at is None else space.topics.filter(changed_at__gt=done_at)
    return Comparison(search is not None and search.is_running, waiting.exists(), done_at)
