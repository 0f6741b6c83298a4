"""A job is claimed, prepared outside any transaction, written once, and ends as done."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from extraction.models import Job, MessageOutcome
from extraction.services.gathering import enqueue_extraction
from extraction.services.jobs import run_job
from tests.extraction.jobs.conftest import Handler
from tests.extraction.jobs.helpers import expire_lease, finish_messages, make_job, make_space, store_conversation
from topics.models import Conversation, Space

pytestmark = pytest.mark.queue


def finish(job: Job) -> Callable[[], None]:
    return lambda: finish_messages(job)


def test_a_job_ends_as_done_and_shows_who_ran_it(space: Space, handle: Callable[[Handler], None]) -> None:
    handle(finish)
    job = make_job(space, messages=3)
    assert run_job(job.pk, worker="host:1") is True
    job.refresh_from_db()
    assert (job.status, job.attempts, job.worker, job.error) == (Job.Status.DONE, 1, "host:1", "")
    assert job.finished_at is not None
    assert job.lease_until is None
    assert job.messages.filter(outcome=MessageOutcome.Outcome.NOTHING).count() == 3


def test_a_job_waits_for_its_messages_and_is_queued_only_if_they_are_stored(space: Space) -> None:
    with transaction.atomic():
        stored = store_conversation(space, messages=2)
        job = enqueue_extraction(space=space, conversation=stored[0].conversation, messages=stored)
    assert Job.objects.get(pk=job.pk).status == Job.Status.QUEUED
    assert job.messages.filter(outcome=MessageOutcome.Outcome.WAITING).count() == 2

    def store_and_fail() -> None:
        with transaction.atomic():
            lost = store_conversation(space, external_id="c2")
            enqueue_extraction(space=space, conversation=lost[0].conversation, messages=lost)
            raise ValueError("the request failed")

    with pytest.raises(ValueError, match="the request failed"):
        store_and_fail()
    assert list(Job.objects.all()) == [job]
    assert not Conversation.objects.filter(external_id="c2").exists()


def test_no_transaction_is_open_while_the_work_is_prepared(space: Space, handle: Callable[[Handler], None]) -> None:
    states: list[bool] = []

    def prepare(job: Job) -> Callable[[], None]:
        states.append(connection.in_atomic_block)

        def write() -> None:
            states.append(connection.in_atomic_block)
            finish_messages(job)

        return write

    handle(prepare)
    run_job(make_job(space).pk, worker="w")
    assert states == [False, True]


def test_an_ended_job_is_not_run_again(space: Space, handle: Callable[[Handler], None]) -> None:
    handle(finish)
    job = make_job(space)
    assert [run_job(job.pk, worker="w") for _ in range(3)] == [True, False, False]
    job.refresh_from_db()
    assert job.attempts == 1


def test_an_unknown_job_is_nothing_to_run(space: Space) -> None:
    assert run_job(uuid4(), worker="w") is False


def test_a_job_that_is_not_due_yet_is_left_alone(space: Space) -> None:
    job = make_job(space, run_after=timezone.now() + timedelta(minutes=1))
    assert run_job(job.pk, worker="w") is False
    job.refresh_from_db()
    assert (job.status, job.attempts) == (Job.Status.QUEUED, 0)


def test_a_job_under_a_standing_lease_is_left_to_its_worker(space: Space) -> None:
    lease = timezone.now() + timedelta(minutes=1)
    job = make_job(space, status=Job.Status.RUNNING, fence=3, attempts=1, lease_until=lease)
    assert run_job(job.pk, worker="w") is False
    job.refresh_from_db()
    assert (job.fence, job.attempts, job.lease_until) == (3, 1, lease)


def test_a_job_whose_worker_died_is_taken_over(space: Space, handle: Callable[[Handler], None]) -> None:
    handle(finish)
    job = make_job(space, status=Job.Status.RUNNING, fence=1, attempts=1, worker="dead")
    expire_lease(job)
    assert run_job(job.pk, worker="alive") is True
    job.refresh_from_db()
    assert (job.status, job.fence, job.attempts, job.worker) == (Job.Status.DONE, 2, 2, "alive")


def test_a_worker_that_was_overtaken_writes_nothing(space: Space, handle: Callable[[Handler], None]) -> None:
    """Its lease ran out (a long pause of the machine), another worker did the job, and then it woke up."""
    written: list[str] = []

    def prepare(job: Job) -> Callable[[], None]:
        if job.worker == "slow":
            expire_lease(job)
            assert run_job(job.pk, worker="quick") is True

        def write() -> None:
            written.append(job.worker)
            finish_messages(job)

        return write

    handle(prepare)
    job = make_job(space)
    assert run_job(job.pk, worker="slow") is True
    job.refresh_from_db()
    assert written == ["quick"]
    assert (job.status, job.worker, job.attempts) == (Job.Status.DONE, "quick", 2)


def test_an_overtaken_worker_that_fails_does_not_disturb_the_other(
    space: Space, handle: Callable[[Handler], None]
) -> None:
    def prepare(job: Job) -> Callable[[], None]:
        if job.worker == "slow":
            expire_lease(job)
            run_job(job.pk, worker="quick")
            raise TimeoutError("too late")
        return lambda: finish_messages(job)

    handle(prepare)
    job = make_job(space)
    run_job(job.pk, worker="slow")
    job.refresh_from_db()
    assert (job.status, job.error) == (Job.Status.DONE, "")


def test_what_a_failing_write_wrote_is_rolled_back(space: Space, handle: Callable[[Handler], None]) -> None:
    def prepare(job: Job) -> Callable[[], None]:
        def write() -> None:
            finish_messages(job)
            make_space("half-written")
            raise ValueError("in the middle")

        return write

    handle(prepare)
    job = make_job(space)
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert job.status == Job.Status.QUEUED
    assert job.messages.get().outcome == MessageOutcome.Outcome.WAITING
    assert not Space.objects.filter(slug="half-written").exists()


def test_a_job_is_not_done_while_a_message_has_no_outcome(space: Space, handle: Callable[[Handler], None]) -> None:
    def prepare(job: Job) -> Callable[[], None]:
        def write() -> None:
            first = job.messages.order_by("message__position").first()
            assert first is not None
            first.outcome = MessageOutcome.Outcome.EXTRACTED
            first.save()

        return write

    handle(prepare)
    job = make_job(space, messages=2)
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert job.status == Job.Status.QUEUED
    assert job.messages.filter(outcome=MessageOutcome.Outcome.WAITING).count() == 2


def test_a_job_deleted_with_its_space_while_it_ran_is_dropped(space: Space, handle: Callable[[Handler], None]) -> None:
    written: list[bool] = []

    def prepare(job: Job) -> Callable[[], None]:
        Space.objects.filter(pk=space.pk).delete()
        return lambda: written.append(True)

    handle(prepare)
    assert run_job(make_job(space).pk, worker="w") is True
    assert (written, Job.objects.count()) == ([], 0)


def test_running_inside_a_transaction_is_refused(space: Space, handle: Callable[[Handler], None]) -> None:
    """The result would be lost with the caller's roll-back."""
    handle(finish)
    job = make_job(space)
    with transaction.atomic(), pytest.raises(RuntimeError, match="durable"):
        run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert (job.status, job.attempts) == (Job.Status.QUEUED, 0)
