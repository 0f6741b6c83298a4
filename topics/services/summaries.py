"""Automatic summaries: sentences made from facts, each of which says from which, kept in step with the facts.

A sentence goes at once when a fact behind it is retracted, so that what was forgotten is not told on; it is stale, and
no part of the summary any more, when a fact behind it was edited or superseded. Both belong to the change set that
changed the fact, and are taken back with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from topics.changes import Actor, change_set
from topics.errors import WrongState
from topics.models import Fact, Topic
from topics.services.topics import lock_topic
from topics.text.clean import storable_text

SENTENCE_LIMIT = 1_000  # characters


@dataclass(frozen=True, slots=True)
class SentenceDraft:
    """A sentence of a summary and the facts that it tells, by id."""

    text: str
    facts: tuple[UUID, ...]


def write_summary(*, topic: Topic, actor: Actor, sentences: Sequence[SentenceDraft], reason: str = "") -> Topic:
    """Put a summary made from facts in place of the topic's.

    Sentences of which a fact is not active in this topic any more are left out. Raises InvalidInput for one that cannot
    be stored, WrongState when none can stand any more and for a topic that is merged or deleted.
    """
    with change_set(space=topic.space, actor=actor, action="summarise", reason=reason):
        topic = lock_topic(topic)
        cited = {pk for sentence in sentences for pk in sentence.facts}
        active = Fact.objects.filter(topic=topic, status=Fact.Status.ACTIVE, pk__in=cited)
        held = set(active.values_list("pk", flat=True))
        standing = [_stored(sentence) for sentence in sentences if sentence.facts and held.issuperset(sentence.facts)]
        if not standing:
            raise WrongState(_("What this summary was made from is not held any more."), code="facts_gone")
        topic.summary_by_person = False
        _put(topic, standing)
        topic.save()
        return topic


def mark_stale(*, topic: Topic, facts: Collection[Any]) -> None:
    """Note that these facts have changed, in the open change set. `topic` is held by the caller and as it is now."""
    changed = set(map(str, facts))
    _keep(topic, [s | {"stale": s["stale"] or bool(changed & {*s["facts"]})} for s in topic.summary_sentences])


def forget(*, topic: Topic, facts: Collection[Any]) -> None:
    """Take out what the summary tells of these facts; as `mark_stale`."""
    gone = set(map(str, facts))
    _keep(topic, [s for s in topic.summary_sentences if not gone & {*s["facts"]}])


def settle_summary(topic: Topic) -> None:
    """Bring the sentences in step with facts that an undo, a merge or a split has put elsewhere or in another state.

    In the open change set; `topic` is as it is now.
    """
    settle_summaries([topic])


def settle_summaries(topics: Sequence[Topic]) -> None:
    """The same for many topics. One query, and a save for each whose summary changes."""
    cited = {topic.pk: {pk for s in topic.summary_sentences for pk in s["facts"]} for topic in topics}
    wanted = set().union(*cited.values())
    if not wanted:
        return
    held = Fact.objects.filter(pk__in=wanted, topic__in=[pk for pk, facts in cited.items() if facts])
    status = {(topic, str(pk)): status for topic, pk, status in held.values_list("topic_id", "pk", "status")}
    for topic in topics:
        states = {pk: status.get((topic.pk, pk)) for pk in cited[topic.pk]}
        forget(topic=topic, facts=[pk for pk, state in states.items() if state in (None, Fact.Status.RETRACTED)])
        mark_stale(topic=topic, facts=[pk for pk, state in states.items() if state != Fact.Status.ACTIVE])


def in_one_text(sentences: Iterable[str]) -> str:
    """Sentences as a paragraph: with a space between them where they are not in Chinese or the like."""
    text = ""
    for sentence in sentences:
        text += f" {sentence}" if text and text[-1].isascii() else sentence
    return text


def _stored(sentence: SentenceDraft) -> dict[str, Any]:
    text = storable_text(sentence.text, field="summary", limit=SENTENCE_LIMIT)
    return {"text": text, "facts": [str(pk) for pk in sentence.facts], "stale": False}


def _keep(topic: Topic, sentences: list[dict[str, Any]]) -> None:
    if sentences != topic.summary_sentences:
        _put(topic, sentences)
        topic.save()


def _put(topic: Topic, sentences: list[dict[str, Any]]) -> None:
    topic.summary_sentences = sentences
    topic.summary = in_one_text(sentence["text"] for sentence in sentences if not sentence["stale"])
