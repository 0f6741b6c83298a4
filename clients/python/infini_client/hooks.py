"""Memory around any chat function: recall before the model is asked, store what was said after it.

A hook must not take the agent down: where the memory does not answer, `pre_chat` gives the prompt as it is, and
`post_chat` says that nothing was stored. Both note the reason in the log `infini_client`. Faults that only a programmer
can mend (no valid key, a request that makes no sense) are raised.
"""

from __future__ import annotations

import functools
import inspect
import logging
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ParamSpec, overload

from infini_client.aio import AsyncClient
from infini_client.errors import ConnectionFailed, RateLimited, ServerFailed
from infini_client.sync import Client
from infini_client.types import Accepted, Message, Recall

P = ParamSpec("P")
ChatMessage = dict[str, Any]

log = logging.getLogger("infini_client")
NOT_STORED = "A turn of conversation %s was not stored. %s"
OUTAGES = (ConnectionFailed, RateLimited, ServerFailed)


@dataclass(frozen=True, slots=True)
class Prompt:
    """The messages to send to the model, and what they were given; `recall` is None where the memory did not answer."""

    messages: list[ChatMessage]
    recall: Recall | None


def pre_chat(client: Client, messages: Sequence[ChatMessage], *, max_tokens: int = 1500) -> Prompt:
    """The messages with what is remembered about the last user message put before them, in a system message."""
    question = last_question(messages)
    if not question:
        return Prompt(list(messages), None)
    try:
        return with_memory(messages, client.recall(question, max_tokens=max_tokens))
    except OUTAGES as error:
        return _without_memory(messages, error)


async def apre_chat(client: AsyncClient, messages: Sequence[ChatMessage], *, max_tokens: int = 1500) -> Prompt:
    """As `pre_chat`."""
    question = last_question(messages)
    if not question:
        return Prompt(list(messages), None)
    try:
        return with_memory(messages, await client.recall(question, max_tokens=max_tokens))
    except OUTAGES as error:
        return _without_memory(messages, error)


def post_chat(
    client: Client, conversation: str, user: str, reply: str, *, name: str | None = None, subject: str | None = None
) -> list[Accepted] | None:
    """Store one turn: what the user said and what was answered. None where the memory did not answer."""
    try:
        return client.store(conversation, turn(user, reply, name), subject=subject)
    except OUTAGES as error:
        log.warning(NOT_STORED, conversation, error)
        return None


async def apost_chat(
    client: AsyncClient,
    conversation: str,
    user: str,
    reply: str,
    *,
    name: str | None = None,
    subject: str | None = None,
) -> list[Accepted] | None:
    """As `post_chat`."""
    try:
        return await client.store(conversation, turn(user, reply, name), subject=subject)
    except OUTAGES as error:
        log.warning(NOT_STORED, conversation, error)
        return None


@overload
def remembers(
    client: Client, *, conversation: str, max_tokens: int = ..., name: str | None = ..., subject: str | None = ...
) -> Callable[[Callable[[list[ChatMessage]], str]], Callable[[Sequence[ChatMessage]], str]]: ...
@overload
def remembers(
    client: AsyncClient, *, conversation: str, max_tokens: int = ..., name: str | None = ..., subject: str | None = ...
) -> Callable[[Callable[[list[ChatMessage]], Awaitable[str]]], Callable[[Sequence[ChatMessage]], Awaitable[str]]]: ...


def remembers(
    client: Client | AsyncClient,
    *,
    conversation: str,
    max_tokens: int = 1500,
    name: str | None = None,
    subject: str | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a chat function that takes messages and returns the reply's text, blocking or asynchronous.

    It then gets the messages with the memory before them, and each turn is stored in `conversation`. A client that
    blocks goes with a function that blocks, AsyncClient with an `async` one; TypeError otherwise.
    """

    def decorate(chat: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.iscoroutinefunction(chat) != isinstance(client, AsyncClient):
            raise TypeError("A function that is async needs an AsyncClient, another one a Client.")
        if isinstance(client, AsyncClient):

            @functools.wraps(chat)
            async def remembering_async(messages: Sequence[ChatMessage]) -> str:
                prompt = await apre_chat(client, messages, max_tokens=max_tokens)
                reply: str = await chat(prompt.messages)
                question = last_question(messages)
                await apost_chat(client, conversation, question, reply, name=name, subject=subject)
                return reply

            return remembering_async

        @functools.wraps(chat)
        def remembering(messages: Sequence[ChatMessage]) -> str:
            prompt = pre_chat(client, messages, max_tokens=max_tokens)
            reply: str = chat(prompt.messages)
            post_chat(client, conversation, last_question(messages), reply, name=name, subject=subject)
            return reply

        return remembering

    return decorate


def last_question(messages: Sequence[ChatMessage]) -> str:
    """The text of the last message, if the user wrote it; text parts of a message with several parts are joined."""
    if not messages or messages[-1].get("role") != "user":
        return ""
    content = messages[-1].get("content")
    if isinstance(content, list):
        content = "\n".join(part.get("text", "") for part in content if part.get("type") == "text")
    return str(content or "").strip()


def with_memory(messages: Sequence[ChatMessage], recall: Recall) -> Prompt:
    """The messages with the context block joined to the system message, or as one of its own; unchanged without one."""
    found = [dict(message) for message in messages]
    if recall.context:
        if found and found[0].get("role") == "system" and isinstance(found[0].get("content"), str):
            found[0]["content"] = f"{found[0]['content']}\n\n{recall.context}"
        else:
            found.insert(0, {"role": "system", "content": recall.context})
    return Prompt(found, recall)


def turn(user: str, reply: str, name: str | None = None) -> list[Message]:
    """What was said in one turn, with ids, so that storing it twice stores it once."""
    now = datetime.now(UTC)
    said = (("user", user, name), ("assistant", reply, None))
    return [Message(text, role, str(uuid.uuid4()), who, now) for role, text, who in said if text.strip()]


def _without_memory(messages: Sequence[ChatMessage], error: Exception) -> Prompt:
    log.warning("The memory does not answer; the model is asked without it. %s", error)
    return Prompt(list(messages), None)
