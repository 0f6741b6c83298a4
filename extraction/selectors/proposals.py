"""Reads of the review queue: what waits in each tab, in which order, and what stands beside one item."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Self
from urllib.parse import urlencode

from django.db.models import Case, Count, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from extraction.models import DISCOVERY, Confirmation, Conflict, Proposal, ProposalQuote
from topics.models import ChangeSet, Conversation, Dispute, Evidence, Fact, Message, Space, Topic
from topics.models.statement import Certainty
from topics.selectors.disputes import in_doubt
from topics.selectors.duplicates import duplicate_pairs
from topics.selectors.topics import topic_by_name

CONFLICTS, FACTS, TOPICS, SNOOZED = TABS = ("conflicts", "facts", "topics", "snoozed")
DUPLICATES = "duplicates"  # pairs of topics, which are decided on a page of their own
MINE = "mine"  # what the person has in hand, whichever of the other tabs it is in
STATEMENT_KINDS = (Proposal.Kind.FACT, Proposal.Kind.TIMELINE)
OPEN = (Proposal.Status.PENDING, Proposal.Status.SNOOZED)
CONTEXT_TURNS = 2
MOST_TURNS = 500  # on either side, however often somebody asks for more
KNOWN_FACTS = 8
MOST_TOPICS = 100
LOOKED_AT = 2000  # of the newest items, for the topics and conversations that the filters offer

# Where the queue begins: what was filed last, what was filed first, or what should not wait.
NEW, OLD, PRIORITY = SORTS = ("new", "old", "priority")
HIGH, NORMAL, LOW = 2, 1, 0
LONG_WAIT = timedelta(days=7)  # after which anything is of high priority
DAY, WEEK, OLDER = AGES = ("day", "week", "older")
EXTRACTORS = ("rules", "llm", "agent", "summary", DISCOVERY)


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """What a reviewer narrowed the queue to. `kind` is a kind of fact, or of proposal where it is no fact."""

    tab: str
    text: str = ""
    topic: str = ""
    kind: str = ""
    certainty: str = ""
    age: str = ""
    conversation: str = ""
    extractor: str = ""
    sort: str = NEW

    @classmethod
    def read(cls, tab: str, query: Mapping[str, str]) -> Self:
        """From the query of an address. Values that are no choice are left out."""
        kind, certainty = query.get("kind", ""), query.get("certainty", "")
        age, extractor, sort = query.get("age", ""), query.get("extractor", ""), query.get("sort", "")
        return cls(
            tab=tab,
            text=query.get("q", "").replace("\0", "").strip()[:200],
            topic=str(uuid_or_none(query.get("topic", "")) or ""),
            kind=kind if kind in {*Fact.Kind.values, *Proposal.Kind.values} else "",
            certainty=certainty if certainty in Certainty.values else "",
            age=age if age in AGES else "",
            conversation=str(uuid_or_none(query.get("conversation", "")) or ""),
            extractor=extractor if extractor in EXTRACTORS else "",
            sort=sort if sort in SORTS else usual_sort(tab),
        )

    @property
    def narrowed(self) -> bool:
        return any(self._filters.values())

    @property
    def query(self) -> str:
        """The query that `read` reads back to this."""
        sort = self.sort if self.sort != usual_sort(self.tab) else ""
        return urlencode({name: value for name, value in (self._filters | {"sort": sort}).items() if value})

    @property
    def _filters(self) -> dict[str, str]:
        return {
            "q": self.text,
            "topic": self.topic,
            "kind": self.kind,
            "certainty": self.certainty,
            "age": self.age,
            "conversation": self.conversation,
            "extractor": self.extractor,
        }


def usual_sort(tab: str) -> str:
    """The order of a tab for which none was chosen."""
    return OLD if tab in (CONFLICTS, TOPICS) else NEW


@dataclass(slots=True)
class Turn:
    """A message as context or as source: its text cut in pieces, of which the marked ones are the quoted words."""

    message: Message
    pieces: list[tuple[bool, str]]
    is_missing: bool = False  # some of the quoted words lie where the turn has none

    @property
    def is_source(self) -> bool:
        return any(marked for marked, _text in self.pieces)


@dataclass(slots=True)
class Excerpt:
    """Turns of one conversation that follow one another; `first` and `last` count from 1."""

    turns: list[Turn] = field(default_factory=list)

    @property
    def first(self) -> int:
        return self.turns[0].message.position + 1

    @property
    def last(self) -> int:
        return self.turns[-1].message.position + 1

    @property
    def total(self) -> int:
        return self.turns[0].message.conversation.message_count

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole conversation."""
        return self.first == 1 and self.last >= self.total


