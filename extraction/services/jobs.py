"""The queue: ring, claim, run, give up, retry. The job's row is the truth; a broker is only the doorbell.

A worker claims a job by compare-and-swap on its `fence`, prepares the work with no transaction open while a thread
renews the lease, and then writes everything in one transaction that begins by checking that the fence is still its own.
A long conversation is worked off in parts, each prepared and written like this. Whatever happens to a worker, the
result of a part is therefore written once or not at all:

- killed before the commit: nothing was written; the lease runs out and another worker claims the job;
- killed after the commit: the job is done;
- so slow that its lease ran out and another worker took over: its own fenced write finds no row and is rolled back.
"""

from __future__ import annotations

import os
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

import structlog
from celery import current_app
from django.conf import settings
from django.db import DatabaseError, IntegrityError, OperationalError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from extraction.extractors.protocol import ExtractionError
from extraction.models import Job, MessageOutcome
from extraction.selectors.queue import is_due
from extraction.services.bulk_parts import prepare_bulk
from extraction.services.delivering import prepare_delivery
from extraction.services.discovery import prepare_discovery
from extraction.services.embedding import prepare_embedding
from extraction.services.reading import prepare_reading
from extraction.services.summarising import prepare_summary
from topics.errors import MemoryRefusal, WrongState
from topics.models import Space

log = structlog.get_logger(__name__)

# Writes what was prepared; True when a part is left, which is to be prepared next.
Write = Callable[[], bool | None]
Handler = Callable[["Job"], Write]

ERROR_LENGTH = 500
# Seconds. An ordinary failure (a model that does not answer) waits 5, 20, 80, 320; a collision with another writer is
# over as soon as that one has committed.
FAILURE_BACKOFF = 5.0
COLLISION_BACKOFF = 0.2
BACKOFF_FACTOR = 4
BACKOFF_LIMIT = 900.0

_random = random.SystemRandom()


class LeaseLost(Exception):
    """Another worker has taken the job over. Nothing was written."""


# For each kind of job: the slow part, which runs outside any transaction and returns the part that writes.
HANDLERS: dict[str, Handler] = {
    Job.Kind.EXTRACT: prepare_reading,
    Job.Kind.SUMMARISE: prepare_summary,
    Job.Kind.EMBED: prepare_embedding,
    Job.Kind.DISCOVER: prepare_discovery,
    Job.Kind.DECIDE: prepare_bulk,
    Job.Kind.DELIVER: prepare_delivery,
}


# ---------------------------------------------------------------------------------------- back into the queue


RETRY_BATCH = 500


def retry_job(*, job: Job) -> Job:
    """Queue a failed job again with all its attempts. Raises WrongState for a job that has not failed."""
    if not _queue_again([job.pk]):
        raise WrongState(_("Only a job that has failed can be tried again."))
    job.refresh_from_db()
    return job


def retry_failed_jobs(*, space: Space, kind: str = "") -> int:
    """Queue every failed job of the space again, or those of a kind: how many."""
    failed = Job.objects.filter(space=space, status=Job.Status.FAILED)
    if kind:
        failed = failed.filter(kind=kind)
    ids = list(failed.order_by("pk").values_list("pk", flat=True))
    return sum(_queue_again(ids[start : start + RETRY_BATCH]) for start in range(0, len(ids), RETRY_BATCH))


def _queue_again(ids: Sequence[UUID]) -> int:
    """Queue those of these jobs that have failed, with the messages that they could not read: how many."""
    with transaction.atomic():
        failed = Job.objects.select_for_update(no_key=True).filter(pk__in=ids, status=Job.Status.FAILED)
        found = list(failed.values_list("pk", flat=True))
        Job.objects.filter(pk__in=found).update(
            status=Job.Status.QUEUED,
            attempts=0,
            max_attempts=settings.INFINI_JOB_MAX_ATTEMPTS,
            run_after=timezone.now(),
            finished_at=None,
            error="",
        )
        unread = MessageOutcome.objects.filter(job__in=found, outcome=MessageOutcome.Outcome.FAILED)
        unread.update(outcome=MessageOutcome.Outcome.WAITING, error="")
        for pk in found:
            transaction.on_commit(partial(ring, pk))
    return len(found)


