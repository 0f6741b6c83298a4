"""New turns gather in one job until there are enough of them, or nothing more is said for a while."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from pytest_django import Settings

from extraction.models import Job, MessageOutcome
from extraction.selectors.queue import due_jobs, is_idle
from extraction.services.gathering import Thresholds, missing, thresholds_of
from extraction.services.jobs import run_job
from tests.extraction.when.helpers import BUDGET, is_due, let_pass, post
from topics.models import Space
from topics.services.spaces import create_space, update_space


def test_by_rules_a_conversation_is_read_at_once(db: None) -> None:
    first, second = (post(create_space(slug=name)) for name in ("a", "b"))
    assert first.pk != second.pk
    assert (first.gathering, missing(first)) == (False, None)
    assert is_due(first)


def test_by_a_model_turns_gather_unless_the_space_says_otherwise(db: None, settings: Settings) -> None:
    settings.INFINI_MODEL, settings.OPENAI_API_KEY = "some-model", "some-key"
    space = create_space(slug="a")
    assert thresholds_of(space) == Thresholds(turns=8, tokens=1_500, silence=timedelta(minutes=2))
    assert post(space).gathering
    update_space(space=space, changes={"read_after_turns": 0})
    assert not post(space, conversation="c2").gathering


def test_each_call_of_a_space_that_reads_at_once_has_a_job_of_its_own(db: None) -> None:
    space = create_space(slug="a")
    assert post(space).pk != post(space).pk


def test_turns_join_the_job_that_gathers(space: Space) -> None:
    first, second = post(space), post(space, "Hello")
    assert first.pk == second.pk
    assert second.messages.count() == 2
    assert second.gathering
    assert list(due_jobs(limit=10)) == []
    assert is_idle()


def test_conversations_gather_apart(space: Space) -> None:
    assert post(space).pk != post(space, conversation="c2").pk


def test_enough_turns_make_it_due(space: Space) -> None:
    post(space)
    post(space, "Hello")
    job = post(space, "Thanks")
    assert job.messages.count() == 3
    assert (is_due(job), job.gathering) == (True, False)
    assert [due.pk for due in due_jobs(limit=10)] == [job.pk]


def test_one_call_with_enough_turns_is_due_at_once(space: Space) -> None:
    assert is_due(post(space, "Hello", BUDGET, "Thanks"))


def test_enough_tokens_make_it_due(space: Space) -> None:
    assert not is_due(post(space, "Hello"))
    assert is_due(post(space, "word " * 200))


def test_what_a_tool_says_is_no_turn(space: Space) -> None:
    job = post(space, *["word " * 200] * 5, role="tool")
    assert not is_due(job)
    assert job.messages.count() == 5


def test_a_silence_makes_it_due(space: Space) -> None:
    job = post(space)
    assert job.run_after - timezone.now() == pytest.approx(timedelta(seconds=600), abs=timedelta(seconds=60))
    let_pass(job, 601)
    assert is_due(job)
    assert [due.pk for due in due_jobs(limit=10)] == [job.pk]


def test_each_turn_begins_the_silence_anew(space: Space) -> None:
    first = post(space)
    let_pass(first, 500)
    again = post(space, "Hello")
    assert again.pk == first.pk
    assert again.run_after - timezone.now() > timedelta(seconds=590)


def test_what_comes_after_it_is_due_gathers_in_another_job(space: Space) -> None:
    full = post(space, "a", "b", "c")
    assert post(space).pk != full.pk


def test_a_job_that_is_claimed_takes_no_more(shared_space: Space) -> None:
    job = post(shared_space)
    let_pass(job, 601)
    assert run_job(job.pk, worker="w")
    job.refresh_from_db()
    assert (job.status, job.gathering) == (Job.Status.DONE, False)
    assert post(shared_space).pk != job.pk


def test_it_says_what_it_waits_for(space: Space) -> None:
    job = post(space)
    found = missing(job)
    assert found is not None
    assert (found.turns, found.until) == (2, job.run_after)
    assert 150 < found.tokens < 200
    assert missing(post(space, "a", "b")) is None


def test_a_space_that_is_set_to_read_at_once_reads_what_had_gathered_too(space: Space) -> None:
    waiting = post(space)
    update_space(space=space, changes={"read_after_turns": 0})
    job = post(space, "Hello")
    assert job.pk == waiting.pk
    assert is_due(job)


def test_the_database_allows_one_gathering_job_a_conversation(space: Space) -> None:
    job = post(space)
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.create(space=space, conversation=job.conversation, gathering=True)


def test_two_posts_at_once_gather_in_one_job(shared_space: Space) -> None:
    at_once, jobs = threading.Barrier(4), []

    def send(number: int) -> None:
        try:
            at_once.wait(60)
            jobs.append(post(shared_space, f"Turn {number}", conversation="busy").pk)
        finally:
            connection.close()

    update_space(space=shared_space, changes={"read_after_turns": 50})
    threads = [threading.Thread(target=send, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(jobs) == 4
    assert len(set(jobs)) == 1
    assert MessageOutcome.objects.filter(job=jobs[0]).count() == 4


def test_a_post_while_a_worker_claims_loses_no_message(shared_space: Space) -> None:
    """Ten times a worker claims the job in the moment in which another turn comes."""
    for number in range(10):
        job = post(shared_space, conversation=f"c{number}")
        let_pass(job, 601)
        at_once = threading.Barrier(2)

        def claim(job: Job = job, at_once: threading.Barrier = at_once) -> None:
            try:
                at_once.wait(60)
                run_job(job.pk, worker="w")
            finally:
                connection.close()

        worker = threading.Thread(target=claim)
        worker.start()
        at_once.wait(60)
        post(shared_space, "Hello", conversation=f"c{number}")
        worker.join(60)
    Job.objects.filter(gathering=True).update(run_after=timezone.now())
    for pk in list(due_jobs(limit=50).values_list("pk", flat=True)):
        run_job(pk, worker="w")
    assert set(Job.objects.values_list("status", flat=True)) == {Job.Status.DONE}
    assert not MessageOutcome.objects.filter(outcome=MessageOutcome.Outcome.WAITING).exists()
    assert MessageOutcome.objects.count() == 20
