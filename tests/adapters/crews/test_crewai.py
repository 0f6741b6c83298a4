"""CrewAI: a crew with a scripted model over real HTTP, with the memory as its memory and as tools."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# Before CrewAI is imported: it reports to its makers otherwise.
os.environ |= {"OTEL_SDK_DISABLED": "true", "CREWAI_DISABLE_TELEMETRY": "true", "CREWAI_TRACING_ENABLED": "false"}

from crewai import LLM, Agent, Crew, Task
from crewai.memory.storage.backend import StorageBackend
from infini_client import Client, ConnectionFailed, NotFound, Retries
from infini_client.crewai import InfiniMemory, RecordStatementTool, SearchMemoryTool

from tests.adapters.conftest import Server
from tests.adapters.guides import run_guide
from tests.inference import wire as w


@pytest.fixture(scope="module")
def reviewed(server: Server) -> Iterator[Client]:
    """A space where a person decides everything."""
    with Client(server.url, server.new_space(policy="everything")) as client:
        yield client


@pytest.fixture
def conversation() -> str:
    return f"crew-{uuid.uuid4()}"


def call(number: int, tool: str, **arguments: Any) -> w.Reply:
    """The model asks for a tool."""
    function = {"name": tool, "arguments": json.dumps(arguments)}
    wanted = [{"id": f"call_{number}", "type": "function", "function": function}]
    return w.answer(None, finish_reason="tool_calls", tool_calls=wanted)


def run(wire: w.Wire, question: str, *, memory: Any = False, tools: list[Any] | None = None) -> str:
    """The answer of a crew of one to a question."""
    return str(crew(wire, question, memory=memory, tools=tools).kickoff().raw)


def crew(wire: w.Wire, question: str, *, memory: Any = False, tools: list[Any] | None = None) -> Crew:
    llm = LLM(model="openai/gpt-4o", base_url=wire.url, api_key="scripted")
    agent = Agent(role="Harbour master", goal="Know the harbour", backstory="Old.", llm=llm, tools=tools or [])
    task = Task(description=question, expected_output="One sentence", agent=agent)
    return Crew(agents=[agent], tasks=[task], memory=memory)


def asked(wire: w.Wire, number: int) -> str:
    """All that the model was shown in a request."""
    return json.dumps(wire.requests[number].json["messages"], ensure_ascii=False)


def test_a_crew_recalls_saves_and_finds_again(memory: Client, wire: w.Wire, conversation: str) -> None:
    memory.record("Pier 4", "The crane lifts 12 tonnes.")
    crews = InfiniMemory(memory, topic="Pier 4", conversation=conversation)
    wire.script(
        call(1, "save_to_memory", contents=["The crane was oiled."]),
        call(2, "search_memory", queries=["When was the crane of Pier 4 oiled?"]),
        w.answer("It lifts 12 tonnes."),
    )
    assert run(wire, "How much does the crane of Pier 4 lift?", memory=crews) == "It lifts 12 tonnes."
    assert "The crane lifts 12 tonnes." in asked(wire, 0)
    assert "The crane was oiled." in asked(wire, 2).split('"call_2"')[-1]
    assert len(wire.requests) == 3

    (topic,) = memory.topics(alias="pier 4")
    facts = {fact.text: fact for fact in memory.facts(topic.id)}
    assert facts["The crane was oiled."].sources[0].conversation == conversation
    # What the crew came up with is kept as its words, and nothing is concluded from it.
    result = [m.content for m in memory.messages(conversation) if m.role == "assistant"]
    assert len(result) == 1
    assert result[0].endswith("It lifts 12 tonnes.")


def test_a_crew_is_run_for_each_input(memory: Client, wire: w.Wire, conversation: str) -> None:
    memory.record("Pier 8", "The lamp is green.")
    wire.always(w.answer("It is green."))
    several = crew(
        wire, "What colour is the {thing} of Pier 8?", memory=InfiniMemory(memory, conversation=conversation)
    )
    assert [done.raw for done in several.kickoff_for_each([{"thing": "lamp"}, {"thing": "light"}])] == [
        "It is green."
    ] * 2
    assert all("The lamp is green." in asked(wire, n) for n in range(2))
    assert len(list(memory.messages(conversation))) == 2


def test_tools_search_and_record(memory: Client, wire: w.Wire, conversation: str) -> None:
    tools = [SearchMemoryTool(memory), RecordStatementTool(memory, conversation=conversation)]
    names = ["search_the_long_term_memory", "record_a_statement"]
    wire.script(
        call(1, names[1], topic="Pier 5", statement="It is closed in winter."),
        call(2, names[0], question="When is Pier 5 closed?"),
        w.answer("In winter."),
    )
    assert run(wire, "When is Pier 5 closed?", tools=tools) == "In winter."
    assert "Recorded." in asked(wire, 1)
    assert "It is closed in winter." in asked(wire, 2).split('"call_2"')[-1]
    assert [tool["function"]["name"] for tool in wire.requests[0].json["tools"]] == names
    assert tools[0]._run(question="Who plays the bassoon?").startswith("Nothing is remembered about this.")


def test_scopes_are_topics(memory: Client, conversation: str) -> None:
    crews = InfiniMemory(memory, conversation=conversation)
    assert isinstance(crews._storage, StorageBackend)
    saved = crews.remember("It has two beams.", scope="/Lighthouse", metadata={"by": "me"}, agent_role="Keeper")
    assert saved is not None
    assert (saved.scope, saved.metadata) == ("/Lighthouse", {"by": "me", "status": "held"})
    again = crews.remember("It has two beams.", scope="/Lighthouse")
    assert again is not None
    assert again.metadata["status"] == "known"
    tower = crews.scope("/Lighthouse")
    tower.remember_many(["It is white.", "It was built in 1871."])

    assert "/Lighthouse" in crews.list_scopes()
    assert {record.content for record in crews.list_records("/Lighthouse")} == {
        "It has two beams.",
        "It is white.",
        "It was built in 1871.",
    }
    (match,) = tower.recall("How many beams has it?")
    assert (match.record.scope, "It has two beams." in match.record.content) == ("/Lighthouse", True)
    assert crews.recall("How many beams?", scope="/Nowhere") == []
    assert crews.info("/Lighthouse").record_count == 3
    assert crews.list_categories("/Lighthouse") == {"fact": 3}

    # The topic with the line that answers comes first, though the other one is the older.
    crews.remember("The keeper Aldo paints the beams in spring.", scope="/Aldo")
    (best,) = crews.recall("Who paints the beams in spring?", limit=1)
    assert best.record.scope == "/Aldo"

    # What is held is corrected and forgotten openly.
    crews.update(saved.id, "It has three beams.")
    (topic,) = memory.topics(alias="lighthouse")
    (conflict,) = [c for c in memory.conflicts(status="open") if c.held.id == saved.id]
    assert conflict.proposal.text == "It has three beams."
    (white,) = [record for record in crews.list_records("/Lighthouse") if record.content == "It is white."]
    assert crews.forget(record_ids=[white.id]) == 1
    assert memory.fact(white.id).status == "retracted"
    assert [fact.text for fact in memory.facts(topic.id, status="active")] == [
        "It has two beams.",
        "It was built in 1871.",
    ]


def test_without_a_topic_words_are_stored_to_be_read(memory: Client, conversation: str) -> None:
    crews = InfiniMemory(memory, conversation=conversation)
    saved = crews.remember("The ferry to Amrum is late.", agent_role="Keeper")
    assert saved is not None
    assert saved.metadata == {"status": "unread"}
    (message,) = memory.messages(conversation)
    assert (message.id, message.role, message.name) == (saved.id, "user", "Keeper")


def test_what_waits_and_what_is_refused(reviewed: Client, conversation: str) -> None:
    crews = InfiniMemory(reviewed, topic="Pier 6", conversation=conversation)
    saved = crews.remember("It is new.")
    assert saved is not None
    assert saved.metadata == {"status": "waiting"}
    assert [proposal.text for proposal in reviewed.proposals(kind="fact")] == ["It is new."]
    for refusal in (
        lambda: crews.remember("A secret.", private=True),
        lambda: crews.forget(scope="/Pier 6"),
        lambda: crews.forget(),
        lambda: crews.update("01a22bf4-3d15-7d6f-ba24-7528183446ac", "Other."),
    ):
        with pytest.raises(ValueError, match=r"private|one by one|no fact"):
            refusal()
    for reset in (crews.reset, crews.reset_all):
        with pytest.raises(NotImplementedError, match="not reset"):
            reset()
    reader = InfiniMemory(reviewed, read_only=True, conversation=f"{conversation}-reader")
    assert reader.remember("Nothing.") is None
    assert reader.remember_many(["Nothing."]) == reader.extract_memories("Nothing.") == []
    with pytest.raises(NotFound):
        list(reviewed.messages(f"{conversation}-reader"))


def test_a_crew_works_on_while_the_memory_is_away(wire: w.Wire) -> None:
    wire.always(w.answer("Nobody knows."))
    with Client("http://127.0.0.1:9", "im_key", retries=Retries(attempts=1)) as nowhere:
        crews = InfiniMemory(nowhere, topic="Pier 7")
        assert run(wire, "Who owns Pier 7?", memory=crews) == "Nobody knows."
        with pytest.raises(ConnectionFailed):
            crews.recall("Who owns Pier 7?")


def test_the_guide_runs_as_printed(server: Server, tmp_path: Path) -> None:
    run_guide("crewai", server, tmp_path)
