"""Facts, timeline entries and their evidence: commit, edit, supersede, retract, restore.

Committing works on many drafts at once: one job may bring hundreds, and each costs the same few statements together.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, models
from django.utils import timezone
from django.utils.translation import gettext as _

from topics.changes import Actor, OpenChange, change_set, create_tracked, save_tracked, savepoint
from topics.errors import Duplicate, InvalidInput, Stale, WrongState
from topics.models import ChangeSet, Dispute, Evidence, Fact, Message, Space, TimelineEntry, Topic
from topics.models.statement import Certainty, Origin
from topics.retrieval import index
from topics.services.summaries import forget, mark_stale
from topics.services.topics import lock_topic, lock_topics, refuse_gone
from topics.text.attributes import fold_attribute
from topics.text.clean import said_time, storable_text, storable_time

TEXT_LIMIT = 10_000
_SPACES = re.compile(r"\s+")
_EDGES = " .。!！?？,，;；:：、\"'“”‘’「」()（）"
FACT_FIELDS = (
    "kind",
    "text",
    "attribute",
    "value",
    "unit",
    "negated",
    "certainty",
    "valid_from",
    "valid_until",
    "scope",
)
ENTRY_FIELDS = ("text", "happened_at", "precision", "certainty")


@dataclass(frozen=True, slots=True)
class Span:
    """The words [start, end) of a message, in code points."""

    message: Message
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FactDraft:
    """A fact to commit. Spans may be empty only for what a person or an agent wrote."""

    topic: Topic
    text: str
    kind: str = Fact.Kind.FACT
    attribute: str = ""
    value: str = ""
    unit: str = ""
    negated: bool = False
    certainty: str = Certainty.CONFIRMED
    speaker: str = ""
    said_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    scope: str = ""
    origin: str = Origin.EXTRACTED
    spans: Sequence[Span] = ()
    corrected: bool = False  # a person put it in these words


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryDraft:
    """A timeline entry to commit. `happened_at` is aware; `precision` says how much of it was said."""

    topic: Topic
    text: str
    happened_at: datetime
    precision: str = TimelineEntry.Precision.DAY
    certainty: str = Certainty.CONFIRMED
    speaker: str = ""
    said_at: datetime | None = None
    origin: str = Origin.EXTRACTED
    spans: Sequence[Span] = ()


def content_key(text: str, *extra: object) -> str:
    """What makes two statements the same: text in one width and case, without white space and closing punctuation.

    Returns 64 hex digits.
    """
    folded = _SPACES.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip(_EDGES)
    return hashlib.sha256("\x1f".join([folded, *map(str, extra)]).encode()).hexdigest()


def in_new_words(text: str, changes: dict[str, Any]) -> dict[str, Any]:
    """`changes` of a fact that says `text`, without attribute, value and unit when they may not fit what it says now.

    That is when the text becomes another one and none of the three is given.
    """
    values = ("attribute", "value", "unit")
    if any(name in changes for name in values) or content_key(changes.get("text", text)) == content_key(text):
        return changes
    return changes | dict.fromkeys(values, "")


def entry_key(text: str, happened_at: datetime, precision: str) -> str:
    """`content_key` of a timeline entry: the same words at another time are another entry."""
    return content_key(text, happened_at.astimezone(timezone.get_default_timezone()).isoformat(), precision)


def commit_facts(
    *, space: Space, actor: Actor, drafts: Sequence[FactDraft], action: str = "commit_facts", reason: str = ""
) -> list[Fact]:
    """Write facts with their evidence: the fact of each draft, in order.

    A draft that says what an active fact of its topic already says adds its evidence to that fact instead.
    Raises InvalidInput for a draft that cannot be stored or an extracted one without words behind it, WrongState for a
    topic that is merged or deleted; nothing is written then.
    """
    for draft in drafts:
        _check_statement(draft.text, draft.spans, draft.origin, draft.valid_from, draft.valid_until)
    with change_set(space=space, actor=actor, action=action, reason=reason) as change:
        _hold_topics(drafts)
        standing = {
            (f.topic_id, f.content_key): f
            for f in Fact.objects.filter(
                topic__in={d.topic.pk for d in drafts},
                status=Fact.Status.ACTIVE,
                content_key__in={content_key(d.text) for d in drafts},
            )
        }
        facts, fresh = [], []
        for draft in drafts:
            key = (draft.topic.pk, content_key(draft.text))
            if key not in standing:
                standing[key] = _new_fact(change, draft, key[1])
                fresh.append(standing[key])
            facts.append(standing[key])
        create_tracked(fresh)
        _add_evidence(change, [(fact, draft.spans) for fact, draft in zip(facts, drafts, strict=True)])
        index.index_facts(space, list({f.pk: f for f in facts}.values()))
        return facts


def commit_entries(
    *, space: Space, actor: Actor, drafts: Sequence[EntryDraft], action: str = "commit_entries", reason: str = ""
) -> list[TimelineEntry]:
    """Write timeline entries with their evidence; as `commit_facts`, for what happened."""
    for draft in drafts:
        _check_statement(draft.text, draft.spans, draft.origin)
    with change_set(space=space, actor=actor, action=action, reason=reason) as change:
        _hold_topics(drafts)
        keys = [entry_key(d.text, d.happened_at, d.precision) for d in drafts]
        standing = {
            (e.topic_id, e.content_key): e
            for e in TimelineEntry.objects.filter(
                topic__in={d.topic.pk for d in drafts}, status=TimelineEntry.Status.ACTIVE, content_key__in=set(keys)
            )
        }
        entries, fresh = [], []
        for draft, hashed in zip(drafts, keys, strict=True):
            key = (draft.topic.pk, hashed)
            if key not in standing:
                standing[key] = _new_entry(change, draft, hashed)
                fresh.append(standing[key])
            entries.append(standing[key])
        create_tracked(fresh)
        _add_evidence(change, [(entry, draft.spans) for entry, draft in zip(entries, drafts, strict=True)])
        index.index_entries(space, list({e.pk: e for e in entries}.values()))
        return entries


def add_fact(*, topic: Topic, actor: Actor, reason: str = "", **fields: Any) -> Fact:
    """Write a fact by hand (or by an agent). `fields` are those of FactDraft.

    Raises Duplicate when the topic already says it, WrongState for a merged or deleted topic, InvalidInput.
    """
    fields = check_fields(Fact, fields, new=True)
    draft = FactDraft(topic=topic, origin=words_of(actor), **fields)
    with change_set(space=topic.space, actor=actor, action="add_fact", reason=reason):
        lock_topic(topic)
        standing = Fact.objects.filter(
            topic=topic, status=Fact.Status.ACTIVE, content_key=content_key(draft.text)
        ).first()
        if standing is not None:
            raise Duplicate(_("This topic already says so."), details={"fact": str(standing.pk)})
        return commit_facts(space=topic.space, actor=actor, drafts=[draft])[0]


def add_entry(*, topic: Topic, actor: Actor, reason: str = "", **fields: Any) -> TimelineEntry:
    """Write a timeline entry by hand (or by an agent). `fields` are those of EntryDraft. Raises as `add_fact`."""
    fields = check_fields(TimelineEntry, fields, new=True)
    draft = EntryDraft(topic=topic, origin=words_of(actor), **fields)
    with change_set(space=topic.space, actor=actor, action="add_entry", reason=reason):
        lock_topic(topic)
        key = entry_key(draft.text, draft.happened_at, draft.precision)
        standing = TimelineEntry.objects.filter(
            topic=topic, status=TimelineEntry.Status.ACTIVE, content_key=key
        ).first()
        if standing is not None:
            raise Duplicate(_("This topic already says so."), details={"entry": str(standing.pk)})
        return commit_entries(space=topic.space, actor=actor, drafts=[draft])[0]


def edit_fact(
    *, fact: Fact, actor: Actor, changes: dict[str, Any], expected_version: int | None = None, reason: str = ""
) -> Fact:
    """Change the content of an active fact (FACT_FIELDS). A person's edit outranks older words from then on.

    Another text without an attribute, value or unit beside it leaves the fact without these: see `in_new_words`.
    Raises Stale, WrongState for a fact that is not active, Duplicate when another fact says the same, InvalidInput.
    """
    changes = check_fields(Fact, changes)
    with change_set(space=fact.space, actor=actor, action="edit_fact", reason=reason) as change:
        fact = lock_fact(fact, expected_version=expected_version)
        for field, value in in_new_words(fact.text, changes).items():
            setattr(fact, field, value)
        fact.attribute, fact.content_key = fold_attribute(fact.attribute), content_key(fact.text)
        _check_statement(fact.text, (), Origin.PERSON, fact.valid_from, fact.valid_until)
        if not fact.changed_fields():
            return fact
        if "text" in fact.changed_fields():
            fact.origin = words_of(actor)
        if actor.is_person:
            fact.corrected_at = change.at
        _save_unique(fact)
        mark_stale(topic=fact.topic, facts=[fact.pk])
        index.index_facts(fact.space, [fact])
        return fact


def edit_entry(
    *,
    entry: TimelineEntry,
    actor: Actor,
    changes: dict[str, Any],
    expected_version: int | None = None,
    reason: str = "",
) -> TimelineEntry:
    """Change the content of an active timeline entry (ENTRY_FIELDS). Raises as `edit_fact`."""
    changes = check_fields(TimelineEntry, changes)
    with change_set(space=entry.space, actor=actor, action="edit_entry", reason=reason):
        entry = _lock_active(TimelineEntry, entry, expected_version)
        for field, value in changes.items():
            setattr(entry, field, value)
        _check_statement(entry.text, (), Origin.PERSON)
        entry.content_key = entry_key(entry.text, entry.happened_at, entry.precision)
        if not entry.changed_fields():
            return entry
        if "text" in entry.changed_fields():
            entry.origin = words_of(actor)
        _save_unique(entry)
        index.index_entries(entry.space, [entry])
        return entry


def supersede_fact(
    *,
    fact: Fact,
    by: Fact | None,
    actor: Actor,
    valid_until: datetime | None = None,
    expected_version: int | None = None,
    reason: str = "",
) -> Fact:
    """Mark an active fact as no longer current, replaced by `by` (or by nothing), until when it held.

    Raises Stale, WrongState, InvalidInput when it would supersede itself or a fact of another topic.
    """
    if by is not None and (by.pk == fact.pk or by.topic_id != fact.topic_id):
        raise InvalidInput(_("A fact is superseded by another fact of the same topic."))
    with change_set(space=fact.space, actor=actor, action="supersede_fact", reason=reason) as change:
        fact = lock_fact(fact, expected_version=expected_version)
        fact.status = Fact.Status.SUPERSEDED
        fact.superseded_by = by
        fact.valid_until = _not_before_it_began(fact, valid_until) if valid_until else ended_by(fact, by, at=change.at)
        fact.save()
        mark_stale(topic=fact.topic, facts=[fact.pk])
        index.index_facts(fact.space, [fact])
        return fact


def ended_by(fact: Fact, by: Fact | None, *, at: datetime) -> datetime:
    """Until when a fact held that `by` takes the place of (or nothing does, since `at`): since when that holds, else
    when it was said. What is put right by older words held until it was said itself."""
    until = (by and (by.valid_from or by.said_at)) or at
    if by is not None and by.valid_from is None and fact.said_at is not None:
        until = max(until, fact.said_at)
    return _not_before_it_began(fact, until)


def _not_before_it_began(fact: Fact, until: datetime) -> datetime:
    return max(until, fact.valid_from) if fact.valid_from else until


def commit_earlier_fact(
    *,
    draft: FactDraft,
    by: Fact,
    until: datetime,
    actor: Actor,
    before: Sequence[Fact] = (),
    reason: str = "",
) -> Fact:
    """Write a fact that was true before `by`, though it is heard of only now: superseded by that from the first.

    It held until `until`, or until when it says itself, if that was sooner. `before` are facts superseded by `by` that
    it had taken the place of in its time: they are superseded by it from now on. What is current stays as it is.
    Raises as `commit_facts`, and InvalidInput for facts of another topic.
    """
    _check_statement(draft.text, draft.spans, draft.origin, draft.valid_from, draft.valid_until)
    if any(other.topic_id != draft.topic.pk for other in (by, *before)):
        raise InvalidInput(_("A fact is superseded by another fact of the same topic."))
    with change_set(space=by.space, actor=actor, action="commit_facts", reason=reason) as change:
        _hold_topics([draft])
        fact = _new_fact(change, draft, content_key(draft.text))
        fact.status, fact.superseded_by = Fact.Status.SUPERSEDED, by
        fact.valid_until = _not_before_it_began(fact, min(until, draft.valid_until or until))
        create_tracked([fact])
        _add_evidence(change, [(fact, draft.spans)])
        rows = Fact.objects.select_for_update(no_key=True, of=("self",)).select_related("topic")
        moved = list(rows.filter(pk__in=[other.pk for other in before], superseded_by=by).order_by("pk"))
        for other in moved:
            other.superseded_by = fact
            other.valid_until = min(other.valid_until or until, ended_by(other, fact, at=change.at))
        save_tracked(moved)
        index.index_facts(by.space, [fact, *moved])
        return fact


def replace_fact(
    *,
    fact: Fact,
    actor: Actor,
    fields: dict[str, Any],
    valid_until: datetime | None = None,
    expected_version: int | None = None,
    reason: str = "",
) -> Fact:
    """Write a new fact in place of an active one, as one change: the new fact.

    It is of the same kind, attribute, unit and scope unless `fields` (those of `add_fact`) say otherwise; `valid_until`
    is until when the old one held. Raises as `add_fact` and `supersede_fact`.
    """
    with change_set(space=fact.space, actor=actor, action="replace_fact", reason=reason):
        fact = lock_fact(fact, expected_version=expected_version)
        same = {name: getattr(fact, name) for name in ("kind", "attribute", "unit", "scope")}
        new = add_fact(topic=fact.topic, actor=actor, **same | fields)
        supersede_fact(fact=fact, by=new, actor=actor, valid_until=valid_until)
        return new


def retract_fact(*, fact: Fact, actor: Actor, expected_version: int | None = None, reason: str = "") -> Fact:
    """Take a fact out of the memory, and out of an automatic summary.

    It stays in the history, and does not come back from the same words. A fact that it had replaced stays superseded.
    Raises Stale, and WrongState when it is retracted already.
    """
    with change_set(space=fact.space, actor=actor, action="retract_fact", reason=reason):
        fact = _lock_version(Fact, fact, expected_version)
        if fact.status == Fact.Status.RETRACTED:
            raise WrongState(_("This fact is retracted already."), code="retracted")
        if fact.status == Fact.Status.JOINED:
            raise WrongState(_("This fact is joined with another one that says the same."), code="joined")
        fact.status = Fact.Status.RETRACTED
        fact.save()
        forget(topic=fact.topic, facts=[fact.pk])
        index.index_facts(fact.space, [fact])
        return fact


def retract_entry(
    *, entry: TimelineEntry, actor: Actor, expected_version: int | None = None, reason: str = ""
) -> TimelineEntry:
    """Take a timeline entry out of the memory. Raises as `retract_fact`."""
    with change_set(space=entry.space, actor=actor, action="retract_entry", reason=reason):
        entry = _lock_active(TimelineEntry, entry, expected_version)
        entry.status = TimelineEntry.Status.RETRACTED
        entry.save()
        index.index_entries(entry.space, [entry])
        return entry


def add_evidence(
    *, space: Space, actor: Actor, additions: Sequence[tuple[Fact | TimelineEntry, Sequence[Span]]], reason: str = ""
) -> None:
    """Add words that say again what is held. Spans that stand already are left as they are."""
    with change_set(space=space, actor=actor, action="add_evidence", reason=reason) as change:
        _add_evidence(change, additions)


def open_dispute(
    *,
    fact: Fact,
    said_at: datetime | None,
    message: Message | None = None,
    claim: str = "",
    became: Fact | None = None,
) -> Dispute:
    """Show the fact as disputed from now on: a statement of `said_at`, made in `message`, says `claim` against it.

    `became` is the fact that the statement is held as, if it is. A dispute without a claim is the other side of one.
    """
    return Dispute.objects.create(
        fact=fact, said_at=said_at, message=message, claim=claim, became=became, opened_at=timezone.now()
    )


def close_dispute(*, dispute: Dispute, outcome: str, by: ChangeSet, became: Fact | None = None) -> None:
    """Settle a dispute. `became` is the fact that the contradicting statement is held as from now on, if it is."""
    dispute.outcome, dispute.became, dispute.closed_by, dispute.closed_at = outcome, became, by, timezone.now()
    dispute.save(update_fields=["outcome", "became", "closed_by", "closed_at"])


def reopen_dispute(*, dispute: Dispute, became: Fact | None = None) -> None:
    """Take the settlement of a dispute back. `became` as in `open_dispute`."""
    dispute.outcome, dispute.became, dispute.closed_by, dispute.closed_at = "", became, None, None
    dispute.save(update_fields=["outcome", "became", "closed_by", "closed_at"])


def lock_fact(fact: Fact, *, expected_version: int | None = None) -> Fact:
    """The active fact as it is now, held until the transaction ends. Raises Stale and WrongState."""
    locked: Fact = _lock_active(Fact, fact, expected_version)
    return locked


def words_of(actor: Actor) -> Origin:
    """The origin of a statement that this actor writes or puts in other words."""
    return Origin.PERSON if actor.is_person else Origin.AGENT


def _hold_topics(drafts: Sequence[FactDraft] | Sequence[EntryDraft]) -> None:
    for topic in lock_topics(d.topic.pk for d in drafts).values():
        refuse_gone(topic)


def _new_fact(change: OpenChange, draft: FactDraft, key: str) -> Fact:
    fields = {name: getattr(draft, name) for name in (*FACT_FIELDS, "speaker", "said_at", "origin")}
    written = draft.corrected or draft.origin == Origin.PERSON
    return Fact(
        space=_space_of(draft.topic, change),
        topic=draft.topic,
        content_key=key,
        corrected_at=change.at if written else None,
        **(
            fields
            | {
                "attribute": fold_attribute(draft.attribute),
                "said_at": draft.said_at or (change.at if not draft.spans else None),
            }
        ),
    )


def _space_of(topic: Topic, change: OpenChange) -> Space:
    """The topic's space: mostly that of the change, which need not be asked for again. Another one is refused later."""
    return change.space if topic.space_id == change.space.pk else topic.space


