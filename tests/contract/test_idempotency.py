"""Idempotency-Key: a POST sent twice is carried out once."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from tests.contract.helpers import Api, World, make_api
from tests.contract.routes import operations
from topics.models import IdempotencyRecord, Message, Space, Topic
from topics.services.spaces import create_space

TURNS = {"messages": [{"role": "user", "content": "Our budget is 40,000 euros."}]}


def test_the_same_request_gets_the_same_answer(api: Api) -> None:
    first = api.post("conversations/c1/messages", TURNS, Idempotency_Key="k1")
    again = api.post("conversations/c1/messages", TURNS, Idempotency_Key="k1")
    assert "Idempotent-Replay" not in first.headers
    assert again.headers["Idempotent-Replay"] == "true"
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert Message.objects.count() == 1


def test_the_etag_is_repeated_too(api: Api) -> None:
    first, again = (api.post("topics", {"name": "Apollo"}, Idempotency_Key="k1") for _ in range(2))
    assert again.status_code == 201
    assert again.headers["ETag"] == first.headers["ETag"]
    assert Topic.objects.count() == 1


def test_a_refusal_is_repeated_too(api: Api) -> None:
    bad = {"messages": [{"role": "narrator", "content": "x"}]}
    first, again = (api.post("conversations/c1/messages", bad, Idempotency_Key="k1") for _ in range(2))
    assert first.status_code == again.status_code == 422
    assert again.headers["Idempotent-Replay"] == "true"
    assert again.content == first.content


def test_every_post_knows_the_key(world: World) -> None:
    api = make_api(world.space)
    for operation in operations("POST"):
        with transaction.atomic():
            first, again = (api.post(operation.path(world.ids()), {}, Idempotency_Key="k") for _ in range(2))
            assert (str(operation), again.headers.get("Idempotent-Replay")) == (str(operation), "true")
            kept = first.json() | dict.fromkeys(operation.view.secrets) if first.status_code < 300 else first.json()
            assert (again.status_code, again.json()) == (first.status_code, kept)
            transaction.set_rollback(True)


def test_without_a_key_it_is_carried_out_twice(api: Api) -> None:
    for _ in range(2):
        api.post("conversations/c1/messages", TURNS)
    assert Message.objects.count() == 2


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("conversations/c1/messages", {"messages": [{"role": "user", "content": "x"}]}),
        ("conversations/c2/messages", TURNS),
    ],
    ids=["another body", "another address"],
)
def test_a_key_of_another_request_is_refused(route: str, body: Any, api: Api) -> None:
    api.post("conversations/c1/messages", TURNS, Idempotency_Key="k1")
    response = api.post(route, body, Idempotency_Key="k1")
    assert (response.status_code, response.json()["code"]) == (422, "idempotency_mismatch")
    assert Message.objects.count() == 1


def test_two_callers_may_use_the_same_key(api: Api, stranger: Api) -> None:
    for caller in (api, stranger):
        response = caller.post("conversations/c1/messages", TURNS, Idempotency_Key="k1")
        assert "Idempotent-Replay" not in response.headers
    assert Message.objects.count() == 2


@pytest.mark.parametrize("key", ["", "a b", "é", "x" * 201])
def test_a_key_that_is_none_is_refused(key: str, api: Api) -> None:
    response = api.post("topics", {"name": "Apollo"}, Idempotency_Key=key)
    assert response.status_code == 422
    assert list(response.json()["fields"]) == ["Idempotency-Key"]
    assert not Topic.objects.exists()


def reserved(api: Api, age: timedelta) -> None:
    """Leave the record as a request that died at work leaves it."""
    api.post("conversations/c1/messages", TURNS, Idempotency_Key="k1")
    Message.objects.all().delete()
    IdempotencyRecord.objects.update(status=None, body="", reserved_at=timezone.now() - age)


def test_while_the_first_is_at_work_the_second_is_told_so(api: Api) -> None:
    reserved(api, timedelta(seconds=10))
    response = api.post("conversations/c1/messages", TURNS, Idempotency_Key="k1")
    assert (response.status_code, response.json()["code"]) == (409, "in_flight")
    assert not Message.objects.exists()


def test_what_died_at_work_is_taken_over(api: Api) -> None:
    reserved(api, timedelta(minutes=6))
    response = api.post("conversations/c1/messages", TURNS, Idempotency_Key="k1")
    assert response.status_code == 202
    assert "Idempotent-Replay" not in response.headers
    assert Message.objects.count() == 1


def test_after_a_day_the_key_is_free_again(api: Api) -> None:
    api.post("conversations/c1/messages", TURNS, Idempotency_Key="k1")
    IdempotencyRecord.objects.update(reserved_at=timezone.now() - timedelta(hours=25))
    api.post("conversations/c1/messages", TURNS, Idempotency_Key="other")
    assert list(IdempotencyRecord.objects.values_list("key", flat=True)) == ["other"]
    response = api.post("conversations/c1/messages", {"messages": [*TURNS["messages"] * 2]}, Idempotency_Key="k1")
    assert response.status_code == 202


def test_a_fault_of_ours_is_not_kept(api: Api, space: Space) -> None:
    with connection.execute_wrapper(_fail_on("topics_message")):
        response = api.post("conversations/c1/messages", TURNS, Idempotency_Key="k1")
    assert (response.status_code, response.json()["code"]) == (500, "server_error")
    assert not IdempotencyRecord.objects.exists()
    assert api.post("conversations/c1/messages", TURNS, Idempotency_Key="k1").status_code == 202


def _fail_on(table: str) -> Any:
    """The database goes wrong as soon as this table is written."""

    def wrapper(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("INSERT") and f'"{table}"' in sql:
            raise RuntimeError("the disk is full")
        return execute(sql, params, many, context)

    return wrapper


@pytest.mark.django_db(transaction=True)
def test_two_at_once_are_carried_out_once() -> None:
    space = create_space(slug="acme")
    caller, answers = make_api(space), []

    def send() -> None:
        one = Api()
        one.headers = caller.headers
        answers.append(one.post("conversations/c1/messages", TURNS, Idempotency_Key="k1"))
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    codes = [answer.status_code for answer in answers]
    assert 202 in codes
    assert set(codes) <= {202, 409}
    assert {a.json()["code"] for a in answers if a.status_code == 409} <= {"in_flight"}
    assert Message.objects.count() == 1
