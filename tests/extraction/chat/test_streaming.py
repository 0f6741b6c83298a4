"""A streamed reply: what comes when, signs of life, breaks in the middle, a reader who goes away."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from typing import Any

import pytest
from django.db import connection
from django.test import override_settings
from django.utils import translation
from pytest_django import Settings

from extraction.api.events import Pump
from extraction.models import Job
from inference.models import ModelCall
from tests.contract.helpers import Api
from tests.extraction.chat.helpers import BUDGET, QUESTION, REPLY, chat, events_of, names, remember, run_jobs
from tests.inference.wire import Reply, Wire, answer, event, fault
from tests.inference.wire import stream as streamed
from topics.models import Message, Space

BROKEN = [
    (streamed("The budget", " is", cut_after=1), 503, "model_unavailable"),
    (streamed("The budget", finish_reason="content_filter"), 502, "model_refused"),
    (
        Reply(
            pieces=[event({"choices": [{"delta": {"content": "a"}}]}), b"data: {oops\n\n"],
            content_type="text/event-stream",
        ),
        502,
        "model_unreadable",
    ),
]


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def no_pump_runs() -> bool:
    return not [thread for thread in threading.enumerate() if thread.name == "pump"]


def test_the_events_are_the_memory_the_pieces_and_the_answer(api: Api, space: Space, wire: Wire) -> None:
    remember(space)
    wire.always(streamed("The budget is", " 40,000 euros", " [1]."))
    response = chat(api, stream=True)
    found = events_of(response)
    assert response.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert response.headers["X-Accel-Buffering"] == "no"
    assert response.headers["Cache-Control"] == "private, no-cache"
    assert "Content-Length" not in response.headers
    assert names(found) == ["memory", "delta", "delta", "delta", "done"]
    assert BUDGET in found[0].data["context"]
    assert "".join(e.data["text"] for e in found[1:-1]) == REPLY == found[-1].data["reply"]
    done = found[-1].data
    assert "memory" not in done
    assert [citation["marker"] for citation in done["citations"]] == ["1"]
    assert done["usage"]["total_tokens"] == 18
    assert [m["id"] for m in api.get("conversations/c1/messages").json()["results"]] == list(done["messages"].values())
    run_jobs(space)
    assert Job.objects.get(pk=done["job"]).status == "done"


def test_the_answer_is_the_same_as_without_a_stream(api: Api, space: Space, wire: Wire) -> None:
    remember(space)
    wire.script(answer(REPLY), streamed(REPLY))
    whole = chat(api).json()
    done = events_of(chat(api, conversation="c2", stream=True))[-1].data
    assert set(done) == set(whole) - {"memory"}
    for name in ("reply", "citations", "unknown_markers", "cut_off", "usage", "model"):
        assert done[name] == whole[name]


def test_while_the_model_is_silent_there_are_signs_of_life(api: Api, wire: Wire, settings: Settings) -> None:
    settings.INFINI_HEARTBEAT_SECONDS = 0.1
    wire.always(Reply(pieces=[0.5, *streamed("Noted", ".", pause=0.35).pieces], content_type="text/event-stream"))
    found = names(events_of(chat(api, stream=True)))
    assert found[:2] == ["memory", ":"]
    assert found[-1] == "done"
    assert ":" in found[found.index("delta") + 1 :]


def test_a_model_that_fails_after_a_long_silence_ends_the_stream_with_an_error(
    api: Api, wire: Wire, settings: Settings
) -> None:
    settings.INFINI_HEARTBEAT_SECONDS = 0.1
    settings.INFINI_MODEL_TIMEOUT = 0.5
    wire.always(Reply(pieces=[2.0, *streamed("Noted.").pieces], content_type="text/event-stream"))
    found = events_of(chat(api, stream=True))
    assert (found[0].name, found[-1].name) == ("memory", "error")
    assert (found[-1].data["status"], found[-1].data["code"]) == (503, "model_unavailable")
    assert found[-1].data["retry_after"] >= 1


@pytest.mark.parametrize(("step", "status", "code"), BROKEN, ids=["disconnect", "filter", "no JSON"])
def test_a_reply_that_breaks_off_is_an_error_and_is_not_filed(
    api: Api, space: Space, wire: Wire, step: Reply, status: int, code: str
) -> None:
    wire.always(step)
    response = chat(api, BUDGET, stream=True, key="k1")
    found = events_of(response)
    assert names(found) == ["memory", "delta", "error"]
    problem = found[-1].data
    assert (response.status_code, problem["status"], problem["code"]) == (200, status, code)
    assert problem["request_id"] == response.headers["X-Request-ID"]
    assert [(m.role, m.external_id) for m in Message.objects.all()] == [("user", problem["message"])]
    assert ModelCall.objects.get().answer
    run_jobs(space)
    assert space.facts.get().text == BUDGET


def test_after_a_break_the_same_request_is_answered_and_nothing_is_stored_twice(
    api: Api, space: Space, wire: Wire
) -> None:
    wire.script(streamed("The budget", " is", cut_after=1))
    wire.always(streamed("Noted."))
    assert names(events_of(chat(api, BUDGET, stream=True, key="k1")))[-1] == "error"
    assert names(events_of(chat(api, BUDGET, stream=True, key="k1"))) == ["memory", "delta", "done"]
    assert [m.content for m in Message.objects.order_by("position")] == [BUDGET, "Noted."]
    run_jobs(space)
    assert space.facts.count() == 1


@pytest.mark.parametrize("key", ["", "k1"], ids=["no key", "key"])
def test_a_reader_who_goes_away_ends_the_call_and_nothing_of_it_is_filed(
    api: Api, space: Space, wire: Wire, key: str
) -> None:
    wire.always(streamed(*["word "] * 200, pause=0.05))
    response = chat(api, BUDGET, stream=True, key=key)
    pieces = iter(response)
    next(pieces)
    next(pieces)
    response.close()
    wait_until(no_pump_runs)
    call = ModelCall.objects.get()
    assert call.outcome == "cut_off"
    assert 0 < call.answer.count("word") < 100
    assert [m.content for m in Message.objects.all()] == [BUDGET]
    run_jobs(space)
    assert space.facts.count() == 1
    wire.always(streamed("Noted."))
    if key:
        assert names(events_of(chat(api, BUDGET, stream=True, key=key)))[-1] == "done"
        assert Message.objects.count() == 2


def test_a_reader_who_never_begins_ends_the_call_too(api: Api, wire: Wire) -> None:
    wire.always(streamed(*["word "] * 200, pause=0.05))
    chat(api, stream=True).close()
    wait_until(no_pump_runs)
    assert ModelCall.objects.get().outcome == "cut_off"


def test_no_database_connection_is_held_while_it_streams(api: Api, wire: Wire) -> None:
    wire.always(streamed("Noted", ".", pause=0.05))
    pieces = iter(chat(api, stream=True))
    next(pieces)
    next(pieces)
    assert connection.connection is None
    assert b"event: done" in b"".join(pieces)


def test_a_stream_at_its_limit_says_so(api: Api, wire: Wire) -> None:
    wire.always(streamed("The budget", finish_reason="length"))
    assert events_of(chat(api, stream=True))[-1].data["cut_off"]


def test_an_endpoint_that_does_not_stream_is_passed_on_in_one_piece(api: Api, wire: Wire) -> None:
    wire.always(answer("Noted."))
    assert names(events_of(chat(api, stream=True))) == ["memory", "delta", "done"]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_errors_in_the_stream_are_in_the_callers_language(api: Api, wire: Wire, language: str) -> None:
    wire.always(streamed("The budget", " is", cut_after=1))
    body: dict[str, Any] = {"conversation": "c1", "message": QUESTION, "stream": True}
    problem = events_of(api.post("agent/chat", body, Accept_Language=language))[-1].data
    with translation.override(language):
        words = translation.gettext("The model at {host} broke its answer off.")
    assert problem["detail"] == words.format(host=wire.host)


def test_the_thread_that_draws_knows_the_language() -> None:
    def languages() -> Generator[str | None, None, None]:
        yield translation.get_language()

    with translation.override("zh-hans"):
        assert Pump(languages()).get(5) == "zh-hans"


def test_no_thread_is_left(api: Api, wire: Wire) -> None:
    before = threading.active_count()
    steps = [streamed("Noted."), streamed("a", "b", cut_after=1), fault(401)]
    for step in steps * 5:
        wire.script(step)
        b"".join(chat(api, stream=True))
    wait_until(no_pump_runs)
    assert threading.active_count() <= before + 1  # the wire server's own


def test_without_a_model_the_status_says_so(api: Api) -> None:
    with override_settings(INFINI_MODEL=""):
        response = chat(api, stream=True)
    assert (response.status_code, response.json()["code"]) == (503, "no_model")
