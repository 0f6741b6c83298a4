"""A model that fails: the caller is told how, the message is kept and read, and the same request can be sent again."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import override_settings
from django.utils import timezone
from pytest_django import Settings

from extraction.models import Job, MessageOutcome
from inference import calls
from inference.models import ModelCall, ModelPolicy
from tests.contract.helpers import Api
from tests.extraction.chat.helpers import BUDGET, chat, run_jobs
from tests.inference.wire import DISCONNECT, Reply, Wire, answer, fault, slowly
from topics.models import Message, Space

TOOL_CALL = [{"id": "1", "type": "function", "function": {"name": "delete_all", "arguments": "{}"}}]
FAULTS: dict[str, tuple[Any, int, str]] = {
    "429": (fault(429, headers={"Retry-After": "42"}), 503, "model_unavailable"),
    "503": (fault(503), 503, "model_unavailable"),
    "500": (fault(500), 503, "model_unavailable"),
    "disconnect": (Reply(pieces=[b'{"choices', DISCONNECT, b'": []}']), 503, "model_unavailable"),
    "slow": (slowly(answer("Noted."), pause=0.2), 503, "model_unavailable"),
    "empty": (answer(""), 502, "model_unreadable"),
    "null": (answer(None), 502, "model_unreadable"),
    "only thinking": (answer("<think>hm"), 502, "model_unreadable"),
    "refusal": (answer(None, refusal="No."), 502, "model_refused"),
    "filter": (answer("", finish_reason="content_filter"), 502, "model_refused"),
    "tool call": (answer(None, tool_calls=TOOL_CALL), 502, "model_unreadable"),
    "cut off at once": (answer("", finish_reason="length"), 502, "model_cut_off"),
    "too long for it": (fault(400, "maximum context length is 10 tokens"), 502, "model_cut_off"),
    "wrong key": (fault(401, "secret wire-key"), 502, "model_rejected"),
    "no such model": (fault(404, "model not found"), 502, "model_rejected"),
    "no API": (Reply(pieces=[b"<html>"], content_type="text/html"), 502, "model_unreadable"),
}


@pytest.fixture(autouse=True)
def impatient(settings: Settings) -> None:
    settings.INFINI_MODEL_TIMEOUT = 1.5


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("name", FAULTS)
def test_a_failure_is_told_and_the_message_is_kept(
    api: Api, space: Space, wire: Wire, name: str, streamed: bool
) -> None:
    step, status, code = FAULTS[name]
    wire.always(step)
    response = chat(api, BUDGET, stream=streamed)
    problem = response.json()
    assert (response.status_code, problem["code"]) == (status, code)
    assert response.headers["Content-Type"] == "application/json"
    assert "wire-key" not in response.content.decode()
    message = Message.objects.get()
    assert (message.role, message.content, message.external_id) == ("user", BUDGET, problem["message"])
    assert str(Job.objects.get().pk) == problem["job"]
    if status == 503:
        assert int(response.headers["Retry-After"]) >= 1
    run_jobs(space)
    assert MessageOutcome.objects.get().outcome == "extracted"


def test_the_endpoints_own_pause_is_passed_on(api: Api, wire: Wire) -> None:
    wire.always(fault(429, headers={"Retry-After": "42"}))
    assert chat(api).headers["Retry-After"] == "42"


def test_a_failure_that_passes_is_not_seen(api: Api, wire: Wire) -> None:
    wire.script(fault(503), answer(None))
    wire.always(answer("Noted."))
    assert chat(api).json()["reply"] == "Noted."


def test_without_a_model_nothing_is_stored(api: Api) -> None:
    with override_settings(INFINI_MODEL=""):
        response = chat(api)
    assert (response.status_code, response.json()["code"]) == (503, "no_model")
    assert "Retry-After" not in response.headers
    assert not Message.objects.exists()


def test_a_budget_that_is_spent_says_when_there_is_a_new_one(api: Api, space: Space, wire: Wire) -> None:
    ModelPolicy.objects.create(space=space, daily_calls=1)
    wire.always(answer("Noted."))
    assert chat(api).status_code == 200
    response = chat(api, BUDGET)
    assert (response.status_code, response.json()["code"]) == (503, "budget_spent")
    assert 0 < int(response.headers["Retry-After"]) <= 25 * 3600
    assert Message.objects.filter(content=BUDGET).exists()
    assert len(wire.requests) == 1


def test_the_same_request_is_answered_after_a_failure_and_stored_once(api: Api, space: Space, wire: Wire) -> None:
    wire.script(fault(401))
    wire.always(answer("Noted."))
    failed = chat(api, BUDGET, key="k1")
    again = chat(api, BUDGET, key="k1")
    assert (failed.status_code, again.status_code) == (502, 200)
    assert again.json()["messages"]["user"] == failed.json()["message"]
    assert [m.role for m in Message.objects.order_by("position")] == ["user", "assistant"]
    run_jobs(space)
    assert space.facts.count() == 1


def test_without_a_key_an_id_does_the_same(api: Api, wire: Wire) -> None:
    wire.script(fault(401))
    wire.always(answer("Noted."))
    assert [chat(api, BUDGET, id="m1").status_code for _ in range(2)] == [502, 200]
    assert Message.objects.count() == 2


def test_a_message_gets_one_reply(api: Api, wire: Wire) -> None:
    wire.always(answer("Noted."))
    first = chat(api, BUDGET, id="m1").json()
    response = chat(api, BUDGET, id="m1")
    assert (response.status_code, response.json()["code"]) == (409, "answered")
    assert response.json()["reply"] == first["messages"]["assistant"]
    assert chat(api, "Something else", id="m1").json()["code"] == "message_conflict"
    assert (Message.objects.count(), len(wire.requests)) == (2, 1)


def test_a_worker_that_dies_leaves_a_message_that_is_read(
    api: Api, space: Space, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(_seconds: float) -> None:
        raise SystemExit

    wire.always(fault(503))
    monkeypatch.setattr(calls.time, "sleep", die)
    with pytest.raises(SystemExit):
        chat(api, BUDGET)
    job = Job.objects.get()
    assert (job.status, job.gathering) == ("queued", True)
    assert (job.run_after - timezone.now()).total_seconds() < 121
    Job.objects.update(run_after=timezone.now())
    run_jobs(space)
    assert MessageOutcome.objects.get().outcome == "extracted"


@pytest.mark.parametrize(("language", "words"), [("en", "asks for a pause"), ("zh-hans", "")])
def test_errors_are_in_the_callers_language(api: Api, wire: Wire, language: str, words: str) -> None:
    wire.always(fault(429, headers={"Retry-After": "42"}))
    texts = set()
    for streamed in (False, True):
        body = {"conversation": "c1", "message": "x", "stream": streamed}
        texts.add(api.post("agent/chat", body, Accept_Language=language).json()["detail"])
    assert len(texts) == 1
    assert words in texts.pop()


def test_each_failed_call_has_its_row(api: Api, wire: Wire) -> None:
    wire.always(fault(503))
    assert chat(api).status_code == 503
    assert set(ModelCall.objects.values_list("outcome", flat=True)) == {"unavailable"}
