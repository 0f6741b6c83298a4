"""The state that agents keep with a topic, and with those that were merged into it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from topics.models import StateEntry, Topic

ORDERS = {"key": "sort_key", "-key": "-sort_key", "created": "pk", "-created": "-pk"}


def merged_ids(topic: Topic) -> list[UUID]:
    """The topic's id, and those of all that were merged into it, also by way of others."""
    found, fresh = [topic.pk], [topic.pk]
    while fresh:
        fresh = list(Topic.objects.filter(merged_into__in=fresh).order_by("pk").values_list("pk", flat=True))
        found += fresh
    return found


def state_of(
    topic: Topic, *, prefix: str = "", after: str = "", before: str = "", order: str = "key", of: UUID | None = None
) -> QuerySet[StateEntry]:
    """The entries of a topic: each key once, in the order of keys (by code point) or of creation, see ORDERS.

    Entries of merged topics are among them. Where several have the same key, that of the topic itself counts, else the
    oldest. `of` shows what one of the merged topics holds instead. `after` and `before` are keys, and excluded.
    """
    family = merged_ids(topic)
    if of is not None:
        rows = StateEntry.objects.filter(topic__in=[pk for pk in family if pk == of])
    elif len(family) == 1:
        rows = StateEntry.objects.filter(topic=topic)
    else:
        same = StateEntry.objects.filter(topic__in=family, sort_key=OuterRef("sort_key"))
        hidden = same.filter(Q(topic=topic) | Q(pk__lt=OuterRef("pk")))
        rows = StateEntry.objects.filter(topic__in=family).filter(Q(topic=topic) | ~Q(Exists(hidden)))
    if prefix:
        start = prefix.encode()
        rows = rows.filter(sort_key__gte=start, sort_key__lt=_after_all(start))
    if after:
        rows = rows.filter(sort_key__gt=after.encode())
    if before:
        rows = rows.filter(sort_key__lt=before.encode())
    return rows.order_by(ORDERS[order])


def state_entry(topic: Topic, key: str, of: UUID | None = None) -> StateEntry | None:
    """What `state_of` shows under this key; None when nothing stands there."""
    found: StateEntry | None = state_of(topic, of=of).filter(sort_key=key.encode()).first()
    return found


def hidden_by(topic: Topic, entries: Sequence[StateEntry]) -> dict[Any, list[UUID]]:
    """For each entry, the merged topics that hold another value under its key."""
    family = merged_ids(topic)
    found: dict[Any, list[UUID]] = {entry.pk: [] for entry in entries}
    if len(family) == 1:
        return found
    by_key = {bytes(entry.sort_key): entry for entry in entries}
    others = StateEntry.objects.filter(topic__in=family, sort_key__in=list(by_key)).order_by("pk")
    for key, pk in others.values_list("sort_key", "topic_id"):
        if pk != by_key[bytes(key)].topic_id:
            found[by_key[bytes(key)].pk].append(pk)
    return found


def _after_all(prefix: bytes) -> bytes:
    """The least bytes above all that begin with the prefix. UTF-8 has no byte 0xFF, so the last one has a successor."""
    return prefix[:-1] + bytes([prefix[-1] + 1])