@dataclass(frozen=True, slots=True)
class Known:
    """What a topic says already: a few facts, those on the same attribute first, and how many there are."""

    facts: list[Fact]
    count: int


# ------------------------------------------------------------------------------------------------------- the queue


def queue_counts(space: Space, user: Any) -> dict[str, int]:
    """How many items each tab holds, this person's own and the pairs of duplicates among them, and all proposals that
    wait ("waiting").

    One query, of numbers that an index gives: the few in conflict or at rest are taken off all that are open.
    """
    at_rest = Q(status=Proposal.Status.SNOOZED, snoozed_until__gt=timezone.now())
    proposals = Proposal.objects.filter(space=space, status__in=OPEN)
    of_topics = Q(kind=Proposal.Kind.TOPIC)
    awake = Q(proposal__status=Proposal.Status.PENDING) | Q(
        Q(proposal__snoozed_until=None) | Q(proposal__snoozed_until__lte=timezone.now()),
        proposal__status=Proposal.Status.SNOOZED,
    )
    contested = Conflict.objects.filter(awake, space=space, status=Conflict.Status.OPEN)
    asked = Q(outcome=Conflict.Outcome.ASK)
    mine = proposals.filter(_in_tab(MINE, user))
    numbers = {
        "open": proposals,
        "open_topics": proposals.filter(of_topics),
        "at_rest": proposals.filter(at_rest),
        "topics_at_rest": proposals.filter(at_rest, of_topics),
        "contested": contested,
        "contested_topics": contested.filter(proposal__kind=Proposal.Kind.TOPIC),
        "asked": contested.filter(asked),
        MINE: mine,
        DUPLICATES: duplicate_pairs(space),
    }
    n: Any = Space.objects.filter(pk=space.pk).values(**{name: _count(rows) for name, rows in numbers.items()}).get()
    topics = n["open_topics"] - n["topics_at_rest"] - n["contested_topics"]
    statements = n["open"] - n["at_rest"] - n["contested"] - topics
    counts = {CONFLICTS: n["contested"] - n["asked"], FACTS: statements, TOPICS: topics}
    others = {SNOOZED: n["at_rest"] + n["asked"], MINE: n[MINE], DUPLICATES: n[DUPLICATES]}
    return {**counts, **others, "waiting": sum(counts.values())}


def _count(rows: QuerySet[Any]) -> Coalesce:
    """The number of rows of one space, as part of another query."""
    counted = rows.order_by().values("space").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)


