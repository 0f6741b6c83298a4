"""Reading vectors: what is near, what has none yet.

The vectors of a space are compared in memory, by one matrix product: a hundred thousand of them take some 50 ms. Of
large spaces an index of the database (pgvector) takes the place of that, where there is one; see `vector_compare`.

A turn is embedded with the end of the one before it and with who says it, since few turns make sense alone: "Yes, on
Friday" answers nothing without its question.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, NullIf, Right

from inference.embeddings import Embedder, Vectors, embedder_for, embedder_named
from topics.models import Fact, Message, Passage, Space, Topic, Vector, VectorSet
from topics.selectors.vector_compare import Compared, compare
from topics.selectors.vector_matrix import Kind

READABLE = (Topic.Status.ACTIVE, Topic.Status.ARCHIVED)
HELD = (Fact.Status.ACTIVE, Fact.Status.SUPERSEDED)
SHOWN_ROLES = (Message.Role.USER, Message.Role.ASSISTANT)
# Characters of the turn before that are embedded with a turn, the last ones.
TAIL = 150
# Stored with the vector of a turn; another one has all turns embedded anew.
TURN_TEXT_VERSION = 1
# How many of the nearest are looked up at first to see whether they still stand.
LOOKED_UP = 200


@dataclass(frozen=True, slots=True)
class Source:
    """One kind of texts: which rows have one, what it is, and which version of the row it belongs to."""

    rows: Callable[[Space], QuerySet[Any]]
    text: Callable[[Any], str]
    columns: tuple[str, ...]
    version: str | None  # the column, if the row can change


def _turns(space: Space) -> QuerySet[Any]:
    turns = Message.objects.filter(role__in=SHOWN_ROLES)
    before = turns.filter(conversation=OuterRef("conversation"), position__lt=OuterRef("position"))
    last = before.order_by("-position").annotate(
        speaker_name=Coalesce(NullIf("name", Value("")), "role"), tail=Right("content", TAIL)
    )
    return turns.filter(space=space).annotate(
        before=Subquery(last.values("speaker_name")[:1]), tail=Subquery(last.values("tail")[:1])
    )


def _turn_text(turn: Any) -> str:
    if not turn.content.strip():
        return ""
    own = f"{turn.speaker}: {turn.content}"
    return f"{turn.before}: {turn.tail}\n{own}" if turn.before else own


SOURCES: Mapping[Kind, Source] = {
    "topic": Source(
        lambda space: Topic.objects.filter(space=space, status__in=READABLE),
        lambda topic: f"{topic.name}\n{topic.summary}".strip(),
        ("name", "summary", "version"),
        "version",
    ),
    "fact": Source(
        lambda space: Fact.objects.filter(space=space, topic__status__in=READABLE, status__in=HELD),
        lambda fact: fact.text,
        ("text", "version"),
        "version",
    ),
    "message": Source(
        _turns,
        _turn_text,
        ("content", "role", "name"),
        None,
    ),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A text without a vector: the row it belongs to, as it was when it was read."""

    kind: Kind
    pk: UUID
    version: int
    text: str

    @property
    def digest(self) -> str:
        """SHA-256 of the text, in hex."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Near:
    """A row of the kind asked for, and the cosine of its vector with the one asked about."""

    pk: UUID
    score: float


@dataclass(frozen=True, slots=True)
class Progress:
    """How many texts of the space have a vector in a set."""

    done: int
    total: int

    @property
    def percent(self) -> int:
        return 100 if self.total == 0 else self.done * 100 // self.total


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """The complete vectors of a space, and the embedder whose vectors may be compared with them."""

    vectors: VectorSet
    embedder: Embedder

    def nearest(self, kind: Kind, vector: Vectors, *, limit: int, floor: float = -1.0) -> list[Near]:
        """The rows of this kind nearest to `vector` (of unit length), the nearest first, none below `floor`.

        Rows that were retracted, deleted, merged away or changed since they were embedded are left out, and so are
        turns that are withheld from agents.
        """
        compared = self.compare(kind, [vector])
        looked_up = LOOKED_UP
        while compared is not None:
            ranked = compared.ranked(min(looked_up, compared.most))
            near = [Near(row.pk, row.cosine) for row in ranked if row.cosine >= floor]
            standing = self._standing(kind, [row.pk for row in near])
            found = [row for row in near if row.pk in standing][:limit]
            if len(found) == limit or len(near) < looked_up or looked_up >= compared.most:
                return found
            looked_up *= 2
        return []

    def compare(self, kind: Kind, vectors: Sequence[Vectors], weights: Sequence[float] = (1.0,)) -> Compared | None:
        """All rows of this kind beside these vectors (`vector_compare.compare`)."""
        return compare(self.vectors, kind, vectors, weights)

    def standing(self, kind: Kind, ids: Iterable[UUID]) -> set[UUID]:
        """Those of the rows whose vector is of what they say now."""
        rows = _standing(self.vectors.pk, kind).filter(**{f"{kind}__in": list(ids)})
        return set(rows.values_list(kind, flat=True))

    def vectors_of(self, kind: Kind, ids: Iterable[UUID]) -> dict[UUID, Vectors]:
        """The vectors of these rows, as far as they have one that still stands."""
        rows = _standing(self.vectors.pk, kind).filter(**{f"{kind}__in": list(ids)})
        return {pk: as_array(values) for pk, values in rows.values_list(kind, "values") if values}

    def _standing(self, kind: Kind, ids: Sequence[UUID]) -> set[UUID]:
        standing = self.standing(kind, ids)
        if kind == "message":
            withheld = Passage.objects.filter(message__in=standing, withheld=True)
            standing -= set(withheld.values_list("message", flat=True))
        return standing


def vector_space(space: Space, *, patience: float | None = None) -> VectorSpace | None:
    """What the space's vectors can be asked, or None where there are none, or none yet.

    While another embedder's are being made, those of the one before go on answering. `patience`: as of
    `embedder_named`.
    """
    current = current_set(space)
    embedder = embedder_named(space, current.embedder, patience=patience) if current else None
    return VectorSpace(current, embedder) if current and embedder else None


def current_set(space: Space) -> VectorSet | None:
    """The set that readers use."""
    return VectorSet.objects.filter(space=space, state=VectorSet.State.CURRENT).first()


def wanted_set(space: Space) -> VectorSet | None:
    """The set that is to be complete: the newest of the embedder that the space has now. None before its first."""
    embedder = embedder_for(space)
    return VectorSet.objects.filter(space=space, embedder=embedder.name).first() if embedder else None


def missing(space: Space, held: VectorSet | None, *, limit: int) -> list[Wanted]:
    """Texts that have no vector in the set, or one of an earlier version of their row: topics, then facts, then turns.

    Without a set they are all missing.
    """
    found: list[Wanted] = []
    for kind, source in SOURCES.items():
        rows = _missing(space, held, kind).order_by("pk").only(*source.columns)[: limit - len(found)]
        found += [
            Wanted(kind, row.pk, row.version if source.version else TURN_TEXT_VERSION, source.text(row)) for row in rows
        ]
        if len(found) >= limit:
            break
    return found


def is_complete(space: Space, held: VectorSet) -> bool:
    """Whether nothing is missing from the set."""
    return not any(_missing(space, held, kind).exists() for kind in SOURCES)


def progress_of(space: Space, held: VectorSet | None) -> Progress:
    """How far the set is."""
    total = sum(source.rows(space).count() for source in SOURCES.values())
    return Progress(total - sum(_missing(space, held, kind).count() for kind in SOURCES), total)


@dataclass(frozen=True, slots=True)
class VectorState:
    """What an admin sees: the embedder, how far its vectors are, and whose answer until they are complete."""

    embedder: str
    progress: Progress
    in_use: str

    @property
    def is_in_use(self) -> bool:
        return self.embedder == self.in_use


def vectors_of(space: Space) -> VectorState | None:
    """The state of the space's vectors; None where it does without."""
    embedder = embedder_for(space)
    if embedder is None:
        return None
    current = current_set(space)
    return VectorState(embedder.name, progress_of(space, wanted_set(space)), current.embedder if current else "")


