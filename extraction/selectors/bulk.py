"""Reads of bulk decisions: what one would do, and what became of one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from extraction.models import BulkDecision, BulkItem, Proposal
from extraction.services.bulk_parts import PART, REFUSED
from extraction.services.decisions import OPEN, Result, foresee

SHOWN = 20  # of the refusals in a preview


@dataclass(slots=True)
class Preview:
    """What a decision on many would do, as far as it can be told before.

    `kinds` count those that would be decided.

    `refusals` are those that would not be decided and why; `exact` is False for many, where only what an open conflict
    shows was looked at. `along` counts statements that would be rejected with their proposed topics.
    """

    total: int = 0
    kinds: list[tuple[str, int]] = field(default_factory=list)
    refusals: list[tuple[Proposal, Result]] = field(default_factory=list)
    refused: int = 0
    in_other_hands: int = 0
    along: int = 0
    exact: bool = True

    @property
    def sound(self) -> int:
        return self.total - self.refused


def preview_bulk(rows: QuerySet[Any], user: Any, *, decision: str) -> Preview:
    """What deciding these items of the queue (`queue_items`) would do. Writes nothing."""
    rows = rows.order_by()
    counts = Counter(dict(rows.values_list("kind").annotate(Count("pk"))))
    total = sum(counts.values())
    preview = Preview(total=total, exact=total <= PART)
    preview.in_other_hands = rows.filter(claim__until__gt=timezone.now()).exclude(claim__user=user).count()
    if decision == "reject":
        waiting = Proposal.objects.filter(new_topic__in=rows.filter(kind=Proposal.Kind.TOPIC).values("pk"), topic=None)
        preview.along = waiting.filter(status__in=OPEN).count()
    elif decision == "approve" and preview.exact:
        found = {str(p.pk): p for p in rows.select_related("topic", "new_topic", "message", "space").order_by("pk")}
        refusals = foresee(list(found.values()))
        preview.refusals = [(found[r.id], r) for r in refusals[:SHOWN]]
        preview.refused = len(refusals)
        counts -= Counter(found[r.id].kind for r in refusals)
    elif decision == "approve":
        contested = Counter(dict(rows.filter(contested=True).values_list("kind").annotate(Count("pk"))))
        preview.refused = contested.total()
        counts -= contested
    preview.kinds = [(str(Proposal.Kind(kind).label), count) for kind, count in counts.most_common()]
    return preview


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a bulk decision has come, and how many of its items ended how."""

    total: int
    waiting: int
    decided: int
    refused: int
    undone: int
    blocked: int

    @property
    def done(self) -> int:
        return self.total - self.waiting


def progress_of(bulk: BulkDecision) -> Progress:
    counts = bulk.items.aggregate(
        total=Count("pk"),
        waiting=Count("pk", filter=Q(status="")),
        refused=Count("pk", filter=Q(status__in=REFUSED)),
        undone=Count("pk", filter=Q(undo=BulkItem.Undo.UNDONE)),
        blocked=Count("pk", filter=Q(undo=BulkItem.Undo.BLOCKED)),
    )
    return Progress(decided=counts["total"] - counts["waiting"] - counts["refused"], **counts)


def results_of(bulk: BulkDecision, *, only_refused: bool = False) -> QuerySet[BulkItem]:
    """What became of each, in the order in which they were asked for: of all, or of those that were refused."""
    items = bulk.items.exclude(status="").select_related("proposal__topic", "proposal__new_topic").order_by("pk")
    return items.filter(Q(status__in=REFUSED) | Q(undo=BulkItem.Undo.BLOCKED)) if only_refused else items
