"""Merging topics: 2 to 5 documents become one, in one change set that undo takes back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from topics.changes import Actor, OpenChange, change_set, save_tracked
from topics.errors import WrongState
from topics.models import ChangeSet, Evidence, Fact, Space, TimelineEntry, Topic
from topics.retrieval import index
from topics.services.merge_plan import MergeChoices, MergePlan, plan_merge
from topics.services.statements import Span, add_evidence, ended_by
from topics.services.summaries import settle_summary
from topics.services.topics import insert_alias, lock_topics
from topics.signals import topics_merged

Statement = Fact | TimelineEntry


def merge_topics(
    *,
    space: Space,
    survivor: Topic,
    others: Sequence[Topic],
    actor: Actor,
    choices: MergeChoices | None = None,
    reason: str = "",
) -> tuple[MergePlan, ChangeSet]:
    """Merge `others` into `survivor`: what was done, and the change set that did it.

    Names, facts and timeline of all go to the survivor, and the ids of the others answer with it from then on. What
    several of them say becomes one statement with the words behind all. Facts that contradict each other both stay,
    disputed, and go to review, unless `choices` names the one that stands. Undo parts them again, also after later
    changes: see `topics.services.unmerging`. Raises as `plan_merge`.
    """
    with change_set(space=space, actor=actor, action="merge_topics", reason=reason) as change:
        held = lock_topics([survivor.pk, *(t.pk for t in others)])
        if len(held) < 1 + len({t.pk for t in others} - {survivor.pk}):
            raise WrongState(_("This topic was merged or deleted."), code="topic_gone")
        plan = plan_merge(
            space=space,
            survivor=held[survivor.pk],
            others=[held[t.pk] for t in others],
            choices=choices or MergeChoices(),
        )
        _join_statements(change, plan)
        _join_names(plan)
        _join_topics(plan, actor)
        _join_sources(change, plan, actor)
        topics_merged.send(Topic, change_set=change.row, plan=plan)
        index.reindex_topic(plan.survivor)
        return plan, change.row


def _join_statements(change: OpenChange, plan: MergePlan) -> None:
    """Give every statement to the survivor.

    What stops being current is written before what stands on in its place: a topic says the same thing once.
    """
    out: dict[Any, Statement] = {}
    kept: dict[Any, Statement] = {}
    for repeat in [*plan.repeats, *plan.entry_repeats]:
        kept[repeat.kept.pk] = repeat.kept
        for name, value in repeat.filled.items():
            setattr(repeat.kept, name, value)
        for row in repeat.joined:
            row.status = Fact.Status.JOINED
            if isinstance(row, Fact):
                row.superseded_by_id = repeat.kept.pk
            out[row.pk] = row
    for row in plan.left_out:
        row.status = Fact.Status.RETRACTED
    for contradiction in plan.contradictions:
        if contradiction.loser is not None and contradiction.winner is not None:
            _supersede(change, contradiction.loser, by=contradiction.winner)
            out[contradiction.loser.pk] = contradiction.loser
    for model, rows in plan.moved.items():
        for row in rows:
            row.topic = plan.survivor
        own = [row for row in out.values() if isinstance(row, model) and row not in rows]
        save_tracked([row for row in [*rows, *own] if row.pk not in kept or row.pk in out])
        save_tracked([row for row in kept.values() if isinstance(row, model) and row.pk not in out])


def _supersede(change: OpenChange, loser: Fact, *, by: Fact) -> None:
    loser.status, loser.superseded_by = Fact.Status.SUPERSEDED, by
    loser.valid_until = ended_by(loser, by, at=change.at)


def _join_names(plan: MergePlan) -> None:
    for alias in plan.dropped:
        alias.delete()
    for alias in plan.aliases:
        alias.topic, alias.is_name = plan.survivor, False
        alias.save()
    if plan.own is None:
        insert_alias(topic=plan.survivor, name=plan.name, is_name=True)
    else:
        plan.own.topic, plan.own.name, plan.own.is_name = plan.survivor, plan.name, True
        plan.own.save()


def _join_topics(plan: MergePlan, actor: Actor) -> None:
    survivor, by_person = plan.survivor, plan.summary_by_person
    survivor.name, survivor.kind, survivor.status = plan.name, plan.kind, plan.status
    survivor.summary, survivor.summary_sentences = plan.summary, plan.summary_sentences
    survivor.summary_by_person = actor.is_person and bool(plan.summary) if by_person is None else by_person
    survivor.save()
    settle_summary(survivor)
    for topic in plan.others:
        topic.status, topic.merged_into = Topic.Status.MERGED, survivor
        topic.save()


def _join_sources(change: OpenChange, plan: MergePlan, actor: Actor) -> None:
    """The words behind a statement that was joined stand behind the one that it was joined with too."""
    stands_for = {row.pk: repeat.kept for repeat in [*plan.repeats, *plan.entry_repeats] for row in repeat.joined}
    rows = Evidence.objects.filter(removed_by=None).select_related("message").order_by("id")
    facts = [(row.fact_id, row) for row in rows.filter(fact__in=list(stands_for))]
    entries = [(row.entry_id, row) for row in rows.filter(entry__in=list(stands_for))]
    additions = [
        (stands_for[pk], [Span(row.message, row.start, row.end)]) for pk, row in [*facts, *entries] if pk is not None
    ]
    add_evidence(space=change.space, actor=actor, additions=additions)
