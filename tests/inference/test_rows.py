"""Every HTTP call is a row, whatever becomes of it and of its caller."""

from __future__ import annotations

import uuid
from decimal import Decimal

import pytest
from django.db import transaction
from pytest_django import Settings

from inference.client import ChatMessage, ChatModel, JsonSchema, chat_model
from inference.errors import EndpointRejected, Unavailable
from inference.ledger import TEXT_LIMIT, usage_today
from inference.models import ModelCall, Purpose
from tests.inference.asking import BLUE, COLOURS, MESSAGES, ask, ask_text
from tests.inference.wire import Wire, answer, answer_json, as_json, completion, fault
from topics.models import Space


def test_a_call_tells_who_asked_what_and_what_came_of_it(space: Space, wire: Wire, settings: Settings) -> None:
    settings.INFINI_MODEL_PRICES = {"wire-model": (Decimal(3), Decimal(15))}
    wire.always(answer_json(BLUE, usage={"prompt_tokens": 1000, "completion_tokens": 200}))
    job = uuid.uuid4()
    model = chat_model(space, job=job, reference="call-7")
    assert model is not None
    assert model.name == "wire-model"
    found = model.answer_json(purpose=Purpose.FIND, messages=MESSAGES, schema=COLOURS)
    row = ModelCall.objects.get(pk=found.call)
    assert (row.space, row.job, row.reference, row.purpose) == (space, job, "call-7", "find")
    assert (row.endpoint, row.model, row.outcome) == (wire.host, "wire-model", "answered")
    assert (row.prompt_tokens, row.completion_tokens, row.cost) == (1000, 200, Decimal("0.006"))
    assert row.prompt == [{"role": m.role, "content": m.content} for m in MESSAGES]
    assert row.answer == '{"colours": [{"name": "blue"}]}'
    assert row.seconds is not None
    assert 0 < row.seconds < 5
    assert row.error == ""


def test_the_cost_is_unknown_without_a_price(model: ChatModel, wire: Wire) -> None:
    wire.always(answer_json(BLUE))
    ask(model)
    assert ModelCall.objects.get().cost is None


def test_tokens_are_counted_here_where_the_endpoint_does_not(model: ChatModel, wire: Wire) -> None:
    silent = completion("Blue as the sky.") | {"usage": None}
    odd = completion("Blue as the sky.", usage={"prompt_tokens": -1, "completion_tokens": 10**20})
    wire.script(as_json(silent), as_json(odd))
    for _count in range(2):
        found = model.answer_text(purpose=Purpose.CHAT, messages=MESSAGES)
        assert (found.prompt_tokens, found.completion_tokens) == (9, 5)


def test_a_call_that_fails_is_a_row_with_the_endpoints_words(model: ChatModel, wire: Wire) -> None:
    wire.always(fault(401, "Incorrect API key provided: wire-key. Ask an owner."))
    with pytest.raises(EndpointRejected) as caught:
        ask(model)
    row = ModelCall.objects.get(pk=caught.value.call)
    assert (row.outcome, row.prompt_tokens, row.cost) == ("rejected", None, None)
    assert "Incorrect API key provided: ***. Ask an owner." in row.error
    assert str(caught.value) in row.error
    assert "Ask an owner" not in str(caught.value)


def test_each_try_is_a_row(model: ChatModel, wire: Wire) -> None:
    wire.script(fault(503), answer(None), answer_json(BLUE))
    ask(model)
    assert list(ModelCall.objects.order_by("started_at").values_list("outcome", flat=True)) == [
        "unavailable",
        "unreadable",
        "answered",
    ]


def test_what_a_database_cannot_hold_is_sent_and_kept_all_the_same(model: ChatModel, wire: Wire) -> None:
    wire.always(answer("nul \0 and half \ud83d"))
    messages = [ChatMessage("user", "nul \0 and half \ud83d")]
    found = model.answer_text(purpose=Purpose.CHAT, messages=messages)
    assert found.text == "nul \0 and half \ud83d"
    row = ModelCall.objects.get()
    assert (row.answer, row.prompt[0]["content"]) == ("nul \ufffd and half ?", "nul \ufffd and half ?")
    assert wire.requests[0].json["messages"][0]["content"] == "nul \0 and half ?"


def test_of_a_very_long_answer_the_row_says_how_much_is_missing(model: ChatModel, wire: Wire) -> None:
    wire.always(answer("x" * (TEXT_LIMIT + 7)))
    assert len(ask_text(model)) == TEXT_LIMIT + 7
    assert ModelCall.objects.get().answer.endswith("x […+7]")


@pytest.mark.django_db(transaction=True)
def test_no_model_is_asked_inside_a_transaction(model: ChatModel, wire: Wire) -> None:
    wire.always(answer_json(BLUE))
    with transaction.atomic(), pytest.raises(RuntimeError, match="durable"):
        ask(model)
    assert wire.requests == []


def test_a_mistake_of_the_caller_leaves_no_call_running(model: ChatModel, wire: Wire) -> None:
    wire.always(answer_json([BLUE]))
    broken = JsonSchema("broken", {"type": "array", "items": {"type": "object", "required": 5}})
    with pytest.raises(TypeError):
        model.answer_json(purpose=Purpose.FIND, messages=MESSAGES, schema=broken)
    row = ModelCall.objects.get()
    assert (row.outcome, row.error) == ("lost", "TypeError")


def test_a_call_without_an_answer_uses_no_tokens_of_the_day(model: ChatModel, wire: Wire, space: Space) -> None:
    wire.always(fault(500))
    with pytest.raises(Unavailable):
        ask(model)
    used = usage_today(space)
    assert (used.calls, used.tokens) == (3, 0)