def queue_items(space: Space, chosen: QueueFilter, user: Any) -> QuerySet[Any]:
    """The proposals of a tab in its order, narrowed, as this person sees it. Ids sort by time of filing."""
    conflict = _open_conflict()
    items = Proposal.objects.filter(space=space, status__in=OPEN).annotate(
        contested=Exists(conflict), asked=Exists(conflict.filter(outcome=Conflict.Outcome.ASK))
    )
    items = items.filter(_in_tab(chosen.tab, user))
    if chosen.tab == CONFLICTS:  # they are few: begin with them
        items = items.filter(
            pk__in=Conflict.objects.filter(space=space, status=Conflict.Status.OPEN).values("proposal")
        )
    if chosen.topic:
        items = items.filter(Q(topic=chosen.topic) | Q(new_topic=chosen.topic))
    if chosen.kind:
        as_fact = Q(kind=Proposal.Kind.FACT, fact_kind=chosen.kind)
        items = items.filter(as_fact if chosen.kind in Fact.Kind.values else Q(kind=chosen.kind))
    if chosen.certainty:
        items = items.filter(certainty=chosen.certainty, kind__in=STATEMENT_KINDS)
    if chosen.age:
        items = items.filter(_of_age(chosen.age))
    if chosen.conversation:
        items = items.filter(message__conversation_id=uuid.UUID(chosen.conversation))
    if chosen.extractor:
        items = items.filter(extractor=chosen.extractor)
    for word in chosen.text.split():
        items = items.filter(
            Q(text__icontains=word)
            | Q(alias__icontains=word)
            | Q(topic_name__icontains=word)
            | Q(topic__name__icontains=word)
            | Q(new_topic__topic_name__icontains=word)
            | Q(speaker__icontains=word)
        )
    orders = {NEW: ["-pk"], OLD: ["pk"], PRIORITY: ["-priority", "pk"]}
    rows = items.annotate(priority=_priority(), older=_is_older()).order_by(*orders[chosen.sort])
    return rows.select_related("topic", "new_topic", "claim__user")


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an item stands in the queue: the ids beside it, and its number, from 1; 0 when it is not in the queue."""

    before: Any | None
    after: Any | None
    place: int


def standing_in_queue(space: Space, items: QuerySet[Any], pk: Any, *, sort: str) -> Standing:
    """Where this item stands, or would stand if it is not in the queue (any more). One query, or two by priority."""
    level = _priority_now(pk) if sort == PRIORITY else NORMAL
    before, after = _before(items, pk, sort, level), _after(items, pk, sort, level)
    found: Any = Space.objects.filter(pk=space.pk).values(
        before=Subquery(before.values("pk")[:1]),
        after=Subquery(after.values("pk")[:1]),
        ahead=_count(before),
        itself=_count(items.filter(pk=pk)),
    )
    row = found.get()
    return Standing(row["before"], row["after"], row["ahead"] + 1 if row["itself"] else 0)


def items_after(items: QuerySet[Any], pk: Any, *, sort: str) -> QuerySet[Any]:
    """What follows this one in the queue, in the same order, whether or not it is itself still in it."""
    return _after(items, pk, sort, _priority_now(pk) if sort == PRIORITY else NORMAL)


def _before(items: QuerySet[Any], pk: Any, sort: str, level: int) -> QuerySet[Any]:
    """What comes before this one, of this priority, in the queue: the nearest first."""
    if sort == PRIORITY:
        return items.filter(Q(priority__gt=level) | Q(priority=level, pk__lt=pk)).order_by("priority", "-pk")
    return items.filter(pk__lt=pk).order_by("-pk") if sort == OLD else items.filter(pk__gt=pk).order_by("pk")


def _after(items: QuerySet[Any], pk: Any, sort: str, level: int) -> QuerySet[Any]:
    """What follows this one, of this priority, in the queue: the nearest first."""
    if sort == PRIORITY:
        return items.filter(Q(priority__lt=level) | Q(priority=level, pk__gt=pk)).order_by("-priority", "pk")
    return items.filter(pk__gt=pk).order_by("pk") if sort == OLD else items.filter(pk__lt=pk).order_by("-pk")


def _priority_now(pk: Any) -> int:
    row = Proposal.objects.filter(pk=pk).annotate(contested=Exists(_open_conflict()), priority=_priority())
    return row.values_list("priority", flat=True).first() or LOW


def _priority() -> Case:
    """HIGH for what makes something doubtful that agents are being told and for what has waited long, LOW for what is
    only tentative, was said before what it contradicts or changes no statement, NORMAL for the rest. Needs the
    annotation `contested`."""
    minor = Q(kind__in=(Proposal.Kind.ALIAS, Proposal.Kind.SUMMARY, Proposal.Kind.ARCHIVE))
    tentative = Q(kind__in=STATEMENT_KINDS, certainty=Certainty.TENTATIVE)
    doubts = Q(Exists(_open_conflict().filter(dispute__in=in_doubt(Dispute.objects.filter(closed_at=None)))))
    return Case(
        When(doubts | Q(created_at__lte=timezone.now() - LONG_WAIT), then=Value(HIGH)),
        When(minor | tentative | Q(contested=True), then=Value(LOW)),
        default=Value(NORMAL),
    )


def _of_age(age: str) -> Q:
    now = timezone.now()
    if age == OLDER:
        return Q(created_at__lt=now - LONG_WAIT)
    return Q(created_at__gte=now - (timedelta(days=1) if age == DAY else LONG_WAIT))


def topics_in_queue(space: Space, *, chosen: str = "") -> list[tuple[Any, str]]:
    """The topics with the most among the newest of the queue, also proposed ones, and the chosen one: id and name, by
    name.

    A search for its name finds the items of a topic that is not among them.
    """
    waiting = _newest(space).exclude(topic=None, new_topic=None)
    columns = ("topic", "topic__name", "new_topic", "new_topic__topic_name")
    busiest = waiting.values_list(*columns).annotate(waiting=Count("pk")).order_by("-waiting")[:MOST_TOPICS]
    names: dict[Any, str] = {}
    for topic, name, proposed, proposed_name, _count in busiest:
        names[topic or proposed] = name if topic else proposed_name
    if chosen and uuid.UUID(chosen) not in names:
        names |= dict(Topic.objects.filter(space=space, pk=chosen).values_list("pk", "name"))
    return sorted(names.items(), key=lambda row: row[1].casefold())


def conversations_in_queue(space: Space, *, chosen: str = "") -> list[tuple[Any, str]]:
    """The conversations with the most among the newest of the queue, and the chosen one: id and the caller's id, by the
    latter."""
    waiting = _newest(space).filter(message__isnull=False)
    columns = ("message__conversation", "message__conversation__external_id")
    busiest = waiting.values_list(*columns).annotate(waiting=Count("pk")).order_by("-waiting")[:MOST_TOPICS]
    names: dict[Any, str] = {pk: name for pk, name, _count in busiest}
    if chosen and uuid.UUID(chosen) not in names:
        names |= dict(Conversation.objects.filter(space=space, pk=chosen).values_list("pk", "external_id"))
    return sorted(names.items(), key=lambda row: row[1].casefold())


def _newest(space: Space) -> QuerySet[Proposal]:
    """The newest of all that is open: what a look at them costs does not grow with the queue."""
    newest = Proposal.objects.filter(space=space, status__in=OPEN).order_by("-pk").values("pk")[:LOOKED_AT]
    return Proposal.objects.filter(pk__in=newest)


def tab_of(proposal: Proposal) -> str:
    """The tab in which an open proposal is to be found now."""
    conflict = Conflict.objects.filter(proposal=proposal, status=Conflict.Status.OPEN).first()
    is_snoozed = proposal.status == Proposal.Status.SNOOZED and (
        proposal.snoozed_until is None or proposal.snoozed_until > timezone.now()
    )
    if is_snoozed or (conflict and conflict.outcome == Conflict.Outcome.ASK):
        return SNOOZED
    if conflict:
        return CONFLICTS
    return TOPICS if proposal.kind == Proposal.Kind.TOPIC else FACTS


def _open_conflict() -> QuerySet[Conflict]:
    return Conflict.objects.filter(proposal=OuterRef("pk"), status=Conflict.Status.OPEN)


def _is_older() -> Exists:
    """Whether it was said before what it contradicts; `extraction.selectors.chronology` looks closer at one item."""
    said = Q(fact__said_at__gt=OuterRef("said_at"))
    again = Q(fact__evidence__removed_by=None, fact__evidence__message__said_at__gt=OuterRef("said_at"))
    return Exists(_open_conflict().filter(said | again))


def _in_tab(tab: str, user: Any) -> Q:
    """Needs the annotations `contested` and `asked`. A snooze that has passed counts as waiting."""
    if tab == MINE:
        return Q(claim__user=user, claim__until__gt=timezone.now())
    resting = Q(status=Proposal.Status.SNOOZED, snoozed_until__gt=timezone.now()) | Q(asked=True)
    return {
        CONFLICTS: ~resting & Q(contested=True),
        FACTS: ~resting & Q(contested=False) & ~Q(kind=Proposal.Kind.TOPIC),
        TOPICS: ~resting & Q(contested=False, kind=Proposal.Kind.TOPIC),
        SNOOZED: resting,
    }[tab]


def uuid_or_none(value: str) -> uuid.UUID | None:
    """An id from an address or a form; None for anything else."""
    try:
        return uuid.UUID(value)
    except ValueError:
        return None


# -------------------------------------------------------------------------------------------------------- one item


def proposal_in_review(space: Space, pk: Any) -> Proposal | None:
    """A proposal of the space, decided or not, with what its page needs; None when there is none."""
    quotes = Prefetch("quotes", ProposalQuote.objects.select_related("message__conversation"))
    rows = Proposal.objects.filter(space=space, pk=pk).select_related(
        "topic", "new_topic", "message__conversation", "conflict__fact", "claim__user"
    )
    rows = rows.annotate(contested=Exists(_open_conflict()), priority=_priority())
    return rows.prefetch_related(quotes).first()


def is_lost(span: ProposalQuote | Evidence) -> bool:
    """Whether the span reaches beyond the text of its turn, so that it cannot be shown, or not all of it."""
    return span.end > len(span.message.content)


def excerpts(spans: Sequence[ProposalQuote], around: int = CONTEXT_TURNS) -> list[Excerpt]:
    """The turns that hold these words, with `around` turns on either side, in the order in which they were said.

    Turns that touch are one excerpt.
    """
    if not spans:
        return []
    near = Q()
    marks: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    for span in spans:
        marks[span.message_id].append((span.start, span.end))
        at = span.message.position
        near |= Q(
            conversation=span.message.conversation_id,
            position__range=(max(at - around, 0), at + around),
        )
    found: list[Excerpt] = []
    lost = {span.message_id for span in spans if is_lost(span)}
    messages = Message.objects.filter(near).select_related("conversation")
    for message in messages.order_by("conversation_id", "position"):
        previous = found[-1].turns[-1].message if found else None
        follows = (
            previous is not None
            and previous.conversation_id == message.conversation_id
            and previous.position + 1 == message.position
        )
        if not follows:
            found.append(Excerpt())
        pieces = cut(message.content, marks.get(message.pk, []))
        found[-1].turns.append(Turn(message, pieces, is_missing=message.pk in lost))
    return found


def cut(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[bool, str]]:
    """The text in pieces, each with whether it lies in a span. Spans may overlap, or reach beyond the text."""
    pieces = []
    at = 0
    for start, end in sorted(spans):
        start, end = max(start, at), min(end, len(text))
        if start >= end:
            continue
        pieces += [(False, text[at:start]), (True, text[start:end])]
        at = end
    pieces.append((False, text[at:]))
    return [piece for piece in pieces if piece[1]]


def known_in_topic(proposal: Proposal) -> Known | None:
    """What the proposal's topic holds now, those of the same attribute first. None while the topic is only proposed."""
    if proposal.topic_id is None:
        return None
    held = Fact.objects.filter(topic=proposal.topic_id, status=Fact.Status.ACTIVE)
    same = Q(attribute=proposal.attribute) & ~Q(attribute="")
    nearest = held.annotate(
        is_same=Case(When(same, then=Value(True)), default=Value(False)),
        source_count=Count("evidence", filter=Q(evidence__removed_by=None)),
    ).order_by("-is_same", "-pk")
    return Known(list(nearest[:KNOWN_FACTS]), held.count())


