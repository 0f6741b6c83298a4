"""The after-chat hook: exactly once, nothing lost, and a job that says how it went."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection

from extraction.models import Job
from extraction.services.jobs import run_job
from tests.contract.helpers import Api, make_api
from topics.models import Conversation, Message, Space
from topics.services.spaces import create_space

BUDGET = {"id": "D1:3", "role": "user", "name": "Caroline", "content": "The budget for Project Apollo is 40,000 euros."}
CHAT = {"id": "D1:4", "role": "user", "name": "Caroline", "content": "Thanks, bye!"}


def finish(job: str) -> None:
    run_job(Job.objects.get(pk=job).pk, worker="tests")


def test_messages_are_stored_and_their_reading_is_queued(api: Api, space: Space) -> None:
    sent = {"messages": [{**BUDGET, "said_at": "2023-05-08T21:56:00+08:00"}, CHAT], "subject": "Project Apollo"}
    response = api.post("conversations/c1/messages", sent)
    assert response.status_code == 202
    answer = response.json()
    assert (answer["accepted"], answer["duplicates"]) == (2, 0)
    assert api.get(f"jobs/{answer['job']}").json() == {
        "id": answer["job"],
        "kind": "extract",
        "status": "queued",
        "waits_for": None,
        "attempts": 0,
        "error": None,
        "messages": {"waiting": 2, "extracted": 0, "nothing": 0, "failed": 0},
        "proposals": [],
        "report": None,
    }
    finish(answer["job"])
    job = api.get(f"jobs/{answer['job']}").json()
    assert (job["status"], job["attempts"], job["error"]) == ("done", 1, None)
    assert job["messages"] == {"waiting": 0, "extracted": 1, "nothing": 1, "failed": 0}
    shown = [api.get(f"proposals/{pk}").json() for pk in job["proposals"]]
    assert BUDGET["content"] in [proposal["text"] for proposal in shown]
    stored = api.get("conversations/c1/messages").json()["results"]
    assert [(m["id"], m["said_at"], m["outcome"]) for m in stored] == [
        ("D1:3", "2023-05-08T13:56:00Z", "extracted"),
        ("D1:4", stored[1]["said_at"], "nothing"),
    ]


def test_a_message_sent_again_is_a_duplicate(api: Api) -> None:
    first = api.post("conversations/c1/messages", {"messages": [BUDGET]}).json()
    again = api.post("conversations/c1/messages", {"messages": [BUDGET, CHAT]}).json()
    assert (again["accepted"], again["duplicates"]) == (1, 1)
    third = api.post("conversations/c1/messages", {"messages": [BUDGET]}).json()
    assert third == {"job": first["job"], "accepted": 0, "duplicates": 1}
    assert Message.objects.count() == 2


def test_an_id_sent_again_with_another_text_stores_nothing(api: Api) -> None:
    api.post("conversations/c1/messages", {"messages": [BUDGET]})
    response = api.post("conversations/c1/messages", {"messages": [CHAT, {**BUDGET, "content": "Other words"}]})
    assert response.status_code == 409
    assert response.json()["code"] == "message_conflict"
    assert response.json()["message"] == "D1:3"
    assert Message.objects.get().content == BUDGET["content"]


def test_a_conversation_id_may_hold_anything_printable(api: Api) -> None:
    for name in ("a/b", "会话 1", "x?y#z", "50%25"):
        quoted = "".join(f"%{byte:02X}" for byte in name.encode())
        assert api.post(f"conversations/{quoted}/messages", {"messages": [CHAT]}).status_code == 202
        assert api.get(f"conversations/{quoted}/messages").json()["count"] == 1
    listed = [conversation["id"] for conversation in api.get("conversations").json()["results"]]
    assert sorted(listed) == sorted(["a/b", "会话 1", "x?y#z", "50%25"])


def test_null_for_what_is_optional_counts_as_left_out(api: Api) -> None:
    sent = {"messages": [{"id": None, "role": "user", "name": None, "content": "Hi", "said_at": None}], "subject": None}
    assert api.post("conversations/c1/messages", sent).status_code == 202
    assert Message.objects.get().name == ""


@pytest.mark.parametrize("blank", ["", "  ", "\n\u3000\t"])
@pytest.mark.parametrize("path", ["conversations/c1/messages", "memory/extract"])
def test_a_message_without_words_is_refused_and_named(api: Api, path: str, blank: str) -> None:
    """It would be answered with 202, and then nothing would come of it."""
    sent = [BUDGET, {**CHAT, "content": blank}, {"role": "assistant", "content": blank}]
    response = api.post(path, {"messages": sent})
    assert (response.status_code, response.json()["code"]) == (422, "invalid")
    assert set(response.json()["fields"]) == {"messages.1.content", "messages.2.content"}
    assert not Message.objects.exists()


def test_white_space_around_words_is_kept(api: Api) -> None:
    words = "\n  The budget is 40,000 euros.\t\u3000\r\n"
    api.post("conversations/c1/messages", {"messages": [{**BUDGET, "content": words}]})
    assert api.get("conversations/c1/messages").json()["results"][0]["content"] == words


def test_a_failed_job_says_why_and_can_be_tried_again(api: Api) -> None:
    job = api.post("conversations/c1/messages", {"messages": [BUDGET]}).json()["job"]
    response = api.post(f"jobs/{job}/retry")
    assert (response.status_code, response.json()["code"]) == (409, "wrong_state")
    Job.objects.filter(pk=job).update(status=Job.Status.FAILED, error="The model did not answer.")
    assert api.get(f"jobs/{job}").json()["error"] == "The model did not answer."
    response = api.post(f"jobs/{job}/retry")
    assert response.status_code == 202
    assert (response.json()["status"], response.json()["error"]) == ("queued", None)
    finish(job)
    assert api.get(f"jobs/{job}").json()["messages"]["extracted"] == 1


@pytest.mark.parametrize("count", [1, 200])
def test_storing_takes_few_queries_whatever_the_number(
    count: int, api: Api, django_assert_max_num_queries: Any
) -> None:
    messages = [{**BUDGET, "id": f"D{n}", "content": f"{BUDGET['content']} {n}"} for n in range(count)]
    with django_assert_max_num_queries(34):
        assert api.post("conversations/c1/messages", {"messages": messages}, Idempotency_Key="a").status_code == 202


@pytest.mark.django_db(transaction=True)
def test_the_same_messages_twice_at_once_are_stored_once() -> None:
    space = create_space(slug="acme")
    callers, answers = [make_api(space) for _ in range(4)], []

    def send(caller: Api) -> None:
        answers.append(caller.post("conversations/c1/messages", {"messages": [BUDGET, CHAT]}))
        connection.close()

    threads = [threading.Thread(target=send, args=[caller]) for caller in callers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [202] * 4
    assert sorted(answer.json()["accepted"] for answer in answers) == [0, 0, 0, 2]
    assert Conversation.objects.get().message_count == Message.objects.count() == 2
