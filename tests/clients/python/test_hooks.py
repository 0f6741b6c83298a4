"""Memory around a chat function: what the model is given, what is stored, and what happens in an outage."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from infini_client import AccessDenied, AsyncClient, Client, Retries
from infini_client.hooks import apre_chat, post_chat, pre_chat, remembers

from tests.clients.conftest import Scripted, Step
from topics.models import Message, Space

QUESTION = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "What is the budget of the kitchen?"},
]


@pytest.fixture
def known(memory: Client) -> Client:
    memory.add_fact(memory.create_topic("Kitchen Miller").id, "The budget of the kitchen is 18,000 euros.")
    return memory


def test_the_memory_joins_the_system_message(known: Client) -> None:
    prompt = pre_chat(known, QUESTION)
    system, user = prompt.messages
    assert system["content"].startswith("Be brief.")
    assert "18,000 euros" in system["content"]
    assert user == QUESTION[1]
    assert prompt.recall
    assert QUESTION[0]["content"] == "Be brief."


def test_without_a_system_message_it_is_one(known: Client) -> None:
    parts = [{"type": "text", "text": "What is the budget of the kitchen?"}, {"type": "image_url", "image_url": {}}]
    system, user = pre_chat(known, [{"role": "user", "content": parts}]).messages
    assert system["role"] == "system"
    assert "18,000 euros" in system["content"]
    assert user["content"] == parts


def test_where_nothing_is_known_the_prompt_stays(memory: Client) -> None:
    assert pre_chat(memory, QUESTION).messages == QUESTION


def test_without_a_question_nothing_is_asked(scripted: Callable[..., Scripted]) -> None:
    server = scripted(Step(200))
    said = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    assert pre_chat(Client(server.url, "im_test"), said).messages == said
    assert server.requests == []


def test_a_decorated_function_remembers(space: Space, known: Client) -> None:
    seen: list[list[dict[str, Any]]] = []

    @remembers(known, conversation="chat-1", name="Mia", subject="Kitchen Miller")
    def chat(messages: list[dict[str, Any]]) -> str:
        seen.append(messages)
        return "18,000 euros [1]."

    assert chat(QUESTION) == "18,000 euros [1]."
    assert "18,000 euros" in seen[0][0]["content"]
    stored = Message.objects.filter(conversation__external_id="chat-1").order_by("position")
    assert [(m.role, m.name, m.content) for m in stored] == [
        ("user", "Mia", "What is the budget of the kitchen?"),
        ("assistant", "", "18,000 euros [1]."),
    ]


def test_a_decorated_coroutine_remembers(space: Space, known: Client, amemory: AsyncClient) -> None:
    async def run() -> str:
        async with amemory as memory:

            @remembers(memory, conversation="chat-2")
            async def chat(messages: list[dict[str, Any]]) -> str:
                return messages[0]["content"]

            return await chat(QUESTION)

    assert "18,000 euros" in asyncio.run(run())
    assert Message.objects.filter(conversation__external_id="chat-2").count() == 2


def test_an_outage_does_not_stop_the_agent(scripted: Callable[..., Scripted], caplog: pytest.LogCaptureFixture) -> None:
    server = scripted(Step(503, {"code": "down"}))
    memory = Client(server.url, "im_test", retries=Retries(attempts=1))

    @remembers(memory, conversation="chat-3")
    def chat(messages: list[dict[str, Any]]) -> str:
        return f"{len(messages)} messages"

    assert chat(QUESTION) == "2 messages"
    assert "without it" in caplog.text
    assert "was not stored" in caplog.text
    assert post_chat(memory, "chat-3", "Hi", "Hello") is None

    async def ask() -> list[Any]:
        async with AsyncClient(server.url, "im_test", retries=Retries(attempts=1)) as client:
            return (await apre_chat(client, QUESTION)).messages

    assert asyncio.run(ask()) == QUESTION


def test_a_wrong_key_is_told(scripted: Callable[..., Scripted]) -> None:
    with pytest.raises(AccessDenied):
        pre_chat(Client(scripted(Step(401, {"code": "unauthenticated"})).url, "im_wrong"), QUESTION)


def test_a_blocking_client_does_not_go_with_a_coroutine(memory: Client) -> None:
    with pytest.raises(TypeError, match="AsyncClient"):

        @remembers(memory, conversation="chat-4")  # type: ignore[arg-type]
        async def chat(messages: list[dict[str, Any]]) -> str:
            return ""
