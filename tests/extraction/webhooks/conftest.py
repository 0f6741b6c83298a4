"""A receiver of webhooks that a test scripts, and a space with an admin."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings

from topics.models import Space
from topics.services.spaces import create_space, set_member


@dataclass
class Receiver:
    """`answers` are (status, headers) in turn, the last one for ever; `got` are the (headers, body) that came."""

    url: str
    answers: list[tuple[int, dict[str, str]]] = field(default_factory=lambda: [(204, {})])
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A server on this machine, which the operator allows."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
            status, headers = found.answers.pop(0) if len(found.answers) > 1 else found.answers[0]
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0" if status == 204 else "4")
            self.end_headers()
            self.wfile.write(b"" if status == 204 else b"text")

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found = Receiver(f"http://localhost:{server.server_port}/hook?team=a")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with override_settings(INFINI_WEBHOOK_PRIVATE=True):
        yield found
    server.shutdown()
    server.server_close()


@pytest.fixture
def space(db: None) -> Space:
    return create_space(slug="acme")


@pytest.fixture
def admin(space: Space, client: Client) -> Client:
    person = User.objects.create_user("maya", password="secret-word")
    set_member(space=space, user=person, role="admin")
    client.force_login(person)
    return client
