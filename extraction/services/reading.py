"""Reading a conversation: build the window, let the extractor find, then write what it found."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable, Iterable, Sequence

from django.conf import settings

from extraction.extractors.protocol import Extraction, ExtractionError, Extractor, KnownTopic, Turn, Window
from extraction.extractors.rules import RulesExtractor
from extraction.models import Job, MessageOutcome
from extraction.services.filing import Found, file_findings
from extraction.services.suggesting import with_hints
from extraction.services.turns import review_turns
from topics.changes import Actor
from topics.models import Conversation, Message, Space, Topic
from topics.selectors.names import topics_named_in
from topics.selectors.topics import standing_topic
from topics.services.statements import Span

CONTEXT_TURNS = 4


def extractor_for(space: Space) -> Extractor:
    """The extractor that reads this space's conversations."""
    return RulesExtractor()


def prepare_reading(job: Job) -> Callable[[], bool]:
    """Read the first waiting messages of the job, a window of them, with no transaction open.

    Returns the function that writes the result and says whether more are left. Raises ExtractionError when the
    extractor cannot read them.
    """
    waiting = Message.objects.filter(outcome__job=job, outcome__outcome=MessageOutcome.Outcome.WAITING)
    messages = list(waiting.order_by("position")[: settings.INFINI_WINDOW_TURNS])
    extractor = extractor_for(job.space)
    if not messages:
        return lambda: False
    extraction = extractor.extract(_window(job.conversation, messages))
    found = with_hints(job.space, job.conversation, locate(extraction, messages))

    def write() -> bool:
        _record_outcomes(job, messages, found)
        file_findings(
            space=job.space,
            actor=Actor(label=f"{extractor.name} extractor"),
            found=found,
            job=job,
            extractor=extractor.name,
            model=extractor.model or "",
            reason=job.conversation.external_id,
        )
        review_turns(job.space, {m.pk for m in messages})
        return waiting.exists()

    return write


def build_window(
    *,
    space: Space,
    turns: Sequence[Turn],
    conversation: str,
    context: Sequence[Turn] = (),
    subject: Topic | str | None = None,
    candidates: Iterable[Topic] = (),
) -> Window:
    """A window on these turns, with every topic of the space that they name, and `candidates`, as known topics."""
    names = [t.speaker for t in turns if t.speaker]
    if isinstance(subject, str):
        names.append(subject)
    named = topics_named_in(space, [t.text for t in turns], names, also=candidates)
    known = {k.id: k for k in map(known_topic, named)}
    about = known_topic(subject) if isinstance(subject, Topic) else subject
    if isinstance(about, KnownTopic):
        known[about.id] = about
    return Window(
        turns=tuple(turns),
        context=tuple(context),
        time_zone=zoneinfo.ZoneInfo(space.time_zone),
        conversation=conversation,
        subject=about or None,
        topics=tuple(known.values()),
        language=space.language,
    )


def known_topic(topic: Topic) -> KnownTopic:
    """A topic as an extractor sees it."""
    return KnownTopic(str(topic.pk), topic.name, topic.kind, tuple(a.name for a in topic.aliases.all()))  # type: ignore[arg-type]


def locate(extraction: Extraction, messages: Sequence[Message]) -> list[Found]:
    """Findings with their quotes bound to stored messages.

    Raises ExtractionError when a quote is not found word for word where the extractor says: a finding without its
    words is an extractor's error, not data.
    """
    by_id = {str(m.pk): m for m in messages}
    located = []
    for finding in extraction.findings:
        spans = []
        for quote in finding.quotes:
            message = by_id.get(quote.turn)
            if message is None or not quote.text or message.content[quote.start : quote.end] != quote.text:
                raise ExtractionError(f"a quote of {finding.kind!r} is not found in its message", retry=False)
            spans.append(Span(message, quote.start, quote.end))
        if not spans:
            raise ExtractionError(f"a finding of {finding.kind!r} has no quote", retry=False)
        located.append(Found(finding, tuple(spans)))
    return located


def as_turn(message: Message) -> Turn:
    """A stored message as an extractor sees it."""
    return Turn(str(message.pk), message.role, message.content, message.said_at, message.name)  # type: ignore[arg-type]


def _window(conversation: Conversation, messages: Sequence[Message]) -> Window:
    first = messages[0].position
    context = conversation.messages.filter(position__lt=first, position__gte=first - CONTEXT_TURNS).order_by("position")
    return build_window(
        space=conversation.space,
        turns=[as_turn(m) for m in messages],
        context=[as_turn(m) for m in context],
        conversation=conversation.external_id,
        subject=standing_topic(conversation.subject) or conversation.subject_name or None,
    )


def _record_outcomes(job: Job, messages: Sequence[Message], found: Sequence[Found]) -> None:
    taken = {span.message.pk for f in found for span in f.spans}
    outcomes = MessageOutcome.objects.filter(job=job, message__in=[m.pk for m in messages])
    outcomes.filter(message__in=taken).update(outcome=MessageOutcome.Outcome.EXTRACTED, error="")
    outcomes.exclude(message__in=taken).update(outcome=MessageOutcome.Outcome.NOTHING, error="")
