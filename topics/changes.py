"""The open change set: every write to a tracked row happens inside one.

    with change_set(space=space, actor=actor, action="rename_topic", reason=reason) as change:
        topic.name = "…"
        topic.save()

The block is one transaction. Nested blocks join the outer one, so a service may call another and the whole is one act
that one undo takes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone
from simple_history.signals import pre_create_historical_record

from topics.signals import act_ended, documents_changed

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from topics.models import ApiKey, ChangeSet, Space
    from topics.models.change import Tracked


class OutsideChangeSet(RuntimeError):
    """A tracked row was written outside a change set, which is a bug in the caller."""


def name_of(user: Any) -> str:
    """What a person is called wherever others read of them."""
    name: str = user.get_full_name() or user.get_username()
    return name


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a person, an API key, or (neither) a part of the product such as an extractor."""

    label: str
    user: User | None = None
    api_key: ApiKey | None = None
    request_id: str = ""

    @classmethod
    def person(cls, user: Any, request_id: str = "") -> Actor:
        return cls(
            label=name_of(user)[:200],
            user=user,
            request_id=request_id,
        )

    @classmethod
    def key(cls, api_key: ApiKey, request_id: str = "") -> Actor:
        return cls(
            label=(api_key.name or api_key.prefix)[:200],
            api_key=api_key,
            request_id=request_id,
        )

    @property
    def is_person(self) -> bool:
        return self.user is not None


@dataclass(slots=True)
class OpenChange:
    """The change set being written. The row itself is inserted with the first write, so an empty act leaves none."""

    space: Space
    actor: Actor
    action: str
    reason: str
    at: datetime
    undoes: ChangeSet | None = None
    _row: ChangeSet | None = None
    _topics: set[Any] = field(default_factory=set)
    _names: set[str] = field(default_factory=set)

    @property
    def row(self) -> ChangeSet:
        """The stored ChangeSet, inserted on first use."""
        if self._row is None:
            self._row = apps.get_model("topics", "ChangeSet").objects.create(
                space=self.space,
                actor_user=self.actor.user,
                actor_key=self.actor.api_key,
                actor_label=self.actor.label,
                action=self.action,
                reason=self.reason,
                at=self.at,
                request_id=self.actor.request_id,
                undoes=self.undoes,
            )
        return self._row

    @property
    def written(self) -> ChangeSet | None:
        """The stored ChangeSet, or None when nothing has been written."""
        return self._row

    def touch(self, topic_id: Any) -> None:
        """Note that the document of this topic changes with this set."""
        self._topics.add(topic_id)

    @property
    def topics(self) -> frozenset[Any]:
        """Ids of the topics whose documents change with this set, so far."""
        return frozenset(self._topics)

    @property
    def names(self) -> frozenset[str]:
        """The names of topics that this set wrote, so far: given, changed or taken away."""
        return frozenset(self._names)

    def close(self) -> None:
        """Give every touched document its next version."""
        if not self._topics:
            return
        topic_model = apps.get_model("topics", "Topic")
        version_model = apps.get_model("topics", "DocumentVersion")
        ids = sorted(self._topics)
        topic_model.objects.advance_documents(ids, self.at)
        versions = dict(topic_model.objects.filter(pk__in=ids).values_list("pk", "document_version"))
        version_model.objects.bulk_create(
            version_model(topic_id=pk, change_set=self.row, version=versions[pk]) for pk in ids if pk in versions
        )
        documents_changed.send(type(self.row), change_set=self.row, topics=ids)


_open: ContextVar[OpenChange | None] = ContextVar("open_change", default=None)


@contextmanager
def change_set(
    *,
    space: Space,
    actor: Actor,
    action: str,
    reason: str = "",
    undoes: ChangeSet | None = None,
) -> Iterator[OpenChange]:
    """Open a change set in a transaction, or join the one that is open in this context.

    The space is held until the transaction ends: acts on one space come one after the other, so each judges what really
    stands, and two acts never wait for each other in a circle. Reading waits for nobody.

    Raises OutsideChangeSet when the open one belongs to another space.
    """
    outer = _open.get()
    if outer is not None:
        if outer.space.pk != space.pk:
            raise OutsideChangeSet("a change set belongs to one space")
        yield outer
        return
    with transaction.atomic():
        # Without the key, so that rows which merely refer to the space can still be inserted.
        list(apps.get_model("topics", "Space").objects.select_for_update(no_key=True).filter(pk=space.pk).values("pk"))
        change = OpenChange(
            space=space,
            actor=actor,
            action=action,
            reason=reason,
            at=timezone.now(),
            undoes=undoes,
        )
        token = _open.set(change)
        try:
            yield change
            change.close()
            act_ended.send(OpenChange, change=change)
        finally:
            _open.reset(token)


