"""Keeping the search index in step with the memory.

Services call these inside their own transaction, with everything of one kind that they changed at once: the number of
queries does not grow with the batch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from topics.models import Alias, Evidence, Fact, Message, Passage, Space, TimelineEntry, Topic
from topics.retrieval.columns import (
    finish,
    first_terms,
    last_terms,
    line_cost,
    local_day,
    own_terms,
    prefix_of,
    turn_line,
)
from topics.retrieval.passages import split_passages
from topics.services.vectors import forget_vectors

SHOWN_ROLES = (Message.Role.USER, Message.Role.ASSISTANT)
BATCH = 1000
# A statement's line gives a date; all of them cost the same.
_SOME_DATE = "2024-05-03"

Statement = Fact | TimelineEntry
_NEIGHBOURS = ("prev1", "prev2", "next1", "next2")


# -------------------------------------------------------------------------------------------------------- messages


def index_messages(space: Space, messages: Sequence[Message], *, withheld: bool) -> None:
    """Add new messages of one conversation, in order, after all that it has in the index, shown or `withheld`.

    Messages of the roles system and tool get no rows, nor do replies that repeat the memory: they are never shown. A
    turn is also found by the name of its conversation's subject, which those who talk about it need not say. The
    neighbour columns of the two rows before are brought up to date, and those of the statements that were taken from
    them.
    """
    fresh = _fresh_rows(space, messages, withheld)
    if not fresh:
        return
    conversation_id = messages[0].conversation_id
    before = list(
        Passage.objects.filter(conversation_id=conversation_id, kind=Passage.Kind.MESSAGE)
        .order_by("-position", "-part")
        .only("own", "position", "part", *_NEIGHBOURS, "speaker_terms")[:2]
    )[::-1]
    _join_neighbours([*before, *fresh], first_fresh=len(before))
    if before:
        _update_neighbours(conversation_id, before)
    Passage.objects.bulk_create(map(finish, fresh), batch_size=BATCH)


def conversation_rows(space: Space, messages: Sequence[Message], *, withheld: bool) -> list[Passage]:
    """The rows of the first messages of a conversation, not stored."""
    rows = _fresh_rows(space, messages, withheld)
    _join_neighbours(rows, first_fresh=0)
    return list(map(finish, rows))


def _fresh_rows(space: Space, messages: Sequence[Message], withheld: bool) -> list[Passage]:
    shown = [message for message in messages if message.role in SHOWN_ROLES and not message.repeats_memory]
    return [row for message in shown for row in _message_rows(space, message, withheld)]


def _message_rows(space: Space, message: Message, withheld: bool) -> list[Passage]:
    prefix = prefix_of(space.pk, statements=False)
    speaker_terms = own_terms(prefix, f"{message.speaker} \n {message.conversation.subject_name}")
    day = local_day(space, message.said_at)
    return [
        Passage(
            space_id=space.pk,
            kind=Passage.Kind.MESSAGE,
            message_id=message.pk,
            conversation_id=message.conversation_id,
            position=message.position,
            part=part,
            start=start,
            end=end,
            day=day,
            speaker=message.speaker,
            own=own_terms(prefix, message.content[start:end]),
            speaker_terms=speaker_terms,
            line_tokens=line_cost(turn_line(message.speaker, message.content[start:end])),
            withheld=withheld,
        )
        for part, (start, end) in enumerate(split_passages(message.content))
    ]


def _join_neighbours(rows: list[Passage], first_fresh: int) -> None:
    """Give each row the terms of those around it; rows before `first_fresh` are complete on their left."""
    lasts, firsts = [last_terms(row.own) for row in rows], [first_terms(row.own) for row in rows]
    for i, row in enumerate(rows):
        if i >= first_fresh:
            row.prev1 = lasts[i - 1] if i >= 1 else ""
            row.prev2 = lasts[i - 2] if i >= 2 else ""
        row.next1 = firsts[i + 1] if i + 1 < len(rows) else ""
        row.next2 = firsts[i + 2] if i + 2 < len(rows) else ""


def _update_neighbours(conversation_id: UUID, before: list[Passage]) -> None:
    places = Q()
    for row in before:
        places |= Q(position=row.position, part=row.part)
    statements = list(
        Passage.objects.filter(places, conversation_id=conversation_id)
        .exclude(kind=Passage.Kind.MESSAGE)
        .only("own", "position", "part", *_NEIGHBOURS, "speaker_terms", "space_id")
    )
    by_place = {(row.position, row.part): row for row in before}
    for statement in statements:
        _inherit_neighbours(statement, by_place[statement.position, statement.part])
    changed = [finish(row) for row in [*before, *statements]]
    Passage.objects.bulk_update(changed, ["next1", "next2", "n_all"], batch_size=100)


def withhold_message(message_ids: Iterable[UUID]) -> None:
    """Keep these messages from agents, until `release_message`."""
    Passage.objects.filter(message_id__in=list(message_ids), withheld=False).update(withheld=True)


def release_message(message_ids: Iterable[UUID]) -> None:
    """Take `withhold_message` back."""
    Passage.objects.filter(message_id__in=list(message_ids), withheld=True).update(withheld=False)


# ------------------------------------------------------------------------------------------------------ statements


def index_facts(space: Space, facts: Sequence[Fact]) -> None:
    """Write the rows of these facts anew. One that is retracted or joined, or of a deleted topic, gets no row."""
    for batch in _batches(facts):
        Passage.objects.filter(fact_id__in=[fact.pk for fact in batch]).delete()
        held = _indexed(batch)
        Passage.objects.bulk_create(statement_rows(space, held))
        if len(held) < len(batch):
            forget_vectors(facts={fact.pk for fact in batch} - {fact.pk for fact in held})


def index_entries(space: Space, entries: Sequence[TimelineEntry]) -> None:
    """Write the rows of these timeline entries anew; the same rules as for facts."""
    for batch in _batches(entries):
        Passage.objects.filter(entry_id__in=[entry.pk for entry in batch]).delete()
        Passage.objects.bulk_create(statement_rows(space, _indexed(batch)))


def reindex_topic(topic: Topic) -> None:
    """Write the rows of a topic's statements anew: after its name, an alias or its status changed."""
    reindex_topics(topic.space, [topic.pk])


