"""The job that makes a topic's summary anew from its facts, with the space's model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import structlog
from django.utils.translation import gettext as _
from django.utils.translation import override

from extraction.extractors.protocol import ExtractionError
from extraction.models import Job, Proposal
from extraction.services.decisions import OPEN, record_decision
from extraction.summary import MOST_TOKENS, SCHEMA, Basis, messages_for, sentences_of
from inference.client import chat_model
from inference.errors import InferenceError
from inference.models import Purpose
from topics.changes import Actor, OpenChange, change_set
from topics.errors import WrongState
from topics.models import Dispute, Fact, Topic
from topics.selectors.disputes import in_doubt
from topics.selectors.topics import standing_topic
from topics.services.summaries import SentenceDraft, in_one_text, write_summary
from topics.services.topics import lock_topic

log = structlog.get_logger(__name__)

FEWEST_FACTS = 3  # a document with fewer is its own summary
MOST_FACTS = 80  # the newest: what a model can hold together
EXTRACTOR = "summary"


def prepare_summary(job: Job) -> Callable[[], None]:
    """Ask the model for a summary, with no transaction open; returns the function that writes it.

    Nothing is asked when there is no model any more, too little to tell, or nothing new since the latest summary.
    Raises ExtractionError when the model does not answer.
    """
    topic = standing_topic(job.topic)
    model = chat_model(job.space, job=job.pk, reference=str(job.topic_id))
    if topic is None or model is None:
        return lambda: None
    basis = _basis(topic)
    fingerprint = _fingerprint(basis)
    if len(basis.facts) < FEWEST_FACTS or fingerprint == topic.summary_basis:
        return lambda: None
    try:
        answer = model.answer_json(
            purpose=Purpose.SUMMARISE, messages=messages_for(basis), schema=SCHEMA, max_tokens=MOST_TOKENS
        )
    except InferenceError as error:
        raise ExtractionError(str(error), retry=error.retry, retry_after=error.retry_after) from error
    sentences, dropped = sentences_of(answer.data, basis)
    log.info("summary_made", topic=str(topic.pk), kept=len(sentences), dropped=dropped)

    def write() -> None:
        Topic.objects.note_summarised(topic.pk, fingerprint)
        if sentences:
            _write(job, topic, Actor(label=f"summary by {model.name}"[:200]), sentences, model.name)

    return write


def _basis(topic: Topic) -> Basis:
    active = Fact.objects.filter(topic=topic, status=Fact.Status.ACTIVE).select_related("space")
    facts = sorted(active.order_by("-pk")[:MOST_FACTS], key=lambda fact: (fact.said_at or fact.created_at, fact.pk))
    disputes = in_doubt(Dispute.objects.filter(fact__in=facts, closed_at=None))
    return Basis(topic, facts, set(disputes.values_list("fact_id", flat=True)))


def _fingerprint(basis: Basis) -> str:
    """The same for the same facts in the same state."""
    parts = [f"{fact.pk}:{fact.version}:{fact.pk in basis.disputed}" for fact in basis.facts]
    return hashlib.sha256("\x1f".join([basis.topic.name, *parts]).encode()).hexdigest()


def _write(job: Job, topic: Topic, actor: Actor, sentences: Sequence[SentenceDraft], model: str) -> None:
    """Put the summary into the document, or propose it where a person has written one."""
    with change_set(space=job.space, actor=actor, action="summarise") as change:
        try:
            topic = lock_topic(topic)
            if topic.summary_by_person:
                _propose(change, job, topic, sentences, model)
            else:
                write_summary(topic=topic, actor=actor, sentences=sentences)
        except WrongState as refusal:  # deleted, or its facts retracted, while the model was writing
            log.info("summary_not_written", topic=str(topic.pk), reason=refusal.code)


def _propose(change: OpenChange, job: Job, topic: Topic, sentences: Sequence[SentenceDraft], model: str) -> None:
    """File the summary for review, in place of one that was made from older facts and still waits."""
    text = in_one_text(sentence.text for sentence in sentences)
    fingerprint = hashlib.sha256(f"summary\x1f{topic.pk}\x1f{text}".encode()).hexdigest()
    if text == topic.summary or Proposal.objects.filter(space=job.space, fingerprint=fingerprint).exists():
        return
    mine = Proposal.objects.filter(topic=topic, kind=Proposal.Kind.SUMMARY, extractor=EXTRACTOR, status__in=OPEN)
    with override(job.space.language):
        reason = _("A newer summary was proposed.")
    record_decision(
        change=change,
        proposals=list(mine.select_for_update(no_key=True)),
        status=Proposal.Status.REJECTED,
        reason=reason,
    )
    Proposal.objects.create(
        space=job.space,
        kind=Proposal.Kind.SUMMARY,
        topic=topic,
        base_version=topic.document_version,
        text=text,
        sentences=[_plain(sentence) for sentence in sentences],
        job=job,
        extractor=EXTRACTOR,
        model=model[:100],
        fingerprint=fingerprint,
    )


def _plain(sentence: SentenceDraft) -> dict[str, Any]:
    return {"text": sentence.text, "facts": [str(pk) for pk in sentence.facts]}
