"""What a merge would do: worked out from the rows alone, so that a dry run and the merge cannot differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from topics.errors import InvalidInput, NameTaken, Stale
from topics.models import Alias, Dispute, Evidence, Fact, Space, TimelineEntry, Topic
from topics.models.statement import Certainty
from topics.services.topics import SUMMARY_LIMIT, refuse_gone
from topics.signals import collect_contradictions
from topics.text.clean import clean_name, storable_text
from topics.text.names import name_key

MOST_MEMBERS = 5
FIELDS = ("name", "kind", "summary")
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_FIRMEST = (Certainty.CONFIRMED, Certainty.PLANNED, Certainty.TENTATIVE)

Row = TypeVar("Row", Fact, TimelineEntry)
Statement = Fact | TimelineEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeChoices:
    """What somebody decided about a merge.

    `fields` (name, kind, summary) give a value, or the id of the member whose value it is. Without one the survivor's
    stands; of the summary the first that is not empty. `leave_out` are ids of names, and of facts and entries of the
    others, that do not come along: names are removed, statements retracted. `prefer` are ids of facts that win over
    those that contradict them; a contradiction without a winner goes to review. `seen` is the document version of each
    member that was looked at.
    """

    fields: Mapping[str, str] = field(default_factory=dict)
    leave_out: Collection[UUID] = ()
    prefer: Collection[UUID] = ()
    seen: Mapping[UUID, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Repeat:
    """Statements that say the same: one stands on with the words behind all, and with what only another one knew."""

    kept: Statement
    joined: list[Statement]
    filled: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two facts that cannot both stand. `winner` is the one to keep; without one both stay, disputed, until decided."""

    held: Fact
    other: Fact
    why: str
    winner: Fact | None = None

    @property
    def loser(self) -> Fact | None:
        if self.winner is None:
            return None
        return self.other if self.winner == self.held else self.held


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePlan:
    """The document that a merge would make, and what becomes of each row. Nothing here is changed yet."""

    survivor: Topic
    others: list[Topic]
    name: str
    kind: str
    summary: str
    summary_by_person: bool | None  # None: it is written with the merge
    summary_sentences: list[dict[str, Any]]
    status: str
    own: Alias | None  # the row that becomes the name; None: the name is new
    aliases: list[Alias]  # the other names
    dropped: list[Alias]
    facts: list[Fact]  # current ones, after the merge
    entries: list[TimelineEntry]
    repeats: list[Repeat]
    entry_repeats: list[Repeat]
    contradictions: list[Contradiction]
    left_out: list[Statement]
    facts_before: int
    entries_before: int
    sources: int  # messages behind the merged document
    moved: dict[type[Any], list[Any]]  # every fact and entry of the others

    @property
    def members(self) -> list[Topic]:
        return [self.survivor, *self.others]

    @property
    def open_contradictions(self) -> list[Contradiction]:
        return [c for c in self.contradictions if c.winner is None]


def plan_merge(*, space: Space, survivor: Topic, others: Sequence[Topic], choices: MergeChoices) -> MergePlan:
    """Work out a merge without writing anything.

    Raises InvalidInput for members or choices that make no sense, WrongState for a member that is merged or deleted,
    NameTaken when the name belongs to a topic outside the merge, Stale when a member is no longer as it was seen.
    """
    members = [survivor, *others]
    _check_members(space, members)
    _check_seen(members, choices.seen)
    values = _chosen_fields(members, choices.fields)
    aliases = _aliases_of(members)
    own = _own_name(space, values["name"], members, aliases, choices)
    leave_out = set(choices.leave_out)
    facts = _of_members(Fact, members)
    entries = _of_members(TimelineEntry, members)
    _check_left_out(leave_out, members, aliases, [*facts, *entries])
    current = [f for f in facts if f.status == Fact.Status.ACTIVE]
    happened = [e for e in entries if e.status == TimelineEntry.Status.ACTIVE]
    repeats = _repeats([f for f in current if f.pk not in leave_out], _fact_filled, survivor)
    entry_repeats = _repeats([e for e in happened if e.pk not in leave_out], _entry_filled, survivor)
    joined = {row.pk for repeat in [*repeats, *entry_repeats] for row in repeat.joined}
    standing = [f for f in current if f.pk not in leave_out | joined]
    contradictions = _contradictions(members, standing, choices.prefer)
    lost = {c.loser.pk for c in contradictions if c.loser is not None}
    entries_after = [e for e in happened if e.pk not in leave_out | joined]
    facts_after = [f for f in standing if f.pk not in lost]
    return MergePlan(
        survivor=survivor,
        others=list(others),
        own=own,
        aliases=[a for a in aliases if a.pk not in leave_out and (own is None or a.pk != own.pk)],
        dropped=[a for a in aliases if a.pk in leave_out],
        facts=facts_after,
        entries=entries_after,
        repeats=repeats,
        entry_repeats=entry_repeats,
        contradictions=contradictions,
        left_out=[*(f for f in current if f.pk in leave_out), *(e for e in happened if e.pk in leave_out)],
        facts_before=len(current),
        entries_before=len(happened),
        sources=_count_sources([*facts_after, *entries_after], joined),
        moved={
            Fact: [f for f in facts if f.topic_id != survivor.pk],
            TimelineEntry: [e for e in entries if e.topic_id != survivor.pk],
        },
        **values,
    )


