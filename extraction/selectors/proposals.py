"""Reads of the review queue: what waits in each tab, in which order, and what stands beside one item."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Self
from urllib.parse import urlencode

from django.db.models import Case, Count, Exists, OuterRef, Prefetch, Q, QuerySet, Value, When
from django.utils import timezone

from extraction.models import Confirmation, Conflict, Decision, Proposal, ProposalQuote
from topics.models import ChangeSet, Evidence, Fact, Message, Space, Topic
from topics.models.statement import Certainty
from topics.selectors.topics import topic_by_name

CONFLICTS, FACTS, TOPICS, SNOOZED = TABS = ("conflicts", "facts", "topics", "snoozed")
STATEMENT_KINDS = (Proposal.Kind.FACT, Proposal.Kind.TIMELINE)
OPEN = (Proposal.Status.PENDING, Proposal.Status.SNOOZED)
CONTEXT_TURNS = 2
KNOWN_FACTS = 8
MOST_TOPICS = 100


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """What a reviewer narrowed the queue to. `kind` is a kind of fact, or of proposal where it is no fact."""

    tab: str
    text: str = ""
    topic: str = ""
    kind: str = ""
    certainty: str = ""
    oldest_first: bool = False

    @classmethod
    def read(cls, tab: str, query: Mapping[str, str]) -> Self:
        """From the query of an address. Values that are no choice are left out."""
        kind, certainty = query.get("kind", ""), query.get("certainty", "")
        return cls(
            tab=tab,
            text=query.get("q", "").replace("\0", "").strip()[:200],
            topic=str(uuid_or_none(query.get("topic", "")) or ""),
            kind=kind if kind in {*Fact.Kind.values, *Proposal.Kind.values} else "",
            certainty=certainty if certainty in Certainty.values else "",
            oldest_first=query.get("sort", "old" if tab in (CONFLICTS, TOPICS) else "new") == "old",
        )

    @property
    def narrowed(self) -> bool:
        return bool(self.text or self.topic or self.kind or self.certainty)

    @property
    def query(self) -> str:
        """The query that `read` reads back to this."""
        chosen = {"q": self.text, "topic": self.topic, "kind": self.kind, "certainty": self.certainty}
        if self.oldest_first != (self.tab in (CONFLICTS, TOPICS)):
            chosen["sort"] = "old" if self.oldest_first else "new"
        return urlencode({name: value for name, value in chosen.items() if value})

    def turned(self) -> Self:
        """The same in the opposite order."""
        return replace(self, oldest_first=not self.oldest_first)


@dataclass(slots=True)
class Turn:
    """A message as context or as source: its text cut in pieces, of which the marked ones are the quoted words."""

    message: Message
    pieces: list[tuple[bool, str]]

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


@dataclass(frozen=True, slots=True)
class Known:
    """What a topic says already: a few facts, those on the same attribute first, and how many there are."""

    facts: list[Fact]
    count: int


# ------------------------------------------------------------------------------------------------------- the queue


def queue_counts(space: Space) -> dict[str, int]:
    """How many items each tab holds, and all that wait ("waiting")."""
    conflict = _open_conflict()
    proposals = Proposal.objects.filter(space=space, status__in=OPEN).annotate(
        contested=Exists(conflict), asked=Exists(conflict.filter(outcome=Conflict.Outcome.ASK))
    )
    counts = proposals.aggregate(**{tab: Count("pk", filter=_in_tab(tab)) for tab in TABS})
    return counts | {"waiting": counts[CONFLICTS] + counts[FACTS] + counts[TOPICS]}


def queue_items(space: Space, chosen: QueueFilter) -> QuerySet[Proposal]:
    """The proposals of a tab in its order, narrowed. Ids sort by time of filing."""
    conflict = _open_conflict()
    items = Proposal.objects.filter(space=space, status__in=OPEN).annotate(
        contested=Exists(conflict), asked=Exists(conflict.filter(outcome=Conflict.Outcome.ASK))
    )
    items = items.filter(_in_tab(chosen.tab))
    if chosen.topic:
        items = items.filter(Q(topic=chosen.topic) | Q(new_topic=chosen.topic))
    if chosen.kind:
        as_fact = Q(kind=Proposal.Kind.FACT, fact_kind=chosen.kind)
        items = items.filter(as_fact if chosen.kind in Fact.Kind.values else Q(kind=chosen.kind))
    if chosen.certainty:
        items = items.filter(certainty=chosen.certainty, kind__in=STATEMENT_KINDS)
    for word in chosen.text.split():
        items = items.filter(
            Q(text__icontains=word)
            | Q(alias__icontains=word)
            | Q(topic_name__icontains=word)
            | Q(topic__name__icontains=word)
            | Q(new_topic__topic_name__icontains=word)
            | Q(speaker__icontains=word)
        )
    return items.select_related("topic", "new_topic").order_by("pk" if chosen.oldest_first else "-pk")


def neighbours(items: QuerySet[Proposal], pk: Any, *, oldest_first: bool) -> tuple[Any | None, Any | None]:
    """The ids before and after this one in the queue, whether or not it is itself still in it."""
    larger = items.filter(pk__gt=pk).order_by("pk").values_list("pk", flat=True).first()
    smaller = items.filter(pk__lt=pk).order_by("-pk").values_list("pk", flat=True).first()
    return (smaller, larger) if oldest_first else (larger, smaller)


def place_in_queue(items: QuerySet[Proposal], pk: Any, *, oldest_first: bool) -> int:
    """The number of an item in the queue, from 1."""
    return items.filter(pk__lte=pk).count() if oldest_first else items.filter(pk__gte=pk).count()


def topics_in_queue(space: Space, *, chosen: str = "") -> list[tuple[Any, str]]:
    """The topics with the most in the queue, the proposed ones and the chosen one: id and name, by name.

    A search for its name finds the items of a topic that is not among them.
    """
    busiest = Topic.objects.filter(space=space, proposals__status__in=OPEN).annotate(waiting=Count("proposals"))
    proposed = Proposal.objects.filter(space=space, status__in=OPEN, kind=Proposal.Kind.TOPIC, topic=None)
    names = dict(busiest.order_by("-waiting", "pk").values_list("pk", "name")[:MOST_TOPICS])
    names |= dict(proposed.order_by("pk").values_list("pk", "topic_name")[:MOST_TOPICS])
    if chosen and uuid.UUID(chosen) not in names:
        names |= dict(Topic.objects.filter(space=space, pk=chosen).values_list("pk", "name"))
    return sorted(names.items(), key=lambda row: row[1].casefold())


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


def _in_tab(tab: str) -> Q:
    """Needs the annotations `contested` and `asked`. A snooze that has passed counts as waiting."""
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
        "topic", "new_topic", "message__conversation", "conflict__fact"
    )
    return rows.prefetch_related(quotes).first()


def excerpts(spans: Sequence[ProposalQuote]) -> list[Excerpt]:
    """The turns that hold these words, with two turns on either side, in the order in which they were said.

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
            position__range=(max(at - CONTEXT_TURNS, 0), at + CONTEXT_TURNS),
        )
    found: list[Excerpt] = []
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
        found[-1].turns.append(Turn(message, cut(message.content, marks.get(message.pk, []))))
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


def last_decision(space: Space, user: Any, *, asked: Mapping[str, str], since: datetime) -> Decision | None:
    """The newest of these decisions that this person took since then and that still stands, with its change set.

    `asked` gives for the id of a change set that of the proposal which the person decided. Others may have been
    decided along with it.
    """
    decided = Decision.objects.filter(
        change_set__in=list(asked),
        proposal__in=set(asked.values()),
        change_set__space=space,
        change_set__actor_user=user,
        change_set__at__gte=since,
        change_set__undoes=None,
        change_set__undone_by=None,
    )
    rows = decided.select_related("proposal__topic", "proposal__new_topic", "change_set").order_by("-change_set__pk")
    return next((d for d in rows if asked[str(d.change_set_id)] == str(d.proposal_id)), None)


def topic_standing_for(proposal: Proposal) -> Topic | None:
    """The topic that has the name of a proposed one already: approving it creates none, but goes there."""
    is_proposed = proposal.kind == Proposal.Kind.TOPIC and proposal.is_open
    return topic_by_name(proposal.space, proposal.topic_name) if is_proposed else None


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
