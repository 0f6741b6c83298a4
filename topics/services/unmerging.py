"""Undoing a merge, at once or long after: the topics part again, and what was done in between is kept.

- Names, facts and timeline entries go back to the topic that they came from, also by way of a later merge, with every
  edit made since. What somebody has moved to yet another topic in the meantime stays there.
- What was added since stays with the survivor; a fact that took the place of one that goes back goes with that one.
- Statements that the merge had joined stand on their own again. One whose counterpart was retracted since comes back
  retracted: what somebody took out of the memory does not return by a side door.
- A fact that was replaced since by one that now belongs to another topic is current again.
- Name, kind and summary of the survivor are put back unless somebody has changed them since.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from topics.changes import save_tracked
from topics.errors import Blocker, UndoBlocked
from topics.models import Alias, ChangeSet, Fact, TimelineEntry, Topic
from topics.services.steps import Step
from topics.text.names import name_key

Statement = Fact | TimelineEntry
_RESTING = (Fact.Status.SUPERSEDED, Fact.Status.JOINED)


@dataclass(slots=True)
class Unmerge:
    """The rows as they are to be, not saved yet, and what is kept: a sentence for each thing that was done since."""

    topics: list[Topic] = field(default_factory=list)
    aliases: list[Alias] = field(default_factory=list)
    lost_aliases: list[Alias] = field(default_factory=list)
    statements: dict[UUID, Statement] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)

    def keep(self, sentence: str) -> None:
        if sentence not in self.kept:
            self.kept.append(sentence)


@dataclass(slots=True)
class _Parting:
    """A merge that is to be undone. `homes` are the survivor and all that it was merged into since."""

    change: ChangeSet
    steps: list[Step]
    survivor: Topic
    others: dict[UUID, Topic]
    homes: dict[UUID, Topic]
    plan: Unmerge

    @property
    def home(self) -> Topic:
        """Where the merged document is now."""
        return list(self.homes.values())[-1]

    def of(self, *models: type[Any]) -> Iterator[Step]:
        return (step for step in self.steps if step.model in models)

    def goes_back(self, step: Step) -> bool:
        """Whether the row came from another topic and has stayed where the merge put it, or where later merges did."""
        return step.now is not None and "topic_id" in step.changed and step.now.topic_id in self.homes


def plan_unmerge(change: ChangeSet, steps: list[Step]) -> Unmerge:
    """Work out the undoing of a merge without writing anything. `steps` are those of the change set."""
    parting = _parting(change, steps)
    _part_names(parting)
    _part_topics(parting)
    for model in (Fact, TimelineEntry):
        for step in parting.of(model):
            _part_statement(parting, step)
    _take_replacements_along(parting)
    _wake_replaced(parting)
    _rest_repeats(parting)
    _list_additions(parting)
    return parting.plan


def unmerge(plan: Unmerge) -> None:
    """Write the plan inside the open change set. Raises UndoBlocked when a topic's own name belongs to another now."""
    for alias in plan.lost_aliases:
        alias.delete()
    for alias in sorted(plan.aliases, key=_gives_way):
        holder = Alias.objects.filter(space=alias.space_id, key=alias.key).exclude(pk=alias.pk).first()
        if holder is not None:
            taken = _("%(name)s is now a name of %(topic)s.") % {"name": alias.name, "topic": holder.topic.name}
            raise UndoBlocked([Blocker(taken)])
        alias.save()
    for topic in plan.topics:
        topic.save()
    for model in (Fact, TimelineEntry):
        rows = [row for row in plan.statements.values() if isinstance(row, model)]
        # What is current goes first: a topic says the same thing once.
        was_current = [row for row in rows if row._loaded["status"] == Fact.Status.ACTIVE]
        save_tracked(was_current)
        save_tracked(row for row in rows if row not in was_current)


def _gives_way(alias: Alias) -> tuple[bool, bool]:
    """A topic has one own name at a time, so each is given up before another takes its place."""
    was_name = getattr(alias, "_loaded", {}).get("is_name", False)
    return (alias.is_name, not was_name)


