"""Conversations with what became of each turn: read, nothing found, failed, and what was taken from it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet

from extraction.extractors.protocol import Report
from extraction.models import Job, MessageOutcome, Proposal, ProposalQuote
from extraction.selectors.proposals import cut
from topics.models import Conversation, Evidence, Fact, Message, Space, TimelineEntry

WAITING, FAILED = MessageOutcome.Outcome.WAITING, MessageOutcome.Outcome.FAILED
READ = "read"


@dataclass(slots=True)
class Counts:
    """How many messages of a conversation wait to be read, and how many could not be."""

    waiting: int = 0
    failed: int = 0


@dataclass(slots=True)
class TranscriptTurn:
    """A message, cut at the words that something was taken from, and what that is.

    `held` are statements that stand on these words without a proposal in `proposals`.
    """

    message: Message
    outcome: MessageOutcome | None
    pieces: list[tuple[bool, str]]
    proposals: list[Proposal] = field(default_factory=list)
    held: list[Fact | TimelineEntry] = field(default_factory=list)

    @property
    def is_source(self) -> bool:
        return bool(self.proposals or self.held)


def find_conversations(space: Space, *, text: str = "", state: str = "") -> QuerySet[Conversation]:
    """Conversations, the latest words first: with `text` in their id, their subject or a speaker's name.

    `state` is "waiting" or "failed" for those with such messages, "read" for those without either, or "" for all.
    """
    rows = Conversation.objects.filter(space=space).select_related("subject")
    if text.strip():
        speakers = Message.objects.filter(space=space, name__icontains=text.strip())
        rows = rows.filter(
            Q(external_id__icontains=text.strip())
            | Q(subject_name__icontains=text.strip())
            | Q(pk__in=speakers.values("conversation"))
        )
    if state in (WAITING, FAILED):
        outcomes = MessageOutcome.objects.filter(message__space=space, outcome=state)
        rows = rows.filter(pk__in=outcomes.values("message__conversation"))
    if state == READ:
        unread = MessageOutcome.objects.filter(message__space=space, outcome__in=[WAITING, FAILED])
        rows = rows.exclude(pk__in=unread.values("message__conversation")).filter(message_count__gt=0)
    return rows.order_by(F("last_said_at").desc(nulls_last=True), "-id")


def count_outcomes(conversations: Iterable[Conversation]) -> dict[UUID, Counts]:
    """Conversation id → its counts; those with nothing waiting or failed are left out."""
    found: dict[UUID, Counts] = defaultdict(Counts)
    rows = MessageOutcome.objects.filter(
        message__conversation__in=[c.pk for c in conversations], outcome__in=[WAITING, FAILED]
    )
    for pk, outcome, count in (
        rows.values_list("message__conversation", "outcome").annotate(count=Count("pk")).order_by()
    ):
        if outcome == WAITING:
            found[pk].waiting = count
        else:
            found[pk].failed = count
    return found


@dataclass(frozen=True, slots=True)
class Reading:
    """Whether turns of a conversation are being read, or gather until there are enough; `read` of `total` are done."""

    is_at_work: bool
    gathers: bool
    read: int
    total: int


def reading_of(conversation: Conversation, counts: Counts | None) -> Reading:
    """How far the reading of the conversation has come; `counts` are those of `count_outcomes`."""
    unfinished = Job.objects.filter(
        conversation=conversation, kind=Job.Kind.EXTRACT, status__in=[Job.Status.QUEUED, Job.Status.RUNNING]
    )
    gathering = set(unfinished.values_list("gathering", flat=True))
    waiting = counts.waiting if counts else 0
    total = conversation.message_count
    return Reading(bool(waiting) and False in gathering, True in gathering, total - waiting, total)


def failed_jobs(conversation: Conversation) -> list[Job]:
    """Jobs that gave up on messages of the conversation, the latest first, each with `count`, how many."""
    jobs = Job.objects.filter(conversation=conversation, status=Job.Status.FAILED)
    return list(jobs.annotate(count=Count("messages", filter=Q(messages__outcome=FAILED))).order_by("-id"))


def reading_report(conversation: Conversation) -> Report | None:
    """What the model that read the conversation found, dropped and mended, over all jobs; None where none did."""
    reports = [r for r in Job.objects.filter(conversation=conversation).values_list("report", flat=True) if r]
    if not reports:
        return None
    dropped, mended = (sum((Counter(r[name]) for r in reports), Counter[str]()) for name in ("dropped", "mended"))
    return Report(sum(r["found"] for r in reports), dict(dropped.most_common()), dict(mended.most_common()))


def transcript(conversation: Conversation, *, start: int, length: int) -> list[TranscriptTurn]:
    """The turns [start, start + length) by position, in five queries."""
    messages = list(conversation.messages.filter(position__gte=start, position__lt=start + length).order_by("position"))
    outcomes = {o.pk: o for o in MessageOutcome.objects.filter(pk__in=[m.pk for m in messages])}
    quotes = _quotes(messages)
    evidence = _evidence(messages)
    return [_turn(m, outcomes.get(m.pk), quotes[m.pk], evidence[m.pk]) for m in messages]


def _turn(
    message: Message,
    outcome: MessageOutcome | None,
    quotes: Sequence[ProposalQuote],
    evidence: Sequence[Evidence],
) -> TranscriptTurn:
    proposals = list(dict.fromkeys(quote.proposal for quote in quotes))
    proposed = {pk for proposal in proposals for pk in (proposal.fact_id, proposal.entry_id)}
    statements = [row.fact or row.entry for row in evidence if (row.fact_id or row.entry_id) not in proposed]
    spans = [(q.start, q.end) for q in quotes] + [(e.start, e.end) for e in evidence]
    return TranscriptTurn(
        message=message,
        outcome=outcome,
        pieces=cut(message.content, spans),
        proposals=proposals,
        held=list(dict.fromkeys(row for row in statements if row is not None)),
    )


def _quotes(messages: Collection[Message]) -> dict[UUID, list[ProposalQuote]]:
    found: dict[UUID, list[ProposalQuote]] = defaultdict(list)
    rows = ProposalQuote.objects.filter(message__in=messages)
    for row in rows.select_related("proposal__topic", "proposal__new_topic").order_by("pk"):
        found[row.message_id].append(row)
    return found


def _evidence(messages: Collection[Message]) -> dict[UUID, list[Evidence]]:
    """The words that statements stand on; those of statements that are retracted or joined count no longer."""
    found: dict[UUID, list[Evidence]] = defaultdict(list)
    rows = Evidence.objects.filter(message__in=messages, removed_by=None)
    rows = rows.exclude(fact__status__in=[Fact.Status.RETRACTED, Fact.Status.JOINED])
    rows = rows.exclude(entry__status__in=[TimelineEntry.Status.RETRACTED, TimelineEntry.Status.JOINED])
    for row in rows.select_related("fact__topic", "entry__topic").order_by("pk"):
        found[row.message_id].append(row)
    return found
