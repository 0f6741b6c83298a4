"""Which topics were merged into which: by a change set, and on the way from an address to the document in view."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from topics.models import ChangeSet, Space, Topic

UNDO_AT_HAND = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Merge:
    """What a change set merged, or parted again (`is_undone`): the topics under the names that they had before."""

    names: list[str]
    survivor: str
    is_undone: bool = False


@dataclass(frozen=True, slots=True)
class Arrival:
    """One merge on the way from a merged topic to the one that answers for it now."""

    topic: Topic
    into: Topic
    change_set: ChangeSet


def merges_of(change_sets: Collection[ChangeSet]) -> dict[UUID, Merge]:
    """Change set id → what it merged or parted again; nothing for any other set. One query, or none."""
    candidates = [change for change in change_sets if change.action == "merge_topics" or change.undoes_id is not None]
    ids = {pk for change in candidates for pk in (change.pk, change.undoes_id) if pk is not None}
    if not ids:
        return {}
    history: Any = Topic.history
    before = history.filter(id=OuterRef("merged_into_id"), history_date__lt=OuterRef("history_date"))
    rows = history.filter(change_set__in=ids, status=Topic.Status.MERGED).order_by("history_id")
    rows = rows.annotate(survivor=Subquery(before.order_by("-history_id").values("name")[:1]))
    done: dict[UUID, Merge] = {}
    for change_set, name, survivor in rows.values_list("change_set", "name", "survivor"):
        done.setdefault(change_set, Merge([], survivor or "")).names.append(name)
    undone = {
        change.pk: Merge(merge.names, merge.survivor, is_undone=True)
        for change in candidates
        if change.undoes_id is not None and (merge := done.get(change.undoes_id)) is not None
    }
    return undone | done


def own_last_merge(space: Space, user: Any) -> tuple[ChangeSet, Merge] | None:
    """The latest merge of this person, if it is of the last hour and still stands: what one key takes back."""
    since = timezone.now() - UNDO_AT_HAND
    own = ChangeSet.objects.filter(space=space, actor_user=user, action="merge_topics", at__gte=since, undone_by=None)
    change = own.order_by("-pk").first()
    merge = merges_of([change]).get(change.pk) if change is not None else None
    return None if change is None or merge is None else (change, merge)


def way_of(space: Space, pk: UUID) -> list[Arrival]:
    """The merges that lead from this topic to the one that answers for it, in their order; none for any other topic."""
    way: list[Arrival] = []
    topic = Topic.objects.filter(space=space, pk=pk).first()
    while topic is not None and topic.merged_into is not None:
        way.append(Arrival(topic, topic.merged_into, _merged_by(topic)))
        topic = topic.merged_into
    return way


def _merged_by(topic: Topic) -> ChangeSet:
    """The change set since which the topic has been merged."""
    history: Any = Topic.history
    rows = history.filter(id=topic.pk).order_by("-history_id").select_related("change_set")
    merged = []
    for row in rows:
        if row.status != Topic.Status.MERGED:
            break
        merged.append(row)
    change: ChangeSet = merged[-1].change_set
    return change