def _parting(change: ChangeSet, steps: list[Step]) -> _Parting:
    topics = {step.pk: step for step in steps if step.model is Topic}
    parted = {pk: s for pk, s in topics.items() if s.after and s.after["status"] == Topic.Status.MERGED}
    survivor_id = next(step.after["merged_into_id"] for step in parted.values() if step.after)
    own = topics.get(survivor_id)
    survivor: Topic = own.now if own is not None and own.now is not None else Topic.objects.get(pk=survivor_id)
    homes: dict[UUID, Topic] = {survivor_id: survivor}
    while (last := list(homes.values())[-1]).merged_into is not None and last.merged_into.pk not in homes:
        homes[last.merged_into.pk] = last.merged_into
    others = {pk: step.now for pk, step in parted.items() if step.now is not None}
    return _Parting(change, steps, survivor, others, homes, Unmerge())


# ---------------------------------------------------------------------------------------------------- names, topics


def _part_names(parting: _Parting) -> None:
    plan = parting.plan
    for step in parting.of(Alias):
        if step.before is None:
            if step.now is not None and step.now.topic_id == parting.survivor.pk and _name_goes_back(parting):
                plan.lost_aliases.append(step.now)
        elif step.now is None:
            _bring_back_name(parting, step)
        else:
            _part_name(parting, step)


def _part_name(parting: _Parting, step: Step) -> None:
    alias = step.now
    if alias is None or step.before is None or step.after is None:
        return
    if "topic_id" in step.changed:
        if not parting.goes_back(step):
            parting.plan.keep(_("The name “%(name)s” was moved to another topic later.") % {"name": alias.name})
            return
        alias.topic_id = step.before["topic_id"]
        alias.is_name = step.before["is_name"]
    elif "is_name" in step.changed and _name_goes_back(parting):
        alias.is_name = step.before["is_name"]
    if "name" in step.changed and alias.name == step.after["name"]:
        alias.name, alias.key = step.before["name"], step.before["key"]
    parting.plan.aliases.append(alias)


def _bring_back_name(parting: _Parting, step: Step) -> None:
    """A name that is gone: the merge left it out, or it was removed since, alone or with its topic."""
    if step.before is None:
        return
    was_left_out = step.after is None
    with_topic = parting.home.status == Topic.Status.DELETED
    if was_left_out or step.before["is_name"] or with_topic:
        versions: Any = Alias.history.filter(id=step.pk).order_by("-history_id")
        version = versions.values_list("version", flat=True)[0] + 1
        parting.plan.aliases.append(Alias(id=step.pk, version=version, **step.before))
    else:
        parting.plan.keep(_("The name “%(name)s” was removed later.") % {"name": step.label})


def _name_goes_back(parting: _Parting) -> bool:
    """Whether the survivor is still called what the merge called it."""
    step = next((s for s in parting.of(Topic) if s.pk == parting.survivor.pk), None)
    return step is not None and step.after is not None and step.now is not None and step.now.name == step.after["name"]


def _part_topics(parting: _Parting) -> None:
    plan, own = parting.plan, {a.topic_id: a for a in parting.plan.aliases if a.is_name}
    for step in parting.of(Topic):
        topic = step.now
        if topic is None or step.before is None or step.after is None:
            continue
        for column in step.changed:
            if getattr(topic, column) == step.after[column]:
                setattr(topic, column, step.before[column])
            elif column in ("name", "kind", "summary") and column not in step.rewritten:
                plan.keep(_("%(topic)s was edited later: the edit stays.") % {"topic": topic.name})
        if topic.pk in parting.others and topic.pk in own:
            topic.name = own[topic.pk].name
        plan.topics.append(topic)
    _name_survivor(parting)