def digests(held: VectorSet | None, wanted: Sequence[Wanted]) -> dict[tuple[Kind, UUID], str]:
    """The digests of the texts behind the vectors that these rows have in the set already."""
    found: dict[tuple[Kind, UUID], str] = {}
    for kind in SOURCES if held else ():
        rows = Vector.objects.filter(set=held, **{f"{kind}__in": [w.pk for w in wanted if w.kind == kind]})
        found |= {(kind, pk): digest for pk, digest in rows.values_list(kind, "digest")}
    return found


def gone(held: VectorSet) -> QuerySet[Vector]:
    """Vectors of the set whose row was retracted, deleted or merged away."""
    lost = Q()
    for kind, source in SOURCES.items():
        rows = source.rows(held.space).filter(pk=OuterRef(kind))
        is_lost: Any = Q(**{f"{kind}__isnull": False}) & ~Exists(rows)
        lost |= is_lost
    return Vector.objects.filter(lost, set=held)


def as_array(values: bytes | memoryview) -> Vectors:
    """The vector that is stored as these bytes."""
    return np.frombuffer(values, dtype="<f4")


def _missing(space: Space, held: VectorSet | None, kind: Kind) -> QuerySet[Any]:
    source = SOURCES[kind]
    rows = source.rows(space)
    if held is None:
        return rows
    version: Any = OuterRef(source.version) if source.version else Value(TURN_TEXT_VERSION)
    return rows.filter(~Exists(Vector.objects.filter(set=held, version=version, **{kind: OuterRef("pk")})))


def _standing(held: int, kind: Kind) -> QuerySet[Vector]:
    """The vectors of a kind whose row is still as it was when it was embedded, and still to be found."""
    rows = Vector.objects.filter(set=held, **{f"{kind}__isnull": False})
    if kind == "topic":
        return rows.filter(topic__status__in=READABLE, version=F("topic__version"))
    if kind == "fact":
        rows = rows.filter(fact__topic__status__in=READABLE, version=F("fact__version"))
        return rows.filter(fact__status__in=HELD)
    return rows