# ------------------------------------------------------------------------------------------------ the doorbell


_broker_silent_until = 0.0


def ring(job_pk: UUID) -> None:
    """Tell the workers that a job is due. The only place that talks to the broker; without one it does nothing.

    Never raises: a ring that does not get through is a delay, because the sweep rings again. After one that did not,
    no other is tried for the time of a sweep, so that a dead broker delays one request and not each.
    """
    global _broker_silent_until
    if not settings.CELERY_BROKER_URL or time.monotonic() < _broker_silent_until:
        return
    try:
        current_app.send_task("extraction.tasks.run_job", args=[str(job_pk)])
    except Exception as error:  # each broker's client raises classes of its own
        _broker_silent_until = time.monotonic() + settings.INFINI_SWEEP_SECONDS
        log.warning("broker_unreachable", error=type(error).__name__, job=str(job_pk))


# ------------------------------------------------------------------------------------------------------- running


def worker_name() -> str:
    """This process, as it is shown beside the jobs that it has claimed."""
    return f"{socket.gethostname()}:{os.getpid()}"


def run_job(pk: UUID, *, worker: str, prepare: Handler | None = None) -> bool:
    """Claim the job and run it to its end: done, back in the queue, or failed. `prepare` takes the place of the slow
    part of its kind.

    False when there was nothing to run: unknown, ended, not due yet, or another worker was faster. Must not be called
    inside a transaction. Raises only database errors that keep it from noting how the job ended; its lease then runs
    out and it is claimed again.
    """
    job = _claim(pk, worker)
    if job is None:
        return False
    with structlog.contextvars.bound_contextvars(job=str(pk), attempt=job.attempts):
        try:
            _carry_out(job, prepare or HANDLERS[job.kind])
        except LeaseLost:
            log.warning("lease_lost")
        except Exception as error:
            log.warning("job_attempt_failed", exc_info=True)
            connection.close_if_unusable_or_obsolete()
            _note_failure(job, error)
    return True


def _claim(pk: UUID, worker: str) -> Job | None:
    """The job, now running under this worker's fence and lease; None when it cannot be had.

    A job whose every attempt ended with its worker's death is failed here instead of killing the next one.
    """
    now = timezone.now()
    job = Job.objects.select_related("space", "conversation", "topic").filter(is_due(now), pk=pk).first()
    if job is None:
        return None
    if job.attempts >= job.max_attempts:
        _give_up_on_poison(job)
        return None
    seen_fence, job.fence = job.fence, job.fence + 1
    job.attempts += 1
    job.status, job.worker, job.lease_until = Job.Status.RUNNING, worker[:100], _lease_end(now)
    with transaction.atomic(durable=True):  # what a caller could roll back would be no claim
        swapped = Job.objects.filter(is_due(now), pk=pk, fence=seen_fence).update(
            fence=job.fence,
            attempts=job.attempts,
            status=job.status,
            worker=job.worker,
            lease_until=job.lease_until,
            gathering=False,
        )
    return job if swapped else None


def _carry_out(job: Job, prepare: Handler) -> None:
    """Part by part: prepare with no transaction open, then write in one that only the holder of the fence can commit.

    A part that was written counts as progress: the tries begin anew, and nothing of it is done again.
    """
    has_more = True
    while has_more:
        with _renewed_lease(job):
            write = prepare(job)
        with transaction.atomic(durable=True):
            # First, so that it locks the row: nobody can claim the job while the rest is being written.
            if not _held(job).update(lease_until=_lease_end(timezone.now()), error=""):
                raise LeaseLost
            has_more = bool(write())
            if has_more:
                _held(job).update(attempts=1)
            else:
                _finish(job)
        if has_more:
            job.attempts = 1