def _new_entry(change: OpenChange, draft: EntryDraft, key: str) -> TimelineEntry:
    fields = {name: getattr(draft, name) for name in (*ENTRY_FIELDS, "speaker", "said_at", "origin")}
    return TimelineEntry(space=_space_of(draft.topic, change), topic=draft.topic, content_key=key, **fields)


def _add_evidence(change: OpenChange, additions: Sequence[tuple[Fact | TimelineEntry, Sequence[Span]]]) -> None:
    wanted = {}
    for statement, spans in additions:
        column = "fact_id" if isinstance(statement, Fact) else "entry_id"
        for span in spans:
            wanted[column, statement.pk, span.message.pk, span.start, span.end] = statement
    for column in ("fact_id", "entry_id"):
        ids = {key[1] for key in wanted if key[0] == column}
        if not ids:
            continue
        for row in Evidence.objects.filter(**{f"{column}__in": ids}):
            key = (column, getattr(row, column), row.message_id, row.start, row.end)
            if key in wanted and row.removed_by_id is not None:
                Evidence.objects.filter(pk=row.pk).update(added_by=change.row, removed_by=None)
                change.touch(wanted[key].topic_id)
            wanted.pop(key, None)
    if not wanted:
        return
    for statement in wanted.values():
        change.touch(statement.topic_id)
    change_row: ChangeSet = change.row
    Evidence.objects.bulk_create(
        Evidence(**{column: pk}, message_id=message, start=start, end=end, added_by=change_row)
        for column, pk, message, start, end in wanted
    )


