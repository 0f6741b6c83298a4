"""The memory in CrewAI: the memory of a crew or an agent, and tools.

Written against the unified memory of CrewAI 1.15: https://docs.crewai.com/concepts/memory. The extra is `crewai`, in an
environment of its own, for CrewAI pins what it needs. CrewAI reports to its makers unless OTEL_SDK_DISABLED=true and
CREWAI_DISABLE_TELEMETRY=true are in the environment before it is imported; nothing here reports to anybody.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Literal

from infini_client.errors import NotFound
from infini_client.extras import needs
from infini_client.sync import Client
from infini_client.tools import RECORD, SEARCH, filed, told
from infini_client.types import Fact, Message, Recall, Topic, Updated

with needs("crewai"):
    from crewai.memory.types import MemoryMatch, MemoryRecord, ScopeInfo
    from crewai.memory.unified_memory import Memory
    from crewai.tools import BaseTool
    from pydantic import BaseModel, Field, PrivateAttr


class InfiniStorage:
    """The documents as a storage backend of CrewAI's: records are facts, the scope of a record is `/` and its topic.

    It is asked in words and not by vectors, which is what InfiniMemory does; `search` therefore refuses.
    """

    def __init__(self, client: Client) -> None:
        self.client = client

    def __deepcopy__(self, memo: dict[int, Any]) -> InfiniStorage:
        # A crew is copied for each of its inputs; connections cannot be.
        return InfiniStorage(self.client)

    def save(self, records: list[MemoryRecord]) -> None:
        """File each record as a statement about the topic that its scope names."""
        for record in records:
            self.client.record(_topic_name(record.scope), record.content, conversation=record.source or "crewai")

    def search(self, query_embedding: list[float], **filters: Any) -> list[tuple[MemoryRecord, float]]:
        raise NotImplementedError("The memory is asked in words: use InfiniMemory.recall.")

    def delete(self, record_ids: list[str] | None = None, **filters: Any) -> int:
        """Retract facts by their ids; their history stays. Nothing is deleted by a filter."""
        if not record_ids or any(value is not None for value in filters.values()):
            raise ValueError("Facts are retracted one by one: give record_ids, and nothing else.")
        for record in record_ids:
            self.client.retract_fact(record, reason="Forgotten by the crew")
        return len(record_ids)

    def update(self, record: MemoryRecord) -> None:
        """File what is said now against the fact that was held, which stays until the conflict is settled."""
        held = self.client.fact(record.id)
        self.client.record(
            held.topic or "",
            record.content,
            conversation=record.source or "crewai",
            contradicts={record.content: held.id},
        )

    def get_record(self, record_id: str) -> MemoryRecord | None:
        try:
            fact = self.client.fact(record_id)
            return _record(fact, self.client.topic(fact.topic or "").name)
        except NotFound:
            return None

    def list_records(self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0) -> list[MemoryRecord]:
        """The facts that count, the newest first."""
        found = [
            _record(fact, topic.name) for topic in _topics(self.client, scope_prefix) for fact in self._facts(topic)
        ]
        found.sort(key=lambda record: record.created_at, reverse=True)
        return found[offset : offset + limit]

    def get_scope_info(self, scope: str) -> ScopeInfo:
        records = self.list_records(scope, limit=10**9)
        times = [record.created_at for record in records]
        return ScopeInfo(
            path=scope,
            record_count=len(records),
            categories=sorted({name for record in records for name in record.categories}),
            oldest_record=min(times, default=None),
            newest_record=max(times, default=None),
            child_scopes=self.list_scopes(scope),
        )

    def list_scopes(self, parent: str = "/") -> list[str]:
        """The topics; they have none below them."""
        return [f"/{topic.name}" for topic in _topics(self.client, None)] if parent.strip("/") == "" else []

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        """How many facts there are of each kind."""
        counts: dict[str, int] = {}
        for record in self.list_records(scope_prefix, limit=10**9):
            for name in record.categories:
                counts[name] = counts.get(name, 0) + 1
        return counts

    def count(self, scope_prefix: str | None = None) -> int:
        return len(self.list_records(scope_prefix, limit=10**9))

    def reset(self, scope_prefix: str | None = None) -> None:
        raise NotImplementedError("The memory is shared with people and is not reset by a crew.")

    async def asave(self, records: list[MemoryRecord]) -> None:
        self.save(records)

    async def asearch(self, query_embedding: list[float], **filters: Any) -> list[tuple[MemoryRecord, float]]:
        return self.search(query_embedding, **filters)

    async def adelete(self, record_ids: list[str] | None = None, **filters: Any) -> int:
        return self.delete(record_ids, **filters)

    def _facts(self, topic: Topic) -> Iterator[Fact]:
        return self.client.facts(topic.id, status="active")


class InfiniMemory(Memory):
    """The memory for `Crew(memory=…)` or `Agent(memory=…)`.

    What the crew recalls are the topics that bear on a question, with lines that say who said them when. What an agent
    saves is filed as a statement about `topic`, or about the topic that its scope names, under the space's review
    policy; without a topic it is stored as words, for the server to read. The result of a task is stored as what an
    agent said: it can be found again and is no evidence for anything. No model and no embedder of CrewAI's is asked.
    """

    topic: str | None = Field(default=None, description="What the crew's statements are about: a topic's name or id.")
    conversation: str = Field(default="crewai", description="Where the words are kept as messages.")
    max_tokens: int = Field(default=1500, ge=1, description="The most that a recall may cost.")

    _client: Client = PrivateAttr()

    def __init__(self, client: Client, **options: Any) -> None:
        super().__init__(storage=InfiniStorage(client), **options)
        self._client = client

    def remember(
        self,
        content: str,
        scope: str | None = None,
        categories: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        importance: float | None = None,
        source: str | None = None,
        private: bool = False,
        agent_role: str | None = None,
        root_scope: str | None = None,
    ) -> MemoryRecord | None:
        """File one statement. None for a memory that is read-only.

        The record's metadata says what became of it (`status`: held, waiting, contradicting, known or unread). People
        share the memory: what is to be private is refused.
        """
        if self.read_only:
            return None
        if private:
            raise ValueError("The memory is shared with people: nothing in it is private to an agent.")
        topic = _topic_name(scope) or self.topic
        if not topic:
            message = Message(content, "user", str(uuid.uuid4()), agent_role or "crew", datetime.now(UTC))
            self._client.store(self.conversation, [message])
            return _saved(content, "/", str(message.id), "unread", metadata)
        done = self._client.record(topic, content, conversation=self.conversation, by=agent_role)
        return _saved(content, f"/{topic}", *_outcome(done), metadata)

    def remember_many(
        self,
        contents: list[str],
        scope: str | None = None,
        categories: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        importance: float | None = None,
        source: str | None = None,
        private: bool = False,
        agent_role: str | None = None,
        root_scope: str | None = None,
    ) -> list[MemoryRecord]:
        """File several statements, one after the other."""
        saved = [
            self.remember(text, scope=scope, metadata=metadata, private=private, agent_role=agent_role)
            for text in contents
        ]
        return [record for record in saved if record is not None]

    def extract_memories(self, content: str) -> list[str]:
        """Store the result of a task as what was said. Nothing is taken out of it: its agent is no witness."""
        if not self.read_only and content.strip():
            message = Message(content, "assistant", str(uuid.uuid4()), said_at=datetime.now(UTC))
            self._client.store(self.conversation, [message], subject=self.topic)
        return []

    def recall(
        self,
        query: str,
        scope: str | None = None,
        categories: list[str] | None = None,
        limit: int = 10,
        depth: Literal["shallow", "deep"] = "deep",
        source: str | None = None,
        include_private: bool = False,
    ) -> list[MemoryMatch]:
        """What the memory has for a question: a match for each topic, at most `limit`, with its lines.

        `max_tokens` bounds them together. They are data: nothing in them is an instruction.
        """
        name = _topic_name(scope)
        topics = [topic.id for topic in _topics(self._client, scope)] if name else None
        if name and not topics:
            return []
        found = self._client.recall(query, max_tokens=self.max_tokens, topics=topics)
        return list(_matches(found))[:limit]

    def update(self, record_id: str, content: str | None = None, **changes: Any) -> MemoryRecord:
        """File another text for a fact. What is held stays until the conflict is settled."""
        record = self._storage.get_record(record_id)
        if record is None:
            raise ValueError(f"There is no fact {record_id}.")
        if content and not self.read_only:
            self._storage.update(record.model_copy(update={"content": content, "source": self.conversation}))
        return record


class _Question(BaseModel):
    question: str = Field(description="What you want to know, as a question")


class _Statement(BaseModel):
    topic: str = Field(description="What it is about: a topic's name, known or new")
    statement: str = Field(description="One complete sentence, in the language in which it was said")


class SearchMemoryTool(BaseTool):
    """For agents that have no InfiniMemory: searches the memory and answers with its block, sources and all."""

    name: str = "Search the long-term memory"
    description: str = SEARCH
    args_schema: type[BaseModel] = _Question
    max_tokens: int = 1500

    _client: Client = PrivateAttr()

    def __init__(self, client: Client, **options: Any) -> None:
        super().__init__(**options)
        self._client = client

    def _run(self, question: str) -> str:
        return told(self._client.recall(question, max_tokens=self.max_tokens))


class RecordStatementTool(BaseTool):
    """For agents that have no InfiniMemory: files a statement about a topic, under the space's review policy."""

    name: str = "Record a statement"
    description: str = RECORD
    args_schema: type[BaseModel] = _Statement
    conversation: str = "crewai"

    _client: Client = PrivateAttr()

    def __init__(self, client: Client, **options: Any) -> None:
        super().__init__(**options)
        self._client = client

    def _run(self, topic: str, statement: str) -> str:
        return filed(self._client.record(topic, statement, conversation=self.conversation))


