"""`manage.py serve`: the web server and the worker in one terminal."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connections

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
LONG_ENOUGH_SECONDS = 60.0
"""A child that lived this long was healthy: its next restart is prompt again."""
STOP_SECONDS = 35.0
"""Gunicorn gives open requests 30 seconds; then we insist."""
LOOK_SECONDS = 0.1
PR_SET_PDEATHSIG = 1


@dataclass
class Child:
    """One process to keep alive. `start` begins it; a process that ends is begun again after a growing pause."""

    name: str
    start: Callable[[], subprocess.Popen[bytes]]
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    start_at: float = 0.0
    pause: float = field(default=FIRST_PAUSE_SECONDS)

    def keep_alive(self) -> str:
        """Restarts the process if it has ended and its pause is over. Returns what a person should read, or ""."""
        now = time.monotonic()
        if self.process is None:
            if now >= self.start_at:
                self.process, self.started_at = self.start(), now
            return ""
        code = self.process.poll()
        if code is None:
            return ""
        if now - self.started_at >= LONG_ENOUGH_SECONDS:
            self.pause = FIRST_PAUSE_SECONDS
        message = f"The {self.name} ended ({describe_exit(code)}). It starts again in {self.pause:g} seconds."
        self.process, self.start_at = None, now + self.pause
        self.pause = min(self.pause * 2, LONGEST_PAUSE_SECONDS)
        return message


class Command(BaseCommand):
    help = "Run the web server and the background worker until stopped. Needs nothing else to be running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="The address to listen on (default: %(default)s).")
        parser.add_argument("--port", type=port_number, default=settings.PORT, help="The port (default: PORT or 8000).")
        parser.add_argument("--threads", type=int, default=8, help="Requests served at once (default: %(default)s).")

    def handle(self, *, host: str, port: int, threads: int, **options: Any) -> None:
        self.check_database()
        if not Path(settings.STATIC_ROOT, "staticfiles.json").exists():  # every page would fail without it
            call_command("collectstatic", interactive=False, verbosity=0)
        listener = open_listener(host, port)
        children = [
            Child("web server", lambda: start_web_server(listener, threads)),
            Child("worker", start_worker),
        ]
        is_stopping = catch_stop_signals()
        self.stdout.write(f"Infini Memory listens at {address_of(listener)}  (Ctrl-C stops it)")
        self.stdout.flush()
        try:
            while not is_stopping():
                for child in children:
                    if message := child.keep_alive():
                        self.stderr.write(message)
                time.sleep(LOOK_SECONDS)
        finally:
            stop(children)
            listener.close()
        self.stdout.write("Stopped.")

    def check_database(self) -> None:
        """Fails now, in words, rather than later in each child. Leaves no connection open for them to share."""
        try:
            connections["default"].ensure_connection()
            self.check(tags=[Tags.database], databases=["default"])
        except OperationalError as error:
            raise CommandError(f"The database does not answer: {error}") from error
        finally:
            connections.close_all()


def port_number(text: str) -> int:
    """A TCP port; 0 lets the system choose. (The system itself would silently take 99999 for 34463.)"""
    number = int(text)
    if not 0 <= number <= 65535:
        raise ArgumentTypeError("a port lies between 0 and 65535")
    return number


def open_listener(host: str, port: int) -> socket.socket:
    """A listening socket. The web server inherits it, so callers wait rather than fail while it restarts."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(1024)
    except OSError as error:
        raise CommandError(f"Cannot listen on {host}:{port}: {error}. Choose another port with --port.") from error
    return listener


def address_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def start_web_server(listener: socket.socket, threads: int) -> subprocess.Popen[bytes]:
    number = listener.fileno()
    command = ["-m", "gunicorn", "infini.wsgi", "--bind", f"fd://{number}"]
    options = ["--threads", str(threads), "--log-level", "warning"]
    return start_python([*command, *options], pass_fds=[number])


def start_worker() -> subprocess.Popen[bytes]:
    return start_python([str(settings.BASE_DIR / "manage.py"), "run_worker"])


def start_python(arguments: list[str], pass_fds: list[int] | None = None) -> subprocess.Popen[bytes]:
    """Runs Python in a session of its own: Ctrl-C reaches us alone, and we stop the children in order."""
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=Path(settings.BASE_DIR),
        pass_fds=pass_fds or [],
        start_new_session=True,
        preexec_fn=end_with_parent if sys.platform == "linux" else None,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )


def end_with_parent() -> None:
    """Asks Linux to end this process when its parent is killed, so that none is left holding the port (prctl(2))."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def catch_stop_signals() -> Callable[[], bool]:
    """From now on SIGTERM and SIGINT are only noted; the function returned says whether one came."""
    received: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        received.append(number)

    signal.signal(signal.SIGTERM, note)
    signal.signal(signal.SIGINT, note)
    return lambda: bool(received)


def stop(children: list[Child]) -> None:
    """Asks every process to end, waits for all of them together, and kills what is still there."""
    running = [child.process for child in children if child.process is not None and child.process.poll() is None]
    for process in running:
        process.send_signal(signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS
    for process in running:
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def describe_exit(code: int) -> str:
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
