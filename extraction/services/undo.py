"""The part of undo that belongs to proposals: a decision that is taken back puts its proposals back in the queue."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from django.dispatch import receiver
from django.utils.translation import gettext as _

from extraction.models import Confirmation, Conflict, Decision, Proposal
from extraction.services.conflicts import taken_as
from extraction.services.decisions import OPEN
from extraction.services.turns import messages_behind, review_turns
from topics.errors import Blocker
from topics.models import Alias, ChangeSet, Topic
from topics.services.statements import close_dispute, reopen_dispute
from topics.services.undo import is_undo, root_of
from topics.signals import change_set_undone, collect_undo_blockers
from topics.text.names import name_key


@receiver(collect_undo_blockers, dispatch_uid="extraction.undo_blockers")
def decided_again(
    sender: Any, change_set: ChangeSet, rows: Collection[UUID] | None = None, **kwargs: Any
) -> list[Blocker]:
    """Proposals of the set whose status is no longer what the set made it, or whose question was answered since.

    With `rows`: those behind these rows alone; and a decision on a conflict, which is never taken back in part.
    """
    decisions = _decisions_on(change_set, rows)
    if rows is not None and any(d.conflict_outcome for d in decisions):
        return [Blocker(_("It belongs to the decision on a conflict: undo the whole change."))]
    put = Confirmation.objects.select_related("conflict").filter(
        conflict__proposal__in=[d.proposal_id for d in decisions], status=Confirmation.Status.OPEN
    )
    put_again = put if root_of(change_set).action == "answer_confirmation" and not is_undo(change_set) else []
    asked = [d.proposal_id for d in decisions if d.conflict_outcome == Conflict.Outcome.ASK]
    answered = Confirmation.objects.filter(
        conflict__proposal__in=asked, status=Confirmation.Status.ANSWERED, answered_at__gte=change_set.at
    )
    again = [
        _blocker(_("“%(what)s” was decided again later."), str(d.proposal), d.proposal_id)
        for d in decisions
        if d.proposal.status != d.after
    ]
    return [
        *again,
        *(
            _blocker(_("The question “%(what)s” was answered."), c.question, c.conflict.proposal_id)
            for c in answered.select_related("conflict")
        ),
        *(_blocker(_("The question “%(what)s” was put later."), c.question, c.conflict.proposal_id) for c in put_again),
    ]


def _blocker(sentence: str, what: str, proposal_id: Any) -> Blocker:
    """A blocker with the change set that made the last step of the proposal."""
    steps = Decision.objects.filter(proposal=proposal_id).order_by("-pk")
    return Blocker(sentence % {"what": what[:120]}, steps.values_list("change_set_id", flat=True).first())


@receiver(change_set_undone, dispatch_uid="extraction.take_back_decisions")
def take_back_decisions(
    sender: Any, change_set: ChangeSet, undo: ChangeSet, rows: Collection[UUID] | None = None, **kwargs: Any
) -> None:
    """Put every proposal of the set, or those behind `rows`, back to where it was, with its conflict and its words."""
    decisions = _decisions_on(change_set, rows)
    for decision in decisions:
        _put_back(decision, undo)
        if decision.conflict_outcome == Conflict.Outcome.ASK:
            _ask_or_not(decision.proposal, asks=is_undo(change_set))
    for decision in decisions:
        if decision.topic is not None:
            _link_or_not(decision.proposal, decision.topic)
    moved = [
        d.proposal
        for d in decisions
        if (d.before in OPEN) != (d.after in OPEN) or Proposal.Status.REJECTED in (d.before, d.after)
    ]
    review_turns(change_set.space, messages_behind(moved))
    _answer_or_not(change_set, [d.proposal for d in decisions])
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


def _decisions_on(change_set: ChangeSet, rows: Collection[UUID] | None) -> list[Decision]:
    """The decisions of the set; with `rows` those on what became, or would have changed, one of these rows."""
    decisions = list(change_set.decisions.select_related("proposal__conflict", "topic"))
    if rows is None:
        return decisions
    names = set(Alias.history.filter(id__in=rows).values_list("topic_id", "key"))
    return [d for d in decisions if _is_on(d.proposal, rows, names)]


def _is_on(proposal: Proposal, rows: Collection[UUID], names: Collection[tuple[UUID, str]]) -> bool:
    conflict = getattr(proposal, "conflict", None)
    touched = {proposal.fact_id, proposal.entry_id, conflict.fact_id if conflict else None}
    if proposal.kind == Proposal.Kind.SUMMARY:
        touched.add(proposal.topic_id)
    is_alias = proposal.kind == Proposal.Kind.ALIAS
    return bool(touched & set(rows)) or (is_alias and (proposal.topic_id, name_key(proposal.alias)) in names)


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
        _reopen_or_close(proposal, decision.conflict_outcome, undo, is_open_again=is_open_again)


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


def _reopen_or_close(proposal: Proposal, outcome: str, undo: ChangeSet, *, is_open_again: bool) -> None:
    conflict = Conflict.objects.select_related("fact", "dispute", "counter_dispute").get(proposal=proposal)
    held_as = taken_as(outcome, proposal) if proposal.is_held or not is_open_again else None
    if is_open_again:
        conflict.status, conflict.outcome, conflict.resolved_at = Conflict.Status.OPEN, "", None
        conflict.fact_version = conflict.fact.version
    else:
        conflict.status, conflict.outcome, conflict.resolved_at = Conflict.Status.RESOLVED, outcome, undo.at
    conflict.save()
    for dispute in conflict.disputes:
        became = held_as if dispute == conflict.dispute else None
        if is_open_again:
            reopen_dispute(dispute=dispute, became=became)
        else:
            close_dispute(dispute=dispute, outcome=outcome, by=undo, became=became)


def _answer_or_not(change_set: ChangeSet, proposals: Sequence[Proposal]) -> None:
    """Where the set had answered a question, or taken the answer back: put the question again, or answer it again."""
    root = root_of(change_set)
    if root.action != "answer_confirmation":
        return
    answers: dict[str, str] = {
        Conflict.Outcome.REPLACE: Confirmation.Answer.YES,
        Conflict.Outcome.KEEP: Confirmation.Answer.NO,
    }
    for question in Confirmation.objects.filter(conflict__proposal__in=proposals).select_related("conflict"):
        if question.status == Confirmation.Status.ANSWERED and question.answered_at == root.at:
            question.status, question.answer, question.answered_at = Confirmation.Status.OPEN, "", None
            question.conflict.outcome = Conflict.Outcome.ASK
        elif question.status == Confirmation.Status.OPEN and is_undo(change_set):
            question.status, question.answered_at = Confirmation.Status.ANSWERED, root.at
            is_settled = question.conflict.status == Conflict.Status.RESOLVED
            question.answer = answers[question.conflict.outcome] if is_settled else Confirmation.Answer.OTHER
            question.conflict.outcome = question.conflict.outcome if is_settled else ""
        question.save(update_fields=["status", "answer", "answered_at"])
        question.conflict.save(update_fields=["outcome"])


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
