"""An endpoint that keeps failing is left alone by all, and is tried again without anybody's doing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from inference import breaker
from inference.client import ChatModel, chat_model
from inference.endpoints import chat_endpoint
from inference.errors import InferenceError, RateLimited, Unavailable
from inference.models import Breaker, ModelCall
from tests.inference.asking import BLUE, ask
from tests.inference.wire import Wire, answer, answer_json, fault
from topics.models import Space
from topics.services.spaces import create_space

NOW = datetime(2024, 5, 8, 12, tzinfo=UTC)


def fail(model: ChatModel, times: int) -> None:
    for _count in range(times):
        with pytest.raises(InferenceError):
            ask(model)


def test_after_some_failures_in_a_row_nobody_calls(model: ChatModel, wire: Wire) -> None:
    wire.always(fault(503))
    fail(model, 2)  # three calls each
    calls = len(wire.requests)
    assert calls == breaker.FAILURES
    wire.always(answer_json(BLUE))
    other = chat_model(create_space(slug="other"))
    assert other
    with pytest.raises(Unavailable) as caught:
        ask(other)
    assert caught.value.retry
    assert caught.value.retry_after is not None
    assert 0 < caught.value.retry_after <= breaker.FIRST_PAUSE
    assert len(wire.requests) == ModelCall.objects.count() == calls


def test_it_resumes_by_itself(model: ChatModel, wire: Wire) -> None:
    with time_machine.travel(NOW) as clock:
        wire.always(fault(503))
        fail(model, 2)
        wire.always(answer_json(BLUE))
        clock.shift(timedelta(seconds=breaker.FIRST_PAUSE + 1))
        assert ask(model) == BLUE
        assert ask(model) == BLUE
    assert Breaker.objects.get().failures == 0


def test_a_probe_that_fails_makes_the_pause_longer(model: ChatModel, wire: Wire) -> None:
    with time_machine.travel(NOW) as clock:
        wire.always(fault(503))
        fail(model, 2)
        clock.shift(timedelta(seconds=breaker.FIRST_PAUSE + 1))
        calls = len(wire.requests)
        fail(model, 1)
        assert len(wire.requests) == calls + 1
        clock.shift(timedelta(seconds=breaker.FIRST_PAUSE + 1))
        fail(model, 1)
        assert len(wire.requests) == calls + 1
        for _count in range(20):
            clock.shift(timedelta(seconds=breaker.LONGEST_PAUSE + 1))
            fail(model, 1)
        assert len(wire.requests) == calls + 21


def test_while_a_probe_runs_the_others_wait(model: ChatModel, wire: Wire, space: Space) -> None:
    endpoint = chat_endpoint(space)
    assert endpoint
    Breaker.objects.create(endpoint=endpoint.base_url, failures=9, open_until=NOW)
    wire.always(answer_json(BLUE))
    breaker.enter(endpoint)
    with pytest.raises(Unavailable):
        ask(model)
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=1)):  # the probe's worker has died
        assert ask(model) == BLUE


def test_a_success_in_between_starts_the_count_anew(model: ChatModel, wire: Wire) -> None:
    for _count in range(4):
        wire.script(fault(503), fault(503), answer_json(BLUE))
        assert ask(model) == BLUE


@pytest.mark.parametrize("step", [fault(429), fault(400), fault(401), answer(None), answer(None, refusal="no")])
def test_an_endpoint_that_answers_is_not_out_of_order(model: ChatModel, wire: Wire, step: object) -> None:
    wire.always(step)  # type: ignore[arg-type]
    fail(model, 3)
    wire.always(answer_json(BLUE))
    assert ask(model) == BLUE


def test_a_long_pause_that_is_asked_for_is_handed_on(model: ChatModel, wire: Wire) -> None:
    wire.always(fault(429, headers={"Retry-After": "120"}))
    with pytest.raises(RateLimited) as caught:
        ask(model)
    assert caught.value.retry_after == 120
    assert len(wire.requests) == 1
