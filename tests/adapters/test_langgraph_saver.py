"""LangGraph's checkpointer: the conformance suite, and graphs that stop in one process and go on in another."""

from __future__ import annotations

import operator
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Annotated, Any

import pytest
from infini_client import Client
from infini_client.langgraph import InfiniSaver
from langgraph.channels.delta import DeltaChannel
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.graph import START, StateGraph
from langgraph.types import Command, interrupt
from typing_extensions import TypedDict

from tests.adapters.conftest import Server
from tests.adapters.guides import run_guide


@pytest.fixture
def saver(server: Server, key: str) -> InfiniSaver:
    return InfiniSaver(Client(server.url, key))


async def test_it_conforms(server: Server, key: str) -> None:
    @checkpointer_test(name="InfiniSaver")
    async def factory() -> AsyncGenerator[BaseCheckpointSaver[Any], None]:
        with Client(server.url, key) as memory:
            yield InfiniSaver(memory, topic="Conformance")

    report = await validate(factory)
    assert {name: result.failures for name, result in report.results.items() if not result.passed} == {}
    assert set(report.results) == {capability.value for capability in Capability}
    assert all(result.tests_passed for result in report.results.values())


def joined(held: list[str], new: list[list[str]]) -> list[str]:
    return [*held, *(said for saying in new for said in saying)]


class Deltas(TypedDict):
    said: Annotated[list[str], DeltaChannel(joined)]


class State(TypedDict):
    said: Annotated[list[str], operator.add]


def ask(state: State) -> State:
    return {"said": [f"heard {interrupt('Which colour?')}"]}


def graph(saver: InfiniSaver) -> Any:
    built = StateGraph(State).add_node("greet", lambda _: {"said": ["hello"]}).add_node(ask)
    return built.add_edge(START, "greet").add_edge("greet", "ask").compile(checkpointer=saver)


def thread(name: str, **more: Any) -> Any:
    return {"configurable": {"thread_id": name, **more}}


def test_a_graph_goes_on_where_another_process_stopped(server: Server, key: str) -> None:
    here, there = (graph(InfiniSaver(Client(server.url, key))) for _ in range(2))
    stopped = here.invoke({"said": ["begin"]}, thread("走/1"))
    assert stopped["__interrupt__"][0].value == "Which colour?"
    assert there.get_state(thread("走/1")).next == ("ask",)
    assert there.invoke(Command(resume="blue"), thread("走/1"))["said"] == ["begin", "hello", "heard blue"]
    history = list(here.get_state_history(thread("走/1")))
    assert [state.values["said"] for state in history[:2]] == [["begin", "hello", "heard blue"], ["begin", "hello"]]
    assert [s.config for s in here.get_state_history(thread("走/1"), limit=1)] == [history[0].config]
    assert len(list(here.get_state_history(thread("走/1"), before=history[0].config))) == len(history) - 1
    # Back in time, and on from there.
    fork = there.update_state(history[1].config, {"said": ["changed"]})
    assert here.get_state(fork).values["said"] == ["begin", "hello", "changed"]
    assert here.get_state(thread("走/1")).values["said"][-1] == "changed"
    assert here.get_state(history[0].config).values["said"][-1] == "heard blue"


async def test_a_graph_runs_asynchronously(saver: InfiniSaver) -> None:
    assert (await graph(saver).ainvoke({"said": []}, thread("async")))["__interrupt__"]
    assert (await graph(saver).ainvoke(Command(resume="blue"), thread("async")))["said"] == ["hello", "heard blue"]
    assert len([state async for state in graph(saver).aget_state_history(thread("async"))]) == 4


def test_a_state_may_be_larger_than_a_value_of_the_server(saver: InfiniSaver) -> None:
    long = "长" * 500_000
    graph(saver).invoke({"said": [long]}, thread("long"))
    state = graph(saver).get_state(thread("long"))
    assert state.values["said"] == [long, "hello"]
    saver.copy_thread("long", "long-2")
    saver.prune(["long"])
    saver.delete_thread("long")
    assert saver.get_tuple(thread("long")) is None
    assert graph(saver).get_state(thread("long-2")).values["said"] == [long, "hello"]
    saver.delete_thread("long-2")
    assert not [e for e in saver._state.entries("parts/") if "long" in e.key]


def test_pruning_keeps_what_delta_channels_are_rebuilt_from(saver: InfiniSaver) -> None:
    built = StateGraph(Deltas).add_node("greet", lambda _: {"said": ["hello"]}).add_edge(START, "greet")
    graph = built.compile(checkpointer=saver)
    for number in range(3):
        graph.invoke({"said": [str(number)]}, thread("deltas"))
    held = graph.get_state(thread("deltas")).values["said"]
    assert held == ["0", "hello", "1", "hello", "2", "hello"]
    saver.prune(["deltas"])
    assert graph.get_state(thread("deltas")).values["said"] == held


def test_another_strategy_is_refused(saver: InfiniSaver) -> None:
    with pytest.raises(ValueError, match="keep_latest"):
        saver.prune(["a"], strategy="keep_all")


def test_the_guide_runs_as_printed(server: Server, tmp_path: Path) -> None:
    run_guide("langgraph", server, tmp_path)
