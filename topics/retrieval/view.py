"""What of a space a query may see, and what was held at the time it asks about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, reduce
from operator import or_
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, StrIndex, Substr

from topics.models import Conversation, Dispute, Evidence, Fact, Message, Passage, Space, TimelineEntry, Topic
from topics.models.statement import WRITTEN
from topics.retrieval.columns import inert
from topics.retrieval.cuts import Span
from topics.retrieval.engine import Among, among
from topics.retrieval.index import Statement
from topics.selectors.disputes import in_doubt


def is_reworded(statement: Statement) -> bool:
    """Whether somebody wrote or put right what an extractor took from the words behind it."""
    return statement.origin in WRITTEN or (isinstance(statement, Fact) and statement.corrected_at is not None)


@dataclass(frozen=True, slots=True)
class Quote:
    """The words [start, end) of a message behind a statement; conversation and message by the caller's ids."""

    statement_id: UUID
    message_id: UUID
    start: int
    end: int
    conversation: str
    message: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Disputes:
    """What somebody contradicted, while nobody has decided. `doubts`: id of a fact that is in doubt → when the latest
    contradicting words were said; `contradicting`: the messages that contradict a fact."""

    doubts: dict[UUID, datetime | None]
    contradicting: set[UUID]


class _KnownTopic(NamedTuple):
    name: str
    kind: str
    status: str
    merged_into: UUID | None


