"""The numbers beside the links of the sidebar, and the tabs above the duplicates."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from extraction.console.tabs import DUPLICATES, queue_tabs
from extraction.selectors.jobs import count_failed
from extraction.selectors.proposals import queue_counts
from extraction.selectors.standstill import standstill
from topics.console.access import ConsoleRequest


def waiting(request: HttpRequest) -> dict[str, Any]:
    """What is shown in many places, and asked of the database only where a template shows it: `queue_counts` of the
    current space, `duplicates_tabs` (the tabs of the queue as they stand above the duplicates), `failed_jobs_count` and
    `standstill` (that no worker does what waits)."""
    if not hasattr(request, "space"):
        return {}
    counts = SimpleLazyObject(lambda: queue_counts(request.space, request.user))
    return {
        "queue_counts": counts,
        "duplicates_tabs": SimpleLazyObject(lambda: _above_duplicates(request, counts)),
        "failed_jobs_count": SimpleLazyObject(lambda: count_failed(request.space)),
        "standstill": SimpleLazyObject(lambda: standstill(request.space)),
    }


def _above_duplicates(request: Any, counts: Any) -> Any:
    console: ConsoleRequest = request
    return queue_tabs(console, counts, current=DUPLICATES)