def _name_survivor(parting: _Parting) -> None:
    """See to it that the survivor keeps a name of its own when the one that it was given since goes back."""
    survivor, plan = parting.survivor, parting.plan
    if survivor.status in (Topic.Status.MERGED, Topic.Status.DELETED):
        return
    touched = {alias.pk: alias for alias in [*plan.aliases, *plan.lost_aliases]}
    rows = [touched.get(row.pk, row) for row in Alias.objects.filter(topic=survivor)]
    rows += [alias for alias in plan.aliases if alias not in rows]
    staying = [row for row in rows if row.topic_id == survivor.pk and row not in plan.lost_aliases]
    if any(row.is_name for row in staying):
        return
    step = next((s for s in parting.of(Topic) if s.pk == survivor.pk), None)
    former = (step.before["name"] if step and step.before else None) or survivor.name
    row = next((row for row in staying if row.key == name_key(former)), None) or next(iter(staying), None)
    if row is None:
        nameless = _("The topic %(topic)s would be left without a name.") % {"topic": survivor.name}
        raise UndoBlocked([Blocker(nameless)])
    row.is_name = True
    survivor.name = row.name
    plan.aliases += [] if row in plan.aliases else [row]
    plan.topics += [] if survivor in plan.topics else [survivor]


# ------------------------------------------------------------------------------------------------------- statements


def _part_statement(parting: _Parting, step: Step) -> None:
    row, plan = step.now, parting.plan
    if row is None or step.before is None or step.after is None:
        return
    if "topic_id" in step.changed:
        if parting.goes_back(step):
            row.topic_id = step.before["topic_id"]
        else:
            plan.keep(_("“%(what)s” was moved to another topic later, and stays there.") % {"what": step.label})
    content = [name for name in step.after if name not in ("topic_id", "status", "superseded_by_id", "valid_until")]
    was_edited = any(getattr(row, name) != step.after[name] for name in content)
    was_retracted = row.status == Fact.Status.RETRACTED != step.after["status"]
    for column in step.changed:
        if column != "topic_id" and getattr(row, column) == step.after[column]:
            setattr(row, column, step.before[column])
    if was_edited or was_retracted:
        plan.keep(_("“%(what)s” was changed later: the change stays.") % {"what": step.label})
    if step.after["status"] == Fact.Status.JOINED and _counterpart_retracted(parting, step):
        row.status = Fact.Status.RETRACTED
        plan.keep(_("“%(what)s” was retracted later, and stays so in each topic.") % {"what": step.label})
    plan.statements[row.pk] = row


def _counterpart_retracted(parting: _Parting, step: Step) -> bool:
    """Whether somebody has retracted, since the merge, the statement that this one was joined with."""
    model: Any = step.model
    key = step.after["content_key"] if step.after else ""
    alike = model.history.filter(change_set=parting.change, content_key=key)
    alike = alike.exclude(status__in=[Fact.Status.JOINED, Fact.Status.RETRACTED])
    ids = {*alike.values_list("id", flat=True), *(row.pk for row in _untouched_alike(parting, model, key))}
    return bool(model.objects.filter(pk__in=ids, status=Fact.Status.RETRACTED).exists())


def _untouched_alike(parting: _Parting, model: Any, key: str) -> Iterable[Any]:
    """The survivor's own statements with this content that the merge left as they were, and that were current then."""
    until_then = model.history.filter(history_date__lte=parting.change.at)
    ids = until_then.filter(topic=parting.survivor.pk, content_key=key).values("id")
    # What had been current once may have been retracted before the merge: the last row before it tells.
    last = {row.id: row for row in until_then.filter(id__in=ids).order_by("history_id")}
    current = [pk for pk, row in last.items() if row.status == Fact.Status.ACTIVE and row.content_key == key]
    return list(model.objects.filter(pk__in=current).exclude(pk__in=[step.pk for step in parting.of(model)]))


def _take_replacements_along(parting: _Parting) -> None:
    """A fact that was written since in place of facts of one topic goes back with them."""
    statements = parting.plan.statements
    fresh = True
    while fresh:
        replaced = [row for row in statements.values() if isinstance(row, Fact) and row.superseded_by_id]
        targets: dict[UUID, set[UUID]] = defaultdict(set)
        for row in replaced:
            targets[row.superseded_by_id].add(row.topic_id)  # type: ignore[index]
        ids = [pk for pk, topics in targets.items() if pk not in statements and topics <= set(parting.others)]
        rows = Fact.objects.filter(pk__in=ids, topic__in=parting.homes, created_at__gte=parting.change.at)
        fresh = False
        for new in rows:
            predecessors = set(new.supersedes.values_list("pk", flat=True))
            if len(targets[new.pk]) == 1 and predecessors <= set(statements):
                new.topic_id = next(iter(targets[new.pk]))
                statements[new.pk] = new
                fresh = True


