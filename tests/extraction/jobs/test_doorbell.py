"""The broker only rings: one place talks to it, a dead one costs no request, and a lost ring costs no job."""

from __future__ import annotations

import ast
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from kombu import Connection
from pytest_django import Settings

from extraction.models import Job, Proposal
from extraction.services.jobs import ring
from tests.extraction.jobs.helpers import PATIENCE, child_environment, post, running, wait_until
from topics.models import Space

pytestmark = pytest.mark.queue

SENDING = {"delay", "apply_async", "send_task"}
needs_broker = pytest.mark.skipif(not settings.CELERY_BROKER_URL, reason="no broker is configured (CELERY_BROKER_URL)")

POST_TWICE = """
import django
django.setup()
from extraction.services.intake import record_messages
from topics.models import Space
from topics.services.conversations import MessageInput
for number in range(2):
    message = MessageInput(role="user", content=f"Our budget is {number + 1} thousand dollars.")
    record_messages(space=Space.objects.get(), conversation=f"c{number}", messages=[message])
"""
RING_ONCE = """
import django
django.setup()
from extraction.models import Job
from extraction.services.jobs import ring
ring(Job.objects.order_by("pk").values_list("pk", flat=True)[0])
"""


def functions_that_send(source: Path) -> set[str]:
    """The names of the functions, or "module level", that call `.delay()`, `.apply_async()` or `.send_task()`."""
    found = set()

    def visit(node: ast.AST, function: str) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            function = node.name
        if isinstance(node, ast.Attribute) and node.attr in SENDING:
            found.add(function)
        for child in ast.iter_child_nodes(node):
            visit(child, function)

    visit(ast.parse(source.read_text(encoding="utf-8")), "module level")
    return found


def test_one_function_of_the_product_talks_to_the_broker() -> None:
    sources = [file for app in ("infini", "topics", "extraction") for file in (settings.BASE_DIR / app).rglob("*.py")]
    assert {source.name: found for source in sources if (found := functions_that_send(source))} == {"jobs.py": {"ring"}}


def test_without_a_broker_a_ring_opens_no_connection(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    dialled: list[object] = []
    monkeypatch.setattr(socket.socket, "connect", lambda self, address: dialled.append(address))
    settings.CELERY_BROKER_URL = ""
    ring(uuid4())
    assert dialled == []


@pytest.fixture
def silent_server() -> Iterator[tuple[int, list[object]]]:
    """The port of a server that accepts connections and then says nothing, and the callers it had."""
    callers: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    callers.append(server.accept())
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1], callers
        server.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("url", ["redis://127.0.0.1:{port}/0", "amqp://guest:guest@127.0.0.1:{port}//"])
def test_a_broker_that_does_not_answer_fails_no_request_and_is_left_alone_for_a_while(
    space: Space, tmp_path: Path, silent_server: tuple[int, list[object]], url: str
) -> None:
    port, callers = silent_server
    log = tmp_path / "post.log"
    environment = child_environment(CELERY_BROKER_URL=url.format(port=port), INFINI_SWEEP_SECONDS="600")
    with running(["-c", POST_TWICE], environment, log) as process:
        assert process.wait(PATIENCE) == 0, log.read_text()
    assert list(Job.objects.values_list("status", flat=True)) == [Job.Status.QUEUED] * 2
    assert log.read_text().count("broker_unreachable") == 1
    assert callers


@pytest.mark.parametrize("url", ["redis://127.0.0.1:{port}/0", "amqp://guest:guest@127.0.0.1:{port}//"])
def test_a_broker_that_is_down_fails_no_request(space: Space, tmp_path: Path, url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        closed_port = server.getsockname()[1]
    log = tmp_path / "post.log"
    with running(["-c", POST_TWICE], child_environment(CELERY_BROKER_URL=url.format(port=closed_port)), log) as process:
        assert process.wait(PATIENCE) == 0, log.read_text()
    assert list(Job.objects.values_list("status", flat=True)) == [Job.Status.QUEUED] * 2


@pytest.fixture
def celery_environment(space: Space) -> Iterator[dict[str, str]]:
    """The broker under test with a queue that no other test rings or hears, and that is gone afterwards."""
    queue = f"test-{uuid4()}"
    yield child_environment(CELERY_BROKER_URL=settings.CELERY_BROKER_URL, INFINI_QUEUE=queue, INFINI_SWEEP_SECONDS="1")
    with Connection(settings.CELERY_BROKER_URL) as broker:
        broker.default_channel.queue_delete(queue)


def celery_worker(*options: str) -> list[str]:
    return [
        "-m",
        "celery",
        "-A",
        "infini",
        "worker",
        "--pool",
        "solo",
        "--without-gossip",
        "--without-mingle",
        *options,
    ]


def all_are_done(count: int) -> bool:
    # A discovery may be queued for later besides.
    read = Job.objects.filter(kind=Job.Kind.EXTRACT)
    return list(read.values_list("status", flat=True)) == [Job.Status.DONE] * count


@needs_broker
def test_a_celery_worker_reads_what_was_posted(
    space: Space, tmp_path: Path, celery_environment: dict[str, str]
) -> None:
    log = tmp_path / "celery.log"
    with running(celery_worker(), celery_environment, log) as worker:
        with running(["-c", POST_TWICE], celery_environment, log) as process:
            assert process.wait(PATIENCE) == 0, log.read_text()
        assert wait_until(lambda: all_are_done(2)), log.read_text()
        worker.terminate()
        assert worker.wait(PATIENCE) == 0, log.read_text()
    assert Proposal.objects.values("job").distinct().count() == 2


@needs_broker
def test_one_ring_is_enough_to_work_off_what_has_lost_its_rings(
    space: Space, tmp_path: Path, celery_environment: dict[str, str]
) -> None:
    for number in range(5):
        post(space, number)
    log = tmp_path / "celery.log"
    with running(celery_worker(), celery_environment, log):
        with running(["-c", RING_ONCE], celery_environment, log) as process:
            assert process.wait(PATIENCE) == 0, log.read_text()
        assert wait_until(lambda: all_are_done(5)), log.read_text()


@needs_broker
def test_the_sweep_finds_a_job_that_nobody_rang_for(
    space: Space, tmp_path: Path, celery_environment: dict[str, str]
) -> None:
    post(space, 0)
    log = tmp_path / "celery.log"
    with running(celery_worker("--beat", "--schedule", str(tmp_path / "schedule")), celery_environment, log):
        assert wait_until(lambda: all_are_done(1)), log.read_text()
