"""Jobs for the tests of the queue: of a kind whose work each test writes itself, so that no extractor is needed."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from extraction.models import Job, MessageOutcome
from extraction.services import jobs
from topics.models import Conversation, Message, Space

PROBE = "probe"


def make_space(slug: str = "acme", **values: str) -> Space:
    return Space.objects.create(slug=slug, name=slug.title(), **values)


def store_conversation(space: Space, *, messages: int = 1, external_id: str = "c1") -> list[Message]:
    """A stored conversation whose reading has not been asked for yet."""
    conversation = Conversation.objects.create(space=space, external_id=external_id)
    return [
        Message.objects.create(
            space=space,
            conversation=conversation,
            external_id=f"m{position}",
            position=position,
            role=Message.Role.USER,
            content="We moved the office to Lyon. 我们的预算是20万元。",
            said_at=timezone.now(),
        )
        for position in range(messages)
    ]


def make_job(space: Space, *, messages: int = 1, external_id: str = "c1", **values: object) -> Job:
    """A queued job of the kind PROBE with its messages waiting."""
    stored = store_conversation(space, messages=messages, external_id=external_id)
    job = jobs.enqueue_extraction(space=space, conversation=stored[0].conversation, messages=stored)
    Job.objects.filter(pk=job.pk).update(**{"kind": PROBE, **values})
    job.refresh_from_db()
    return job


def finish_messages(job: Job) -> None:
    """What a handler writes at the very least: an outcome for each message."""
    job.messages.update(outcome=MessageOutcome.Outcome.NOTHING)


def make_due(job: Job) -> None:
    """Let the pause before the next attempt be over."""
    Job.objects.filter(pk=job.pk, status=Job.Status.QUEUED).update(run_after=timezone.now())


def expire_lease(job: Job) -> None:
    """As though the worker had been silent for longer than its lease."""
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
