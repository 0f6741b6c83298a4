"""The part of undo that belongs to proposals: a decision that is taken back puts its proposals back in the queue."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from extraction.models import Confirmation, Conflict, Decision, Proposal
from topics.models import ChangeSet, Topic
from topics.retrieval import index
from topics.services.statements import close_disputes, reopen_disputes
from topics.signals import change_set_undone, collect_undo_blockers


@receiver(collect_undo_blockers, dispatch_uid="extraction.undo_blockers")
def decided_again(sender: Any, change_set: ChangeSet, **kwargs: Any) -> list[str]:
    """Proposals of the set whose status is no longer what the set made it, or whose question was answered since."""
    decisions = change_set.decisions.select_related("proposal")
    asked = [d.proposal_id for d in decisions if d.conflict_outcome == Conflict.Outcome.ASK]
    answered = Confirmation.objects.filter(
        conflict__proposal__in=asked, status=Confirmation.Status.ANSWERED, answered_at__gte=change_set.at
    )
    return [
        _("“%(what)s” was decided again later.") % {"what": str(d.proposal)[:120]}
        for d in decisions
        if d.proposal.status != d.after
    ] + [_("The question “%(what)s” was answered.") % {"what": c.question[:120]} for c in answered]


@receiver(change_set_undone, dispatch_uid="extraction.take_back_decisions")
def take_back_decisions(sender: Any, change_set: ChangeSet, undo: ChangeSet, **kwargs: Any) -> None:
    """Put every proposal of the set back to where it was, with its conflict and its words."""
    decisions = list(change_set.decisions.select_related("proposal", "topic"))
    for decision in decisions:
        _put_back(decision, undo)
        if decision.conflict_outcome == Conflict.Outcome.ASK:
            _ask_or_not(decision.proposal, asks=_is_undo(change_set))
    for decision in decisions:
        if decision.topic is not None:
            _link_or_not(decision.proposal, decision.topic)
    Decision.objects.bulk_create(
        Decision(
            proposal=d.proposal,
            change_set=undo,
            before=d.after,
            after=d.before,
            conflict_outcome=d.conflict_outcome,
            edits=d.edits,
            topic=d.topic,
            snoozed_before=d.snoozed_after,
            snoozed_after=d.snoozed_before,
            at=undo.at,
        )
        for d in decisions
    )


def _put_back(decision: Decision, undo: ChangeSet) -> None:
    proposal = decision.proposal
    is_open_again = decision.before in (Proposal.Status.PENDING, Proposal.Status.SNOOZED)
    proposal.status = decision.before
    proposal.reason = undo.reason
    is_undecided = decision.before == Proposal.Status.PENDING
    proposal.decided_at = None if is_undecided else undo.at
    proposal.decided_by = "" if is_undecided else undo.actor_label
    proposal.snoozed_until = decision.snoozed_before
    proposal.save(update_fields=["status", "reason", "decided_at", "decided_by", "snoozed_until"])
    if decision.conflict_outcome not in ("", Conflict.Outcome.ASK):
        _reopen_or_close(proposal, decision.conflict_outcome, is_open_again)
    if proposal.message_id is None:
        return
    if decision.after == Proposal.Status.REJECTED:
        refused = Proposal.objects.filter(message=proposal.message_id, status=Proposal.Status.REJECTED)
        if not refused.exists():
            index.release_message([proposal.message_id])
    elif decision.before == Proposal.Status.REJECTED:
        index.withhold_message([proposal.message_id])


def _link_or_not(proposal: Proposal, topic: Topic) -> None:
    """Part a proposed topic, and what still waits for it, from the topic that it became; or link them again."""
    dependents = Proposal.objects.filter(new_topic=proposal)
    if proposal.is_open:
        proposal.topic = None
        dependents.filter(topic=topic).exclude(status=Proposal.Status.APPROVED).update(topic=None)
    else:
        proposal.topic = topic
        dependents.filter(topic=None).update(topic=topic)
    proposal.save(update_fields=["topic"])


def _reopen_or_close(proposal: Proposal, outcome: str, is_open_again: bool) -> None:
    conflict = Conflict.objects.select_related("fact", "dispute").get(proposal=proposal)
    if is_open_again:
        conflict.status, conflict.outcome, conflict.resolved_at = Conflict.Status.OPEN, "", None
        conflict.fact_version = conflict.fact.version
        reopen_disputes([conflict.dispute])
    else:
        conflict.status, conflict.outcome, conflict.resolved_at = Conflict.Status.RESOLVED, outcome, timezone.now()
        close_disputes([conflict.dispute])
    conflict.save()


def _is_undo(change_set: ChangeSet) -> bool:
    """Whether the set took something back itself, so that taking it back is to do it again."""
    return change_set.undoes is not None and not _is_undo(change_set.undoes)


def _ask_or_not(proposal: Proposal, *, asks: bool) -> None:
    """Put the withdrawn question again, or withdraw the one that is out."""
    conflict = Conflict.objects.get(proposal=proposal)
    before, after = Confirmation.Status.OPEN, Confirmation.Status.CANCELLED
    if asks:
        before, after = after, before
    question = conflict.confirmations.filter(status=before).order_by("-pk").first()
    if question is not None:
        question.status = after
        question.save(update_fields=["status"])
    conflict.outcome = Conflict.Outcome.ASK if asks else ""
    conflict.save(update_fields=["outcome"])
