"""Deciding many proposals with one act, and undoing it with one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from extraction.models import BulkDecision, BulkItem, Job, Proposal
from extraction.services.bulk_parts import PART, SETTLING, decide_part, undo_part
from extraction.services.decisions import check_decision
from extraction.services.jobs import ring
from topics.changes import Actor
from topics.errors import InvalidInput, WrongState
from topics.ids import uuid7
from topics.models import Space

BATCH = 500


def decide_many(
    *,
    space: Space,
    actor: Actor,
    ids: Sequence[Any],
    decision: str,
    reason: str = "",
    snooze_until: datetime | None = None,
    pk: UUID | None = None,
) -> BulkDecision:
    """Approve, reject or snooze these proposals of the space, or keep what is held in conflicts or ask the customers
    about them: at once, as one change set, up to PART of them, else part by part in a job, whose progress its items
    tell.

    Every proposal gets a result, and none stops the others. `pk` names the act: asked for a second time under the same
    name, it is not done again. Raises InvalidInput for an unknown decision, a moment that is past and no proposals,
    ValueError for an actor that is no person.
    """
    if actor.user is None:
        raise ValueError("only a person decides many at once")
    if decision not in SETTLING:
        check_decision(decision, snooze_until)
    done = BulkDecision.objects.filter(space=space, user=actor.user, pk=pk).first() if pk else None
    if done is not None:
        return done
    wanted = _known(space, list(dict.fromkeys(ids)))
    if not wanted:
        raise InvalidInput(_("Tick the items to decide first."))
    with transaction.atomic():
        bulk = BulkDecision.objects.create(
            id=pk or uuid7(),
            space=space,
            user=actor.user,
            decision=decision,
            reason=reason,
            snooze_until=snooze_until,
        )
        BulkItem.objects.bulk_create([BulkItem(bulk=bulk, proposal_id=i) for i in wanted], batch_size=BATCH)
        if len(wanted) > PART:
            _queue(bulk)
        else:
            decide_part(bulk, actor)
    return bulk


def _known(space: Space, ids: list[Any]) -> list[Any]:
    """Those that are of the space, in the same order. Batch by batch: SQLite takes only so many at once."""
    found: set[Any] = set()
    for start in range(0, len(ids), BATCH):
        rows = Proposal.objects.filter(space=space, pk__in=ids[start : start + BATCH])
        found |= set(rows.values_list("pk", flat=True))
    return [pk for pk in ids if pk in found]


def undo_many(*, bulk: BulkDecision, actor: Actor) -> BulkDecision:
    """Take the whole back: at once where it was one change set, else part by part in a job, the last part first.

    What something later builds on stays, and its items say why. Raises WrongState while it is at work or undone.
    """
    with transaction.atomic():
        # Conditional, so that of two who ask at once one is told that it is being undone.
        claimed = BulkDecision.objects.filter(pk=bulk.pk, state=BulkDecision.State.DECIDED)
        if not claimed.update(state=BulkDecision.State.UNDOING):
            raise WrongState(_("This is being decided or undone, or was undone already."), code="undone")
        bulk.refresh_from_db()
        parts = bulk.items.filter(change_set__isnull=False).values("change_set").distinct().count()
        if parts > 1:
            _queue(bulk)
        else:
            undo_part(bulk, actor)
    return bulk


def _queue(bulk: BulkDecision) -> None:
    bulk.job = Job.objects.create(space=bulk.space, kind=Job.Kind.DECIDE, max_attempts=settings.INFINI_JOB_MAX_ATTEMPTS)
    bulk.save(update_fields=["job"])
    transaction.on_commit(partial(ring, bulk.job.pk))
