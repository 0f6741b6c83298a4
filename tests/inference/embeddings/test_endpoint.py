"""An embedding model at an endpoint: what is sent, and what may come back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from django.db import transaction
from django.test import override_settings

from inference.embeddings import Embedder
from inference.errors import BudgetSpent, CutOff, EndpointRejected, Unavailable, Unreadable
from inference.models import ModelCall, Purpose
from tests.inference.embeddings.vectors import embedding_server, embeddings, vector
from tests.inference.wire import Reply, Request, Wire, as_json, fault
from topics.models import Space

pytestmark = pytest.mark.django_db(transaction=True)


def test_each_text_gets_the_vector_of_its_place_with_unit_length(embedder: Embedder, wire: Wire) -> None:
    wire.script(embeddings([[3.0, 4.0], [0.0, 2.0]]))
    rows = embedder.embed(["one", "two"])
    assert rows.dtype == np.float32
    assert np.allclose(rows, [[0.6, 0.8], [0.0, 1.0]])
    assert embedder.dimensions == 2


def test_the_request_names_the_model_and_asks_for_plain_numbers(embedder: Embedder, wire: Wire) -> None:
    wire.script(embeddings([[1.0]]))
    embedder.embed(["one"])
    request = wire.requests[0]
    assert request.path.endswith("/embeddings")
    assert request.json == {"model": "wire-vectors", "input": ["one"], "encoding_format": "float"}


def test_answers_out_of_order_are_put_in_order(embedder: Embedder, wire: Wire) -> None:
    data = [{"index": 1, "embedding": [0.0, 1.0]}, {"index": 0, "embedding": [1.0, 0.0]}]
    wire.script(as_json({"data": data}))
    assert embedder.embed(["one", "two"]).tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_answers_without_numbers_are_taken_in_their_order(embedder: Embedder, wire: Wire) -> None:
    wire.script(as_json({"data": [{"embedding": [1.0, 0.0]}, {"embedding": [0.0, 1.0]}]}))
    assert embedder.embed(["one", "two"]).tolist() == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    "reply",
    [
        embeddings([[1.0, 0.0]]),
        embeddings([[1.0], [1.0], [1.0]]),
        embeddings([[1.0, 0.0], [1.0]]),
        embeddings([[0.0, 0.0], [1.0, 0.0]]),
        embeddings([[], []]),
        embeddings(["AACAPw==", "AACAPw=="]),
        embeddings([[1.0, None], [1.0, 0.0]]),
        embeddings([[[1.0]], [[1.0]]]),
        embeddings([[1e400, 1.0], [1.0, 0.0]]),
        embeddings([[1.0], [1.0]], index=0),
        embeddings([[1.0], [1.0]], index=[0]),
        as_json({"data": None}),
        as_json({"data": ["a", "b"]}),
        as_json([]),
        Reply(pieces=[b"<html>"], content_type="text/html"),
    ],
)
def test_what_is_no_vector_for_each_text_is_an_error(embedder: Embedder, wire: Wire, reply: Reply) -> None:
    wire.always(reply)
    with pytest.raises(Unreadable):
        embedder.embed(["one", "two"])


def test_many_texts_go_in_several_calls_and_keep_their_order(embedder: Embedder, wire: Wire) -> None:
    wire.always(embedding_server())
    texts = [f"word{n}" for n in range(150)]
    rows = embedder.embed(texts)
    assert [len(request.json["input"]) for request in wire.requests] == [64, 64, 22]
    wanted = np.array([vector(text) for text in texts])
    assert np.allclose(rows, wanted / np.linalg.norm(wanted, axis=1, keepdims=True))


def test_a_call_holds_no_more_tokens_than_an_endpoint_takes(embedder: Embedder, wire: Wire) -> None:
    wire.always(embedding_server())
    embedder.embed(["今天天气很好，我们去公园散步。" * 130] * 30)
    assert all(sum(map(len, request.json["input"])) < 32_000 for request in wire.requests)
    assert len(wire.requests) > 1


def test_a_long_text_is_read_to_its_end(embedder: Embedder, wire: Wire) -> None:
    wire.always(embedding_server())
    long = "apple " * 3000 + "zebra " * 3000
    sent_alone, both = embedder.embed(["apple"]), embedder.embed([long])
    assert "".join(piece for request in wire.requests[1:] for piece in request.json["input"]) == long
    assert 0.6 < float(sent_alone[0] @ both[0]) < 0.8


def test_texts_that_are_too_long_together_or_alone_are_sent_in_parts(embedder: Embedder, wire: Wire) -> None:
    serve = embedding_server()

    def narrow(request: Request) -> Reply:
        if sum(map(len, request.json["input"])) > 300:
            return fault(400, "This model's maximum context length is 300 tokens")
        return serve(request)

    wire.always(narrow)
    rows = embedder.embed(["apple " * 200, "pear", "plum"])
    assert float(rows[0] @ embedder.embed(["apple"])[0]) == pytest.approx(1.0, abs=1e-5)
    assert rows.shape == (3, 64)


def test_an_endpoint_for_which_everything_is_too_long_is_not_asked_for_ever(embedder: Embedder, wire: Wire) -> None:
    wire.always(fault(413))
    with pytest.raises(CutOff):
        embedder.embed(["a text of some length " * 20])


def test_lone_surrogates_are_sent_as_something_utf8_has(embedder: Embedder, wire: Wire) -> None:
    wire.always(embedding_server())
    embedder.embed(["broken \ud83d emoji"])
    assert wire.requests[0].json["input"] == ["broken ? emoji"]


def test_vectors_whose_length_changes_between_calls_are_refused(embedder: Embedder, wire: Wire) -> None:
    wire.script(embeddings([vector("x", 8)] * 64))
    wire.always(embedding_server(16))
    with pytest.raises(Unreadable, match="different lengths"):
        embedder.embed(["x"] * 70)


@pytest.mark.parametrize(
    ("reply", "error"),
    [(fault(503), Unavailable), (fault(401), EndpointRejected), (fault(404, "no such model"), EndpointRejected)],
)
def test_failures_are_those_of_any_call(embedder: Embedder, wire: Wire, reply: Reply, error: Any) -> None:
    wire.always(reply)
    with pytest.raises(error):
        embedder.embed(["one"])


def test_a_passing_failure_is_tried_again(embedder: Embedder, wire: Wire) -> None:
    wire.script(fault(503), embeddings([[1.0]]))
    assert embedder.embed(["one"]).tolist() == [[1.0]]


def test_each_call_is_a_row_with_its_tokens(space: Space, embedder: Embedder, wire: Wire) -> None:
    wire.script(embeddings([[1.0]], tokens=17))
    embedder.embed(["one"])
    call = ModelCall.objects.get()
    assert (call.purpose, call.model, call.outcome) == (Purpose.EMBED, "wire-vectors", ModelCall.Outcome.ANSWERED)
    assert (call.prompt_tokens, call.completion_tokens, call.reference) == (17, 0, "a test")
    assert call.prompt == ["one"]


def test_tokens_are_counted_here_where_the_endpoint_does_not(embedder: Embedder, wire: Wire) -> None:
    wire.script(embeddings([[1.0]], tokens=None))
    embedder.embed(["one two three"])
    assert ModelCall.objects.get().prompt_tokens == 3


def test_vectors_count_against_the_budget_of_the_day(space: Space, embedder: Embedder, wire: Wire) -> None:
    wire.always(embedding_server())
    with override_settings(INFINI_MODEL_DAILY_CALLS=1):
        from inference.embeddings import embedder_for

        limited = embedder_for(space)
        assert limited is not None
        limited.embed(["one"])
        with pytest.raises(BudgetSpent):
            limited.embed(["two"])


def test_nothing_is_embedded_inside_a_transaction(embedder: Embedder, wire: Wire) -> None:
    with transaction.atomic(), pytest.raises(RuntimeError):
        embedder.embed(["one"])
    assert wire.requests == []


def test_no_texts_need_no_call(embedder: Embedder, wire: Wire) -> None:
    assert embedder.embed([]).shape == (0,)
    assert wire.requests == []
