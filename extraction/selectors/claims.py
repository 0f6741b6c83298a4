"""Reads of who has what in hand, and who looks at it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from extraction.models import Proposal, ReviewClaim, ReviewLook
from topics.changes import name_of

# The page says every minute that it is visible; two that went missing mean that nobody is there.
PRESENT = timedelta(minutes=2)
MOST_NAMED = 5


def others_looking(proposal: Proposal, user: Any) -> list[str]:
    """The names of others who have this proposal open though it is not in their hands, the latest to look first."""
    looks = ReviewLook.objects.filter(proposal=proposal, at__gt=timezone.now() - PRESENT).exclude(user=user)
    rows = looks.select_related("user").order_by("-at")[:MOST_NAMED]
    return [name_of(row.user) for row in rows]


def claim_of_another(proposal: Proposal, user: Any) -> ReviewClaim | None:
    """The claim that somebody else has on the proposal at this moment."""
    claims = ReviewClaim.objects.filter(proposal=proposal, until__gt=timezone.now()).exclude(user=user)
    return claims.select_related("user").first()
