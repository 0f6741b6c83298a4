"""What changed in a document: set by set, and between any two of its states."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from topics.errors import NotFound
from topics.models import Alias, ChangeSet, DocumentVersion, Evidence, Fact, TimelineEntry, Topic
from topics.models.change import Tracked
from topics.selectors.decisions import Decisions, decisions_of
from topics.selectors.documents import rows_at_version
from topics.selectors.merges import Merge, merges_of

Verb = Literal["added", "changed", "removed", "superseded", "archived", "restored", "moved", "merged", "joined"]

# The columns of each model that say something to a reader; the others follow from them or are the product's own.
SHOWN: Mapping[type[Tracked], tuple[str, ...]] = {
    Topic: ("name", "kind", "summary"),
    Alias: ("name",),
    Fact: (
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
    ),
    TimelineEntry: ("text", "happened_at", "precision", "certainty"),
}
_TRACKED: tuple[type[Tracked], ...] = (Topic, Alias, Fact, TimelineEntry)
_GONE = {
    Topic.Status.DELETED,
    Topic.Status.MERGED,
    Fact.Status.RETRACTED,
    Fact.Status.JOINED,
    TimelineEntry.Status.RETRACTED,
    TimelineEntry.Status.JOINED,
}
_VERBS: Mapping[str, Verb] = {
    Topic.Status.DELETED: "removed",
    Topic.Status.MERGED: "merged",
    Topic.Status.ARCHIVED: "archived",
    Fact.Status.RETRACTED: "removed",
    Fact.Status.SUPERSEDED: "superseded",
    Fact.Status.JOINED: "joined",
}

# The column of each model by which two rows of a document say the same.
_WORDS: Mapping[type[Tracked], str] = {Alias: "key", Fact: "content_key", TimelineEntry: "content_key"}

_ARRIVED, _WENT = {"added", "restored"}, {"removed", "superseded", "archived", "merged", "joined"}

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One column of a row: its values before and after, None where the row did not exist."""

    name: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChange:
    """What happened to one topic, alias, fact or timeline entry.

    `values` are the columns as they stand after the change, or stood before it when the row went. `fields` are the
    columns of SHOWN that changed; for what was added or went, those that say something.
    """

    model: type[Tracked]
    pk: UUID
    topic_id: UUID
    verb: Verb
    values: Values
    fields: list[FieldChange]

    @property
    def type(self) -> str:
        """topic, alias, fact or timelineentry."""
        return str(self.model._meta.model_name)

    @property
    def title(self) -> str:
        return str(self.values.get("text") or self.values.get("name"))


class Delta(NamedTuple):
    """How many rows came and how many went; a changed one counts as both."""

    came: int
    went: int


@dataclass(slots=True)
class Change:
    """A change set with the rows it wrote, in one topic or in all, what it merged or parted again, and what it decided
    without writing any row (not in one topic); `version` is the one it made of that topic."""

    change_set: ChangeSet
    version: int | None = None
    rows: list[RowChange] = field(default_factory=list)
    decisions: Decisions = field(default_factory=Decisions)
    merge: Merge | None = None
    sources_added: int = 0
    sources_removed: int = 0

    @property
    def undone_by(self) -> ChangeSet | None:
        return next(iter(self.change_set.undone_by.all()), None)


def changes_of(topic: Topic, *, before: int | None = None, limit: int = 30) -> list[Change]:
    """The change sets of a document, the latest first, below version `before`. A fixed number of queries."""
    versions = _versions(topic)
    if before is not None:
        versions = versions.filter(version__lt=before)
    return _changes(topic, list(versions[:limit]))


def change_of(topic: Topic, version: int) -> Change:
    """The change set that made this version of the document. Raises NotFound when there is no such version."""
    found = _changes(topic, list(_versions(topic).filter(version=version)))
    if not found:
        raise NotFound(_("This topic has no version %(version)d.") % {"version": version})
    return found[0]


def full_changes(change_sets: Collection[ChangeSet], *, most: int) -> list[Change]:
    """These change sets with what each did in every topic; of its decisions at most so many."""
    rows, merges, decisions = rows_of(change_sets), merges_of(change_sets), decisions_of(change_sets, most=most)
    return [Change(c, rows=rows[c.pk], decisions=decisions[c.pk], merge=merges.get(c.pk)) for c in change_sets]


def rows_of(change_sets: Collection[ChangeSet], topic: Topic | None = None) -> dict[UUID, list[RowChange]]:
    """Change set id → what it did to each row, in one topic or in all: two queries for each tracked model."""
    found: dict[UUID, list[RowChange]] = defaultdict(list)
    for model in _TRACKED:
        for (change_set, pk), (before, after) in _steps(model, [c.pk for c in change_sets], topic).items():
            row = row_change(model, pk, before, after)
            if row is not None:
                found[change_set].append(row)
    return found


def delta(rows: Iterable[RowChange]) -> Delta:
    verbs = [row.verb for row in rows]
    changed = verbs.count("changed")
    return Delta(sum(v in _ARRIVED for v in verbs) + changed, sum(v in _WENT for v in verbs) + changed)


def compare(topic: Topic, old: int, new: int) -> list[RowChange]:
    """What differs between two versions of a document. Raises NotFound for an unknown version."""
    rows_before, rows_after = rows_at_version(topic, old), rows_at_version(topic, new)
    changes = []
    for model in _TRACKED:
        before = _standing(model, rows_before[model])
        after = _under_former_ids(model, before, _standing(model, rows_after[model]))
        for pk in dict.fromkeys([*before, *after]):
            row = row_change(model, pk, before.get(pk), after.get(pk))
            if row is not None:
                changes.append(row)
    return changes


