"""What the OpenAPI description needs beyond what the views say themselves."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension, OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers
from rest_framework.views import APIView

ALWAYS = (401, 403, 422, 429)
MEANINGS = {
    400: "The body is not JSON in UTF-8.",
    401: "No API key, or one that is unknown, expired or revoked.",
    403: "The key lacks the scope that `detail` names.",
    404: "There is no such thing in the key's space.",
    409: "It does not fit what stands now; `code` says why.",
    412: "It was changed since: the ETag in If-Match is no longer the present one.",
    413: "The body is larger than 1 MiB.",
    415: "The body is not sent as application/json.",
    422: "It makes no sense, or names a parameter or field that is not known; `fields` says where.",
    428: "If-Match is missing.",
    429: "The key has used up its requests of this minute; `Retry-After` says when to go on.",
    502: "The model refuses, or gave no usable answer; `detail` says why.",
    503: "No model is configured (`no_model`), or it does not answer now; `Retry-After` may say when to ask.",
}


class Problem(serializers.Serializer[Any]):
    """Every error."""

    detail = serializers.CharField(help_text="For people, in the language of Accept-Language")
    code = serializers.CharField(help_text="For programs")
    request_id = serializers.CharField(help_text="Also in X-Request-ID; it finds the request in the log")
    fields = serializers.DictField(  # type: ignore[assignment]
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="What is wrong with each field, by its path, for example `messages.3.role`",
    )


TAG = {"type": "string", "minLength": 1}
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": "^[!-~]{1,200}$", "minLength": 1, "maxLength": 200},
    OpenApiParameter.HEADER,
    description="1 to 200 visible ASCII characters. Within 24 hours the same request with the same key is carried "
    "out once and gets the same answer.",
)
IF_MATCH = OpenApiParameter(
    "If-Match",
    TAG,
    OpenApiParameter.HEADER,
    required=True,
    description="The ETag of what you have seen, or `*`.",
)
MAY_MATCH = OpenApiParameter("If-Match", TAG, OpenApiParameter.HEADER, description="The ETag of what you have seen.")
IN_PATH = {"type": "string", "pattern": r"\S", "maxLength": 2000}
PAGES = [
    OpenApiParameter(
        "cursor",
        {"type": "string"},
        description="A position, as `next` and `previous` have it. No row is lost while others are written.",
    ),
    OpenApiParameter(
        "page",
        {"type": "integer", "minimum": 1},
        description="From 1; rows shift between pages while others are written.",
    ),
    OpenApiParameter(
        "page_size", {"type": "integer", "minimum": 1}, description="Up to 200, which a larger one gets; 50 without it."
    ),
]

NAMES = "x-names"
_PARAMETER = re.compile(r"{(\w+)}")


class ApiSchema(AutoSchema):
    """Adds to each operation what every route of the API does: Idempotency-Key, and the errors that are always so."""

    def get_override_parameters(self) -> list[Any]:
        own = list(super().get_override_parameters())
        own += [OpenApiParameter(name, IN_PATH, OpenApiParameter.PATH) for name in _PARAMETER.findall(self.path)]
        if self.method == "POST":
            own.append(IDEMPOTENCY_KEY)
        if self.method in ("PATCH", "DELETE"):
            own.append(IF_MATCH)
        return own

    def get_description(self) -> str:  # type: ignore[override]
        scopes = self.view.required_scopes.get(self.method, "")  # type: ignore[attr-defined]
        named = " or ".join(" and ".join(f"`{scope}`" for scope in both.split("+")) for both in scopes.split("|"))
        return f"{super().get_description()}\n\nScope: {named}."

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(*args, **kwargs)
        if operation and self.method == "POST":  # None: left out of the description
            operation[NAMES] = self.view.names  # type: ignore[attr-defined]
        return operation


def declared_parameters(view: APIView) -> frozenset[str] | None:
    """What the query string of the view's request may name: what is described. None where nothing is described."""
    method = "get" if view.request.method == "HEAD" else str(view.request.method).lower()
    handler = getattr(view, method, None) if method in view.http_method_names else None
    if handler is None:
        return None
    if (type(view), method) not in _DECLARED:
        _DECLARED[type(view), method] = _declared(view, handler, method.upper())
    return _DECLARED[type(view), method]


_DECLARED: dict[tuple[type[APIView], str], frozenset[str] | None] = {}


def _declared(view: APIView, handler: Any, method: str) -> frozenset[str] | None:
    schema = getattr(handler, "kwargs", {}).get("schema", type(view.schema))()
    schema.view, schema.method, schema.path = view, method, ""
    if schema.is_excluded():
        return None
    names: set[str] = set()
    for parameter in schema.get_override_parameters():
        if not isinstance(parameter, OpenApiParameter):
            names.update(parameter().fields)
        elif parameter.location == OpenApiParameter.QUERY:
            names.add(parameter.name)
    return frozenset(names)


def link_operations(result: Any, **kwargs: Any) -> Any:
    """A hook of drf-spectacular: links from an answer to the operations on what it names (OpenAPI 3.1, Link Object)."""
    operations = [
        (set(_PARAMETER.findall(path)), operation)
        for path, methods in result["paths"].items()
        for operation in methods.values()
    ]
    for known, operation in operations:
        names = operation.pop(NAMES, {})
        answer = next(found for status, found in operation["responses"].items() if status.startswith("2"))
        links = {
            target["operationId"]: {
                "operationId": target["operationId"],
                "parameters": {
                    name: f"$response.body#/{names[name]}" if name in names else f"$request.path.{name}"
                    for name in sorted(needed)
                },
            }
            for needed, target in operations
            if needed & set(names) and needed <= known | set(names)
        }
        if links:
            answer["links"] = links
    return result


class StrictScheme(OpenApiSerializerExtension):
    """Says of each serializer that refuses unknown fields that it does."""

    target_class = "topics.api.fields.Strict"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**schema, "additionalProperties": False}


class TextScheme(OpenApiSerializerFieldExtension):
    """Says of each text what it may not be."""

    target_class = "topics.api.fields.Text"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> Any:
        schema = auto_schema._map_serializer_field(self.target, direction, bypass_extensions=True)
        schema["type"] = "string"  # that it may be null is added to what is returned here
        return {**schema, "pattern": self.target.pattern} if self.target.pattern else schema


def answers(success: Any, *problems: int, status: int = 200) -> dict[int, Any]:
    """The responses of an operation: its answer, the errors named, and those that every operation can have."""
    found: dict[int, Any] = {status: success}
    for code in sorted({*ALWAYS, *problems}):
        found[code] = OpenApiResponse(Problem, description=MEANINGS[code])
    return found


def page_of(item: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """The serializer of one page of a list."""
    fields = {
        "count": serializers.IntegerField(),
        "next": serializers.URLField(allow_null=True),
        "previous": serializers.URLField(allow_null=True),
        "results": item(many=True),
    }
    page: serializers.Serializer[Any] = type(f"{item.__name__}Page", (serializers.Serializer,), fields)()
    return page


BODY = (400, 413, 415)
