"""Topics and their names: create, rename, re-kind, archive, restore, delete; add and remove aliases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext as _

from topics.changes import Actor, change_set, savepoint
from topics.errors import InvalidInput, NameTaken, Stale, WrongState
from topics.models import Alias, Space, Topic
from topics.retrieval import index
from topics.text.clean import clean_name, storable_text
from topics.text.names import match_keys, name_key

SUMMARY_LIMIT = 20_000


def create_topic(
    *,
    space: Space,
    actor: Actor,
    name: str,
    kind: str = Topic.Kind.OTHER,
    summary: str = "",
    aliases: Iterable[str] = (),
    reason: str = "",
) -> Topic:
    """Create a topic with its name and other names.

    Raises InvalidInput for a bad name or kind, NameTaken when any of the names already belongs to a topic; for the
    topic's own name also when it does without its title, since a mention of it would mean that topic.
    """
    name = clean_name(name)
    _check_kind(kind)
    storable_text(summary, field="summary", limit=SUMMARY_LIMIT, blank=True)
    with change_set(space=space, actor=actor, action="create_topic", reason=reason):
        _refuse_taken(space, match_keys(name), name)
        topic = Topic(
            space=space, name=name, kind=kind, summary=summary, summary_by_person=bool(summary) and actor.is_person
        )
        topic.save()
        insert_alias(topic=topic, name=name, is_name=True)
        for alias in aliases:
            if name_key(clean_name(alias)) != name_key(name):
                insert_alias(topic=topic, name=clean_name(alias))
        return topic


def update_topic(
    *,
    topic: Topic,
    actor: Actor,
    name: str | None = None,
    kind: str | None = None,
    summary: str | None = None,
    expected_version: int | None = None,
    reason: str = "",
) -> Topic:
    """Rename, re-kind or rewrite the summary. A former name stays as an alias.

    Raises Stale when `expected_version` is given and is not the topic's, NameTaken, InvalidInput, and WrongState for a
    topic that is merged or deleted.
    """
    with change_set(space=topic.space, actor=actor, action="update_topic", reason=reason):
        topic = lock_topic(topic, expected_version=expected_version)
        if kind is not None:
            _check_kind(kind)
            topic.kind = kind
        if summary is not None and summary != topic.summary:
            topic.summary_sentences = []
            topic.summary = storable_text(summary, field="summary", limit=SUMMARY_LIMIT, blank=True)
            topic.summary_by_person = actor.is_person and bool(topic.summary)
        renamed = name is not None and clean_name(name) != topic.name
        if name is not None and renamed:
            _rename(topic, clean_name(name))
        topic.save()
        if renamed:
            index.reindex_topic(topic)
        return topic


def archive_topic(*, topic: Topic, actor: Actor, expected_version: int | None = None, reason: str = "") -> Topic:
    """Put the topic away: it is left out of answers unless asked for. Raises WrongState unless it is active."""
    return _set_status(
        topic, actor, "archive_topic", Topic.Status.ACTIVE, Topic.Status.ARCHIVED, expected_version, reason
    )


def restore_topic(*, topic: Topic, actor: Actor, expected_version: int | None = None, reason: str = "") -> Topic:
    """Bring an archived topic back. Raises WrongState unless it is archived."""
    return _set_status(
        topic, actor, "restore_topic", Topic.Status.ARCHIVED, Topic.Status.ACTIVE, expected_version, reason
    )


def delete_topic(*, topic: Topic, actor: Actor, expected_version: int | None = None, reason: str = "") -> Topic:
    """Take the topic out of the memory and free its names. Undoing the change set brings all of it back."""
    with change_set(space=topic.space, actor=actor, action="delete_topic", reason=reason):
        topic = lock_topic(topic, expected_version=expected_version)
        for alias in topic.aliases.all():
            alias.delete()
        topic.status = Topic.Status.DELETED
        topic.save()
        index.reindex_topic(topic)
        return topic


def add_alias(*, topic: Topic, actor: Actor, name: str, reason: str = "") -> Alias:
    """Give the topic another name. The same name again returns the alias that stands.

    Raises NameTaken when another topic has the name.
    """
    name = clean_name(name)
    with change_set(space=topic.space, actor=actor, action="add_alias", reason=reason):
        topic = lock_topic(topic)
        standing = topic.aliases.filter(key=name_key(name)).first()
        if standing is not None:
            return standing
        alias = insert_alias(topic=topic, name=name)
        index.reindex_topic(topic)
        return alias


def remove_alias(*, alias: Alias, actor: Actor, expected_version: int | None = None, reason: str = "") -> None:
    """Take an alias away. Raises WrongState for the topic's own name: rename the topic instead."""
    with change_set(space=alias.space, actor=actor, action="remove_alias", reason=reason):
        topic = lock_topic(alias.topic)
        alias = _lock(Alias, alias.pk, expected_version)
        if alias.is_name:
            raise WrongState(_("This is the topic's own name. Rename the topic instead."), code="own_name")
        alias.delete()
        index.reindex_topic(topic)