def _topic_name(scope: str | None) -> str:
    """The topic that a scope names: its path without the slashes around it."""
    return (scope or "").strip("/")


def _topics(client: Client, scope: str | None) -> Iterator[Topic]:
    return client.topics(alias=_topic_name(scope) or None, status="active")


def _outcome(done: Updated) -> tuple[str, str]:
    """The id of what a filed statement became, and a word for it."""
    if done.conflicts:
        return done.conflicts[0], "contradicting"
    if done.committed:
        return done.committed[0], "held"
    if done.proposals:
        return done.proposals[-1], "waiting"
    return "", "known"


def _saved(content: str, scope: str, record_id: str, status: str, metadata: dict[str, Any] | None) -> MemoryRecord:
    found = {**(metadata or {}), "status": status}
    return MemoryRecord(id=record_id or str(uuid.uuid4()), content=content, scope=scope, metadata=found)


def _record(fact: Fact, topic: str) -> MemoryRecord:
    said = (fact.said_at or datetime.now(UTC)).astimezone(UTC).replace(tzinfo=None)  # CrewAI's times are naive, in UTC
    return MemoryRecord(
        id=fact.id,
        content=fact.text,
        scope=f"/{topic}",
        categories=[fact.kind],
        created_at=said,
        last_accessed=said,
        metadata={"status": fact.status, "said_by": fact.speaker},
    )


def _matches(found: Recall) -> Iterator[MemoryMatch]:
    """The sections of a context block, each under the name of its topic, as one record with all of its lines.

    The section with the best line comes first.
    """
    sections: list[tuple[str, list[str]]] = []
    for line in found.context.splitlines()[1:-1]:  # without the fence, which CrewAI would tear apart
        if line.startswith("# ") or not sections:
            sections.append((line.removeprefix("# "), [line]))
        else:
            sections[-1][1].append(line)
    ranks = {f"[{citation.marker}]": citation.rank for citation in found.citations}
    sections.sort(key=lambda section: min(ranks.get(line.partition(" ")[0], len(ranks) + 1) for line in section[1]))
    for n, (name, lines) in enumerate(sections):
        # CrewAI shows a record once, and another question finds other lines of the topic.
        record = MemoryRecord(id=f"{found.query_id}-{n}", content="\n".join(lines), scope=f"/{name}")
        yield MemoryMatch(record=record, score=1 - n / len(sections), match_reasons=["semantic"])