def statements_waiting_for(topic_proposal: Proposal) -> QuerySet[Proposal]:
    """The open proposals that wait for a proposed topic, in the order in which they were filed."""
    return topic_proposal.dependents.filter(status__in=OPEN, topic=None).order_by("pk")


def evidence_of(fact: Fact) -> list[Evidence]:
    """The words behind a held fact that still count."""
    return list(fact.evidence.filter(removed_by=None).select_related("message__conversation"))


def approver_of(fact: Fact) -> ChangeSet | None:
    """The change set that last wrote the fact."""
    row = Fact.history.filter(id=fact.pk).select_related("change_set").order_by("-history_id").first()
    return row.change_set if row else None


def open_question(conflict: Conflict) -> Confirmation | None:
    """The question that waits for the customer's answer."""
    return conflict.confirmations.filter(status=Confirmation.Status.OPEN).first()


def topic_standing_for(space: Space, proposal: Proposal) -> Topic | None:
    """The topic that has the name of a proposed one already: approving it creates none, but goes there."""
    is_proposed = proposal.kind == Proposal.Kind.TOPIC and proposal.is_open
    return topic_by_name(space, proposal.topic_name) if is_proposed else None


def is_made_by(topic: Topic, change: ChangeSet) -> bool:
    """Whether the change set created the topic."""
    return bool(Topic.history.filter(id=topic.pk, change_set=change, history_type="+").exists())


def is_first_run(space: Space) -> bool:
    """Whether nothing has ever been proposed in this space."""
    return not Proposal.objects.filter(space=space).exists()


def topics_to_suggest(space: Space) -> list[str]:
    """The names of the topics that changed last, for somebody who types where a statement belongs."""
    active = Topic.objects.filter(space=space, status=Topic.Status.ACTIVE).order_by("-changed_at", "-pk")
    return list(active.values_list("name", flat=True)[:MOST_TOPICS])
