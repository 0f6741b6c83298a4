"""How near all rows of a kind are to one or several vectors: exactly, in memory, or with the index of the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol
from uuid import UUID

import numpy as np

from inference.embeddings import Vectors
from topics.kept import Kept
from topics.models import VectorSet
from topics.selectors import vector_index
from topics.selectors.vector_matrix import Kind, matrix_of

# One encoder's cosines differ by more than this, but for a handful of texts that are all alike.
_LEAST_DEVIATION = 0.02
# Rows from which on it can be told how far one stands out.
ENOUGH = 16
# Of a set with an index the mean and the deviation are those of so many rows, drawn anew when as much was written again
# by half.
SAMPLED, GROWN = 2_000, 1.5

_samples: Kept[tuple[int, Kind], tuple[int, Vectors]] = Kept(64 * 1024 * 1024, lambda kept: kept[1].nbytes)


@dataclass(frozen=True, slots=True)
class Nearness:
    """Of a row: standard deviations by which it stands out among all, and the cosine with the first vector."""

    pk: UUID
    outstanding: float
    cosine: float


class Compared(Protocol):
    """All rows of a kind beside some vectors, each of which has a weight."""

    @property
    def is_many(self) -> bool:
        """Whether there are enough rows to tell how far one stands out."""

    @property
    def most(self) -> int:
        """How many rows can be ranked."""

    def ranked(self, limit: int) -> list[Nearness]:
        """The rows that stand out most, the first one most."""

    def outstanding(self, ids: Sequence[UUID]) -> Mapping[UUID, float]:
        """Standard deviations, for those of the rows that have a vector."""


@dataclass(frozen=True)
class InMemory:
    """Exact, of every row: the weighted mean of the standard deviations. `cosines`: for each vector a row of them."""

    ids: Sequence[UUID]
    places: Mapping[UUID, int]
    cosines: Sequence[Vectors]
    weights: Sequence[float]

    @property
    def is_many(self) -> bool:
        return len(self.ids) >= ENOUGH

    @property
    def most(self) -> int:
        return len(self.ids)

    @cached_property
    def _outstanding(self) -> Vectors:
        parts = [(row - row.mean()) / _deviation(row) for row in self.cosines]
        together = sum(weight * part for weight, part in zip(self.weights, parts, strict=True))
        return np.asarray(together, dtype=np.float32)

    def ranked(self, limit: int) -> list[Nearness]:
        places = np.argsort(-self._outstanding, kind="stable")[:limit]
        return [Nearness(self.ids[n], float(self._outstanding[n]), float(self.cosines[0][n])) for n in places]

    def outstanding(self, ids: Sequence[UUID]) -> Mapping[UUID, float]:
        return {pk: float(self._outstanding[self.places[pk]]) for pk in ids if pk in self.places}


@dataclass(frozen=True)
class Indexed:
    """With the index of the database. How far a row stands out is linear in its vector, so one vector, the sum of all
    over their deviations, finds the rows that stand out most."""

    held: VectorSet
    kind: Kind
    vectors: Sequence[Vectors]
    weights: Sequence[float]
    sample: Vectors

    most = vector_index.MOST_FOUND

    @property
    def is_many(self) -> bool:
        return len(self.sample) >= ENOUGH

    @cached_property
    def _together(self) -> tuple[Vectors, float]:
        """The vector that finds them, and the inner product with it of a row that does not stand out at all."""
        found, mean = np.zeros(self.vectors[0].size, dtype=np.float32), 0.0
        for vector, weight in zip(self.vectors, self.weights, strict=True):
            cosines = self.sample @ vector
            share = weight / _deviation(cosines)
            found, mean = found + share * vector, mean + share * float(cosines.mean())
        return found, mean

    def ranked(self, limit: int) -> list[Nearness]:
        vector, mean = self._together
        rows = vector_index.nearest(self.held, self.kind, vector, self.vectors[:1], limit=limit)
        return [Nearness(pk, product - mean, cosine) for pk, (product, cosine) in rows]

    def outstanding(self, ids: Sequence[UUID]) -> Mapping[UUID, float]:
        vector, mean = self._together
        found = vector_index.products_of(self.held, self.kind, ids, vector)
        return {pk: product - mean for pk, product in found.items()}


def compare(
    held: VectorSet, kind: Kind, vectors: Sequence[Vectors], weights: Sequence[float] = (1.0,)
) -> Compared | None:
    """The set's rows of this kind beside these vectors (of unit length). None where there is nothing to compare: no
    rows, or vectors of another length. Rows may be gone, or have changed since; see `VectorSpace.standing`."""
    if vector_index.is_indexed(held, kind):
        sample = _sample_of(held, kind)
        is_alike = len(sample) > 0 and sample.shape[1] == vectors[0].size
        return Indexed(held, kind, vectors, weights, sample) if is_alike else None
    matrix = matrix_of(held, kind)
    if not matrix.ids or matrix.rows.shape[1] != vectors[0].size:
        return None
    return InMemory(matrix.ids, matrix.places, [matrix.rows @ vector for vector in vectors], weights)


def _deviation(cosines: Vectors) -> float:
    return max(float(cosines.std()), _LEAST_DEVIATION)


def _sample_of(held: VectorSet, kind: Kind) -> Vectors:
    known = _samples.get((held.pk, kind))
    if known is None or held.written > GROWN * known[0] or not len(known[1]):
        known = held.written, vector_index.sample(held, kind, SAMPLED)
        _samples.put((held.pk, kind), known)
    return known[1]