def current_change(instance: Tracked) -> OpenChange:
    """The open change set, noting which document `instance` belongs to. Raises OutsideChangeSet when there is none."""
    change = _open.get()
    if change is None:
        raise OutsideChangeSet(f"{type(instance).__name__} is tracked: write it inside a change set")
    if instance.space_id != change.space.pk:  # type: ignore[attr-defined]
        raise OutsideChangeSet("a change set belongs to one space")
    change.touch(getattr(instance, "topic_id", instance.pk))
    if isinstance(instance, apps.get_model("topics", "Alias")):
        change._names.add(instance.name)
    return change


def create_tracked(instances: list[Any]) -> None:
    """Insert many new tracked rows of one model with their history, in three statements. The audited bulk path."""
    if not instances:
        return
    model = type(instances[0])
    changes = [current_change(instance) for instance in instances]
    change = changes[0]
    model.objects.insert_untracked(instances)
    model.history.bulk_history_create(
        instances,
        default_user=change.actor.user,
        default_change_reason=change.reason,
        default_date=change.at,
        custom_historical_attrs={"change_set_id": change.row.pk},
    )
    for instance in instances:
        instance._loaded = {name: getattr(instance, name) for name in [*model.content_fields(), "id", "version"]}


def save_tracked(instances: Iterable[Any]) -> None:
    """Write the changed columns of many rows of one model with their history, in two statements a batch.

    The audited bulk path for changes. Rows without a change are left alone.
    """
    changed = [instance for instance in instances if instance.changed_fields()]
    if not changed:
        return
    model = type(changed[0])
    changes = [current_change(instance) for instance in changed]
    for instance in changed:
        instance.version += 1
    columns = {name for instance in changed for name in instance.changed_fields()}
    fields = [field.name for field in model._meta.concrete_fields if field.attname in columns]
    model.objects.update_untracked(changed, [*fields, "version"])
    model.history.bulk_history_create(
        changed,
        update=True,
        default_user=changes[0].actor.user,
        default_change_reason=changes[0].reason,
        default_date=changes[0].at,
        custom_historical_attrs={"change_set_id": changes[0].row.pk},
    )
    for instance in changed:
        instance._note_loaded()


def delete_tracked(instances: list[Any]) -> None:
    """Delete many rows of one model to which nothing refers, with their history, in two statements a batch.

    The audited bulk path for removals.
    """
    if not instances:
        return
    model = type(instances[0])
    changes = [current_change(instance) for instance in instances]
    change = changes[0]
    history: Any = model.history
    history.bulk_create(
        history.model(
            history_type="-",
            history_date=change.at,
            history_user=change.actor.user,
            history_change_reason=change.reason,
            change_set_id=change.row.pk,
            **{field.attname: getattr(instance, field.attname) for field in history.model.tracked_fields},
        )
        for instance in instances
    )
    model.objects.delete_untracked(instances)


@receiver(pre_create_historical_record, dispatch_uid="topics.change_set_on_history")
def _sign_history(sender: Any, instance: Tracked, history_instance: Any, **kwargs: Any) -> None:
    """Sign each history row from the open change set alone, so no reason leaks from one save to the next."""
    change = current_change(instance)
    history_instance.change_set_id = change.row.pk
    history_instance.history_change_reason = change.reason
    history_instance.history_date = change.at
    history_instance.history_user_id = change.actor.user.pk if change.actor.user else None


@contextmanager
def savepoint() -> Iterator[None]:
    """A nested transaction inside the open change set.

    The ChangeSet row is written before it, so that rolling the savepoint back never takes the row away from under the
    writes that follow.
    """
    change = _open.get()
    if change is None:
        raise OutsideChangeSet("a savepoint of documents needs a change set")
    change.row  # noqa: B018
    with transaction.atomic():
        yield
