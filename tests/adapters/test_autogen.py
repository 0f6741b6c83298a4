"""AutoGen: an assistant that is given the memory, its tools, and what becomes of what it is told."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.messages import MultiModalMessage
from autogen_core import CancellationToken, Image
from autogen_core.memory import MemoryContent, MemoryMimeType
from autogen_core.model_context import BufferedChatCompletionContext
from autogen_core.models import SystemMessage, UserMessage
from autogen_ext.models.openai import OpenAIChatCompletionClient
from infini_client import AsyncClient, Client, Retries
from infini_client.autogen import InfiniMemory, memory_tools

from tests.adapters.conftest import Server
from tests.adapters.guides import run_guide
from tests.inference import wire as w

TEXT = MemoryMimeType.TEXT


@pytest_asyncio.fixture
async def model(wire: w.Wire) -> AsyncIterator[OpenAIChatCompletionClient]:
    """A model behind the wire: real HTTP, and nothing is tried twice."""
    info: Any = {
        "vision": True,
        "function_calling": True,
        "json_output": False,
        "family": "unknown",
        "structured_output": False,
        "multiple_system_messages": True,
    }
    client = OpenAIChatCompletionClient(
        model="wire-model", base_url=wire.url, api_key="none", model_info=info, max_retries=0
    )
    yield client
    await client.close()


@pytest.fixture(scope="module", autouse=True)
def known(server: Server, key: str) -> None:
    with Client(server.url, key) as memory:
        memory.record("Mast", "The mast of the boat is 14 metres high.")
        memory.record("Lease", "The lease of the harbour runs until 2031.")


def systems(request: w.Request) -> list[str]:
    return [message["content"] for message in request.json["messages"] if message["role"] == "system"]


async def test_an_assistant_is_given_the_memory_and_files_the_turn(
    amemory: AsyncClient, model: OpenAIChatCompletionClient, wire: w.Wire
) -> None:
    memory = InfiniMemory(amemory, conversation="autogen-1", name="Mia", subject="Mast")
    agent = AssistantAgent("helper", model, tools=memory_tools(amemory), memory=[memory], system_message="Be brief.")
    call = {"id": "c1", "type": "function", "function": {"name": "read_document", "arguments": '{"topic": "mast"}'}}
    wire.script(w.answer(None, tool_calls=[call], finish_reason="tool_calls"))
    result = await agent.run(task="How high is the mast of the boat?")
    assert "# Mast" in result.messages[-1].content
    asked, given = systems(wire.requests[0])
    assert asked == "Be brief."
    assert "14 metres high" in given
    assert {tool["function"]["name"] for tool in wire.requests[0].json["tools"]} == {
        "search_memory",
        "read_document",
        "record_statement",
        "list_questions",
    }
    await memory.file(result)
    await memory.file(result)
    said = [(m.role, m.name, m.content) async for m in amemory.messages("autogen-1")]
    assert [s[:2] for s in said] == [("user", "Mia"), ("assistant", "")]
    assert said[0][2] == "How high is the mast of the boat?"

    wire.script(w.answer("Until 2031."))
    result = await agent.run(task="Until when does the lease of the harbour run?")
    _, given = systems(wire.requests[1])  # that of the turn before is gone
    assert "2031" in given
    await memory.file(result.messages)
    assert [m.content async for m in amemory.messages("autogen-1")][-1] == "Until 2031."

    wire.script(w.answer("I do not know."))
    await agent.run(task="Who plays the trombone?")
    assert systems(wire.requests[2]) == ["Be brief."]


async def test_a_picture_is_no_question(amemory: AsyncClient) -> None:
    context = BufferedChatCompletionContext(buffer_size=5)
    pixel = Image.from_base64(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
    await context.add_message(UserMessage(content=[pixel], source="user"))
    memory = InfiniMemory(amemory)
    assert (await memory.update_context(context)).memories.results == []
    for question in ("How high is the mast?", "Until when does the lease run?"):
        await context.add_message(UserMessage(content=[question, pixel], source="user"))
        await memory.update_context(context)
    held = await context.get_messages()
    assert len([m for m in held if isinstance(m, SystemMessage)]) == 1
    assert held[0].content[0].to_base64() == pixel.to_base64()
    await memory.file([MultiModalMessage(content=["Hi", pixel], source="user")])
    await memory.close()


async def test_a_query_brings_statements_with_their_sources(amemory: AsyncClient) -> None:
    memory = InfiniMemory(amemory)
    found = (await memory.query("How high is the mast?")).results
    assert found[0].content == "The mast of the boat is 14 metres high."
    assert found[0].metadata is not None
    assert found[0].metadata["topic"] == "Mast"
    assert json.loads(json.dumps(found[0].metadata)) == found[0].metadata
    question = MemoryContent(content="Who plays the trombone?", mime_type=TEXT)
    assert (await memory.query(question)).results == []


async def test_what_is_added_is_found_again(amemory: AsyncClient) -> None:
    memory = InfiniMemory(amemory, conversation="autogen-2", name="Mia")
    await memory.add(MemoryContent(content="The keel is made of lead.", mime_type=TEXT, metadata={"topic": "Keel"}))
    await memory.add(MemoryContent(content="My favourite sail is the red one.", mime_type=TEXT))
    assert "made of lead" in (await memory.query("What is the keel made of?")).results[0].content
    said = [(m.role, m.content) async for m in amemory.messages("autogen-2")]
    assert ("user", "My favourite sail is the red one.") in said
    with pytest.raises(ValueError, match="text"):
        await memory.add(MemoryContent(content=b"\x00", mime_type=MemoryMimeType.BINARY))
    with pytest.raises(NotImplementedError):
        await memory.clear()


async def test_the_tools_answer_in_words(amemory: AsyncClient) -> None:
    tools = {tool.name: tool for tool in memory_tools(amemory)}

    async def use(name: str, **arguments: str) -> str:
        result = await tools[name].run_json(arguments, CancellationToken())
        return tools[name].return_value_as_string(result)

    fee = {"topic": "Harbour", "statement": "The harbour fee is 900 euros a year.", "kind": "decision"}
    assert await use("record_statement", **fee) == "Recorded."
    assert "900 euros" in await use("search_memory", question="What is the harbour fee?")
    assert "900 euros" in await use("read_document", topic="harbour")
    assert await use("read_document", topic="Nowhere") == "No topic is called 'Nowhere'. Search for it."
    assert await use("list_questions") == "There are no questions."


async def test_an_assistant_goes_on_without_the_memory(
    model: OpenAIChatCompletionClient, wire: w.Wire, caplog: pytest.LogCaptureFixture
) -> None:
    wire.always(w.answer("Hello."))
    async with AsyncClient("http://127.0.0.1:9", "im_gone", retries=Retries(attempts=1)) as gone:
        memory = InfiniMemory(gone)
        result = await AssistantAgent("helper", model, memory=[memory]).run(task="Hi")
        await memory.file(result)
    assert result.messages[-1].content == "Hello."
    assert "without it" in caplog.text
    assert "was not stored" in caplog.text


def test_the_guide_runs_as_printed(server: Server, tmp_path: Path) -> None:
    run_guide("autogen", server, tmp_path)
