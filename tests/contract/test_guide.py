"""The commands of docs/api.md run as printed, against a server that is started as a user starts it."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from django.conf import settings

GUIDE = settings.BASE_DIR / "docs" / "api.md"
PATIENCE = 180.0


def manage(environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, check=True, capture_output=True, text=True, timeout=PATIENCE
    )
    return done.stdout.strip()


@pytest.fixture
def address(child_environment: dict[str, str]) -> Iterator[str]:
    """The address of a running server with an empty database."""
    manage(child_environment, "migrate", "--verbosity", "0")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    server = subprocess.Popen(
        command, cwd=settings.BASE_DIR, env=child_environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE)


def wait_for(address: str) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(f"{address}/healthz", timeout=5)
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail("The server did not start.")


def test_the_commands_of_the_guide_run_as_printed(address: str, child_environment: dict[str, str]) -> None:
    guide = GUIDE.read_text()
    for command in re.findall(r"^    python manage\.py (.+)$", guide, re.MULTILINE):
        arguments = [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', command)]
        key = manage(child_environment, *arguments)
    script = "\n".join(re.findall(r"^```sh\n(.*?)^```", guide, re.MULTILINE | re.DOTALL))
    assert script.count("api ") > 15
    environment = child_environment | {"API": f"{address}/api/v1", "KEY": key}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert "18,000 euros" in done.stdout
    assert "# Kitchen Miller" in done.stdout
    assert "The worktop will be oak." not in done.stderr
