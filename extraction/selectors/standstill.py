"""Whether anybody is at work in the background: told by the work itself, so that no worker has to report."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Max, Q
from django.utils import timezone

from extraction.models import Job
from extraction.selectors.queue import is_due
from topics.models import DuplicateSearch, Space
from topics.selectors.duplicates import comparison_of

SHORTEST = timedelta(minutes=2)
LOOKS = 4  # so often a worker has looked for what is due in vain before it counts as none
BETWEEN_COMPARISONS = timedelta(minutes=3)  # topics are compared once a minute, by a worker that has nothing else to do
MOST_RECENT = 200


@dataclass(frozen=True, slots=True)
class Standstill:
    """Work is long overdue, and no worker has done anything since `seen_at`; None where there is no trace of one."""

    seen_at: datetime | None


def standstill(space: Space) -> Standstill | None:
    """None as long as a worker is at it, or nothing is long overdue: a job of any space, or the comparison
    of the topics of this one.

    A queue that is merely long is no standstill: something of it was done a moment ago.
    """
    now = timezone.now()
    long_ago = now - _patience()
    if not (_is_job_overdue(long_ago) or _is_comparison_overdue(space, now)):
        return None
    running = Job.objects.filter(status=Job.Status.RUNNING)
    is_comparing = DuplicateSearch.objects.filter(running_since__gt=now - DuplicateSearch.GIVEN_UP_AFTER)
    if running.filter(lease_until__gt=now).exists() or is_comparing.exists():
        return None
    seen = _last_trace()
    return None if seen is not None and seen > long_ago else Standstill(seen)


def _patience() -> timedelta:
    """For how long a due job may wait before somebody should be told."""
    looks = max(settings.INFINI_POLL_SECONDS, settings.INFINI_SWEEP_SECONDS if settings.CELERY_BROKER_URL else 0)
    return max(SHORTEST, timedelta(seconds=LOOKS * looks))


def _is_job_overdue(since: datetime) -> bool:
    """Whether a job has been due since then, of any space: they have the workers in common."""
    return Job.objects.filter(is_due(since)).exists()


def _is_comparison_overdue(space: Space, now: datetime) -> bool:
    done_at = comparison_of(space).done_at
    changed = space.topics.filter(changed_at__lte=now - BETWEEN_COMPARISONS)
    return (changed if done_at is None else changed.filter(changed_at__gt=done_at)).exists()


def _last_trace() -> datetime | None:
    """When a worker last ended a job, renewed the lease of one, or compared topics."""
    # Those that were queued last; ids lead to them, where the times of their ends have no index.
    ended = Job.objects.filter(Q(status=Job.Status.DONE) | Q(status=Job.Status.FAILED)).order_by("-pk")
    times = [at for at in ended.values_list("finished_at", flat=True)[:MOST_RECENT] if at is not None]
    lease = Job.objects.filter(status=Job.Status.RUNNING).aggregate(at=Max("lease_until"))["at"]
    if lease is not None:
        times.append(lease - timedelta(seconds=settings.INFINI_JOB_LEASE_SECONDS))
    searched = DuplicateSearch.objects.aggregate(at=Max("searched_until"))["at"]
    if searched is not None:
        times.append(searched + DuplicateSearch.OVERLAP)
    return max(times, default=None)
