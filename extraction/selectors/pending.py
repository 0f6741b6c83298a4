"""What waits for a decision about each topic, for the pages of the memory, which do not know proposals."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.dispatch import receiver

from extraction.models import Conflict, Proposal
from topics.models import Space
from topics.signals import collect_pending


@receiver(collect_pending, dispatch_uid="extraction.pending_proposals")
def pending_proposals(sender: Any, space: Space, **kwargs: Any) -> QuerySet[Proposal]:
    """The statements that wait for a person now and belong to a topic that stands; those in conflict count as such."""
    waiting = Proposal.objects.filter(space=space, status=Proposal.Status.PENDING, topic__isnull=False)
    return waiting.exclude(pk__in=Conflict.objects.filter(space=space, status=Conflict.Status.OPEN).values("proposal"))
