"""The part of undo that belongs to proposals: a decision that is taken back puts its proposals back in the queue."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from extraction.models import Confirmation, Conflict, Decision, Proposal
from topics.models import ChangeSet
from topics.retrieval import index
from topics.services.statements import close_disputes, reopen_disputes
from topics.signals import change_set_undone, collect_undo_blockers


@receiver(collect_undo_blockers, dispatch_uid="extraction.undo_blockers")
def decided_again(sender: Any, change_set: ChangeSet, **kwargs: Any) -> list[str]:
    """Proposals of the set whose status is no longer what the set made it."""
    return [
        _("“%(what)s” was decided again later.") % {"what": str(d.proposal)[:120]}
        for d in change_set.decisions.select_related("proposal")
        if d.proposal.status != d.after
    ]


@receiver(change_set_undone, dispatch_uid="extraction.take_back_decisions")
def take_back_decisions(sender: Any, change_set: ChangeSet, undo: ChangeSet, **kwargs: Any) -> None:
    """Put every proposal of the set back to where it was, with its conflict and its words."""
    decisions = list(change_set.decisions.select_related("proposal"))
    for decision in decisions:
        _put_back(decision, undo)
    Decision.objects.bulk_create(
        Decision(
            proposal=d.proposal,
            change_set=undo,
            before=d.after,
            after=d.before,
            conflict_outcome=d.conflict_outcome,
            edits=d.edits,
            at=undo.at,
        )
        for d in decisions
    )


def _put_back(decision: Decision, undo: ChangeSet) -> None:
    proposal = decision.proposal
    is_open_again = decision.before in (Proposal.Status.PENDING, Proposal.Status.SNOOZED)
    proposal.status = decision.before
    proposal.reason = undo.reason
    proposal.decided_at = None if is_open_again else undo.at
    proposal.decided_by = "" if is_open_again else undo.actor_label
    if decision.before != Proposal.Status.SNOOZED:
        proposal.snoozed_until = None
    proposal.save(update_fields=["status", "reason", "decided_at", "decided_by", "snoozed_until"])
    if proposal.kind == Proposal.Kind.TOPIC:
        _move_dependents(proposal, is_open_again)
    if decision.conflict_outcome:
        _reopen_or_close(proposal, decision.conflict_outcome, is_open_again)
    if proposal.message_id is None:
        return
    if decision.after == Proposal.Status.REJECTED:
        refused = Proposal.objects.filter(message=proposal.message_id, status=Proposal.Status.REJECTED)
        if not refused.exists():
            index.release_message([proposal.message_id])
    elif decision.before == Proposal.Status.REJECTED:
        index.withhold_message([proposal.message_id])


def _move_dependents(proposal: Proposal, is_open_again: bool) -> None:
    dependents = Proposal.objects.filter(new_topic=proposal)
    if is_open_again:
        dependents.filter(topic=proposal.topic).update(topic=None)
    else:
        dependents.filter(topic=None).update(topic=proposal.topic)


def _reopen_or_close(proposal: Proposal, outcome: str, is_open_again: bool) -> None:
    conflict = Conflict.objects.select_related("fact", "dispute").get(proposal=proposal)
    if is_open_again:
        conflict.status, conflict.outcome, conflict.resolved_at = Conflict.Status.OPEN, "", None
        conflict.fact_version = conflict.fact.version
        conflict.confirmations.filter(status=Confirmation.Status.OPEN).update(status=Confirmation.Status.CANCELLED)
        reopen_disputes([conflict.dispute])
    else:
        conflict.status, conflict.outcome, conflict.resolved_at = Conflict.Status.RESOLVED, outcome, timezone.now()
        close_disputes([conflict.dispute])
    conflict.save()
