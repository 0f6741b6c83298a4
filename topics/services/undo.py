"""Undo: a change set is taken back as one unit, by a new change set, or not at all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import IntegrityError
from django.db.models import Q
from django.utils.translation import gettext as _

from topics.changes import Actor, OpenChange, change_set, create_tracked, delete_tracked, save_tracked, savepoint
from topics.errors import Blocker, UndoBlocked, WrongState
from topics.models import Alias, ChangeSet, Evidence, Fact, TimelineEntry, Topic
from topics.retrieval import index
from topics.services.steps import Step, steps_of
from topics.services.summaries import settle_summaries
from topics.services.topics import lock_topics
from topics.services.unmerging import plan_unmerge, unmerge
from topics.signals import change_set_undone, collect_undo_blockers

BATCH = 500  # rows that one statement names by their keys


def undo_change_set(*, change: ChangeSet, actor: Actor, reason: str = "") -> ChangeSet:
    """Take back everything that `change` did, as a new change set; undoing that one is redo.

    Only the columns that the set changed are put back, so later edits of other columns stay. Raises WrongState when it
    was undone already, UndoBlocked with one sentence for each thing that later built on it. A merge is undone whatever
    came later, which is kept: `kept_by_undo` lists it.
    """
    with change_set(space=change.space, actor=actor, action="undo", reason=reason, undoes=change) as undo:
        change = ChangeSet.objects.select_for_update(no_key=True, of=("self",)).get(pk=change.pk)
        if change.undone_by.exists():
            raise WrongState(_("This change was undone already."), code="undone")
        lock_topics(change.documents.values_list("topic_id", flat=True))
        steps = steps_of(change)
        is_merge = merges(change)
        if not is_merge:
            refuse_blocked(change, steps)
        topics = set(change.documents.values_list("topic_id", flat=True))
        with all_or_blocked():
            if is_merge:
                unmerge(plan_unmerge(change, steps))
                put_evidence_back(undo, change)
                settle_undone(undo, topics)
                index.reindex_topics(undo.space, undo.topics)
            else:
                put_back(undo, change, steps, topics)
        change_set_undone.send(ChangeSet, change_set=change, undo=undo.row, rows=None)
        return undo.row


@contextmanager
def all_or_blocked() -> Iterator[None]:
    """Put back all or nothing. Raises UndoBlocked where what would come back has been added again meanwhile."""
    try:
        with savepoint():
            yield
    except IntegrityError as error:
        raise UndoBlocked([Blocker(_("What it would bring back has been added again in the meantime."))]) from error


def put_back(
    undo: OpenChange, change: ChangeSet, steps: list[Step], topics: set[Any], rows: Collection[UUID] | None = None
) -> None:
    """Take back these steps of a set that merged nothing, `rows` of it or (None) all, with what hangs on them."""
    put_rows_back(steps)
    sourced = put_evidence_back(undo, change, rows)
    settle_undone(undo, topics)
    reindex_undone(undo, steps, sourced)


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
    later = _added_later(steps)
    found: list[Any] = [b for step in steps for b in _blockers(change, step, later)]
    for _receiver, more in collect_undo_blockers.send(ChangeSet, change_set=change, rows=rows):
        found += more or []
    return list(dict.fromkeys(found))


def _blockers(change: ChangeSet, step: Step, later: dict[UUID, list[Any]]) -> list[Blocker]:
    """Why this step cannot be taken back; empty when it can. `later` is what `_added_later` found."""
    if step.after is None:
        return []  # it was deleted: bringing it back fails only when its place is taken, which the database says
    if step.now is None:
        return [] if step.before is None else [_later(change, step, _("“%(what)s” was removed later."))]
    names = [name for name in step.changed or step.after if name not in step.rewritten]
    if any(getattr(step.now, name) != step.after[name] for name in names):
        return [_later(change, step, _("“%(what)s” was changed later."))]
    if step.model is Fact and step.before is None:
        return [
            Blocker(_("“%(what)s” was superseded by it later.") % {"what": str(row)[:120]}, _written_by(row))
            for row in later.get(step.pk, ())
        ]
    if step.model is Topic and step.before is None:
        return [
            Blocker(
                _("“%(what)s” was added to the topic %(topic)s later.") % {"what": str(row)[:120], "topic": step.label},
                _brought_by(row),
            )
            for row in later.get(step.pk, ())
        ]
    return []


def _added_later(steps: list[Step]) -> dict[UUID, list[Any]]:
    """What stands in the topics that these steps created, and what is superseded by their facts, other than by these
    steps. One query a model."""
    created = [step.pk for step in steps if step.model is Topic and step.before is None]
    own = {step.pk for step in steps}
    found: dict[UUID, list[Any]] = defaultdict(list)
    if created:
        for rows in (
            Fact.objects.filter(topic__in=created).exclude(status=Fact.Status.RETRACTED),
            TimelineEntry.objects.filter(topic__in=created).exclude(status=TimelineEntry.Status.RETRACTED),
            Alias.objects.filter(topic__in=created),
        ):
            for row in rows:
                if row.pk not in own:
                    found[row.topic_id].append(row)
    facts = [step.pk for step in steps if step.model is Fact and step.before is None]
    replaced = Fact.objects.filter(superseded_by__in=facts, status=Fact.Status.SUPERSEDED) if facts else ()
    for fact in replaced:
        if fact.pk not in own:
            found[fact.superseded_by_id].append(fact)  # type: ignore[index]
    return found


def _later(change: ChangeSet, step: Step, sentence: str) -> Blocker:
    """A blocker with the last change set that wrote the row of this step."""
    history: Any = step.model.history  # type: ignore[attr-defined]
    written = history.filter(id=step.pk).exclude(change_set=change).order_by("-history_id")
    return Blocker(sentence % {"what": step.label}, written.values_list("change_set_id", flat=True).first())


def _written_by(row: Any) -> Any:
    """The change set that wrote a row last."""
    return type(row).history.filter(id=row.pk).order_by("-history_id").values_list("change_set_id", flat=True).first()


def _brought_by(row: Any) -> Any:
    """The change set that brought a statement or a name into the topic where it is."""
    rows = type(row).history.filter(id=row.pk, topic_id=row.topic_id).order_by("history_id")
    return rows.values_list("change_set_id", flat=True).first()


def put_rows_back(steps: Sequence[Step]) -> None:
    """Give each row the columns that it had before its step, as far as the step changed them.

    Names and places go before others take them: removals, then changes, then what comes back.
    """
    _remove([step.now for step in steps if step.before is None and step.now is not None])
    _change_back([step for step in steps if step.before is not None and step.now is not None])
    _return([step for step in steps if step.now is None])


def put_evidence_back(undo: OpenChange, change: ChangeSet, rows: Collection[UUID] | None = None) -> set[UUID]:
    """Take away the words that the set added and bring back those that it removed: of `rows`, or (None) of all.

    Returns the keys of the statements that the words belong to.
    """
    of_these = Q() if rows is None else Q(fact__in=rows) | Q(entry__in=rows)
    taken = list(Evidence.objects.filter(of_these, added_by__in=_redone(change), removed_by=None))
    returned = list(Evidence.objects.filter(of_these, removed_by=change))
    for evidence, removed_by in ((taken, undo.row), (returned, None)):
        for start in range(0, len(evidence), BATCH):
            ids = [row.pk for row in evidence[start : start + BATCH]]
            Evidence.objects.filter(pk__in=ids).update(removed_by=removed_by)
    return {pk for row in [*taken, *returned] if (pk := row.fact_id or row.entry_id) is not None}


def settle_undone(undo: OpenChange, topics: Iterable[UUID]) -> None:
    """Bring summaries in step: of these topics, and of what the undoing wrote. All their documents change."""
    found = list(Topic.objects.filter(pk__in={*topics, *undo.topics}))
    settle_summaries(found)
    for topic in found:
        undo.touch(topic.pk)


def reindex_undone(undo: OpenChange, steps: Sequence[Step], sourced: Collection[UUID]) -> None:
    """Bring the index in step with steps that were taken back and statements whose words changed (`sourced`).

    A topic whose status or names changed is written anew, of any other only these statements.
    """
    whole = _renamed(steps)
    index.reindex_topics(undo.space, whole)
    touched = {*sourced, *(step.pk for step in steps)}
    index.index_facts(undo.space, list(Fact.objects.filter(pk__in=touched).exclude(topic__in=whole)))
    index.index_entries(undo.space, list(TimelineEntry.objects.filter(pk__in=touched).exclude(topic__in=whole)))


def _renamed(steps: Iterable[Step]) -> set[UUID]:
    """The topics of which these steps concern the status, the name or another name."""
    topics: set[UUID] = set()
    for step in steps:
        if step.model is Alias:
            topics |= {values["topic_id"] for values in (step.before, step.after) if values is not None}
        elif step.model is Topic and (step.before is None or {"name", "status"} & {*step.changed}):
            topics.add(step.pk)
    return topics


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


def _remove(rows: Iterable[Any]) -> None:
    """Take away what the set had created: names go, documents and statements stay in the history as taken out."""
    names: list[Alias] = []
    taken_out: dict[type[Any], list[Any]] = defaultdict(list)
    for row in rows:
        if isinstance(row, Alias):
            names.append(row)
        else:
            row.status = Topic.Status.DELETED if isinstance(row, Topic) else Fact.Status.RETRACTED
            taken_out[type(row)].append(row)
    delete_tracked(names)
    for of_one_model in taken_out.values():
        save_tracked(of_one_model)


def _change_back(steps: Sequence[Step]) -> None:
    changed: dict[type[Any], list[Any]] = defaultdict(list)
    # A topic has one own name at a time: the present ones are given up first.
    for step in sorted(steps, key=lambda step: bool(step.before and step.before.get("is_name"))):
        kept = step.rewritten
        for name in step.changed:
            if name not in kept and step.before is not None:
                setattr(step.now, name, step.before[name])
        if isinstance(step.now, Alias):
            step.now.save()
        else:
            changed[step.model].append(step.now)
    for rows in changed.values():
        # What is current goes first: a topic says the same thing once.
        save_tracked([row for row in rows if row._loaded["status"] == Fact.Status.ACTIVE])
        save_tracked([row for row in rows if row._loaded["status"] != Fact.Status.ACTIVE])


def _return(steps: Sequence[Step]) -> None:
    """Insert anew what is not there any more, as the version after its last one."""
    gone: dict[type[Any], list[Step]] = defaultdict(list)
    for step in steps:
        if step.before is not None:
            gone[step.model].append(step)
    for model, of_one_model in gone.items():
        history = model.history.filter(id__in=[step.pk for step in of_one_model]).order_by("history_id")
        last = dict(history.values_list("id", "version"))
        create_tracked([model(id=s.pk, version=last[s.pk] + 1, **(s.before or {})) for s in of_one_model])