def _finish(job: Job) -> None:
    """End the job: as done, or as failed where some of its messages could not be read though others could."""
    failed = job.messages.filter(outcome=MessageOutcome.Outcome.FAILED).first()
    _held(job).update(
        status=Job.Status.FAILED if failed else Job.Status.DONE,
        error=failed.error[:ERROR_LENGTH] if failed else "",
        finished_at=timezone.now(),
        lease_until=None,
    )
    if job.messages.filter(outcome=MessageOutcome.Outcome.WAITING).exists():
        raise RuntimeError(f"the handler of {job.kind!r} left messages without an outcome")


def _held(job: Job) -> QuerySet[Job]:
    """The job's row as long as nobody has claimed it since."""
    return Job.objects.filter(pk=job.pk, fence=job.fence, status=Job.Status.RUNNING)


def _lease_end(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.INFINI_JOB_LEASE_SECONDS)


@contextmanager
def _renewed_lease(job: Job) -> Iterator[None]:
    """Renew the lease from a thread until the block ends, so that slow work is not taken for a dead worker."""
    finished = threading.Event()
    thread = threading.Thread(target=_renew_lease, args=(job, finished), name=f"lease-{job.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        finished.set()
        thread.join()


def _renew_lease(job: Job, finished: threading.Event) -> None:
    try:
        while not finished.wait(settings.INFINI_JOB_LEASE_SECONDS / 3):
            try:
                if not _held(job).update(lease_until=_lease_end(timezone.now())):
                    return
            except DatabaseError:
                log.warning("lease_not_renewed", job=str(job.pk), exc_info=True)
                connection.close()
    finally:
        connection.close()


# ------------------------------------------------------------------------------------------------------ failures


def _note_failure(job: Job, error: Exception) -> None:
    """Queue the job again after a pause, or fail it where the tries are used up or another would be pointless."""
    is_pointless = isinstance(error, ExtractionError) and not error.retry
    text = _error_text(job, error)
    if is_pointless or job.attempts >= job.max_attempts:
        _fail(job, text)
        return
    _held(job).update(
        status=Job.Status.QUEUED,
        run_after=timezone.now() + max(_backoff(job.attempts, error), _asked_for(error)),
        lease_until=None,
        error=text,
    )


def _give_up_on_poison(job: Job) -> None:
    with translation.override(job.space.language):
        text = _("The worker stopped at each of %(attempts)d attempts to read this.") % {"attempts": job.attempts}
    _fail(job, text)
    log.error("job_given_up", job=str(job.pk), attempts=job.attempts)


def _fail(job: Job, text: str) -> None:
    """End the job and its unread messages as failed, unless somebody has claimed it since."""
    with transaction.atomic():
        if _held(job).update(status=Job.Status.FAILED, finished_at=timezone.now(), lease_until=None, error=text):
            job.messages.filter(outcome=MessageOutcome.Outcome.WAITING).update(
                outcome=MessageOutcome.Outcome.FAILED, error=text
            )


def _backoff(attempts: int, error: Exception) -> timedelta:
    """Longer with each attempt, and spread by a quarter so that jobs that failed together do not return together."""
    first = COLLISION_BACKOFF if isinstance(error, (OperationalError, IntegrityError)) else FAILURE_BACKOFF
    seconds = min(BACKOFF_LIMIT, first * BACKOFF_FACTOR ** (attempts - 1))
    return timedelta(seconds=seconds * _random.uniform(0.75, 1.25))


def _asked_for(error: Exception) -> timedelta:
    """How long the endpoint, or the day's budget, says that there is no point in asking again."""
    return timedelta(seconds=error.retry_after or 0) if isinstance(error, ExtractionError) else timedelta()


def _error_text(job: Job, error: Exception) -> str:
    """What people are shown, in the language of the space.

    Our own errors speak for themselves. Any other may carry a key or a stack of somebody's data in its text: that goes
    to the log, and people see its kind.
    """
    with translation.override(job.space.language):
        if isinstance(error, (ExtractionError, MemoryRefusal)):
            text = str(error)
        else:
            text = _("Unexpected error (%(kind)s). The worker's log has the details.") % {"kind": type(error).__name__}
    # A model's words may stand in it: what the database would refuse must not keep the failure from being noted.
    storable = text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
    return " ".join(storable.split())[:ERROR_LENGTH]
