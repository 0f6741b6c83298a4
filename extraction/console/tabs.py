"""The tabs of the review queue, which also stand above the duplicates."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from extraction.selectors.proposals import CONFLICTS, DUPLICATES, FACTS, MINE, SNOOZED, TOPICS
from topics.console.access import ConsoleRequest

NAMES = (CONFLICTS, FACTS, TOPICS, DUPLICATES, MINE, SNOOZED)  # in their order


@dataclass(frozen=True, slots=True)
class Tab:
    label: str
    address: str
    count: int
    is_current: bool


def queue_tabs(request: ConsoleRequest, counts: dict[str, int], *, current: str) -> list[Tab]:
    """Each tab with how many items it holds; `counts` are those of `queue_counts`."""
    labels = {
        CONFLICTS: _("Conflicts"),
        FACTS: _("Facts"),
        TOPICS: _("New topics"),
        DUPLICATES: _("Duplicates"),
        MINE: _("Mine"),
        SNOOZED: _("Snoozed"),
    }
    return [Tab(labels[name], address_of(name), counts[name], name == current) for name in NAMES]


def address_of(tab: str) -> str:
    return reverse("topics:duplicates") if tab == DUPLICATES else reverse("extraction:queue", args=[tab])
