"""A failing job waits before it is tried again, gives up visibly, and can be retried by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import IntegrityError, OperationalError
from django.utils import timezone
from django.utils.translation import gettext_lazy

from extraction.extractors.protocol import ExtractionError
from extraction.models import Job, MessageOutcome
from extraction.services.jobs import BACKOFF_LIMIT, ERROR_LENGTH, retry_job, run_job
from tests.extraction.jobs.conftest import Handler
from tests.extraction.jobs.helpers import expire_lease, finish_messages, make_due, make_job, make_space
from topics.errors import InvalidInput, WrongState
from topics.models import Space

pytestmark = pytest.mark.queue


def failing(error: Exception) -> Handler:
    def prepare(job: Job) -> Callable[[], None]:
        raise error

    return prepare


def outcomes(job: Job) -> set[tuple[str, str]]:
    return set(job.messages.values_list("outcome", "error"))


def run_until_failed(job: Job) -> list[float]:
    """Run every attempt; the pauses in seconds that were set between them."""
    pauses = []
    while job.status != Job.Status.FAILED:
        before = timezone.now()
        assert run_job(job.pk, worker="w") is True
        job.refresh_from_db()
        pauses.append((job.run_after - before).total_seconds())
        make_due(job)
    return pauses[:-1]


def test_a_failure_puts_the_job_back_with_its_error_shown(space: Space, handle: Callable[[Handler], None]) -> None:
    handle(failing(ExtractionError("The model did not answer.")))
    job = make_job(space)
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert (job.status, job.attempts, job.error) == (Job.Status.QUEUED, 1, "The model did not answer.")
    assert job.run_after > timezone.now()
    assert job.lease_until is None
    assert outcomes(job) == {(MessageOutcome.Outcome.WAITING, "")}
    assert run_job(job.pk, worker="w") is False


def test_the_error_is_gone_once_a_later_attempt_succeeds(space: Space, handle: Callable[[Handler], None]) -> None:
    handle(failing(ExtractionError("The model did not answer.")))
    job = make_job(space)
    run_job(job.pk, worker="w")
    handle(lambda job: lambda: finish_messages(job))
    make_due(job)
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert (job.status, job.attempts, job.error) == (Job.Status.DONE, 2, "")


def test_each_pause_is_longer_than_the_one_before(space: Space, handle: Callable[[Handler], None]) -> None:
    handle(failing(ExtractionError("no")))
    pauses = run_until_failed(make_job(space))
    assert len(pauses) == settings.INFINI_JOB_MAX_ATTEMPTS - 1
    assert pauses == sorted(pauses)
    assert pauses[0] > 1


def test_pauses_stay_bounded(space: Space, handle: Callable[[Handler], None]) -> None:
    handle(failing(ExtractionError("no")))
    job = make_job(space, attempts=200, max_attempts=1000)
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert job.run_after < timezone.now() + timedelta(seconds=2 * BACKOFF_LIMIT)


@pytest.mark.parametrize("error", [OperationalError("deadlock detected"), IntegrityError("duplicate key")])
def test_a_collision_with_another_writer_waits_only_a_moment(
    space: Space, handle: Callable[[Handler], None], error: Exception
) -> None:
    def prepare(job: Job) -> Callable[[], None]:
        def write() -> None:
            raise error

        return write

    handle(prepare)
    job = make_job(space)
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert job.status == Job.Status.QUEUED
    assert job.run_after < timezone.now() + timedelta(seconds=1)


def test_after_the_last_attempt_the_job_and_its_messages_are_failed(
    space: Space, handle: Callable[[Handler], None]
) -> None:
    handle(failing(ExtractionError("The model did not answer.")))
    job = make_job(space, messages=2)
    run_until_failed(job)
    assert (job.attempts, job.error) == (settings.INFINI_JOB_MAX_ATTEMPTS, "The model did not answer.")
    assert job.finished_at is not None
    assert outcomes(job) == {(MessageOutcome.Outcome.FAILED, "The model did not answer.")}
    assert run_job(job.pk, worker="w") is False


def test_a_failure_that_no_retry_can_mend_ends_at_once(space: Space, handle: Callable[[Handler], None]) -> None:
    handle(failing(ExtractionError("The key is not accepted.", retry=False)))
    job = make_job(space)
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert (job.status, job.attempts) == (Job.Status.FAILED, 1)
    assert outcomes(job) == {(MessageOutcome.Outcome.FAILED, "The key is not accepted.")}


def test_a_job_that_kills_every_worker_ends_as_failed(space: Space, handle: Callable[[Handler], None]) -> None:
    handle(lambda job: lambda: finish_messages(job))
    job = make_job(space, status=Job.Status.RUNNING, attempts=5, max_attempts=5, fence=5)
    expire_lease(job)
    assert run_job(job.pk, worker="w") is False
    job.refresh_from_db()
    assert (job.status, job.attempts) == (Job.Status.FAILED, 5)
    assert outcomes(job) == {(MessageOutcome.Outcome.FAILED, "The worker stopped at each of 5 attempts to read this.")}


def test_messages_that_were_read_earlier_keep_their_outcome(space: Space, handle: Callable[[Handler], None]) -> None:
    handle(failing(ExtractionError("no", retry=False)))
    job = make_job(space, messages=2)
    job.messages.filter(message__position=0).update(outcome=MessageOutcome.Outcome.EXTRACTED)
    run_job(job.pk, worker="w")
    assert outcomes(job) == {(MessageOutcome.Outcome.EXTRACTED, ""), (MessageOutcome.Outcome.FAILED, "no")}


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_an_unexpected_error_shows_its_kind_but_none_of_its_text(
    transactional_db: None, handle: Callable[[Handler], None], language: str
) -> None:
    handle(failing(ConnectionError("https://user:hunter2@example.org refused key sk-12345")))
    job = make_job(make_space(language=language))
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert "ConnectionError" in job.error
    assert "hunter2" not in job.error
    assert "sk-12345" not in job.error
    assert "Traceback" not in job.error


@pytest.mark.parametrize(
    ("raised", "shown"),
    [
        ("a\0b", "ab"),
        ("broken \ud800 emoji", "broken ? emoji"),
        ("one\n  two\tthree", "one two three"),
        ("模型没有回答。", "模型没有回答。"),
        ("x" * 10_000, "x" * ERROR_LENGTH),
    ],
)
def test_any_error_text_can_be_stored(space: Space, handle: Callable[[Handler], None], raised: str, shown: str) -> None:
    handle(failing(ExtractionError(raised)))
    job = make_job(space)
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert job.error == shown


def test_a_refusal_by_a_service_is_shown_in_its_own_words(space: Space, handle: Callable[[Handler], None]) -> None:
    handle(failing(InvalidInput("A topic needs a name.")))
    job = make_job(space)
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert job.error == "A topic needs a name."


def test_a_kind_that_nobody_handles_fails_visibly(space: Space) -> None:
    job = make_job(space, kind="unheard-of")
    run_until_failed(job)
    assert "KeyError" in job.error


def test_a_failed_job_can_be_retried_with_all_its_attempts(space: Space, handle: Callable[[Handler], None]) -> None:
    handle(failing(ExtractionError("no", retry=False)))
    job = make_job(space, messages=2)
    run_job(job.pk, worker="w")
    retried = retry_job(job=job)
    assert (retried.status, retried.attempts, retried.error, retried.finished_at) == (Job.Status.QUEUED, 0, "", None)
    assert outcomes(job) == {(MessageOutcome.Outcome.WAITING, "")}
    handle(lambda job: lambda: finish_messages(job))
    assert run_job(job.pk, worker="w") is True
    job.refresh_from_db()
    assert job.status == Job.Status.DONE


@pytest.mark.parametrize("status", [Job.Status.QUEUED, Job.Status.RUNNING, Job.Status.DONE])
def test_only_a_failed_job_can_be_retried(space: Space, status: str) -> None:
    job = make_job(space, status=status, attempts=1)
    with pytest.raises(WrongState):
        retry_job(job=job)
    job.refresh_from_db()
    assert (job.status, job.attempts) == (status, 1)


def test_a_second_retry_of_the_same_failure_is_refused(space: Space, handle: Callable[[Handler], None]) -> None:
    handle(failing(ExtractionError("no", retry=False)))
    job = make_job(space)
    run_job(job.pk, worker="w")
    seen_by_another_person = Job.objects.get(pk=job.pk)
    retry_job(job=job)
    with pytest.raises(WrongState):
        retry_job(job=seen_by_another_person)


def test_a_pause_that_the_endpoint_asks_for_is_kept(space: Space, handle: Callable[[Handler], None]) -> None:
    handle(failing(ExtractionError("The model asks for a pause.", retry_after=3600)))
    job = make_job(space)
    before = timezone.now()
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert job.status == Job.Status.QUEUED
    assert 3600 <= (job.run_after - before).total_seconds() < 3700


def test_an_error_is_told_in_the_language_of_the_space(
    transactional_db: None, handle: Callable[[Handler], None]
) -> None:
    handle(failing(ExtractionError(gettext_lazy("Done"), retry=False)))
    job = make_job(make_space("zh", language="zh-hans"))
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert job.error == "已完成"


def test_a_job_with_a_message_that_could_not_be_read_has_failed(
    space: Space, handle: Callable[[Handler], None]
) -> None:
    def prepare(job: Job) -> Callable[[], None]:
        def write() -> None:
            first = job.messages.order_by("message__position").first()
            assert first is not None
            finish_messages(job)
            job.messages.filter(pk=first.pk).update(outcome=MessageOutcome.Outcome.FAILED, error="Refused.")

        return write

    handle(prepare)
    job = make_job(space, messages=3)
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert (job.status, job.error, job.finished_at is not None) == (Job.Status.FAILED, "Refused.", True)
    retry_job(job=job)
    assert sorted(job.messages.values_list("outcome", flat=True)) == ["nothing", "nothing", "waiting"]
