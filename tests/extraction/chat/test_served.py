"""A stream through the real server: pieces arrive as they are written, and a reader who hangs up ends the call."""

from __future__ import annotations

import http.client
import json
import re
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from django.conf import settings

from tests.inference.wire import Wire, answer, fault
from tests.inference.wire import stream as streamed

MANAGE = [sys.executable, str(settings.BASE_DIR / "manage.py")]
PATIENCE = 60.0
SERVING_THREADS = 10  # eight that serve, one that listens, one that watches


def run(environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run([*MANAGE, *arguments], env=environment, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def environment(child_environment: dict[str, str], wire: Wire) -> dict[str, str]:
    return child_environment | {
        "OPENAI_BASE_URL": wire.url,
        "OPENAI_API_KEY": "wire-key",
        "INFINI_MODEL": "wire-model",
        "INFINI_HEARTBEAT_SECONDS": "0.3",
    }


class Server:
    """`manage.py serve` with a space and its key."""

    def __init__(self, environment: dict[str, str], port: int, process: subprocess.Popen[bytes]) -> None:
        run(environment, "create_space", "acme", "--review-policy", "automatic")
        self._key = run(environment, "create_api_key", "acme", "--scopes", "read,propose")
        self._environment = environment
        self.port = port
        self.process = process

    def chat(self, **more: object) -> http.client.HTTPResponse:
        """The response, of which only the head has been read."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        body = {"conversation": "c1", "message": "Hello", "stream": True, **more}
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        connection.request("POST", "/api/v1/agent/chat", json.dumps(body), headers)
        return connection.getresponse()

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self._environment["DATABASE_URL"].removeprefix("sqlite:///"))) as database:
            return database.execute(sql).fetchall()

    def run_script(self, script: str) -> str:
        """The output of shell commands that use the guide's variables."""
        environment = self._environment | {"API": f"http://127.0.0.1:{self.port}/api/v1", "KEY": self._key}
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def threads(self) -> int:
        """How many threads the web server has."""
        listing = subprocess.run(["ps", "-eo", "ppid=,pid=,nlwp=,args="], check=True, capture_output=True, text=True)
        rows = [line.split(None, 3) for line in listing.stdout.splitlines()]
        master = [pid for parent, pid, _n, args in rows if int(parent) == self.process.pid and "gunicorn" in args]
        return sum(int(n) for parent, _pid, n, _args in rows if parent in master)


@pytest.fixture
def server(environment: dict[str, str]) -> Iterator[Server]:
    run(environment, "migrate", "-v0")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [*MANAGE, "serve", "--port", str(port)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5)
                break
            except OSError:
                assert time.monotonic() < deadline
                time.sleep(0.1)
        yield Server(environment, port, process)
    finally:
        process.terminate()
        process.wait(PATIENCE)


def arrivals(response: http.client.HTTPResponse) -> list[tuple[str, float]]:
    """The first line of each event, and when it arrived."""
    return [(line.decode().strip(), time.monotonic()) for line in response if line.startswith((b"event:", b":"))]


def wait_for_the_end(server: Server, conversation: str) -> tuple[str, str]:
    """Outcome and answer of the last call about a conversation, once it has ended."""
    sql = f"SELECT outcome, answer FROM inference_modelcall WHERE reference = '{conversation}' ORDER BY started_at DESC"
    deadline = time.monotonic() + PATIENCE
    while (found := server.rows(sql)[0])[0] == "running":
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return found[0], found[1]


def test_a_stream_through_the_server(server: Server, wire: Wire) -> None:
    # Pieces arrive while the model still writes, with signs of life between them.
    wire.script(streamed("One", "two", "three", pause=0.8))
    response = server.chat()
    assert (response.status, response.getheader("X-Accel-Buffering")) == (200, "no")
    found = arrivals(response)
    deltas = [at for name, at in found if name == "event: delta"]
    assert [name for name, _at in found if name != ":"] == ["event: memory", *["event: delta"] * 3, "event: done"]
    assert deltas[1] - deltas[0] > 0.5
    assert deltas[2] - deltas[1] > 0.5
    assert ":" in [name for name, _at in found]

    # What fails before the first word has its status.
    wire.script(fault(401))
    response = server.chat()
    assert (response.status, json.load(response)["code"]) == (502, "model_rejected")

    # A reader who hangs up ends the call, and nothing of the reply is filed.
    wire.script(streamed(*["word "] * 400, pause=0.05))
    response = server.chat(conversation="c2")
    assert response.readline() == b"event: memory\n"
    response.close()
    outcome, answered = wait_for_the_end(server, "c2")
    assert outcome == "cut_off"
    assert answered.count("word") < 200
    roles = "SELECT role FROM topics_message m JOIN topics_conversation c ON m.conversation_id = c.id"
    assert server.rows(f"{roles} WHERE c.external_id = 'c2'") == [("user",)]

    # No thread is left behind.
    before = server.threads()
    for number in range(8):
        wire.script(streamed("One", "two", pause=0.05))
        arrivals(server.chat(conversation=f"d{number}"))
    assert server.threads() <= max(before, SERVING_THREADS)


def test_the_commands_of_the_guide_run_as_printed(server: Server, wire: Wire) -> None:
    guide = (settings.BASE_DIR / "docs" / "api.md").read_text()
    helpers = re.search(r"^```sh\n(api\(\).*?)^```", guide, re.MULTILINE | re.DOTALL)
    commands = re.findall(r"^```sh model\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    assert helpers
    assert len(commands) == 2
    for command, step in zip(
        commands, [answer("Oak, as you decided."), streamed("Oak, ", "as you decided.")], strict=True
    ):
        wire.script(step)
        out = server.run_script(helpers[1] + command)
        assert "as you decided." in out
    assert out.startswith("event: memory\n")
