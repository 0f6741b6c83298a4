"""What a caller gets from an endpoint that misbehaves, fault by fault; the test report shows the table.

A one-off fault is got over where that is right; a lasting one ends as the error that tells the caller what to do. In
either case each HTTP call has its row.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.utils import formatdate
from typing import Any

import pytest
from pytest_django import Settings

from inference.client import ChatModel
from inference.errors import (
    CutOff,
    EndpointRejected,
    InferenceError,
    RateLimited,
    Refused,
    Unavailable,
    Unreadable,
)
from inference.models import ModelCall
from tests.inference.asking import BLUE, ask
from tests.inference.wire import DISCONNECT, Reply, Request, Step, Wire, answer, answer_json, as_json, fault, slowly

JSON = json.dumps(BLUE)
GOOD = answer(JSON)
SHORT = 1.0  # seconds for a whole answer, where a fault is slowness


@dataclass(frozen=True)
class Fault:
    """`steps` come first, then `then` for ever. It ends in an error of the kind `ends`, or None: with the answer."""

    name: str
    steps: tuple[Step, ...]
    ends: type[InferenceError] | None = None
    then: Step = GOOD
    calls: int = 2
    is_slow: bool = False


def refuses(test: Callable[[dict[str, Any]], bool], reply: Reply) -> Step:
    """An endpoint that refuses the requests for which `test` is true, and answers the others well."""

    def step(request: Request) -> Reply:
        return reply if test(request.json) else GOOD

    return step


def knows_no(parameter: str, **options: Any) -> Step:
    words = f"Unrecognized request argument supplied: {parameter}"
    return refuses(lambda body: parameter in body, fault(400, words, **options))


def has_format(*kinds: str) -> Callable[[dict[str, Any]], bool]:
    return lambda body: body.get("response_format", {}).get("type") in kinds


def has_system(body: dict[str, Any]) -> bool:
    return any(message["role"] == "system" for message in body["messages"])


def lasting(name: str, step: Step, ends: type[InferenceError] | None, calls: int = 1, is_slow: bool = False) -> Fault:
    return Fault(name, (), ends, then=step, calls=calls, is_slow=is_slow)


def read(name: str, reply: Reply, ends: type[InferenceError] | None = None) -> Fault:
    """An answer that is read, or refused, at the first try."""
    return Fault(name, (reply,), ends, calls=1)


HTML = Reply(pieces=[b"<!doctype html><title>Sign in</title>"], content_type="text/html")
HALF = Reply(pieces=[b'{"choices": [{"mess', DISCONNECT, b'age": {}}]}'])
NOTHING = Reply(status=None, pieces=[DISCONNECT])
THOUGHT = 'The user\'s sky {is} [blue].\nPerhaps {"colours": []}?'
TOOL = [{"id": "1", "type": "function", "function": {"name": "delete_all", "arguments": "{}"}}]
BAD_KEY = fault(401, "Incorrect API key provided: wire-key", code="invalid_api_key")
NO_FORMAT = "Extra inputs are not permitted: response_format"

FAULTS = [
    Fault("429, no Retry-After", (fault(429),)),
    Fault("429, Retry-After in seconds", (fault(429, headers={"Retry-After": "1"}),)),
    Fault("429, Retry-After as a date", (lambda r: fault(429, headers={"Retry-After": formatdate(time.time() + 2)}),)),
    Fault("429, Retry-After is nonsense", (fault(429, headers={"Retry-After": "soon"}),)),
    lasting("429, Retry-After of an hour", fault(429, headers={"Retry-After": "3600"}), RateLimited),
    lasting("429 for ever", fault(429), RateLimited, calls=3),
    Fault("503 once", (fault(503),)),
    Fault("503 as a page", (Reply(status=503, pieces=HTML.pieces, content_type="text/html"),)),
    lasting("500 for ever", fault(500), Unavailable, calls=3),
    Fault("disconnect before the head", (NOTHING,)),
    Fault("disconnect in the body", (HALF,)),
    lasting("disconnects for ever", NOTHING, Unavailable, calls=3),
    lasting("no answer in time", Reply(None, pieces=[30.0]), Unavailable, is_slow=True),
    lasting("slow bytes without an end", Reply(pieces=[b" ", 0.2] * 300, with_length=False), Unavailable, is_slow=True),
    lasting("slow bytes of the body", slowly(GOOD, pause=0.2), Unavailable, is_slow=True),
    lasting(
        "slow bytes of the head",
        slowly(Reply(None, pieces=[b"HTTP/1.1 200 OK\r\nX: " + b"x" * 500]), pause=0.2),
        Unavailable,
        is_slow=True,
    ),
    read("cut off by the length limit", answer(JSON[:-4], finish_reason="length"), CutOff),
    read("cut off, said to be complete", answer(JSON[:-4]), CutOff),
    read("cut off while thinking", answer("<think>Let me see", finish_reason="length"), CutOff),
    read("complete, said to be cut off", answer(JSON, finish_reason="length")),
    read("prompt too long", fault(400, "This model's maximum context length is 4096 tokens."), CutOff),
    read("prompt too large", fault(413, "Payload too large"), CutOff),
    read("code fence", answer(f"```json\n{JSON}\n```")),
    read("code fence that does not end", answer(f"```json\n{JSON}")),
    read("thinking section", answer(f"<think>{THOUGHT}</think>{JSON}")),
    read("thinking section, closing tag only", answer(f"{THOUGHT}\n</think>\n\n{JSON}")),
    read("thinking in a field of its own", answer(JSON, reasoning_content=THOUGHT)),
    Fault("thinking section that does not end", (answer(f"<think>{THOUGHT} {JSON}"),)),
    read("trailing commas", answer('{"colours": [{"name": "blue",},],}')),
    read("prose around", answer(f"Here {{you}} are [1]:\n{JSON}\nShall I [go on]?")),
    read("byte order mark", answer("\ufeff" + JSON)),
    read("a list instead of the object", answer(json.dumps(BLUE["colours"]))),
    read("one item instead of the object", answer(json.dumps(BLUE["colours"][0]))),
    read("content in parts", answer([{"type": "text", "text": JSON[:9]}, {"type": "text", "text": JSON[9:]}])),  # type: ignore[arg-type]
    Fault("null content", (answer(None),)),
    Fault("empty content", (answer(""),)),
    Fault("prose only", (answer("I see blue."),)),
    Fault("another object", (answer_json({"colors": ["blue"]}),)),
    Fault("no choices", (as_json({"choices": []}),)),
    Fault("an error with status 200", (as_json({"error": {"message": "overloaded"}}),)),
    Fault("a tool call instead", (answer(None, tool_calls=TOOL),)),
    lasting("tool calls for ever", answer(None, tool_calls=TOOL), Unreadable, calls=2),
    read("refusal", answer(None, refusal="I cannot help with that."), Refused),
    read("content filter, answer withheld", answer("", finish_reason="content_filter"), Refused),
    read("content filter, prompt rejected", fault(400, "The response was filtered", code="content_filter"), Refused),
    lasting("no json_schema", refuses(has_format("json_schema"), fault(400, "json_schema is not supported")), None, 2),
    lasting("no json_object", refuses(has_format("json_schema", "json_object"), fault(422, NO_FORMAT)), None, 3),
    lasting("no temperature", knows_no("temperature", param="temperature"), None, 2),
    lasting("max_completion_tokens only", knows_no("max_tokens"), None, 2),
    lasting(
        "no limit of tokens",
        refuses(
            lambda body: "max_tokens" in body or "max_completion_tokens" in body,
            fault(400, "max_tokens, max_completion_tokens: unknown"),
        ),
        None,
        3,
    ),
    lasting(
        "no system role", refuses(has_system, fault(400, "Only user and assistant roles: no system role")), None, 2
    ),
    lasting("no system role, as a crash", refuses(has_system, fault(500, "System role not supported")), None, 2),
    lasting("refuses without a word", refuses(lambda body: "temperature" in body, fault(400, "Bad request")), None, 4),
    lasting("refuses everything", fault(400, "Bad request"), EndpointRejected, calls=7),
    Fault("web page with status 200", (HTML,)),
    lasting("web pages for ever", HTML, Unreadable, calls=2),
    Fault("right body, wrong content type", (Reply(pieces=GOOD.pieces, content_type="text/plain"),), calls=1),
    Fault("invalid UTF-8", (Reply(pieces=[b'{"choices": [{"message": {"content": "\xff\xfe"}}]}']),)),
    Fault("huge answer", (answer("x" * 3_000_000),)),
    lasting("redirect", Reply(status=302, headers={"Location": "http://127.0.0.1:9/"}), EndpointRejected),
    lasting("wrong key", BAD_KEY, EndpointRejected),
    lasting("forbidden", fault(403), EndpointRejected),
    lasting(
        "model not found", fault(404, "The model `wire-model` does not exist", code="model_not_found"), EndpointRejected
    ),
    lasting("wrong address", Reply(status=404, pieces=HTML.pieces, content_type="text/html"), EndpointRejected),
]


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[list[tuple[str, str, int]]]:
    rows: list[tuple[str, str, int]] = []
    yield rows
    lines = [f"{name:42}{end:18}{calls}" for name, end, calls in [("fault", "outcome", "HTTP calls"), *rows]]
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")


@pytest.mark.parametrize("case", FAULTS, ids=lambda case: case.name)
def test_each_fault_ends_as_it_should(
    case: Fault, model: ChatModel, wire: Wire, settings: Settings, table: list[tuple[str, str, int]]
) -> None:
    if case.is_slow:
        settings.INFINI_MODEL_TIMEOUT = SHORT
    wire.script(*case.steps)
    wire.always(case.then)
    started = time.monotonic()
    try:
        end: Any = ask(model)
    except InferenceError as error:
        end = error
    seconds = time.monotonic() - started
    name = type(end).__name__ if isinstance(end, InferenceError) else "answered"
    table.append((case.name, name, len(wire.requests)))
    if case.ends:
        assert isinstance(end, case.ends), repr(end)
        assert "wire-key" not in str(end)
    else:
        assert end == BLUE
    assert len(wire.requests) == case.calls
    assert ModelCall.objects.count() == case.calls
    assert not ModelCall.objects.filter(outcome="running").exists()
    assert not ModelCall.objects.filter(error__contains="wire-key").exists()
    assert seconds < 20, "a slow endpoint holds nobody for ever"
