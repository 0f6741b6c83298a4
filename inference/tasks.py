"""Celery's side: the schedule that keeps the table of calls small."""

from __future__ import annotations

from celery import shared_task

from inference.ledger import tidy_calls


@shared_task(name="inference.tasks.tidy", ignore_result=True)
def tidy() -> None:
    """Delete calls that are old enough, and mark those whose worker died."""
    tidy_calls()
