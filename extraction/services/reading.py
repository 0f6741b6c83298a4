"""Reading a conversation: build the window, let the extractor find, then write what it found."""

from __future__ import annotations

import zoneinfo
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import structlog
from django.conf import settings
from django.utils import translation

from extraction.extractors.llm import LlmExtractor
from extraction.extractors.protocol import (
    Extraction,
    ExtractionError,
    Extractor,
    Finding,
    KnownFact,
    KnownTopic,
    Report,
    Turn,
    Window,
)
from extraction.extractors.rules import RulesExtractor
from extraction.models import Job, MessageOutcome
from extraction.services.filing import Found, file_findings
from extraction.services.placing import waiting_names
from extraction.services.suggesting import with_hints
from extraction.services.turns import review_turns
from inference.client import chat_model
from topics.changes import Actor
from topics.models import Conversation, Fact, Message, Space, Topic
from topics.selectors.names import MayName, mentioned_in, topics_named_in
from topics.selectors.topics import has_several_subjects, standing_topic
from topics.services.statements import Span
from topics.text.analyse import analyse
from topics.text.names import name_key
from topics.text.short_names import short_keys
from topics.text.tokens import count_tokens

log = structlog.get_logger(__name__)

CONTEXT_TURNS = 4
OPENING_TURNS = 6  # at the beginning of a conversation, where people say who they are
MOST_KNOWN_FACTS = 20  # shown to a model
MOST_COMPARED_FACTS = 500  # the newest of the topics in question, of which those are chosen


def extractor_for(space: Space, *, job: Job | None = None, reference: str = "") -> Extractor:
    """The extractor that reads this space's conversations: with the space's model where one is configured, else by
    rules. A model that fails is no reason to read by rules: the reading fails, and is tried again.

    `job` and `reference` (the caller's id of the conversation) are noted with each call to the model.
    """
    model = chat_model(space, job=job.pk if job else None, reference=reference)
    return LlmExtractor(model) if model else RulesExtractor()


def prepare_reading(job: Job, *, extractor: Extractor | None = None) -> Callable[[], bool]:
    """Read the first waiting messages of the job, a window of them, with no transaction open; with the extractor of the
    space, unless one is given.

    Returns the function that writes the result and says whether more are left. Raises ExtractionError when the
    extractor cannot read them.
    """
    waiting = Message.objects.filter(outcome__job=job, outcome__outcome=MessageOutcome.Outcome.WAITING)
    messages = list(waiting.order_by("position")[: settings.INFINI_WINDOW_TURNS])
    conversation = job.conversation
    if not messages or conversation is None:
        return lambda: False
    extractor = extractor or extractor_for(job.space, job=job, reference=conversation.external_id)
    if extractor.model is not None:
        messages = _for_one_question(messages)
    extraction = extractor.extract(_window(conversation, messages, for_model=extractor.model is not None))
    found = with_hints(job.space, conversation, locate(extraction, messages))

    def write() -> bool:
        _record_outcomes(job, messages, found, extraction)
        file_findings(
            space=job.space,
            actor=Actor(label=f"{extractor.name} extractor"),
            found=found,
            job=job,
            extractor=extractor.name,
            model=extractor.model or "",
            reason=conversation.external_id,
        )
        if extraction.report is not None:
            _record_report(job, extraction.report)
        review_turns(job.space, {m.pk for m in messages})
        return waiting.exists()

    return write


def _for_one_question(messages: Sequence[Message]) -> list[Message]:
    """As many messages, and at least one, as a model is shown at once: each answer is written before the next."""
    left = settings.INFINI_EXTRACT_WINDOW_TOKENS - count_tokens(messages[0].content)
    taken = [messages[0]]
    for message in messages[1:]:
        left -= count_tokens(message.content)
        if left < 0:
            break
        taken.append(message)
    return taken


def build_window(
    *,
    space: Space,
    turns: Sequence[Turn],
    conversation: str,
    context: Sequence[Turn] = (),
    opening: Sequence[Turn] = (),
    subject: Topic | str | None = None,
    candidates: Iterable[Topic] = (),
    for_model: bool = False,
) -> Window:
    """A window on these turns, with every topic of the space that they or the context name, and `candidates`, as known
    topics, and with the proposed ones that they name.

    What is said may mean what the context names. A model also gets what the topics hold on what is being said.
    """
    names = [t.speaker for t in turns if t.speaker]
    if isinstance(subject, str):
        names.append(subject)
    texts = [t.text for t in (*context, *turns)]
    may_name = mentioned_in(texts, names)
    waiting = waiting_names(space)
    said = short_keys(topic.name for topic in waiting if may_name(name_key(topic.name), topic.name))
    named = topics_named_in(space, may_name, also=candidates, like=said)
    known = {k.id: k for k in map(known_topic, named)}
    about = known_topic(subject) if isinstance(subject, Topic) else subject
    if isinstance(about, KnownTopic):
        known[about.id] = about
    return Window(
        turns=tuple(turns),
        context=tuple(context),
        opening=tuple(opening),
        time_zone=zoneinfo.ZoneInfo(space.time_zone),
        conversation=conversation,
        subject=about or None,
        topics=tuple(known.values()),
        proposed=_named_or_like(waiting, may_name, said | short_keys(name for t in known.values() for name in t.names)),
        facts=_facts_on(known, texts) if for_model else (),
        language=space.language,
        is_one_of_many=not about and has_several_subjects(space),
    )


