"""What the client does when the server is slow, full, gone or not ours."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from infini_client import (
    AccessDenied,
    ApiError,
    AsyncClient,
    Client,
    ConnectionFailed,
    Message,
    NotFound,
    RateLimited,
    Retries,
    ServerFailed,
)
from infini_client.requests import connection

from tests.clients.conftest import EAGER, Scripted, Step

Script = Callable[..., Scripted]
ACCEPTED = Step(202, {"job": None, "accepted": 1, "duplicates": 0})
SAID = [Message("Hello.", id="1")]


def client(server: Scripted, retries: Retries = EAGER) -> Client:
    return Client(server.url, "im_test", retries=retries, timeout=2)


@pytest.mark.parametrize("fault", [Step(429), Step(502), Step(503), Step(504), Step(cut=True)])
def test_a_failed_write_is_repeated_as_the_same_request(scripted: Script, fault: Step) -> None:
    server = scripted(fault, fault, ACCEPTED)
    assert client(server).store("c", SAID)[0].accepted == 1
    keys = {headers["Idempotency-Key"] for _, _, headers, _ in server.requests}
    assert len(server.requests) == 3
    assert len(keys) == 1


def test_a_request_that_is_still_at_work_is_asked_again(scripted: Script) -> None:
    server = scripted(Step(409, {"code": "in_flight"}), ACCEPTED)
    assert client(server).store("c", SAID)[0].accepted == 1


@pytest.mark.parametrize(("status", "code", "kind"), [
    (404, "not_found", NotFound), (401, "unauthenticated", AccessDenied), (503, "no_model", ServerFailed),
    (500, "error", ServerFailed), (502, "model_refused", ServerFailed), (502, "model_cut_off", ServerFailed),
])  # fmt: skip
def test_what_will_not_pass_is_raised_at_once(scripted: Script, status: int, code: str, kind: type[ApiError]) -> None:
    server = scripted(Step(status, {"detail": "Not so.", "code": code, "request_id": "r-1", "fields": {"a": ["b"]}}))
    with pytest.raises(kind, match="Not so") as raised:
        client(server).job("1")
    assert (raised.value.status, raised.value.code, raised.value.request_id) == (status, code, "r-1")
    assert raised.value.fields == {"a": ["b"]}
    assert str(raised.value).splitlines() == [f"Not so. [{status} {code}]", "a: b"]
    assert len(server.requests) == 1


def test_it_gives_up_after_the_last_try(scripted: Script) -> None:
    server = scripted(Step(429, {"code": "throttled"}))
    with pytest.raises(RateLimited):
        client(server).job("1")
    assert len(server.requests) == EAGER.attempts


@pytest.mark.parametrize("as_date", [False, True])
def test_it_waits_as_long_as_the_server_says(scripted: Script, as_date: bool) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True) if as_date else "0.5"
    server = scripted(Step(429, headers={"Retry-After": later}), ACCEPTED)
    begun = time.monotonic()
    client(server).store("c", SAID)
    assert time.monotonic() - begun >= 0.5


def test_it_does_not_wait_for_hours(scripted: Script) -> None:
    server = scripted(Step(503, {"code": "budget_spent"}, headers={"Retry-After": "7200"}))
    with pytest.raises(ServerFailed):
        client(server).job("1")
    assert len(server.requests) == 1


def test_a_change_is_not_sent_twice_when_the_answer_is_lost(scripted: Script) -> None:
    topic = {"id": "1", "name": "A", "kind": "other", "status": "active"}
    server = scripted(Step(200, topic, headers={"ETag": '"1"'}), Step(cut=True))
    memory = client(server)
    with pytest.raises(ConnectionFailed):
        memory.change_topic(memory.topic("1"), name="B")
    assert [method for method, *_ in server.requests] == ["GET", "PATCH"]


def test_a_server_that_is_not_there(scripted: Script) -> None:
    server = scripted(ACCEPTED)
    server.close()
    with pytest.raises(ConnectionFailed):
        client(server).job("1")


def test_a_page_of_a_proxy_is_an_error_and_not_a_crash(scripted: Script) -> None:
    with pytest.raises(ServerFailed, match="502"):
        client(scripted(Step(502, b"<html>Bad gateway</html>")), Retries(attempts=1)).job("1")
    with pytest.raises(ApiError, match="200"):
        client(scripted(Step(200, b"<html>Sign in</html>"))).job("1")


def test_the_asynchronous_client_repeats_as_well(scripted: Script) -> None:
    server = scripted(Step(503), Step(cut=True), ACCEPTED)

    async def store() -> int:
        async with AsyncClient(server.url, "im_test", retries=EAGER) as memory:
            return (await memory.store("c", SAID))[0].accepted

    assert asyncio.run(store()) == 1
    assert len({headers["Idempotency-Key"] for _, _, headers, _ in server.requests}) == 1


def test_text_is_sent_as_it_is(scripted: Script) -> None:
    server = scripted(ACCEPTED)
    client(server).store("c", [Message('预算 \u202e "x" 👩‍👩‍👧', id="1")])
    sent = json.loads(server.requests[0][3])
    assert sent["messages"][0]["content"] == '预算 \u202e "x" 👩‍👩‍👧'


def test_settings_come_from_the_environment(scripted: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    server = scripted(ACCEPTED)
    monkeypatch.setenv("INFINI_URL", server.url + "/")
    monkeypatch.setenv("INFINI_API_KEY", "im_env")
    with Client() as memory:
        memory.store("c", SAID)
    _, path, headers, _ = server.requests[0]
    assert (path, headers["Authorization"]) == ("/api/v1/conversations/c/messages", "Bearer im_env")
    monkeypatch.delenv("INFINI_API_KEY")
    with pytest.raises(ValueError, match="INFINI_API_KEY"):
        Client()


@pytest.mark.parametrize("key", ["im_secret\n", "  im_secret\r\n"])
def test_white_space_around_a_key_is_no_part_of_it(key: str) -> None:
    assert connection("http://memory.example \n", key) == connection("http://memory.example/", "im_secret")


@pytest.mark.parametrize("key", ["im_secret im_other", "im_secret\nim_other", "im_sécret"])
def test_what_cannot_be_a_key_is_refused_and_never_shown(key: str) -> None:
    with pytest.raises(ValueError, match="no key") as refused:
        Client("http://memory.example", key)
    assert "secret" not in str(refused.value)
    assert "sécret" not in str(refused.value)


def test_an_address_without_a_scheme_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="http://"):
        Client("memory.example:8000", "im_secret")
