"""The parts of a bulk decision: each is decided, or undone, as one change set."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from extraction.models import BulkDecision, BulkItem, Conflict, Job
from extraction.services.decisions import Decided, Result, decide_proposals
from extraction.services.resolving import settle_many
from topics.changes import Actor
from topics.errors import MemoryRefusal, UndoBlocked, WrongState
from topics.models import ChangeSet
from topics.services.undo import undo_change_set

SETTLING = (Conflict.Outcome.KEEP, Conflict.Outcome.ASK)  # beside the decisions of `decide_proposals`: of conflicts
PART = 200  # proposals in one change set
REFUSED = ("conflict", "error")


def prepare_bulk(job: Job) -> Any:
    """The next part of the job's bulk decision: returns the function that writes it and says whether more is left."""
    bulk = BulkDecision.objects.select_related("space", "user").filter(job=job).first()
    if bulk is None:
        return lambda: False
    actor = Actor.person(bulk.user)
    if bulk.state == BulkDecision.State.UNDOING:
        return lambda: undo_part(bulk, actor)
    return lambda: decide_part(bulk, actor)


def decide_part(bulk: BulkDecision, actor: Actor) -> bool:
    """Decide the next PART of them. Whether more are left."""
    items = {str(item.proposal_id): item for item in bulk.items.filter(status="").order_by("pk")[:PART]}
    for decided in _decide(bulk, actor, list(items)):
        for result in decided.results:
            item = items[result.id]
            item.status, item.code, item.message = result.status, result.code, result.message
            item.change_set = None if result.status in REFUSED else decided.change_set
    BulkItem.objects.bulk_update(items.values(), ["status", "code", "message", "change_set"], batch_size=PART)
    return _is_more(bulk, bulk.items.filter(status="").exists(), BulkDecision.State.DECIDED)


def _decide(bulk: BulkDecision, actor: Actor, ids: list[str]) -> list[Decided]:
    """As one change set; one by one when one of them is such that the whole would be refused."""
    if bulk.decision in SETTLING:
        return [settle_many(space=bulk.space, actor=actor, ids=ids, outcome=bulk.decision, reason=bulk.reason)]
    act = partial(
        decide_proposals,
        space=bulk.space,
        actor=actor,
        decision=bulk.decision,
        reason=bulk.reason,
        snooze_until=bulk.snooze_until,
    )
    try:
        return [act(ids=ids)]
    except MemoryRefusal:
        return [_decide_one(act, pk) for pk in ids]


def _decide_one(act: Callable[..., Decided], pk: str) -> Decided:
    try:
        return act(ids=[pk])
    except MemoryRefusal as refusal:
        return Decided([Result(pk, "error", refusal.code, refusal.message)])


def undo_part(bulk: BulkDecision, actor: Actor) -> bool:
    """Take back the last part that was not yet tried. Whether more are left. What is blocked says so and stays."""
    standing = bulk.items.filter(change_set__isnull=False, undo="")
    last = standing.order_by("-change_set").values_list("change_set", flat=True).first()
    if last is not None:
        part = bulk.items.filter(change_set=last)
        try:
            undo_change_set(change=ChangeSet.objects.get(pk=last), actor=actor)
        except UndoBlocked as refusal:
            part.update(undo=BulkItem.Undo.BLOCKED, message=" ".join([refusal.message, *refusal.details["blockers"]]))
        except WrongState as refusal:
            part.update(undo=BulkItem.Undo.BLOCKED, message=refusal.message)
        else:
            part.update(undo=BulkItem.Undo.UNDONE)
    return _is_more(bulk, standing.exists(), BulkDecision.State.UNDONE)


def _is_more(bulk: BulkDecision, is_more: bool, state: str) -> bool:
    if not is_more:
        bulk.state = state
        bulk.save(update_fields=["state"])
    return is_more
