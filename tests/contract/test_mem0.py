"""Routes in mem0's shape: an agent moves here by changing its URL."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from extraction.models import Job
from extraction.services.jobs import run_job
from tests.contract.helpers import Api, make_api
from topics.models import Fact, Space, Topic


class Mem0(Api):
    """As `Api`, below /compat/mem0/."""

    base = "/compat/mem0/"

    def __init__(self, like: Api) -> None:
        super().__init__()
        self.headers = like.headers


@pytest.fixture
def mem0(api: Api) -> Mem0:
    return Mem0(api)


def keep(mem0: Mem0, text: str, **owner: str) -> dict[str, Any]:
    sent = {"messages": [{"role": "user", "content": text}], "infer": False, **owner}
    response = mem0.post("memories", sent)
    assert response.status_code == 200
    [result] = response.json()["results"]
    found: dict[str, Any] = result
    return found


def texts(response: Any) -> list[str]:
    assert response.status_code == 200
    return [memory["memory"] for memory in response.json()["results"]]


def test_a_memory_is_kept_found_changed_and_taken_out(mem0: Mem0, space: Space) -> None:
    kept = keep(mem0, "Likes oat milk in coffee.", user_id="alice")
    assert kept["event"] == "ADD"
    assert keep(mem0, "Likes oat milk in coffee.", user_id="alice") == {**kept, "event": "NONE"}
    one = mem0.get(f"memories/{kept['id']}").json()
    assert (one["memory"], one["user_id"]) == ("Likes oat milk in coffee.", "alice")
    found = mem0.post("search/", {"query": "What milk does Alice like?", "user_id": "alice"})
    assert texts(found) == ["Likes oat milk in coffee."]
    assert found.json()["results"][0]["score"] > 0
    assert mem0.put(f"memories/{kept['id']}", {"text": "Likes soy milk in coffee."}).status_code == 200
    assert texts(mem0.get("memories/?user_id=alice")) == ["Likes soy milk in coffee."]
    assert mem0.delete(f"memories/{kept['id']}").status_code == 200
    assert mem0.get(f"memories/{kept['id']}").status_code == 404
    assert texts(mem0.post("search", {"query": "milk", "user_id": "alice"})) == []
    history = mem0.get(f"memories/{kept['id']}/history").json()
    assert [(row["event"], row["old_memory"], row["new_memory"]) for row in history] == [
        ("ADD", None, "Likes oat milk in coffee."),
        ("UPDATE", "Likes oat milk in coffee.", "Likes soy milk in coffee."),
        ("DELETE", "Likes soy milk in coffee.", None),
    ]


def test_owners_are_kept_apart_to_the_letter(mem0: Mem0, space: Space) -> None:
    for n, owner in enumerate(["user-1", "User 1", "user1", "user_1"]):
        keep(mem0, f"Likes tea number {n}.", user_id=owner)
        keep(mem0, f"Likes cake number {n}.", user_id=owner)
    assert Topic.objects.count() == 4
    assert texts(mem0.get("memories?user_id=user1")) == ["Likes cake number 2.", "Likes tea number 2."]
    assert texts(mem0.post("search", {"query": "tea", "filters": {"user_id": "User 1"}})) == ["Likes tea number 1."]
    assert texts(mem0.get("memories?user_id=USER1")) == []
    assert texts(mem0.post("search", {"query": "tea", "user_id": "nobody"})) == []
    assert len(texts(mem0.get("memories?user_id=user1&limit=1"))) == 1


def test_only_memories_of_the_owners_named_are_found(mem0: Mem0, space: Space) -> None:
    for owner in ("alex", "bob"):
        keep(mem0, f"{owner} cannot eat peanuts.", user_id=owner)
    for named in (
        {"user_id": "bob"},
        {"filters": {"user_id": "bob"}},
        {"filters": {"AND": [{"user_id": "bob"}]}},
        {"filters": {"AND": [{"AND": [{"user_id": {"eq": "bob"}}]}, {"user_id": {"in": ["bob"]}}]}},
        {"user_id": "bob", "filters": None, "version": "v2"},
    ):
        assert texts(mem0.post("search", {"query": "peanuts", **named})) == ["bob cannot eat peanuts."]
    for named in ({"user_id": "alex", "filters": {"user_id": "bob"}}, {"filters": {"user_id": "carl"}}):
        assert texts(mem0.post("search", {"query": "peanuts", **named})) == []


@pytest.mark.parametrize(
    ("named", "field"),
    [
        ({}, "user_id"),
        ({"filters": {}}, "user_id"),
        ({"filters": {"AND": []}}, "user_id"),
        ({"userid": "bob"}, "userid"),
        ({"user_id": "alex", "app_id": "zz"}, "app_id"),
        ({"user_id": "alex", "metadata": {"a": 1}}, "metadata"),
        ({"filters": {"userid": "bob"}}, "filters.userid"),
        ({"filters": {"user_id": "alex", "app_id": "zz"}}, "filters.app_id"),
        ({"filters": {"AND": [{"user_id": "alex"}, {"categories": ["x"]}]}}, "filters.AND.1.categories"),
        ({"filters": {"OR": [{"user_id": "alex"}]}}, "filters.OR"),
        ({"filters": {"AND": {"user_id": "alex"}}}, "filters.AND"),
        ({"filters": {"AND": ["alex"]}}, "filters.AND.0"),
        ({"filters": {"user_id": {"in": ["alex", "bob"]}}}, "filters.user_id"),
        ({"filters": {"user_id": {"ne": "bob"}}}, "filters.user_id"),
        ({"filters": {"user_id": 7}}, "filters.user_id"),
        ({"user_id": "alex", "filters": {"run_id": {"eq": None}}}, "filters.run_id"),
        ({"filters": {"user_id": "*", "agent_id": "bot"}}, "agent_id"),
        ({"filters": "user_id"}, "filters"),
    ],
    ids=str,
)
def test_a_search_that_is_not_understood_is_refused(
    mem0: Mem0, space: Space, named: dict[str, Any], field: str
) -> None:
    response = mem0.post("search", {"query": "peanuts", **named})
    assert (response.status_code, list(response.json()["fields"])) == (422, [field])


def test_a_list_is_of_an_owner(mem0: Mem0, space: Space) -> None:
    keep(mem0, "Likes tea.", user_id="alex")
    for query, field in (
        ("", "user_id"),
        ("?userid=alex", "userid"),
        ("?user_id=alex&app_id=z", "app_id"),
        ("?user_id=alex&agent_id=b", "agent_id"),
    ):
        response = mem0.get(f"memories{query}")
        assert (response.status_code, list(response.json()["fields"])) == (422, [field])


def test_a_run_narrows_to_what_was_said_in_it(automatic: Space) -> None:
    mem0 = Mem0(make_api(automatic))
    for run, text in (("r1", "My budget is 40,000 euros."), ("r2", "I am allergic to peanuts.")):
        sent = {"messages": [{"role": "user", "content": text}], "user_id": "alex", "run_id": run}
        run_job(mem0.post("memories", sent).json()["job"], worker="tests")
    both = texts(mem0.get("memories?user_id=alex"))
    assert len(both) == 2
    assert [text for text in both if "40,000" in text] == texts(mem0.get("memories?user_id=alex&run_id=r1"))
    found = mem0.post(
        "search", {"query": "budget peanuts", "filters": {"AND": [{"user_id": "alex"}, {"run_id": "r2"}]}}
    )
    assert texts(found) == [text for text in both if "peanuts" in text]
    assert texts(mem0.post("search", {"query": "peanuts", "user_id": "alex", "run_id": "r9"})) == []
    assert texts(mem0.get("memories?user_id=bob&run_id=r1")) == []


def test_messages_are_read_like_any_other(mem0: Mem0, space: Space) -> None:
    sent = {
        "messages": [
            {"role": "user", "content": "My budget is 40,000 euros."},
            {"role": "assistant", "content": "Noted."},
        ],
        "user_id": "alice",
        "run_id": "r1",
        "metadata": {"app": "x"},
    }
    first, again = (mem0.post("memories", sent, Idempotency_Key="k1") for _ in range(2))
    assert first.json()["results"] == []
    assert first.content == again.content
    assert space.conversations.get().messages.count() == 2
    assert str(Job.objects.get().pk) == first.json()["job"]
    run_job(Job.objects.get().pk, worker="tests")
    assert not Fact.objects.exists()


def test_a_key_that_proposes_files_messages_and_keeps_nothing(space: Space) -> None:
    proposing, people = Mem0(make_api(space, "propose")), make_api(space)
    sent = {"messages": [{"role": "user", "content": "My budget is 40,000 euros."}]}
    refused = proposing.post("memories", {**sent, "user_id": "alice", "infer": False})
    assert (refused.status_code, refused.json()["detail"]) == (403, "This key lacks the scope write.")
    for owner in ("alice", "Alice", "al-ice"):
        job = proposing.post("memories", {**sent, "user_id": owner}).json()["job"]
        run_job(job, worker="tests")
    assert not Topic.objects.exists()
    assert people.post("proposals/decide", {"filter": {}, "decision": "approve"}).status_code == 200
    assert Topic.objects.count() == 3
    reading = Mem0(make_api(space, "read"))
    for owner in ("alice", "Alice", "al-ice"):
        assert texts(reading.get(f"memories?user_id={owner}")) == ["My budget is 40,000 euros."]
    again = proposing.post("memories", {"messages": [{"role": "user", "content": "I like tea."}], "user_id": "al-ice"})
    run_job(again.json()["job"], worker="tests")
    assert Topic.objects.count() == 3


def test_what_makes_no_sense_is_refused(mem0: Mem0, stranger: Api, client: Client) -> None:
    turn = {"role": "user", "content": "Hello"}
    for body, field in (
        ({"messages": [turn]}, "user_id"),
        ({"messages": [], "user_id": "a"}, "messages"),
        ({"messages": [turn], "user_id": "x" * 201}, "user_id"),
        ({"messages": "hello", "user_id": "a"}, "messages"),
        ({"messages": [turn, {"role": "assistant", "content": ""}], "user_id": "a"}, "messages.1.content"),
    ):
        response = mem0.post("memories", body)
        assert (response.status_code, list(response.json()["fields"])) == (422, [field])
    kept = keep(mem0, "Likes tea.", user_id="alice")
    assert mem0.put(f"memories/{kept['id']}", {}).status_code == 422
    assert mem0.get("memories/none").json()["code"] == "not_found"
    foreign = Mem0(stranger)
    for response in (
        foreign.get(f"memories/{kept['id']}"),
        foreign.put(f"memories/{kept['id']}", {"text": "x"}),
        foreign.delete(f"memories/{kept['id']}"),
        foreign.get(f"memories/{kept['id']}/history"),
    ):
        assert response.status_code == 404
    assert texts(foreign.get("memories?user_id=alice")) == []
    for path in ("memories", "nowhere"):
        response = client.get(f"/compat/mem0/{path}")
        assert response.headers["Content-Type"] == "application/json"
        assert response.status_code in (401, 404)
