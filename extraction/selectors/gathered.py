"""What belongs to no topic yet, and the topics that were found in it."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, QuerySet

from extraction.models import DISCOVERY, Proposal
from topics.models import Space, Topic

OPEN = (Proposal.Status.PENDING, Proposal.Status.SNOOZED)
STATEMENTS = (Proposal.Kind.FACT, Proposal.Kind.TIMELINE)
# What is known of a person belongs to that person, even while it is not worth a topic.
MATTERS = (Topic.Kind.PROJECT, Topic.Kind.TASK, Topic.Kind.INTEREST, Topic.Kind.OTHER)


def gathered(space: Space) -> QuerySet[Proposal]:
    """Statements that wait in no topic, the oldest first: each of them stands for the turn that it was taken from."""
    return Proposal.objects.filter(
        space=space,
        kind__in=STATEMENTS,
        status__in=OPEN,
        topic=None,
        new_topic__is_provisional=True,
        new_topic__topic_kind__in=MATTERS,
        message__isnull=False,
    ).order_by("pk")


def gathered_counts(space: Space) -> dict[str, int]:
    """How many statements wait in no topic, and in how many turns: `statements`, `turns`."""
    return gathered(space).aggregate(statements=Count("pk"), turns=Count("message", distinct=True))


def discovered(space: Space, *status: str) -> QuerySet[Proposal]:
    """Topics that a discovery proposed, the newest first."""
    rows = Proposal.objects.filter(space=space, kind=Proposal.Kind.TOPIC, extractor=DISCOVERY)
    return rows.filter(status__in=status).order_by("-pk")


def turns_of(topics: QuerySet[Proposal]) -> dict[Any, set[Any]]:
    """Discovered topic → the turns that it was found in (ids)."""
    found: dict[Any, set[Any]] = {}
    for pk, message in topics.values_list("pk", "quotes__message").order_by():
        found.setdefault(pk, set()).add(message)
    return found
