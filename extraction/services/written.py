"""What people and agents write into a document themselves is compared with what it holds, as what is extracted is."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext as _

from extraction.models import Conflict
from extraction.services.conflicts import put_against_held
from extraction.services.reconcile import claim_of, judge, load_held
from topics.models import ChangeSet, Fact
from topics.signals import documents_changed

_WRITING = ("add_fact", "edit_fact", "replace_fact")
_COMPARED = ("text", "attribute", "value", "unit", "negated", "certainty", "scope", "valid_until", "status")


@receiver(documents_changed, dispatch_uid="extraction.compare_what_was_written")
def compare_what_was_written(sender: Any, change_set: ChangeSet, topics: Collection[Any], **kwargs: Any) -> None:
    """Put a fact that somebody wrote against a held one that it contradicts: both stay, disputed, until it is decided.

    One with a scope or an end holds beside others.
    """
    if change_set.action not in _WRITING:
        return
    written = Fact.objects.filter(pk__in=_written_by(change_set), status=Fact.Status.ACTIVE, scope="", valid_until=None)
    for fact in written.select_related("topic"):
        claim = claim_of(fact)
        verdict = judge(claim, load_held([claim], apart_from=[fact.pk]))
        if verdict.relation != "conflict" or verdict.fact is None or _is_open(fact, verdict.fact):
            continue
        put_against_held(
            fact=fact,
            held=verdict.fact,
            why=verdict.why,
            change_set=change_set,
            topic=fact.topic,
            base_version=fact.topic.document_version,
            reason=_("Written into the document"),
        )


def _written_by(change_set: ChangeSet) -> set[Any]:
    """Ids of the facts that the change set made, or changed in what is compared."""
    found = set()
    for row in Fact.history.filter(change_set=change_set):
        before = row.prev_record
        if before is None or any(getattr(row, name) != getattr(before, name) for name in _COMPARED):
            found.add(row.id)
    return found


def _is_open(fact: Fact, held: Fact) -> bool:
    """Whether the two wait for a decision already."""
    rows = Conflict.objects.filter(status=Conflict.Status.OPEN, proposal__is_held=True)
    sides = (fact.pk, held.pk)
    return rows.filter(fact__in=sides, proposal__fact__in=sides).exists()