def _wake_replaced(parting: _Parting) -> None:
    """What was replaced by, or joined with, a fact that is to be of another topic is current again."""
    plan = parting.plan
    going = {pk for pk, row in plan.statements.items() if isinstance(row, Fact)}
    candidates = Fact.objects.filter(Q(pk__in=going) | Q(superseded_by__in=going), status__in=_RESTING)
    rows = [row for found in candidates if isinstance(row := plan.statements.get(found.pk, found), Fact)]
    targets = {row.pk: row.topic_id for row in Fact.objects.filter(pk__in=[r.superseded_by_id for r in rows])}
    for row in rows:
        if row.status not in _RESTING or row.superseded_by_id is None:
            continue
        target = plan.statements.get(row.superseded_by_id)
        if (target.topic_id if target else targets[row.superseded_by_id]) == row.topic_id or _rested_before(
            parting, row
        ):
            continue
        if row.status == Fact.Status.SUPERSEDED:
            plan.keep(
                _("“%(what)s” was replaced later by a fact of another topic: it is current again.")
                % {"what": row.text[:120]}
            )
            versions: Any = Fact.history.filter(id=row.pk, status=Fact.Status.ACTIVE).order_by("-history_id")
            row.valid_until = versions.values_list("valid_until", flat=True).first()
        row.status, row.superseded_by_id = Fact.Status.ACTIVE, None
        plan.statements[row.pk] = row


def _rested_before(parting: _Parting, fact: Fact) -> bool:
    """Whether the fact was replaced by, or joined with, the same one before the merge."""
    versions: Any = Fact.history.filter(id=fact.pk, history_date__lt=parting.change.at).order_by("-history_id")
    before = versions.first()
    return before is not None and (before.status, before.superseded_by_id) == (fact.status, fact.superseded_by_id)


def _rest_repeats(parting: _Parting) -> None:
    """A topic says the same thing once: what would be current beside an equal that is, stays joined with it."""
    plan = parting.plan
    for model in (Fact, TimelineEntry):
        planned = [row for row in plan.statements.values() if isinstance(row, model)]
        others = model.objects.filter(
            topic__in={row.topic_id for row in planned},
            content_key__in={row.content_key for row in planned},
            status=Fact.Status.ACTIVE,
        ).exclude(pk__in=[row.pk for row in planned])
        current: dict[tuple[UUID, str], Any] = {(row.topic_id, row.content_key): row for row in others}
        is_new = lambda row: row._loaded["status"] != Fact.Status.ACTIVE  # noqa: E731
        for row in sorted((row for row in planned if row.status == Fact.Status.ACTIVE), key=is_new):
            equal = current.setdefault((row.topic_id, row.content_key), row)
            if equal is not row:
                row.status = Fact.Status.JOINED
                if isinstance(row, Fact):
                    row.superseded_by_id = equal.pk


def _list_additions(parting: _Parting) -> None:
    known = {step.pk for step in parting.steps} | set(parting.plan.statements)
    for row in _added_since(parting, known):
        parting.plan.keep(
            _("“%(what)s” was added later, and stays with %(topic)s.")
            % {"what": str(row)[:120], "topic": parting.home.name}
        )


def _added_since(parting: _Parting, known: set[UUID]) -> Sequence[Any]:
    since = parting.change.at
    found: list[Any] = []
    for model in (Fact, TimelineEntry):
        rows = model.objects.filter(topic__in=parting.homes, created_at__gt=since, status=Fact.Status.ACTIVE)
        found += rows.exclude(pk__in=known)
    later: Any = Alias.history.filter(topic_id__in=list(parting.homes), history_type="+", history_date__gt=since)
    return [*found, *Alias.objects.filter(pk__in=later.values("id"), topic__in=parting.homes).exclude(pk__in=known)]
