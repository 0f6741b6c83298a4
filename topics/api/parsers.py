"""Reading a request's body: bounded, UTF-8, JSON as the standard has it, and nothing that cannot be stored."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import IO, Any

from django.http import HttpRequest
from django.http.request import UnreadablePostError
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from topics.api.errors import TooLarge
from topics.errors import InvalidInput

BODY_LIMIT = 1_048_576

# Raw bytes cannot hold a NUL inside a JSON string or half a character in valid UTF-8: only escapes can.
_SUSPECT_ESCAPE = re.compile(r"\\u(?:0000|d[89a-f])", re.IGNORECASE)
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class JsonParser(BaseParser):
    """JSON in UTF-8. Refuses NaN, Infinity, numbers that overflow to them, and nesting too deep to read."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            text = stream.read().decode("utf-8")
            data = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
        except RecursionError as error:
            raise ParseError(_("The JSON is nested too deeply."), code="malformed") from error
        except ValueError as error:
            raise ParseError(_("The body is not valid JSON in UTF-8."), code="malformed") from error
        if _SUSPECT_ESCAPE.search(text):
            _refuse_unstorable(data)
        return data


def buffer_body(request: HttpRequest) -> bytes:
    """The whole body, read before anything parses it, chunked ones included. Raises TooLarge above BODY_LIMIT."""
    try:
        if int(request.META.get("CONTENT_LENGTH") or 0) > BODY_LIMIT:
            raise TooLarge
        if not request.META.get("CONTENT_LENGTH") and request.META.get("wsgi.input_terminated"):
            _take_chunked_body(request)
        return request.body
    except (UnreadablePostError, ValueError) as error:
        raise ParseError(_("The body could not be read."), code="malformed") from error


def _take_chunked_body(request: HttpRequest) -> None:
    """Django reads no body without Content-Length; the server has decoded the chunks and ends the stream itself."""
    body = request.environ["wsgi.input"].read(BODY_LIMIT + 1)  # type: ignore[attr-defined]
    if len(body) > BODY_LIMIT:
        raise TooLarge
    request.META["CONTENT_LENGTH"] = str(len(body))
    request._stream = io.BytesIO(body)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{digits} is out of range")
    return number


def _refuse_unstorable(data: Any) -> None:
    problem = _("The text holds a NUL character or half a character, which cannot be stored.")
    fields = {path: [problem] for path, text in _texts(data, "") if _UNSTORABLE.search(text)}
    if fields:
        raise InvalidInput(problem, fields=fields)


def _texts(data: Any, path: str) -> Iterator[tuple[str, str]]:
    """Every string of the data with the path of its field. A key belongs to the path of its object."""
    if isinstance(data, str):
        yield path or "body", data
    elif isinstance(data, list):
        for n, item in enumerate(data):
            yield from _texts(item, f"{path}.{n}" if path else str(n))
    elif isinstance(data, dict):
        for key, item in data.items():
            yield path or "body", key
            if not _UNSTORABLE.search(key):
                yield from _texts(item, f"{path}.{key}" if path else key)
