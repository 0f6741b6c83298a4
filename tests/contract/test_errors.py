"""Bad input: a clear error in one shape, and nothing stored."""

from __future__ import annotations

import io
import json
import logging
from typing import Any

import pytest
from django.test import Client, RequestFactory

from tests.contract.helpers import Api, World, make_api
from tests.contract.routes import operations
from topics.api.base import ApiView
from topics.models import Message, Space
from topics.services.spaces import create_api_key

MESSAGES = "conversations/c1/messages"
TURN = {"role": "user", "content": "Our budget is 40,000 euros."}


def problem(response: Any, status: int, code: str) -> dict[str, Any]:
    """The error, after checking that it has the one shape."""
    found: dict[str, Any] = response.json()
    assert (response.status_code, found["code"]) == (status, code)
    assert found["detail"]
    assert found["request_id"] == response.headers["X-Request-ID"]
    assert response.headers["Content-Type"] == "application/json"
    return found


MALFORMED = {
    "cut off": b'{"messages": [',
    "no JSON": b"hello",
    "not UTF-8": b'{"text": "\xff\xfe"}',
    "in GBK": '{"text": "预算"}'.encode("gbk"),
    "NaN": b'{"text": NaN}',
    "infinite": b'{"confidence": 1e999}',
    "negative infinite": b"[-Infinity]",
    "huge integer": b"[" + b"9" * 5000 + b"]",
    "raw NUL": b'{"text": "a\x00b"}',
    "byte order mark": b'\xef\xbb\xbf{"text": "a"}',
    "deeply nested list": b"[" * 100_000 + b"]" * 100_000,
    "deeply nested object": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
}


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_what_is_no_json_answers_400(body: bytes, api: Api) -> None:
    problem(api.post("memory/extract", body), 400, "malformed")


def test_every_route_with_a_body_refuses_what_is_no_json(world: World) -> None:
    api = make_api(world.space)
    for operation in operations("POST", "PUT", "PATCH"):
        response = api.call(operation.method, operation.path(world.ids()), b"{", If_Match="*")
        assert (str(operation), response.status_code) == (str(operation), 400)


@pytest.mark.parametrize("body", [b"[]", b'"text"', b"7", b"null", b"true"], ids=bytes.decode)
def test_json_that_is_no_object_answers_422(body: bytes, api: Api) -> None:
    for route in (MESSAGES, "memory/extract", "memory/update", "memory/query", "topics", "proposals/decide"):
        problem(api.post(route, body), 422, "invalid")


def test_a_body_of_another_type_answers_415(api: Api) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "rubbish"):
        response = api.client.post("/api/v1/topics", data=b"name=x", content_type=kind, headers=api.headers)
        problem(response, 415, "unsupported_media_type")


def test_a_body_above_one_mebibyte_answers_413(api: Api, space: Space) -> None:
    content = "x" * 1_048_576
    body = json.dumps({"messages": [{**TURN, "content": content}]}).encode()
    problem(api.post(MESSAGES, body), 413, "too_large")
    assert not Message.objects.exists()


def test_a_message_of_almost_one_mebibyte_is_stored_whole(api: Api, space: Space) -> None:
    content = "长话 " * 250_000
    body = json.dumps({"messages": [{**TURN, "content": content[:340_000]}]}, ensure_ascii=False).encode()
    assert len(body) < 1_048_576
    assert api.post(MESSAGES, body).status_code == 202
    assert Message.objects.get().content == content[:340_000]


def chunked(space: Space, body: bytes) -> Any:
    """A request without Content-Length, as a server hands on a chunked one."""
    plain = create_api_key(space=space, scopes=["write"])[1]
    client = Client(raise_request_exception=False)
    environ = {"wsgi.input": io.BytesIO(body), "wsgi.input_terminated": True, "CONTENT_TYPE": "application/json"}
    headers = {"Authorization": f"Bearer {plain}", "Transfer-Encoding": "chunked"}
    return client.generic("POST", f"/api/v1/{MESSAGES}", b"", "application/json", headers=headers, **environ)


def test_a_chunked_body_is_read(space: Space) -> None:
    assert chunked(space, json.dumps({"messages": [TURN]}).encode()).status_code == 202
    assert Message.objects.get().content == TURN["content"]


def test_a_chunked_body_without_end_answers_413(space: Space) -> None:
    problem(chunked(space, b" " * 1_048_577), 413, "too_large")


