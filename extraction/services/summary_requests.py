"""When summaries are made anew: a while after a document has changed, once for all that changed meanwhile."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.dispatch import receiver
from django.utils import timezone

from extraction.models import Job
from inference.client import chat_model
from topics.models import ChangeSet, Space
from topics.services.undo import root_of
from topics.signals import documents_changed

PAUSE = timedelta(seconds=30)  # after the latest change
LONGEST_WAIT = timedelta(minutes=5)  # after the first one, however many follow


@receiver(documents_changed, dispatch_uid="extraction.request_summaries")
def after_change(sender: Any, change_set: ChangeSet, topics: Collection[Any], **kwargs: Any) -> None:
    """Ask for summaries of the documents that changed, unless what changed them was a summary (or its undo)."""
    if root_of(change_set).action != "summarise":
        request_summaries(space=change_set.space, topics=topics)


def request_summaries(*, space: Space, topics: Collection[Any]) -> None:
    """Queue a fresh summary of each of these topics, or put off the one that waits. Nothing without a model.

    Needs an open change set, which holds the space: of two at once one finds what the other has queued.
    """
    if chat_model(space) is None:
        return
    now = timezone.now()
    waiting = list(Job.objects.select_for_update(no_key=True).filter(topic__in=topics, gathering=True))
    for job in waiting:
        job.run_after = min(now + PAUSE, job.created_at + LONGEST_WAIT)
    Job.objects.bulk_update(waiting, ["run_after"])
    Job.objects.bulk_create(
        Job(
            space=space,
            kind=Job.Kind.SUMMARISE,
            topic_id=pk,
            gathering=True,
            run_after=now + PAUSE,
            max_attempts=settings.INFINI_JOB_MAX_ATTEMPTS,
        )
        for pk in set(topics) - {job.topic_id for job in waiting}
    )
