"""`manage.py serve` as a real process: it serves, restarts what dies, and stops in order."""

import http.client
import json
import os
import re
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings

from infini.settings import DEFAULT_SECRET_KEY

MANAGE = [sys.executable, str(settings.BASE_DIR / "manage.py")]
PATIENCE_SECONDS = 60
STOP_SECONDS = 25  # gunicorn gives open requests 30, and nothing is open here


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def health(port: int) -> dict[str, str]:
    """The server's health, asked until it answers: it may be starting."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE_SECONDS) as answer:
                found: dict[str, str] = json.load(answer)
                return found
        except (urllib.error.URLError, OSError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def children(process: subprocess.Popen[str], word: str) -> list[int]:
    """The ids of the direct child processes whose command line holds the word."""
    listing = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], check=True, capture_output=True, text=True).stdout
    rows = [line.split(None, 2) for line in listing.splitlines()]
    return [int(pid) for pid, parent, command in rows if int(parent) == process.pid and word in command]


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite database with its tables, made once: migrating takes seconds."""
    file = tmp_path_factory.mktemp("migrated") / "memory.sqlite3"
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{file}", "CELERY_BROKER_URL": ""}
    subprocess.run([*MANAGE, "migrate", "-v0"], check=True, env=environment)
    return file


@pytest.fixture
def start(
    child_environment: dict[str, str], migrated_file: Path, tmp_path: Path
) -> Iterator[Callable[[int], subprocess.Popen[str]]]:
    """Starts servers on a database that is ready, and leaves none behind."""
    shutil.copyfile(migrated_file, tmp_path / "memory.sqlite3")
    environment = child_environment | {"DATABASE_URL": f"sqlite:///{tmp_path / 'memory.sqlite3'}"}
    started: list[subprocess.Popen[str]] = []

    def serve(port: int) -> subprocess.Popen[str]:
        command = [*MANAGE, "serve", "--port", str(port), "--threads", "2"]
        pipe = subprocess.PIPE
        started.append(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment))
        return started[-1]

    yield serve
    for process in started:
        if process.poll() is None:
            process.terminate()
            process.communicate(timeout=PATIENCE_SECONDS)


def test_what_never_reaches_the_application_is_refused_as_json(start: Callable[[int], subprocess.Popen[str]]) -> None:
    port = free_port()
    start(port)
    health(port)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/memory/query?q={'a' * 9000}")
    answer = json.load(refused.value)
    assert (refused.value.code, answer["code"]) == (414, "uri_too_long")
    assert refused.value.headers["X-Request-ID"] == answer["request_id"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_and_stops_cleanly(start: Callable[[int], subprocess.Popen[str]], number: signal.Signals) -> None:
    port = free_port()
    process = start(port)
    assert health(port) == {"status": "ok", "database": "ok"}
    below = children(process, "gunicorn") + children(process, "run_worker")
    idle = http.client.HTTPConnection("127.0.0.1", port)
    idle.request("GET", "/healthz")
    idle.getresponse().read()
    process.send_signal(number)
    out, err = process.communicate(timeout=STOP_SECONDS)
    assert idle.sock.recv(1) == b""
    assert process.returncode == 0, err
    assert f"http://127.0.0.1:{port}" in out
    assert "Traceback" not in err
    assert [pid for pid in below if is_alive(pid)] == []


def test_a_body_that_nobody_read_does_not_hold_up_the_next_request(
    start: Callable[[int], subprocess.Popen[str]],
) -> None:
    port = free_port()
    start(port)
    health(port)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=STOP_SECONDS)
    for n in range(40):
        body = b"" if n % 2 else b"x" * 20_000
        connection.request("PUT", "/api/v1/nowhere", body=body)
        refused = connection.getresponse()
        refused.read()
        assert refused.status == 404
    connection.close()


def test_idle_connections_are_left_to_clients_and_proxies_to_close() -> None:
    """Closing first would answer with a reset who sends a request at that moment. Proxies keep them for a minute."""
    assert runpy.run_path(str(settings.BASE_DIR / "gunicorn.conf.py"))["keepalive"] > 60


def test_a_process_that_dies_is_started_again(start: Callable[[int], subprocess.Popen[str]]) -> None:
    port = free_port()
    process = start(port)
    health(port)
    [first] = children(process, "gunicorn")
    os.kill(first, signal.SIGKILL)
    assert health(port) == {"status": "ok", "database": "ok"}
    wait_until(lambda: children(process, "gunicorn") not in ([], [first]))
    process.terminate()
    _, err = process.communicate(timeout=PATIENCE_SECONDS)
    assert "The web server ended (killed by SIGKILL). It starts again in 0.5 seconds." in err


@pytest.mark.skipif(sys.platform != "linux", reason="relies on Linux telling children of their parent's death")
def test_nothing_keeps_the_port_when_it_is_killed(start: Callable[[int], subprocess.Popen[str]]) -> None:
    port = free_port()
    process = start(port)
    health(port)
    below = children(process, "gunicorn") + children(process, "run_worker")
    process.kill()
    process.communicate(timeout=PATIENCE_SECONDS)
    wait_until(lambda: not any(is_alive(pid) for pid in below))
    start(port)
    assert health(port) == {"status": "ok", "database": "ok"}


def fail_to_serve(environment: dict[str, str], *arguments: str) -> str:
    """What `serve` says when it refuses to start."""
    command = [*MANAGE, "serve", *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, check=False, timeout=PATIENCE_SECONDS
    )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    return done.stderr


def test_a_busy_port_is_an_error_in_words(child_environment: dict[str, str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        error = fail_to_serve(child_environment, "--port", str(port))
    assert re.search(rf"Cannot listen on 127\.0\.0\.1:{port}: .*in use.* Choose another port", error)


def test_a_host_that_does_not_exist_is_an_error_in_words(child_environment: dict[str, str]) -> None:
    assert "Cannot listen on no-such-host.invalid" in fail_to_serve(child_environment, "--host", "no-such-host.invalid")


@pytest.mark.parametrize("port", ["99999", "-1", "http"])
def test_a_port_that_does_not_exist_is_an_error_in_words(child_environment: dict[str, str], port: str) -> None:
    assert "argument --port" in fail_to_serve(child_environment, f"--port={port}")


def test_a_database_that_does_not_answer_is_an_error_in_words(child_environment: dict[str, str]) -> None:
    environment = child_environment | {"DATABASE_URL": f"postgres://nobody@127.0.0.1:{free_port()}/none"}
    assert "The database does not answer" in fail_to_serve(environment, "--port", str(free_port()))


def test_the_default_secret_key_is_refused(child_environment: dict[str, str]) -> None:
    environment = child_environment | {"INFINI_SECRET_KEY": DEFAULT_SECRET_KEY, "INFINI_DEBUG": "0"}
    assert "infini.E001" in fail_to_serve(environment, "--port", str(free_port()))
