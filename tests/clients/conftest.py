"""The client against the real server, and against one that fails as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from infini_client import AsyncClient, Client, Retries

from topics.models import Space
from topics.services.spaces import create_api_key, create_space

EAGER = Retries(first=0.01, longest=0.02)


@pytest.fixture
def space(transactional_db: None) -> Space:
    """A space whose statements need no decision."""
    return create_space(slug="robots", review_policy="automatic")


@pytest.fixture
def key(space: Space) -> str:
    return create_api_key(space=space, scopes=("read", "write", "review", "admin"))[1]


@pytest.fixture
def memory(live_server: Any, key: str) -> Iterator[Client]:
    with Client(live_server.url, key) as client:
        yield client


@pytest.fixture
def amemory(live_server: Any, key: str) -> AsyncClient:
    """To be used with `async with` by the test."""
    return AsyncClient(live_server.url, key)


@dataclass
class Step:
    """One answer: a status, headers and a body, or no answer at all: the connection is cut."""

    status: int = 200
    body: Any = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False


class Scripted:
    """A server that answers with the steps in turn, the last one again and again, and keeps what it was asked."""

    def __init__(self, *steps: Step) -> None:
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        left = list(steps)
        requests = self.requests

        class Handler(BaseHTTPRequestHandler):
            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                requests.append((self.command, self.path, dict(self.headers), body))
                step = left.pop(0) if len(left) > 1 else left[0]
                if step.cut:
                    self.connection.close()
                    return
                data = step.body if isinstance(step.body, bytes) else json.dumps(step.body).encode()
                self.send_response(step.status)
                for name, value in {"Content-Length": str(len(data)), **step.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PATCH = do_DELETE = _answer

            def log_message(self, format: str, *args: Any) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def scripted() -> Iterator[Callable[..., Scripted]]:
    made: list[Scripted] = []

    def make(*steps: Step) -> Scripted:
        made.append(Scripted(*steps))
        return made[-1]

    yield make
    for server in made:
        server.close()