def _versions(topic: Topic) -> QuerySet[DocumentVersion]:
    rows = DocumentVersion.objects.filter(topic=topic).order_by("-version")
    return rows.select_related("change_set__undoes").prefetch_related("change_set__undone_by")


def _changes(topic: Topic, versions: Collection[DocumentVersion]) -> list[Change]:
    sets = [row.change_set for row in versions]
    rows, merges = rows_of(sets, topic), merges_of(sets)
    changes = {
        v.change_set_id: Change(v.change_set, v.version, rows[v.change_set_id], merge=merges.get(v.change_set_id))
        for v in versions
    }
    _count_sources(topic, changes)
    return list(changes.values())


def _count_sources(topic: Topic, changes: Mapping[UUID, Change]) -> None:
    for owner in ("fact", "entry"):
        evidence = Evidence.objects.filter(**{f"{owner}__topic": topic})
        touched = Q(added_by__in=list(changes)) | Q(removed_by__in=list(changes))
        for added_by, removed_by in evidence.filter(touched).values_list("added_by", "removed_by"):
            if added_by in changes:
                changes[added_by].sources_added += 1
            if removed_by in changes:
                changes[removed_by].sources_removed += 1


def _steps(
    model: Any, change_sets: Collection[UUID], topic: Topic | None
) -> dict[tuple[UUID, UUID], tuple[Values | None, Values | None]]:
    """(change set, row id) → the columns before and after the set, None where the row did not exist."""
    earlier = model.history.filter(id=OuterRef("id"), history_id__lt=OuterRef("history_id")).order_by("-history_id")
    rows = model.history.filter(change_set__in=change_sets).annotate(
        previous=Subquery(earlier.values("history_id")[:1])
    )
    if topic is not None:
        column = "id" if model is Topic else "topic_id"
        rows = rows.filter(id__in=model.history.filter(**{column: topic.pk}).values("id"))
    rows = rows.annotate(previous=Subquery(earlier.values("history_id")[:1])).order_by("history_id")
    first: dict[tuple[UUID, UUID], Any] = {}
    last: dict[tuple[UUID, UUID], Any] = {}
    for row in rows:
        first.setdefault((row.change_set_id, row.id), row)
        last[row.change_set_id, row.id] = row
    previous = model.history.in_bulk([row.previous for row in first.values() if row.history_type != "+"])
    return {key: (_values(model, previous.get(row.previous)), _values(model, last[key])) for key, row in first.items()}


def _values(model: Any, row: Any) -> Values | None:
    """The columns of a history row; None for none and for one that says the row went."""
    if row is None or row.history_type == "-":
        return None
    return {name: getattr(row, name) for name in model.content_fields()}


def _standing(model: Any, rows: Iterable[Any]) -> dict[UUID, Values]:
    """Row id → its columns, without rows that are out of the document."""
    names = model.content_fields()
    return {row.pk: {n: getattr(row, n) for n in names} for row in rows if getattr(row, "status", None) not in _GONE}


def _under_former_ids(
    model: type[Tracked], before: dict[UUID, Values], after: dict[UUID, Values]
) -> dict[UUID, Values]:
    """`after`, where a row that says the same as one of `before` which is gone goes by the id of that one.

    Of two equal statements a merge keeps one, and undoing it brings the other back: to a reader that is no change.
    """
    gone = _by_words(model, {pk: row for pk, row in before.items() if pk not in after})
    fresh = _by_words(model, {pk: row for pk, row in after.items() if pk not in before})
    former = {new: old for words, ids in fresh.items() for new, old in zip(ids, gone.get(words, ()), strict=False)}
    return {former.get(pk, pk): row for pk, row in after.items()}


def _by_words(model: type[Tracked], rows: dict[UUID, Values]) -> dict[Any, list[UUID]]:
    """What is said → the ids of the rows that say so, those that are current first. Nothing for topics."""
    found: dict[Any, list[UUID]] = defaultdict(list)
    if model in _WORDS:
        for pk in sorted(rows, key=lambda pk: rows[pk].get("status") == Fact.Status.SUPERSEDED):
            found[rows[pk][_WORDS[model]]].append(pk)
    return found


def row_change(model: Any, pk: UUID, before: Values | None, after: Values | None) -> RowChange | None:
    """What happened to a row with these columns before and after; None when a reader would see no difference."""
    before, after = _seen(model, before), _seen(model, after)
    verb = _verb(before, after)
    values = after if after is not None else before
    if verb is None or values is None:
        return None
    fields = [] if verb == "removed" else _field_changes(model, before, after)
    if verb == "changed" and not fields:
        return None
    topic_id = pk if model is Topic else values["topic_id"]
    return RowChange(model=model, pk=pk, topic_id=topic_id, verb=verb, values=values, fields=fields)


def _seen(model: Any, values: Values | None) -> Values | None:
    """A topic's own name is told by the topic itself, so an alias is there only while it is another name."""
    return None if values is None or (model is Alias and values["is_name"]) else values


def _verb(before: Values | None, after: Values | None) -> Verb | None:
    if before is None or after is None:
        if after is not None:
            return "added"
        return "removed" if before is not None else None
    was, now = before.get("status"), after.get("status")
    if was != now:
        return _VERBS.get(str(now), "restored")
    return "moved" if before.get("topic_id") != after.get("topic_id") else "changed"


def _field_changes(model: Any, before: Values | None, after: Values | None) -> list[FieldChange]:
    changes = [
        FieldChange(name, before and before[name], after and after[name])
        for name in SHOWN[model]
        if before is None or after is None or before[name] != after[name]
    ]
    return [change for change in changes if change.old or change.new]
