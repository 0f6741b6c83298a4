"""Settling conflicts in the open: replace, keep, both, neither or ask, never by silently overwriting."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import formats
from django.utils.translation import gettext as _

from extraction.models import Confirmation, Conflict, Decision, Proposal
from extraction.selectors.chronology import is_older
from extraction.services.conflicts import close_conflict, keep_held, standing_fact
from extraction.services.decisions import (
    FACT_EDITS,
    Decided,
    Edits,
    Result,
    check_edits,
    commit_proposal,
    lock_open,
    record_decision,
)
from extraction.services.earlier import hold_as_earlier, may_be_earlier
from extraction.services.questions import question_for
from topics.changes import Actor, OpenChange, change_set, savepoint
from topics.errors import InvalidInput, MemoryRefusal, Stale, WrongState
from topics.models import ChangeSet, Fact, Message, Space, Topic
from topics.models.statement import Certainty
from topics.services.statements import (
    Span,
    add_evidence,
    edit_fact,
    retract_fact,
    supersede_fact,
)
from topics.text.clean import storable_text, storable_time

LONGEST_ANSWER = 500  # characters of an answer that are quoted as evidence


def resolve_conflict(
    *,
    conflict: Conflict,
    actor: Actor,
    outcome: str,
    reason: str = "",
    valid_until: datetime | None = None,
    scope: str = "",
    seen_version: int | None = None,
    seen_fact: Any = None,
    edits: Edits | None = None,
    question: str = "",
    never_true: bool = False,
) -> ChangeSet:
    """Settle a conflict: replace, keep, both, neither, or ask (which leaves it open with a question to the customer).

    "Keep" rejects the new statement, unless that is older than what is held: then it is held as what was true before,
    unless it is `never_true`. For "both", `valid_until` says until when the held fact was true, or
    `scope` where the new one holds; the end is not before it began, nor before the day on which it was said to hold.

    What is held is the fact of the conflict, or what stands in its place by now
    (`standing_fact`); `seen_version` is its version when the caller looked at it, `seen_fact` its id where it is
    another than the conflict's. Raises Stale when it has moved on since, WrongState when the conflict is settled
    already, InvalidInput for an outcome that does not fit.
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
            Conflict.objects.select_for_update(no_key=True, of=("self",))
            .select_related("fact", "dispute")
            .get(pk=conflict.pk)
        )
        if conflict.status != Conflict.Status.OPEN:
            raise WrongState(_("This conflict is settled already."), code="resolved")
        held = standing_fact(conflict.fact)
        if seen_version is not None and (str(held.pk), held.version) != (
            str(seen_fact or conflict.fact_id),
            seen_version,
        ):
            raise Stale(_("The held statement has changed in the meantime. Look at it again, then decide."))
        if outcome == Conflict.Outcome.BOTH and valid_until is not None:
            _check_end(held, valid_until)
        if outcome == Conflict.Outcome.ASK:
            _ask(conflict, proposal, question)
            conflict.outcome = outcome
            conflict.save(update_fields=["outcome"])
            _note_step(change, proposal, outcome)
            return change.row
        taken = outcome in (Conflict.Outcome.REPLACE, Conflict.Outcome.BOTH)
        if outcome == Conflict.Outcome.KEEP and not never_true and may_be_earlier(proposal, held):
            hold_as_earlier(proposal=proposal, held=held, actor=actor)
            taken = True
        else:
            apply = _settle_held if proposal.is_held else _apply
            apply(conflict, proposal, actor, outcome, valid_until, scope.strip(), edits)
        record_decision(
            change=change,
            proposals=[proposal],
            status=Proposal.Status.APPROVED if taken else Proposal.Status.REJECTED,
            reason=reason,
            outcome=outcome,
            edits=edits,
        )
        conflict.proposal = proposal
        close_conflict(conflict=conflict, outcome=outcome, by=change.row, valid_until=valid_until, scope=scope.strip())
        return change.row


