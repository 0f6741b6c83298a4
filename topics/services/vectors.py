"""Writing vectors. Embedding itself takes place elsewhere, with no transaction open."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import Q
from django.utils import timezone

from inference.embeddings import Vectors
from topics.models import Space, Vector, VectorSet
from topics.selectors.vectors import SOURCES, Kind, Wanted, gone, is_complete

# How many vectors of a set that nobody uses any more are deleted in one transaction.
SLICE = 2000


def store_vectors(
    *,
    space: Space,
    embedder: str,
    held: VectorSet | None,
    wanted: Sequence[Wanted],
    rows: Mapping[tuple[Kind, UUID], Vectors],
) -> VectorSet:
    """Write what was embedded: `rows` by kind and id. Of the others in `wanted` the text is as it was, or blank.

    Vectors of another length than those of the set begin a new set. Returns the set that they were written to.
    """
    sizes = {row.size for row in rows.values()}
    if len(sizes) > 1:
        raise ValueError("vectors of different lengths")
    size = sizes.pop() if sizes else None
    if held is None or (size is not None and held.dimensions not in (None, size)):
        held = VectorSet.objects.create(space=space, embedder=embedder)
        wanted = [item for item in wanted if (item.kind, item.pk) in rows]
    for kind in SOURCES:
        items = [item for item in wanted if item.kind == kind]
        fresh = [item for item in items if (kind, item.pk) in rows or not item.text.strip()]
        _upsert(held, kind, fresh, rows)
        for item in items:
            if item not in fresh:
                Vector.objects.filter(set=held, **{kind: item.pk}).update(version=item.version)
    held.dimensions = held.dimensions or size
    held.stamp = uuid.uuid4()
    held.save(update_fields=["dimensions", "stamp"])
    return held


def finish_set(*, held: VectorSet) -> bool:
    """Once nothing is missing from the set, let readers use it, and delete what is of no use any more.

    True while there is more to do: texts are missing, or vectors of other sets are left.
    """
    if not is_complete(held.space, held):
        return True
    lost = gone(held).delete()[0]
    if held.state != VectorSet.State.CURRENT:
        others = VectorSet.objects.filter(space=held.space, state=VectorSet.State.CURRENT)
        others.update(state=VectorSet.State.BUILDING)
        held.state, held.completed_at = VectorSet.State.CURRENT, timezone.now()
    if lost:
        held.stamp = uuid.uuid4()
    held.save(update_fields=["state", "completed_at", "stamp"])
    return _delete_others(held)


def begin_anew(*, space: Space, embedder: str) -> VectorSet:
    """A new, empty set for the embedder: everything is embedded again, while the current set goes on answering."""
    return VectorSet.objects.create(space=space, embedder=embedder)


def forget_vectors(*, facts: Iterable[UUID] = (), topics: Iterable[UUID] = ()) -> None:
    """Delete the vectors of what was taken out of the memory, in all sets."""
    Vector.objects.filter(Q(fact__in=list(facts)) | Q(topic__in=list(topics))).delete()


def _delete_others(held: VectorSet) -> bool:
    others = VectorSet.objects.filter(space=held.space).exclude(pk=held.pk)
    some = list(Vector.objects.filter(set__in=others).order_by("pk").values_list("pk", flat=True)[:SLICE])
    Vector.objects.filter(pk__in=some).delete()
    if len(some) == SLICE:
        return True
    others.delete()
    return False


def _upsert(
    held: VectorSet,
    kind: Kind,
    items: Sequence[Wanted],
    rows: Mapping[tuple[Kind, UUID], Vectors],
) -> None:
    made: list[Any] = [
        Vector(
            set=held,
            version=item.version,
            digest=item.digest,
            values=_as_bytes(rows.get((kind, item.pk))),
            **{f"{kind}_id": item.pk},
        )
        for item in items
    ]
    Vector.objects.bulk_create(
        made,
        update_conflicts=True,
        unique_fields=["set", kind],
        update_fields=["version", "digest", "values"],
        batch_size=500,
    )


def _as_bytes(row: Vectors | None) -> bytes:
    return b"" if row is None else np.asarray(row, dtype="<f4").tobytes()
