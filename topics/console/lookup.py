"""The object that an address names, in the person's own space; anything else is not found."""

from __future__ import annotations

from typing import Any, TypeVar
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from topics.console.access import ConsoleRequest
from topics.models import Alias, ChangeSet, Fact, TimelineEntry, Topic
from topics.selectors.topics import topic_by_id

Row = TypeVar("Row", Fact, TimelineEntry, Alias)

PAGE_SIZE = 50


def find_topic(request: ConsoleRequest, pk: UUID) -> Topic:
    """The topic, or the one it was merged into."""
    topic = topic_by_id(request.space, pk)
    if topic is None:
        raise Http404
    return topic


def find_row(model: type[Row], topic: Topic, pk: UUID) -> Row:
    """A fact, entry or alias of this topic."""
    row: Row = get_object_or_404(model, pk=pk, topic=topic)
    row.topic = topic
    return row


def find_change(request: ConsoleRequest, pk: UUID) -> ChangeSet:
    changes = ChangeSet.objects.select_related("undoes").prefetch_related("undone_by", "documents__topic")
    return get_object_or_404(changes, pk=pk, space=request.space)


def page_of(request: ConsoleRequest, rows: QuerySet[Any, Any], size: int = PAGE_SIZE) -> Page[Any]:
    """The page that the address asks for; the nearest one for a number out of range."""
    return Paginator(rows, size).get_page(request.GET.get("page"))
