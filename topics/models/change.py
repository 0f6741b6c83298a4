"""ChangeSet: one act on the documents, and the abstract bases that tie every tracked row to one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from topics.changes import OutsideChangeSet, current_change
from topics.ids import uuid7
from topics.models.space import ApiKey, Space

BATCH = 500  # rows that one statement changes


class ChangeSet(models.Model):
    """One act: actor, reason, time. Every history row names its change set; undo works on change sets.

    `action` is the verb of the service that opened it (for instance "approve_proposals"); a set whose `undoes` is set
    took another one back.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="change_sets")
    action = models.CharField(max_length=40)
    reason = models.TextField(blank=True)
    at = models.DateTimeField(db_index=True)
    actor_user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    actor_key = models.ForeignKey(ApiKey, null=True, on_delete=models.PROTECT, related_name="+")
    actor_label = models.CharField(max_length=200, help_text=_("The actor's name when it acted"))
    request_id = models.CharField(max_length=64, blank=True)
    undoes = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="undone_by")

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["undoes"], name="change_set_undone_once")]
        indexes = [models.Index(fields=["space", "-id"], name="change_set_by_space")]

    def __str__(self) -> str:
        return f"{self.action} · {self.actor_label}"


class ChangeSetRow(models.Model):
    """Base of every history row: the change set that wrote it."""

    change_set = models.ForeignKey(ChangeSet, on_delete=models.PROTECT, related_name="+")

    class Meta:
        abstract = True


class History(HistoricalRecords):
    """The history of a tracked model: each row names the change set that wrote it, and why."""

    def __init__(self, **kwargs: Any) -> None:
        reason = models.TextField(blank=True, default="")
        super().__init__(bases=[ChangeSetRow], history_change_reason_field=reason, **kwargs)

    def get_extra_fields(self, model: Any, fields: Any) -> dict[str, Any]:
        extra: dict[str, Any] = super().get_extra_fields(model, fields)
        # Not the English sentence of simple_history.
        return extra | {"__str__": lambda row: f"{row.history_object} · {row.history_date}"}


class TrackedQuerySet(models.QuerySet[Any]):
    """Refuses the queryset methods that would write without history."""

    def update(self, **kwargs: Any) -> int:
        raise OutsideChangeSet("update() writes no history: change tracked rows through a service")

    def bulk_create(self, objs: Iterable[Any], *args: Any, **kwargs: Any) -> list[Any]:
        raise OutsideChangeSet("bulk_create() writes no history: use topics.changes.create_tracked")

    def bulk_update(self, objs: Iterable[Any], *args: Any, **kwargs: Any) -> int:
        raise OutsideChangeSet("bulk_update() writes no history: change tracked rows through a service")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise OutsideChangeSet("delete() of a query writes no history: use topics.changes.delete_tracked")

    def insert_untracked(self, objs: list[Any]) -> list[Any]:
        """The insert under `topics.changes.create_tracked`, which writes the history beside it."""
        return super().bulk_create(objs)

    def update_untracked(self, objs: list[Any], fields: list[str]) -> None:
        """The update under `topics.changes.save_tracked`, which writes the history beside it.

        Rows that get the same values share a statement, unless nearly each gets its own.
        """
        query: models.QuerySet[Any] = models.QuerySet(self.model, using=self.db)
        columns = [f.attname for f in self.model._meta.concrete_fields if f.name in fields]
        alike: dict[str, list[Any]] = defaultdict(list)
        for obj in objs:
            alike[repr([getattr(obj, column) for column in columns])].append(obj)
        if len(alike) * 4 > len(objs):
            query.bulk_update(objs, fields, batch_size=BATCH)
            return
        for group in alike.values():
            values = {column: getattr(group[0], column) for column in columns}
            for start in range(0, len(group), BATCH):
                query.filter(pk__in=[obj.pk for obj in group[start : start + BATCH]]).update(**values)

    def delete_untracked(self, objs: list[Any]) -> None:
        """The delete under `topics.changes.delete_tracked`, which writes the history beside it.

        Without the signals, on which history would be written row by row. Nothing may refer to the rows.
        """
        query: models.QuerySet[Any] = models.QuerySet(self.model, using=self.db)
        for start in range(0, len(objs), BATCH):
            query.filter(pk__in=[obj.pk for obj in objs[start : start + BATCH]])._raw_delete(self.db)


class Tracked(models.Model):
    """Base of Topic, Fact, TimelineEntry and Alias.

    `version` counts the saves that changed something. Saving needs an open change set; a save that changes nothing
    writes nothing, neither the row nor history.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    version = models.PositiveIntegerField(default=1, editable=False)

    objects = TrackedQuerySet.as_manager()

    UNTRACKED: ClassVar[frozenset[str]] = frozenset()  # columns that live outside history

    class Meta:
        abstract = True

    def save(self, **kwargs: Any) -> None:
        changed = self.changed_fields()
        if self._state.adding:
            current_change(self)
            super().save(force_insert=True)
        elif changed:
            current_change(self)
            self.version += 1
            super().save(update_fields=[*changed, "version"])
        self._note_loaded()

    def _note_loaded(self, names: Collection[str] | None = None) -> None:
        """Take the present values of these columns (None: of all) for what the database holds."""
        fields = [f for f in self._meta.concrete_fields if f.attname not in self.get_deferred_fields()]
        held = {f.attname: getattr(self, f.attname) for f in fields if names is None or {f.name, f.attname} & {*names}}
        self._loaded = getattr(self, "_loaded", {}) | held

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        current_change(self)
        return super().delete(*args, **kwargs)

    @classmethod
    def from_db(cls, db: str | None, field_names: Any, values: Any, **kwargs: Any) -> Self:
        instance = super().from_db(db, field_names, values, **kwargs)
        instance._loaded = dict(zip(field_names, values, strict=True))
        return instance

    def refresh_from_db(
        self, using: str | None = None, fields: Iterable[str] | None = None, from_queryset: Any = None
    ) -> None:
        names = None if fields is None else list(fields)
        super().refresh_from_db(using, names, from_queryset)
        self._note_loaded(names)

    @classmethod
    def content_fields(cls) -> list[str]:
        """The columns that a person would call the content: all but key, version and what is not tracked."""
        return [f.attname for f in cls._meta.concrete_fields if f.attname not in {"id", "version"} | cls.UNTRACKED]

    def changed_fields(self) -> list[str]:
        """Columns whose value differs from what was loaded; all of them for a row that was never saved."""
        loaded: dict[str, Any] | None = getattr(self, "_loaded", None)
        if loaded is None:
            return self.content_fields()
        return [name for name in self.content_fields() if name in loaded and loaded[name] != getattr(self, name)]