def reindex_topics(space: Space, topics: Collection[UUID]) -> None:
    """The same for many topics of a space."""
    if not topics:
        return
    index_facts(space, list(Fact.objects.filter(topic__in=topics)))
    index_entries(space, list(TimelineEntry.objects.filter(topic__in=topics)))
    gone = Topic.objects.filter(pk__in=topics, status__in=(Topic.Status.DELETED, Topic.Status.MERGED))
    if gone_ids := list(gone.values_list("pk", flat=True)):
        forget_vectors(topics=gone_ids)


def statement_rows(
    space: Space, statements: Sequence[Statement], evidence: dict[UUID, Evidence] | None = None
) -> list[Passage]:
    """The search rows of these statements, not stored. `evidence` (first of each statement) is read when not given."""
    if not statements:
        return []
    first = first_evidence(statements) if evidence is None else evidence
    sources = _source_passages(first.values())
    names = _topic_names({statement.topic_id for statement in statements})
    return [
        statement_row(space, statement, first.get(statement.pk), sources, names[statement.topic_id])
        for statement in statements
    ]


def first_evidence(statements: Iterable[Statement], **conditions: Any) -> dict[UUID, Evidence]:
    """Statement id → its earliest live evidence, with the message."""
    ids = [statement.pk for statement in statements]
    rows = (
        Evidence.objects.filter(Q(fact_id__in=ids) | Q(entry_id__in=ids), **(conditions or {"removed_by": None}))
        .select_related("message")
        .order_by("-id")
    )
    return {row.fact_id or row.entry_id: row for row in rows}  # type: ignore[misc]


