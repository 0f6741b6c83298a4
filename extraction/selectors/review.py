"""Reads of proposals, conflicts and questions for programs."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Case, Exists, F, OuterRef, Prefetch, Q, QuerySet, Value, When
from django.utils import timezone

from extraction.models import Confirmation, Conflict, Proposal, ProposalQuote
from topics.models import Space, Topic

# Beyond this a number tells nobody more, and counting takes time in every answer.
MOST_COUNTED = 1000


def find_proposals(
    space: Space,
    *,
    status: str | None = None,
    kind: str | None = None,
    topic: UUID | None = None,
    conflict: bool | None = None,
) -> QuerySet[Proposal]:
    """Proposals of the space, the oldest first. A snooze that has passed counts as pending.

    `kind` is a kind of proposal, or of fact; `topic` a topic or the proposal of one; `conflict` asks for those with an
    open conflict, or without one.
    """
    rows = Proposal.objects.filter(space=space)
    if status is not None:
        rows = rows.filter(_has_status(status))
    if kind is not None:
        rows = rows.filter(kind=kind) if kind in Proposal.Kind.values else rows.filter(kind="fact", fact_kind=kind)
    if topic is not None:
        rows = rows.filter(Q(topic=topic) | Q(new_topic=topic))
    if conflict is not None:
        is_open = Exists(Conflict.objects.filter(proposal=OuterRef("pk"), status=Conflict.Status.OPEN))
        rows = rows.filter(is_open if conflict else ~is_open)
    return rows.order_by("pk")


def count_to_review(space: Space) -> int:
    """How many proposals of the space wait for a decision; no more than MOST_COUNTED are counted."""
    return find_proposals(space, status=Proposal.Status.PENDING).order_by()[:MOST_COUNTED].count()


def with_details(rows: QuerySet[Proposal]) -> QuerySet[Proposal]:
    """The proposals with their topic, conflict and quoted words: three queries more at most, however many."""
    quotes = Prefetch("quotes", ProposalQuote.objects.select_related("message__conversation"))
    return rows.select_related("topic", "conflict__fact").prefetch_related(quotes)


def conflicts_of(space: Space) -> QuerySet[Conflict]:
    """Conflicts of the space with both sides and their words, the oldest first."""
    quotes = Prefetch("proposal__quotes", ProposalQuote.objects.select_related("message__conversation"))
    rows = Conflict.objects.filter(space=space).select_related(
        "fact", "proposal__topic", "proposal__message", "proposal__conflict__fact"
    )
    return rows.prefetch_related(quotes, "confirmations").order_by("pk")


def without_gone(rows: QuerySet[Conflict]) -> QuerySet[Conflict]:
    """Conflicts without the open ones about a topic that is gone: there is nothing left to decide. They come back
    with it."""
    return rows.exclude(status=Conflict.Status.OPEN, fact__topic__status=Topic.Status.DELETED)


def questions_of(space: Space) -> QuerySet[Confirmation]:
    """Questions of the space, the oldest first. `stands` is the status that each has for who may answer it: one about
    a topic that is gone is withdrawn as long as the topic is."""
    gone = Q(status=Confirmation.Status.OPEN, conflict__fact__topic__status=Topic.Status.DELETED)
    rows = Confirmation.objects.filter(space=space).annotate(
        stands=Case(When(gone, then=Value(Confirmation.Status.CANCELLED.value)), default=F("status"))
    )
    return rows.select_related("conflict__fact", "conflict__proposal", "message").order_by("pk")


def _has_status(status: str) -> Q:
    due = Q(status=Proposal.Status.SNOOZED, snoozed_until__lte=timezone.now())
    conditions: dict[str, Any] = {
        Proposal.Status.PENDING: Q(status=Proposal.Status.PENDING) | due,
        Proposal.Status.SNOOZED: Q(status=Proposal.Status.SNOOZED) & ~due,
    }
    found: Q = conditions.get(status, Q(status=status))
    return found