BAD_MESSAGES: dict[str, tuple[Any, str]] = {
    "no list": ({"messages": "hello"}, "messages"),
    "missing": ({}, "messages"),
    "empty list": ({"messages": []}, "messages"),
    "too many": ({"messages": [TURN] * 501}, "messages"),
    "a text for a turn": ({"messages": [TURN, "hello"]}, "messages.1"),
    "unknown role": ({"messages": [{**TURN, "role": "narrator"}]}, "messages.0.role"),
    "no role": ({"messages": [{"content": "a"}]}, "messages.0.role"),
    "no content": ({"messages": [{"role": "user"}]}, "messages.0.content"),
    "null content": ({"messages": [{**TURN, "content": None}]}, "messages.0.content"),
    "a number as content": ({"messages": [TURN, {**TURN, "content": 7}]}, "messages.1.content"),
    "true as content": ({"messages": [{**TURN, "content": True}]}, "messages.0.content"),
    "a number as id": ({"messages": [{**TURN, "id": 7}]}, "messages.0.id"),
    "empty id": ({"messages": [{**TURN, "id": ""}]}, "messages.0.id"),
    "long id": ({"messages": [{**TURN, "id": "x" * 201}]}, "messages.0.id"),
    "NUL": ({"messages": [{**TURN, "content": "a\x00b"}]}, "messages.0.content"),
    "NUL in a name": ({"messages": [{**TURN, "name": "a\x00b"}]}, "messages.0.name"),
    "half a character": ({"messages": [{**TURN, "content": "\ud83d"}]}, "messages.0.content"),
    "half a character in an id": ({"messages": [{**TURN, "id": "\udc00"}]}, "messages.0.id"),
    "half a character in a key": ({"messages": [{**TURN, "\ud83d": 1}]}, "messages.0"),
    "NUL in the subject": ({"messages": [TURN], "subject": "a\x00"}, "subject"),
    "no zone": ({"messages": [{**TURN, "said_at": "2024-05-08T13:56:00"}]}, "messages.0.said_at"),
    "a day alone": ({"messages": [{**TURN, "said_at": "2024-05-08"}]}, "messages.0.said_at"),
    "year 0": ({"messages": [{**TURN, "said_at": "0000-05-08T13:56:00Z"}]}, "messages.0.said_at"),
    "before time began": ({"messages": [{**TURN, "said_at": "0001-01-01T00:00:00+14:00"}]}, "messages.0.said_at"),
    "after it ended": ({"messages": [{**TURN, "said_at": "9999-12-31T23:59:59-12:00"}]}, "messages.0.said_at"),
    "no day": ({"messages": [{**TURN, "said_at": "2024-02-30T13:56:00Z"}]}, "messages.0.said_at"),
    "a number as time": ({"messages": [{**TURN, "said_at": 1715170560}]}, "messages.0.said_at"),
    "words as time": ({"messages": [{**TURN, "said_at": "yesterday"}]}, "messages.0.said_at"),
}


@pytest.mark.parametrize(("body", "field"), BAD_MESSAGES.values(), ids=BAD_MESSAGES)
def test_a_message_that_makes_no_sense_answers_422_with_its_path(body: Any, field: str, api: Api) -> None:
    found = problem(api.post(MESSAGES, body), 422, "invalid")
    assert list(found["fields"]) == [field]
    assert not Message.objects.exists()


def test_a_nul_in_the_address_is_refused(world: World) -> None:
    own = make_api(world.space)
    for operation in operations():
        if operation.names:
            found = own.call(operation.method, operation.path(dict.fromkeys(world.ids(), "a\x00b")), If_Match="*")
            assert (str(operation), found.status_code) == (str(operation), 422)
            assert list(found.json()["fields"]) == operation.names[:1]


def test_an_unknown_address_or_method_is_json_too(api: Api) -> None:
    problem(api.get("nowhere"), 404, "not_found")
    problem(api.call("PUT", "topics"), 405, "method_not_allowed")
    problem(api.call("OPTIONS", "topics"), 405, "method_not_allowed")


def test_only_what_a_route_answers_is_named_as_allowed(world: World) -> None:
    api = make_api(world.space)
    answered: dict[str, set[str]] = {}
    for operation in operations():
        answered.setdefault(operation.path(world.ids()), set()).add(operation.method)
    for path, methods in answered.items():
        for method in ("OPTIONS", "TRACE"):
            refused = api.call(method, path)
            assert refused.status_code == 405
            assert set(refused.headers["Allow"].split(", ")) - {"HEAD"} == methods


def test_whoever_accepts_only_html_gets_json(api: Api) -> None:
    response = api.get("nowhere", Accept="text/html")
    assert response.headers["Content-Type"] == "application/json"
    response = api.get("topics?page=x", Accept="text/html")
    problem(response, 422, "invalid")


def test_errors_are_said_in_the_language_of_the_caller(api: Api) -> None:
    response = api.post(MESSAGES, {"messages": [{"role": "user"}]}, Accept_Language="zh-hans")
    assert response.json()["fields"]["messages.0.content"] == ["该字段是必填项。"]


class Broken(ApiView):
    required_scopes = {"GET": "read"}

    def get(self, request: Any) -> Any:
        raise RuntimeError("secret detail")


def test_a_fault_of_ours_answers_500_without_a_trace(space: Space, caplog: pytest.LogCaptureFixture) -> None:
    plain = create_api_key(space=space, scopes=["read"])[1]
    request = RequestFactory().get("/api/v1/broken", headers={"Authorization": f"Bearer {plain}"})
    request.request_id = "0123456789"
    with caplog.at_level(logging.ERROR):
        response = Broken.as_view()(request).render()
    assert response.status_code == 500
    assert json.loads(response.content)["code"] == "server_error"
    assert b"secret" not in response.content
    assert b"Traceback" not in response.content
