"""The rows of a conflict: opened when a proposal contradicts what is held, closed when it is settled."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone

from extraction.models import Confirmation, Conflict, Proposal
from topics.models import Fact
from topics.services.statements import close_disputes, open_dispute


def open_conflict(*, proposal: Proposal, fact: Fact, why: str) -> Conflict:
    """Put a proposal against the held fact that it contradicts; agents see the fact as disputed from now on."""
    return Conflict.objects.create(
        space=proposal.space,
        proposal=proposal,
        fact=fact,
        fact_version=fact.version,
        dispute=open_dispute(fact=fact, said_at=proposal.said_at, message=proposal.message),
        why=why,
    )


def close_conflict(conflict: Conflict, outcome: str, valid_until: datetime | None = None, scope: str = "") -> None:
    """Record the outcome, end the dispute and withdraw the question that may still be out."""
    conflict.status, conflict.outcome, conflict.resolved_at = Conflict.Status.RESOLVED, outcome, timezone.now()
    conflict.valid_until, conflict.scope = valid_until, scope
    conflict.save()
    close_disputes([conflict.dispute])
    conflict.confirmations.filter(status=Confirmation.Status.OPEN).update(status=Confirmation.Status.CANCELLED)


def close_as_kept(conflicts: Sequence[Conflict]) -> None:
    """Settle conflicts whose proposals were rejected: what is held stays."""
    for conflict in conflicts:
        close_conflict(conflict, Conflict.Outcome.KEEP)