def _check_end(held: Fact, valid_until: datetime) -> None:
    """Refuse an end that the held statement cannot have had: before it began, or before the day on which somebody said
    that it holds. A statement about what had ended when it was said may end at any time after its beginning."""
    is_of_the_past = bool(held.said_at and held.valid_until and held.valid_until < held.said_at)
    if held.valid_from and valid_until < held.valid_from:
        problem = _("It cannot end before it begins.")
    elif held.said_at and not is_of_the_past and valid_until < _day_of(held.said_at, held.space):
        day = formats.date_format(_day_of(held.said_at, held.space), "DATE_FORMAT")
        problem = _("It was said to hold on %(day)s, so it was true until then at least.") % {"day": day}
    else:
        return
    raise InvalidInput(problem, fields={"valid_until": [problem]})


def _day_of(moment: datetime, space: Space) -> datetime:
    """The beginning of its day in the zone of the space."""
    return moment.astimezone(ZoneInfo(space.time_zone)).replace(hour=0, minute=0, second=0, microsecond=0)


def settle_many(*, space: Space, actor: Actor, ids: Sequence[Any], outcome: str, reason: str = "") -> Decided:
    """Keep what is held in the open conflicts of these proposals, or ask the customers about them, each as
    `question_for` puts it: as one change set.

    Every id gets a result, or why it was not done; its code is "asked", or "earlier" for what is held as what was true
    before.
    """
    open_ones = Conflict.objects.filter(space=space, proposal__in=ids, status=Conflict.Status.OPEN)
    conflicts = {str(c.proposal_id): c for c in open_ones.select_related("space")}
    results = []
    with change_set(space=space, actor=actor, action="resolve_conflict", reason=reason) as change:
        for pk in dict.fromkeys(map(str, ids)):
            conflict = conflicts.get(pk)
            try:
                if conflict is None:
                    raise WrongState(_("This conflict is settled already."), code="resolved")
                with savepoint():
                    resolve_conflict(conflict=conflict, actor=actor, outcome=outcome, reason=reason)
            except MemoryRefusal as refusal:
                results.append(Result(pk, "error", refusal.code, refusal.message))
            else:
                results.append(_settled_as(pk, outcome))
        return Decided(results, change.written)


def _settled_as(pk: str, outcome: str) -> Result:
    status = Proposal.objects.values_list("status", flat=True).get(pk=pk)
    if outcome == Conflict.Outcome.ASK:
        return Result(pk, status, "asked")
    return Result(pk, status, "earlier" if status == Proposal.Status.APPROVED else "")


def settle_by_policy(*, conflict: Conflict, actor: Actor) -> None:
    """Do what the space's conflict policy says: nothing (a person decides), newest wins, or ask.

    What was said before what is held is nothing to ask about: it is held as what was true then, as where the newest
    wins. Needs an open change set. What the policy cannot do is left to a person, with nothing of it done. So is, where
    the newest wins, a plan or a guess beside something settled that it was said after, and what only a model says to
    contradict.
    """
    policy = conflict.space.conflict_policy
    only_a_model_says_so = conflict.why == "stated" and conflict.proposal.job_id is not None
    if policy == Space.ConflictPolicy.REVIEW or (policy == Space.ConflictPolicy.NEWEST and only_a_model_says_so):
        return
    outcome, reason = Conflict.Outcome.ASK, ""
    is_late = is_older(conflict.proposal, conflict.fact)
    if policy == Space.ConflictPolicy.NEWEST or (is_late and not only_a_model_says_so):
        first, last = (conflict.proposal, conflict.fact) if is_late else (conflict.fact, conflict.proposal)
        if not first.certainty == Certainty.CONFIRMED != last.certainty:
            outcome = Conflict.Outcome.KEEP if is_late else Conflict.Outcome.REPLACE
            reason = _("This was said before what is held.") if is_late else _("The newest statement wins.")
        elif policy == Space.ConflictPolicy.NEWEST:
            return
    with suppress(MemoryRefusal), savepoint():
        resolve_conflict(conflict=conflict, actor=actor, outcome=outcome, reason=reason)


