"""A workflow's own state: values by key that an agent keeps with a topic.

State is no memory: nobody reviews it, nothing quotes it, and it has no history. So it is written outside change sets,
and writers of different keys do not wait for each other.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from topics.changes import Actor
from topics.errors import PreconditionMissing, Stale, ValueTooLarge
from topics.models import StateEntry, Topic
from topics.selectors.state import merged_ids
from topics.text.clean import storable_text

KEY_LIMIT = 500  # characters
VALUE_LIMIT = 256 * 1024  # bytes of UTF-8
ANYTHING = "*"
_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Put:
    """A value to be kept under a key, if what stands there is what is expected.

    `expected` are ETags, of which one must be the present one; "*" stands for any value. `only_new` asks that nothing
    stands there. With neither, and `overwrite` False, a value that stands is not replaced.
    """

    key: str
    value: Any
    expected: Collection[str] = ()
    only_new: bool = False
    overwrite: bool = False


@dataclass(frozen=True, slots=True)
class Removal:
    """A key to be freed. `expected` are ETags as in `Put`; with none, a key that is free already is no error."""

    key: str
    expected: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """The entries in the order of the puts, which keys are new, and how many were freed."""

    entries: list[StateEntry]
    created: frozenset[str]
    removed: int


def write_state(*, topic: Topic, actor: Actor, puts: Sequence[Put] = (), removals: Sequence[Removal] = ()) -> Written:
    """Keep and free values, all or none.

    A key may be named once. A value that is kept already is not written again. With a merged topic's entries, the one
    that `state_of` shows is replaced, and removing a key removes those that it hides too.
    Raises InvalidInput for a bad key, ValueTooLarge, Stale where what stands is not what was expected (its details name
    the keys), PreconditionMissing where a value would be replaced that nobody said they had seen.
    """
    texts = {_sort_key(put.key): _value_text(put.value) for put in puts}
    for removal in removals:
        _sort_key(removal.key)
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            with transaction.atomic():
                return _write(topic, actor, puts, removals, texts)
        except IntegrityError:  # somebody else has just written one of the new keys: it stands now
            if attempt == _ATTEMPTS:
                raise
    raise AssertionError("unreachable")


def _write(
    topic: Topic, actor: Actor, puts: Sequence[Put], removals: Sequence[Removal], texts: dict[bytes, str]
) -> Written:
    wanted = [*texts, *(removal.key.encode() for removal in removals)]
    family = merged_ids(topic)
    rows = StateEntry.objects.filter(topic__in=family, sort_key__in=wanted).order_by("pk")
    held: dict[bytes, list[StateEntry]] = {}
    for row in rows.select_for_update(no_key=True, of=("self",)):
        held.setdefault(bytes(row.sort_key), []).append(row)
    shown = {key: next((e for e in found if e.topic_id == topic.pk), found[0]) for key, found in held.items()}
    _refuse_stale(puts, removals, shown)
    freed = {key for removal in removals if (key := removal.key.encode()) in held}
    StateEntry.objects.filter(pk__in=[entry.pk for key in freed for entry in held[key]]).delete()
    # In the order of keys, so that two writers never wait for each other in a circle.
    written = {
        key: _keep(topic, actor, key, texts[key], shown.get(key)) for key in sorted(put.key.encode() for put in puts)
    }
    return Written(
        [written[put.key.encode()] for put in puts],
        frozenset(put.key for put in puts if put.key.encode() not in shown),
        len(freed),
    )


def _refuse_stale(puts: Sequence[Put], removals: Sequence[Removal], shown: dict[bytes, StateEntry]) -> None:
    stale: list[str] = []
    unseen: list[str] = []
    acts: list[Put | Removal] = [*puts, *removals]
    for act in acts:
        entry = shown.get(act.key.encode())
        if act.expected and (entry is None or not {entry.etag, ANYTHING} & set(act.expected)):
            stale.append(act.key)
        elif isinstance(act, Put) and entry is not None:
            if act.only_new:
                stale.append(act.key)
            elif not act.expected and not act.overwrite:
                unseen.append(act.key)
    if stale:
        message = _("Somebody changed this in the meantime. Look at it again, then repeat your change.")
        raise Stale(message, details={"keys": stale})
    if unseen:
        raise PreconditionMissing(_("Send If-Match with the ETag of what you have seen."))


def _keep(topic: Topic, actor: Actor, key: bytes, text: str, entry: StateEntry | None) -> StateEntry:
    data = text.encode()
    digest, now = hashlib.sha256(data).hexdigest()[:16], timezone.now()
    if entry is None:
        entry = StateEntry(topic=topic, sort_key=key, version=0, created_at=now)
    elif entry.value == text:
        return entry
    entry.value, entry.size, entry.digest = text, len(data), digest
    entry.version, entry.updated_at, entry.written_by = entry.version + 1, now, actor.label
    entry.save()
    return entry


def _sort_key(key: str) -> bytes:
    return storable_text(key, field="key", limit=KEY_LIMIT).encode()


def _value_text(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    if len(text.encode()) > VALUE_LIMIT:
        raise ValueTooLarge(_("A value of the state has at most 256 KiB."))
    return text
