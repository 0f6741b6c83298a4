"""LangGraph's long-term store: what `InMemoryStore` answers, this one answers, and it outlives the process."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from infini_client import Client
from infini_client.langgraph import InfiniStore
from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import GetOp, InvalidNamespaceError, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore
from typing_extensions import TypedDict

ROOTS = itertools.count()

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
LEAF = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | st.sampled_from(["blue", "3", "蓝"]) | TEXT
VALUE = st.dictionaries(
    st.sampled_from(["colour", "n", "tags", "deep"]),
    LEAF | st.lists(LEAF, max_size=2) | st.dictionaries(st.sampled_from(["n", "$odd"]), LEAF, max_size=2),
    max_size=3,
)
LABEL = st.sampled_from(["users", "a/b", "a%2Fb", "用户", "a"])
NAMESPACE = st.lists(LABEL, max_size=2).map(tuple)
KEY = st.sampled_from(["1", "10", "a/b", "键", "", "users"])
PATH = st.lists(LABEL | st.just("*"), min_size=1, max_size=2).map(tuple)
FILTER = st.dictionaries(
    st.sampled_from(["colour", "n", "tags", "deep"]),
    LEAF
    | st.lists(LEAF, max_size=2)
    | st.fixed_dictionaries({"n": LEAF})
    | st.dictionaries(st.sampled_from(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]), LEAF, min_size=1, max_size=2),
    max_size=2,
)
PAGE = st.fixed_dictionaries({"limit": st.integers(1, 4), "offset": st.integers(0, 3)})
STEP = st.one_of(
    st.tuples(st.just("put"), NAMESPACE, KEY, VALUE),
    st.tuples(st.just("put"), NAMESPACE, KEY, VALUE),
    st.tuples(st.just("delete"), NAMESPACE, KEY),
    st.tuples(st.just("get"), NAMESPACE, KEY),
    st.tuples(st.just("batch"), NAMESPACE, KEY, VALUE),
    st.tuples(st.just("search"), NAMESPACE, FILTER, PAGE),
    st.tuples(st.just("list"), st.none() | PATH, st.none() | PATH, st.none() | st.integers(1, 3), PAGE),
)


class Both:
    """Our store, and items in the order in which they were made, from which an `InMemoryStore` is made to compare.

    A new one each time: it remembers namespaces in which nothing is left, and those that it was only asked about.
    """

    def __init__(self, ours: InfiniStore) -> None:
        self.ours = ours
        self.root = f"root-{next(ROOTS)}"
        self.items: dict[tuple[tuple[str, ...], str], dict[str, Any]] = {}

    def theirs(self) -> InMemoryStore:
        store = InMemoryStore()
        for (namespace, key), value in self.items.items():
            store.put(namespace, key, value)
        return store

    def put(self, namespace: tuple[str, ...], key: str, value: dict[str, Any]) -> None:
        self.ours.put((self.root, *namespace), key, value)
        self.items[(self.root, *namespace), key] = value

    def delete(self, namespace: tuple[str, ...], key: str) -> None:
        self.ours.delete((self.root, *namespace), key)
        self.items.pop(((self.root, *namespace), key), None)

    def get(self, namespace: tuple[str, ...], key: str) -> None:
        place = (self.root, *namespace)
        assert shown(self.ours.get(place, key)) == shown(self.theirs().get(place, key))

    def batch(self, namespace: tuple[str, ...], key: str, value: dict[str, Any]) -> None:
        place = (self.root, *namespace)
        ops = [PutOp(place, key, {"n": 0}), GetOp(place, key), PutOp(place, key, value), SearchOp(place, limit=50)]
        ours, theirs = self.ours.batch(ops), self.theirs().batch(ops)
        assert (ours[0], ours[2]) == (None, None)
        assert shown(ours[1]) == shown(theirs[1])
        assert {i.key for i in ours[3]} == {i.key for i in theirs[3]}
        self.items[place, key] = value

    def search(self, namespace: tuple[str, ...], filter: dict[str, Any], page: dict[str, int]) -> None:
        place = (self.root, *namespace)
        try:
            found = self.theirs().search(place, filter=filter, limit=1000)
        except (TypeError, ValueError):  # it compares what is no number; ours finds that it does not match
            self.ours.search(place, filter=filter)
            return
        order = list(self.items)
        found.sort(key=lambda item: order.index((item.namespace, item.key)))
        ours = self.ours.search(place, filter=filter, **page)
        assert [shown(item) for item in ours] == [shown(item) for item in found][
            page["offset"] : page["offset"] + page["limit"]
        ]

    def list(self, prefix: Any, suffix: Any, max_depth: int | None, page: dict[str, int]) -> None:
        asked = {"prefix": (self.root, *(prefix or ())), "suffix": suffix, "max_depth": max_depth, **page}
        assert self.ours.list_namespaces(**asked) == self.theirs().list_namespaces(**asked)


def shown(item: Any) -> Any:
    return None if item is None else (item.namespace, item.key, repr(item.value))


@pytest.fixture(scope="module")
def store(server: Any, key: str) -> InfiniStore:
    return InfiniStore(Client(server.url, key))


@settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(steps=st.lists(STEP, min_size=4, max_size=12))
def test_it_answers_as_the_store_in_memory_does(store: InfiniStore, steps: list[Any]) -> None:
    both = Both(store)
    for name, *arguments in steps:
        getattr(both, name)(*arguments)
    for namespace, key in both.items:
        both.get(namespace[1:], key)
    both.search((), {}, {"limit": 1000, "offset": 0})


def test_an_item_keeps_when_it_was_made(store: InfiniStore) -> None:
    store.put(("times",), "a", {"n": 1})
    first = store.get(("times",), "a")
    store.put(("times",), "a", {"n": 2})
    second = store.get(("times",), "a")
    assert first is not None
    assert second is not None
    assert second.value == {"n": 2}
    assert second.created_at == first.created_at
    assert second.updated_at > first.updated_at


def test_a_query_brings_what_shares_its_words_first(store: InfiniStore) -> None:
    for key, text in {"a": "Likes the sea.", "b": "The boat is blue, the sail is red.", "c": "喜欢蓝色的船"}.items():
        store.put(("notes",), key, {"text": text, "about": {"n": 1}})
    english = store.search(("notes",), query="Which colour has the boat's sail?")
    assert english[0].key == "b"
    assert [item.score for item in english] == sorted((item.score for item in english), reverse=True)
    assert len(english) == 3
    assert store.search(("notes",), query="蓝色", limit=1)[0].key == "c"
    assert [i.score for i in store.search(("notes",), query="trombone")] == [0.0, 0.0, 0.0]


def test_what_cannot_be_kept_is_refused(store: InfiniStore) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.put(("a.b",), "k", {})
    with pytest.raises(InvalidNamespaceError):
        store.batch([PutOp(("a.b",), "k", {})])
    with pytest.raises(TypeError):
        store.put(("a",), "k", {"what": object()})
    with pytest.raises(NotImplementedError):
        store.put(("a",), "k", {}, ttl=5)
    store.put(("odd",), "k", {"n": 1})
    with pytest.raises(ValueError, match="no operator"):
        store.search(("odd",), filter={"n": {"$near": 1}})


async def test_a_graph_finds_what_another_one_kept(server: Any, key: str) -> None:
    class State(TypedDict):
        said: str

    async def node(state: State, runtime: Runtime[Any]) -> State:
        assert runtime.store is not None
        found = await runtime.store.asearch(("users", "mia"), query="colour")
        await runtime.store.aput(("users", "mia"), f"{len(found)}", {"text": f"Favourite colour: {state['said']}"})
        return {"said": " ".join(item.value["text"] for item in found)}

    def graph() -> Any:
        built = StateGraph(State).add_node(node).add_edge(START, "node")
        return built.compile(store=InfiniStore(Client(server.url, key), topic="Another desk"))

    assert (await graph().ainvoke({"said": "green"}))["said"] == ""
    assert (await graph().ainvoke({"said": "red"}))["said"] == "Favourite colour: green"
