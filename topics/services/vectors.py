"""Writing vectors. Embedding itself takes place elsewhere, with no transaction open."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from inference.embeddings import Vectors
from topics.models import Space, Vector, VectorSet
from topics.selectors.vectors import SOURCES, Kind, Wanted, gone, is_complete
from topics.services.vector_index import empty_embeddings, write_embeddings

# How many vectors of a set that nobody uses any more are deleted in one transaction.
SLICE = 2000
# The version of no row: its vector is wanted again should the row come back.
GONE = 0
# One in so many vectors of a set may be an emptied one.
MOST_GONE = 8


def store_vectors(
    *,
    space: Space,
    embedder: str,
    held: VectorSet | None,
    wanted: Sequence[Wanted],
    rows: Mapping[tuple[Kind, UUID], Vectors],
) -> VectorSet:
    """Write what was embedded: `rows` by kind and id. Of the others in `wanted` the text is as it was, or blank.

    Vectors of another length than those of the set begin a new set. Returns the set that they were written to. In a
    transaction of the caller's.
    """
    sizes = {row.size for row in rows.values()}
    if len(sizes) > 1:
        raise ValueError("vectors of different lengths")
    size = sizes.pop() if sizes else None
    if held is None or (size is not None and held.dimensions not in (None, size)):
        held = VectorSet.objects.create(space=space, embedder=embedder)
        wanted = [item for item in wanted if (item.kind, item.pk) in rows]
    _begin_to_write(held)
    for kind in SOURCES:
        items = [item for item in wanted if item.kind == kind]
        fresh = [item for item in items if (kind, item.pk) in rows or not item.text.strip()]
        _upsert(held, kind, fresh, rows)
        for item in items:
            if item not in fresh:
                Vector.objects.filter(set=held, **{kind: item.pk}).update(version=item.version)
    held.dimensions = held.dimensions or size
    held.save(update_fields=["dimensions"])
    return held


def finish_set(*, held: VectorSet) -> bool:
    """Once nothing is missing from the set, let readers use it, and delete what is of no use any more.

    True while there is more to do: texts are missing, or vectors of other sets are left.
    """
    if not is_complete(held.space, held):
        return True
    _take_out(held, gone(held).exclude(version=GONE))
    if held.state != VectorSet.State.CURRENT:
        others = VectorSet.objects.filter(space=held.space, state=VectorSet.State.CURRENT)
        others.update(state=VectorSet.State.BUILDING)
        held.state, held.completed_at = VectorSet.State.CURRENT, timezone.now()
        held.save(update_fields=["state", "completed_at"])
    _delete_gone(held)
    return _delete_others(held)


def begin_anew(*, space: Space, embedder: str) -> VectorSet:
    """A new, empty set for the embedder: everything is embedded again, while the current set goes on answering."""
    return VectorSet.objects.create(space=space, embedder=embedder)


def forget_vectors(*, facts: Iterable[UUID] = (), topics: Iterable[UUID] = ()) -> None:
    """Empty the vectors of what was taken out of the memory, in all sets. In a transaction of the caller's."""
    rows = Vector.objects.filter(Q(fact__in=list(facts)) | Q(topic__in=list(topics)))
    for held in VectorSet.objects.filter(pk__in=rows.values("set")).order_by("pk"):
        _take_out(held, rows.filter(set=held))


def _take_out(held: VectorSet, rows: QuerySet[Vector]) -> None:
    """Empty the vectors, so that readers learn of it by what was written; deleted they would have to read all anew."""
    taken = list(rows.values_list("pk", flat=True))
    if taken:
        _begin_to_write(held)
        for at in range(0, len(taken), SLICE):
            some = Vector.objects.filter(pk__in=taken[at : at + SLICE])
            some.update(values=b"", digest="", version=GONE, written=held.written)
            empty_embeddings(taken[at : at + SLICE])


def _delete_gone(held: VectorSet) -> None:
    """Delete what was emptied, once it is a good part of the set: of a complete set no row that stands is empty so."""
    taken = held.vectors.filter(version=GONE)
    if taken.count() * MOST_GONE > held.vectors.count():
        taken.delete()
        held.stamp = uuid.uuid4()
        held.save(update_fields=["stamp"])


def _begin_to_write(held: VectorSet) -> None:
    """Count the write. Also the lock that keeps a second writer, of a job that was thought dead, behind this one."""
    VectorSet.objects.filter(pk=held.pk).update(written=F("written") + 1)
    held.refresh_from_db(fields=["written"])


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
            written=held.written,
            **{f"{kind}_id": item.pk},
        )
        for item in items
    ]
    Vector.objects.bulk_create(
        made,
        update_conflicts=True,
        unique_fields=["set", kind],
        update_fields=["version", "digest", "values", "written"],
        batch_size=500,
    )
    write_embeddings(held, kind, {item.pk: rows.get((kind, item.pk)) for item in items})


def _as_bytes(row: Vectors | None) -> bytes:
    return b"" if row is None else np.asarray(row, dtype="<f4").tobytes()
