"""Every error of the API as the same JSON: `{"detail", "code", "request_id"}`, validation with `"fields"`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.settings import api_settings

from topics.errors import MemoryRefusal

log = structlog.get_logger(__name__)


class TooLarge(exceptions.APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"
    default_detail = gettext_lazy("The body is larger than 1 MiB.")


class PreconditionRequired(exceptions.APIException):
    status_code = status.HTTP_428_PRECONDITION_REQUIRED
    default_code = "precondition_required"
    default_detail = gettext_lazy("Send If-Match with the ETag of what you have seen.")


class InFlight(MemoryRefusal):
    """The same Idempotency-Key is being worked on at this moment."""

    status = 409
    code = "in_flight"


class IdempotencyMismatch(MemoryRefusal):
    """The Idempotency-Key was used with another request."""

    code = "idempotency_mismatch"


def answer_error(exc: Exception, context: Mapping[str, Any]) -> Response:
    """DRF's exception handler: what the caller did wrong is said, what we did wrong is logged and not shown."""
    if isinstance(exc, MemoryRefusal):
        headers = {} if exc.retry_after is None else {"Retry-After": str(math.ceil(exc.retry_after))}
        return _answer(context, exc.status, exc.message, exc.code, exc.details, headers)
    if isinstance(exc, RecursionError):
        return _answer(context, 400, _("The JSON is nested too deeply."), "malformed")
    if isinstance(exc, Http404):
        exc = exceptions.NotFound()
    elif isinstance(exc, PermissionDenied):
        exc = exceptions.PermissionDenied()
    if isinstance(exc, exceptions.ValidationError):
        fields = dict(_flatten(exc.detail, ""))
        return _answer(context, 422, _("Some fields need mending."), "invalid", {"fields": fields})
    if isinstance(exc, exceptions.APIException):
        return _answer(context, exc.status_code, str(exc.detail), _code(exc), headers=_headers(exc))
    log.error("api_request_failed", exc_info=exc)
    return _answer(context, 500, _("Something went wrong here. It has been logged."), "server_error")


def _answer(
    context: Mapping[str, Any],
    status_code: int,
    detail: str,
    code: str,
    details: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    shown = {k: v for k, v in (details or {}).items() if v}
    data = {"detail": detail, "code": code, "request_id": context["request"].request_id, **shown}
    return Response(data, status=status_code, headers=dict(headers or {}))


def _code(exc: exceptions.APIException) -> str:
    return "malformed" if isinstance(exc, exceptions.ParseError) else str(exc.get_codes())


def _headers(exc: exceptions.APIException) -> dict[str, str]:
    headers = {}
    if getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = exc.auth_header  # type: ignore[attr-defined]
    if getattr(exc, "wait", None):
        headers["Retry-After"] = str(int(exc.wait))  # type: ignore[attr-defined]
    return headers


def _flatten(detail: Any, path: str) -> Iterator[tuple[str, list[str]]]:
    """Nested errors as dotted paths: `{"messages": {3: {"role": […]}}}` becomes `messages.3.role`."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            is_whole = name == api_settings.NON_FIELD_ERRORS_KEY
            yield from _flatten(inner, path if is_whole else f"{path}.{name}" if path else str(name))
    elif isinstance(detail, Sequence) and not isinstance(detail, str):
        if all(isinstance(item, str) for item in detail):
            if detail:
                yield path or "body", [str(item) for item in detail]
            return
        for n, inner in enumerate(detail):
            yield from _flatten(inner, f"{path}.{n}" if path else str(n))
    else:
        yield path or "body", [str(detail)]
