"""Keeping the suggestions of duplicates up to date, and what people say about them.

Comparing happens in the background: a worker asks `search_where_due` when it has nothing else to do, and only topics
that changed since the last time are compared with the rest.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from topics.changes import Actor
from topics.likeness.contact import SORT_OF, read_contact
from topics.likeness.names import Name
from topics.likeness.pairs import Pair, Profile, Reason, find_pairs
from topics.models import Alias, DuplicatePair, DuplicateSearch, Fact, Space, Topic
from topics.selectors.names import READABLE
from topics.text.names import name_key

MOST_SHARING = 4  # topics that say the same; what more of them say tells nothing
SHOWN_FACTS = 3
BATCH = 500
REST = timedelta(seconds=20)  # between two searches of a space that changes all the time


def search_where_due(*, limit: int = 5) -> int:
    """Search the spaces in which a topic has changed since they were searched: how many. Others may search too."""
    found = 0
    changed = Topic.objects.filter(space=OuterRef("pk"), changed_at__gt=OuterRef("duplicate_search__searched_until"))
    is_due = (
        Q(duplicate_search=None, topics__isnull=False)
        | Q(duplicate_search__searched_until=None)
        | Q(Exists(changed), duplicate_search__searched_until__lt=timezone.now() - REST)
    )
    for space in Space.objects.filter(is_due).distinct()[:limit]:
        found += search_duplicates(space=space) is not None
    return found


def search_duplicates(*, space: Space, everything: bool = False) -> int | None:
    """Compare the topics that changed since the last search (or all) with the rest: the number of pairs suggested.

    None when another process is at it. A pair that nothing speaks for any more goes, unless somebody has dismissed it:
    that is remembered until a name of one of the two changes.
    """
    now = timezone.now()
    search = _claim(space, now)
    if search is None:
        return None
    try:
        changed = None if everything or search.searched_until is None else _changed(space, search.searched_until)
        if changed is None or changed:
            pairs = find_pairs(_profiles(space), only=changed)
            _store(space, pairs, changed, now)
        DuplicateSearch.objects.filter(pk=space.pk).update(searched_until=now - DuplicateSearch.OVERLAP)
    finally:
        DuplicateSearch.objects.filter(pk=space.pk).update(running_since=None)
    return DuplicatePair.objects.filter(space=space, dismissed_at=None).count()


def dismiss_pair(*, pair: DuplicatePair, actor: Actor) -> DuplicatePair:
    """Note that the two are not the same topic. Again, or undone by `reopen_pair`, it does no harm."""
    with transaction.atomic():
        pair = DuplicatePair.objects.select_for_update(no_key=True, of=("self",)).get(pk=pair.pk)
        if pair.dismissed_at is None:
            pair.dismissed_at, pair.dismissed_by = timezone.now(), actor.label
            pair.names_key = _names_keys([pair.first_id, pair.second_id])(pair.first_id, pair.second_id)
            pair.save(update_fields=["dismissed_at", "dismissed_by", "names_key"])
        return pair


def reopen_pair(*, pair: DuplicatePair) -> DuplicatePair:
    """Suggest a dismissed pair again."""
    pair.dismissed_at, pair.dismissed_by = None, ""
    pair.save(update_fields=["dismissed_at", "dismissed_by"])
    return pair


def _claim(space: Space, now: datetime) -> DuplicateSearch | None:
    DuplicateSearch.objects.get_or_create(space=space)
    free = Q(running_since=None) | Q(running_since__lt=now - DuplicateSearch.GIVEN_UP_AFTER)
    is_ours = DuplicateSearch.objects.filter(free, pk=space.pk).update(running_since=now)
    return DuplicateSearch.objects.get(pk=space.pk) if is_ours else None


def _changed(space: Space, since: datetime) -> set[UUID]:
    rows = Topic.objects.filter(space=space, status__in=READABLE, changed_at__gt=since)
    return set(rows.values_list("pk", flat=True))


def _profiles(space: Space) -> list[Profile]:
    """What is compared of every topic of the space: four queries."""
    kinds = dict(Topic.objects.filter(space=space, status__in=READABLE).order_by("pk").values_list("pk", "kind"))
    names: dict[UUID, list[Name]] = defaultdict(list)
    for pk, name in Alias.objects.filter(space=space).order_by("pk").values_list("topic_id", "name"):
        names[pk].append(Name(name))
    current = Fact.objects.filter(space=space, status=Fact.Status.ACTIVE)
    contacts: dict[UUID, set[tuple[str, str]]] = defaultdict(set)
    told = current.filter(attribute__in=list(SORT_OF), negated=False)
    for pk, attribute, value, text in told.values_list("topic_id", "attribute", "value", "text"):
        contact = read_contact(attribute, value or text)
        if contact is not None:
            contacts[pk].add(contact)
    facts: dict[UUID, set[str]] = defaultdict(set)
    shared = current.values("content_key").annotate(count=Count("topic")).filter(count__gt=1, count__lte=MOST_SHARING)
    for pk, key in current.filter(content_key__in=shared.values("content_key")).values_list("topic_id", "content_key"):
        facts[pk].add(key)
    return [
        Profile(pk, tuple(names[pk]), kind, frozenset(contacts[pk]), frozenset(facts[pk])) for pk, kind in kinds.items()
    ]


def _store(space: Space, pairs: Sequence[Pair], changed: Collection[UUID] | None, now: datetime) -> None:
    found = {(min(p.first, p.second), max(p.first, p.second)): p for p in pairs}
    keys_of = _names_keys({topic for pair in found for topic in pair})
    texts = _texts({value for p in pairs for r in p.reasons if r.code == "shared_facts" for value in r.values})
    with transaction.atomic():
        looked_at = DuplicatePair.objects.filter(space=space)
        if changed is not None:
            looked_at = looked_at.filter(Q(first__in=changed) | Q(second__in=changed))
        standing = {
            (row.first_id, row.second_id): row for row in looked_at.select_for_update(no_key=True, of=("self",))
        }
        gone = [row.pk for key, row in standing.items() if key not in found and row.dismissed_at is None]
        for at in range(0, len(gone), BATCH):
            DuplicatePair.objects.filter(pk__in=gone[at : at + BATCH]).delete()
        fresh: list[DuplicatePair] = []
        again: list[DuplicatePair] = []
        for key, pair in found.items():
            row = standing.get(key) or DuplicatePair(space=space, first_id=key[0], second_id=key[1], found_at=now)
            row.score, row.reasons = pair.score, [_stored(reason, texts) for reason in pair.reasons]
            names_key = keys_of(*key)
            if row.dismissed_at is not None and row.names_key != names_key:
                row.dismissed_at, row.dismissed_by, row.found_at = None, "", now
            row.names_key = names_key
            (again if key in standing else fresh).append(row)
        DuplicatePair.objects.bulk_create(fresh, batch_size=BATCH)
        written = ["score", "reasons", "names_key", "dismissed_at", "dismissed_by", "found_at"]
        DuplicatePair.objects.bulk_update(again, written, batch_size=100)


def _names_keys(topics: Iterable[UUID]) -> Any:
    """A function that gives for two of these topics a digest of the names that they have now."""
    names: dict[UUID, list[str]] = defaultdict(list)
    for pk, name in Alias.objects.filter(topic__in=list(topics)).values_list("topic_id", "name"):
        names[pk].append(name_key(name))

    def key_of(first: UUID, second: UUID) -> str:
        parts = ["\x1f".join(sorted(names[pk])) for pk in sorted((first, second))]
        return hashlib.sha256("\x1e".join(parts).encode()).hexdigest()

    return key_of


def _texts(keys: Collection[str]) -> dict[str, str]:
    return dict(Fact.objects.filter(content_key__in=list(keys)).values_list("content_key", "text"))


def _stored(reason: Reason, texts: dict[str, str]) -> dict[str, Any]:
    values = list(reason.values)
    if reason.code == "shared_facts":
        values = [str(len(values)), *(texts.get(value, "") for value in values[:SHOWN_FACTS])]
    return {"code": reason.code, "weight": round(reason.weight, 2), "values": values}
