"""Text, whole and streamed: thinking is left out, tokens are told at the end, and a break is an error."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from inference.client import ChatModel, Usage
from inference.completion import ThinkingFilter, without_thinking
from inference.errors import CutOff, EndpointRejected, InferenceError, Refused, Unavailable, Unreadable
from inference.ledger import usage_today
from inference.models import ModelCall, Purpose
from tests.inference.asking import MESSAGES, ask_text, stream
from tests.inference.wire import Reply, Wire, answer, event, fault
from tests.inference.wire import stream as streamed
from topics.models import Space


def text_of(items: list[Any]) -> str:
    return "".join(item for item in items if isinstance(item, str))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Blue.", "Blue."),
        ("<think>The sky…</think>\n\nBlue.", "Blue."),
        ("<THINKING>a</THINKING><think>b</think>Blue.", "Blue."),
        ("Let me see: the sky.\n</think>\n\nBlue.", "Blue."),
        ("Write <think>…</think> around it.", "Write <think>…</think> around it."),
        ("The tag </think> ends it.", "The tag </think> ends it."),
        ("```\n<think>\n</think>\n```", "```\n<think>\n</think>\n```"),
    ],
)
def test_thinking_is_left_out_and_words_about_it_are_not(model: ChatModel, wire: Wire, content: str, text: str) -> None:
    wire.always(answer(content))
    assert ask_text(model) == text


def test_a_text_that_is_cut_off_is_handed_over_with_the_error(model: ChatModel, wire: Wire) -> None:
    wire.always(answer("<think>a</think>The sky is", finish_reason="length"))
    with pytest.raises(CutOff) as caught:
        ask_text(model)
    assert caught.value.partial == "The sky is"
    assert ModelCall.objects.get().outcome == "cut_off"


def test_a_stream_yields_its_pieces_and_then_the_usage(model: ChatModel, wire: Wire, space: Space) -> None:
    wire.always(streamed("The sky", " is", " blue."))
    *pieces, usage = stream(model)
    row = ModelCall.objects.get()
    assert pieces == ["The sky", " is", " blue."]
    assert usage == Usage(11, 7, row.pk)
    assert (row.outcome, row.answer, row.prompt_tokens) == ("answered", "The sky is blue.", 11)
    assert usage_today(space).tokens == 18
    assert wire.requests[0].json["stream_options"] == {"include_usage": True}


def test_a_stream_arrives_while_it_is_written(model: ChatModel, wire: Wire) -> None:
    wire.always(streamed("The sky", " is blue.", pause=0.4))
    items = model.stream_text(purpose=Purpose.CHAT, messages=MESSAGES)
    assert next(items) == "The sky"
    assert ModelCall.objects.get().outcome == "running"
    assert text_of(list(items)) == " is blue."


def test_a_reader_who_goes_away_ends_the_call(model: ChatModel, wire: Wire, space: Space) -> None:
    wire.always(streamed("The sky", " is blue.", pause=0.2))
    items = model.stream_text(purpose=Purpose.CHAT, messages=MESSAGES)
    next(items)
    items.close()  # type: ignore[attr-defined]
    row = ModelCall.objects.get()
    assert (row.outcome, row.answer) == ("cut_off", "The sky")
    assert 0 < usage_today(space).tokens < 100


@given(st.text(alphabet="<>/thinkTHINK ab\n", max_size=60), st.lists(st.integers(0, 60), max_size=5))
def test_the_filter_of_a_stream_does_not_depend_on_the_pieces(text: str, cuts: list[int]) -> None:
    text = f"<think>{text}" if len(cuts) % 2 else text
    whole, pieces = ThinkingFilter(), ThinkingFilter()
    ends = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    parts = [text[start:end] for start, end in pairwise(ends)]
    expected = whole.feed(text) + whole.flush()
    assert "".join(pieces.feed(part) for part in parts) + pieces.flush() == expected
    if "</" not in text:
        assert expected.strip() == without_thinking(text).strip()


def test_thinking_is_left_out_of_a_stream(model: ChatModel, wire: Wire) -> None:
    wire.always(streamed("<th", "ink>The ", "sky</thi", "nk>\n", "Bl", "ue <think>."))
    assert text_of(stream(model)) == "Blue <think>."


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (streamed("The sky", " is", " blue", cut_after=2), Unavailable),
        (streamed("a", "b", finish_reason=None, usage=False), Unavailable),
        (Reply(pieces=[event({"choices": [{"delta": {"content": "a"}}]}), b"data: {oops\n\n"],
               content_type="text/event-stream"), Unreadable),
        (Reply(pieces=[event({"choices": [{"delta": {"content": "a"}}]}),
                       event({"error": {"message": "overloaded", "code": 502}})],
               content_type="text/event-stream"), Unavailable),
        (streamed("The sky", finish_reason="content_filter"), Refused),
    ],
    ids=["disconnect", "no end", "broken event", "error event", "filter"],
)  # fmt: skip
def test_a_stream_that_breaks_off_is_an_error_and_not_an_end(
    model: ChatModel, wire: Wire, step: Reply, kind: type[InferenceError]
) -> None:
    wire.always(step)
    got = []
    with pytest.raises(kind):
        got.extend(model.stream_text(purpose=Purpose.CHAT, messages=MESSAGES))
    assert len(wire.requests) == 1
    assert ModelCall.objects.get().answer


@pytest.mark.parametrize(
    "first",
    [
        fault(503),
        fault(429),
        streamed(),
        streamed("<think>The sky"),
        Reply(pieces=[b"data: 5\n\n"], content_type="text/event-stream"),
        fault(400, "Unknown parameter: stream_options"),
    ],
    ids=["503", "429", "empty", "thinking only", "no object", "no stream_options"],
)
def test_before_the_first_piece_a_stream_is_tried_again(model: ChatModel, wire: Wire, first: Reply) -> None:
    wire.script(first)
    wire.always(streamed("Blue."))
    assert text_of(stream(model)) == "Blue."
    assert len(wire.requests) == 2


def test_an_endpoint_that_does_not_stream_answers_in_one_piece(model: ChatModel, wire: Wire) -> None:
    wire.always(answer("<think>a</think>Blue."))
    *pieces, usage = stream(model)
    assert pieces == ["Blue."]
    assert isinstance(usage, Usage)


def test_a_stream_that_is_cut_off_says_so_at_the_end(model: ChatModel, wire: Wire) -> None:
    wire.always(streamed("The sky", finish_reason="length"))
    usage = stream(model)[-1]
    assert usage.is_cut_off


def test_a_slow_stream_ends_at_the_deadline(model: ChatModel, wire: Wire, settings: Settings) -> None:
    settings.INFINI_MODEL_TIMEOUT = 1.0
    wire.always(streamed(*["a"] * 100, pause=0.1))
    got = []
    with pytest.raises(Unavailable):
        got.extend(model.stream_text(purpose=Purpose.CHAT, messages=MESSAGES))
    assert len(wire.requests) == 1


def test_a_stream_that_is_refused_is_not_tried_again(model: ChatModel, wire: Wire) -> None:
    wire.always(fault(401))
    with pytest.raises(EndpointRejected):
        stream(model)
    assert len(wire.requests) == 1