def answer_confirmation(
    *, confirmation: Confirmation, actor: Actor, answer: str, message: Message | None = None
) -> ChangeSet:
    """Settle a conflict by its user's answer: yes replaces, no keeps, anything else leaves it to a person.

    `message` is the stored message in which the user answered, if there is one: it backs what holds from now on.
    Raises WrongState when the question was answered or withdrawn, also with its topic; InvalidInput for a message that
    is not a user's.
    """
    if answer not in Confirmation.Answer.values:
        problem = _("Answer yes, no or other.")
        raise InvalidInput(problem, fields={"answer": [problem]})
    if message is not None and message.role != Message.Role.USER:
        problem = _("Only what a user said can be the answer.")
        raise InvalidInput(problem, fields={"message": [problem]})
    with change_set(
        space=confirmation.space, actor=actor, action="answer_confirmation", reason=confirmation.question
    ) as change:
        confirmation = Confirmation.objects.select_for_update(no_key=True, of=("self",)).get(pk=confirmation.pk)
        if confirmation.status == Confirmation.Status.CANCELLED:
            raise WrongState(_("This question was withdrawn: it needs no answer any more."), code="withdrawn")
        if confirmation.status != Confirmation.Status.OPEN:
            raise WrongState(_("This question was answered already."), code="answered")
        topic = confirmation.conflict.fact.topic
        if topic.status == Topic.Status.DELETED:
            raise WrongState(
                _("The topic of this question was deleted: it needs no answer unless the topic comes back."),
                code="withdrawn",
                details={"topic": str(topic.pk)},
            )
        confirmation.status, confirmation.answer = Confirmation.Status.ANSWERED, answer
        confirmation.message, confirmation.answered_at = message, change.at
        confirmation.save()
        outcomes: dict[str, str] = {
            Confirmation.Answer.YES: Conflict.Outcome.REPLACE,
            Confirmation.Answer.NO: Conflict.Outcome.KEEP,
        }
        if answer in outcomes:
            resolve_conflict(conflict=confirmation.conflict, actor=actor, outcome=outcomes[answer])
            _back_with_answer(confirmation, actor)
        else:
            _leave_to_a_person(confirmation, change)
        return change.row


def _back_with_answer(confirmation: Confirmation, actor: Actor) -> None:
    """Add the words of the answer to what holds now: the new fact, or the held one."""
    conflict = Conflict.objects.select_related("proposal__fact", "fact").get(pk=confirmation.conflict_id)
    is_new = confirmation.answer == Confirmation.Answer.YES
    fact = standing_fact((is_new and conflict.proposal.fact) or conflict.fact)
    span = _answer_span(confirmation.message) if confirmation.message else None
    if span is not None and fact.status == Fact.Status.ACTIVE:
        add_evidence(space=confirmation.space, actor=actor, additions=[(fact, [span])])


def _answer_span(message: Message) -> Span | None:
    """The words of the message, without the white space around them; of a long one the beginning."""
    words = message.content.strip()[:LONGEST_ANSWER].rstrip()
    start = message.content.find(words)
    return Span(message, start, start + len(words)) if words else None


def _leave_to_a_person(confirmation: Confirmation, change: OpenChange) -> None:
    """Note the step, so that it can be taken back. The words of the answer are read like those of any message."""
    proposal = lock_open(confirmation.conflict.proposal_id)
    Conflict.objects.filter(pk=confirmation.conflict_id).update(outcome="")
    _note_step(change, proposal, "")


def _note_step(change: OpenChange, proposal: Proposal, outcome: str) -> None:
    """A step that leaves the proposal where it is."""
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


def _ask(conflict: Conflict, proposal: Proposal, question: str) -> None:
    if conflict.confirmations.filter(status=Confirmation.Status.OPEN).exists():
        raise WrongState(_("The customer is being asked already."), code="asked")
    conflict.proposal = proposal
    Confirmation.objects.create(
        space=conflict.space,
        conflict=conflict,
        question=question.strip() or question_for(conflict),
        fact_version=conflict.fact.version,
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
    held = standing_fact(Fact.objects.get(pk=conflict.fact_id))
    if outcome == Conflict.Outcome.NEITHER and held.status == Fact.Status.ACTIVE:
        retract_fact(fact=held, actor=actor)
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
    other = standing_fact(Fact.objects.get(proposals=proposal))
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
