"""Updates that an agent brings itself: its findings are checked against the stored words, then filed like any other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from extraction.extractors.protocol import Finding, TopicRef
from extraction.models import Proposal
from extraction.services.decisions import approve_waiting
from extraction.services.filing import Filed, Found, file_findings
from topics.changes import Actor, OpenChange, change_set
from topics.errors import InvalidInput, NotFound
from topics.models import Conversation, Fact, Message, Space
from topics.selectors.topics import reads_as_id, topic_by_id, topic_by_name
from topics.services.statements import Span
from topics.text.clean import clean_name, storable_text
from topics.text.names import name_key

EXTRACTOR = "agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteInput:
    """Words of a message, by the caller's id. Where `start` and `end` do not fit, the words are looked for."""

    message: str
    text: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingInput:
    """A finding without its topic and quotes, its quotes, and its path in what the caller sent, for errors."""

    path: str
    finding: Finding
    quotes: Sequence[QuoteInput]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionInput:
    """The caller's word that the statement `proposed` contradicts the fact with this id."""

    path: str
    fact: str
    proposed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateInput:
    """What a caller brings about one topic, which is named by id, or by name when it may be new."""

    path: str
    topic_id: str | None
    topic_name: str
    topic_kind: str
    summary: str | None
    findings: Sequence[FindingInput]
    contradictions: Sequence[ContradictionInput]


def file_update(*, space: Space, actor: Actor, conversation: str, updates: Sequence[UpdateInput]) -> Filed:
    """File what an agent found in a stored conversation, under the space's policies, as one change set.

    Raises NotFound for a conversation or topic that is not in the space, and InvalidInput, with the path of each, for
    quotes that are not found word for word, topics without a name, contradictions of what is not held and the summary
    of a topic that neither exists nor is proposed. Nothing is filed then.
    """
    held = Conversation.objects.filter(space=space, external_id=conversation).first()
    if held is None:
        raise NotFound(_("There is no such conversation."))
    messages = _messages(held, updates)
    problems: dict[str, list[str]] = {}
    found: list[Found] = []
    for update in updates:
        ref = _topic_ref(space, update)
        facts = _contradicted(space, ref, update, problems)
        for item in update.findings:
            spans = _spans(item, messages, problems)
            found.append(Found(replace(item.finding, topic=ref), spans, facts.get(item.finding.text)))
    if problems:
        raise InvalidInput(_("Some of it cannot be filed; nothing was."), fields=problems)
    with change_set(space=space, actor=actor, action="update_memory", reason=conversation[:200]) as change:
        filed = file_findings(space=space, actor=actor, found=found, extractor=EXTRACTOR, reason=conversation)
        for update in updates:
            if update.summary is not None:
                _file_summary(change, actor, update, filed)
        filed.change_set = change.written
    return filed


def _messages(held: Conversation, updates: Sequence[UpdateInput]) -> dict[str, Message]:
    wanted = {quote.message for update in updates for item in update.findings for quote in item.quotes}
    return {m.external_id: m for m in held.messages.filter(external_id__in=wanted)}


def _topic_ref(space: Space, update: UpdateInput) -> TopicRef:
    path = f"{update.path}.topic"
    if update.topic_id:
        topic = topic_by_id(space, update.topic_id)
        if topic is None:
            problem = _("There is no topic with this id.")
            raise NotFound(problem, details={"fields": {path: [problem]}})
        return TopicRef(str(topic.pk), topic.name, topic.kind)  # type: ignore[arg-type]
    if reads_as_id(update.topic_name):
        problem = _("Give an id as the id of the topic, not as its name.")
        raise InvalidInput(problem, fields={path: [problem]})
    return TopicRef(None, clean_name(update.topic_name, field=path), update.topic_kind)  # type: ignore[arg-type]


def _contradicted(space: Space, ref: TopicRef, update: UpdateInput, problems: dict[str, list[str]]) -> dict[str, Fact]:
    """Text of a statement → the held fact that it is said to contradict."""
    topic = topic_by_id(space, ref.id) if ref.id else topic_by_name(space, ref.name)
    active = Fact.objects.filter(topic=topic, status=Fact.Status.ACTIVE) if topic else Fact.objects.none()
    held = {str(fact.pk): fact for fact in active.filter(pk__in=[item.fact for item in update.contradictions])}
    said = {item.finding.text for item in update.findings}
    for item in update.contradictions:
        if item.fact not in held:
            problems[f"{item.path}.with_fact"] = [_("This topic holds no such fact.")]
        if item.proposed not in said:
            problems[f"{item.path}.proposed"] = [_("None of the statements sent says this.")]
    return {item.proposed: held[item.fact] for item in update.contradictions if item.fact in held}


def _spans(item: FindingInput, messages: dict[str, Message], problems: dict[str, list[str]]) -> tuple[Span, ...]:
    spans = []
    for n, quote in enumerate(item.quotes):
        path = f"{item.path}.quotes.{n}"
        message = messages.get(quote.message)
        if message is None:
            problems[f"{path}.message"] = [_("This conversation has no such message.")]
            continue
        start = _start(quote, message.content)
        if start < 0:
            problems[f"{path}.text"] = [_("These words do not stand in the message.")]
        else:
            spans.append(Span(message, start, start + len(quote.text)))
    return tuple(spans)


def _start(quote: QuoteInput, content: str) -> int:
    """Where the words stand in the message: where the caller says, else where they stand first; -1 for nowhere."""
    at = quote.start
    if at is not None and quote.end is not None and 0 <= at < quote.end and content[at : quote.end] == quote.text:
        return at
    return content.find(quote.text)


def _file_summary(change: OpenChange, actor: Actor, update: UpdateInput, filed: Filed) -> None:
    """Propose a new summary. It waits like a statement, unless the policy of the space lets statements pass."""
    text = storable_text(update.summary, field=f"{update.path}.updated_summary", limit=20_000)
    space = change.space
    topic = topic_by_id(space, update.topic_id) if update.topic_id else topic_by_name(space, update.topic_name)
    waiting = None if topic else _proposed_topic(space, update.topic_name)
    if topic is not None and topic.summary == text:
        return
    place = topic or waiting
    if place is None:
        problem = _("There is no topic of this name to summarise, and nothing new is said of one.")
        raise InvalidInput(problem, fields={f"{update.path}.updated_summary": [problem]})
    fingerprint = hashlib.sha256(f"summary\x1f{place.pk}\x1f{text}".encode()).hexdigest()
    if Proposal.objects.filter(space=space, fingerprint=fingerprint).exists():
        filed.repeated += 1
        return
    proposal = Proposal.objects.create(
        space=space,
        kind=Proposal.Kind.SUMMARY,
        topic=topic,
        new_topic=waiting,
        base_version=topic.document_version if topic else 0,
        text=text,
        extractor=EXTRACTOR,
        fingerprint=fingerprint,
    )
    filed.proposals.append(proposal)
    if space.review_policy == Space.ReviewPolicy.AUTOMATIC and topic is not None and not topic.summary_by_person:
        approve_waiting(change=change, actor=actor, proposals=[proposal])


def _proposed_topic(space: Space, name: str) -> Proposal | None:
    return Proposal.objects.filter(
        space=space,
        kind=Proposal.Kind.TOPIC,
        topic_key=name_key(name),
        status__in=[Proposal.Status.PENDING, Proposal.Status.SNOOZED],
    ).first()
