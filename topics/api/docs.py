"""The description of the API: OpenAPI for programs, a page for people. Neither needs a key."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer

from topics.models.space import SCOPES

METHODS = ("get", "post", "put", "patch", "delete")


@require_safe
def schema(request: HttpRequest) -> HttpResponse:
    """The OpenAPI 3.1 description, as JSON."""
    body = OpenApiJsonRenderer().render(description(), renderer_context={})
    return HttpResponse(body, content_type="application/json")


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """The description as a page, without scripts."""
    found = description()
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, operations in found["paths"].items():
        for method in METHODS:
            if method in operations:
                operation = operations[method]
                groups.setdefault(operation["tags"][0], []).append(_operation(found, path, method, operation))
    context = {"title": found["info"]["title"], "groups": groups, "scopes": SCOPES}
    return render(request, "api/docs.html", context)


@lru_cache(maxsize=1)
def description() -> dict[str, Any]:
    """The OpenAPI description of every route of the API."""
    with translation.override("en"):  # it is kept for everybody, whoever asks first
        found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


def _operation(found: dict[str, Any], path: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
    """What the page shows of an operation."""
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    return {
        "id": operation["operationId"],
        "path": path,
        "method": method.upper(),
        "paragraphs": [_prose(paragraph) for paragraph in operation["description"].split("\n\n")],
        "parameters": [p | {"about": _prose(p.get("description", ""))} for p in operation.get("parameters", [])],
        "fields": _fields(found, body.get("schema")),
        "examples": [_json(example["value"]) for example in body.get("examples", {}).values()],
        "responses": [
            {
                "status": status,
                "about": _prose(response.get("description", "")),
                "fields": _fields(found, _schema_of(response)) if status.startswith("2") else [],
            }
            for status, response in operation["responses"].items()
        ],
    }


def _schema_of(response: dict[str, Any]) -> dict[str, Any] | None:
    schema: dict[str, Any] | None = response.get("content", {}).get("application/json", {}).get("schema")
    return schema


def _fields(found: dict[str, Any], schema: dict[str, Any] | None, path: str = "") -> list[dict[str, Any]]:
    """The fields of a schema, nested ones with their path: `messages[].role`."""
    schema = _resolve(found, schema)
    fields = []
    for name, inner in schema.get("properties", {}).items():
        resolved = _resolve(found, inner)
        is_list = resolved.get("type") == "array"
        item = _resolve(found, resolved.get("items")) if is_list else resolved
        here = f"{path}{name}{'[]' if is_list else ''}"
        fields.append(
            {
                "name": here,
                "type": _type(item),
                "choices": [choice for choice in item.get("enum", []) if choice is not None],
                "required": name in schema.get("required", []),
                "about": _prose(inner.get("description") or resolved.get("description", "")),
            }
        )
        if here.count(".") < 2:
            fields += _fields(found, item, f"{here}.")
    return fields


def _resolve(found: dict[str, Any], schema: dict[str, Any] | None) -> dict[str, Any]:
    """The schema itself behind references and wrappers for null."""
    schema = schema or {}
    for wrapper in ("allOf", "oneOf", "anyOf"):
        choices = [choice for choice in schema.get(wrapper, []) if choice.get("type") != "null"]
        if len(choices) == 1:
            return {**_resolve(found, choices[0]), **{k: v for k, v in schema.items() if k == "description"}}
        if choices:
            return next((_resolve(found, choice) for choice in choices if "$ref" in choice), schema)
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return _resolve(found, found["components"]["schemas"][name])
    return schema


def _type(schema: dict[str, Any]) -> str:
    kinds = schema.get("type", "")
    named = [kinds] if isinstance(kinds, str) else [kind for kind in kinds if kind != "null"]
    return schema.get("format") or " / ".join(named)


def _prose(text: str) -> SafeString:
    """The text with what stands in backticks as code."""
    pieces = enumerate(text.split("`"))
    return format_html_join("", "{}", ((format_html("<code>{}</code>", p) if n % 2 else p,) for n, p in pieces))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
