"""The memory in AutoGen: an `autogen_core.memory.Memory`, and tools. The extra is `autogen`.

Everything here needs an AsyncClient, for AutoGen runs in an event loop.
https://microsoft.github.io/autogen/stable/user-guide/agentchat-user-guide/memory.html
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from infini_client import tools as words
from infini_client.aio import AsyncClient
from infini_client.extras import needs
from infini_client.hooks import NOT_STORED, OUTAGES, log
from infini_client.passages import passages
from infini_client.types import Message, Recall

with needs("autogen"):
    from autogen_core import CancellationToken
    from autogen_core.memory import Memory, MemoryContent, MemoryMimeType, MemoryQueryResult, UpdateContextResult
    from autogen_core.model_context import ChatCompletionContext
    from autogen_core.models import SystemMessage, UserMessage
    from autogen_core.tools import FunctionTool

__all__ = ["InfiniMemory", "memory_tools"]


class InfiniMemory(Memory):
    """What an agent is given before it answers: `AssistantAgent(memory=[InfiniMemory(…)])`.

    Before each answer the model's context gets one system message with what is remembered about the last message of the
    user; that of the turn before is taken out, so that a long conversation does not fill with them. Where the memory
    does not answer, the agent goes on without it, and the log `infini_client` says so. An agent does not tell what it
    answered: call `file` with the result of a run.
    """

    def __init__(
        self,
        memory: AsyncClient,
        *,
        conversation: str | None = None,
        max_tokens: int = 1500,
        name: str | None = None,
        subject: str | None = None,
    ) -> None:
        """`conversation` is what `add` and `file` store in; without it there is a new one.

        `name` is the user's, `subject` the topic (name or id) that the conversation is mainly about.
        """
        self.memory = memory
        self.conversation = conversation or f"autogen-{uuid.uuid4()}"
        self.max_tokens = max_tokens
        self.name = name
        self.subject = subject
        self._given = ""

    async def update_context(self, model_context: ChatCompletionContext) -> UpdateContextResult:
        """Put what is remembered about the last message of the user into the context."""
        messages = await model_context.get_messages()
        question = next((_said(message) for message in reversed(messages) if isinstance(message, UserMessage)), "")
        recall: Recall | None = None
        if question:
            try:
                recall = await self.memory.recall(question, max_tokens=self.max_tokens)
            except OUTAGES as error:
                log.warning("The memory does not answer; the model is asked without it. %s", error)
        await self._take_out(model_context)
        if recall:
            self._given = recall.context
            await model_context.add_message(SystemMessage(content=recall.context))
        return UpdateContextResult(memories=_results(recall))

    async def query(
        self,
        query: str | MemoryContent,
        cancellation_token: CancellationToken | None = None,
        *,
        max_tokens: int | None = None,
        **kwargs: Any,
    ) -> MemoryQueryResult:
        """What is remembered about a question: one entry for each statement, with its topic and sources as metadata."""
        question = query if isinstance(query, str) else _text(query)
        return _results(await self.memory.recall(question, max_tokens=max_tokens or self.max_tokens))

    async def add(self, content: MemoryContent, cancellation_token: CancellationToken | None = None) -> None:
        """File a text: with a `topic` in its metadata as a statement about that, else as something that the user said.

        Whether it counts at once or waits for a person, the space's policy says. Raises ValueError for what is no text.
        """
        text = _text(content)
        about = content.metadata or {}
        if topic := about.get("topic"):
            kind = about.get("kind", "fact")
            await self.memory.record(topic, text, kind=kind, conversation=self.conversation, by=self.name)
        else:
            said = Message(text, "user", about.get("id") or str(uuid.uuid4()), self.name, datetime.now(UTC))
            await self.memory.store(self.conversation, [said], subject=self.subject)

    async def file(self, result: Any) -> None:
        """Store a turn: the `TaskResult` or the messages of a run. What the user said, and the agents' last words.

        Storing it again changes nothing. An outage is noted in the log, for the turn is over.
        """
        messages: Sequence[Any] = getattr(result, "messages", result)
        texts = [m for m in messages if isinstance(getattr(m, "content", None), str) and _is_chat(m)]
        asked = [message for message in texts if message.source == "user"]
        answers = [message for message in texts if message.source != "user"][-1:]
        said = [Message(m.content, "user", m.id, self.name, m.created_at) for m in asked if m.content.strip()]
        said += [Message(m.content, "assistant", m.id, None, m.created_at) for m in answers if m.content.strip()]
        if not said:
            return
        try:
            await self.memory.store(self.conversation, said, subject=self.subject)
        except OUTAGES as error:
            log.warning(NOT_STORED, self.conversation, error)

    async def clear(self) -> None:
        """Raises NotImplementedError: an agent does not empty a memory that it shares with people and other agents."""
        raise NotImplementedError("What the memory holds is retracted and undone by people, or through the client.")

    async def close(self) -> None:
        """Nothing is kept open here; the client is closed by whoever made it."""

    async def _take_out(self, model_context: ChatCompletionContext) -> None:
        """Take out what the context was given for the message before."""
        messages = await model_context.get_messages()
        if any(isinstance(message, SystemMessage) and message.content == self._given for message in messages):
            state = dict(await model_context.save_state())
            state["messages"] = [message for message in state["messages"] if message["content"] != self._given]
            await model_context.load_state(state)
        self._given = ""


def memory_tools(memory: AsyncClient, *, conversation: str = "autogen", max_tokens: int = 1500) -> list[FunctionTool]:
    """Tools to search the memory, read a document, record a statement (kept in `conversation`) and see its questions.

    They are named search_memory, read_document, record_statement and list_questions.
    """

    async def search_memory(question: Annotated[str, "What you want to know, as a question"]) -> str:
        return words.told(await memory.recall(question, max_tokens=max_tokens))

    async def read_document(topic: Annotated[str, "Any of the topic's names"]) -> str:
        async for found in memory.topics(alias=topic):
            return await memory.markdown(found.id)
        return words.unknown(topic)

    async def record_statement(
        topic: Annotated[str, "What it is about: a topic's name, known or new"],
        statement: Annotated[str, "One complete sentence, in the language in which it was said"],
        kind: Annotated[Literal["fact", "preference", "decision", "status"], "What it is"] = "fact",
    ) -> str:
        return words.filed(await memory.record(topic, statement, kind=kind, conversation=conversation))

    async def list_questions() -> str:
        return words.asked([question async for question in memory.confirmations(status="open")])

    return [
        FunctionTool(search_memory, description=words.SEARCH),
        FunctionTool(read_document, description=words.READ),
        FunctionTool(record_statement, description=words.RECORD),
        FunctionTool(list_questions, description=words.QUESTIONS),
    ]


def _results(recall: Recall | None) -> MemoryQueryResult:
    found = passages(recall) if recall else []
    return MemoryQueryResult(
        results=[MemoryContent(content=p.text, mime_type=MemoryMimeType.TEXT, metadata=p.metadata()) for p in found]
    )


def _said(message: UserMessage) -> str:
    content = message.content
    parts = [content] if isinstance(content, str) else [part for part in content if isinstance(part, str)]
    return "\n".join(parts).strip()


def _text(content: MemoryContent) -> str:
    if not isinstance(content.content, str) or not content.content.strip():
        raise ValueError("The memory takes text: words that people can read and correct.")
    return content.content


def _is_chat(message: Any) -> bool:
    """Whether it was said, and is no event of the run: a call of a tool, its result, a thought."""
    return getattr(message, "type", "") in ("TextMessage", "StopMessage", "ToolCallSummaryMessage")
