"""What a query answers: the shape of the API's response, without what only the API knows."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from uuid import UUID

from topics.text.tokens import TOKENIZER

Why = Literal["alias", "text", "vector"]


@dataclass(frozen=True, slots=True)
class Source:
    """A message, by the caller's own ids."""

    conversation: str
    message: str


@dataclass(frozen=True, slots=True)
class AnsweredFact:
    """`edited_by`, `edited_at`: who put it in words that are not those of its sources, and when."""

    id: UUID
    text: str
    kind: str
    certainty: str
    status: Literal["active", "disputed", "superseded"]
    said_at: datetime | None
    sources: list[Source]
    edited_by: str | None = None
    edited_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AnsweredEntry:
    """`edited_by` and `edited_at` as those of a fact."""

    id: UUID
    text: str
    happened_at: datetime
    precision: str
    certainty: str
    said_at: datetime | None
    sources: list[Source]
    edited_by: str | None = None
    edited_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AnsweredTopic:
    id: UUID
    name: str
    kind: str
    status: str
    score: float
    why: Why
    summary: str
    facts: list[AnsweredFact]
    timeline: list[AnsweredEntry]


@dataclass(frozen=True, slots=True)
class Citation:
    """What the marker [n] in the context stands for: a message, and the statement shown with it, if any.

    `rank` is how well its line fits the question among those of the context: 1 for the best.
    """

    marker: str
    fact: UUID | None = None
    entry: UUID | None = None
    conversation: str | None = None
    message: str | None = None
    rank: int = 0


@dataclass(frozen=True, slots=True)
class MemoryAnswer:
    """`context` is ready to be put into a prompt; `tokens` counts it with `tokenizer` and never exceeds `max_tokens`.

    `topics` and `citations` list exactly what stands in `context`.
    """

    query: str
    max_tokens: int
    context: str = ""
    tokens: int = 0
    tokenizer: str = TOKENIZER
    topics: list[AnsweredTopic] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)

    @property
    def lines(self) -> int:
        """How many lines are numbered in `context`; one may have several citations."""
        return len({citation.marker for citation in self.citations})
