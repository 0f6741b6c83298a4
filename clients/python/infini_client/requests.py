"""What the two clients share: the settings of a connection, and a request before it is sent."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import httpx

from infini_client.errors import error_for
from infini_client.types import Message, as_time

BASE_PATH = "/api/v1"
# The server's limits for one call.
MESSAGES_A_CALL = 500
BYTES_A_CALL = 1_000_000
PAGE_SIZE = 200
# Where each kind of statement stands in an extraction.
LISTS = {"fact": "new_facts", "preference": "new_facts", "decision": "decisions", "status": "status_changes"}


@dataclass(frozen=True, slots=True)
class Request:
    """One request. A POST has an idempotency key from the start, so that every try of it is the same request."""

    method: str
    path: str
    params: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    if_match: str = ""
    idempotency_key: str = ""

    @property
    def may_repeat(self) -> bool:
        """Whether sending it twice does no more than sending it once. If-Match lets a second PATCH or DELETE fail."""
        return self.method in ("GET", "HEAD") or bool(self.idempotency_key)

    def headers(self) -> dict[str, str]:
        found = {"Idempotency-Key": self.idempotency_key, "If-Match": self.if_match}
        return {name: value for name, value in found.items() if value}


def get(*path: str, **params: Any) -> Request:
    return Request("GET", join(*path), params=_present(params))


def post(*path: str, body: Any = None, if_match: str = "", idempotency_key: str | None = None) -> Request:
    key = idempotency_key or str(uuid.uuid4())
    return Request("POST", join(*path), body=body or {}, if_match=if_match, idempotency_key=key)


def put(*path: str, body: Any, if_match: str = "") -> Request:
    return Request("PUT", join(*path), body=body, if_match=if_match)


def patch(*path: str, body: Mapping[str, Any], if_match: str) -> Request:
    return Request("PATCH", join(*path), body=_plain(body), if_match=if_match)


def delete(*path: str, if_match: str, **params: Any) -> Request:
    return Request("DELETE", join(*path), params=params, if_match=if_match)


def join(*path: str) -> str:
    """The path of an address; each part is one segment, whatever characters it has."""
    return "/".join((BASE_PATH, *(quote(part, safe="") for part in path)))


def with_values(**values: Any) -> dict[str, Any]:
    """The values that are given, times in ISO 8601."""
    return _plain(_present(values))


def batches(messages: Iterable[Message | Mapping[str, Any]]) -> list[list[dict[str, Any]]]:
    """The messages as JSON, in as many portions as the server's limits ask for."""
    portions: list[list[dict[str, Any]]] = []
    size = 0
    for message in messages:
        data = message.as_json() if isinstance(message, Message) else _plain(message)
        length = len(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")) + 2
        if not portions or len(portions[-1]) == MESSAGES_A_CALL or size + length > BYTES_A_CALL:
            portions.append([])
            size = 0
        portions[-1].append(data)
        size += length
    return portions


def recorded(
    topic: str, statements: Sequence[str], *, kind: str, by: str | None, contradicts: Mapping[str, str]
) -> tuple[list[Message], dict[str, Any]]:
    """The messages that carry statements, and the findings that quote them whole. Raises ValueError for no such kind.

    A message of the role `tool` is kept as evidence, and no extractor looks for more in it.
    """
    if kind not in LISTS:
        raise ValueError(f"A statement is one of {', '.join(LISTS)}, not {kind!r}.")
    now = datetime.now(UTC)
    messages = [Message(text, "tool", str(uuid.uuid4()), by, now) for text in statements]
    findings = [{"text": m.content, "kind": kind, "quotes": [{"message": m.id, "text": m.content}]} for m in messages]
    held = [{"with_fact": contradicts[text], "proposed": text} for text in statements if text in contradicts]
    place = {"id": topic} if is_id(topic) else {"name": topic}
    return messages, {"topic": place, LISTS[kind]: findings, "conflicts": held}


def is_id(text: str) -> bool:
    """Whether the text can only be an id of the server's."""
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False


def connection(base_url: str | None, api_key: str | None) -> tuple[str, dict[str, str]]:
    """The server's address and the headers of every request.

    Both may come from the environment: INFINI_URL and INFINI_API_KEY. White space around them, as of a line in a file,
    is no part of them. Raises ValueError, which never shows the key, where one is missing or cannot be one.
    """
    address = (base_url or os.environ.get("INFINI_URL", "")).strip()
    key = (api_key or os.environ.get("INFINI_API_KEY", "")).strip()
    if not address:
        raise ValueError("Give the server's address: base_url, or INFINI_URL in the environment.")
    if not key:
        raise ValueError("Give the key: api_key, or INFINI_API_KEY in the environment.")
    if not address.startswith(("http://", "https://")):
        raise ValueError(f"The server's address begins with http:// or https://, unlike {address}")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ValueError("This is no key of the server: it holds white space or characters that no key has.")
    return address.rstrip("/"), {"Authorization": f"Bearer {key}", "Accept": "application/json"}


def body_of(response: httpx.Response) -> Any:
    """The JSON of a response; None where it has none, for a proxy may have answered."""
    try:
        return response.json()
    except ValueError:
        return None


def checked(response: httpx.Response) -> Any:
    """The JSON of a good response (None for 204). Raises the ApiError that another stands for."""
    body = body_of(response)
    if response.status_code == 204:
        return None
    if not response.is_success or body is None:
        raise error_for(response.status_code, body)
    return body


def next_page(page: Mapping[str, Any]) -> Request | None:
    """The request for the page after this one."""
    address = page.get("next")
    if not address:
        return None
    url = httpx.URL(address)
    return Request("GET", url.path, params=dict(url.params))


def next_cursor(page: Mapping[str, Any]) -> str | None:
    """The cursor of the page after this one; None for the last."""
    request = next_page(page)
    return str(request.params["cursor"]) if request else None


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: as_time(value) if isinstance(value, datetime) else value for name, value in values.items()}
