"""A workflow's own state: any JSON by key, with preconditions, kept with a topic through merges."""

from __future__ import annotations

import json
import threading
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection

from tests.contract.helpers import Api, make_api
from topics.changes import Actor
from topics.models import Space, StateEntry, Topic
from topics.services.merging import merge_topics
from topics.services.spaces import create_space
from topics.services.topics import create_topic, delete_topic
from topics.services.undo import undo_change_set

VALUES = [
    {"step": 3, "路由": ["等待", "🙂"], "b": 1, "a": {"z": 1.0, "y": -0.0, "x": 12345678901234567890123}},
    [],
    'text with \\ and "quotes"',
    7,
    1.5e300,
    False,
    None,
    "",
]


@pytest.fixture
def topic(space: Space) -> Topic:
    return create_topic(space=space, actor=Actor(label="tests"), name="Order desk")


@pytest.fixture
def state(topic: Topic) -> str:
    return f"topics/{topic.pk}/state"


def keys(response: Any) -> list[str]:
    assert response.status_code == 200
    return [entry["key"] for entry in response.json()["results"]]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_any_json_comes_back_as_it_was_put(value: Any, api: Api, state: str) -> None:
    put = api.put(f"{state}/x", json.dumps(value).encode())
    assert (put.status_code, put.json()["version"]) == (201, 1)
    got = api.get(f"{state}/x")
    assert json.dumps(got.json()) == json.dumps(value)
    assert got.headers["ETag"] == put.headers["ETag"] == put.json()["etag"]
    assert got.headers["Content-Type"] == "application/json"


@pytest.mark.parametrize("key", ["thread-1/ns/1ef", "日志/第一", "a b", "100%?#&", "x" * 500, "."])
def test_a_key_may_be_any_text(key: str, api: Api, state: str) -> None:
    assert api.put(f"{state}/{quote(key)}", 1).status_code == 201
    assert api.get(f"{state}/{quote(key)}").json() == 1
    assert keys(api.get(state)) == [key]


def test_what_stands_is_replaced_only_by_who_has_seen_it(api: Api, state: str) -> None:
    first = api.put(f"{state}/x", 1, If_None_Match="*").headers["ETag"]
    assert api.put(f"{state}/x", 2).status_code == 428
    assert api.put(f"{state}/x", 2, If_None_Match="*").status_code == 412
    assert api.put(f"{state}/x", 2, If_None_Match=first).status_code == 422
    second = api.put(f"{state}/x", 2, If_Match=first)
    assert (second.status_code, second.json()["version"]) == (200, 2)
    stale = api.put(f"{state}/x", 3, If_Match=first)
    assert (stale.status_code, stale.json()["code"], stale.json()["keys"]) == (412, "stale", ["x"])
    assert api.put(f"{state}/x", 3, If_Match="*").status_code == 200
    assert api.put(f"{state}/y", 3, If_Match="*").status_code == 412
    assert api.get(f"{state}/x").json() == 3


def test_the_same_value_again_changes_nothing(api: Api, state: str) -> None:
    first = api.put(f"{state}/x", {"a": 1})
    again = api.put(f"{state}/x", {"a": 1}, If_Match=first.headers["ETag"])
    assert (again.status_code, again.json()) == (200, first.json())


def test_a_key_is_freed_by_who_has_seen_it(api: Api, state: str) -> None:
    seen = api.put(f"{state}/x", 1).headers["ETag"]
    assert api.delete(f"{state}/x", If_Match='"1-0"').status_code == 412
    assert api.delete(f"{state}/x", If_Match=seen).status_code == 204
    assert api.get(f"{state}/x").status_code == 404
    assert api.delete(f"{state}/x", If_Match="*").status_code == 404
    assert api.put(f"{state}/x", 2, If_Match=seen).status_code == 412
    assert api.put(f"{state}/x", 2).status_code == 201


def test_a_value_has_at_most_256_kib(api: Api, state: str) -> None:
    text = "界" * 87_380  # three bytes each, and two quotes
    assert api.put(f"{state}/x", text + "ab").status_code == 201
    assert StateEntry.objects.get().size == 256 * 1024
    for response in (
        api.put(f"{state}/y", text + "abc"),
        api.post(state, {"puts": [{"key": "y", "value": text + "abc"}]}),
    ):
        assert (response.status_code, response.json()["code"]) == (413, "too_large")
    assert api.get(f"{state}/y").status_code == 404


