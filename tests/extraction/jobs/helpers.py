"""Jobs for the tests of the queue: of a kind whose work each test writes itself, so that no extractor is needed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from extraction.models import Job, MessageOutcome
from extraction.services.gathering import enqueue_extraction
from extraction.services.intake import record_messages
from topics.models import Conversation, Message, Space
from topics.services.conversations import MessageInput

PROBE = "probe"
PATIENCE = 240.0


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
    with transaction.atomic():
        job = enqueue_extraction(space=space, conversation=stored[0].conversation, messages=stored)
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


def wait_until(condition: Callable[[], bool]) -> bool:
    """Whether the condition came true before our patience ended."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def post(space: Space, number: int) -> Job:
    """What the API does with a message that has something to remember."""
    message = MessageInput(role="user", content=f"Our budget is {number + 1} thousand dollars.", name="Dana")
    job = record_messages(space=space, conversation=f"post-{number}", messages=[message]).job
    assert job is not None
    return job


def child_environment(**values: str) -> dict[str, str]:
    """For a process that works on the database of this test. Without a broker unless `values` names one."""
    return os.environ | {"DATABASE_URL": _database_url(), "CELERY_BROKER_URL": "", "PYTHONUNBUFFERED": "1"} | values


def _database_url() -> str:
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    login = f"{quote(database['USER'])}:{quote(database['PASSWORD'])}"
    return f"postgres://{login}@{database['HOST']}:{database['PORT']}/{quote(database['NAME'])}"


@contextmanager
def running(arguments: Sequence[str], environment: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process of this Python in the repository, writing to `log`; killed at the end if it still runs."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, *arguments], cwd=settings.BASE_DIR, env=environment, stdout=output, stderr=output
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()