def _check_statement(
    text: str,
    spans: Sequence[Span],
    origin: str,
    valid_from: datetime | None = None,
    valid_until: datetime | None = None,
) -> None:
    storable_text(text, field="text", limit=TEXT_LIMIT)
    if not spans and origin == Origin.EXTRACTED:
        raise InvalidInput(_("No fact without evidence, unless a person wrote it."), fields={"quotes": [_("Missing.")]})
    for span in spans:
        if not 0 <= span.start < span.end <= len(span.message.content):
            raise InvalidInput(_("The quoted words lie outside their message."), fields={"quotes": [_("Not found.")]})
    if valid_from and valid_until and valid_from > valid_until:
        problem = _("It cannot end before it begins.")
        raise InvalidInput(problem, fields={"valid_until": [problem]})


def check_fields(
    model: type[Fact] | type[TimelineEntry], fields: dict[str, Any], *, new: bool = False
) -> dict[str, Any]:
    """`fields` with every value checked against its column. Raises InvalidInput, naming each that is wrong.

    A new statement may also bring its speaker, when it was said and its spans, and must bring what it cannot lack.
    """
    allowed = {*(FACT_FIELDS if model is Fact else ENTRY_FIELDS), *(("speaker", "said_at", "spans") if new else ())}
    needed = {"text"} if model is Fact else {"text", "happened_at"}
    problems = {name: [_("Missing.")] for name in needed - set(fields) if new}
    for name, value in fields.items():
        try:
            if name not in allowed:
                raise InvalidInput("", fields={name: [_("Unknown field.")]})
            if name != "spans":
                _check_value(model._meta.get_field(name), value)
        except InvalidInput as error:
            problems.update(error.details["fields"])
    if problems:
        raise InvalidInput(_("Some fields need mending."), fields=problems)
    return fields


