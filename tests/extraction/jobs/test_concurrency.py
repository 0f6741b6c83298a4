"""Many workers, one queue: exactly one claims a job, its lease is kept while it works, and the order is fair."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, connections
from django.utils import timezone
from pytest_django import Settings

from extraction.extractors.protocol import ExtractionError
from extraction.models import Job
from extraction.selectors.queue import due_jobs, is_idle
from extraction.services.jobs import retry_job, run_job
from tests.extraction.jobs.conftest import Handler
from tests.extraction.jobs.helpers import expire_lease, finish_messages, make_job, make_space, wait_until
from topics.errors import WrongState
from topics.models import Space

pytestmark = pytest.mark.queue


def at_once(count: int, act: Callable[[int], bool]) -> list[bool]:
    """The results of `count` threads, each with its own connection, that start together."""
    barrier = threading.Barrier(count)

    def run(number: int) -> bool:
        try:
            barrier.wait()
            return act(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def count_writes(handle: Callable[[Handler], None]) -> list[object]:
    """Register work that notes each job it writes."""
    written: list[object] = []

    def prepare(job: Job) -> Callable[[], None]:
        def write() -> None:
            finish_messages(job)
            written.append(job.pk)

        return write

    handle(prepare)
    return written


def test_of_many_workers_that_claim_at_once_one_wins(space: Space, handle: Callable[[Handler], None]) -> None:
    written = count_writes(handle)
    for number in range(5):
        job = make_job(space, external_id=f"c{number}")
        won = at_once(4, lambda worker, pk=job.pk: run_job(pk, worker=f"w{worker}"))  # type: ignore[misc]
        assert sorted(won) == [False, False, False, True]
    assert len(written) == len(set(written)) == 5
    assert set(Job.objects.values_list("status", "attempts")) == {(Job.Status.DONE, 1)}


def test_of_many_workers_that_take_over_at_once_one_wins(space: Space, handle: Callable[[Handler], None]) -> None:
    written = count_writes(handle)
    job = make_job(space, status=Job.Status.RUNNING, attempts=1, fence=1)
    expire_lease(job)
    assert sorted(at_once(4, lambda worker: run_job(job.pk, worker=f"w{worker}"))) == [False, False, False, True]
    assert written == [job.pk]


def test_of_many_retries_at_once_one_is_accepted(space: Space) -> None:
    job = make_job(space, status=Job.Status.FAILED, attempts=5)

    def retry(number: int) -> bool:
        try:
            retry_job(job=Job.objects.get(pk=job.pk))
        except WrongState:
            return False
        return True

    assert sorted(at_once(4, retry)) == [False, False, False, True]


def test_a_lease_is_renewed_while_the_work_goes_on(
    space: Space, handle: Callable[[Handler], None], settings: Settings
) -> None:
    settings.INFINI_JOB_LEASE_SECONDS = 3
    was_renewed: list[bool] = []

    def prepare(job: Job) -> Callable[[], None]:
        claimed_until = Job.objects.get(pk=job.pk).lease_until
        was_renewed.append(wait_until(lambda: Job.objects.filter(pk=job.pk, lease_until__gt=claimed_until).exists()))
        return lambda: finish_messages(job)

    handle(prepare)
    job = make_job(space)
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert was_renewed == [True]
    assert (job.status, job.attempts) == (Job.Status.DONE, 1)


def test_a_lease_that_was_lost_is_not_renewed(
    space: Space, handle: Callable[[Handler], None], settings: Settings
) -> None:
    settings.INFINI_JOB_LEASE_SECONDS = 0.3
    lease_of_the_other = timezone.now() + timedelta(minutes=5)

    def prepare(job: Job) -> Callable[[], None]:
        Job.objects.filter(pk=job.pk).update(fence=job.fence + 1, lease_until=lease_of_the_other, worker="other")
        assert wait_until(lambda: f"lease-{job.pk}" not in {thread.name for thread in threading.enumerate()})
        return lambda: finish_messages(job)

    handle(prepare)
    job = make_job(space)
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert (job.status, job.worker, job.lease_until) == (Job.Status.RUNNING, "other", lease_of_the_other)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="only a server can drop a connection")
def test_a_dropped_connection_does_not_end_the_renewal(
    space: Space, handle: Callable[[Handler], None], settings: Settings
) -> None:
    settings.INFINI_JOB_LEASE_SECONDS = 1.5

    def drop_other_connections() -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            return int(cursor.fetchone()[0])

    def prepare(job: Job) -> Callable[[], None]:
        assert wait_until(lambda: drop_other_connections() > 0)
        seen = Job.objects.get(pk=job.pk).lease_until
        assert wait_until(lambda: Job.objects.filter(pk=job.pk, lease_until__gt=seen).exists())
        return lambda: finish_messages(job)

    handle(prepare)
    job = make_job(space)
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert (job.status, job.error) == (Job.Status.DONE, "")


def test_a_renewal_thread_ends_with_its_job(space: Space, handle: Callable[[Handler], None]) -> None:
    def prepare(job: Job) -> Callable[[], None]:
        assert f"lease-{job.pk}" in {thread.name for thread in threading.enumerate()}
        raise ExtractionError("no")

    handle(prepare)
    job = make_job(space)
    run_job(job.pk, worker="w")
    assert f"lease-{job.pk}" not in {thread.name for thread in threading.enumerate()}


def test_due_jobs_come_oldest_first(space: Space) -> None:
    now = timezone.now()
    late, early, lapsed = (make_job(space, external_id=name) for name in ("late", "early", "lapsed"))
    Job.objects.filter(pk=late.pk).update(run_after=now - timedelta(seconds=1))
    Job.objects.filter(pk=early.pk).update(run_after=now - timedelta(seconds=60))
    Job.objects.filter(pk=lapsed.pk).update(
        status=Job.Status.RUNNING, run_after=now - timedelta(seconds=90), lease_until=now - timedelta(seconds=1)
    )
    assert [job.pk for job in due_jobs(limit=10)] == [lapsed.pk, early.pk, late.pk]
    assert [job.pk for job in due_jobs(limit=2)] == [lapsed.pk, early.pk]


def test_what_is_not_due_is_not_listed(space: Space) -> None:
    soon = timezone.now() + timedelta(minutes=1)
    make_job(space, external_id="later", run_after=soon)
    make_job(space, external_id="running", status=Job.Status.RUNNING, lease_until=soon)
    make_job(space, external_id="done", status=Job.Status.DONE)
    make_job(space, external_id="failed", status=Job.Status.FAILED)
    assert list(due_jobs(limit=10)) == []


def test_a_space_with_many_jobs_does_not_keep_another_waiting(space: Space) -> None:
    many = [make_job(space, external_id=f"c{number}") for number in range(4)]
    other = make_job(make_space("other"))
    assert [job.pk for job in due_jobs(limit=3)] == [many[0].pk, other.pk, many[1].pk]


def test_idle_means_nothing_due_and_nothing_running(space: Space) -> None:
    assert is_idle()
    job = make_job(space)
    assert not is_idle()
    Job.objects.filter(pk=job.pk).update(status=Job.Status.RUNNING, lease_until=timezone.now() + timedelta(minutes=1))
    assert not is_idle()
    Job.objects.filter(pk=job.pk).update(status=Job.Status.QUEUED, run_after=timezone.now() + timedelta(minutes=1))
    assert is_idle()
