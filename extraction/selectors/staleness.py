"""What has changed in a document since something was proposed for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db.models import OuterRef, Subquery

from extraction.attributes import concept
from extraction.models import Conflict, Proposal
from topics.models import Fact, Topic

MOST_READ = 200  # history rows
MOST_SHOWN = 10


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """A fact of the document: what it said when the proposal was filed ("" for one that was added since) and what it
    says now ("" for one that went), who changed it last, and whether it is about the same attribute."""

    verb: Literal["added", "changed", "removed"]
    old: str
    new: str
    who: str
    at: datetime
    is_close: bool


@dataclass(frozen=True, slots=True)
class Since:
    """What changed since a proposal was filed: facts, those about the same attribute first, and of a proposed summary
    the one that stood then (None where that is the one that stands now). `more` are facts beyond those shown."""

    facts: Sequence[ChangedFact]
    more: int
    summary_then: str | None

    @property
    def is_close(self) -> bool:
        """Whether something changed that the proposal is about itself."""
        return self.summary_then is not None or any(fact.is_close for fact in self.facts)


def changed_since(proposal: Proposal) -> Since | None:
    """What a reviewer should know before deciding; None when the document is as it was. One or two queries."""
    topic = proposal.topic
    if topic is None or not proposal.is_open or topic.document_version == proposal.base_version:
        return None
    facts = sorted(_changed_facts(proposal, topic), key=lambda fact: (not fact.is_close, -fact.at.timestamp()))
    summary = summary_at_filing(proposal) if proposal.kind == Proposal.Kind.SUMMARY else topic.summary
    then = summary if summary != topic.summary else None
    if not facts and then is None:
        return None
    return Since(facts[:MOST_SHOWN], max(len(facts) - MOST_SHOWN, 0), then)


def summary_at_filing(proposal: Proposal) -> str:
    """The summary of the proposal's topic when the proposal was filed."""
    rows: Any = Topic.history.filter(id=proposal.topic_id, history_date__lte=proposal.created_at)
    return str(rows.order_by("-history_id").values_list("summary", flat=True).first() or "")


def text_at_conflict(conflict: Conflict) -> str:
    """What the held fact said when the conflict was found."""
    rows: Any = Fact.history.filter(id=conflict.fact_id, version=conflict.fact_version)
    return str(rows.order_by("-history_id").values_list("text", flat=True).first() or "")


def _changed_facts(proposal: Proposal, topic: Topic) -> list[ChangedFact]:
    history: Any = Fact.history
    earlier = history.filter(id=OuterRef("id"), history_id__lt=OuterRef("history_id")).order_by("-history_id")
    rows = history.filter(topic_id=topic.pk, history_date__gt=proposal.created_at).annotate(
        text_before=Subquery(earlier.values("text")[:1]), status_before=Subquery(earlier.values("status")[:1])
    )
    first: dict[Any, Any] = {}
    last: dict[Any, Any] = {}
    for row in rows.select_related("change_set").order_by("history_id")[:MOST_READ]:
        first.setdefault(row.id, row)
        last[row.id] = row
    found = (_changed_fact(proposal, first[pk], last[pk]) for pk in last)
    return [fact for fact in found if fact is not None]


def _changed_fact(proposal: Proposal, first: Any, last: Any) -> ChangedFact | None:
    old = first.text_before if first.status_before == Fact.Status.ACTIVE else ""
    new = last.text if last.status == Fact.Status.ACTIVE else ""
    if old == new:
        return None
    is_close = bool(proposal.attribute) and concept(last.attribute) == concept(proposal.attribute)
    return ChangedFact(
        verb="added" if not old else "removed" if not new else "changed",
        old=old or "",
        new=new,
        who=last.change_set.actor_label,
        at=last.history_date,
        is_close=is_close or last.id == proposal.similar_fact_id,
    )