def _check_value(column: Any, value: object) -> None:
    if isinstance(column, models.BooleanField):
        is_known = isinstance(value, bool)
    else:
        is_known = not column.choices or value in [choice for choice, _label in column.choices]
    if not is_known:
        raise InvalidInput("", fields={column.name: [_("Unknown value.")]})
    if isinstance(column, models.DateTimeField):
        if value is not None or not column.null:
            check = said_time if column.name == "said_at" else storable_time
            check(value, field=column.name)
    elif not isinstance(column, models.BooleanField):
        limit = column.max_length or TEXT_LIMIT
        storable_text(value, field=column.name, limit=limit, blank=column.name != "text")


def _lock_version(model: type[Any], row: Any, expected_version: int | None) -> Any:
    lock_topic(row.topic)
    locked = model.objects.select_for_update(no_key=True, of=("self",)).select_related("topic", "space").get(pk=row.pk)
    if expected_version is not None and locked.version != expected_version:
        raise Stale(_("Somebody changed this in the meantime. Look at it again, then repeat your change."))
    return locked


def _lock_active(model: type[Any], row: Any, expected_version: int | None) -> Any:
    locked = _lock_version(model, row, expected_version)
    if locked.status != model.Status.ACTIVE:
        status = locked.get_status_display().lower()
        raise WrongState(_("This statement is %(status)s.") % {"status": status}, code=locked.status)
    return locked


def _save_unique(statement: Fact | TimelineEntry) -> None:
    try:
        with savepoint():
            statement.save()
    except IntegrityError as error:
        raise Duplicate(_("This topic already says so.")) from error