def _check_members(space: Space, members: Sequence[Topic]) -> None:
    problem = ""
    if not 2 <= len(members) <= MOST_MEMBERS:
        problem = _("A merge is of 2 to %(most)d topics.") % {"most": MOST_MEMBERS}
    elif len({m.pk for m in members}) < len(members):
        problem = _("These are the same topic already.")
    elif any(m.space_id != space.pk for m in members):
        problem = _("That topic is not in this space.")
    if problem:
        raise InvalidInput(problem, fields={"others": [problem]})
    for member in members:
        refuse_gone(member)


def _check_seen(members: Sequence[Topic], seen: Mapping[UUID, int]) -> None:
    if any(seen.get(m.pk, m.document_version) != m.document_version for m in members):
        raise Stale(_("Somebody changed this in the meantime. Look at it again, then repeat your change."))


def _chosen_fields(members: Sequence[Topic], fields: Mapping[str, str]) -> dict[str, Any]:
    unknown = set(fields) - set(FIELDS)
    if unknown:
        raise InvalidInput(_("Unknown field."), fields={f"fields.{n}": [_("Unknown field.")] for n in sorted(unknown)})
    by_id = {str(m.pk): m for m in members}
    donors = {name: by_id.get(str(value).lower()) for name, value in fields.items()}
    name_from, kind_from = donors.get("name"), donors.get("kind")
    name = name_from.name if name_from else clean_name(fields.get("name", members[0].name), field="fields.name")
    kind = kind_from.kind if kind_from else fields.get("kind", members[0].kind)
    if kind not in Topic.Kind.values:
        problem = _("Unknown kind of topic.")
        raise InvalidInput(problem, fields={"fields.kind": [problem]})
    written = next((m for m in members if m.summary), members[0])
    summary_from = donors.get("summary") or (None if "summary" in fields else written)
    summary = summary_from.summary if summary_from else fields["summary"]
    storable_text(summary, field="fields.summary", limit=SUMMARY_LIMIT, blank=True)
    is_active = any(m.status == Topic.Status.ACTIVE for m in members)
    return {
        "name": name,
        "kind": kind,
        "summary": summary,
        "summary_by_person": summary_from.summary_by_person if summary_from else None,
        "summary_sentences": summary_from.summary_sentences if summary_from else [],
        "status": Topic.Status.ACTIVE if is_active else members[0].status,
    }


def _aliases_of(members: Sequence[Topic]) -> list[Alias]:
    """All names of the members, the survivor's first, of each its own name first."""
    place = {m.pk: n for n, m in enumerate(members)}
    rows = Alias.objects.filter(topic__in=members)
    return sorted(rows, key=lambda a: (place[a.topic_id], not a.is_name, a.pk))


def _own_name(
    space: Space, name: str, members: Sequence[Topic], aliases: Sequence[Alias], choices: MergeChoices
) -> Alias | None:
    """The row that is to be the topic's own name. Raises NameTaken when a topic outside the merge has the name."""
    key = name_key(name)
    own = next((a for a in aliases if a.key == key), None)
    if own is None:
        holder = Alias.objects.filter(space=space, key=key).select_related("topic").first()
        if holder is not None:
            raise NameTaken(
                _("%(name)s is already a name of %(topic)s.") % {"name": name, "topic": holder.topic.name},
                details={"topic": str(holder.topic_id)},
            )
    elif own.pk in choices.leave_out:
        problem = _("The name of the merged topic cannot be left out.")
        raise InvalidInput(problem, fields={"leave_out": [problem]})
    return own


def _of_members(model: type[Row], members: Sequence[Topic]) -> list[Row]:
    """All statements of the members, whatever their status: the survivor's first, of each the oldest first."""
    place = {m.pk: n for n, m in enumerate(members)}
    rows = list(model.objects.filter(topic__in=members))
    return sorted(rows, key=lambda row: (place[row.topic_id], row.pk))


