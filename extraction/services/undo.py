"""The part of undo that belongs to proposals: a decision that is taken back puts its proposals back in the queue."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
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
from topics.services.undo import BATCH, is_undo, root_of
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
    _put_back(decisions, undo)
    for decision in decisions:
        if decision.conflict_outcome == Conflict.Outcome.ASK:
            _ask_or_not(decision.proposal, asks=is_undo(change_set))
    _link_or_not({d.proposal: d.topic for d in decisions if d.topic is not None})
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


def _put_back(decisions: Sequence[Decision], undo: ChangeSet) -> None:
    """Put the proposals, and the conflicts that were settled, back to where they were before these decisions."""
    # One act decides most of its proposals in the same way: as many statements as there are ways.
    alike: dict[tuple[str, datetime | None], list[Proposal]] = defaultdict(list)
    for decision in decisions:
        decision.proposal.status = decision.before
        alike[decision.before, decision.snoozed_before].append(decision.proposal)
    for (status, snoozed_until), proposals in alike.items():
        is_undecided = status == Proposal.Status.PENDING
        for start in range(0, len(proposals), BATCH):
            Proposal.objects.filter(pk__in=[p.pk for p in proposals[start : start + BATCH]]).update(
                status=status,
                reason=undo.reason,
                decided_at=None if is_undecided else undo.at,
                decided_by="" if is_undecided else undo.actor_label,
                snoozed_until=snoozed_until,
            )
    outcomes = {d.proposal_id: d.conflict_outcome for d in decisions}
    settled = [pk for pk, outcome in outcomes.items() if outcome not in ("", Conflict.Outcome.ASK)]
    conflicts = Conflict.objects.filter(proposal__in=settled)
    for conflict in conflicts.select_related("proposal__fact", "fact", "dispute", "counter_dispute"):
        _reopen_or_close(conflict, outcomes[conflict.proposal_id], undo)


def _link_or_not(became: Mapping[Proposal, Topic]) -> None:
    """Part proposed topics, and what still waits for them, from the topics that they became; or link them again."""
    by_key = {proposal.pk: (proposal, topic) for proposal, topic in became.items()}
    changed = []
    for dependent in Proposal.objects.filter(new_topic__in=list(by_key)):
        proposed, topic = by_key[dependent.new_topic_id]  # type: ignore[index]
        if not proposed.is_open and dependent.topic_id is None:
            dependent.topic = topic
            changed.append(dependent)
        elif proposed.is_open and dependent.topic_id == topic.pk and dependent.status != Proposal.Status.APPROVED:
            dependent.topic = None
            changed.append(dependent)
    for proposal, topic in became.items():
        proposal.topic = None if proposal.is_open else topic
    Proposal.objects.bulk_update([*became, *changed], ["topic"], batch_size=BATCH)


def _reopen_or_close(conflict: Conflict, outcome: str, undo: ChangeSet) -> None:
    proposal = conflict.proposal
    held_as = taken_as(proposal) if proposal.is_held or not proposal.is_open else None
    if proposal.is_open:
        conflict.status, conflict.outcome, conflict.resolved_at = Conflict.Status.OPEN, "", None
        conflict.fact_version = conflict.fact.version
    else:
        conflict.status, conflict.outcome, conflict.resolved_at = Conflict.Status.RESOLVED, outcome, undo.at
    conflict.save()
    for dispute in conflict.disputes:
        became = held_as if dispute == conflict.dispute else None
        if proposal.is_open:
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