def test_bad_input_is_refused(api: Api, state: str) -> None:
    assert api.put(f"{state}/x", b"").status_code == 400
    assert api.put(f"{state}/{'x' * 501}", 1).status_code == 422
    assert api.put(f"{state}/x", b'{"a": "\\u0000"}').status_code == 422
    assert api.get(f"{state}?order=size").status_code == 422
    assert api.get(f"{state}/x?of=me").status_code == 404
    for body, field in (
        ({"puts": [{"key": "x"}]}, "puts.0.value"),
        ({"puts": [{"key": "", "value": 1}]}, "puts.0.key"),
        ({"puts": [{"key": "x", "value": 1}, {"key": "x", "value": 2}]}, "puts"),
        ({"puts": [{"key": "x", "value": 1}], "removals": ["x"]}, "puts"),
        ({"put": []}, "put"),
        ({"puts": [{"key": "x", "value": 1, "ttl": 5}]}, "puts.0.ttl"),
    ):
        response = api.post(state, body)
        assert (response.status_code, list(response.json()["fields"])) == (422, [field])
    assert not StateEntry.objects.exists()


def test_lists_go_by_range_and_have_the_newest_first(api: Api, state: str) -> None:
    names = ["b/2", "b/1", "B/1", "b", "b/Ä", "c/1", "b/10", "b%", "b_1"]
    for n, key in enumerate(names):
        api.put(f"{state}/{quote(key)}", n)
    assert keys(api.get(state)) == sorted(names)
    assert keys(api.get(f"{state}?order=-key&prefix=b/")) == ["b/Ä", "b/2", "b/10", "b/1"]
    assert keys(api.get(f"{state}?order=-created&prefix=b%25")) == ["b%"]
    assert keys(api.get(f"{state}?order=-created")) == names[::-1]
    assert keys(api.get(f"{state}?order=-key&before=b/2&after=b/1")) == ["b/10"]
    page = api.get(f"{state}?values=true&page_size=2&prefix=b/&page=2").json()
    assert [(entry["key"], entry["value"]) for entry in page["results"]] == [("b/2", 0), ("b/Ä", 4)]
    assert "value" not in api.get(state).json()["results"][0]
    assert page["results"][0]["etag"] == api.get(f"{state}/b/2").headers["ETag"]


def test_several_values_are_written_all_or_none(api: Api, state: str) -> None:
    seen = api.put(f"{state}/a", 1).headers["ETag"]
    puts: list[dict[str, Any]] = [
        {"key": "c", "value": None},
        {"key": "a", "value": 2, "etag": seen},
        {"key": "b", "value": 1, "only_new": True},
    ]
    first = api.post(state, {"puts": puts, "removals": ["zzz"]})
    assert [(entry["key"], entry["version"]) for entry in first.json()["entries"]] == [("c", 1), ("a", 2), ("b", 1)]
    assert first.json()["removed"] == 0
    refused = api.post(state, {"puts": [*puts, {"key": "d", "value": 1}], "removals": ["zzz"]})
    assert (refused.status_code, refused.json()["keys"]) == (412, ["a", "b"])
    assert keys(api.get(state)) == ["a", "b", "c"]
    assert api.post(state, {"puts": [{"key": "a", "value": 9}], "removals": ["b", "c"]}).json()["removed"] == 2
    assert api.get(f"{state}?values=1").json()["results"][0]["value"] == 9


def test_a_range_is_freed_at_once(api: Api, state: str) -> None:
    api.post(state, {"puts": [{"key": f"t/{n}", "value": n} for n in range(60)] + [{"key": "u", "value": 1}]})
    assert api.delete(f"{state}?prefix=t/").status_code == 428
    assert api.delete(f"{state}?prefx=t/", If_Match="*").status_code == 422
    seen = api.get(f"{state}?prefix=t/").headers["ETag"]
    api.put(f"{state}/t/0", 7, If_Match="*")
    assert api.delete(f"{state}?prefix=t/", If_Match=seen).status_code == 412
    seen = api.get(f"{state}?prefix=t/").headers["ETag"]
    assert api.delete(f"{state}?prefix=t/", If_Match=seen).json() == {"removed": 60}
    assert keys(api.get(state)) == ["u"]


