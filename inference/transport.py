"""One HTTP exchange with an endpoint, through the `openai` package: bytes out, bytes in, or one of our errors.

Nothing of the endpoint's own words gets into a message for people: they may repeat the key or the prompt. They are
kept in `detail`, without the key, for the row of the call that admins can read.

Importing `openai` takes a second. Whoever does not call a model should not wait for it: import this module late.
"""

from __future__ import annotations

import json
import math
import re
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any, Literal

import httpx2
import openai
from django.conf import settings
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from inference.completion import WORDS_LIMIT, not_the_api, parse_object
from inference.endpoints import Endpoint
from inference.errors import (
    CutOff,
    EndpointRejected,
    InferenceError,
    NotUnderstood,
    RateLimited,
    Refused,
    Unavailable,
    Unreadable,
)
from inference.traits import Body

Resource = Literal["chat", "embeddings"]

# Bytes. An answer of 2,000 tokens has some 10 kB; a batch of vectors has a few MB.
ANSWER_LIMITS: dict[Resource, int] = {"chat": 1024 * 1024, "embeddings": 64 * 1024 * 1024}
RETRY_AFTER_LIMIT = 24 * 3600.0
NO_KEY = "none"  # the package insists on one; it is taken out of the request again

# The last three: an answer, or an event of a stream, that is no JSON.
_FAILURES = (
    openai.APIError,
    httpx2.HTTPError,
    httpx2.StreamError,
    httpx2.InvalidURL,
    json.JSONDecodeError,
    UnicodeDecodeError,
    RecursionError,
)
_TRANSIENT = frozenset({408, 409, 425, 429})
_TOO_LONG = re.compile(
    r"context.?length|context.?window|maximum context|context size|prompt is too long|too many tokens|"
    r"input (is|was) too long|reduce the length|exceeds? the (available )?context",
    re.I,
)
_FILTERED = re.compile(r"content.?filter|content management policy|content.?policy|safety system", re.I)
_BAD_KEY = re.compile(
    r"(api|access|auth\w*)[ _-]?(key|token)\b.{0,40}(invalid|incorrect|missing|not valid)|"
    r"(invalid|incorrect|missing|no) (api|access|auth\w*)[ _-]?(key|token)",
    re.I,
)
_NO_MODEL = re.compile(
    r"model_not_found|(unknown|invalid) model\b|no such model|"
    r"model\b.{0,120}?(not found|does ?n[o']t exist|not exist|not loaded)",
    re.I | re.S,
)


class Deadline:
    """Ends an exchange after `seconds`, whatever it is doing, by shutting its sockets down from another thread.

    Timeouts of the HTTP library start anew with each byte; an endpoint that sends one now and then outlasts them all.
    """

    def __init__(self, seconds: float) -> None:
        self.has_passed = False
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def watch(self, request: httpx2.Request) -> None:
        """Learn of the sockets that this request opens (a hook of the HTTP client)."""
        request.extensions["trace"] = self._trace

    def start(self) -> None:
        self._timer.start()

    def close(self) -> None:
        self._timer.cancel()

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        stream = info.get("return_value")
        if not event.endswith((".connect_tcp.complete", ".start_tls.complete")) or stream is None:
            return
        with self._lock:
            self._sockets.append(stream.get_extra_info("socket"))
            if self.has_passed:
                self._shut()

    def _end(self) -> None:
        with self._lock:
            self.has_passed = True
            self._shut()

    def _shut(self) -> None:
        for opened in self._sockets:
            with suppress(OSError):  # a plain socket that TLS took over, or one closed already
                socket.socket.shutdown(opened, socket.SHUT_RDWR)


def post(endpoint: Endpoint, resource: Resource, body: Body) -> bytes:
    """The whole body of the endpoint's answer, whose status was 2xx."""
    with _exchange(endpoint) as client:
        create: Any = {"chat": client.chat.completions, "embeddings": client.embeddings}[resource]
        with create.with_streaming_response.create(**_arguments(body)) as response:
            return _read_all(response.iter_bytes(), ANSWER_LIMITS[resource])


def post_for_events(endpoint: Endpoint, body: Body) -> Iterator[dict[str, Any]]:
    """The events of a streamed chat completion. An endpoint that does not stream yields its whole answer as one."""
    with _exchange(endpoint) as client:
        events: Any = client.chat.completions.create(**_arguments(body), stream=True)
        with closing(events):
            if "event-stream" not in events.response.headers.get("content-type", ""):
                yield parse_object(_read_all(events.response.iter_bytes(), ANSWER_LIMITS["chat"]))
                return
            for event in events:
                if not isinstance(event, openai.BaseModel):
                    raise not_the_api()
                yield event.model_dump(warnings=False)


def _arguments(body: Body) -> Body:
    """As keywords of the package's methods, which are to send the body as it stands, unknown to them or not."""
    return {"model": body["model"], "extra_body": body} | (
        {"messages": []} if "messages" in body else {"input": [], "encoding_format": "float"}
    )


def _read_all(pieces: Iterator[bytes], limit: int) -> bytes:
    content = bytearray()
    for piece in pieces:
        content += piece
        if len(content) > limit:
            raise Unreadable(_("The endpoint's answer is far too long."))
    return bytes(content)


