"""Reads about background work: how a job goes, and what is still waiting."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import Count, QuerySet

from extraction.models import Job, MessageOutcome, Proposal
from topics.models import Conversation, Space, Topic

UNFINISHED = (Job.Status.QUEUED, Job.Status.RUNNING)


def outcome_counts(job: Job) -> dict[str, int]:
    """How many messages of the job ended in each way: waiting, extracted, nothing, failed."""
    counted = job.messages.values_list("outcome").annotate(n=Count("pk")).order_by()
    return dict.fromkeys(MessageOutcome.Outcome.values, 0) | dict(counted)


def proposal_ids(job: Job) -> list[Any]:
    """What the job proposed, the oldest first."""
    return list(Proposal.objects.filter(job=job).order_by("pk").values_list("pk", flat=True))


def find_jobs(space: Space, *, status: Collection[str], kind: str = "") -> QuerySet[Job]:
    """Jobs of the space in one of these states, of a kind or of any, the latest first."""
    jobs = Job.objects.filter(space=space, status__in=status).select_related("conversation", "topic").order_by("-pk")
    return jobs.filter(kind=kind) if kind else jobs


def count_failed(space: Space, kind: str = "") -> int:
    """How many jobs of the space, or those of a kind, have failed and wait for somebody to try them again."""
    return find_jobs(space, status=[Job.Status.FAILED], kind=kind).count()


def failed_summary(topic: Topic) -> Job | None:
    """The latest job on the summary of the topic, if it has failed."""
    latest = Job.objects.filter(topic=topic, kind=Job.Kind.SUMMARISE).order_by("-pk").first()
    return latest if latest is not None and latest.status == Job.Status.FAILED else None


def waiting_messages(space: Space) -> int:
    """How many stored messages of the space have not been read yet."""
    unfinished = Job.objects.filter(space=space, status__in=UNFINISHED)
    return MessageOutcome.objects.filter(job__in=unfinished, outcome=MessageOutcome.Outcome.WAITING).count()


def waiting_in(conversation: Conversation) -> int:
    """How many messages of the conversation have not been read yet."""
    unfinished = Job.objects.filter(conversation=conversation, status__in=UNFINISHED)
    return MessageOutcome.objects.filter(job__in=unfinished, outcome=MessageOutcome.Outcome.WAITING).count()


def latest_job(space: Space, kind: str) -> Job | None:
    """The last job of this kind that was queued in the space."""
    return Job.objects.filter(space=space, kind=kind).order_by("-pk").first()
