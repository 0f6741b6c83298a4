"""The rows of a conflict: opened when a proposal contradicts what is held, closed when it is settled."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.dispatch import receiver

from extraction.models import Confirmation, Conflict, Decision, Proposal, ProposalQuote
from extraction.services.summary_requests import request_summaries
from topics.changes import Actor
from topics.models import ChangeSet, Evidence, Fact, Topic
from topics.services.statements import close_dispute, open_dispute, supersede_fact
from topics.signals import documents_changed


def open_conflict(*, proposal: Proposal, fact: Fact, why: str) -> Conflict:
    """Put a proposal against the held fact that it contradicts; agents see the fact as disputed from now on.

    So is the fact of a proposal that is held itself. A proposal whose conflict was let go has the same row again.
    """
    request_summaries(space=proposal.space, topics=[fact.topic_id])
    held_as = proposal.fact if proposal.is_held else None
    counter = open_dispute(fact=held_as, said_at=fact.said_at) if held_as is not None else None
    dispute = open_dispute(
        fact=fact, said_at=proposal.said_at, message=proposal.message, claim=proposal.text, became=held_as
    )
    opened = {"fact": fact, "fact_version": fact.version, "dispute": dispute, "counter_dispute": counter, "why": why}
    fresh = {"status": Conflict.Status.OPEN, "outcome": "", "resolved_at": None, "valid_until": None, "scope": ""}
    conflict, _is_new = Conflict.objects.update_or_create(
        proposal=proposal, defaults={"space": proposal.space, **opened, **fresh}
    )
    return conflict


@receiver(documents_changed, dispatch_uid="extraction.let_go_of_conflicts")
def let_go_of_conflicts(sender: Any, change_set: ChangeSet, topics: Collection[Any], **kwargs: Any) -> None:
    """End the conflicts with what the change set retracted: nothing stands there any more that could be contradicted.

    Their proposals wait like any others, and are compared again when they are decided.
    """
    if not Fact.history.filter(change_set=change_set, status=Fact.Status.RETRACTED).exists():
        return
    rows = Conflict.objects.filter(fact__topic__in=topics, status=Conflict.Status.OPEN, proposal__is_held=False)
    for conflict in rows.select_related("fact", "proposal", "dispute", "counter_dispute", "space"):
        if standing_fact(conflict.fact).status == Fact.Status.RETRACTED:
            close_conflict(conflict=conflict, outcome="", by=change_set)


def put_against_held(
    *, fact: Fact, held: Fact, why: str, change_set: ChangeSet, topic: Topic, base_version: int, reason: str
) -> Conflict:
    """Put a fact that is held against another one, both disputed until somebody decides, as a proposal with the words
    behind it: so it is decided like any other. Undoing the change set closes the conflict, for it was none before.

    `reason` says why it waits; `base_version` is that of the document of `topic` in which both stand.
    """
    evidence = list(Evidence.objects.filter(fact=fact, removed_by=None).select_related("message").order_by("id"))
    copied = ("text", "attribute", "value", "unit", "negated", "certainty", "valid_from", "valid_until", "content_key")
    proposal = Proposal.objects.create(
        space_id=fact.space_id,
        kind=Proposal.Kind.FACT,
        topic=topic,
        fact_kind=fact.kind,
        fact=fact,
        is_held=True,
        base_version=base_version,
        speaker=fact.speaker,
        said_at=fact.said_at,
        message=evidence[0].message if evidence else None,
        why=reason,
        fingerprint=hashlib.sha256(f"held\x1f{change_set.pk}\x1f{fact.pk}".encode()).hexdigest(),
        **{name: getattr(fact, name) for name in copied},
    )
    ProposalQuote.objects.bulk_create(
        ProposalQuote(proposal=proposal, message=row.message, start=row.start, end=row.end) for row in evidence
    )
    Decision.objects.create(
        proposal=proposal,
        change_set=change_set,
        before=Proposal.Status.REJECTED,
        after=Proposal.Status.PENDING,
        conflict_outcome=Conflict.Outcome.KEEP,
        at=change_set.at,
    )
    return open_conflict(proposal=proposal, fact=held, why=why)


def close_conflict(
    *, conflict: Conflict, outcome: str, by: ChangeSet, valid_until: datetime | None = None, scope: str = ""
) -> None:
    """Record the outcome, end the dispute and withdraw the question that may still be out."""
    conflict.status, conflict.outcome, conflict.resolved_at = Conflict.Status.RESOLVED, outcome, by.at
    conflict.valid_until, conflict.scope = valid_until, scope
    conflict.save()
    became = taken_as(conflict.proposal)
    close_dispute(dispute=conflict.dispute, outcome=outcome, by=by, became=became)
    if conflict.counter_dispute is not None:
        close_dispute(dispute=conflict.counter_dispute, outcome=outcome, by=by)
    request_summaries(space=conflict.space, topics=[conflict.fact.topic_id])
    conflict.confirmations.filter(status=Confirmation.Status.OPEN).update(status=Confirmation.Status.CANCELLED)


def close_as_kept(conflicts: Sequence[Conflict], by: ChangeSet, actor: Actor) -> None:
    """Settle conflicts whose proposals were rejected: what is held stays, also in place of a proposal that was held."""
    for conflict in conflicts:
        if conflict.proposal.is_held:
            keep_held(conflict, actor)
        close_conflict(conflict=conflict, outcome=Conflict.Outcome.KEEP, by=by)


def taken_as(proposal: Proposal) -> Fact | None:
    """The fact that the proposal of a settled conflict is held as; None where it was turned down."""
    is_taken = proposal.status == Proposal.Status.APPROVED
    return proposal.fact if is_taken or proposal.is_held else None


def keep_held(conflict: Conflict, actor: Actor) -> None:
    """Of two held facts let the one stand that the conflict is against. The other is superseded, never retracted, so
    that undoing the merge which brought them together gives each topic its own fact back."""
    held = standing_fact(Fact.objects.get(pk=conflict.fact_id))
    other = standing_fact(Fact.objects.get(proposals=conflict.proposal))
    if held.status == other.status == Fact.Status.ACTIVE and held.pk != other.pk:
        supersede_fact(fact=other, by=held, actor=actor)


def held_now(conflict: Conflict) -> Fact:
    """What an open conflict is against by now; of a settled one, what it was against."""
    return standing_fact(conflict.fact) if conflict.status == Conflict.Status.OPEN else conflict.fact


def has_moved_on(conflict: Conflict) -> bool:
    """Whether what is held is no longer what it was when the conflict was found; False once it is settled."""
    if conflict.status != Conflict.Status.OPEN:
        return False
    standing = held_now(conflict)
    return (standing.pk, standing.version) != (conflict.fact_id, conflict.fact_version)


def standing_fact(fact: Fact) -> Fact:
    """What stands in its place since another one replaced it or joined it, or the fact itself."""
    while fact.status in (Fact.Status.SUPERSEDED, Fact.Status.JOINED) and fact.superseded_by is not None:
        fact = fact.superseded_by
    return fact
