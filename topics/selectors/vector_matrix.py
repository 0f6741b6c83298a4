"""The vectors of a set as matrices, which a process keeps in memory and brings up to date by what was written since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Literal
from uuid import UUID

import numpy as np

from inference.embeddings import Vectors
from topics.kept import Kept
from topics.models import Vector, VectorSet

Kind = Literal["topic", "fact", "message"]

# Bytes of matrices that a process keeps: one is 2 kB for each text of 512 dimensions.
KEPT = 256 * 1024 * 1024
# Room that is left for rows to come, as a part of those that are there, so that not every write copies the matrix.
SPARE = 0.125


@dataclass(frozen=True, slots=True)
class Matrix:
    """The vectors of a kind, a row each, with what they were read at: `stamp` and `written` of their set.

    Never changed once made: others may be reading it. `room` holds `rows` and behind them space for more.
    """

    stamp: UUID
    written: int
    ids: Sequence[UUID]
    places: Mapping[UUID, int]
    room: Vectors

    @property
    def rows(self) -> Vectors:
        return self.room[: len(self.ids)]


_kept: Kept[tuple[int, Kind], Matrix] = Kept(KEPT, lambda matrix: matrix.room.nbytes)
# One thread reads while the others wait for it: each matrix grows out of the one before, in the same room.
_reading = Lock()


def matrix_of(held: VectorSet, kind: Kind) -> Matrix:
    """The vectors of a kind, as they were when `held` was read or later. Only what is not in memory yet is read."""
    key = held.pk, kind
    with _reading:
        known = _kept.get(key)
        if known is None or known.stamp != held.stamp:
            known = _read(held, kind)
        elif known.written < held.written:
            known = _brought_up_to_date(known, held, kind)
        else:
            return known
        _kept.put(key, known)
        return known


def _read(held: VectorSet, kind: Kind) -> Matrix:
    rows = {pk: values for pk, values in _stored(held, kind, after=-1) if values}
    return Matrix(held.stamp, held.written, list(rows), _places(rows), _as_rows(list(rows.values())))


def _brought_up_to_date(known: Matrix, held: VectorSet, kind: Kind) -> Matrix:
    fresh = dict(_stored(held, kind, after=known.written))
    known = _without(known, [known.places[pk] for pk, values in fresh.items() if not values and pk in known.places])
    if not known.ids:
        return _read(held, kind)
    at = len(known.ids)
    added = {pk: values for pk, values in fresh.items() if values and pk not in known.places}
    changed = {known.places[pk]: values for pk, values in fresh.items() if values and pk in known.places}
    room = known.room
    if changed or at + len(added) > len(room):
        room = np.empty((at + len(added) + int(at * SPARE), room.shape[1]), dtype=np.float32)
        room[:at] = known.rows
    if changed:
        room[list(changed)] = _as_rows(list(changed.values()))
    if added:
        room[at : at + len(added)] = _as_rows(list(added.values()))
    ids = [*known.ids, *added]
    return Matrix(held.stamp, held.written, ids, {**known.places, **_places(added, at)}, room)


def _without(known: Matrix, places: Sequence[int]) -> Matrix:
    if not places:
        return known
    left = np.delete(np.arange(len(known.ids)), places).tolist()
    ids = [known.ids[place] for place in left]
    return replace(known, ids=ids, places=_places(ids), room=known.rows[left])


def _stored(held: VectorSet, kind: Kind, *, after: int) -> Iterator[tuple[UUID, bytes]]:
    rows = Vector.objects.filter(set=held, written__gt=after, **{f"{kind}__isnull": False}).order_by("pk")
    for pk, values in rows.values_list(kind, "values").iterator(chunk_size=5000):
        yield pk, bytes(values)


def _places(ids: Iterable[UUID], first: int = 0) -> dict[UUID, int]:
    return {pk: place for place, pk in enumerate(ids, first)}


def _as_rows(values: Sequence[bytes]) -> Vectors:
    if not values:
        return np.empty((0, 0), dtype=np.float32)
    return np.frombuffer(b"".join(values), dtype="<f4").reshape(len(values), -1)
