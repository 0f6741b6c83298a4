"""Celery's side of what the memory does in the background."""

from __future__ import annotations

from celery import shared_task

from topics.services.duplicates import search_where_due


@shared_task(name="topics.tasks.search_duplicates", ignore_result=True)
def search_duplicates() -> None:
    """Compare the topics that have changed with the others, in every space that is due."""
    search_where_due()
