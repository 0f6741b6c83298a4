"""LangChain: the standard suites for retrievers and tools, a history, and an agent that remembers."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from infini_client import Client, Retries
from infini_client.langchain import InfiniChatMessageHistory, InfiniMiddleware, InfiniRetriever, memory_tools
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import BaseTool
from langchain_openai import ChatOpenAI
from langchain_tests.integration_tests import RetrieversIntegrationTests, ToolsIntegrationTests
from langchain_tests.unit_tests import ToolsUnitTests
from langgraph.checkpoint.memory import InMemorySaver

from tests.adapters.conftest import Server, wait_until_read
from tests.adapters.guides import run_guide
from tests.inference import wire as w

QUESTION = "What is the budget of Fernhill Logistics?"
# Nothing listens there, and nothing is tried twice.
GONE = Client("http://127.0.0.1:9", "im_gone", retries=Retries(attempts=1))


@pytest.fixture(scope="module")
def example(server: Server, example_key: str) -> Client:
    return Client(server.url, example_key)


class TestRetriever(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def connect(self, example: Client) -> None:
        self.memory = example

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return InfiniRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"memory": self.memory}

    @property
    def retriever_query_example(self) -> str:
        return QUESTION

    def test_a_document_names_its_topic_and_its_source(self) -> None:
        found = InfiniRetriever(memory=self.memory, max_tokens=600).invoke(QUESTION)
        budget = next(d for d in found if "55,000 euros" in d.page_content)
        assert budget.metadata["topic"] == "Fernhill Logistics"
        assert budget.metadata["status"] == "active"
        assert budget.metadata["line"].startswith("Hannah Reid, 2025-04-22")
        assert budget.metadata["sources"][0]["conversation"] == "fernhill-pilot-report"
        assert json.loads(json.dumps(budget.metadata)) == budget.metadata
        assert "event" in {d.metadata["kind"] for d in found}
        assert InfiniRetriever(memory=self.memory).invoke("Who owns the boat in Lisbon harbour?") == []


def test_a_small_k_keeps_the_best(memory: Client) -> None:
    for topic, statement in (
        ("Annex", "The heating of the hall has a brass plate."),
        ("Annex", "The heating room is under the stairs."),
        ("Ruben", "Ruben repairs the heating of the hall in autumn."),
    ):
        memory.record(topic, statement)
    (best,) = InfiniRetriever(memory=memory, k=1).invoke("Who repairs the heating of the hall in autumn?")
    assert best.page_content == "Ruben repairs the heating of the hall in autumn."


class Tools:
    """What both suites, of which each wants a class of its own, are told about one tool."""

    name: str
    arguments: dict[str, Any]

    @pytest.fixture(autouse=True)
    def connect(self, memory: Client) -> None:
        self.memory = memory

    @property
    def tool_constructor(self) -> BaseTool:
        return next(tool for tool in memory_tools(self.memory) if tool.name == self.name)

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return self.arguments


class Search(Tools):
    name = "search_memory"
    arguments = {"question": QUESTION}


class Read(Tools):
    name = "read_document"
    arguments = {"topic": "Fernhill Logistics"}


class Record(Tools):
    name = "record_statement"
    arguments = {"topic": "Boat", "statement": "The boat is blue.", "kind": "fact"}


class Questions(Tools):
    name = "list_questions"
    arguments: dict[str, Any] = {}


class TestSearch(Search, ToolsUnitTests): ...


class TestSearchInUse(Search, ToolsIntegrationTests): ...


class TestRead(Read, ToolsUnitTests): ...


class TestReadInUse(Read, ToolsIntegrationTests): ...


class TestRecord(Record, ToolsUnitTests): ...


class TestRecordInUse(Record, ToolsIntegrationTests): ...


class TestQuestions(Questions, ToolsUnitTests): ...


class TestQuestionsInUse(Questions, ToolsIntegrationTests): ...


def test_what_a_tool_records_the_others_find(memory: Client) -> None:
    search, read, record, questions = memory_tools(memory)
    said = {"topic": "Harbour", "statement": "The harbour fee is 900 euros a year.", "kind": "decision"}
    assert record.invoke(said) == "Recorded."
    assert record.invoke(said) == "That is known already."
    assert "900 euros" in search.invoke({"question": "What is the harbour fee?"})
    assert "# Harbour" in read.invoke({"topic": "harbour"})
    assert read.invoke({"topic": "Nowhere"}) == "No topic is called 'Nowhere'. Search for it."
    assert questions.invoke({}) == "There are no questions."
    # Other tests share the space, and what they file may still wait to be read.
    assert search.invoke({"question": "Who plays the trombone?"}).startswith("Nothing is remembered about this.")


def history(memory: Client, conversation: str) -> InfiniChatMessageHistory:
    with warnings.catch_warnings():  # LangChain would rather have everybody use a checkpointer.
        warnings.simplefilter("ignore")
        return InfiniChatMessageHistory(memory, conversation)


async def test_a_history_comes_back_as_it_was_added(memory: Client) -> None:
    call = {"name": "look", "args": {"深": [1, None]}, "id": "call-1", "type": "tool_call"}
    said: list[BaseMessage] = [
        SystemMessage("Be brief.", id="0"),
        HumanMessage("We keep the boat in Marseille.", id="1", name="Mia"),
        AIMessage("Let me look.", id="2", tool_calls=[call]),
        ToolMessage("42", tool_call_id="call-1", id="3"),
        AIMessage("Noted.", id="4"),
        HumanMessage([{"type": "text", "text": "And this?"}, {"type": "image", "url": "https://x.test/a.png"}], id="5"),
    ]
    kept = history(memory, "history-1")
    assert kept.messages == []
    kept.add_messages(said)
    kept.add_messages(said[1:2])  # what is stored already is stored once
    assert history(memory, "history-1").messages == said
    assert await kept.aget_messages() == said
    wait_until_read(memory, "history-1")
    assert "Marseille" in memory.recall("Where is the boat?").context
    await kept.aclear()
    assert kept.messages == []
    kept.add_user_message("Hello again.")
    assert [m.content for m in kept.messages] == ["Hello again."]


def test_what_others_stored_in_a_conversation_does_not_break_its_history(memory: Client) -> None:
    strange = [{"role": "tool", "content": text, "id": f"note-{text}"} for text in ("no JSON", "[1]", '{"history": 1}')]
    memory.store("history-2", [*strange, {"role": "user", "content": "Hi", "id": "1"}])
    assert [m.content for m in history(memory, "history-2").messages] == ["Hi"]


def model(wire: w.Wire) -> ChatOpenAI:
    return ChatOpenAI(model="wire-model", base_url=wire.url, api_key="none", max_retries=0)


def system_of(request: w.Request) -> str:
    first = request.json["messages"][0]
    return first["content"] if first["role"] == "system" else ""


@pytest.mark.parametrize(("is_async", "strange"), [
    (False, ("Who plays the trombone?", "On Sundays?")), (True, ("Which gardener prunes roses?", "In winter?")),
])  # fmt: skip
async def test_an_agent_is_given_the_memory_and_files_the_turn(
    memory: Client, wire: w.Wire, is_async: bool, strange: tuple[str, str]
) -> None:
    conversation = f"agent-{is_async}"
    memory.record("Mast", "The mast of the boat is 14 metres high.")
    agent = create_agent(
        model(wire),
        memory_tools(memory),
        system_prompt="Be brief.",
        middleware=[InfiniMiddleware(memory, name="Mia", subject="Boat")],
        checkpointer=InMemorySaver(),
    )
    call = {"id": "c1", "type": "function", "function": {"name": "read_document", "arguments": '{"topic": "Mast"}'}}
    wire.script(w.answer(None, tool_calls=[call], finish_reason="tool_calls"), w.answer("14 metres [1]."))
    asked = {"messages": [{"role": "user", "content": "How high is the mast of the boat?"}]}
    config: Any = {"configurable": {"thread_id": conversation}}
    ended = await agent.ainvoke(asked, config) if is_async else agent.invoke(asked, config)
    assert ended["messages"][-1].content == "14 metres [1]."
    assert "infini_context" not in ended
    for request in wire.requests:  # in each call of the turn, and in none of the agent's own messages
        assert system_of(request).startswith("Be brief.\n\n<memory")
        assert "14 metres high" in system_of(request)
    assert not [m for m in ended["messages"] if isinstance(m, SystemMessage)]
    said = [("user", "Mia", "How high is the mast of the boat?"), ("assistant", "", "14 metres [1].")]
    assert [(m.role, m.name, m.content) for m in memory.messages(conversation)] == said

    wire.script(w.answer("I do not know."))
    agent.invoke({"messages": [HumanMessage(text) for text in strange]}, config)
    assert system_of(wire.requests[-1]) == "Be brief."
    assert [m.content for m in memory.messages(conversation)][2:] == [*strange, "I do not know."]


def test_an_agent_goes_on_without_the_memory(wire: w.Wire, caplog: pytest.LogCaptureFixture) -> None:
    wire.always(w.answer("Hello."))
    agent = create_agent(model(wire), middleware=[InfiniMiddleware(GONE, conversation="agent-2")])
    assert agent.invoke({"messages": [HumanMessage("Hi")]})["messages"][-1].content == "Hello."
    assert "without it" in caplog.text
    assert "was not stored" in caplog.text


def test_an_agent_without_a_conversation_is_refused_before_the_model_is_asked(memory: Client, wire: w.Wire) -> None:
    agent = create_agent(model(wire), middleware=[InfiniMiddleware(memory)])
    with pytest.raises(ValueError, match="thread_id"):
        agent.invoke({"messages": [HumanMessage("Hi")]})
    assert wire.requests == []


def test_the_guide_runs_as_printed(server: Server, tmp_path: Path) -> None:
    run_guide("langchain", server, tmp_path)