@dataclass(frozen=True)
class View:
    """One space as of one moment (`as_of`; None is now), perhaps narrowed to some topics."""

    space: Space
    now: datetime
    as_of: datetime | None
    include_archived: bool
    include_superseded: bool
    topic_ids: tuple[UUID, ...] | None
    leave_out: tuple[UUID, ...] = ()  # messages that are not shown

    # -- search rows

    def turns(self) -> QuerySet[Passage]:
        """Rows of turns that may be shown, but for what `cuts_in` says: nobody rejected what was proposed from them."""
        rows = Passage.objects.filter(space=self.space, kind=Passage.Kind.MESSAGE, withheld=False)
        if self.leave_out:
            rows = rows.exclude(message__in=self.leave_out)
        if self.as_of:
            rows = rows.filter(message__received_at__lte=self.as_of, message__said_at__lte=self.as_of)
        if self.topic_ids is not None:
            rows = rows.filter(self._is_about(self.topic_ids))
        return rows

    def turns_about(self, topic_id: UUID) -> QuerySet[Passage]:
        """Those of `turns` from which something about this topic was taken, and those of conversations about it."""
        return self.turns().filter(self._is_about([topic_id]))

    def _is_about(self, topic_ids: Sequence[UUID]) -> Q:
        # Apart, so that each begins with the topic: facts or entries in one condition would read all evidence there is.
        words = Evidence.objects.filter(removed_by=None).values("message")
        of_facts = words.filter(fact__in=Fact.objects.filter(topic__in=topic_ids))
        of_entries = words.filter(entry__in=TimelineEntry.objects.filter(topic__in=topic_ids))
        conversations = Conversation.objects.filter(space=self.space, subject__in=self._with_merged(topic_ids))
        return Q(message__in=of_facts) | Q(message__in=of_entries) | Q(conversation__in=conversations)

    def _with_merged(self, topic_ids: Iterable[UUID]) -> set[UUID]:
        """These topics and all that were merged into them: conversations keep the subject that they were sent with."""
        found, fresh = set(topic_ids), set(topic_ids)
        while fresh:
            rows = Topic.objects.filter(space=self.space, merged_into__in=fresh).values_list("pk", flat=True)
            fresh = set(rows) - found
            found |= fresh
        return found

    def statements(self) -> QuerySet[Passage]:
        """Rows of facts and timeline entries that stand now."""
        rows = Passage.objects.filter(space=self.space, kind__in=[Passage.Kind.FACT, Passage.Kind.ENTRY])
        if self.closed_topics:
            rows = rows.exclude(topic__in=self.closed_topics)
        if not self.include_superseded:
            rows = rows.filter(Q(fact=None) | ~Q(fact__status=Fact.Status.SUPERSEDED))
        if self.topic_ids is not None:
            rows = rows.filter(topic__in=self.topic_ids)
        return rows

    def statements_unchanged(self) -> QuerySet[Passage]:
        """Rows of statements that stood at `as_of` as they stand now: nothing was written of them since."""
        facts = Fact.history.filter(id=OuterRef("fact"), history_date__gt=self.as_of)
        entries = TimelineEntry.history.filter(id=OuterRef("entry"), history_date__gt=self.as_of)
        return self.statements().filter(~Exists(facts), ~Exists(entries))

    def statements_beside_turns(self) -> QuerySet[Passage]:
        """Rows of statements that no turn which may be shown makes in the words in which they are held."""
        withheld = Passage.objects.filter(message=OuterRef("message"), withheld=True)
        cut = Evidence.objects.filter(self._perhaps_cut(), message=OuterRef("message"))
        quote = Substr("message__content", F("start") + 1, F("end") - F("start"))
        made = (
            Evidence.objects.filter(Q(fact=OuterRef("fact")) | Q(entry=OuterRef("entry")), removed_by=None)
            .annotate(at=StrIndex(quote, Coalesce("fact__text", "entry__text")))
            .filter(~Exists(withheld), ~Exists(cut), at__gt=0)
        )
        return self.statements().filter(Q(conversation=None) | ~Exists(made))

    @cached_property
    def closed_topics(self) -> set[UUID]:
        """Topics that are not shown: deleted ones and, unless asked for, archived ones."""
        closed = [Topic.Status.DELETED] if self.include_archived else [Topic.Status.DELETED, Topic.Status.ARCHIVED]
        found = set(Topic.objects.filter(space=self.space, status__in=closed).order_by().values_list("pk", flat=True))
        return found | set(among(Topic.objects.order_by(), "merged_into_id", found).values_list("pk", flat=True))

    # -- what is cut out of turns

    def cuts_in(self, message_ids: Collection[UUID]) -> dict[UUID, list[Span]]:
        """Message id → the words in it that may not be shown: those of statements that are retracted, that somebody
        put in other words, or whose topic is closed.

        With `as_of` a statement counts as it was then; one that was not yet known, as it is now.
        """
        rows = among(Evidence.objects, "message_id", message_ids)
        if not self.as_of:
            rows = rows.filter(self._perhaps_cut())
        spans = list(rows.values_list(Coalesce("fact_id", "entry_id"), "message_id", "start", "end"))
        statements = self._known({statement_id for statement_id, *_ in spans})
        contents = _contents({message_id for _, message_id, *_ in spans})
        found: dict[UUID, list[Span]] = defaultdict(list)
        for statement_id, message_id, start, end in spans:
            if self._is_cut(statements[statement_id], contents[message_id][start:end]):
                found[message_id].append((start, end))
        return found

    def _perhaps_cut(self) -> Q:
        """Of Evidence: whether its words may have to be cut, as things are now."""
        return (
            Q(fact__status=Fact.Status.RETRACTED)
            | Q(entry__status=TimelineEntry.Status.RETRACTED)
            | Q(fact__corrected_at__isnull=False)
            | Q(fact__origin__in=WRITTEN)
            | Q(entry__origin__in=WRITTEN)
            | Q(fact__topic__in=self.closed_topics)
            | Q(entry__topic__in=self.closed_topics)
        )

    def _known(self, ids: Collection[UUID]) -> dict[UUID, Statement]:
        found: dict[UUID, Statement] = {}
        for model in (Fact, TimelineEntry) if ids else ():
            found |= {row.pk: row for row in among(model.objects, "pk", ids)}
            if self.as_of:
                found |= {row.pk: row for row in among(model.history.as_of(self.as_of), "id", ids)}
        return found

    def _is_cut(self, statement: Statement, words: str) -> bool:
        if statement.status == Fact.Status.RETRACTED or statement.topic_id in self.closed_topics:
            return True
        return is_reworded(statement) and inert(statement.text) != inert(words)

    # -- the documents

    def statements_held(self, ids: Collection[UUID]) -> dict[UUID, Statement]:
        """The facts and timeline entries of these ids as they were held, but for retracted and joined ones."""
        unknown = set(ids) - self._statements.keys()
        if unknown:
            found: dict[UUID, Statement] = {fact.pk: fact for fact in among(self._held(Fact), "id", unknown)}
            others = unknown - found.keys()
            found |= {entry.pk: entry for entry in among(self._held(TimelineEntry), "id", others)}
            self._statements.update(dict.fromkeys(unknown) | found)
        return {pk: statement for pk in ids if (statement := self._statements[pk])}

    @cached_property
    def _statements(self) -> dict[UUID, Statement | None]:
        """What was read of the documents so far: the same is asked for again when the block is written."""
        return {}

    def held_and_changed(self) -> list[Statement]:
        """What was held at `as_of` in topics that may still be shown, and was written anew since, as it was then."""
        facts = self._changed_since(Fact)
        if not self.include_superseded:
            facts = facts.exclude(status=Fact.Status.SUPERSEDED)
        statements: list[Statement] = [*facts, *self._changed_since(TimelineEntry)]
        topics = self.topics({statement.topic_id for statement in statements})
        return [statement for statement in statements if statement.topic_id in topics]

    def _changed_since(self, model: Any) -> Any:
        changed = model.history.filter(space=self.space.pk, history_date__gt=self.as_of, history_type="~")
        return self._held(model).filter(id__in=changed.values("id"))

    def _held(self, model: Any) -> Any:
        rows = model.history.as_of(self.as_of) if self.as_of else model.objects.all()
        return rows.filter(space_id=self.space.pk).exclude(status__in=["retracted", "joined"])

    def topics(self, ids: Collection[UUID]) -> dict[UUID, Topic]:
        """Topic id → the topic that answers for it now (the survivor of a merge), if it may be shown."""
        asked_for = self.topic_ids
        survivors = self._open_survivors(ids)
        return {pk: topic for pk, topic in survivors.items() if asked_for is None or topic.pk in asked_for}

    def parties(self, ids: Collection[UUID], subjects: Collection[UUID]) -> dict[UUID, UUID]:
        """Topic id → the topic that answers for it now, for those of these topics that are somebody one deals with:
        customers, and whoever conversations are about. `subjects` are known to be what conversations are about."""
        known = self._known_topics(ids)
        persons = {pk for pk, topic in known.items() if topic.kind in (Topic.Kind.PERSON, Topic.Kind.OTHER)}
        found = {pk for pk, topic in known.items() if topic.kind == Topic.Kind.CUSTOMER} | persons.intersection(
            subjects
        )
        is_subject = Exists(Conversation.objects.filter(space=self.space, subject=OuterRef("pk")))
        others = among(Topic.objects.order_by(), "pk", persons - found).filter(is_subject)
        found |= set(others.values_list("pk", flat=True))
        survivors = self._open_survivors([pk for pk in found if known[pk].merged_into])
        return {pk: survivors[pk].pk if pk in survivors else pk for pk in found}

    def persons(self, ids: Collection[UUID]) -> set[UUID]:
        """Those of these topics that are persons."""
        return {pk for pk, topic in self._known_topics(ids).items() if topic.kind == Topic.Kind.PERSON}

    def subject_names(self, ids: Collection[UUID]) -> dict[UUID, str]:
        """Topic id → the name under which it is known now, unless it is closed.

        Other topics than those asked for too: a turn about one of these may come from a conversation about another.
        """
        known = self._known_topics(ids)
        found = {pk: topic.name for pk, topic in known.items() if not topic.merged_into and self._is_open(topic.status)}
        merged = [pk for pk, topic in known.items() if topic.merged_into]
        return found | {pk: topic.name for pk, topic in self._open_survivors(merged).items()}

    def _known_topics(self, ids: Collection[UUID]) -> dict[UUID, _KnownTopic]:
        unknown = set(ids) - self._topics.keys()
        rows = among(Topic.objects.filter(space=self.space).order_by(), "pk", unknown)
        self._topics.update({pk: _KnownTopic(*row) for pk, *row in rows.values_list("pk", *_KnownTopic._fields)})
        return {pk: self._topics[pk] for pk in ids if pk in self._topics}

    @cached_property
    def _topics(self) -> dict[UUID, _KnownTopic]:
        return {}

    def _open_survivors(self, ids: Collection[UUID]) -> dict[UUID, Topic]:
        found: dict[UUID, Topic] = {}
        for topic in among(Topic.objects.filter(space=self.space), "pk", ids):
            survivor = topic
            while survivor.merged_into is not None:
                survivor = survivor.merged_into
            if self._is_open(survivor.status):
                found[topic.pk] = survivor
        return found

    def _is_open(self, status: str) -> bool:
        if status == Topic.Status.ARCHIVED:
            return self.include_archived
        return status != Topic.Status.DELETED

    # -- what belongs to statements

    def _stood(self) -> Q:
        """Of Evidence: whether it stood."""
        if not self.as_of:
            return Q(removed_by=None)
        return Q(added_by__at__lte=self.as_of) & (Q(removed_by=None) | Q(removed_by__at__gt=self.as_of))

    def first_evidence(self, statement_ids: Collection[UUID]) -> dict[UUID, Evidence]:
        """Statement id → its earliest evidence, with the message."""
        of_statements = Q(Among("fact_id", statement_ids)) | Q(Among("entry_id", statement_ids))
        rows = Evidence.objects.filter(of_statements, self._stood()).select_related("message").order_by("-id")
        return {row.fact_id or row.entry_id: row for row in rows}  # type: ignore[misc]

    def quotes_of(self, statement_ids: Collection[UUID]) -> dict[UUID, list[Quote]]:
        """Statement id → the words behind it, the earliest first."""
        unknown = set(statement_ids) - self._quotes_of.keys()
        if unknown:
            found: dict[UUID, list[Quote]] = {pk: [] for pk in unknown}
            for quote in self._quotes(Q(Among("fact_id", unknown)) | Q(Among("entry_id", unknown))):
                found[quote.statement_id].append(quote)
            self._quotes_of.update(found)
        return {pk: self._quotes_of[pk] for pk in statement_ids}

    @cached_property
    def _quotes_of(self) -> dict[UUID, list[Quote]]:
        return {}

    def quotes_in(self, message_ids: Collection[UUID]) -> dict[UUID, list[Quote]]:
        """Message id → the words in it that statements were taken from."""
        found: dict[UUID, list[Quote]] = defaultdict(list)
        for quote in self._quotes(Q(Among("message_id", message_ids))):
            found[quote.message_id].append(quote)
        return found

    def _quotes(self, condition: Q) -> list[Quote]:
        rows = Evidence.objects.filter(condition, self._stood()).order_by("id")
        names = ("message_id", "start", "end", "message__conversation__external_id", "message__external_id")
        return [
            Quote(fact_id or entry_id, *values)
            for fact_id, entry_id, *values in rows.values_list("fact_id", "entry_id", *names, "message__said_at")
        ]

    def topics_behind(self, message_ids: Collection[UUID]) -> dict[UUID, set[UUID]]:
        """Message id → the topics of the statements taken from it, and that of its conversation."""
        found: dict[UUID, set[UUID]] = defaultdict(set)
        subjects = among(Message.objects.filter(conversation__subject__isnull=False), "pk", message_ids)
        for message_id, topic_id in subjects.values_list("pk", "conversation__subject"):
            found[message_id].add(topic_id)
        rows = among(Evidence.objects.filter(self._stood()), "message_id", message_ids)
        for message_id, topic_id in rows.values_list("message_id", Coalesce("fact__topic", "entry__topic")):
            found[message_id].add(topic_id)
        return found

    def disputes(self, fact_ids: Collection[UUID], message_ids: Collection[UUID]) -> Disputes:
        """What nobody has decided yet about these facts, and which of these messages contradict a fact."""
        open_ones = Q(closed_at=None)
        if self.as_of:
            open_ones = Q(opened_at__lte=self.as_of) & (open_ones | Q(closed_at__gt=self.as_of))
        asked_for = [Q(Among(name, ids)) for name, ids in (("fact_id", fact_ids), ("message_id", message_ids)) if ids]
        if not asked_for:
            return Disputes({}, set())
        rows = Dispute.objects.filter(open_ones, reduce(or_, asked_for)).order_by()
        found = list(rows.values_list("pk", "fact_id", "message_id"))
        # Few facts are disputed, and to tell which disputes cast doubt on one takes several times as long.
        of_facts = [pk for pk, fact_id, _ in found if fact_id in fact_ids]
        contradicting = {message_id for _, _, message_id in found if message_id in message_ids}
        if not of_facts:
            return Disputes({}, contradicting)
        doubtful = in_doubt(Dispute.objects.filter(Among("pk", of_facts)), self._stood()).order_by("id")
        return Disputes(dict(doubtful.values_list("fact_id", "said_at")), contradicting)


def _contents(message_ids: Collection[UUID]) -> dict[UUID, str]:
    """Message id → its words."""
    return dict(among(Message.objects, "pk", message_ids).values_list("pk", "content"))
