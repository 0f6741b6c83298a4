"""Undo: a change set is taken back as one unit, by a new change set, or not at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from django.db import IntegrityError
from django.db.models import Q
from django.utils.translation import gettext as _

from topics.changes import Actor, OpenChange, change_set, savepoint
from topics.errors import Blocker, UndoBlocked, WrongState
from topics.models import Alias, ChangeSet, Evidence, Fact, TimelineEntry, Topic
from topics.retrieval import index
from topics.services.steps import Step, steps_of
from topics.services.summaries import settle_summary
from topics.services.topics import lock_topics
from topics.services.unmerging import plan_unmerge, unmerge
from topics.signals import change_set_undone, collect_undo_blockers


def undo_change_set(*, change: ChangeSet, actor: Actor, reason: str = "") -> ChangeSet:
    """Take back everything that `change` did, as a new change set; undoing that one is redo.

    Only the columns that the set changed are put back, so later edits of other columns stay. Raises WrongState when it
    was undone already, UndoBlocked with one sentence for each thing that later built on it. A merge is undone whatever
    came later, which is kept: `kept_by_undo` lists it.
    """
    with change_set(space=change.space, actor=actor, action="undo", reason=reason, undoes=change) as undo:
        change = ChangeSet.objects.select_for_update(of=("self",)).get(pk=change.pk)
        if change.undone_by.exists():
            raise WrongState(_("This change was undone already."), code="undone")
        lock_topics(change.documents.values_list("topic_id", flat=True))
        steps = steps_of(change)
        is_merge = merges(change)
        if not is_merge:
            refuse_blocked(change, steps)
        try:
            with savepoint():
                if is_merge:
                    unmerge(plan_unmerge(change, steps))
                else:
                    put_rows_back(steps)
                put_evidence_back(undo, change)
                reindex_undone(undo, change.documents.values_list("topic_id", flat=True))
        except IntegrityError as error:
            raise UndoBlocked([Blocker(_("What it would bring back has been added again in the meantime."))]) from error
        change_set_undone.send(ChangeSet, change_set=change, undo=undo.row, rows=None)
        return undo.row


def merges(change: ChangeSet) -> bool:
    """Whether the set merged topics, for the first time or again."""
    return root_of(change).action == "merge_topics" and not is_undo(change)


def kept_by_undo(change: ChangeSet) -> list[str]:
    """What was done since a merge and stays if it is undone now, a sentence each. Nothing for any other set."""
    return plan_unmerge(change, steps_of(change)).kept if merges(change) else []


def refuse_blocked(change: ChangeSet, steps: list[Step], rows: Collection[UUID] | None = None) -> None:
    """Raise UndoBlocked when something later builds on these steps of the set, `rows` of it or (None) all."""
    blockers = blockers_of(change, steps, rows)
    if blockers:
        raise UndoBlocked(blockers)


def blockers_of(change: ChangeSet, steps: list[Step], rows: Collection[UUID] | None = None) -> list[Blocker]:
    """What later builds on these steps of the set, `rows` of it or (None) all."""
    found: list[Any] = [b for step in steps for b in _blockers(change, step, steps)]
    for _receiver, more in collect_undo_blockers.send(ChangeSet, change_set=change, rows=rows):
        found += more or []
    return list(dict.fromkeys(found))


def _blockers(change: ChangeSet, step: Step, steps: list[Step]) -> list[Blocker]:
    """Why this step cannot be taken back; empty when it can."""
    if step.after is None:
        return []  # it was deleted: bringing it back fails only when its place is taken, which the database says
    if step.now is None:
        return [] if step.before is None else [_later(change, step, _("“%(what)s” was removed later."))]
    names = [name for name in step.changed or step.after if name not in step.rewritten]
    if any(getattr(step.now, name) != step.after[name] for name in names):
        return [_later(change, step, _("“%(what)s” was changed later."))]
    if step.model is Topic and step.before is None:
        own = {s.pk for s in steps}
        return [
            Blocker(
                _("“%(what)s” was added to the topic %(topic)s later.") % {"what": str(row)[:120], "topic": step.label},
                _brought_by(row),
            )
            for row in [
                *step.now.facts.exclude(status=Fact.Status.RETRACTED).exclude(pk__in=own),
                *step.now.timeline.exclude(status=TimelineEntry.Status.RETRACTED).exclude(pk__in=own),
                *step.now.aliases.exclude(pk__in=own),
            ]
        ]
    return []


def _later(change: ChangeSet, step: Step, sentence: str) -> Blocker:
    """A blocker with the last change set that wrote the row of this step."""
    history: Any = step.model.history  # type: ignore[attr-defined]
    written = history.filter(id=step.pk).exclude(change_set=change).order_by("-history_id")
    return Blocker(sentence % {"what": step.label}, written.values_list("change_set_id", flat=True).first())


def _brought_by(row: Any) -> Any:
    """The change set that brought a statement or a name into the topic where it is."""
    rows = type(row).history.filter(id=row.pk, topic_id=row.topic_id).order_by("history_id")
    return rows.values_list("change_set_id", flat=True).first()


def put_rows_back(steps: list[Step]) -> None:
    """Give each row the columns that it had before its step, as far as the step changed them."""
    for step in sorted(steps, key=_order):
        if step.before is None:
            _remove(step)
        elif step.now is None:
            step.model(id=step.pk, version=_last_version(step) + 1, **step.before).save()
        else:
            kept = step.rewritten
            for name in step.changed:
                if name not in kept:
                    setattr(step.now, name, step.before[name])
            step.now.save()


def put_evidence_back(undo: OpenChange, change: ChangeSet, rows: Collection[UUID] | None = None) -> None:
    """Take away the words that the set added and bring back those that it removed: of `rows`, or (None) of all."""
    of_these = Q() if rows is None else Q(fact__in=rows) | Q(entry__in=rows)
    taken = Evidence.objects.filter(of_these, added_by__in=_redone(change), removed_by=None)
    returned = Evidence.objects.filter(of_these, removed_by=change)
    returned_ids = list(returned.values_list("pk", flat=True))
    taken.update(removed_by=undo.row)
    Evidence.objects.filter(pk__in=returned_ids).update(removed_by=None)


def reindex_undone(undo: OpenChange, topics: Iterable[UUID]) -> None:
    """Bring summaries and the index in step: of these topics, and of what the undoing wrote."""
    for topic in Topic.objects.filter(pk__in={*topics, *undo.topics}):
        settle_summary(topic)
        undo.touch(topic.pk)
        index.reindex_topic(topic)


def _redone(change: ChangeSet) -> list[ChangeSet]:
    """The set and, if it redid another one, that one and so on: evidence keeps the set that first added it."""
    redone = [change]
    while redone[-1].undoes is not None and redone[-1].undoes.undoes is not None:
        redone.append(redone[-1].undoes.undoes)
    return redone


def root_of(change: ChangeSet) -> ChangeSet:
    """The act that the set undoes or does again; the set itself when it does neither."""
    while change.undoes is not None:
        change = change.undoes
    return change


def is_undo(change: ChangeSet) -> bool:
    """Whether the set took something back; one that took an undo back did it again, and so on."""
    return change.undoes is not None and not is_undo(change.undoes)


def _last_version(step: Step) -> int:
    versions: Any = step.model.history.filter(id=step.pk).order_by("-history_id")  # type: ignore[attr-defined]
    return int(versions.values_list("version", flat=True)[0])


def _order(step: Step) -> tuple[int, bool]:
    """Names go before others take their place: removals, changes (former own names first), then what comes back."""
    if step.before is None:
        return (0, False)
    return (2 if step.now is None else 1, bool(step.before.get("is_name")))


def _remove(step: Step) -> None:
    """Take away what the set had created: names go, documents and statements stay in the history as taken out."""
    if step.now is None:
        return
    if isinstance(step.now, Alias):
        step.now.delete()
        return
    step.now.status = Topic.Status.DELETED if isinstance(step.now, Topic) else Fact.Status.RETRACTED
    step.now.save()
