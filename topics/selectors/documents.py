"""A whole document, as it stands or as it stood."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db.models import F, Max, Q, QuerySet, Value
from django.db.models.functions import Greatest, Least, Length, Substr
from django.utils import timezone
from django.utils.translation import gettext as _

from topics.errors import NotFound
from topics.models import Alias, Dispute, DocumentVersion, Evidence, Fact, TimelineEntry, Topic
from topics.models.change import Tracked
from topics.selectors.disputes import in_doubt, with_doubt
from topics.selectors.edits import Edit, edits_of

Row = TypeVar("Row", Fact, TimelineEntry)

CONTEXT = 80  # characters shown on either side of a quote


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The exact words behind a statement: [start, end) in code points of the message, and a little before and after."""

    evidence: UUID
    message: str  # the caller's own id
    message_id: UUID
    conversation: str  # the caller's own id
    conversation_id: UUID
    position: int
    role: str
    speaker: str
    said_at: datetime
    start: int
    end: int
    before: str
    words: str
    after: str


@dataclass(frozen=True, slots=True)
class Line(Generic[Row]):
    """A statement of a document with what belongs to it."""

    row: Row
    sources: list[Source]
    is_disputed: bool = False
    edit: Edit | None = None  # who put it in words that are not those of its sources


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentConflict:
    """A statement that contradicted a fact of the document: open, or what came of it, by whom and when."""

    fact: Fact
    claim: str
    said_at: datetime | None
    opened_at: datetime
    outcome: str = ""
    settled_by: str = ""
    settled_at: datetime | None = None
    change_set: UUID | None = None

    @property
    def is_open(self) -> bool:
        return self.settled_at is None

    @property
    def outcome_label(self) -> str:
        return str(Dispute.Outcome(self.outcome).label) if self.outcome else ""


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """A sentence of an automatic summary, and the facts it was made from: each with its number in the summary."""

    text: str
    is_stale: bool
    facts: list[tuple[int, Fact]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A topic with all that it says. `topic` and the rows are as they were at `as_of`; such a one must not be saved.

    `version` is the document's version then. Facts and entries that were retracted are left out. Facts stand in the
    order in which they were written, superseded ones with the latest first, the timeline with the latest first.
    Conflicts stand with the open ones first, then the one that was settled last; those of which either side was
    retracted are left out.
    """

    topic: Topic
    version: int
    as_of: datetime | None
    aliases: list[Alias]
    facts: list[Line[Fact]]
    superseded: list[Line[Fact]]
    timeline: list[Line[TimelineEntry]]
    conflicts: list[DocumentConflict]
    summary_lines: list[SummaryLine]

    def facts_by_kind(self) -> list[tuple[Fact.Kind, list[Line[Fact]]]]:
        """The kinds that occur, in the order of Fact.Kind, each with its current facts."""
        groups = [(kind, [line for line in self.facts if line.row.kind == kind]) for kind in Fact.Kind]
        return [(kind, lines) for kind, lines in groups if lines]

    @property
    def disputed(self) -> list[Line[Fact]]:
        return [line for line in self.facts if line.is_disputed]

    @property
    def open_conflicts(self) -> list[DocumentConflict]:
        return [conflict for conflict in self.conflicts if conflict.is_open]

    @property
    def past_conflicts(self) -> list[DocumentConflict]:
        return [conflict for conflict in self.conflicts if not conflict.is_open]


def document(topic: Topic, as_of: datetime | None = None) -> Document:
    """The document now, or as it was held at the moment `as_of` (aware). At most ten queries, whatever its size.

    Raises NotFound when the topic did not exist at that time.
    """
    if as_of is None:
        return _assemble(topic, _state_now(topic), None)
    latest = topic.versions.filter(change_set__at__lte=as_of).aggregate(latest=Max("version"))["latest"]
    return _document_then(topic, latest or 0, as_of)


def document_at_version(topic: Topic, version: int) -> Document:
    """The document as its version `version` left it, until the next one. Raises NotFound for an unknown version."""
    made = dict(
        topic.versions.filter(version__in=[version, version + 1]).values_list("version", "change_set__at").order_by()
    )
    if version not in made:
        raise NotFound(_("This topic has no version %(version)d.") % {"version": version})
    following = made.get(version + 1)
    return _document_then(topic, version, following - timedelta(microseconds=1) if following else timezone.now())


def rows_at_version(topic: Topic, version: int) -> dict[type[Tracked], list[Any]]:
    """Topic, aliases, facts and entries as that version left them, retracted ones too, without what belongs to them.

    Raises NotFound when there is no such version.
    """
    if not topic.versions.filter(version=version).exists():
        raise NotFound(_("This topic has no version %(version)d.") % {"version": version})
    sets = DocumentVersion.objects.filter(topic=topic, version__lte=version).values("change_set")
    return {model: _rows_then(model, topic, sets) for model in (Topic, Alias, Fact, TimelineEntry)}


def lines_of(rows: Sequence[Row]) -> list[Line[Row]]:
    """Statements of one kind as they stand now, retracted ones too, each with what belongs to it. Three queries."""
    ids = [row.pk for row in rows]
    owner = "fact" if rows and isinstance(rows[0], Fact) else "entry"
    sources = _sources(owner, ids, Q(removed_by=None)) if ids else {}
    open_ones = Dispute.objects.filter(fact__in=ids, closed_at=None) if owner == "fact" else Dispute.objects.none()
    disputed = set(in_doubt(open_ones).values_list("fact_id", flat=True))
    edits = edits_of(rows)
    return [Line(row, sources.get(row.pk, []), row.pk in disputed, edits.get(row.pk)) for row in rows]


@dataclass(frozen=True, slots=True)
class _State:
    """The rows of a document at one moment, retracted ones too, and what selects the rest."""

    aliases: list[Alias]
    facts: list[Fact]
    entries: list[TimelineEntry]
    fact_ids: QuerySet[Any, Any]
    entry_ids: QuerySet[Any, Any]
    evidence: Q
    moment: datetime | None


def _state_now(topic: Topic) -> _State:
    return _State(
        aliases=list(topic.aliases.all()),
        facts=list(topic.facts.all()),
        entries=list(topic.timeline.all()),
        fact_ids=topic.facts.values("pk"),
        entry_ids=topic.timeline.values("pk"),
        evidence=Q(removed_by=None),
        moment=None,
    )


def _document_then(topic: Topic, version: int, moment: datetime) -> Document:
    """The document at `version`: of each row the last state that the change sets up to that version wrote."""
    sets = DocumentVersion.objects.filter(topic=topic, version__lte=version).values("change_set")
    past = next(iter(_rows_then(Topic, topic, sets)), None)
    if past is None or past.status == Topic.Status.DELETED:
        raise NotFound(_("This topic did not exist at that time."))
    past.document_version = version
    state = _State(
        aliases=_rows_then(Alias, topic, sets),
        facts=_rows_then(Fact, topic, sets),
        entries=_rows_then(TimelineEntry, topic, sets),
        fact_ids=Fact.history.filter(topic_id=topic.pk).values("id"),
        entry_ids=TimelineEntry.history.filter(topic_id=topic.pk).values("id"),
        evidence=Q(added_by__at__lte=moment) & (Q(removed_by=None) | Q(removed_by__at__gt=moment)),
        moment=moment,
    )
    return _assemble(past, state, moment)


def _rows_then(model: Any, topic: Topic, sets: QuerySet[DocumentVersion, Any]) -> list[Any]:
    """Rows of a tracked model that belonged to the topic after the change sets: instances that cannot be saved."""
    column = "id" if model is Topic else "topic_id"
    once_here = model.history.filter(**{column: topic.pk}).values("id")
    latest = {row.id: row for row in model.history.filter(change_set__in=sets, id__in=once_here).order_by("history_id")}
    names = ["id", "version", *model.content_fields()]
    return [
        model(**{name: getattr(row, name) for name in names})
        for row in latest.values()
        if row.history_type != "-" and getattr(row, column) == topic.pk
    ]


def _assemble(topic: Topic, state: _State, as_of: datetime | None) -> Document:
    sources = _sources("fact", state.fact_ids, state.evidence) | _sources("entry", state.entry_ids, state.evidence)
    found = _disputes(state)
    disputed = {dispute.fact_id for dispute in found if dispute.closed_at is None and dispute.casts_doubt}
    by_id = {fact.pk: fact for fact in state.facts}
    for fact in state.facts:
        fact.topic = topic
        if fact.superseded_by_id in by_id:
            fact.superseded_by = by_id[fact.superseded_by_id]
    edits = edits_of([*state.facts, *state.entries])
    lines = [
        Line(fact, sources.get(fact.pk, []), fact.pk in disputed, edits.get(fact.pk))
        for fact in sorted(state.facts, key=_written)
    ]
    entries = [
        Line(entry, sources.get(entry.pk, []), edit=edits.get(entry.pk))
        for entry in sorted(state.entries, key=_happened)
    ]
    return Document(
        topic=topic,
        version=topic.document_version,
        as_of=as_of,
        aliases=sorted((alias for alias in state.aliases if not alias.is_name), key=lambda alias: alias.pk),
        facts=[line for line in lines if line.row.status == Fact.Status.ACTIVE],
        superseded=sorted((x for x in lines if x.row.status == Fact.Status.SUPERSEDED), key=_ended, reverse=True),
        timeline=[line for line in reversed(entries) if line.row.status == TimelineEntry.Status.ACTIVE],
        conflicts=_conflicts(found, by_id),
        summary_lines=_summary_lines(topic, by_id),
    )


def _summary_lines(topic: Topic, facts: dict[Any, Fact]) -> list[SummaryLine]:
    numbers: dict[UUID, int] = {}
    lines = []
    for sentence in topic.summary_sentences:
        told = [facts[pk] for pk in map(UUID, sentence["facts"]) if pk in facts]
        numbered = [(numbers.setdefault(fact.pk, len(numbers) + 1), fact) for fact in told]
        lines.append(SummaryLine(sentence["text"], sentence["stale"], numbered))
    return lines


def _disputes(state: _State) -> list[Any]:
    """The disputes that there were at the moment, as they stood then, each with `casts_doubt`."""
    rows = Dispute.objects.filter(fact__in=state.fact_ids).select_related("closed_by", "became")
    rows = with_doubt(rows, state.evidence)
    if state.moment is not None:
        rows = rows.filter(opened_at__lte=state.moment)
    found = list(rows.order_by("pk"))
    for dispute in found:
        if state.moment and dispute.closed_at and dispute.closed_at > state.moment:
            dispute.closed_at = None
    return found


def _conflicts(disputes: Sequence[Dispute], facts: dict[Any, Fact]) -> list[DocumentConflict]:
    """The disputes whose both sides may still be shown: what was retracted, or parted by undoing a merge, is gone."""
    found = []
    for dispute in disputes:
        fact, other = facts.get(dispute.fact_id), dispute.became
        if fact is None or fact.status == Fact.Status.RETRACTED or not dispute.claim:
            continue
        if other is not None and (other.status == Fact.Status.RETRACTED or other.topic_id != fact.topic_id):
            continue
        settled = dispute.closed_at is not None
        if settled and not dispute.outcome:  # nobody settled it: one side was taken back for a while
            continue
        found.append(
            DocumentConflict(
                fact=fact,
                claim=dispute.claim,
                said_at=dispute.said_at,
                opened_at=dispute.opened_at,
                outcome=dispute.outcome if settled else "",
                settled_by=dispute.closed_by.actor_label if settled and dispute.closed_by else "",
                settled_at=dispute.closed_at,
                change_set=dispute.closed_by_id if settled else None,
            )
        )
    return [c for c in found if c.is_open] + sorted(
        (c for c in found if not c.is_open), key=lambda c: (c.settled_at, c.opened_at), reverse=True
    )


def _written(fact: Fact) -> UUID:
    return fact.pk


def _happened(entry: TimelineEntry) -> tuple[datetime, UUID]:
    return (entry.happened_at, entry.pk)


def _ended(line: Line[Fact]) -> tuple[datetime, UUID]:
    return (line.row.valid_until or line.row.created_at, line.row.pk)


def _sources(owner: str, ids: QuerySet[Any, Any] | Sequence[UUID], stood: Q) -> dict[UUID, list[Source]]:
    """Statement id → the words behind it, in the order in which they were added. The messages are not loaded whole."""
    found = defaultdict(list)
    for row in (
        Evidence.objects.filter(stood, **{f"{owner}__in": ids})
        .select_related("message__conversation")
        .defer("message__content")
        .annotate(
            length=Length("message__content"),
            before=Substr("message__content", Greatest(F("start") - CONTEXT, Value(0)) + 1, Least(F("start"), CONTEXT)),
            words=Substr("message__content", F("start") + 1, F("end") - F("start")),
            after=Substr("message__content", F("end") + 1, CONTEXT),
        )
        .order_by("id")
    ):
        found[getattr(row, f"{owner}_id")].append(
            Source(
                evidence=row.pk,
                message=row.message.external_id,
                message_id=row.message_id,
                conversation=row.message.conversation.external_id,
                conversation_id=row.message.conversation_id,
                position=row.message.position,
                role=row.message.role,
                speaker=row.message.speaker,
                said_at=row.message.said_at,
                start=row.start,
                end=row.end,
                before=("…" if row.start > CONTEXT else "") + row.before,
                words=row.words,
                after=row.after + ("…" if row.end + CONTEXT < row.length else ""),
            )
        )
    return found