def test_a_merged_topics_state_answers_under_the_surviving_id(space: Space, topic: Topic, api: Api, state: str) -> None:
    actor = Actor(label="tests")
    other = create_topic(space=space, actor=actor, name="Orders desk")
    theirs = f"topics/{other.pk}/state"
    api.post(state, {"puts": [{"key": "step", "value": "ours"}, {"key": "own", "value": 1}]})
    api.post(theirs, {"puts": [{"key": "step", "value": "theirs"}, {"key": "draft", "value": 2}]})
    seen = api.get(f"{theirs}/step").headers["ETag"]
    _plan, change = merge_topics(space=space, survivor=topic, others=[other], actor=actor)

    for route in (state, theirs):
        assert keys(api.get(route)) == ["draft", "own", "step"]
        assert api.get(f"{route}/draft").json() == 2
        assert api.get(f"{route}/step").json() == "ours"
    assert api.put(f"{theirs}/step", "on", If_Match=seen).status_code == 412
    step = api.get(f"{state}?prefix=step").json()["results"][0]
    assert (step["topic"], step["hides"]) == (str(topic.pk), [str(other.pk)])
    assert api.get(f"{state}/step?of={other.pk}").json() == "theirs"
    assert keys(api.get(f"{state}?of={other.pk}")) == ["draft", "step"]
    assert api.put(f"{state}/draft", 3, If_Match="*").json()["topic"] == str(other.pk)
    assert api.put(f"{theirs}/new", 1).json()["topic"] == str(topic.pk)

    undo_change_set(change=change, actor=actor)
    assert keys(api.get(state)) == ["new", "own", "step"]
    assert [api.get(f"{theirs}/{key}").json() for key in ("draft", "step")] == [3, "theirs"]
    merge_topics(space=space, survivor=topic, others=[other], actor=actor)
    assert api.delete(f"{state}/step", If_Match="*").status_code == 204
    assert api.get(f"{state}/step").status_code == 404
    assert api.delete(state, If_Match="*").json() == {"removed": 3}
    assert not StateEntry.objects.exists()


def test_the_state_of_a_deleted_topic_returns_with_it(space: Space, topic: Topic, api: Api, state: str) -> None:
    api.put(f"{state}/x", 1)
    delete_topic(topic=topic, actor=Actor(label="tests"))
    for response in (api.get(state), api.get(f"{state}/x"), api.put(f"{state}/y", 1)):
        assert response.status_code == 404
    undo_change_set(change=space.change_sets.first(), actor=Actor(label="tests"))  # type: ignore[arg-type]
    assert api.get(f"{state}/x").json() == 1


def test_state_is_no_memory(api: Api, topic: Topic, state: str) -> None:
    before = api.get(f"topics/{topic.pk}/history").json()["count"]
    api.put(f"{state}/x", "The order desk opens at nine.")
    assert api.get("memory/query?q=When+does+the+order+desk+open").json()["context"].count("nine") == 0
    assert api.get(f"topics/{topic.pk}/history").json()["count"] == before


@pytest.mark.django_db(transaction=True)
def test_of_writers_at_the_same_moment_each_is_heard_or_told() -> None:
    space = create_space(slug="acme")
    topic = create_topic(space=space, actor=Actor(label="tests"), name="Order desk")
    state, caller, answers = f"topics/{topic.pk}/state", make_api(space), []

    def count() -> None:
        one = Api()
        one.headers = caller.headers
        one.put(f"{state}/n", 0, If_None_Match="*")
        done = 0
        while done < 3:
            got = one.get(f"{state}/n")
            put = one.put(f"{state}/n", got.json() + 1, If_Match=got.headers["ETag"])
            answers.append(put.status_code)
            done += put.status_code == 200
        one.post(state, {"puts": [{"key": key, "value": 1} for key in ("b", "a", "c")]})
        connection.close()

    threads = [threading.Thread(target=count) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert caller.get(f"{state}/n").json() == answers.count(200) == 9
    assert set(answers) <= {200, 412}
    assert keys(caller.get(state)) == ["a", "b", "c", "n"]
