"""The budget of a space and a day, in the space's time zone, however many workers ask at once."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.db import connection
from pytest_django import Settings

from inference.client import ChatModel, chat_model
from inference.errors import BudgetSpent, InferenceError
from inference.ledger import usage_today
from inference.models import ModelCall, ModelPolicy, ModelUsage
from tests.inference.asking import BLUE, ask
from tests.inference.wire import Reply, Wire, answer_json
from topics.models import Space
from topics.services.spaces import create_space

SHANGHAI = ZoneInfo("Asia/Shanghai")
GOOD = answer_json(BLUE, usage={"prompt_tokens": 60, "completion_tokens": 40})


@pytest.fixture(autouse=True)
def _every_call_uses_100_tokens(wire: Wire) -> None:
    wire.always(GOOD)


def budget(space: Space, **limits: int) -> ChatModel:
    ModelPolicy.objects.create(space=space, **limits)
    model = chat_model(space)
    assert model is not None
    return model


def test_calls_are_limited(space: Space, wire: Wire) -> None:
    model = budget(space, daily_calls=2)
    ask(model)
    ask(model)
    with pytest.raises(BudgetSpent):
        ask(model)
    assert len(wire.requests) == ModelCall.objects.count() == 2


def test_tokens_are_limited_by_what_was_really_used(space: Space, wire: Wire) -> None:
    model = budget(space, daily_tokens=250)
    for _count in range(3):  # 100 and 200 are below the limit; the third call may exceed it
        ask(model)
    with pytest.raises(BudgetSpent):
        ask(model)
    assert usage_today(space).tokens == 300


def test_the_error_tells_when_it_goes_on_and_then_it_does(space: Space) -> None:
    model = budget(space, daily_calls=1)
    with time_machine.travel(datetime(2024, 5, 8, 23, 30, tzinfo=SHANGHAI), tick=False) as clock:
        ask(model)
        with pytest.raises(BudgetSpent) as caught:
            ask(model)
        assert caught.value.retry
        assert caught.value.retry_after == 1800
        clock.shift(timedelta(seconds=1800))
        assert ask(model) == BLUE
    assert [str(day) for day in ModelUsage.objects.order_by("day").values_list("day", flat=True)] == [
        "2024-05-08",
        "2024-05-09",
    ]


def test_a_day_of_25_hours_ends_when_the_clock_says_so(db: None) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    model = budget(create_space(slug="berlin", time_zone="Europe/Berlin"), daily_calls=0)
    with time_machine.travel(datetime(2024, 10, 27, 0, 0, tzinfo=berlin), tick=False):
        with pytest.raises(BudgetSpent) as caught:
            ask(model)
        assert caught.value.retry_after == 25 * 3600


def test_one_space_does_not_use_up_the_budget_of_another(space: Space, settings: Settings) -> None:
    settings.INFINI_MODEL_DAILY_CALLS = 1
    other = chat_model(create_space(slug="other"))
    model = chat_model(space)
    assert model
    assert other
    ask(model)
    assert ask(other) == BLUE


def test_a_space_can_lower_the_budget_of_the_installation_but_not_raise_it(space: Space, settings: Settings) -> None:
    settings.INFINI_MODEL_DAILY_CALLS = 2
    model = budget(space, daily_calls=50)
    ask(model)
    ask(model)
    with pytest.raises(BudgetSpent):
        ask(model)


def test_with_an_account_of_its_own_it_can(space: Space, settings: Settings) -> None:
    settings.INFINI_MODEL_DAILY_CALLS = 1
    ModelPolicy.objects.create(space=space, api_key="own", daily_calls=50)
    model = chat_model(space)
    assert model
    ask(model)
    assert ask(model) == BLUE


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("limits", [{"daily_calls": 3}, {"daily_tokens": 2500}])
def test_workers_that_ask_at_once_do_not_overspend(space: Space, wire: Wire, limits: dict[str, int]) -> None:
    """A call reserves some 2,000 tokens while it runs, so that only two fit into 2,500 at a time."""
    wire.always(Reply(pieces=[0.5, *GOOD.pieces]))
    budget(space, **limits)
    ends: list[object] = []

    def work() -> None:
        try:
            model = chat_model(space)
            assert model
            ends.append(ask(model))
        except InferenceError as error:
            ends.append(type(error))
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _count in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answered = 3 if "daily_calls" in limits else 2
    assert (ends.count(BLUE), ends.count(BudgetSpent)) == (answered, 8 - answered)
    assert len(wire.requests) == answered
    assert usage_today(space).tokens == 100 * answered
