"""Whose words a statement is in, when they are not those of the speaker from whom it was taken."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Substr

from topics.models import Evidence, Fact, TimelineEntry
from topics.models.statement import WRITTEN
from topics.services.statements import content_key


@dataclass(frozen=True, slots=True)
class Edit:
    """Who put a statement in the words in which it is held, and when."""

    by: str
    at: datetime


def edits_of(statements: Collection[Fact | TimelineEntry]) -> dict[UUID, Edit]:
    """Statement id → who wrote its words, for those in words that somebody wrote in place of others: by editing the
    statement, or by approving it in words of his own. No more than one query for each kind of statement.

    What was written by hand from the start replaces no words, nor does a text that is what was said.
    """
    written = [statement for statement in statements if statement.origin in WRITTEN]
    facts = {row.pk: row.text for row in written if isinstance(row, Fact)}
    entries = {row.pk: row.text for row in written if isinstance(row, TimelineEntry)}
    return _edits(Fact, "fact", facts) | _edits(TimelineEntry, "entry", entries)


def _edits(model: type[Fact] | type[TimelineEntry], owner: str, texts: dict[UUID, str]) -> dict[UUID, Edit]:
    if not texts:
        return {}
    words = Substr("message__content", F("start") + 1, F("end") - F("start"))
    evidence = Evidence.objects.filter(**{owner: OuterRef("id")}, removed_by=None).order_by("id")
    rows = (
        model.history.filter(id__in=texts)
        .annotate(said=Subquery(evidence.annotate(words=words).values("words")[:1]))
        .order_by("history_id")
        .values_list("id", "text", "origin", "history_type", "history_date", "change_set__actor_label", "said")
    )
    found: dict[UUID, Edit | None] = {}
    for pk, text, origin, kind, at, by, said in rows:
        # An undo, a merge or a change of something else writes the same words again.
        if text != texts[pk] or pk in found:
            continue
        is_said = said is not None and content_key(said) == content_key(text)
        replaces = kind == "~" or said is not None
        found[pk] = Edit(by, at) if origin in WRITTEN and replaces and not is_said else None
    return {pk: edit for pk, edit in found.items() if edit}
