"""How near the rows are to a question in what they mean, where the space has vectors.

Cosines of two encoders are not on one scale, so a row counts by how far it stands out among all rows of its kind, in
standard deviations. What has no vector yet counts as the average row that was found by its words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
import structlog

from inference.embeddings import Embedder, Vectors
from inference.errors import InferenceError
from topics.kept import Kept
from topics.models import Space
from topics.selectors.vectors import Cosines, Kind, VectorSpace, vector_space

log = structlog.get_logger(__name__)

# Seconds that a question waits for an endpoint to embed it. Later it is answered by its words alone.
PATIENCE = 4.0
# Characters of the question that are embedded, the last ones: of a long message people ask at its end.
READ = 2000
# Rows that are candidates because of what they mean, whatever their words: this many at most, and this far out.
NEAREST = 150
STANDS_OUT = 1.0
# Where the words find nothing, rows must be this near, and far out (in a kind with enough rows to tell).
NEAR = 0.5
STANDS_FAR_OUT, ENOUGH = 2.5, 16
# One encoder's cosines differ by more than this, but for a handful of texts that are all alike.
_LEAST_DEVIATION = 0.02

_asked: Kept[tuple[str, str], Vectors] = Kept(512, lambda vector: 1)


@dataclass(frozen=True)
class Meaning:
    """A question's nearness to all rows of a kind. `outstanding`: standard deviations from the mean, for each."""

    space: VectorSpace
    kind: Kind
    cosines: Cosines
    outstanding: Vectors

    def nearest(self, *, has_words: bool) -> list[UUID]:
        """The ids of the rows that are candidates by what they mean, the nearest first.

        `has_words`: whether any row is one by its words. If none is, what merely stands out is not shown: the question
        may be about something unknown.
        """
        far = STANDS_FAR_OUT if len(self.outstanding) >= ENOUGH else -np.inf
        floor, near = (STANDS_OUT, -1.0) if has_words else (far, NEAR)
        ranked = np.argsort(-self.outstanding, kind="stable")[:NEAREST]
        is_near = (self.outstanding[ranked] >= floor) & (self.cosines.values[ranked] >= near)
        return [self.cosines.ids[place] for place in ranked[is_near]]

    def of(self, ids: Sequence[UUID | None], found_by_words: Sequence[bool]) -> list[float]:
        """For each row how far it stands out. `ids`: None for a row without a vector of what it says now."""
        known = {pk for pk in ids if pk in self.cosines.places}
        if self.kind == "fact":
            known &= self.space.standing("fact", [pk for pk in known if pk])
        values = [float(self.outstanding[self.cosines.places[pk]]) if pk and pk in known else None for pk in ids]
        of_words = [v for v, by_words in zip(values, found_by_words, strict=True) if by_words and v is not None]
        average = float(np.mean(of_words)) if of_words else 0.0
        return [average if value is None else value for value in values]


@dataclass(frozen=True)
class Asked:
    """A question as a vector, in the space whose vectors it may be compared with."""

    space: VectorSpace
    vector: Vectors

    def about(self, kind: Kind) -> Meaning | None:
        """None where no row of the kind has a vector that may be compared."""
        cosines = self.space.cosines(kind, self.vector)
        if cosines is None:
            return None
        deviation = max(float(cosines.values.std()), _LEAST_DEVIATION)
        return Meaning(self.space, kind, cosines, (cosines.values - cosines.values.mean()) / deviation)


def read_meaning(space: Space, question: str) -> Asked | None:
    """The question as a vector. None where the space has no vectors, or while the embedder fails.

    Not inside a transaction: an endpoint may be asked.
    """
    vectors = vector_space(space, patience=PATIENCE)
    text = question[-READ:].strip()
    if vectors is None or not text:
        return None
    try:
        return Asked(vectors, _embed(vectors.embedder, text))
    except InferenceError as error:
        log.warning("question_not_embedded", space=space.slug, error=type(error).__name__)
        return None


def _embed(embedder: Embedder, text: str) -> Vectors:
    known = _asked.get((embedder.name, text))
    if known is None:
        known = embedder.embed([text])[0]
        _asked.put((embedder.name, text), known)
    return known
