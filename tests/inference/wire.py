"""A model endpoint for tests: a real HTTP server in a thread that speaks the OpenAI wire format, as well or as badly
as a test scripts it.

    with serve() as wire:
        wire.script(fault(503), answer("hello"))     # the next two requests, in this order
        wire.always(answer("hello"))                  # every request after that
        ... the product calls wire.url ...
        assert wire.requests[0].json["model"] == "wire-model"

A step is a `Reply`, or a function that makes one of the `Request`. `wire.requests` holds every request received.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Request:
    path: str
    headers: Mapping[str, str]  # names in lower case
    body: bytes
    at: float  # time.monotonic() of its arrival

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.body)


class Disconnect:
    """In the pieces of a reply: close the connection here, without an end."""


DISCONNECT = Disconnect()


@dataclass(frozen=True)
class Reply:
    """What to send. `pieces` are bytes to send, seconds to wait (float), or DISCONNECT.

    `status` None sends no head: pieces only. With `with_length` the Content-Length is that of all bytes, so that a
    DISCONNECT before the last is a cut; without it the body ends where the connection does.
    """

    status: int | None = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    pieces: Sequence[bytes | float | Disconnect] = ()
    content_type: str = "application/json"
    with_length: bool = True


Step = Reply | Callable[[Request], Reply]


# --------------------------------------------------------------------------------------------------------- replies


def answer(
    content: str | None,
    *,
    finish_reason: str | None = "stop",
    usage: dict[str, int] | None = None,
    **message: Any,
) -> Reply:
    """A chat completion; further keywords (`refusal`, `tool_calls`, `reasoning_content`) go into its message."""
    return as_json(completion(content, finish_reason=finish_reason, usage=usage, **message))


def answer_json(data: Any, **options: Any) -> Reply:
    """A chat completion whose content is JSON."""
    return answer(json.dumps(data, ensure_ascii=False), **options)


def completion(
    content: str | None, *, finish_reason: str | None = "stop", usage: dict[str, int] | None = None, **message: Any
) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "wire-model",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content, **message},
                "finish_reason": finish_reason,
            }
        ],
        "usage": usage or {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def as_json(data: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    return Reply(status=status, headers=headers or {}, pieces=[json.dumps(data).encode()])


def fault(
    status: int,
    message: str = "the endpoint is out of order",
    *,
    code: str | None = None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """An error in the wire format."""
    error = {"message": message, "type": "error", "code": code, "param": param}
    return as_json({"error": error}, status=status, headers=headers)


def stream(
    *texts: str,
    finish_reason: str | None = "stop",
    usage: bool = True,
    pause: float = 0.0,
    cut_after: int | None = None,
) -> Reply:
    """Server-sent events with one delta for each text; `cut_after` closes the connection after so many of them."""
    deltas: list[dict[str, Any]] = [{"delta": {"content": text}, "finish_reason": None} for text in texts]
    events = [event({"choices": [{"index": 0, **delta}]}) for delta in deltas]
    if cut_after is None:
        events.append(event({"choices": [{"index": 0, "delta": {}, "finish_reason": finish_reason}]}))
        if usage:
            numbers = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
            events.append(event({"choices": [], "usage": numbers}))
        events.append(b"data: [DONE]\n\n")
    pieces: list[bytes | float | Disconnect] = []
    for item in events[:cut_after]:
        pieces += [item, pause] if pause else [item]
    if cut_after is not None:
        pieces.append(DISCONNECT)
    return Reply(pieces=pieces, content_type="text/event-stream", with_length=cut_after is not None)


def event(data: dict[str, Any]) -> bytes:
    data = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "wire-model"} | data
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def slowly(reply: Reply, *, pause: float, size: int = 1) -> Reply:
    """The same reply, `size` bytes at a time with `pause` seconds between them."""
    whole = b"".join(piece for piece in reply.pieces if isinstance(piece, bytes))
    pieces: list[bytes | float | Disconnect] = []
    for start in range(0, len(whole), size):
        pieces += [whole[start : start + size], pause]
    return Reply(reply.status, reply.headers, pieces, reply.content_type, reply.with_length)


def embeddings(vectors: Sequence[Sequence[float]]) -> Reply:
    """The answer of an embeddings endpoint."""
    data = [{"object": "embedding", "index": i, "embedding": list(vector)} for i, vector in enumerate(vectors)]
    usage = {"prompt_tokens": 5, "total_tokens": 5}
    return as_json({"object": "list", "model": "wire-embedding", "data": data, "usage": usage})


# ---------------------------------------------------------------------------------------------------------- server


class Wire:
    """The server as a test sees it. `url` is the base URL to configure."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.url = f"http://127.0.0.1:{server.server_port}/v1"
        self.host = f"127.0.0.1:{server.server_port}"
        self.requests: list[Request] = []
        self._steps: deque[Step] = deque()
        self._default: Step = fault(500, "nothing is scripted")
        self._lock = threading.Lock()

    def script(self, *steps: Step) -> None:
        """What the next requests are answered with, one step each."""
        with self._lock:
            self._steps.extend(steps)

    def always(self, step: Step) -> None:
        """What every request is answered with once the script is used up."""
        with self._lock:
            self._default = step

    def reply_to(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
            step = self._steps.popleft() if self._steps else self._default
        return step if isinstance(step, Reply) else step(request)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64
    wire: Wire

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what many tests are about."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        request = Request(
            self.path, {name.lower(): value for name, value in self.headers.items()}, body, time.monotonic()
        )
        reply = self.server.wire.reply_to(request)
        self.close_connection = True
        with suppress(ConnectionError):
            self.send(reply)

    do_GET = do_POST

    def send(self, reply: Reply) -> None:
        if reply.status is not None:
            self.send_response(reply.status)
            for name, value in {"Content-Type": reply.content_type, "Connection": "close", **reply.headers}.items():
                self.send_header(name, value)
            if reply.with_length:
                self.send_header("Content-Length", str(sum(len(p) for p in reply.pieces if isinstance(p, bytes))))
            self.end_headers()
        for piece in reply.pieces:
            if isinstance(piece, bytes):
                self.wfile.write(piece)
                self.wfile.flush()
            elif isinstance(piece, Disconnect):
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            else:
                time.sleep(piece)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serve() -> Iterator[Wire]:
    """Run the server on a free port of the loopback until the block ends."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.wire = Wire(server)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.wire
    finally:
        server.shutdown()
        server.server_close()