def _check_left_out(
    leave_out: set[UUID], members: Sequence[Topic], aliases: Iterable[Alias], statements: Iterable[Statement]
) -> None:
    survivor = members[0]
    may_go = {a.pk for a in aliases} | {
        s.pk for s in statements if s.topic_id != survivor.pk and s.status == Fact.Status.ACTIVE
    }
    if leave_out - may_go:
        problem = _("Only names, and current statements of the topics that are merged into another, can be left out.")
        raise InvalidInput(problem, fields={"leave_out": [problem]})


def _repeats(statements: Sequence[Statement], filled: Any, survivor: Topic) -> list[Repeat]:
    groups: dict[str, list[Statement]] = defaultdict(list)
    for row in statements:
        groups[row.content_key].append(row)
    alike = [rows for rows in groups.values() if len(rows) > 1]
    # A dispute stays with its fact, so a disputed one must be the one that stands on.
    disputed = _disputed([row for rows in alike for row in rows])
    found = []
    for rows in alike:
        kept = max(rows, key=lambda row: (row.pk in disputed, _corrected(row), row.topic_id == survivor.pk))
        joined = [row for row in rows if row is not kept]
        found.append(Repeat(kept, joined, filled(kept, joined)))
    return found


def _corrected(row: Statement) -> datetime:
    return getattr(row, "corrected_at", None) or _LONG_AGO


def _disputed(rows: Sequence[Statement]) -> set[UUID]:
    ids = [row.pk for row in rows if isinstance(row, Fact)]
    return set(Dispute.objects.filter(fact__in=ids, closed_at=None).values_list("fact_id", flat=True))


def _fact_filled(kept: Fact, joined: Sequence[Fact]) -> dict[str, Any]:
    """What the kept fact takes over: what it does not say itself, and the firmer certainty."""
    filled: dict[str, Any] = {"certainty": _firmest([kept, *joined])}
    for other in joined:
        if not kept.attribute and other.attribute and "attribute" not in filled:
            filled |= {name: getattr(other, name) for name in ("attribute", "value", "unit")}
        for name in ("speaker", "said_at", "valid_from", "valid_until", "corrected_at"):
            if not getattr(kept, name) and getattr(other, name):
                filled.setdefault(name, getattr(other, name))
    begins = filled.get("valid_from", kept.valid_from)
    ends = filled.get("valid_until", kept.valid_until)
    if begins and ends and begins > ends:  # what each of them says does not fit together: the kept one says its own
        filled = {name: value for name, value in filled.items() if name not in ("valid_from", "valid_until")}
    return {name: value for name, value in filled.items() if getattr(kept, name) != value}


def _entry_filled(kept: TimelineEntry, joined: Sequence[TimelineEntry]) -> dict[str, Any]:
    filled: dict[str, Any] = {"certainty": _firmest([kept, *joined])}
    for other in joined:
        for name in ("speaker", "said_at"):
            if not getattr(kept, name) and getattr(other, name):
                filled.setdefault(name, getattr(other, name))
    return {name: value for name, value in filled.items() if getattr(kept, name) != value}


def _firmest(rows: Sequence[Statement]) -> str:
    held = {row.certainty for row in rows}
    return next(level for level in _FIRMEST if level in held)


def _contradictions(members: Sequence[Topic], facts: list[Fact], prefer: Collection[UUID]) -> list[Contradiction]:
    found: list[Contradiction] = []
    answers: list[tuple[Any, Any]] = collect_contradictions.send(Topic, topics=members, facts=facts)
    for _receiver, pairs in answers:
        found += [Contradiction(held, other, why, _winner(held, other, prefer)) for held, other, why in pairs]
    if set(prefer) - {fact.pk for c in found for fact in (c.held, c.other)}:
        problem = _("Only a fact that another one contradicts can be preferred.")
        raise InvalidInput(problem, fields={"prefer": [problem]})
    return found


def _winner(held: Fact, other: Fact, prefer: Collection[UUID]) -> Fact | None:
    if held.pk in prefer and other.pk in prefer:
        problem = _("Two facts that contradict each other cannot both be preferred.")
        raise InvalidInput(problem, fields={"prefer": [problem]})
    return next((fact for fact in (held, other) if fact.pk in prefer), None)


def _count_sources(statements: Sequence[Statement], joined: Collection[UUID]) -> int:
    ids = [*(s.pk for s in statements), *joined]
    rows = Evidence.objects.filter(Q(fact__in=ids) | Q(entry__in=ids), removed_by=None)
    return int(rows.aggregate(count=Count("message", distinct=True))["count"])