def known_topic(topic: Topic) -> KnownTopic:
    """A topic as an extractor sees it."""
    return KnownTopic(str(topic.pk), topic.name, topic.kind, tuple(a.name for a in topic.aliases.all()))  # type: ignore[arg-type]


def _named_or_like(waiting: Iterable[KnownTopic], may_name: MayName, short: Collection[str]) -> tuple[KnownTopic, ...]:
    """The proposed topics that may be named, also by a short name that another topic has."""
    keys = {topic: name_key(topic.name) for topic in waiting}
    return tuple(t for t, key in keys.items() if may_name(key, t.name) or any(part in key for part in short))


def _facts_on(topics: Iterable[str], texts: Sequence[str]) -> tuple[KnownFact, ...]:
    """What these topics hold on the matters of the texts: facts with the most terms in common, then the newest."""
    said = {term for text in texts for term in analyse(text)}
    rows = Fact.objects.filter(topic__in=list(topics), status=Fact.Status.ACTIVE).order_by("-id")[:MOST_COMPARED_FACTS]
    ranked = sorted(
        rows, key=lambda fact: len(said.intersection(analyse(f"{fact.attribute} {fact.text}"))), reverse=True
    )
    return tuple(
        KnownFact(str(f.pk), str(f.topic_id), f.text, f.attribute, f.value, f.unit, f.negated)
        for f in ranked[:MOST_KNOWN_FACTS]
    )


def locate(extraction: Extraction, messages: Sequence[Message]) -> list[Found]:
    """Findings with their quotes bound to stored messages.

    Raises ExtractionError when a quote is not found word for word where the extractor says: a finding without its
    words is an extractor's error, not data.
    """
    by_id = {str(m.pk): m for m in messages}
    facts = facts_meant(extraction)
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
        contradicts, same_as = (held_by(finding, facts.get(pk)) for pk in (finding.contradicts, finding.same_as))
        located.append(Found(finding, tuple(spans), contradicts, same_as))
    return located


def facts_meant(extraction: Extraction) -> dict[str, Fact]:
    """The facts that findings are set against, as far as they are still held."""
    ids = {pk for finding in extraction.findings for pk in (finding.contradicts, finding.same_as) if pk}
    return {str(f.pk): f for f in Fact.objects.filter(pk__in=ids, status=Fact.Status.ACTIVE)} if ids else {}


def held_by(finding: Finding, fact: Fact | None) -> Fact | None:
    """The fact, if the topic of the finding holds it."""
    return fact if fact is not None and str(fact.topic_id) == finding.topic.id else None


def as_turn(message: Message) -> Turn:
    """A stored message as an extractor sees it."""
    return Turn(str(message.pk), message.role, message.content, message.said_at, message.name)  # type: ignore[arg-type]


def _window(conversation: Conversation, messages: Sequence[Message], *, for_model: bool) -> Window:
    first = messages[0].position
    before = conversation.messages.order_by("position")
    context = before.filter(position__lt=first, position__gte=first - CONTEXT_TURNS)
    opening = before.filter(position__lt=min(OPENING_TURNS, first - CONTEXT_TURNS)) if first > CONTEXT_TURNS else ()
    return build_window(
        space=conversation.space,
        turns=[as_turn(m) for m in messages],
        context=[as_turn(m) for m in context],
        opening=[as_turn(m) for m in opening],
        conversation=conversation.external_id,
        subject=standing_topic(conversation.subject) or conversation.subject_name or None,
        for_model=for_model,
    )


def _record_outcomes(job: Job, messages: Sequence[Message], found: Sequence[Found], extraction: Extraction) -> None:
    """How the reading of each message ended."""
    taken = {span.message.pk for f in found for span in f.spans}
    outcomes = MessageOutcome.objects.filter(job=job, message__in=[m.pk for m in messages])
    outcomes.filter(message__in=taken).update(outcome=MessageOutcome.Outcome.EXTRACTED, error="")
    outcomes.exclude(message__in=taken).update(outcome=MessageOutcome.Outcome.NOTHING, error="")
    with translation.override(job.space.language):
        failed = {turn: str(problem) for turn, problem in extraction.failed.items()}
    for turn, problem in failed.items():
        outcomes.filter(message_id=turn).update(outcome=MessageOutcome.Outcome.FAILED, error=problem)


def _record_report(job: Job, report: Report) -> None:
    """Add to what the job's extractor found and dropped so far."""
    counts: dict[str, Any] = {"found": report.found, "dropped": dict(report.dropped), "mended": dict(report.mended)}
    log.info("conversation_read", job=str(job.pk), **counts)
    held = Job.objects.values_list("report", flat=True).get(pk=job.pk)
    counts["found"] += held.get("found", 0)
    for name in ("dropped", "mended"):
        counts[name] = dict(Counter(held.get(name, {})) + Counter(counts[name]))
    Job.objects.filter(pk=job.pk).update(report=counts)
