"""A long conversation is read window by window: what one window gave stays, whatever becomes of the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from pytest_django import Settings

from extraction.extractors.protocol import ExtractionError
from extraction.models import Job, MessageOutcome, Proposal
from extraction.services import jobs
from extraction.services.jobs import run_job
from extraction.services.reading import prepare_reading
from tests.extraction.jobs.helpers import PROBE, expire_lease, make_due
from tests.extraction.when.helpers import post
from topics.models import ChangeSet, Space
from topics.services.spaces import create_space

TURNS = [f"The budget for Project P{n} is {n}0,000 euros." for n in range(1, 6)]


@pytest.fixture
def space(transactional_db: None, settings: Settings) -> Space:
    settings.INFINI_WINDOW_TURNS = 2
    return create_space(slug="acme")


@pytest.fixture
def job(space: Space) -> Job:
    return post(space, *TURNS)


@pytest.fixture
def stumble(monkeypatch: pytest.MonkeyPatch, job: Job) -> Callable[..., list[int]]:
    """Let the job be of a kind that reads like any other, but fails at its Nth calls (from 1); what it read at each."""

    def register(*calls: int) -> list[int]:
        read: list[int] = []

        def prepare(job: Job) -> Callable[[], bool]:
            read.append(job.messages.filter(outcome=MessageOutcome.Outcome.WAITING).count())
            if len(read) in calls:
                raise ExtractionError("the model did not answer")
            return prepare_reading(job)

        monkeypatch.setitem(jobs.HANDLERS, PROBE, prepare)
        Job.objects.filter(pk=job.pk).update(kind=PROBE)
        return read

    return register


def outcomes(job: Job) -> dict[str, int]:
    return Counter(job.messages.values_list("outcome", flat=True))


def test_a_long_job_is_read_in_windows(job: Job) -> None:
    assert run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert (job.status, job.attempts) == (Job.Status.DONE, 1)
    assert outcomes(job) == {"extracted": 5}
    assert ChangeSet.objects.count() == 0
    assert set(Proposal.objects.exclude(text="").values_list("text", flat=True)) == set(TURNS)


def test_each_window_is_an_act_of_its_own(job: Job, space: Space) -> None:
    Space.objects.update(review_policy="automatic", conflict_policy="newest")
    run_job(job.pk, worker="w")
    assert list(ChangeSet.objects.values_list("action", flat=True)) == ["extract"] * 3


def test_a_failure_costs_its_own_window_only(job: Job, stumble: Callable[..., list[int]]) -> None:
    read = stumble(2)
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert (job.status, job.error) == (Job.Status.QUEUED, "the model did not answer")
    assert outcomes(job) == {"extracted": 2, "waiting": 3}
    kept = set(Proposal.objects.values_list("pk", flat=True))
    make_due(job)
    run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert (job.status, job.error) == (Job.Status.DONE, "")
    assert read == [5, 3, 3, 1]
    assert kept < set(Proposal.objects.values_list("pk", flat=True))


def test_a_worker_that_was_overtaken_between_windows_writes_no_other(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def prepare(job: Job) -> Callable[[], bool]:
        read.append(job.worker)
        if read == ["slow", "slow"]:
            expire_lease(job)
            assert run_job(job.pk, worker="quick")
        return prepare_reading(job)

    monkeypatch.setitem(jobs.HANDLERS, PROBE, prepare)
    Job.objects.filter(pk=job.pk).update(kind=PROBE)
    assert run_job(job.pk, worker="slow")
    job.refresh_from_db()
    assert read == ["slow", "slow", "quick", "quick"]
    assert (job.status, job.worker) == (Job.Status.DONE, "quick")
    assert Proposal.objects.exclude(text="").count() == 5


def test_each_window_has_all_its_tries(job: Job, stumble: Callable[..., list[int]]) -> None:
    """Three failures in all, two tries a window."""
    Job.objects.update(max_attempts=2)
    read = stumble(1, 3, 5)
    for _ in range(4):
        run_job(job.pk, worker="w")
        make_due(job)
    job.refresh_from_db()
    assert (job.status, job.error) == (Job.Status.DONE, "")
    assert read == [5, 5, 3, 3, 1, 1]


def test_a_window_that_never_succeeds_fails_what_is_left_visibly(job: Job, stumble: Callable[..., list[int]]) -> None:
    Job.objects.update(max_attempts=2)
    stumble(2, 3)
    for _ in range(3):
        run_job(job.pk, worker="w")
        make_due(job)
    job.refresh_from_db()
    assert (job.status, job.error) == (Job.Status.FAILED, "the model did not answer")
    assert outcomes(job) == {"extracted": 2, "failed": 3}
