"""`run_worker`: polls the table, shares it with other workers, stops when told to, and outlives a missing database."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from extraction.models import Job, Proposal
from extraction.services.jobs import run_job
from tests.extraction.jobs.conftest import Handler
from tests.extraction.jobs.helpers import (
    PATIENCE,
    PROBE,
    child_environment,
    finish_messages,
    make_job,
    post,
    running,
    wait_until,
)
from topics.models import Space

pytestmark = pytest.mark.queue

WORKER = ["manage.py", "run_worker", "--poll", "0.05"]
ENDLESS = f"""
import time
import django
django.setup()
from django.core.management import call_command
from extraction.services import jobs
jobs.HANDLERS[{PROBE!r}] = lambda job: time.sleep(3600)
call_command("run_worker")
"""


@pytest.fixture
def _own_signals() -> Iterator[None]:
    """The command takes over two signals of the process it runs in; give them back."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def statuses() -> set[str]:
    return set(Job.objects.values_list("status", flat=True))


@pytest.mark.usefixtures("_own_signals")
def test_until_idle_runs_everything_that_is_due(space: Space, handle: Callable[[Handler], None]) -> None:
    handle(lambda job: lambda: finish_messages(job))
    for number in range(3):
        make_job(space, external_id=f"c{number}")
    call_command("run_worker", until_idle=True)
    assert statuses() == {Job.Status.DONE}


@pytest.mark.usefixtures("_own_signals")
def test_until_idle_does_not_wait_for_a_pause_to_end(space: Space) -> None:
    job = make_job(space, run_after=timezone.now() + timedelta(hours=1))
    call_command("run_worker", until_idle=True)
    job.refresh_from_db()
    assert (job.status, job.attempts) == (Job.Status.QUEUED, 0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.usefixtures("_own_signals")
def test_a_signal_lets_the_present_job_finish_and_leaves_the_rest(
    space: Space, handle: Callable[[Handler], None], number: int
) -> None:
    def prepare(job: Job) -> Callable[[], None]:
        os.kill(os.getpid(), number)
        return lambda: finish_messages(job)

    handle(prepare)
    for index in range(3):
        make_job(space, external_id=f"c{index}")
    call_command("run_worker", until_idle=True)
    assert sorted(Job.objects.values_list("status", flat=True)) == [
        Job.Status.DONE,
        Job.Status.QUEUED,
        Job.Status.QUEUED,
    ]


@pytest.mark.parametrize("poll", ["0", "-1", "nan", "inf"])
def test_a_poll_that_makes_no_sense_is_refused(poll: str) -> None:
    with pytest.raises(CommandError, match="--poll"):
        call_command("run_worker", "--poll", poll)


def test_workers_share_the_queue_and_read_each_conversation_once(space: Space, tmp_path: Path) -> None:
    posted = [post(space, number) for number in range(20)]
    command, environment = [*WORKER, "--until-idle"], child_environment()
    with (
        running(command, environment, tmp_path / "1.log") as first,
        running(command, environment, tmp_path / "2.log") as second,
    ):
        codes = (first.wait(PATIENCE), second.wait(PATIENCE))
    log = (tmp_path / "1.log").read_text() + (tmp_path / "2.log").read_text()
    assert codes == (0, 0), log
    assert set(Job.objects.values_list("status", "attempts")) == {(Job.Status.DONE, 1)}, log
    assert Proposal.objects.values("job").distinct().count() == len(posted)
    assert "database is locked" not in log


def test_a_worker_stops_cleanly_on_sigterm(space: Space, tmp_path: Path) -> None:
    post(space, 0)
    with running(WORKER, child_environment(), tmp_path / "worker.log") as worker:
        assert wait_until(lambda: statuses() == {Job.Status.DONE}), (tmp_path / "worker.log").read_text()
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(PATIENCE) == 0


def test_what_a_killed_worker_left_is_finished_by_the_next(space: Space, tmp_path: Path) -> None:
    posted = [post(space, number) for number in range(40)]
    environment = child_environment(INFINI_JOB_LEASE_SECONDS="1")
    log = tmp_path / "worker.log"
    with running(WORKER, environment, log) as worker:
        assert wait_until(lambda: Job.Status.DONE in statuses()), log.read_text()
        worker.send_signal(signal.SIGKILL)
        worker.wait(PATIENCE)
    with running([*WORKER, "--until-idle"], environment, log) as worker:
        assert worker.wait(PATIENCE) == 0, log.read_text()
    assert statuses() == {Job.Status.DONE}
    assert Proposal.objects.values("job").distinct().count() == len(posted)
    assert max(Job.objects.values_list("attempts", flat=True)) <= 2


def test_a_job_is_taken_over_when_its_worker_was_killed_in_the_middle(
    space: Space, handle: Callable[[Handler], None], tmp_path: Path
) -> None:
    handle(lambda job: lambda: finish_messages(job))
    job, log = make_job(space), tmp_path / "worker.log"

    def is_running() -> bool:
        job.refresh_from_db()
        return job.status == Job.Status.RUNNING

    with running(["-c", ENDLESS], child_environment(INFINI_JOB_LEASE_SECONDS="2"), log) as worker:
        assert wait_until(is_running), log.read_text()
        claimed_until = job.lease_until
        assert wait_until(lambda: Job.objects.get(pk=job.pk).lease_until != claimed_until), log.read_text()
        assert run_job(job.pk, worker="next") is False
        worker.kill()
        worker.wait(PATIENCE)
    assert wait_until(lambda: run_job(job.pk, worker="next"))
    job.refresh_from_db()
    assert (job.status, job.worker, job.attempts) == (Job.Status.DONE, "next", 2)


def test_a_second_signal_ends_a_worker_in_the_middle_of_a_job(space: Space, tmp_path: Path) -> None:
    make_job(space)
    log = tmp_path / "worker.log"
    with running(["-c", ENDLESS], child_environment(), log) as worker:
        assert wait_until(lambda: statuses() == {Job.Status.RUNNING}), log.read_text()

        def has_ended() -> bool:
            worker.send_signal(signal.SIGTERM)
            return worker.poll() is not None

        assert wait_until(has_ended)
        assert worker.returncode == -signal.SIGTERM
    assert statuses() == {Job.Status.RUNNING}


def test_a_worker_outlives_a_database_that_is_away(space: Space, tmp_path: Path) -> None:
    job, log = post(space, 0), tmp_path / "worker.log"
    with (
        database_away(tmp_path) as (url, bring_back),
        running([*WORKER, "--until-idle"], child_environment(DATABASE_URL=url), log) as worker,
    ):
        assert wait_until(lambda: log.read_text().count("database_unavailable") >= 2), log.read_text()
        assert worker.poll() is None
        bring_back()
        assert worker.wait(PATIENCE) == 0, log.read_text()
    job.refresh_from_db()
    assert job.status == Job.Status.DONE


@contextmanager
def database_away(tmp_path: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """The URL of this test's database, which refuses connections until the function is called."""
    if connection.vendor == "sqlite":
        place = tmp_path / "away.sqlite3"
        place.mkdir()

        def mend_file() -> None:
            place.rmdir()
            place.symlink_to(connection.settings_dict["NAME"])

        yield f"sqlite:///{place}", mend_file
        return

    def allow(is_allowed: bool) -> None:
        name = connection.ops.quote_name(connection.settings_dict["NAME"])
        with connection._nodb_cursor() as cursor:  # PostgreSQL refuses to close the database one is in
            cursor.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {is_allowed}")

    allow(False)
    try:
        yield child_environment()["DATABASE_URL"], lambda: allow(True)
    finally:
        allow(True)
