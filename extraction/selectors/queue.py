"""Reads of the queue, which is the job table itself."""

from __future__ import annotations

from datetime import datetime

from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from extraction.models import Job


def is_due(now: datetime) -> Q:
    """Queued and not waiting for a back-off to pass, or running under a lease that has run out."""
    return Q(status=Job.Status.QUEUED, run_after__lte=now) | Q(status=Job.Status.RUNNING, lease_until__lte=now)


def due_jobs(*, limit: int) -> QuerySet[Job]:
    """At most `limit` jobs that may be claimed now: the oldest of every space, then the second oldest, and so on.

    So a space that sends ten thousand conversations at once does not keep the others waiting.
    """
    # By way of a subquery: asked directly, SQLite walks every job there ever was, in the order of the window.
    due = Job.objects.filter(is_due(timezone.now())).order_by().values("pk")
    turn = Window(RowNumber(), partition_by=[F("space_id")], order_by=["run_after", "pk"])
    return Job.objects.filter(pk__in=due).annotate(turn=turn).order_by("turn", "run_after", "pk")[:limit]


def is_idle() -> bool:
    """Whether nothing is due and nothing is running. Jobs that wait for a back-off to pass do not count."""
    return not Job.objects.filter(is_due(timezone.now()) | Q(status=Job.Status.RUNNING)).exists()
