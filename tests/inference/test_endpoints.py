"""Which model a space asks, and with whose key."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pytest_django import Settings

from inference.client import chat_model
from inference.endpoints import Prices, chat_endpoint
from inference.models import ModelPolicy
from tests.inference.asking import BLUE, ask
from tests.inference.wire import Wire, answer_json, serve
from topics.models import Space


def test_without_a_model_there_is_none(space: Space, settings: Settings) -> None:
    settings.INFINI_MODEL = ""
    assert chat_model(space) is None


def test_the_settings_hold_where_a_space_says_nothing(space: Space, wire: Wire) -> None:
    wire.always(answer_json(BLUE))
    model = chat_model(space)
    assert model
    ask(model)
    request = wire.requests[0]
    assert request.path == "/v1/chat/completions"
    assert request.json["model"] == "wire-model"
    assert request.headers["authorization"] == "Bearer wire-key"


def test_a_space_may_name_another_model_or_do_without(space: Space, wire: Wire) -> None:
    policy = ModelPolicy.objects.create(space=space, model="larger")
    found = chat_model(space)
    assert found
    assert found.name == "larger"
    policy.use_model = False
    policy.save()
    assert chat_model(space) is None


@pytest.mark.parametrize(("own_key", "sent"), [("own-key", "Bearer own-key"), ("", None)])
def test_the_key_of_the_installation_is_not_sent_to_another_address(
    space: Space, wire: Wire, own_key: str, sent: str | None
) -> None:
    with serve() as other:
        other.always(answer_json(BLUE))
        ModelPolicy.objects.create(space=space, base_url=other.url + "/", api_key=own_key)
        model = chat_model(space)
        assert model
        assert ask(model) == BLUE
        assert other.requests[0].headers.get("authorization") == sent
        assert "wire-key" not in str(other.requests[0].headers)
    assert wire.requests == []


def test_a_price_of_the_space_goes_before_the_list(space: Space, wire: Wire, settings: Settings) -> None:
    settings.INFINI_MODEL_PRICES = {"wire-model": (Decimal(1), Decimal(2))}
    endpoint = chat_endpoint(space)
    assert endpoint
    assert endpoint.prices == Prices(Decimal(1), Decimal(2))
    ModelPolicy.objects.create(space=space, prompt_price=Decimal(0), completion_price=Decimal(5))
    endpoint = chat_endpoint(space)
    assert endpoint
    assert endpoint.prices == Prices(Decimal(0), Decimal(5))


def test_the_key_is_not_in_the_words_for_an_endpoint(space: Space, wire: Wire) -> None:
    assert "wire-key" not in repr(chat_endpoint(space))
