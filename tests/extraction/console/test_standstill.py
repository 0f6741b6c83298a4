"""That nobody works in the background is told where somebody waits, and only then."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from extraction.models import Job
from extraction.selectors.standstill import standstill
from extraction.services.intake import record_messages
from extraction.services.jobs import run_job
from extraction.services.webhooks import create_webhook, send_test
from tests.extraction.console.story import make_space
from topics.changes import Actor
from topics.models import DuplicateSearch, Membership, Space, Topic
from topics.services.conversations import MessageInput
from topics.services.duplicates import search_duplicates
from topics.services.spaces import set_member

pytestmark = pytest.mark.django_db
NONE_SEEN = "No worker has been seen"
MINUTE = timedelta(minutes=1)


def wait(space: Space, *, conversation: str = "call", minutes: float = 0) -> Job:
    """A conversation that has been due for so many minutes."""
    message = MessageInput(role="user", name="Zhang Wei", content="Hello")
    job = record_messages(space=space, conversation=conversation, messages=[message], subject="Acme").job
    assert job is not None
    return at(job, gathering=False, run_after=timezone.now() - minutes * MINUTE)


def at(job: Job, **values: Any) -> Job:
    Job.objects.filter(pk=job.pk).update(**values)
    job.refresh_from_db()
    return job


def ended(space: Space, minutes: float) -> datetime:
    """A job that a worker ended so many minutes ago."""
    job = wait(space, conversation="earlier")
    assert run_job(job.pk, worker="test")
    return at(job, finished_at=timezone.now() - minutes * MINUTE).finished_at  # type: ignore[return-value]


def test_what_waits_for_long_without_a_worker_is_a_standstill(space: Space) -> None:
    assert standstill(space) is None
    job = wait(space, minutes=1)
    assert standstill(space) is None
    at(job, run_after=timezone.now() - 3 * MINUTE)
    found = standstill(space)
    assert found is not None
    assert found.seen_at is None
    assert standstill(make_space("other")) is not None  # all spaces have the workers in common


def test_it_is_told_since_when(space: Space) -> None:
    last = ended(space, 40)
    ended(space, 90)
    wait(space, minutes=30)
    found = standstill(space)
    assert found is not None
    assert found.seen_at == last


@pytest.mark.parametrize("trace", ["a job ended", "a job runs", "topics are being compared", "topics were compared"])
def test_a_long_queue_with_a_worker_at_it_is_none(space: Space, trace: str) -> None:
    wait(space, minutes=30)
    if trace == "a job ended":
        ended(space, 1)
    elif trace == "a job runs":
        other = wait(space, conversation="other")
        at(other, status=Job.Status.RUNNING, lease_until=timezone.now() + MINUTE)
    elif trace == "topics are being compared":
        DuplicateSearch.objects.create(space=space, running_since=timezone.now())
    else:
        search_duplicates(space=space)
    assert standstill(space) is None


def test_a_job_whose_worker_died_long_ago_is_a_standstill(space: Space) -> None:
    job = at(wait(space), status=Job.Status.RUNNING, lease_until=timezone.now() - 5 * MINUTE)
    found = standstill(space)
    assert found is not None
    assert found.seen_at == job.lease_until - MINUTE  # when it was renewed


def test_work_that_is_not_due_is_waited_for_by_nobody(space: Space) -> None:
    wait(space, minutes=-60)
    assert standstill(space) is None


def test_topics_that_nobody_compares_are_a_standstill_of_their_own_space(space: Space, topic: Topic) -> None:
    search_duplicates(space=space)
    Topic.objects.advance_documents([topic.pk], timezone.now() - MINUTE)
    DuplicateSearch.objects.update(searched_until=timezone.now() - 60 * MINUTE)
    assert standstill(space) is None
    Topic.objects.advance_documents([topic.pk], timezone.now() - 4 * MINUTE)
    assert standstill(space) is not None
    assert standstill(make_space("other")) is None


@pytest.fixture
def admin(desk: Client, space: Space, reviewer: User) -> Client:
    set_member(space=space, user=reviewer, role=Membership.Role.ADMIN)
    return desk


@pytest.fixture
def pages(space: Space, topic: Topic, reviewer: User) -> dict[str, str]:
    """Where somebody waits, while something has been due for ten minutes."""
    job = wait(space, minutes=10)
    at(Job.objects.create(space=space, kind=Job.Kind.DISCOVER), run_after=timezone.now() - 10 * MINUTE)
    hook = create_webhook(
        space=space, actor=Actor.person(reviewer), url="https://93.184.216.34/hook", events=["review.waiting"]
    )
    send_test(webhook=hook)
    return {
        "the conversation": reverse("extraction:conversation", args=[job.conversation_id]),
        "what belongs to no topic": reverse("extraction:gathered"),
        "the webhook": reverse("extraction:webhook", args=[hook.pk]),
        "duplicates": reverse("topics:duplicates"),
        "background work": reverse("extraction:jobs"),
    }


PAGES = ["the conversation", "what belongs to no topic", "the webhook", "duplicates", "background work"]


@pytest.mark.parametrize("name", PAGES)
def test_every_page_that_waits_tells_it_and_leads_to_the_work(admin: Client, pages: dict[str, str], name: str) -> None:
    page = admin.get(pages[name]).content.decode()
    assert NONE_SEEN in page
    assert "What waits is done once one runs." in page
    assert f'href="{pages["background work"]}' in page
    assert "usually within a minute" not in page


@pytest.mark.parametrize("name", PAGES)
def test_no_page_tells_it_while_a_worker_is_at_work(
    admin: Client, space: Space, pages: dict[str, str], name: str
) -> None:
    search_duplicates(space=space)
    assert NONE_SEEN not in admin.get(pages[name]).content.decode()


def test_the_part_that_asks_again_tells_it_too(admin: Client, pages: dict[str, str]) -> None:
    asks: Any = {"headers": {"HX-Request": "true", "HX-Target": "reading"}}
    part = admin.get(pages["the conversation"], **asks).content.decode()
    assert NONE_SEEN in part
    assert 'id="reading"' in part


@pytest.mark.parametrize(
    ("minutes", "status", "said"),
    [
        (-30, "queued", "Topics are looked for at"),
        (1, "queued", "Topics are looked for as soon as a worker is free."),
        (1, "running", "Topics are being looked for."),
    ],
)
def test_when_topics_are_looked_for_is_never_in_the_past(
    desk: Client, space: Space, minutes: int, status: str, said: str
) -> None:
    job = Job.objects.create(space=space, kind=Job.Kind.DISCOVER)
    at(job, status=status, run_after=timezone.now() - minutes * MINUTE)
    page = desk.get(reverse("extraction:gathered")).content.decode()
    assert said in page
    assert page.count("Topics are ") == 1
