"""The numbers beside the links of the sidebar."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from extraction.selectors.proposals import queue_counts


def waiting(request: HttpRequest) -> dict[str, Any]:
    """`queue_counts` of the current space, asked of the database only where a template shows them."""
    if not hasattr(request, "space"):
        return {}
    return {"queue_counts": SimpleLazyObject(lambda: queue_counts(request.space))}
