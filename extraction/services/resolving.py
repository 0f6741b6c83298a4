"""Settling conflicts in the open: replace, keep, both, neither or ask, never by silently overwriting."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from extraction.models import Confirmation, Conflict, Decision, Proposal
from extraction.services.conflicts import close_conflict, keep_held, standing_fact
from extraction.services.decisions import (
    FACT_EDITS,
    Edits,
    check_edits,
    commit_proposal,
    lock_open,
    record_decision,
)
from topics.changes import Actor, change_set, savepoint
from topics.errors import InvalidInput, MemoryRefusal, Stale, WrongState
from topics.models import ChangeSet, Fact, Space
from topics.services.statements import (
    edit_fact,
    retract_fact,
    supersede_fact,
)
from topics.text.clean import storable_text, storable_time


def resolve_conflict(
    *,
    conflict: Conflict,
    actor: Actor,
    outcome: str,
    reason: str = "",
    valid_until: datetime | None = None,
    scope: str = "",
    seen_version: int | None = None,
    edits: Edits | None = None,
    question: str = "",
) -> ChangeSet:
    """Settle a conflict: replace, keep, both, neither, or ask (which leaves it open with a question to the customer).

    For "both", `valid_until` says until when the held fact was true, or `scope` where the new one holds. `seen_version`
    is the version of the held fact that the caller looked at. Raises Stale when the fact has moved on since, WrongState
    when the conflict is settled already, InvalidInput for an outcome that does not fit.
    """
    if outcome not in Conflict.Outcome.values:
        problem = _("Choose replace, keep, both, neither or ask.")
        raise InvalidInput(problem, fields={"outcome": [problem]})
    if outcome == Conflict.Outcome.BOTH and not (valid_until or scope.strip()):
        problem = _("Say until when the held statement was true, or where the new one holds.")
        raise InvalidInput(problem, fields={"valid_until": [problem]})
    if valid_until is not None:
        storable_time(valid_until, field="valid_until")
    storable_text(scope, field="scope", limit=200, blank=True)
    edits = check_edits(edits or {})
    with change_set(space=conflict.space, actor=actor, action="resolve_conflict", reason=reason) as change:
        proposal = lock_open(conflict.proposal_id)
        conflict = (
            Conflict.objects.select_for_update(of=("self",)).select_related("fact", "dispute").get(pk=conflict.pk)
        )
        if conflict.status != Conflict.Status.OPEN:
            raise WrongState(_("This conflict is settled already."), code="resolved")
        if seen_version is not None and conflict.fact.version != seen_version:
            raise Stale(_("The held statement has changed in the meantime. Look at it again, then decide."))
        if outcome == Conflict.Outcome.ASK:
            _ask(conflict, proposal, question)
            conflict.outcome = outcome
            conflict.save(update_fields=["outcome"])
            # The proposal stays where it is; the step is noted so that the question can be taken back.
            Decision.objects.create(
                proposal=proposal,
                change_set=change.row,
                before=proposal.status,
                after=proposal.status,
                conflict_outcome=outcome,
                snoozed_before=proposal.snoozed_until,
                snoozed_after=proposal.snoozed_until,
                at=change.at,
            )
            return change.row
        apply = _settle_held if proposal.is_held else _apply
        apply(conflict, proposal, actor, outcome, valid_until, scope.strip(), edits)
        taken = outcome in (Conflict.Outcome.REPLACE, Conflict.Outcome.BOTH)
        record_decision(
            change=change,
            proposals=[proposal],
            status=Proposal.Status.APPROVED if taken else Proposal.Status.REJECTED,
            reason=reason,
            outcome=outcome,
            edits=edits,
        )
        close_conflict(conflict, outcome, valid_until, scope.strip())
        return change.row


def settle_by_policy(*, conflict: Conflict, actor: Actor) -> None:
    """Do what the space's conflict policy says: nothing (a person decides), newest wins, or ask.

    Needs an open change set. What the policy cannot do is left to a person, with nothing of it done.
    """
    policy = conflict.space.conflict_policy
    if policy == Space.ConflictPolicy.REVIEW:
        return
    outcome, reason = Conflict.Outcome.ASK, ""
    if policy == Space.ConflictPolicy.NEWEST:
        said, held = conflict.proposal.said_at, conflict.fact.said_at
        newer = held is None or said is None or said >= held
        outcome = Conflict.Outcome.REPLACE if newer else Conflict.Outcome.KEEP
        reason = _("The newest statement wins.")
    with suppress(MemoryRefusal), savepoint():
        resolve_conflict(conflict=conflict, actor=actor, outcome=outcome, reason=reason)


def answer_confirmation(
    *, confirmation: Confirmation, actor: Actor, answer: str, message: Any = None
) -> ChangeSet | None:
    """Settle a conflict by its user's answer: yes replaces, no keeps, anything else leaves it to a person.

    `message` is the stored message in which the user answered, if there is one. Raises WrongState when it was answered.
    """
    if answer not in Confirmation.Answer.values:
        problem = _("Answer yes, no or other.")
        raise InvalidInput(problem, fields={"answer": [problem]})
    with change_set(
        space=confirmation.space, actor=actor, action="answer_confirmation", reason=confirmation.question
    ) as change:
        confirmation = Confirmation.objects.select_for_update(of=("self",)).get(pk=confirmation.pk)
        if confirmation.status != Confirmation.Status.OPEN:
            raise WrongState(_("This question was answered already."), code="answered")
        confirmation.status, confirmation.answer = Confirmation.Status.ANSWERED, answer
        confirmation.message, confirmation.answered_at = message, change.at
        confirmation.save()
        outcomes: dict[str, str] = {
            Confirmation.Answer.YES: Conflict.Outcome.REPLACE,
            Confirmation.Answer.NO: Conflict.Outcome.KEEP,
        }
        if answer in outcomes:
            resolve_conflict(conflict=confirmation.conflict, actor=actor, outcome=outcomes[answer])
        else:
            Conflict.objects.filter(pk=confirmation.conflict_id).update(outcome="")
        return change.written


def question_for(conflict: Conflict) -> str:
    """The question that would settle the conflict, in the language of the new statement."""
    proposal = conflict.proposal
    chinese = any("\u4e00" <= char <= "\u9fff" for char in proposal.text)
    with override("zh-hans" if chinese else "en"):
        return _("I have noted: “%(held)s” Is this right now: “%(proposed)s”?") % {
            "held": conflict.fact.text,
            "proposed": proposal.text,
        }


def _ask(conflict: Conflict, proposal: Proposal, question: str) -> None:
    if conflict.confirmations.filter(status=Confirmation.Status.OPEN).exists():
        raise WrongState(_("The customer is being asked already."), code="asked")
    Confirmation.objects.create(
        space=conflict.space, conflict=conflict, question=question.strip() or question_for(conflict)
    )


def _apply(
    conflict: Conflict,
    proposal: Proposal,
    actor: Actor,
    outcome: str,
    valid_until: datetime | None,
    scope: str,
    edits: Edits | None,
) -> None:
    held = Fact.objects.get(pk=conflict.fact_id)
    if outcome == Conflict.Outcome.NEITHER and held.status == Fact.Status.ACTIVE:
        retract_fact(fact=held, actor=actor)
    held = standing_fact(held)
    is_active = held.status == Fact.Status.ACTIVE
    if outcome == Conflict.Outcome.REPLACE:
        new = commit_proposal(proposal=proposal, actor=actor, edits=edits)
        if is_active and new.pk == held.pk:
            # The same words, only firmer than before.
            edit_fact(fact=held, actor=actor, changes={"certainty": proposal.certainty})
        elif is_active:
            supersede_fact(fact=held, by=new, actor=actor, valid_until=valid_until)
    elif outcome == Conflict.Outcome.BOTH:
        commit_proposal(proposal=proposal, actor=actor, edits={**(edits or {}), "scope": scope} if scope else edits)
        if is_active and valid_until is not None:
            edit_fact(fact=held, actor=actor, changes={"valid_until": valid_until})


def _settle_held(
    conflict: Conflict,
    proposal: Proposal,
    actor: Actor,
    outcome: str,
    valid_until: datetime | None,
    scope: str,
    edits: Edits | None,
) -> None:
    """Between two facts that a merge brought together: the one that does not stand is superseded by the other."""
    held = standing_fact(Fact.objects.get(pk=conflict.fact_id))
    other = standing_fact(Fact.objects.get(pk=proposal.fact_id))
    are_current = held.status == other.status == Fact.Status.ACTIVE and held.pk != other.pk
    if outcome == Conflict.Outcome.NEITHER:
        for fact in {held.pk: held, other.pk: other}.values():
            if fact.status == Fact.Status.ACTIVE:
                retract_fact(fact=fact, actor=actor)
    elif outcome == Conflict.Outcome.KEEP:
        keep_held(conflict, actor)
    elif outcome in (Conflict.Outcome.REPLACE, Conflict.Outcome.BOTH):
        changes = {name: value for name, value in (edits or {}).items() if name in FACT_EDITS}
        if scope:
            changes["scope"] = scope
        if changes and other.status == Fact.Status.ACTIVE:
            other = edit_fact(fact=other, actor=actor, changes=changes)
        if outcome == Conflict.Outcome.REPLACE and are_current:
            supersede_fact(fact=held, by=other, actor=actor, valid_until=valid_until)
        elif valid_until is not None and held.status == Fact.Status.ACTIVE:
            edit_fact(fact=held, actor=actor, changes={"valid_until": valid_until})
