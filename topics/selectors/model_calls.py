"""The calls of a space's language model, and what they used today."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Q, QuerySet, Sum

from inference.ledger import today, usage_today
from inference.models import ModelCall, ModelUsage
from topics.models import Space

TEXTS = ("prompt", "answer", "error")


@dataclass(frozen=True, slots=True)
class Today:
    """The present day of the space: its use, and what the calls of known price cost; `unpriced` is how many are not."""

    usage: ModelUsage
    cost: Decimal | None
    unpriced: int


def calls_in(space: Space, *, purpose: str = "", outcome: str = "") -> QuerySet[ModelCall]:
    """The calls without their texts, the latest first."""
    calls = ModelCall.objects.filter(space=space).defer(*TEXTS).order_by("-started_at", "-pk")
    if purpose:
        calls = calls.filter(purpose=purpose)
    if outcome:
        calls = calls.filter(outcome=outcome)
    return calls


def today_of(space: Space) -> Today:
    """What the space has used of its model since midnight in its time zone."""
    calls = ModelCall.objects.filter(space=space, started_at__gte=today(space))
    has_no_price = Q(cost__isnull=True, prompt_tokens__isnull=False)
    sums = calls.aggregate(total=Sum("cost"), unpriced=Count("pk", filter=has_no_price))
    return Today(usage_today(space), sums["total"], sums["unpriced"])
