"""What was decided about proposals, for the pages of the activity, which do not know proposals."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Window
from django.db.models.functions import RowNumber
from django.dispatch import receiver
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from extraction.models import Conflict, Decision, Proposal
from extraction.selectors.decided import with_both_sides
from extraction.selectors.proposals import CONFLICTS, FACTS, SNOOZED, TOPICS
from extraction.templatetags.review import claim, what_was_done
from topics.models import ChangeSet
from topics.selectors.decisions import Decided, Decisions
from topics.signals import collect_decisions

LONGEST = 200  # characters of a text


@receiver(collect_decisions, dispatch_uid="extraction.decisions_of_changes")
def decisions_of_changes(
    sender: Any, changes: Collection[ChangeSet], most: int, **kwargs: Any
) -> dict[UUID, Decisions]:
    """The decisions that neither made a proposal a statement nor took that back: those are told by the statements."""
    decisions = Decision.objects.filter(change_set__in=[change.pk for change in changes])
    decisions = decisions.exclude(after=Proposal.Status.APPROVED).exclude(before=Proposal.Status.APPROVED)
    numbered = with_both_sides(decisions).annotate(
        place=Window(RowNumber(), partition_by=F("change_set"), order_by="pk"),
        total=Window(Count("pk"), partition_by=F("change_set")),
    )
    undoing = {change.pk for change in changes if change.undoes_id is not None}
    found: dict[UUID, Decisions] = {}
    for decision in numbered.filter(place__lte=most).order_by("pk"):
        held = found.setdefault(decision.change_set_id, Decisions([], decision.total))
        held.first.append(_decided(decision, is_undoing=decision.change_set_id in undoing))
    return found


def _decided(decision: Decision, *, is_undoing: bool) -> Decided:
    proposal = decision.proposal
    return Decided(
        title=_title(decision, is_undoing=is_undoing),
        topic=proposal.topic,
        address=reverse("extraction:item", args=[_tab(proposal), proposal.pk]),
    )


def _title(decision: Decision, *, is_undoing: bool) -> str:
    new = Truncator(claim(decision.proposal)).chars(LONGEST)
    if decision.after == Proposal.Status.PENDING and (is_undoing or not decision.conflict_outcome):
        return _("Waits for a decision: “%(new)s”") % {"new": new}
    if decision.conflict_outcome == Conflict.Outcome.KEEP:
        return _("%(kept)s, not: “%(new)s”") % {"kept": what_was_done(decision, LONGEST), "new": new}
    return what_was_done(decision, LONGEST)


def _tab(proposal: Proposal) -> str:
    """The tab in which the proposal stands, or did when it was open."""
    if proposal.status == Proposal.Status.SNOOZED:
        return SNOOZED
    if getattr(proposal, "conflict", None) is not None:
        return CONFLICTS
    return TOPICS if proposal.kind == Proposal.Kind.TOPIC else FACTS
