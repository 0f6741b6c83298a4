"""Finding topics the way people look for them: by name, by any other name, by what their facts say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from topics.models import Alias, Dispute, Fact, Passage, Space, Topic
from topics.retrieval import engine
from topics.text.analyse import analyse_question
from topics.text.names import name_key

ORDERS = {"activity": ("-changed_at", "-id"), "name": ("name", "id")}


@dataclass(frozen=True, slots=True)
class Counts:
    """How many current facts a topic has, and how many of them are disputed."""

    facts: int = 0
    disputed: int = 0


def search_topics(
    space: Space, *, text: str = "", kind: str = "", status: str = Topic.Status.ACTIVE, order: str = "activity"
) -> QuerySet[Topic]:
    """Topics of a kind and a status ("" is any; deleted and merged ones never), in one of ORDERS.

    `text` is looked for in their names, in any writing, and in their statements, one of which must hold all its words.
    """
    topics = Topic.objects.filter(space=space, status__in=[Topic.Status.ACTIVE, Topic.Status.ARCHIVED])
    if kind:
        topics = topics.filter(kind=kind)
    if status:
        topics = topics.filter(status=status)
    if text.strip():
        named = (
            Alias.objects.filter(space=space, key__contains=name_key(text)) if name_key(text) else Alias.objects.none()
        )
        topics = topics.filter(Q(pk__in=named.values("topic")) | Q(pk__in=_topics_that_say(space, text)))
    return topics.order_by(*ORDERS[order])


def count_facts(topics: Iterable[Topic]) -> dict[UUID, Counts]:
    """Topic id → its counts, in two queries. Topics without facts are left out."""
    ids = [topic.pk for topic in topics]
    facts = Fact.objects.filter(topic__in=ids, status=Fact.Status.ACTIVE)
    open_ones = Dispute.objects.filter(fact__in=facts, closed_at=None)
    held = dict(facts.values_list("topic").annotate(count=Count("pk")).order_by())
    disputed = dict(open_ones.values_list("fact__topic").annotate(count=Count("fact", distinct=True)).order_by())
    return {pk: Counts(count, disputed.get(pk, 0)) for pk, count in held.items()}


def _topics_that_say(space: Space, text: str) -> list[UUID]:
    """Ids of topics with a statement that holds every word of `text`: the likeliest, by the rarest of the words."""
    terms = engine.terms_of(space.pk, analyse_question(text), statements=True)
    stats = engine.statistics(space.pk, terms, statements=True)
    if not terms or set(terms) - set(stats.idf):
        return []
    rarest, *others = sorted(terms, key=lambda term: -stats.idf[term])
    statements = Passage.objects.filter(space=space, kind__in=[Passage.Kind.FACT, Passage.Kind.ENTRY])
    rows = Passage.objects.filter(pk__in=engine.candidates(statements, [rarest], stats))
    for term in others:
        rows = rows.filter(own__contains=term)
    return [pk for pk in rows.values_list("topic", flat=True).distinct() if pk is not None]
