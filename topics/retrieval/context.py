"""The context block: the text an agent puts into a prompt, fenced as data, a citation marker on every line."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Literal
from uuid import UUID

from topics.models import Fact, Message, Space, TimelineEntry, Topic
from topics.retrieval.answer import AnsweredEntry, AnsweredFact, AnsweredTopic, Citation, MemoryAnswer, Source, Why
from topics.retrieval.columns import inert, line_cost, turn_header, turn_line
from topics.retrieval.cuts import overlaps, visible
from topics.retrieval.engine import among
from topics.retrieval.index import Statement
from topics.retrieval.items import Item
from topics.retrieval.marks import Marker, phrase
from topics.retrieval.pack import by_fit
from topics.retrieval.question import Question
from topics.retrieval.view import Disputes, Quote, View
from topics.selectors.edits import Edit, edits_of
from topics.text.tokens import count_tokens

_DATE_LENGTH = {"year": 4, "month": 7, "day": 10}


@dataclass(frozen=True, slots=True)
class Line:
    """A content line without its marker, under its header; `order` sorts the lines of a block."""

    header: str
    order: tuple[Any, ...]
    body: str
    citations: list[Citation]
    statements: list[Statement]


class Sheet:
    """What the lines of one answer are written from: the rows behind the chosen items."""

    def __init__(self, view: View, question: Question, items: Sequence[Item]) -> None:
        self.view = view
        self._places = {topic.pk: place for place, topic in enumerate(question.topics)}
        own = {item.statement_id for item in items if item.statement_id}
        messages = {item.row["message_id"] for item in items if item.row["message_id"]}
        self.in_message = view.quotes_in(messages) if messages else {}
        self._load_statements(own | {quote.statement_id for found in self.in_message.values() for quote in found})
        self._load_turns(messages)

    def _load_statements(self, ids: set[UUID]) -> None:
        self.statements: dict[UUID, Statement] = {}
        self.quotes: dict[UUID, list[Quote]] = {}
        if ids:
            self.statements |= self.view.statements_held(ids)
            self.quotes |= self.view.quotes_of(ids)

    def _load_turns(self, message_ids: set[UUID]) -> None:
        self.contents = dict(among(Message.objects, "pk", message_ids).values_list("pk", "content"))

    @cached_property
    def topics(self) -> dict[UUID, Topic]:
        return self.view.topics({statement.topic_id for statement in self.statements.values()})

    @cached_property
    def facts(self) -> list[Fact]:
        return [statement for statement in self.statements.values() if isinstance(statement, Fact)]

    @cached_property
    def edits(self) -> dict[UUID, Edit]:
        return edits_of(self.statements.values())

    @cached_property
    def disputes(self) -> Disputes:
        # Quoted words were approved, whatever else their message says.
        shows_all = self.view.space.source_turns == Space.SourceTurns.ALL
        return self.view.disputes({fact.pk for fact in self.facts}, self.contents.keys() if shows_all else set())

    @cached_property
    def marker(self) -> Marker:
        successors = {fact.pk: fact.superseded_by_id for fact in self.facts if fact.superseded_by_id}
        said = dict(among(Fact.objects, "pk", successors.values()).values_list("pk", "said_at"))
        return Marker(
            space=self.view.space,
            at=self.view.as_of or self.view.now,
            disputes=self.disputes.doubts,
            superseded_at={
                fact.pk: _replaced_at(fact, said.get(successors[fact.pk]))
                for fact in self.facts
                if fact.pk in successors
            },
        )

    def place(self, topic: Topic) -> int:
        """The topics that the question names come first, in the order of their mention."""
        return self._places.get(topic.pk, len(self._places))

    # -- lines

    def lines(self, items: Iterable[Item]) -> list[tuple[Item, Line]]:
        """The items with their lines, without those of which what they stood for may not be shown any more."""
        return [(item, line) for item in items if (line := self._line(item))]

    def _line(self, item: Item) -> Line | None:
        return self._turn(item) if item.row["message_id"] else self._statement(item)

    def _statement(self, item: Item) -> Line | None:
        statement = self.statements.get(item.statement_id) if item.statement_id else None
        topic = self.topics.get(statement.topic_id) if statement else None
        if not statement or not topic:
            return None
        body = self._statement_body(statement, topic, item.row["speaker"])
        order = (0, self.place(topic), str(topic.pk), item.row["day"] or 0, str(statement.pk))
        return Line(f"# {inert(topic.name)}", order, body, self._citations(statement), [statement])

    def _statement_body(self, statement: Statement, topic: Topic, speaker: str) -> str:
        marks, edit = self.marker.of_statement(statement), self.edits.get(statement.pk)
        editor = [phrase(self.view.space, "edited", editor=inert(edit.by))] if edit else []
        if isinstance(statement, TimelineEntry):
            return f"{self._when(statement)}{inert(statement.text)}{self.marker.suffix(editor + marks)}"
        suffix = self.marker.suffix(marks)
        if edit:
            return f"{', '.join([self.marker.date(edit.at), *editor])}: {inert(statement.text)}{suffix}"
        said_at = statement.said_at or next((q.said_at for q in self.quotes.get(statement.pk, ())), None)
        said = [inert(speaker)] if speaker and speaker != topic.name else []
        said += [self.marker.date(said_at)] if said_at else []
        lead = f"{', '.join(said)}: " if said else ""
        return f"{lead}{inert(statement.text)}{suffix}"

    def _when(self, entry: TimelineEntry) -> str:
        """Its own date, told apart from that on which a fact was said; it may lie ahead."""
        day = self.marker.date(entry.happened_at)
        if entry.precision == TimelineEntry.Precision.MINUTE:
            return phrase(self.view.space, "on", date=f"{day} {self.marker.time(entry.happened_at)}")
        word = "on" if entry.precision == TimelineEntry.Precision.DAY else "in"
        return phrase(self.view.space, word, date=day[: _DATE_LENGTH[entry.precision]])

    def _citations(self, statement: Statement) -> list[Citation]:
        own = _cited(statement)
        return [
            replace(own, conversation=source.conversation, message=source.message) for source in self.sources(statement)
        ] or [own]

    def sources(self, statement: Statement) -> list[Source]:
        """The messages behind a statement, each once."""
        found = [Source(quote.conversation, quote.message) for quote in self.quotes.get(statement.pk, ())]
        return list(dict.fromkeys(found))

    def _turn(self, item: Item) -> Line | None:
        row, content = item.row, self.contents.get(item.row["message_id"])
        place = (str(row["conversation_id"]), row["position"], row["part"], row["start"])
        words = visible(content, row["start"], row["end"], item.cuts) if content else ""
        if not content or not words:
            return None
        standing = [
            (statement, quote)
            for statement, quote in self._standing(row["message_id"], row["start"], row["end"])
            if not overlaps((quote.start, quote.end), item.cuts)
        ]
        marks = [
            mark
            for statement, quote in standing
            for mark in self.marker.in_turn(statement, content[quote.start : quote.end], alone=len(standing) == 1)
        ]
        if row["message_id"] in self.disputes.contradicting:
            marks.append(phrase(self.view.space, "contradicts"))
        source = Citation("", conversation=row["conversation__external_id"], message=row["message__external_id"])
        citations = [
            replace(_cited(statement), conversation=source.conversation, message=source.message)
            for statement, _ in standing
        ]
        return Line(
            header=turn_header(row["day"], item.subject),
            order=(1, row["day"], item.subject, *place),
            body=turn_line(row["speaker"], _excerpt(content, row["start"], row["end"], words))
            + self.marker.suffix(marks),
            citations=citations or [source],
            statements=[statement for statement, _ in standing if inert(statement.text) in inert(words)],
        )

    def _standing(self, message_id: UUID, start: int, end: int) -> list[tuple[Statement, Quote]]:
        """The statements that may be shown whose words stand within the span, in the order of these words."""
        found: dict[UUID, tuple[Statement, Quote]] = {}
        for quote in sorted(self.in_message.get(message_id, ()), key=lambda quote: quote.start):
            statement = self.statements.get(quote.statement_id)
            if statement and statement.topic_id in self.topics and start <= quote.start and quote.end <= end:
                found.setdefault(statement.pk, (statement, quote))
        return list(found.values())


def _replaced_at(fact: Fact, said_at: datetime | None) -> datetime | None:
    """When what replaced the fact was said; None where that was before the fact itself, which older words put right or
    which stood between two times that the other was said."""
    return None if said_at and fact.said_at and said_at < fact.said_at else said_at


def _excerpt(content: str, start: int, end: int, words: str) -> str:
    """What is shown of [start, end), with dots where the message goes on."""
    before = "… " if content[:start].strip() and not words.startswith("…") else ""
    after = " …" if content[end:].strip() and not words.endswith("…") else ""
    return f"{before}{words}{after}"


def _cited(statement: Statement) -> Citation:
    is_fact = isinstance(statement, Fact)
    return Citation("", fact=statement.pk if is_fact else None, entry=None if is_fact else statement.pk)


# ----------------------------------------------------------------------------------------------------------- block


def assemble(view: View, question: Question, chosen: Sequence[Item], max_tokens: int) -> MemoryAnswer:
    """The answer made of the chosen items, the most wanted first, without those that do not fit.

    Only here is it known what a line costs with all that must be said along with it.
    """
    fence, sheet = _new_fence(), Sheet(view, question, chosen)
    written = _fitting(_without_repetition(sheet.lines(chosen)), max_tokens - block_overhead(view.space))
    while written:
        lines = {id(item): line for item, line in written}
        ranked = by_fit([item for item, _ in written], [topic.pk for topic in question.topics])
        context, citations = _render(view.space, [lines[id(item)] for item in ranked], fence)
        tokens = count_tokens(context)
        if tokens <= max_tokens:
            topics = _answered_topics(question, written, sheet)
            return MemoryAnswer(question.text, max_tokens, context, tokens, topics=topics, citations=citations)
        written.pop()
    return MemoryAnswer(question.text, max_tokens)


def _fitting(written: Sequence[tuple[Item, Line]], room: int) -> list[tuple[Item, Line]]:
    """The lines that fit, the best first; those that do not are skipped."""
    found, headers = [], set()
    for item, line in written:
        cost = line_cost(line.body) + (0 if line.header in headers else count_tokens(f"{line.header}\n"))
        if cost <= room:
            room -= cost
            headers.add(line.header)
            found.append((item, line))
    return found


def _without_repetition(written: list[tuple[Item, Line]]) -> list[tuple[Item, Line]]:
    """Leave out a line that reads like a better one of its sort, and a statement's own line when a turn that is shown
    says it in the same words."""
    lines: dict[tuple[Any, ...], tuple[Item, Line]] = {}
    for item, line in written:
        about = line.header if item.statement_id else item.subject
        lines.setdefault((line.order[0], about, line.body), (item, line))
    written = list(lines.values())
    in_turns = {
        statement.pk
        for item, line in written
        if item.row["message_id"]
        for statement in line.statements
        if inert(statement.text) in line.body
    }
    return [(item, line) for item, line in written if item.statement_id not in in_turns]


def block_overhead(space: Space) -> int:
    """The tokens of a block without any line. Nine digits cost the same whatever they are."""
    return count_tokens(_opening(space, "0" * 9)) + count_tokens(_closing("0" * 9))


def fenced(space: Space, lines: Iterable[str]) -> str:
    """Lines of their own in a block like that of the context. Stored words in them must be `inert`."""
    fence = _new_fence()
    return "".join([_opening(space, fence), *(f"{line}\n" for line in lines), _closing(fence)])


def _new_fence() -> str:
    return f"{secrets.randbelow(10**9):09}"


def _opening(space: Space, fence: str) -> str:
    return f'<memory id={fence} note="{phrase(space, "note")}">\n'


def _closing(fence: str) -> str:
    return f"</memory id={fence}>"


def _render(space: Space, lines: Sequence[Line], fence: str) -> tuple[str, list[Citation]]:
    """The block of the lines, which come the best first, and what its markers stand for."""
    out, citations, header = [_opening(space, fence)], [], ""
    shown = {statement.pk for line in lines for statement in line.statements}
    ranked = enumerate(lines, 1)
    for number, (rank, line) in enumerate(sorted(ranked, key=lambda found: found[1].order), 1):
        if line.header != header:
            header = line.header
            out.append(f"{header}\n")
        out.append(f"[{number}] {line.body}\n")
        citations += _numbered(line.citations, str(number), rank, shown)
    return "".join([*out, _closing(fence)]), citations


def _numbered(citations: Iterable[Citation], marker: str, rank: int, shown: Collection[UUID]) -> list[Citation]:
    """The citations under their marker and rank; those of a statement outside the block are of the message."""
    numbered = [
        replace(
            citation,
            marker=marker,
            rank=rank,
            fact=citation.fact if citation.fact in shown else None,
            entry=citation.entry if citation.entry in shown else None,
        )
        for citation in citations
    ]
    return list(dict.fromkeys(numbered))


# ---------------------------------------------------------------------------------------------------------- topics


def _answered_topics(question: Question, written: Sequence[tuple[Item, Line]], sheet: Sheet) -> list[AnsweredTopic]:
    named = question.topic_ids()
    scores: dict[UUID, float] = {}
    by_words: set[UUID] = set()
    shown: dict[UUID, dict[UUID, Statement]] = defaultdict(dict)
    for item, line in written:
        for statement in line.statements:
            topic = sheet.topics[statement.topic_id]
            shown[topic.pk][statement.pk] = statement
            scores[topic.pk] = max(item.score, scores.get(topic.pk, item.score))
            by_words |= {topic.pk} if item.by_words else set()
    topics = {topic.pk: topic for topic in sheet.topics.values()}
    return [
        _answered_topic(topics[pk], shown[pk].values(), sheet, score, _why(pk, named, by_words))
        for pk, score in sorted(scores.items(), key=lambda found: (sheet.place(topics[found[0]]), -found[1]))
    ]


def _why(topic_id: UUID, named: Collection[UUID], by_words: Collection[UUID]) -> Why:
    if topic_id in named:
        return "alias"
    return "text" if topic_id in by_words else "vector"


def _answered_topic(
    topic: Topic, statements: Iterable[Statement], sheet: Sheet, score: float, why: Why
) -> AnsweredTopic:
    facts, timeline = [], []
    for statement in statements:
        if isinstance(statement, Fact):
            facts.append(_answered_fact(statement, sheet))
        else:
            timeline.append(_answered_entry(statement, sheet))
    return AnsweredTopic(
        topic.pk, topic.name, topic.kind, topic.status, round(score, 3), why, topic.summary, facts, timeline
    )


def _answered_fact(fact: Fact, sheet: Sheet) -> AnsweredFact:
    is_superseded = fact.status == Fact.Status.SUPERSEDED
    status: Literal["active", "disputed", "superseded"] = (
        "superseded" if is_superseded else "disputed" if fact.pk in sheet.disputes.doubts else "active"
    )
    return AnsweredFact(
        fact.pk,
        fact.text,
        fact.kind,
        fact.certainty,
        status,
        fact.said_at,
        sheet.sources(fact),
        *_edited(sheet, fact),
    )


def _answered_entry(entry: TimelineEntry, sheet: Sheet) -> AnsweredEntry:
    return AnsweredEntry(
        entry.pk,
        entry.text,
        entry.happened_at,
        entry.precision,
        entry.certainty,
        entry.said_at,
        sheet.sources(entry),
        *_edited(sheet, entry),
    )


def _edited(sheet: Sheet, statement: Statement) -> tuple[str | None, datetime | None]:
    edit = sheet.edits.get(statement.pk)
    return (edit.by, edit.at) if edit else (None, None)
