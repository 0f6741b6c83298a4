"""How near the rows are to a question in what they mean, where the space has vectors.

Cosines of two encoders are not on one scale, so a row counts by how far it stands out among all rows of its kind, in
standard deviations. What has no vector yet counts as the average row that was found by its words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
import structlog

from inference.embeddings import Vectors
from inference.errors import InferenceError
from topics.kept import Kept
from topics.models import Space
from topics.retrieval.question import Question
from topics.selectors.vector_compare import Compared
from topics.selectors.vectors import Kind, VectorSpace, vector_space

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
STANDS_FAR_OUT = 2.5

# What the matter of a question (see `Question.matter`) counts beside the question as a whole.
MATTER = 0.4

_asked: Kept[tuple[str, str], Vectors] = Kept(1024, lambda vector: 1)


@dataclass(frozen=True)
class Meaning:
    """A question's nearness to all rows of a kind."""

    space: VectorSpace
    kind: Kind
    compared: Compared

    def nearest(self, *, has_words: bool) -> list[UUID]:
        """The ids of the rows that are candidates by what they mean, the nearest first.

        `has_words`: whether any row is one by its words. If none is, what merely stands out is not shown: the question
        may be about something unknown.
        """
        far = STANDS_FAR_OUT if self.compared.is_many else -math.inf
        floor, near = (STANDS_OUT, -1.0) if has_words else (far, NEAR)
        ranked = self.compared.ranked(NEAREST)
        return [row.pk for row in ranked if row.outstanding >= floor and row.cosine >= near]

    def of(self, ids: Sequence[UUID | None], found_by_words: Sequence[bool]) -> list[float]:
        """For each row how far it stands out. `ids`: None for a row without a vector of what it says now."""
        known = dict(self.compared.outstanding([pk for pk in ids if pk]))
        if self.kind == "fact":
            standing = self.space.standing("fact", known)
            known = {pk: value for pk, value in known.items() if pk in standing}
        values = [known.get(pk) if pk else None for pk in ids]
        of_words = [v for v, by_words in zip(values, found_by_words, strict=True) if by_words and v is not None]
        average = float(np.mean(of_words)) if of_words else 0.0
        return [average if value is None else value for value in values]


class Asked:
    """A question to the vectors of a space; it is embedded when somebody wants to know.

    Every turn is embedded with its speaker, so a question that names one is near all that he said, whatever it asks.
    What is asked apart from the names is therefore a second question, and the answer is the mean of both.
    """

    def __init__(self, space: VectorSpace, question: Question) -> None:
        self.space = space
        self._question = question
        self._has_failed = False

    def about(self, kind: Kind, speakers: Iterable[str]) -> Meaning | None:
        """None where no row of the kind has a vector that may be compared, and while the embedder fails.

        `speakers` are those whose names in the question name whom it is about. Not inside a transaction: an endpoint
        may be asked.
        """
        vectors = self._embed(self._question.text[-READ:].strip(), self._question.matter(speakers)[-READ:].strip())
        weights = (1 - MATTER, MATTER) if len(vectors) > 1 else (1.0,)
        compared = self.space.compare(kind, vectors, weights) if vectors else None
        return Meaning(self.space, kind, compared) if compared else None

    def _embed(self, question: str, matter: str) -> list[Vectors]:
        """The vectors of the question and of its matter, or of the question alone; none while the embedder fails."""
        texts = [text for text in dict.fromkeys([question, matter]) if text] if question else []
        name = self.space.embedder.name
        fresh = [text for text in texts if _asked.get((name, text)) is None]
        if self._has_failed or not texts:
            return []
        try:
            known = dict(zip(fresh, self.space.embedder.embed(fresh), strict=True)) if fresh else {}
        except InferenceError as error:
            log.warning("question_not_embedded", embedder=name, error=type(error).__name__)
            self._has_failed = True
            return []
        for text, vector in known.items():
            _asked.put((name, text), vector)
        found = [known[text] if text in known else _asked.get((name, text)) for text in texts]
        return [vector for vector in found if vector is not None]


def read_meaning(space: Space, question: Question) -> Asked | None:
    """The question, to be asked of the space's vectors. None where it has none."""
    vectors = vector_space(space, patience=PATIENCE)
    return Asked(vectors, question) if vectors else None
