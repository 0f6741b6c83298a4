"""Work in the background as people see it: what failed and why, another try, and reading a conversation once more."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from extraction.models import Job, MessageOutcome, Proposal
from extraction.services.decisions import decide_proposals
from extraction.services.gathering import read_again
from extraction.services.intake import record_messages
from extraction.services.jobs import run_job
from tests.extraction.console.story import make_member, make_space, make_topic
from topics.changes import Actor
from topics.errors import WrongState
from topics.models import Conversation, Membership, Space, Topic
from topics.services.conversations import MessageInput

pytestmark = pytest.mark.django_db
ERROR = "The model did not answer."


def hold(space: Space, *texts: str, conversation: str = "call") -> Job:
    """Take a conversation in, without reading it."""
    messages = [MessageInput(role="user", name="Zhang Wei", content=text) for text in texts]
    job = record_messages(space=space, conversation=conversation, messages=messages, subject="Acme").job
    assert job is not None
    return job


def fail(job: Job) -> Job:
    Job.objects.filter(pk=job.pk).update(status=Job.Status.FAILED, error=ERROR, finished_at=timezone.now(), attempts=5)
    MessageOutcome.objects.filter(job=job).update(outcome="failed", error=ERROR)
    return job


def summary_job(topic: Topic, status: str = Job.Status.FAILED) -> Job:
    return Job.objects.create(space=topic.space, topic=topic, kind=Job.Kind.SUMMARISE, status=status, error=ERROR)


def shown(client: Client, name: str, *args: object, **query: str) -> str:
    response = client.get(reverse(name, args=args), query)
    assert response.status_code == 200
    return response.content.decode()


def test_what_failed_is_listed_with_its_reason_and_tried_again(desk: Client, space: Space, topic: Topic) -> None:
    reading, summary = fail(hold(space, "Hello")), summary_job(topic)
    whole = Job.objects.create(space=space, kind=Job.Kind.DISCOVER, status=Job.Status.FAILED, error="<b>broken</b>")
    run_job(hold(space, "Thanks!", conversation="done").pk, worker="test")
    page = shown(desk, "extraction:jobs")
    for part in ("3 jobs", ERROR, "&lt;b&gt;broken&lt;/b&gt;", ">call</a>", "Acme renewal</a>", "The whole space"):
        assert part in page
    assert ">done</a>" not in page
    assert "Acme renewal" not in shown(desk, "extraction:jobs", kind="extract")
    assert ">done</a>" in shown(desk, "extraction:jobs", state="done")
    assert 'class="count">3<' in shown(desk, "topics:activity")
    for job in (reading, summary, whole):
        address = reverse("extraction:retry", args=[job.pk])
        assert desk.post(address, {"next": "/activity/jobs/"})["Location"] == "/activity/jobs/"
        job.refresh_from_db()
        assert (job.status, job.attempts, job.error) == ("queued", 0, "")
    assert "Nothing has failed" in shown(desk, "extraction:jobs")
    assert "3 jobs" in shown(desk, "extraction:jobs", state="open")
    assert "only a job that has failed" in desk.post(address, follow=True).content.decode().lower()


def test_all_that_failed_is_tried_again_of_one_kind_or_of_any(desk: Client, space: Space, topic: Topic) -> None:
    for n in range(3):
        fail(hold(space, f"Hello {n}", f"Bye {n}", conversation=f"c{n}"))
    other = make_space("other")
    foreign = fail(hold(other, "Secret"))
    summary_job(topic)
    page = shown(desk, "extraction:conversations")
    assert "<strong>3 readings have failed.</strong>" in page
    answer = desk.post(reverse("extraction:retry_failed"), {"kind": "extract"}, follow=True).content.decode()
    assert "3 jobs wait to be done again." in answer
    assert MessageOutcome.objects.filter(outcome="waiting").count() == 6
    assert list(Job.objects.filter(status="failed").values_list("kind", "space__slug").order_by("kind")) == [
        ("extract", "other"),
        ("summarise", "sales"),
    ]
    assert "1 job waits" in desk.post(reverse("extraction:retry_failed"), follow=True).content.decode()
    assert "Nothing has failed." in desk.post(reverse("extraction:retry_failed"), follow=True).content.decode()
    assert desk.post(reverse("extraction:retry", args=[foreign.pk])).status_code == 404


def test_a_summary_that_failed_shows_on_its_topic_until_a_later_one_is_made(
    desk: Client, space: Space, topic: Topic
) -> None:
    address = reverse("topics:document", args=[topic.pk])
    assert "could not be refreshed" not in shown(desk, "topics:document", topic.pk)
    job = summary_job(topic)
    page = shown(desk, "topics:document", topic.pk)
    assert "The summary could not be refreshed." in page
    assert ERROR in page
    assert desk.post(reverse("extraction:retry", args=[job.pk]), {"next": address})["Location"] == address
    assert "could not be refreshed" not in shown(desk, "topics:document", topic.pk)
    Job.objects.filter(pk=job.pk).update(status="failed")
    summary_job(topic, Job.Status.DONE)
    assert "could not be refreshed" not in shown(desk, "topics:document", topic.pk)


def test_a_viewer_sees_what_failed_and_tries_nothing_again(client: Client, space: Space, topic: Topic) -> None:
    make_member(space, "vera", Membership.Role.VIEWER)
    client.force_login(User.objects.get(username="vera"))
    job, summary = fail(hold(space, "Hello")), summary_job(topic)
    pages = [shown(client, "extraction:jobs"), shown(client, "topics:document", topic.pk)]
    assert all(ERROR in page and "retry" not in page for page in pages)
    conversation = Conversation.objects.get()
    assert "Read again" not in shown(client, "extraction:conversation", conversation.pk)
    for name, args in (("retry", [job.pk]), ("retry_failed", []), ("read_again", [conversation.pk])):
        assert client.post(reverse(f"extraction:{name}", args=args)).status_code == 403
    assert Job.objects.filter(status="failed").count() == 2
    summary.refresh_from_db()
    assert summary.status == "failed"


def test_conversations_that_are_read_are_found(desk: Client, space: Space) -> None:
    run_job(hold(space, "Thanks!", conversation="done-1").pk, worker="test")
    fail(hold(space, "Hello", conversation="broken-1"))
    hold(space, "Hello", conversation="waiting-1")
    found = {
        state: set(re.findall(r">(\w+-1)</a>", shown(desk, "extraction:conversations", state=state)))
        for state in ("read", "failed", "waiting", "")
    }
    assert found == {
        "read": {"done-1"},
        "failed": {"broken-1"},
        "waiting": {"waiting-1"},
        "": {"done-1", "broken-1", "waiting-1"},
    }


def test_reading_again_proposes_nothing_twice(desk: Client, space: Space, reviewer: User) -> None:
    make_topic(space, "Acme")
    job = hold(space, "The budget of Acme is 84,000 dollars.", "We met Globex in Turin.", "Thanks!")
    run_job(job.pk, worker="test")
    before = list(Proposal.objects.order_by("pk").values_list("pk", flat=True))
    assert before
    decide_proposals(space=space, actor=Actor.person(reviewer), ids=before[:1], decision="reject", reason="No")
    conversation = Conversation.objects.get()
    page = desk.post(reverse("extraction:read_again", args=[conversation.pk]), follow=True).content.decode()
    assert "is being read again" in page
    again = Job.objects.exclude(pk=job.pk).get()
    assert (again.status, again.kind, again.messages.count()) == ("queued", "extract", 3)
    page = desk.post(reverse("extraction:read_again", args=[conversation.pk]), follow=True).content.decode()
    assert "being read already" in page
    assert run_job(again.pk, worker="test")
    again.refresh_from_db()
    assert again.status == "done"
    assert list(Proposal.objects.order_by("pk").values_list("pk", flat=True)) == before
    assert Proposal.objects.get(pk=before[0]).status == "rejected"
    assert "All read" in shown(desk, "extraction:conversation", conversation.pk)


def test_what_failed_or_was_never_read_is_not_read_again(space: Space, desk: Client) -> None:
    job = fail(hold(space, "Hello"))
    conversation = Conversation.objects.get()
    assert "Read again" not in shown(desk, "extraction:conversation", conversation.pk)
    with pytest.raises(WrongState, match="Nothing of this conversation"):
        read_again(conversation=conversation)
    assert list(Job.objects.all()) == [job]


def test_few_queries_however_much_there_is(
    desk: Client, space: Space, topic: Topic, django_assert_max_num_queries: Callable[..., object]
) -> None:
    for n in range(8):
        fail(hold(space, "Hello", conversation=f"c{n}"))
        summary_job(make_topic(space, f"Topic {n}"))
    summary_job(topic)
    with django_assert_max_num_queries(12):
        shown(desk, "extraction:jobs")
    with django_assert_max_num_queries(20):
        shown(desk, "topics:document", topic.pk)
    with django_assert_max_num_queries(20):
        shown(desk, "extraction:conversations", state="read")
