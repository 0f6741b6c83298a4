"""Reverting one change of a change set: a statement, a name or an edit is put back, and the rest of the set stays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from topics.changes import Actor, change_set
from topics.errors import Blocker, NotFound, WrongState
from topics.models import Alias, ChangeSet, Fact, Topic
from topics.services.steps import Step, steps_of
from topics.services.topics import lock_topics, refuse_gone
from topics.services.undo import all_or_blocked, blockers_of, put_back, refuse_blocked, root_of
from topics.signals import change_set_undone


@dataclass(frozen=True, slots=True)
class Revert:
    """The steps of the set that go back together, and what stands in the way."""

    steps: Sequence[Step]
    blockers: Sequence[Blocker]

    @property
    def rows(self) -> frozenset[UUID]:
        """The keys of the rows that go back."""
        return frozenset(step.pk for step in self.steps)


def plan_revert(change: ChangeSet, pk: UUID) -> Revert:
    """What reverting the row `pk` of the set would put back. Raises as `revert_row`, save UndoBlocked."""
    steps = _chosen(change, pk)
    return Revert(steps, blockers_of(change, steps, frozenset(step.pk for step in steps)))


def revert_row(*, change: ChangeSet, pk: UUID, actor: Actor, reason: str = "") -> ChangeSet:
    """Put one row of the set (a fact, an entry, an alias, or an edited topic) back to what it was before.

    What makes no sense without the other goes back with it: a fact and what it replaced, a topic's name and the alias
    that its former name became. The new change set can be undone like any other. Raises NotFound when the set did not
    write the row, WrongState when the set was undone or its parts do not stand alone, UndoBlocked as `undo_change_set`.
    """
    with change_set(space=change.space, actor=actor, action="revert", reason=reason) as revert:
        change = ChangeSet.objects.select_for_update(no_key=True, of=("self",)).get(pk=change.pk)
        lock_topics(change.documents.values_list("topic_id", flat=True))
        steps = _chosen(change, pk)
        rows = frozenset(step.pk for step in steps)
        refuse_blocked(change, steps, rows)
        topics = _topics(steps)
        for topic in Topic.objects.filter(pk__in=topics):
            refuse_gone(topic)
        with all_or_blocked():
            put_back(revert, change, steps, topics, rows)
        change_set_undone.send(ChangeSet, change_set=change, undo=revert.row, rows=rows)
        return revert.row


def _chosen(change: ChangeSet, pk: UUID) -> list[Step]:
    """The step of the row and those that go back with it."""
    if change.undone_by.exists():
        raise WrongState(_("This change was undone already."), code="undone")
    if root_of(change).action == "merge_topics":
        raise WrongState(_("A merge is undone as a whole: undo the whole change."), code="whole_only")
    steps = {step.pk: step for step in steps_of(change)}
    if pk not in steps:
        raise NotFound(_("This change did not touch that."))
    chosen, fresh = {pk}, {pk}
    while fresh:
        fresh = {other for other, step in steps.items() if any(_belong(step, steps[one]) for one in fresh)} - chosen
        chosen |= fresh
    found = [step for other, step in steps.items() if other in chosen]
    if any(step.model is Topic and not _is_edit(step) for step in found):
        problem = _("It created, archived, restored or deleted the topic itself: undo the whole change.")
        raise WrongState(problem, code="whole_only")
    return found


def _belong(one: Step, other: Step) -> bool:
    """Whether the two make no sense apart."""
    return _replaced_by(one, other) or _replaced_by(other, one) or _names(one, other) or _names(other, one)


def _replaced_by(one: Step, other: Step) -> bool:
    both_facts = one.model is Fact and other.model is Fact
    return both_facts and other.pk in [values["superseded_by_id"] for values in _sides(one)]


def _names(alias: Step, other: Step) -> bool:
    """Whether the alias was or became a topic's own name, and the other is that topic or another such alias."""
    if alias.model is not Alias:
        return False
    topics = {values["topic_id"] for values in _sides(alias) if values["is_name"]}
    if other.model is Topic:
        return other.pk in topics
    return other.model is Alias and any(v["is_name"] and v["topic_id"] in topics for v in _sides(other))


def _sides(step: Step) -> list[dict[str, Any]]:
    return [values for values in (step.before, step.after) if values is not None]


def _topics(steps: Iterable[Step]) -> set[UUID]:
    """The topics in which the rows stand, before or after."""
    return {step.pk if step.model is Topic else values["topic_id"] for step in steps for values in _sides(step)}


def _is_edit(step: Step) -> bool:
    return step.before is not None and step.after is not None and step.before["status"] == step.after["status"]
