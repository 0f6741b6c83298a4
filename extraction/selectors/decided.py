"""What was decided in a change set, with both sides of a conflict as they stood then."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from extraction.models import Decision
from extraction.services.conflicts import standing_fact
from topics.models import Fact


def with_both_sides(decisions: QuerySet[Decision]) -> QuerySet[Decision]:
    """The decisions with their proposals and topics, and what the held fact of a conflict said at that moment."""
    history: Any = Fact.history
    then = history.filter(id=OuterRef("proposal__conflict__fact"), history_date__lte=OuterRef("at"))
    then = then.order_by("-history_id")
    return decisions.select_related("proposal__topic", "proposal__new_topic", "proposal__conflict__fact").annotate(
        held_text=Subquery(then.values("text")[:1]), held_status=Subquery(then.values("status")[:1])
    )


def held_then(decision: Decision) -> str:
    """What the held statement said when the conflict was decided. Needs the annotations of `with_both_sides`."""
    found: Any = decision
    if found.held_status in (Fact.Status.SUPERSEDED, Fact.Status.JOINED):  # it had been replaced by then
        conflict: Any = getattr(decision.proposal, "conflict", None)
        return standing_fact(conflict.fact).text if conflict else ""
    return found.held_text or ""
