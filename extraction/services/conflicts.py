"""The rows of a conflict: opened when a proposal contradicts what is held, closed when it is settled."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from extraction.models import Confirmation, Conflict, Proposal
from extraction.services.summary_requests import request_summaries
from topics.models import ChangeSet, Fact
from topics.services.statements import close_dispute, open_dispute


def open_conflict(*, proposal: Proposal, fact: Fact, why: str) -> Conflict:
    """Put a proposal against the held fact that it contradicts; agents see the fact as disputed from now on."""
    request_summaries(space=proposal.space, topics=[fact.topic_id])
    return Conflict.objects.create(
        space=proposal.space,
        proposal=proposal,
        fact=fact,
        fact_version=fact.version,
        dispute=open_dispute(fact=fact, said_at=proposal.said_at, message=proposal.message, claim=proposal.text),
        why=why,
    )


def close_conflict(
    *, conflict: Conflict, outcome: str, by: ChangeSet, valid_until: datetime | None = None, scope: str = ""
) -> None:
    """Record the outcome, end the dispute and withdraw the question that may still be out."""
    conflict.status, conflict.outcome, conflict.resolved_at = Conflict.Status.RESOLVED, outcome, by.at
    conflict.valid_until, conflict.scope = valid_until, scope
    conflict.save()
    close_dispute(dispute=conflict.dispute, outcome=outcome, by=by, became=taken_as(outcome, conflict.proposal))
    request_summaries(space=conflict.space, topics=[conflict.fact.topic_id])
    conflict.confirmations.filter(status=Confirmation.Status.OPEN).update(status=Confirmation.Status.CANCELLED)


def close_as_kept(conflicts: Sequence[Conflict], by: ChangeSet) -> None:
    """Settle conflicts whose proposals were rejected: what is held stays."""
    for conflict in conflicts:
        close_conflict(conflict=conflict, outcome=Conflict.Outcome.KEEP, by=by)


def taken_as(outcome: str, proposal: Proposal) -> Fact | None:
    """The fact that the proposal became by this outcome; None where it was turned down."""
    return proposal.fact if outcome in (Conflict.Outcome.REPLACE, Conflict.Outcome.BOTH) else None
