"""Turns as an agent sends them, one call each."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from extraction.models import Job
from extraction.services.intake import record_messages
from topics.models import Space
from topics.services.conversations import MessageInput

BUDGET = "Our budget is 40 thousand dollars."


def post(space: Space, *texts: str, conversation: str = "c1", role: str = "user") -> Job:
    """The job that a call with these turns answers with."""
    messages = [MessageInput(role=role, content=text, name="Dana") for text in texts or (BUDGET,)]
    job = record_messages(space=space, conversation=conversation, messages=messages, subject="Acme").job
    assert job is not None
    return job


def let_pass(job: Job, seconds: float) -> None:
    """As though so much time had gone by."""
    Job.objects.filter(pk=job.pk).update(run_after=job.run_after - timedelta(seconds=seconds))


def is_due(job: Job) -> bool:
    job.refresh_from_db()
    return job.run_after <= timezone.now()
