"""Makers for tests of reading the memory."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from tests.topics.services.helpers import span
from topics.changes import Actor
from topics.models import Conversation, Fact, Message, Passage, Space, Topic
from topics.retrieval.answer import MemoryAnswer
from topics.retrieval.columns import COLUMNS
from topics.retrieval.index import release_message
from topics.retrieval.query import query_memory
from topics.services.conversations import MessageInput, store_messages
from topics.services.statements import FactDraft, commit_facts

MAY = datetime(2023, 5, 8, 13, 0, tzinfo=UTC)
EXTRACTOR = Actor(label="test extractor")


def talk(
    space: Space, *turns: str, conversation: str = "c1", at: datetime = MAY, role: str = "user", subject: str = ""
) -> list[Message]:
    """Stored messages from `Name: text`, a minute apart, as though they had been read and nothing in them waited."""
    messages = []
    for n, turn in enumerate(turns):
        name, _, text = turn.rpartition(": ")
        messages.append(MessageInput(role=role, name=name, content=text, said_at=at + timedelta(minutes=n)))
    stored = store_messages(space=space, conversation=conversation, messages=messages, subject=subject).messages
    release_message([message.pk for message in stored])
    return stored


def take(topic: Topic, message: Message, words: str = "", **values: str) -> Fact:
    """A fact taken verbatim from a message, by default all of it."""
    quote = span(message, words)
    draft = FactDraft(
        topic=topic,
        text=message.content[quote.start : quote.end],
        speaker=message.name,
        said_at=message.said_at,
        spans=[quote],
        **values,
    )
    return commit_facts(space=topic.space, actor=EXTRACTOR, drafts=[draft])[0]


def ask(space: Space, question: str, **options: object) -> MemoryAnswer:
    return query_memory(space=space, question=question, **options)  # type: ignore[arg-type]


def lines(answer: MemoryAnswer) -> list[str]:
    """The content lines, without fence, headers and markers."""
    return [line.partition("] ")[2] for line in answer.context.splitlines() if line.startswith("[") and "] " in line]


def texts_of_facts(answer: MemoryAnswer) -> set[str]:
    return {fact.text for topic in answer.topics for fact in topic.facts}


def edited_line(answer: MemoryAnswer, text: str) -> str:
    """The line of a fact that somebody put in these words."""
    [fact] = [fact for topic in answer.topics for fact in topic.facts if fact.text == text]
    assert fact.edited_at is not None
    return f"{fact.edited_at:%Y-%m-%d}, edited by {fact.edited_by}: {text}"


def rows(space: Space) -> set[tuple[object, ...]]:
    """All that the index holds of a space, without keys of rows."""
    names = ("kind", "message", "fact", "entry", "topic", "conversation", "position", "part", "start", "end", "day")
    return set(
        Passage.objects.filter(space=space).values_list(*names, "n_terms", "n_all", "line_tokens", "withheld", *COLUMNS)
    )


def external_ids(messages: Iterable[Message]) -> list[str]:
    return [message.external_id for message in messages]


def conversation_of(space: Space, external_id: str) -> Conversation:
    return Conversation.objects.get(space=space, external_id=external_id)
