"""Deciding proposals: approve (as it is or edited), reject, snooze; one or many, in one change set, a result each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from extraction.models import DISCOVERY, Conflict, Decision, Proposal, ProposalQuote
from extraction.selectors.staleness import summary_at_filing
from extraction.services.conflicts import close_as_kept, open_conflict
from extraction.services.giving_back import give_back
from extraction.services.reconcile import Claim, contradict, judge, load_held
from extraction.services.turns import messages_behind, review_turns
from topics.changes import Actor, OpenChange, change_set, savepoint
from topics.errors import InvalidInput, MemoryRefusal, NameTaken, NotFound, WrongState
from topics.models import ChangeSet, Fact, Space, TimelineEntry, Topic
from topics.models.statement import Origin
from topics.selectors.topics import resolve_topic, standing_topic, topic_by_id, topic_by_name, topics_by_name
from topics.services.statements import (
    EntryDraft,
    FactDraft,
    Span,
    check_fields,
    commit_entries,
    commit_facts,
    in_new_words,
    words_of,
)
from topics.services.summaries import SentenceDraft, write_summary
from topics.services.topics import add_alias, archive_topic, create_topic, update_topic
from topics.text.clean import clean_name

Edits = dict[str, Any]

OPEN = (Proposal.Status.PENDING, Proposal.Status.SNOOZED)
FACT_EDITS = (
    "text",
    "kind",
    "attribute",
    "value",
    "unit",
    "negated",
    "certainty",
    "valid_from",
    "valid_until",
    "scope",
)
ENTRY_EDITS = ("text", "happened_at", "precision", "certainty")
OTHER_EDITS = ("topic", "topic_name", "topic_kind", "alias")
# The code of what contradicts another statement of the same selection.
RIVAL = "rival"
TIMES = ("valid_from", "valid_until", "happened_at")


@dataclass(slots=True)
class Result:
    """What became of one proposal: `status` is its status now, or "conflict" or "error" with `code` and `message`."""

    id: str
    status: str
    code: str = ""
    message: str = ""
    fact: Fact | None = None
    entry: TimelineEntry | None = None
    topic: Topic | None = None


@dataclass(slots=True)
class Decided:
    """What a decision did: a result for each id in the order asked, and the change set (None when nothing changed)."""

    results: list[Result] = field(default_factory=list)
    change_set: ChangeSet | None = None


def decide_proposals(
    *,
    space: Space,
    actor: Actor,
    ids: Sequence[Any],
    decision: str,
    reason: str = "",
    edits: Edits | None = None,
    snooze_until: datetime | None = None,
    seen_version: int | None = None,
) -> Decided:
    """Approve, reject or snooze proposals of a space, as one change set.

    Every id gets a result: one that is unknown, decided already or in conflict is told so and does not stop the others.
    One that would replace what has changed since it was filed is "stale", unless `seen_version` says that the caller
    looked at the document as it is now. `edits` (FACT_EDITS, ENTRY_EDITS, OTHER_EDITS) apply to each and need the
    decision "approve". Raises InvalidInput for an unknown decision or edits that make no sense; then nothing is done.
    """
    check_decision(decision, snooze_until)
    edits = check_edits(edits or {})
    with change_set(space=space, actor=actor, action=f"{decision}_proposals", reason=reason) as change:
        found = _lock(space, ids)
        results: dict[str, Result] = {}
        usable = []
        for pk in dict.fromkeys(map(str, ids)):
            proposal = found.get(pk)
            if proposal is None:
                results[pk] = Result(pk, "error", "not_found", _("There is no such proposal."))
            elif not proposal.is_open:
                text = _("Decided already by %(who)s.") % {"who": proposal.decided_by or "?"}
                results[pk] = Result(pk, "error", "decided", text)
            else:
                usable.append(proposal)
        if decision == "approve":
            done = approve_anew(
                change=change, actor=actor, proposals=usable, edits=edits, reason=reason, seen_version=seen_version
            )
        elif decision == "reject":
            done = _reject(change, usable, reason)
        else:
            done = _snooze(change, usable, snooze_until, reason)
        results |= {r.id: r for r in done}
        return Decided([results[pk] for pk in dict.fromkeys(map(str, ids))], change.written)


def check_decision(decision: str, snooze_until: datetime | None) -> None:
    """Raises InvalidInput for an unknown decision, and for snoozing until nothing or a moment that is past."""
    if decision not in ("approve", "reject", "snooze"):
        problem = _("Choose approve, reject or snooze.")
        raise InvalidInput(problem, fields={"decision": [problem]})
    if decision == "snooze" and (snooze_until is None or snooze_until <= timezone.now()):
        problem = _("Choose a time in the future.")
        raise InvalidInput(problem, fields={"snooze_until": [problem]})


def foresee(proposals: Sequence[Proposal]) -> list[Result]:
    """The refusals that approving these open proposals as they are would meet now. Writes nothing."""
    _adopt_standing_topics(proposals)
    refused = _refusals(proposals, {}, None)
    contested = _contested([p for p in proposals if refused[p.pk] is None], {}, is_trial=True)
    found = [refused[p.pk] or contested.get(p.pk) for p in proposals]
    return [refusal for refusal in found if refusal is not None]


def approve_waiting(
    *, change: OpenChange, actor: Actor, proposals: Sequence[Proposal], edits: Edits | None = None, reason: str = ""
) -> list[Result]:
    """Approve proposals that were judged against the documents in this same transaction."""
    edits = edits or {}
    results = _approve_topics(change, actor, proposals, edits, reason)
    others = [p for p in proposals if p.kind != Proposal.Kind.TOPIC]
    results += _commit_statements(change, actor, others, edits, reason)
    for proposal in others:
        if proposal.kind not in (Proposal.Kind.FACT, Proposal.Kind.TIMELINE):
            results.append(_apply_to_topic(change, actor, proposal, edits, reason))
    return results


def commit_proposal(*, proposal: Proposal, actor: Actor, edits: Edits | None = None) -> Fact:
    """Commit the fact of one proposal, for a conflict that is being settled. The decision is recorded by the caller."""
    fact = commit_facts(space=proposal.space, actor=actor, drafts=[fact_draft(proposal, actor, edits)])[0]
    proposal.fact = fact
    proposal.save(update_fields=["fact"])
    return fact


def is_in_order(proposal: Proposal, edits: Edits | None = None) -> bool:
    """Whether the statement begins before it ends, as far as either is said."""
    begins = (edits or {}).get("valid_from", proposal.valid_from)
    ends = (edits or {}).get("valid_until", proposal.valid_until)
    return begins is None or ends is None or begins <= ends


def lock_open(pk: Any) -> Proposal:
    """The open proposal, held until the transaction ends. Raises WrongState when it is decided already."""
    proposal = Proposal.objects.select_for_update(no_key=True, of=("self",)).select_related("space", "topic").get(pk=pk)
    if not proposal.is_open:
        raise WrongState(_("Decided already by %(who)s.") % {"who": proposal.decided_by or "?"}, code="decided")
    return proposal


def record_decision(
    *,
    change: OpenChange,
    proposals: Sequence[Proposal],
    status: str,
    reason: str = "",
    outcome: str = "",
    edits: Edits | None = None,
    snoozed_until: datetime | None = None,
) -> None:
    """Write the step of each proposal, with what undo needs to take it back."""
    if not proposals:
        return
    Decision.objects.bulk_create(
        Decision(
            proposal=p,
            change_set=change.row,
            before=p.status,
            after=status,
            conflict_outcome=outcome,
            edits=_plain(edits or {}),
            topic=p.topic if p.kind == Proposal.Kind.TOPIC else None,
            snoozed_before=p.snoozed_until,
            snoozed_after=snoozed_until,
            at=change.at,
        )
        for p in proposals
    )
    for proposal in proposals:
        proposal.status, proposal.reason, proposal.snoozed_until = status, reason, snoozed_until
        proposal.decided_at, proposal.decided_by = change.at, change.actor.label
    Proposal.objects.bulk_update(
        proposals,
        ["status", "reason", "snoozed_until", "decided_at", "decided_by", "topic", "fact", "entry"],
        batch_size=200,
    )
    if status != Proposal.Status.SNOOZED:
        review_turns(change.space, messages_behind(proposals))


def check_edits(edits: Edits) -> Edits:
    """`edits` with times parsed. Raises InvalidInput for an unknown field, choice or time, naming the field."""
    problems: dict[str, list[str]] = {}
    checked = dict(edits)
    for name, value in edits.items():
        if name not in {*FACT_EDITS, *ENTRY_EDITS, *OTHER_EDITS}:
            problems[name] = [_("Unknown field.")]
        elif name in TIMES and isinstance(value, str):
            checked[name] = _parse_time(value)
            if value and checked[name] is None:
                problems[name] = [_("Give date, time and zone, for example 2024-05-08T13:56:00+08:00.")]
        elif name == "topic_kind" and value not in Topic.Kind.values:
            problems[name] = [_("Unknown kind of topic.")]
        elif name in ("topic_name", "alias"):
            checked[name] = clean_name(value, field=name)
    if problems:
        raise InvalidInput(_("Some fields need mending."), fields=problems)
    check_fields(Fact, {k: v for k, v in checked.items() if k in FACT_EDITS})
    check_fields(TimelineEntry, {k: v for k, v in checked.items() if k in ENTRY_EDITS})
    return checked


def _parse_time(value: str) -> datetime | None:
    try:
        return parse_datetime(value) if value else None
    except ValueError:
        return None


def _lock(space: Space, ids: Sequence[Any]) -> dict[str, Proposal]:
    rows = (
        Proposal.objects.select_for_update(no_key=True, of=("self",))
        .filter(space=space, pk__in=[pk for pk in ids if _is_uuid(pk)])
        .select_related("topic", "new_topic", "message", "space")
        .order_by("pk")
    )
    return {str(p.pk): p for p in rows}


def _is_uuid(pk: Any) -> bool:
    try:
        UUID(str(pk))
    except ValueError:
        return False
    return True


def approve_anew(
    *,
    change: OpenChange,
    actor: Actor,
    proposals: Sequence[Proposal],
    edits: Edits | None = None,
    reason: str = "",
    seen_version: int | None = None,
) -> list[Result]:
    """Approve after looking again: the document may have moved on since a proposal was filed."""
    edits = edits or {}
    results, sound = [], []
    _adopt_standing_topics(proposals)
    refused = _refusals(proposals, edits, seen_version)
    contested = _contested([p for p in proposals if refused[p.pk] is None], edits)
    for proposal in proposals:
        refusal = refused[proposal.pk] or contested.get(proposal.pk)
        if refusal is not None:
            results.append(refusal)
        else:
            sound.append(proposal)
    results += approve_waiting(change=change, actor=actor, proposals=sound, edits=edits, reason=reason)
    return _put_against_what_is_held_now(proposals, edits, results)


def _put_against_what_is_held_now(
    proposals: Sequence[Proposal], edits: Edits, results: Sequence[Result]
) -> list[Result]:
    """`results`, where what contradicted another one of the selection is a conflict with it, now that it is held."""
    rivals = {result.id for result in results if result.code == RIVAL}
    again = [proposal for proposal in proposals if str(proposal.pk) in rivals]
    if not again:
        return list(results)
    _adopt_standing_topics(again)
    opened = {str(pk): result for pk, result in _contested(again, edits).items()}
    return [opened.get(result.id, result) for result in results]


def _adopt_standing_topics(proposals: Sequence[Proposal]) -> None:
    """A topic that was only proposed may have been made by somebody else since: its statements belong there."""
    waiting = [p for p in proposals if p.new_topic is not None and p.topic is None]
    if waiting:
        names = {p.new_topic.topic_name for p in waiting if p.new_topic is not None}
        standing = topics_by_name(waiting[0].space, sorted(names))
        for proposal in waiting:
            proposal.topic = standing.get(proposal.new_topic.topic_name) if proposal.new_topic else None


def _contested(proposals: Sequence[Proposal], edits: Edits, *, is_trial: bool = False) -> dict[Any, Result]:
    """Proposals that contradict what is held now, or one another: they need an outcome, not an approval.

    A conflict is opened for each of the former, unless this is only a trial.
    """
    standing = Conflict.objects.filter(proposal__in=[p.pk for p in proposals], status=Conflict.Status.OPEN)
    contested = {c.proposal_id: _conflict_result(c.proposal_id, c.fact) for c in standing.select_related("fact")}
    facts = [p for p in proposals if p.kind == Proposal.Kind.FACT and p.pk not in contested]
    claims = {p.pk: _claim(p, edits) for p in facts}
    held = load_held([c for c in claims.values() if c.topic_id is not None])
    accepted: dict[Any, list[Claim]] = defaultdict(list)
    # What was said first is held, and what was said later put against it, whatever the order of the selection.
    for proposal in sorted(facts, key=lambda p: (p.said_at is None, p.said_at or p.created_at, p.pk)):
        claim = claims[proposal.pk]
        verdict = judge(claim, held) if claim.topic_id is not None else None
        if verdict is not None and verdict.relation in ("conflict", "outranked") and verdict.fact is not None:
            if not is_trial:
                open_conflict(proposal=proposal, fact=verdict.fact, why=verdict.why)
                review_turns(proposal.space, messages_behind([proposal]))
            contested[proposal.pk] = _conflict_result(proposal.pk, verdict.fact)
            continue
        beside = accepted[claim.topic_id or proposal.new_topic_id]
        if any(contradict(claim, other) for other in beside):
            text = _("Another statement of this selection gives a different value: this becomes a conflict with it.")
            contested[proposal.pk] = Result(str(proposal.pk), "error", RIVAL, text)
        else:
            beside.append(claim)
    return contested


def _conflict_result(pk: Any, held: Fact) -> Result:
    text = _("This contradicts what is held: “%(held)s”") % {"held": held.text}
    return Result(str(pk), "conflict", "conflict", text)


def _refusals(proposals: Sequence[Proposal], edits: Edits, seen_version: int | None) -> dict[Any, Result | None]:
    """By key, why each of them cannot be approved; None where nothing is in the way."""
    unquoted = _unquoted(proposals, edits)
    return {
        p.pk: _refusal_of_topic(p, edits)
        or _refusal_of_dates(p, edits)
        or (_refusal_without_quotes(p) if p.pk in unquoted else None)
        or _refusal_of_the_stale(p, seen_version)
        for p in proposals
    }


def _unquoted(proposals: Sequence[Proposal], edits: Edits) -> set[Any]:
    """Those that would be held in an extractor's words with nothing left that was quoted for them.

    Those in an open conflict are left out: what becomes of them is decided there.
    """
    statements = {
        p.pk
        for p in proposals
        if p.kind in (Proposal.Kind.FACT, Proposal.Kind.TIMELINE) and edits.get("text", p.text) == p.text
    }
    unquoted = statements - set(
        ProposalQuote.objects.filter(proposal__in=statements).values_list("proposal_id", flat=True)
    )
    if unquoted:
        contested = Conflict.objects.filter(proposal__in=unquoted, status=Conflict.Status.OPEN)
        unquoted -= set(contested.values_list("proposal_id", flat=True))
    return unquoted


def _refusal_without_quotes(proposal: Proposal) -> Result:
    text = _("No fact without evidence, unless a person wrote it.")
    return Result(str(proposal.pk), "error", InvalidInput.code, text)


def _refusal_of_topic(proposal: Proposal, edits: Edits) -> Result | None:
    if proposal.topic is None or edits.get("topic") or proposal.kind == Proposal.Kind.TOPIC:
        return None
    survivor = standing_topic(proposal.topic)
    if survivor is None:
        text = _("The topic was deleted. Choose another topic.")
        return Result(str(proposal.pk), "error", "topic_gone", text)
    proposal.topic = survivor
    return None


def _refusal_of_dates(proposal: Proposal, edits: Edits) -> Result | None:
    if is_in_order(proposal, edits):
        return None
    return Result(str(proposal.pk), "error", InvalidInput.code, _("It cannot end before it begins."))


def _refusal_of_the_stale(proposal: Proposal, seen_version: int | None) -> Result | None:
    """A summary takes the place of another, and archiving puts a whole document away: neither is done to what the
    reviewer has not seen. What other proposals bring is added beside what is held, or is in conflict with it."""
    topic = proposal.topic
    if topic is None or proposal.kind not in (Proposal.Kind.SUMMARY, Proposal.Kind.ARCHIVE):
        return None
    if seen_version is not None:
        is_stale = topic.document_version != seen_version
    elif proposal.kind == Proposal.Kind.SUMMARY:
        is_stale = topic.document_version != proposal.base_version and summary_at_filing(proposal) != topic.summary
    else:
        is_stale = topic.document_version != proposal.base_version
    if not is_stale:
        return None
    text = _("The topic has changed since this was proposed. Look at it again, then decide.")
    return Result(str(proposal.pk), "error", "stale", text)


def _claim(proposal: Proposal, edits: Edits) -> Claim:
    target = _target(proposal, edits)
    edits = in_new_words(proposal.text, edits)
    return Claim(
        topic_id=target.pk if target else None,
        text=edits.get("text", proposal.text),
        attribute=edits.get("attribute", proposal.attribute),
        value=edits.get("value", proposal.value),
        unit=edits.get("unit", proposal.unit),
        negated=edits.get("negated", proposal.negated),
        certainty=edits.get("certainty", proposal.certainty),
        said_at=timezone.now() if edits else proposal.said_at,
    )


def _target(proposal: Proposal, edits: Edits) -> Topic | None:
    """The topic it goes to: the one the reviewer chose, its own, or that of its proposed topic (None until then)."""
    if edits.get("topic"):
        topic = resolve_topic(proposal.space, str(edits["topic"]))
        if topic is None:
            problem = _("There is no such topic.")
            raise InvalidInput(problem, fields={"topic": [problem]})
        return topic
    if proposal.topic is not None:
        return proposal.topic
    return standing_topic(proposal.new_topic.topic) if proposal.new_topic else None


def _approve_topics(
    change: OpenChange, actor: Actor, proposals: Sequence[Proposal], edits: Edits, reason: str
) -> list[Result]:
    """Create the proposed topics, those asked for and those that an approved statement needs."""
    asked = {p.pk: p for p in proposals if p.kind == Proposal.Kind.TOPIC}
    needed = {
        p.new_topic.pk
        for p in proposals
        if p.new_topic is not None and (p.topic is None or p.new_topic.is_open) and not edits.get("topic")
    }
    rows = Proposal.objects.select_for_update(no_key=True, of=("self",)).select_related("space").order_by("pk")
    others = {p.pk: p for p in rows.filter(pk__in=needed - set(asked))}
    results = []
    approved = []
    for proposal in [*asked.values(), *others.values()]:
        proposal.topic = standing_topic(proposal.topic)
        if proposal.topic is None:
            proposal.topic = _topic_of(proposal, actor, edits if proposal.pk in asked else {})
        if proposal.is_open:
            approved.append(proposal)
        results.append(Result(str(proposal.pk), Proposal.Status.APPROVED, topic=proposal.topic))
    record_decision(change=change, proposals=approved, status=Proposal.Status.APPROVED, reason=reason)
    created = {p.pk: p.topic for p in [*asked.values(), *others.values()]}
    for pk, topic in created.items():
        Proposal.objects.filter(new_topic=pk, topic=None).update(topic=topic)
    for proposal in proposals:
        if proposal.topic is None and proposal.new_topic_id in created:
            proposal.topic = created[proposal.new_topic_id]
    return [r for r in results if r.id in {str(pk) for pk in asked}]


def _topic_of(proposal: Proposal, actor: Actor, edits: Edits) -> Topic:
    name = edits.get("topic_name") or proposal.topic_name
    standing = topic_by_name(proposal.space, name)
    if standing is not None:
        return standing
    try:
        with savepoint():
            return create_topic(
                space=proposal.space, actor=actor, name=name, kind=edits.get("topic_kind") or proposal.topic_kind
            )
    except NameTaken as taken:
        topic = topic_by_id(proposal.space, taken.details["topic"])
        if topic is None:
            raise
        return topic


def _commit_statements(
    change: OpenChange, actor: Actor, proposals: Sequence[Proposal], edits: Edits, reason: str
) -> list[Result]:
    facts = [p for p in proposals if p.kind == Proposal.Kind.FACT]
    entries = [p for p in proposals if p.kind == Proposal.Kind.TIMELINE]
    quotes = _spans([*facts, *entries])
    drafts = [fact_draft(p, actor, edits, quotes[p.pk]) for p in facts]
    for proposal, fact in zip(facts, commit_facts(space=change.space, actor=actor, drafts=drafts), strict=True):
        proposal.fact = fact
    entry_drafts = [_entry_draft(p, actor, edits, quotes[p.pk]) for p in entries]
    committed = commit_entries(space=change.space, actor=actor, drafts=entry_drafts)
    for proposal, entry in zip(entries, committed, strict=True):
        proposal.entry = entry
    decided = [*facts, *entries]
    record_decision(change=change, proposals=decided, status=Proposal.Status.APPROVED, reason=reason, edits=edits)
    return [Result(str(p.pk), p.status, fact=p.fact, entry=p.entry, topic=p.topic) for p in decided]


def _spans(proposals: Sequence[Proposal]) -> dict[Any, list[Span]]:
    spans: dict[Any, list[Span]] = {p.pk: [] for p in proposals}
    for quote in ProposalQuote.objects.filter(proposal__in=list(spans)).select_related("message"):
        spans[quote.proposal_id].append(Span(quote.message, quote.start, quote.end))
    return spans


def fact_draft(
    proposal: Proposal, actor: Actor, edits: Edits | None = None, spans: Sequence[Span] | None = None
) -> FactDraft:
    """The fact that a proposal becomes with these edits. Raises NotFound when its topic is gone."""
    edits = edits or {}
    target = _target(proposal, edits)
    if target is None:
        raise NotFound(_("The topic of this proposal is gone."))
    content = {name: getattr(proposal, name) for name in FACT_EDITS if name not in ("kind", "scope")}
    content |= {"kind": proposal.fact_kind or Fact.Kind.FACT, "scope": ""}
    content |= {k: v for k, v in in_new_words(proposal.text, edits).items() if k in FACT_EDITS}
    return FactDraft(
        topic=target,
        speaker=proposal.speaker,
        said_at=proposal.said_at,
        spans=_spans([proposal])[proposal.pk] if spans is None else spans,
        origin=_origin(proposal, actor, edits),
        corrected=actor.is_person and any(k in FACT_EDITS for k in edits),
        **content,
    )


def _entry_draft(proposal: Proposal, actor: Actor, edits: Edits, spans: Sequence[Span]) -> EntryDraft:
    target = _target(proposal, edits)
    if target is None:
        raise NotFound(_("The topic of this proposal is gone."))
    content = {name: getattr(proposal, name) for name in ENTRY_EDITS}
    content |= {k: v for k, v in edits.items() if k in ENTRY_EDITS}
    return EntryDraft(
        topic=target,
        speaker=proposal.speaker,
        said_at=proposal.said_at,
        origin=_origin(proposal, actor, edits),
        spans=spans,
        **content,
    )


def _origin(proposal: Proposal, actor: Actor, edits: Edits) -> Origin:
    """Whose words the approved statement is in."""
    return Origin.EXTRACTED if edits.get("text", proposal.text) == proposal.text else words_of(actor)


def _apply_to_topic(change: OpenChange, actor: Actor, proposal: Proposal, edits: Edits, reason: str) -> Result:
    """An alias, a summary or an archive: a change of the topic itself."""
    target = _target(proposal, edits)
    pk = str(proposal.pk)
    try:
        if target is None:
            raise NotFound(_("The topic of this proposal is gone."))
        with savepoint():
            if proposal.kind == Proposal.Kind.ALIAS:
                add_alias(topic=target, actor=actor, name=edits.get("alias") or proposal.alias)
            elif proposal.kind == Proposal.Kind.SUMMARY:
                _apply_summary(target, proposal, actor, edits)
            elif proposal.kind == Proposal.Kind.ARCHIVE:
                archive_topic(topic=target, actor=actor)
            else:
                raise WrongState(_("This kind of proposal cannot be approved yet."))
    except MemoryRefusal as refusal:
        return Result(pk, "error", refusal.code, refusal.message)
    record_decision(change=change, proposals=[proposal], status=Proposal.Status.APPROVED, reason=reason, edits=edits)
    return Result(pk, proposal.status, topic=target)


def _apply_summary(topic: Topic, proposal: Proposal, actor: Actor, edits: Edits) -> None:
    """In the words of a person it is that person's; as it was made from facts, it stays traceable to them."""
    text = edits.get("text", proposal.text)
    if proposal.sentences and text == proposal.text:
        sentences = [SentenceDraft(s["text"], tuple(map(UUID, s["facts"]))) for s in proposal.sentences]
        write_summary(topic=topic, actor=actor, sentences=sentences)
    else:
        update_topic(topic=topic, actor=actor, summary=text)


