"""Celery's side of the queue. The job table decides what runs; these only say when to look."""

from __future__ import annotations

from random import SystemRandom
from uuid import UUID

from celery import shared_task

from extraction.selectors.queue import due_jobs
from extraction.services import embedding, jobs

SWEEP_LIMIT = 50


@shared_task(name="extraction.tasks.run_job", ignore_result=True)
def run_job(pk: str) -> None:
    """Run the job, then the one that is most overdue, and ring for another that is still due.

    While there is work, workers thus find jobs whose ring got lost and jobs of dead workers at once, however long the
    broker's queue is; the sweep only has to wake idle ones. The other is picked at random so that two workers seldom
    ring for the same.
    """
    if not jobs.run_job(UUID(pk), worker=jobs.worker_name()):
        return
    due = list(due_jobs(limit=SWEEP_LIMIT).values_list("pk", flat=True))
    if due:
        jobs.run_job(due[0], worker=jobs.worker_name())
    if len(due) > 1:
        jobs.ring(SystemRandom().choice(due[1:]))


@shared_task(name="extraction.tasks.sweep", ignore_result=True)
def sweep() -> None:
    """Ring for what is due: rings that got lost, back-offs that have passed, leases of workers that died."""
    for pk in due_jobs(limit=SWEEP_LIMIT).values_list("pk", flat=True):
        jobs.ring(pk)


@shared_task(name="extraction.tasks.embed_missing", ignore_result=True)
def embed_missing() -> None:
    """Queue the embedding of what an embedder that was set meanwhile has not seen yet."""
    embedding.request_missing()
