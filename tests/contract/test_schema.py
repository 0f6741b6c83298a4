"""The OpenAPI description says what the API does, and the page shows it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from jsonschema import Draft202012Validator

from tests.contract.helpers import World, make_api
from tests.contract.routes import operations


@pytest.fixture
def schema(client: Client) -> dict[str, Any]:
    response = client.get("/api/schema/")
    assert response.headers["Content-Type"] == "application/json"
    found: dict[str, Any] = response.json()
    return found


def test_it_is_valid_openapi_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--api-version", "1")
    assert capsys.readouterr().out.startswith("openapi: 3.1")


def test_a_name_that_may_be_null_or_empty_says_so_once(schema: dict[str, Any]) -> None:
    [named, empty] = schema["components"]["schemas"]["MessageInRequest"]["properties"]["name"]["oneOf"]
    assert (named["type"], empty["maxLength"]) == (["string", "null"], 0)
    assert re.fullmatch(named["pattern"], "Mia\tBecker")
    assert not re.fullmatch(named["pattern"], "Mia\x1b")
    assert not re.fullmatch(named["pattern"], "\t")


def test_every_route_is_described(schema: dict[str, Any]) -> None:
    described = {(method.upper(), path) for path, methods in schema["paths"].items() for method in methods}
    routed = {(o.method, f"/api/v1/{o.template}") for o in operations()}
    assert described == routed


def test_every_operation_names_its_errors_and_its_keys(schema: dict[str, Any]) -> None:
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            assert {"401", "403"} <= set(operation["responses"]), path
            assert operation["security"], path
            headers = {p["name"] for p in operation.get("parameters", []) if p["in"] == "header"}
            assert ("Idempotency-Key" in headers) == (method == "post")
            assert method not in ("put", "patch", "delete") or "If-Match" in headers
    assert set(schema["components"]["securitySchemes"]) == {"bearer", "apiKey"}


def test_what_an_answer_names_is_linked_to_what_can_be_done_with_it(schema: dict[str, Any]) -> None:
    def links(path: str, status: str) -> dict[str, Any]:
        found: dict[str, Any] = schema["paths"][f"/api/v1/{path}"]["post"]["responses"][status]["links"]
        return {name: link["parameters"] for name, link in found.items()}

    created = links("topics", "201")
    assert created["get_document"] == {"topic": "$response.body#/id"}
    assert {"update_topic", "delete_topic", "add_fact", "split_topic"} <= set(created)
    assert links("conversations/{conversation}/messages", "202")["get_job"] == {"job": "$response.body#/job"}
    assert set(links("proposals/decide", "200")) == {"get_change_set", "undo_change_set", "revert_change"}
    assert links("webhooks/{webhook}/test", "202") == {
        "retry_webhook_delivery": {"delivery": "$response.body#/id", "webhook": "$request.path.webhook"}
    }


def test_answers_are_as_described(schema: dict[str, Any], world: World) -> None:
    api = make_api(world.space)
    for operation in operations("GET"):
        response = api.get(operation.path(world.ids()) + ("?q=Apollo+budget" if "query" in operation.route else ""))
        assert response.status_code == 200
        check(schema, operation, response)


def test_answers_to_changes_are_as_described(schema: dict[str, Any], world: World) -> None:
    api = make_api(world.space)
    sent: dict[str, tuple[str, Any]] = {
        "topics": ("POST", {"name": "Zeus"}),
        "topics/<str:topic>/facts": ("POST", {"text": "It has six people."}),
        "topics/<str:topic>/timeline": ("POST", {"text": "Start", "happened_at": "2024-05-08T00:00:00Z"}),
        "topics/<str:topic>/aliases": ("POST", {"name": "APLO"}),
        "conversations/<path:conversation>/messages": ("POST", {"messages": [{"role": "user", "content": "Hi"}]}),
        "memory/extract": ("POST", {"text": "The budget for Project Apollo is 80,000 euros."}),
        "memory/update": ("POST", {"extractions": [], "conversation": world.conversation}),
        "memory/query": ("POST", {"q": "Apollo budget"}),
        "proposals/decide": ("POST", {"ids": [world.proposal], "decision": "approve"}),
        "conflicts/<str:conflict>/resolve": ("POST", {"outcome": "replace"}),
        "jobs/<str:job>/retry": ("POST", {}),
        "facts/<str:fact>/retract": ("POST", {}),
        "topics/<str:topic>/archive": ("POST", {}),
        "topics/<str:topic>": ("PATCH", {"kind": "customer"}),
        "topics/<str:topic>/state": ("POST", {"puts": [{"key": "thread/2", "value": None}]}),
        "topics/<str:topic>/state/<path:key>": ("PUT", [1]),
        "webhooks": ("POST", {"url": "https://hooks.example.com/", "events": ["review.waiting"]}),
        "webhooks/<str:webhook>": ("PATCH", {"enabled": True}),
        "webhooks/<str:webhook>/secret": ("POST", {}),
        "webhooks/<str:webhook>/test": ("POST", {}),
        "webhooks/<str:webhook>/deliveries/<str:delivery>/retry": ("POST", {}),
    }
    # Once the fact is retracted nothing contradicts it any more.
    for operation in sorted(operations("POST", "PUT", "PATCH"), key=lambda operation: "retract" in operation.route):
        method, body = sent.get(operation.route, ("", None))
        if method == operation.method:
            response = api.call(method, operation.path(world.ids()), body, If_Match="*")
            assert (str(operation), response.status_code < 300) == (str(operation), True)
            check(schema, operation, response)


def test_errors_are_as_described(schema: dict[str, Any], world: World) -> None:
    response = make_api(world.space).post("topics", {"name": 7})
    [operation] = [o for o in operations("POST") if o.route == "topics"]
    check(schema, operation, response)


def test_examples_are_accepted(schema: dict[str, Any]) -> None:
    seen = 0
    for methods in schema["paths"].values():
        for operation in methods.values():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            for example in content.get("examples", {}).values():
                validator(schema, content["schema"]).validate(example["value"])
                seen += 1
    assert seen >= 6


def test_the_page_shows_every_operation_without_scripts(client: Client, schema: dict[str, Any]) -> None:
    page = client.get("/api/docs/")
    assert page.status_code == 200
    text = page.content.decode()
    for methods in schema["paths"].values():
        for operation in methods.values():
            assert f'id="{operation["operationId"]}"' in text
    assert "<script" not in text
    assert "style=" not in text
    assert not re.search(r"(src|href)=\"https?:", text)
    assert "messages[].role" in text


def check(schema: dict[str, Any], operation: Any, response: Any) -> None:
    """The answer is what the description says of this operation and status."""
    described = schema["paths"][f"/api/v1/{operation.template}"][operation.method.lower()]["responses"][
        str(response.status_code)
    ]
    content = described["content"]["application/json"]["schema"]
    errors = [f"{e.json_path}: {e.message}" for e in validator(schema, content).iter_errors(response.json())]
    assert (str(operation), errors) == (str(operation), [])
    closed = _undescribed(schema, content, response.json())
    assert (str(operation), closed) == (str(operation), [])


def validator(schema: dict[str, Any], content: dict[str, Any]) -> Draft202012Validator:
    return Draft202012Validator({**content, "components": schema["components"]})


def _undescribed(schema: dict[str, Any], content: dict[str, Any], value: Any, path: str = "$") -> list[str]:
    """Fields that are answered and not described."""
    content = _resolved(schema, content)
    if isinstance(value, list):
        return [hit for item in value for hit in _undescribed(schema, content.get("items", {}), item, path + "[]")]
    if not isinstance(value, dict) or "properties" not in content:
        return []
    found = [f"{path}.{name}" for name in value if name not in content["properties"]]
    for name, inner in content["properties"].items():
        if name in value:
            found += _undescribed(schema, inner, value[name], f"{path}.{name}")
    return found


def _resolved(schema: dict[str, Any], content: dict[str, Any]) -> dict[str, Any]:
    while True:
        for wrapper in ("allOf", "oneOf", "anyOf"):
            content = next((c for c in content.get(wrapper, []) if c.get("type") != "null"), content)
        if "$ref" not in content:
            return content
        content = schema["components"]["schemas"][content["$ref"].rsplit("/", 1)[1]]
