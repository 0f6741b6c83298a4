"""The memory in the OpenAI Agents SDK: a session, instructions that recall, hooks that file, and tools.

Written against the interfaces of openai-agents 0.24: https://openai.github.io/openai-agents-python/. The extra is
`openai-agents`. Everything here needs an AsyncClient, for the SDK runs in an event loop.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from infini_client.aio import AsyncClient
from infini_client.errors import InfiniError, NotFound
from infini_client.extras import needs
from infini_client.hooks import OUTAGES, apost_chat, log
from infini_client.tools import READ, RECORD, SEARCH, filed, told, unknown
from infini_client.types import Message, StoredMessage

with needs("openai-agents"):
    from agents import (
        Agent,
        AgentHookContext,
        RunContextWrapper,
        RunHooks,
        Tool,
        default_tool_error_function,
        function_tool,
    )
    from agents.items import TResponseInputItem
    from agents.memory import SessionSettings

Instructions = Callable[[RunContextWrapper[Any], Agent[Any]], Awaitable[str]]

# The ids of the messages that a session stores say what each is.
PLAIN, ITEM, WORDS = "turn-", "item-", "words-"
PART = 200_000  # characters of an item (it may hold a picture) for each message, well below the server's limit


class InfiniSession:
    """A session whose history is a conversation of the memory, which learns from it as it grows.

    Items are read back exactly as they were added. What was said is kept once as words, which the memory reads, and
    items with more to them than words (calls of tools, their results) as JSON besides. Taking an item back or clearing
    the session is noted at the end of the conversation: the agent forgets it, while the words stay with the memory,
    where people retract what is wrong. An outage is raised: an agent without its history would talk past its user.
    """

    def __init__(
        self,
        memory: AsyncClient,
        session_id: str,
        *,
        subject: str | None = None,
        session_settings: SessionSettings | None = None,
    ) -> None:
        """`session_id` is the conversation; `subject` the topic (name or id) that it is mainly about."""
        self.memory = memory
        self.session_id = session_id
        self.subject = subject
        self.session_settings = session_settings or SessionSettings()

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The latest `limit` items, or all, in the order in which they were added."""
        most = self.session_settings.limit if limit is None and self.session_settings else limit
        history = _History()
        try:
            async for message in self.memory.messages(self.session_id):
                history.add(message)
        except NotFound:
            return []
        items = history.items
        return items if most is None else items[max(0, len(items) - most) :]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Store the items, in this order."""
        await self._store(message for item in items for message in _messages(item))

    async def pop_item(self) -> TResponseInputItem | None:
        """Take the latest item back. None where there is none."""
        items = await self.get_items(1)
        if not items:
            return None
        await self._store(_notes({"session": "pop"}))
        return items[-1]

    async def clear_session(self) -> None:
        """Begin anew."""
        await self._store(_notes({"session": "clear"}))

    async def _store(self, messages: Iterable[Message]) -> None:
        found = list(messages)
        if found:
            await self.memory.store(self.session_id, found, subject=self.subject)


def recalling(memory: AsyncClient, instructions: str = "", *, max_tokens: int = 1500) -> Instructions:
    """Instructions for an agent: yours, and after them what is remembered about the user's last message.

    Where the memory does not answer, the agent gets yours alone, and the log `infini_client` says so.
    """

    async def build(context: RunContextWrapper[Any], agent: Agent[Any]) -> str:
        question = _last_words(context.turn_input)
        if not question:
            return instructions
        try:
            found = await memory.recall(question, max_tokens=max_tokens)
        except OUTAGES as error:
            log.warning("The memory does not answer; the model is asked without it. %s", error)
            return instructions
        return "\n\n".join(part for part in (instructions, found.context) if part)

    return build


class FilingHooks(RunHooks[Any]):
    """Hooks for `Runner.run(hooks=…)` that store each turn: what the user said, and what was answered in the end.

    For agents whose history is kept elsewhere; an InfiniSession stores what is said by itself.
    """

    def __init__(
        self, memory: AsyncClient, conversation: str, *, name: str | None = None, subject: str | None = None
    ) -> None:
        """`name` is the user's, `subject` the topic (name or id) that the conversation is mainly about."""
        self.memory = memory
        self.conversation = conversation
        self.name = name
        self.subject = subject

    async def on_agent_end(self, context: AgentHookContext[Any], agent: Any, output: Any) -> None:
        user = _last_words(context.turn_input)
        reply = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False, default=str)
        if user:
            await apost_chat(self.memory, self.conversation, user, reply, name=self.name, subject=self.subject)