@contextmanager
def _exchange(endpoint: Endpoint) -> Iterator[openai.OpenAI]:
    """A client for one exchange, under its deadline, whose errors are ours."""
    deadline = Deadline(endpoint.patience or settings.INFINI_MODEL_TIMEOUT)

    def prepare(request: httpx2.Request) -> None:
        deadline.watch(request)
        if not endpoint.api_key:
            request.headers.pop("Authorization", None)

    timeout = httpx2.Timeout(settings.INFINI_MODEL_READ_TIMEOUT, connect=settings.INFINI_MODEL_CONNECT_TIMEOUT)
    # Redirects are not followed: they would take the prompt to an address that nobody set.
    http = httpx2.Client(verify=_tls(), timeout=timeout, follow_redirects=False, event_hooks={"request": [prepare]})
    try:
        client = openai.OpenAI(
            base_url=endpoint.base_url,
            api_key=endpoint.api_key or NO_KEY,
            max_retries=0,
            timeout=timeout,
            http_client=http,
        )
        deadline.start()
        with closing(deadline), http:
            yield client
        if deadline.has_passed:  # a body without a length seems complete when its connection is shut
            raise _too_late(endpoint)
    except _FAILURES as error:
        # `from None`: the chain would carry the endpoint's words into logs.
        raise _translate(error, endpoint, has_timed_out=deadline.has_passed) from None


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    """Loading the certificates takes longer than the rest of a request's preparation."""
    return httpx2.create_ssl_context()


# ------------------------------------------------------------------------------------------------------------ errors


def _translate(error: Exception, endpoint: Endpoint, *, has_timed_out: bool) -> InferenceError:
    timeouts = (openai.APITimeoutError, httpx2.TimeoutException)
    host = endpoint.host
    if isinstance(error, openai.APIStatusError):
        return _translate_status(error, endpoint)
    words = _words(str(error), endpoint)
    if has_timed_out or isinstance(error, timeouts):
        return _too_late(endpoint, words)
    if isinstance(error, (openai.APIConnectionError, httpx2.TransportError)):
        cause = _words(repr(error.__cause__ or error), endpoint)
        message = _("The connection to the model at {host} failed or broke off.")
        return Unavailable(format_lazy(message, host=host), detail=cause)
    if isinstance(error, httpx2.InvalidURL):
        return EndpointRejected(format_lazy(_("{host} is not an address that can be reached."), host=host))
    if type(error) is openai.APIError:  # an error event in the middle of a stream
        return Unavailable(format_lazy(_("The model at {host} broke its answer off."), host=host), detail=words)
    return not_the_api(words)


def _too_late(endpoint: Endpoint, words: str = "") -> Unavailable:
    return Unavailable(format_lazy(_("The model at {host} did not answer in time."), host=endpoint.host), detail=words)


def _translate_status(error: openai.APIStatusError, endpoint: Endpoint) -> InferenceError:
    status, host = error.status_code, endpoint.host
    words = _words(_body_of(error), endpoint)
    if status in _TRANSIENT or status >= 500:
        wait = read_retry_after(error.response.headers)
        if status == 429:
            message = format_lazy(_("The model at {host} asks for a pause (429)."), host=host)
            return RateLimited(message, retry_after=wait, detail=words)
        message = format_lazy(_("The model at {host} is out of order ({status})."), host=host, status=status)
        return Unavailable(message, retry_after=wait, detail=words)
    if status in (401, 403, 407) or (status == 400 and _BAD_KEY.search(words)):
        message = _("{host} rejected the API key ({status}). Check the key and what it is allowed to do.")
        return EndpointRejected(format_lazy(message, host=host, status=status), detail=words)
    if status in (404, 400, 422) and _NO_MODEL.search(words):
        message = _("{host} has no model named {model}.")
        return EndpointRejected(format_lazy(message, host=host, model=endpoint.model), detail=words)
    if status == 404 or 300 <= status < 400:
        message = _("There is no model API at this address of {host} ({status}).")
        return EndpointRejected(format_lazy(message, host=host, status=status), detail=words)
    if status == 413 or _TOO_LONG.search(words):
        return CutOff(_("The text is too long for the model."), detail=words)
    if _FILTERED.search(words):
        return Refused(_("A content filter of the endpoint withheld the answer."), detail=words)
    message = format_lazy(_("{host} rejected the request ({status})."), host=host, status=status)
    return NotUnderstood(message, detail=words)


def _body_of(error: openai.APIStatusError) -> str:
    with suppress(httpx2.StreamError, httpx2.DecodingError):
        return error.response.text
    return str(error)


def _words(text: str, endpoint: Endpoint) -> str:
    """The endpoint's own words, without the key and not too many of them."""
    if endpoint.api_key:
        text = text.replace(endpoint.api_key, "***")
    return " ".join(text.split())[:WORDS_LIMIT]


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds from now that `Retry-After` (RFC 9110, section 10.2.3: seconds or a date) asks for, at most a day."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            moment = parsedate_to_datetime(value)
        except ValueError:
            return None
        seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return min(RETRY_AFTER_LIMIT, max(0.0, seconds)) if math.isfinite(seconds) else None