def rename_alias(
    *, alias: Alias, actor: Actor, name: str, expected_version: int | None = None, reason: str = ""
) -> Alias:
    """Write an alias in another way. Raises NameTaken, and WrongState for the topic's own name."""
    name = clean_name(name)
    with change_set(space=alias.space, actor=actor, action="rename_alias", reason=reason):
        topic = lock_topic(alias.topic)
        alias = _lock(Alias, alias.pk, expected_version)
        if alias.is_name:
            raise WrongState(_("This is the topic's own name. Rename the topic instead."), code="own_name")
        alias.name, alias.key = name, name_key(name)
        _save_alias(alias)
        index.reindex_topic(topic)
        return alias


def move_alias(
    *, alias: Alias, to: Topic, actor: Actor, expected_version: int | None = None, reason: str = ""
) -> Alias:
    """Give an alias to another topic of the same space. Raises WrongState for a topic's own name."""
    if alias.space_id != to.space_id:
        raise InvalidInput(_("That topic is not in this space."))
    with change_set(space=alias.space, actor=actor, action="move_alias", reason=reason) as change:
        alias = _lock(Alias, alias.pk, expected_version)
        if alias.is_name:
            raise WrongState(_("This is the topic's own name. Rename the topic instead."), code="own_name")
        held = lock_topics([alias.topic_id, to.pk])
        source, target = held[alias.topic_id], held[to.pk]
        refuse_gone(target)
        change.touch(source.pk)
        alias.topic = target
        alias.save()
        index.reindex_topic(source)
        index.reindex_topic(target)
        return alias


def lock_topic(topic: Topic, *, expected_version: int | None = None) -> Topic:
    """The topic as it is now, held until the transaction ends.

    Raises Stale when it is not at `expected_version`, WrongState when it is merged or deleted.
    """
    locked: Topic = _lock(Topic, topic.pk, expected_version)
    refuse_gone(locked)
    return locked


def refuse_gone(topic: Topic) -> None:
    """Raise WrongState for a topic that is merged or deleted."""
    if topic.status in (Topic.Status.MERGED, Topic.Status.DELETED):
        raise WrongState(_("This topic was merged or deleted."), code="topic_gone")


def lock_topics(ids: Iterable[Any]) -> dict[Any, Topic]:
    """Hold many topics in one order, so that two transactions never wait for each other in a circle."""
    return {t.pk: t for t in Topic.objects.select_for_update(no_key=True).filter(pk__in=set(ids)).order_by("pk")}


def _lock(model: type[Any], pk: Any, expected_version: int | None) -> Any:
    row = model.objects.select_for_update(no_key=True).get(pk=pk)
    if expected_version is not None and row.version != expected_version:
        raise Stale(_("Somebody changed this in the meantime. Look at it again, then repeat your change."))
    return row


def _set_status(
    topic: Topic, actor: Actor, action: str, before: str, after: str, expected_version: int | None, reason: str
) -> Topic:
    with change_set(space=topic.space, actor=actor, action=action, reason=reason):
        topic = lock_topic(topic, expected_version=expected_version)
        if topic.status != before:
            raise WrongState(_("This topic is %(status)s.") % {"status": topic.get_status_display().lower()})
        topic.status = after
        topic.save()
        index.reindex_topic(topic)
        return topic


def _rename(topic: Topic, name: str) -> None:
    """Make `name` the topic's own name; the former one stays as an alias unless it differs in writing only."""
    key = name_key(name)
    own = topic.aliases.get(is_name=True)
    topic.name = name
    if own.key == key:
        own.name = name
        own.save()
        return
    own.is_name = False
    own.save()
    standing = topic.aliases.filter(key=key).first()
    if standing is None:
        insert_alias(topic=topic, name=name, is_name=True)
    else:
        standing.name, standing.is_name = name, True
        standing.save()


def insert_alias(*, topic: Topic, name: str, is_name: bool = False) -> Alias:
    """Insert a name; the database decides between two processes that bring the same one at once."""
    alias = Alias(space=topic.space, topic=topic, name=name, key=name_key(name), is_name=is_name)
    _save_alias(alias)
    return alias


def _save_alias(alias: Alias) -> None:
    try:
        with savepoint():
            alias.save()
    except IntegrityError as error:
        _refuse_taken(alias.space, [alias.key], alias.name)
        raise InvalidInput(_("This name cannot be used.")) from error


def _refuse_taken(space: Space, keys: Sequence[str], name: str) -> None:
    holder = Alias.objects.filter(space=space, key__in=keys).select_related("topic").first()
    if holder is not None:
        raise NameTaken(
            _("%(name)s is already a name of %(topic)s.") % {"name": name, "topic": holder.topic.name},
            details={"topic": str(holder.topic_id)},
        )


def _check_kind(kind: str) -> None:
    if kind not in Topic.Kind.values:
        problem = _("Unknown kind of topic.")
        raise InvalidInput(problem, fields={"kind": [problem]})