def memory_tools(memory: AsyncClient, *, conversation: str = "agents") -> list[Tool]:
    """Tools that search the memory, read a document and record a statement (kept in `conversation`)."""

    @function_tool(description_override=SEARCH, failure_error_function=_failed)
    async def search_memory(question: str) -> str:
        return told(await memory.recall(question))

    @function_tool(description_override=READ, failure_error_function=_failed)
    async def read_document(topic: str) -> str:
        async for found in memory.topics(alias=topic):
            return await memory.markdown(found.id)
        return unknown(topic)

    @function_tool(description_override=RECORD, failure_error_function=_failed)
    async def record_statement(
        topic: str, statement: str, kind: Literal["fact", "preference", "decision", "status"] = "fact"
    ) -> str:
        return filed(await memory.record(topic, statement, kind=kind, conversation=conversation))

    return [search_memory, read_document, record_statement]


def _failed(context: RunContextWrapper[Any], error: Exception) -> str:
    """What the model is told instead of an answer."""
    if isinstance(error, InfiniError):
        return f"That did not work. {error}"
    return str(default_tool_error_function(context, error))


def _messages(item: TResponseInputItem) -> list[Message]:
    """How an item is stored: as words where it is no more than that, else as JSON, after its words if it has any."""
    data: Any = item
    now = datetime.now(UTC)
    role, content = data.get("role"), data.get("content")
    is_plain = set(data) == {"role", "content"} and role in ("user", "assistant") and isinstance(content, str)
    if is_plain and content.strip():  # the server takes no message without words
        return [Message(content, role, f"{PLAIN}{uuid.uuid4()}", said_at=now)]
    words = _words(data) if role in ("user", "assistant") else ""
    said = [Message(words, role, f"{WORDS}{uuid.uuid4()}", said_at=now)] if words.strip() else []
    return [*said, *_notes({"session": "item", "item": data})]


def _notes(content: Mapping[str, Any]) -> list[Message]:
    """One note, in as many messages as it needs: the id of each says which part it is of how many."""
    text = json.dumps(content, ensure_ascii=False)
    parts = [text[start : start + PART] for start in range(0, len(text), PART)]
    name, now = f"{ITEM}{uuid.uuid4()}", datetime.now(UTC)
    # The role `tool`: nobody looks for statements in it.
    return [Message(part, "tool", f"{name}:{n}/{len(parts)}", said_at=now) for n, part in enumerate(parts, 1)]


class _History:
    """What the messages of a conversation stand for, one after the other."""

    def __init__(self) -> None:
        self.items: list[TResponseInputItem] = []
        self._parts: dict[str, list[str]] = {}

    def add(self, message: StoredMessage) -> None:
        """Messages of others who talked here count as said."""
        if message.role in ("user", "assistant") and not message.id.startswith(WORDS):
            said: Any = {"role": message.role, "content": message.content}
            self.items.append(said)
        elif message.role == "tool" and message.id.startswith(ITEM):
            name, _colon, place = message.id.partition(":")
            number, _slash, count = place.partition("/")
            parts = self._parts.setdefault(name, [])
            parts.append(message.content)
            if number == count:
                self._note(json.loads("".join(self._parts.pop(name))))

    def _note(self, note: Mapping[str, Any]) -> None:
        if note["session"] == "item":
            self.items.append(note["item"])
        elif note["session"] == "clear":
            self.items.clear()
        elif self.items:
            self.items.pop()


def _last_words(items: Sequence[Any]) -> str:
    """What the user said last."""
    for item in reversed(items):
        if isinstance(item, dict) and item.get("role") == "user":
            return _words(item).strip()
    return ""


def _words(item: Mapping[str, Any]) -> str:
    content = item.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))
