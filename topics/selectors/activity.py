"""The changes of a space, whoever made them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import reduce
from operator import or_

from django.db.models import Q, QuerySet

from topics.models import Alias, ChangeSet, DocumentVersion, Space, Topic
from topics.selectors.topics import reads_as_id
from topics.text.names import name_key


def changes_in(
    space: Space,
    *,
    who: Sequence[str] = (),
    action: str = "",
    topic: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
) -> QuerySet[ChangeSet]:
    """Change sets, the latest first, with their topics: by actor, action, and moment (inclusive).

    `who` are parts of the actor's name, of which one is enough.
    `topic` is part of any name of the topics whose documents changed, also of deleted and merged ones, or an id.
    """
    changes = ChangeSet.objects.filter(space=space).order_by("-id")
    if who:
        changes = changes.filter(reduce(or_, [Q(actor_label__icontains=part) for part in who]))
    if action:
        changes = changes.filter(action=action)
    if topic.strip():
        documents = DocumentVersion.objects.filter(topic__in=_named(space, topic.strip()))
        changes = changes.filter(pk__in=documents.values("change_set"))
    if since:
        changes = changes.filter(at__gte=since)
    if until:
        changes = changes.filter(at__lte=until)
    return changes.select_related("undoes").prefetch_related("undone_by", "documents__topic")


def in_batches(changes: QuerySet[ChangeSet], size: int) -> Iterator[list[ChangeSet]]:
    """The same change sets in lists of at most `size`, each read when it is asked for."""
    batch = list(changes[:size])
    while batch:
        yield batch
        batch = list(changes.filter(pk__lt=batch[-1].pk)[:size])


def _named(space: Space, text: str) -> QuerySet[Topic]:
    topics = Topic.objects.filter(space=space)
    if reads_as_id(text):
        return topics.filter(pk=text)
    key = name_key(text)
    aliases = Alias.objects.filter(space=space, key__contains=key) if key else Alias.objects.none()
    return topics.filter(Q(name__icontains=text) | Q(pk__in=aliases.values("topic")))
