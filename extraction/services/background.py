"""Work on a whole space that follows from what happens in it: it is queued once, however much happens."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from extraction.models import Job
from topics.models import Space

# Between the first statement that belongs to no topic and the discovery that looks at what has gathered by then.
DISCOVERY_PAUSE = timedelta(hours=1)


def request_job(*, space: Space, kind: str, delay: timedelta) -> Job:
    """The queued job of this kind, due `delay` from now at the latest; a new one where there is none.

    Two processes that ask at once may queue two: the second finds nothing left to do. Nobody is rung up: a worker finds
    the job, or the sweep rings, when it is due.
    """
    due = timezone.now() + delay
    with transaction.atomic():
        job = (
            Job.objects.select_for_update(no_key=True).filter(space=space, kind=kind, status=Job.Status.QUEUED).first()
        )
        if job is None:
            return Job.objects.create(
                space=space, kind=kind, run_after=due, max_attempts=settings.INFINI_JOB_MAX_ATTEMPTS
            )
        if job.run_after > due:
            job.run_after = due
            job.save(update_fields=["run_after"])
        return job


def is_being_done(job: Job) -> bool:
    """Whether an earlier job of this kind is at work in the space, which does what this one would."""
    running = Job.objects.filter(space=job.space, kind=job.kind, status=Job.Status.RUNNING, pk__lt=job.pk)
    return running.filter(lease_until__gt=timezone.now()).exists()
