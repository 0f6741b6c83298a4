"""What a query found, line by line: for frameworks that want a list of documents rather than one block."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from infini_client.types import Citation, Entry, Fact, Recall, RememberedTopic, Source, as_time

_LINE = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Passage:
    """One line of a context. `kind` is that of the fact, "event" for one of the timeline, "message" for a quoted turn.

    `line` is how it stands in the context, with who said it when, and whether it is disputed or was superseded.
    """

    text: str
    line: str
    kind: str
    id: str = ""
    topic: str = ""
    topic_id: str = ""
    status: str = ""
    certainty: str = ""
    said_at: datetime | None = None
    happened_at: datetime | None = None
    sources: tuple[Source, ...] = field(default=())

    def metadata(self) -> dict[str, Any]:
        """All but the text, as plain JSON; what is empty is left out."""
        found: dict[str, Any] = {
            "id": self.id, "kind": self.kind, "topic": self.topic, "topic_id": self.topic_id, "status": self.status,
            "certainty": self.certainty, "line": self.line,
            "sources": [{"conversation": s.conversation, "message": s.message} for s in self.sources],
        }  # fmt: skip
        for name, moment in (("said_at", self.said_at), ("happened_at", self.happened_at)):
            found[name] = as_time(moment) if moment else None
        return {name: value for name, value in found.items() if value}


def passages(recall: Recall) -> list[Passage]:
    """The lines of a context, the best first, whatever their topics: whoever takes the first few has the best."""
    lines = dict(_LINE.findall(recall.context))
    cited = {c.fact or c.entry: c for c in reversed(recall.citations)}  # a line may quote what another one states
    found: list[tuple[int, Passage]] = []
    for topic in recall.topics:
        statements: tuple[Fact | Entry, ...] = (*topic.facts, *topic.timeline)
        for held in statements:
            citation = cited[held.id]
            kind = held.kind if isinstance(held, Fact) else "event"
            found.append((citation.rank, _passage(topic, held, kind, lines[citation.marker])))
    found += [(c.rank, _quoted(c, lines[c.marker])) for c in recall.citations if _is_quote(c)]
    return [passage for _, passage in sorted(found, key=lambda ranked: ranked[0])]


def _is_quote(citation: Citation) -> bool:
    return not citation.fact and not citation.entry and bool(citation.message)


def _passage(topic: RememberedTopic, held: Fact | Entry, kind: str, line: str) -> Passage:
    return Passage(
        text=held.text,
        line=line,
        kind=kind,
        id=held.id,
        topic=topic.name,
        topic_id=topic.id,
        status=held.status,
        certainty=held.certainty,
        said_at=held.said_at,
        happened_at=held.happened_at if isinstance(held, Entry) else None,
        sources=held.sources,
    )


def _quoted(citation: Citation, line: str) -> Passage:
    source = Source(citation.conversation or "", citation.message or "")
    return Passage(text=line, line=line, kind="message", sources=(source,))