def statement_row(
    space: Space,
    statement: Statement,
    evidence: Evidence | None,
    sources: dict[UUID, list[Passage]],
    names: Sequence[str],
) -> Passage:
    """The row of one statement, not stored. `sources`: message id → its rows; `names`: the topic's and its aliases."""
    prefix = prefix_of(space.pk, statements=True)
    message = evidence.message if evidence else None
    speaker = statement.speaker or (message.speaker if message else "")
    is_fact = isinstance(statement, Fact)
    said_at = statement.said_at or (message.said_at if message else None)
    at = said_at if isinstance(statement, Fact) else statement.happened_at
    row = Passage(
        space_id=space.pk,
        kind=Passage.Kind.FACT if is_fact else Passage.Kind.ENTRY,
        fact_id=statement.pk if is_fact else None,
        entry_id=None if is_fact else statement.pk,
        topic_id=statement.topic_id,
        day=local_day(space, at),
        speaker=speaker,
        own=own_terms(prefix, _own_text(statement)),
        speaker_terms=own_terms(prefix, " \n ".join(dict.fromkeys([speaker, *names]))),
        line_tokens=line_cost(turn_line(f"{speaker}, {_SOME_DATE}" if is_fact else _SOME_DATE, statement.text)),
    )
    source = _containing(sources.get(message.pk, []), evidence.start) if message and evidence else None
    if source:
        row.conversation_id, row.position, row.part = source.conversation_id, source.position, source.part
        _inherit_neighbours(row, source)
    return finish(row)


def _own_text(statement: Statement) -> str:
    if not isinstance(statement, Fact):
        return statement.text
    extra = [part for part in (statement.value, statement.unit) if part not in statement.text]
    return " \n ".join([statement.text, statement.attribute, *extra, statement.scope])


def _inherit_neighbours(row: Passage, source: Passage) -> None:
    old, new = prefix_of(row.space_id, statements=False), prefix_of(row.space_id, statements=True)
    for column in _NEIGHBOURS:
        terms = getattr(source, column).split()
        setattr(row, column, " ".join([new + term.removeprefix(old) for term in terms]))


def _containing(parts: Sequence[Passage], start: int) -> Passage | None:
    return next((part for part in parts if part.start <= start < part.end), None)


def _source_passages(evidence: Iterable[Evidence]) -> dict[UUID, list[Passage]]:
    found: dict[UUID, list[Passage]] = defaultdict(list)
    for passage in Passage.objects.filter(message_id__in={row.message_id for row in evidence}).order_by("part"):
        found[passage.message_id].append(passage)  # type: ignore[index]
    return found


def _topic_names(topic_ids: Iterable[UUID]) -> dict[UUID, list[str]]:
    names: dict[UUID, list[str]] = defaultdict(list)
    for topic_id, name in Alias.objects.filter(topic_id__in=topic_ids).values_list("topic_id", "name"):
        names[topic_id].append(name)
    for topic_id, name in Topic.objects.filter(pk__in=topic_ids).values_list("pk", "name"):
        if name not in names[topic_id]:
            names[topic_id].append(name)
    return names


def _indexed(statements: Sequence[Any]) -> list[Any]:
    dead = set(
        Topic.objects.filter(
            pk__in={statement.topic_id for statement in statements}, status=Topic.Status.DELETED
        ).values_list("pk", flat=True)
    )
    out = (Fact.Status.RETRACTED, Fact.Status.JOINED)
    return [s for s in statements if s.status not in out and s.topic_id not in dead]


def _batches(statements: Sequence[Any]) -> Iterable[Sequence[Any]]:
    for at in range(0, len(statements), BATCH):
        yield statements[at : at + BATCH]


# --------------------------------------------------------------------------------------------------------- rebuild


def rebuild_index(space: Space) -> int:
    """Write every row of a space anew, in one transaction; withheld messages stay withheld. Returns the row count."""
    with transaction.atomic():
        rows = Passage.objects.filter(space=space)
        withheld = set(rows.filter(withheld=True).values_list("message_id", flat=True))
        rows.delete()
        for conversation in space.conversations.order_by("pk"):
            index_messages(space, list(conversation.messages.order_by("position")), withheld=False)
        index_facts(space, list(space.facts.all()))
        index_entries(space, list(space.timeline_entries.all()))
        withhold_message(withheld)
        return Passage.objects.filter(space=space).count()
