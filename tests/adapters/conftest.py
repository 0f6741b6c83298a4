"""The adapters in their frameworks, against a server that is started as a user starts it, and a scripted model.

These tests run in the environments of `make adapters`, where neither Django nor the product is installed: the server is
a process of the product's own environment, on an SQLite database that is made for the session.
"""

from __future__ import annotations

import itertools
import os
import re
import subprocess
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import pytest_asyncio
from infini_client import AsyncClient, Client

from tests.inference import wire as wire_server

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = os.environ.get("INFINI_PYTHON", str(ROOT / ".venv" / "bin" / "python"))
PATIENCE = 180.0


@dataclass(frozen=True)
class Server:
    """A running installation."""

    url: str
    example_key: str
    environment: dict[str, str]
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def new_space(self, *, policy: str = "automatic", scopes: str = "read,write,review,admin") -> str:
        """A space of its own; the API key that opens it. Takes seconds: make one for a module."""
        slug = f"space-{next(self.numbers)}"
        space, key = ("create_space", slug, "--review-policy", policy), ("create_api_key", slug, "--scopes", scopes)
        return manage(self.environment, space, key).splitlines()[-1]


def manage(environment: dict[str, str], *commands: tuple[str, ...]) -> str:
    """What management commands print, one after the other in one process: to start one costs more than they do."""
    program = f"from django.core.management import call_command\nfor command in {commands!r}: call_command(*command)"
    command = [PRODUCT, "manage.py", "shell", "--no-imports", "--command", program]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Web server and worker, with the example space in the database."""
    environment = os.environ | {
        "DATABASE_URL": f"sqlite:///{tmp_path_factory.mktemp('server') / 'server.sqlite3'}",
        "CELERY_BROKER_URL": "",
        "INFINI_SECRET_KEY": "tests-only-" + "0123456789abcdef" * 4,
        "INFINI_MODEL": "",
        "INFINI_LOG_LEVEL": "WARNING",
        "PYTHONPATH": str(ROOT),
    }
    printed = manage(environment, ("migrate", "--verbosity", "0"), ("load_example",))
    loaded = re.search(r"API key +(\S+)", printed)
    assert loaded, "The example space was not loaded."
    process = subprocess.Popen(
        [PRODUCT, "manage.py", "serve", "--port", "0"],
        cwd=ROOT,
        env=environment | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address, "The server did not start."
        yield Server(address[0], loaded[1], environment)
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


@pytest.fixture(scope="session")
def example_key(server: Server) -> str:
    """The key of the example space, as `make run` prints it. Read it; what is written there shows in other tests."""
    return server.example_key


@pytest.fixture(scope="module")
def key(server: Server) -> str:
    """The key, with every scope, of a space that this module has to itself; what is found there needs no decision."""
    return server.new_space()


@pytest.fixture
def memory(server: Server, key: str) -> Iterator[Client]:
    with Client(server.url, key) as client:
        yield client


@pytest_asyncio.fixture
async def amemory(server: Server, key: str) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(server.url, key) as client:
        yield client


def wait_until_read(memory: Client, conversation: str) -> None:
    job = memory.read_now(conversation)
    if job is not None:
        memory.wait_for(job, timeout=PATIENCE)


@pytest.fixture
def wire() -> Iterator[wire_server.Wire]:
    """A model behind the OpenAI wire format that answers as the test scripts it; see tests/inference/wire.py."""
    with wire_server.serve() as served:
        yield served