def _reject(change: OpenChange, proposals: Sequence[Proposal], reason: str) -> list[Result]:
    """Reject; with a proposed topic go the statements that wait for it, unless it was only found to group them."""
    give_back([p for p in proposals if p.extractor == DISCOVERY])
    topics = [p.pk for p in proposals if p.kind == Proposal.Kind.TOPIC]
    dependents = Proposal.objects.select_for_update(no_key=True, of=("self",)).filter(
        Q(new_topic__in=topics), topic=None, status__in=OPEN
    )
    everything = {p.pk: p for p in [*proposals, *dependents]}
    conflicts = Conflict.objects.filter(proposal__in=list(everything), status=Conflict.Status.OPEN)
    contested = {c.proposal_id: c for c in conflicts.select_related("dispute", "counter_dispute", "fact", "proposal")}
    plain = [p for p in everything.values() if p.pk not in contested]
    record_decision(change=change, proposals=plain, status=Proposal.Status.REJECTED, reason=reason)
    record_decision(
        change=change,
        proposals=[p for p in everything.values() if p.pk in contested],
        status=Proposal.Status.REJECTED,
        reason=reason,
        outcome=Conflict.Outcome.KEEP,
    )
    if contested:
        close_as_kept(list(contested.values()), change.row, change.actor)
    return [Result(str(p.pk), p.status) for p in proposals]


def _snooze(change: OpenChange, proposals: Sequence[Proposal], until: datetime | None, reason: str) -> list[Result]:
    record_decision(
        change=change, proposals=proposals, status=Proposal.Status.SNOOZED, reason=reason, snoozed_until=until
    )
    return [Result(str(p.pk), p.status) for p in proposals]


def _plain(edits: Edits) -> dict[str, Any]:
    return {k: v.isoformat() if isinstance(v, datetime) else v for k, v in edits.items()}
