"""Claims: who has a proposal in hand. They keep two reviewers from doing the same work, and forbid nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from extraction.models import Proposal, ReviewClaim, ReviewLook

LEASE = timedelta(minutes=15)


def claim_proposal(*, proposal: Proposal, user: Any, take_over: bool = False) -> ReviewClaim | None:
    """Give an open proposal to this person for LEASE, or for longer if it is theirs already.

    Somebody else's claim stands until it runs out, unless `take_over`; that this person looks at the proposal all the
    same is noted. Returns the claim that stands afterwards, whose `user` says who has it; None for a proposal that is
    decided. `proposal.claim` may be loaded already. Each step is one statement on one row, so of two who ask at once
    exactly one gets it.
    """
    if not proposal.is_open:
        return None
    standing: ReviewClaim | None = getattr(proposal, "claim", None)
    if standing is None or take_over or standing.user_id == user.pk or not standing.is_live:
        standing = _take(proposal, user, standing, take_over=take_over)
    if standing is not None and standing.user_id != user.pk:
        _note_look(proposal, user)
    return standing


def _take(proposal: Proposal, user: Any, standing: ReviewClaim | None, *, take_over: bool) -> ReviewClaim | None:
    now = timezone.now()
    mine = ReviewClaim(proposal=proposal, user=user, until=now + LEASE)
    claims = ReviewClaim.objects.filter(proposal=proposal)
    if standing is None:
        ReviewClaim.objects.bulk_create([mine], ignore_conflicts=True)
    else:
        free = claims if take_over else claims.filter(Q(user=user) | Q(until__lte=now))
        if free.update(user=user, until=mine.until):
            return mine
    return claims.select_related("user").first()


def release_claim(*, proposal: Proposal, user: Any) -> None:
    """Give back what this person has in hand; nothing happens to a claim of somebody else."""
    ReviewClaim.objects.filter(proposal=proposal, user=user).delete()


def _note_look(proposal: Proposal, user: Any) -> None:
    look = ReviewLook(space_id=proposal.space_id, user=user, proposal=proposal, at=timezone.now())
    ReviewLook.objects.bulk_create(
        [look], update_conflicts=True, unique_fields=["space", "user"], update_fields=["proposal", "at"]
    )
