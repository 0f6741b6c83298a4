"""Splitting: part of a document becomes a topic of its own, in one change set that undo takes back."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from topics.changes import Actor, change_set, save_tracked
from topics.errors import InvalidInput
from topics.models import Alias, Fact, TimelineEntry, Topic
from topics.retrieval import index
from topics.services.summaries import settle_summary
from topics.services.topics import create_topic, lock_topic
from topics.signals import facts_moved
from topics.text.clean import clean_name
from topics.text.names import name_key

Row = TypeVar("Row", Alias, Fact, TimelineEntry)


def split_topic(
    *,
    topic: Topic,
    actor: Actor,
    name: str,
    kind: str = "",
    summary: str = "",
    facts: Collection[UUID] = (),
    entries: Collection[UUID] = (),
    aliases: Collection[UUID] = (),
    expected_version: int | None = None,
    reason: str = "",
) -> Topic:
    """Move the chosen facts, timeline entries and aliases of `topic` into a new topic, of its kind unless one is given.

    What a fact has replaced, or is joined with, goes along. `name` may be one of the chosen aliases.
    Raises InvalidInput when nothing is chosen or a choice is none of the topic's (its own name is none), NameTaken,
    Stale when the topic's row is not at `expected_version`, and WrongState for a topic that is merged or deleted.
    """
    name = clean_name(name)
    with change_set(space=topic.space, actor=actor, action="split_topic", reason=reason):
        topic = lock_topic(topic, expected_version=expected_version)
        chosen_aliases = _chosen(Alias, topic, aliases, "aliases", Q(is_name=False))
        chosen_facts = _chosen(Fact, topic, facts, "facts", Q(status=Fact.Status.ACTIVE))
        chosen_entries = _chosen(TimelineEntry, topic, entries, "entries", Q(status=TimelineEntry.Status.ACTIVE))
        if not chosen_facts and not chosen_entries:
            problem = _("Choose at least one fact or timeline entry for the new topic.")
            raise InvalidInput(problem, fields={"facts": [problem]})
        for alias in chosen_aliases:
            if alias.key == name_key(name):  # it becomes the name, which the topic makes itself
                alias.delete()
        new = create_topic(space=topic.space, actor=actor, name=name, kind=kind or topic.kind, summary=summary)
        moved_facts = [*chosen_facts, *_behind(chosen_facts)]
        for fact in moved_facts:
            fact.topic = new
        for entry in chosen_entries:
            entry.topic = new
        for alias in chosen_aliases:
            if alias.key != name_key(name):
                alias.topic = new
                alias.save()
        save_tracked(moved_facts)
        save_tracked(chosen_entries)
        settle_summary(topic)
        facts_moved.send(Fact, facts=moved_facts)
        index.reindex_topic(topic)
        index.reindex_topic(new)
        return new


def _chosen(model: type[Row], topic: Topic, ids: Collection[UUID], field: str, may_go: Q) -> list[Row]:
    rows = list(model.objects.filter(may_go, topic=topic, pk__in=ids).order_by("pk"))
    if len(rows) < len(set(ids)):
        problem = _("Only names and current statements of this topic can be moved, and not its own name.")
        raise InvalidInput(problem, fields={field: [problem]})
    return rows


def _behind(facts: Iterable[Fact]) -> list[Fact]:
    """The facts that these have replaced or are joined with, and so on."""
    found: dict[Any, Fact] = {}
    fresh = {fact.pk for fact in facts}
    while fresh:
        rows = Fact.objects.filter(superseded_by__in=fresh, topic__in={f.topic_id for f in facts})
        fresh = {row.pk for row in rows if row.pk not in found}
        found |= {row.pk: row for row in rows}
    return list(found.values())
