"""Hints from likeness: where a finding that names nothing may belong, and what is held that says nearly the same.

They are for people to decide by. Vectors know neither a denial nor another number from what they are near to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import structlog

from extraction.services.filing import Found
from extraction.services.placing import names_nothing, topic_referred_to
from inference.embeddings import Vectors
from inference.errors import InferenceError
from topics.models import Conversation, Fact, Space, Topic
from topics.selectors.vectors import VectorSpace, vector_space
from topics.services.statements import content_key
from topics.text.analyse import fold

log = structlog.get_logger(__name__)

# Cosines, judged with the local encoder from samples read by eye; not tuned on data.
SAME = 0.88
BELONGS = 0.6
# How much nearer than any other topic the one must be.
MARGIN = 0.05
MOST_NEAR = 20

# What two statements must have in common to say the same: numbers, dates, denials.
_TELLING = re.compile(
    r"\d+(?:[.,:]\d+)*|[零一二两三四五六七八九十百千万亿]+|"
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:january|february|march|april|may|june|july|august|"
    r"september|october|november|december)\b|(?:星期|礼拜|周)[一二三四五六日天]|"
    r"\b(?:not|no|never|none|without|nor)\b|n['’]t\b|[不没無无未别勿非]"
)


def with_hints(space: Space, conversation: Conversation, found: Sequence[Found]) -> list[Found]:
    """The findings, each with the topic and the fact that it may belong to or repeat.

    Not inside a transaction: their texts are embedded. Without vectors, or while the embedder fails, as they are.
    """
    vectors = vector_space(space) if found else None
    if vectors is None:
        return list(found)
    try:
        rows = vectors.embedder.embed([_text(item) for item in found])
    except InferenceError as error:
        log.warning("no_hints", error=type(error).__name__)
        return list(found)
    return [_with_hint(vectors, conversation, item, row) for item, row in zip(found, rows, strict=True)]


def _text(item: Found) -> str:
    return item.finding.text.strip() or item.finding.alias or item.finding.topic.name


def _with_hint(vectors: VectorSpace, conversation: Conversation, item: Found, row: Vectors) -> Found:
    ref, space = item.finding.topic, conversation.space
    topic = topic_referred_to(space, ref)
    if topic is not None:
        return replace(item, similar=_similar_fact(vectors, topic, item, row))
    if names_nothing(ref, conversation):
        return replace(item, suggested=_nearest_matter(vectors, row) if ref.kind != "person" else None)
    return item


def _similar_fact(vectors: VectorSpace, topic: Topic, item: Found, row: Vectors) -> Fact | None:
    near = [n.pk for n in vectors.nearest("fact", row, limit=MOST_NEAR, floor=SAME)]
    held = Fact.objects.filter(pk__in=near, topic=topic, status=Fact.Status.ACTIVE, negated=item.finding.negated)
    rows = {fact.pk: fact for fact in held}
    return next((rows[pk] for pk in near if pk in rows and says_nearly(rows[pk].text, item.finding.text)), None)


def says_nearly(a: str, b: str) -> bool:
    """Whether two like statements agree in every number, date and denial, and are not the same word for word."""
    return _telling(a) == _telling(b) and content_key(a) != content_key(b)


def _telling(text: str) -> list[str]:
    return sorted(_TELLING.findall(fold(text)))


def _nearest_matter(vectors: VectorSpace, row: Vectors) -> Topic | None:
    """The one topic, of anything but a person, that is near in itself or in what it holds; None where two are."""
    facts = vectors.nearest("fact", row, limit=MOST_NEAR, floor=BELONGS - MARGIN)
    of_fact = dict(Fact.objects.filter(pk__in=[n.pk for n in facts]).values_list("pk", "topic_id"))
    scores: dict[UUID, float] = {}
    for pk, score in [
        *((n.pk, n.score) for n in vectors.nearest("topic", row, limit=MOST_NEAR, floor=BELONGS - MARGIN)),
        *((of_fact[n.pk], n.score) for n in facts),
    ]:
        scores[pk] = max(score, scores.get(pk, 0.0))
    best = sorted(scores.items(), key=lambda pair: -pair[1])[:2]
    if not best or best[0][1] < BELONGS or (len(best) > 1 and best[0][1] - best[1][1] < MARGIN):
        return None
    matters = Topic.objects.filter(status=Topic.Status.ACTIVE).exclude(kind=Topic.Kind.PERSON)
    return matters.filter(pk=best[0][0]).first()
