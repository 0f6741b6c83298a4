"""What a change set did, row by row, beside the rows as they stand now."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Subquery

from topics.models import Alias, ChangeSet, Fact, TimelineEntry, Topic
from topics.models.change import Tracked

# Columns of a topic that follow from its facts while no person has written them.
_AUTOMATIC = ("summary", "summary_sentences")


@dataclass(slots=True)
class Step:
    """What the set did to one row: `before` and `after` are column values, None where the row did not exist."""

    model: type[Tracked]
    pk: Any
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    now: Any | None  # the row as it stands

    @property
    def changed(self) -> list[str]:
        """Columns that the set changed."""
        if self.before is None or self.after is None:
            return []
        return [name for name, value in self.after.items() if self.before[name] != value]

    @property
    def rewritten(self) -> Collection[str]:
        """Columns that were written anew since by the product itself: they stand in nobody's way, and are left."""
        if self.model is not Topic or self.now is None or self.after is None:
            return ()
        if self.now.summary_by_person or self.after["summary_by_person"]:
            return ()
        same = all(getattr(self.now, name) == self.after[name] for name in _AUTOMATIC)
        return () if same else _AUTOMATIC

    @property
    def label(self) -> str:
        """What the row says, cut short."""
        values = self.after or self.before or {}
        return str(values.get("text") or values.get("name"))[:120]


def steps_of(change: ChangeSet) -> list[Step]:
    """One step for each tracked row that the set wrote, whatever the number of saves. Three queries a model."""
    steps = []
    for model in (Alias, Fact, TimelineEntry, Topic):
        earlier = model.history.filter(id=OuterRef("id"), history_id__lt=OuterRef("history_id")).order_by("-history_id")
        rows = model.history.filter(change_set=change).annotate(previous=Subquery(earlier.values("history_id")[:1]))
        first: dict[Any, Any] = {}
        last: dict[Any, Any] = {}
        for row in rows.order_by("history_id"):
            first.setdefault(row.id, row)
            last[row.id] = row
        before = model.history.in_bulk([r.previous for r in first.values() if r.history_type != "+"])
        now = {r.pk: r for r in model.objects.filter(pk__in=list(first))}
        for pk, row in first.items():
            earlier_row = None if row.history_type == "+" else before.get(row.previous)
            steps.append(
                Step(
                    model,
                    pk,
                    _values(model, earlier_row) if earlier_row is not None else None,
                    _values(model, last[pk]) if last[pk].history_type != "-" else None,
                    now.get(pk),
                )
            )
    return steps


def _values(model: type[Tracked], row: Any) -> dict[str, Any]:
    return {name: getattr(row, name) for name in model.content_fields()}
