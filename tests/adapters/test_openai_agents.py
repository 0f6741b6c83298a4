"""The OpenAI Agents SDK: its Runner and a scripted model, with the memory as session, instructions, hooks and tools."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest
from agents import Agent, RunConfig, Runner, Session
from agents.memory import SessionSettings
from agents.testing import ScriptedModel, assistant_message, function_call
from infini_client import AsyncClient, ConnectionFailed, Retries
from infini_client.openai_agents import FilingHooks, InfiniSession, memory_tools, recalling

from tests.adapters.conftest import Server
from tests.adapters.guides import run_guide

QUIET = RunConfig(tracing_disabled=True)


@pytest.fixture
def conversation() -> str:
    return f"agents-{uuid.uuid4()}"


def nowhere() -> AsyncClient:
    return AsyncClient("http://127.0.0.1:9", "im_key", retries=Retries(attempts=1))


async def said(memory: AsyncClient, conversation: str) -> list[tuple[str, str]]:
    return [(m.role, m.content) async for m in memory.messages(conversation) if m.role != "tool"]


async def test_a_session_carries_a_conversation_on(amemory: AsyncClient, conversation: str) -> None:
    model = ScriptedModel(
        [
            [
                function_call(
                    "record_statement", {"topic": "Villa Aurora", "statement": "The pool is heated."}, call_id="1"
                )
            ],
            [assistant_message("I have noted it.")],
            [assistant_message("That the pool is heated.")],
        ]
    )
    agent = Agent(name="Concierge", model=model, tools=memory_tools(amemory, conversation=f"{conversation}-notes"))
    first = await Runner.run(
        agent, "The pool of Villa Aurora is heated.", session=InfiniSession(amemory, conversation), run_config=QUIET
    )
    assert first.final_output == "I have noted it."
    (topic,) = [found async for found in amemory.topics(alias="Villa Aurora")]
    assert "The pool is heated." in [fact.text async for fact in amemory.facts(topic.id)]

    # Another process goes on where this one stopped.
    later = InfiniSession(amemory, conversation)
    assert isinstance(later, Session)
    assert await later.get_items() == first.to_input_list()
    second = await Runner.run(agent, "What did I tell you?", session=later, run_config=QUIET)
    assert second.final_output == "That the pool is heated."
    assert model.last_call is not None
    assert model.last_call.input == [*first.to_input_list(), {"role": "user", "content": "What did I tell you?"}]
    # What was said is the memory's; calls of tools are nobody's words.
    assert await said(amemory, conversation) == [
        ("user", "The pool of Villa Aurora is heated."),
        ("assistant", "I have noted it."),
        ("user", "What did I tell you?"),
        ("assistant", "That the pool is heated."),
    ]


async def test_a_session_forgets_and_the_memory_does_not(amemory: AsyncClient, conversation: str) -> None:
    session = InfiniSession(amemory, conversation, session_settings=SessionSettings(limit=2))
    assert await session.get_items() == []
    assert await session.pop_item() is None
    items: list[Any] = [
        {
            "role": "user",
            "content": [{"type": "input_text", "text": "Look at this."}, {"type": "input_image", "image_url": "x"}],
        },
        {"type": "function_call_output", "call_id": "1", "output": "ok", "nested": {"é": [1, None]}},
        {"role": "assistant", "content": ""},
        {"role": "user", "content": "Thanks."},
        {"role": "system", "content": "Be brief."},
    ]
    picture: Any = {"role": "user", "content": [{"type": "input_image", "image_url": "图" * 1_100_000}]}
    await session.add_items([])
    await session.add_items(items)
    assert await session.get_items() == items[3:]
    assert await session.get_items(limit=10) == items
    assert await session.get_items(limit=0) == []
    assert await session.pop_item() == items[4]
    assert await session.get_items(limit=10) == items[:4]
    await session.add_items([items[3]])
    assert await session.get_items(limit=10) == [*items[:4], items[3]]
    await session.add_items([picture])
    assert await session.pop_item() == picture
    await session.clear_session()
    assert await session.get_items(limit=10) == []
    await session.add_items([items[3]])
    assert await session.get_items(limit=10) == [items[3]]
    assert await said(amemory, conversation) == [("user", "Look at this."), *[("user", "Thanks.")] * 3]


async def test_instructions_recall_and_hooks_file(amemory: AsyncClient, conversation: str) -> None:
    await amemory.record("Villa Borghese", "The gate code is 4711.")
    model = ScriptedModel([[assistant_message("It is 4711.")], [assistant_message("You are welcome.")]])
    agent = Agent(name="Concierge", model=model, instructions=recalling(amemory, "Be brief."))
    hooks = FilingHooks(amemory, conversation, name="Mia", subject="Villa Borghese")
    await Runner.run(agent, "What is the gate code of Villa Borghese?", hooks=hooks, run_config=QUIET)
    await Runner.run(agent, [{"role": "user", "content": "Zzz."}], hooks=hooks, run_config=QUIET)
    asked, thanked = (call.system_instructions or "" for call in model.calls)
    assert asked.startswith("Be brief.\n\n<memory ")
    assert "The gate code is 4711." in asked
    assert thanked == "Be brief."
    assert await said(amemory, conversation) == [
        ("user", "What is the gate code of Villa Borghese?"),
        ("assistant", "It is 4711."),
        ("user", "Zzz."),
        ("assistant", "You are welcome."),
    ]
    assert [m.name async for m in amemory.messages(conversation)][:2] == ["Mia", ""]


async def test_an_agent_talks_on_while_the_memory_is_away(conversation: str) -> None:
    async with nowhere() as memory:
        model = ScriptedModel(
            [
                [function_call("search_memory", {"question": "Anything?"}, call_id="1")],
                [assistant_message("I cannot tell.")],
            ]
        )
        agent = Agent(
            name="Concierge", model=model, instructions=recalling(memory, "Be brief."), tools=memory_tools(memory)
        )
        ended = await Runner.run(agent, "Anything?", hooks=FilingHooks(memory, conversation), run_config=QUIET)
        assert ended.final_output == "I cannot tell."
        assert model.calls[0].system_instructions == "Be brief."
        assert "does not answer" in str(model.calls[1].input)
        with pytest.raises(ConnectionFailed):
            await Runner.run(agent, "Hello?", session=InfiniSession(memory, conversation), run_config=QUIET)


async def test_tools_answer_in_words(amemory: AsyncClient) -> None:
    calls = [
        ("search_memory", {"question": "Who plays the bassoon?"}),
        ("read_document", {"topic": "Nowhere Hall"}),
        ("record_statement", {"topic": "Villa Circe", "statement": "It has two towers."}),
        ("record_statement", {"topic": "Villa Circe", "statement": "It has two towers."}),
        ("read_document", {"topic": "villa circe"}),
    ]
    steps = [[function_call(name, arguments, call_id=str(n))] for n, (name, arguments) in enumerate(calls)]
    model = ScriptedModel([*steps, [assistant_message("Done.")]])
    agent = Agent(name="Concierge", model=model, tools=memory_tools(amemory))
    ended = await Runner.run(agent, "Go.", run_config=QUIET)
    outputs = [item["output"] for item in ended.to_input_list() if item.get("type") == "function_call_output"]
    assert outputs[0].startswith("Nothing is remembered about this.")
    assert outputs[1:4] == [
        "No topic is called 'Nowhere Hall'. Search for it.",
        "Recorded.",
        "That is known already.",
    ]
    assert outputs[4].startswith("# Villa Circe\n")


def test_the_guide_runs_as_printed(server: Server, tmp_path: Path) -> None:
    run_guide("openai-agents", server, tmp_path)
