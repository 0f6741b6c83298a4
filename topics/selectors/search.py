"""Finding topics the way people look for them: by name, by any other name, by what their facts say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from topics.models import Alias, Dispute, Fact, Passage, Space, Topic
from topics.retrieval import engine
from topics.signals import collect_pending
from topics.text.analyse import analyse_question
from topics.text.names import name_key

ORDERS = {"activity": ("-changed_at", "-id"), "name": ("name", "id")}
CONFLICTS, PENDING = "conflicts", "pending"
# Of the statements that hold the rarest word that is looked for, so many are looked at.
MOST_STATEMENTS = 300


@dataclass(frozen=True, slots=True)
class Counts:
    """How many current facts a topic has, how many of them are disputed, and how many proposals wait for a person."""

    facts: int = 0
    disputed: int = 0
    pending: int = 0


def search_topics(
    space: Space,
    *,
    text: str = "",
    kind: str = "",
    status: str = Topic.Status.ACTIVE,
    needs: str = "",
    order: str = "activity",
) -> QuerySet[Topic]:
    """Topics of a kind and a status ("" is any; deleted and merged ones never), in one of ORDERS.

    `needs` is CONFLICTS for those with a fact in conflict, PENDING for those with proposals that wait, "" for all.
    `text` is looked for in their names, in any writing, and in their statements, one of which must hold all its words.
    """
    topics = Topic.objects.filter(space=space, status__in=[Topic.Status.ACTIVE, Topic.Status.ARCHIVED])
    if kind:
        topics = topics.filter(kind=kind)
    if status:
        topics = topics.filter(status=status)
    if needs == CONFLICTS:
        topics = topics.filter(pk__in=_disputed(space).values("fact__topic"))
    if needs == PENDING:
        topics = topics.filter(_is_pending(space))
    if text.strip():
        named = (
            Alias.objects.filter(space=space, key__contains=name_key(text)) if name_key(text) else Alias.objects.none()
        )
        topics = topics.filter(Q(pk__in=named.values("topic")) | Q(pk__in=_topics_that_say(space, text)))
    return topics.order_by(*ORDERS[order])


def count_facts(topics: Iterable[Topic]) -> dict[UUID, Counts]:
    """Topic id → its counts, in three queries. Topics of one space; those without any are left out."""
    rows = list(topics)
    if not rows:
        return {}
    space, ids = rows[0].space_id, [topic.pk for topic in rows]
    facts = Fact.objects.filter(topic__in=ids, status=Fact.Status.ACTIVE)
    open_ones = Dispute.objects.filter(fact__in=facts, closed_at=None)
    held = dict(facts.values_list("topic").annotate(count=Count("pk")).order_by())
    disputed = dict(open_ones.values_list("fact__topic").annotate(count=Count("fact", distinct=True)).order_by())
    pending: Counter[UUID] = Counter()
    for waiting in _pending(space):
        of_these = waiting.filter(topic__in=ids)
        pending.update(dict(of_these.values_list("topic").annotate(count=Count("pk")).order_by()))
    return {pk: Counts(held.get(pk, 0), disputed.get(pk, 0), pending[pk]) for pk in ids if held.get(pk) or pending[pk]}


def _disputed(space: Space) -> QuerySet[Dispute]:
    return Dispute.objects.filter(fact__space=space, fact__status=Fact.Status.ACTIVE, closed_at=None)


def _pending(space: Any) -> list[QuerySet[Any]]:
    answers: Any = collect_pending.send(Topic, space=space)
    return [rows for _receiver, rows in answers]


def _is_pending(space: Space) -> Q:
    topics = Q(pk__in=[])
    for rows in _pending(space):
        topics |= Q(pk__in=rows.values("topic"))
    return topics


def _topics_that_say(space: Space, text: str) -> list[UUID]:
    """Ids of topics with a statement that holds every word of `text`: the likeliest, by the rarest of the words."""
    terms = engine.terms_of(space.pk, analyse_question(text), statements=True)
    stats = engine.statistics(space.pk, terms, statements=True)
    if not terms or set(terms) - set(stats.idf):
        return []
    rarest, *others = sorted(terms, key=lambda term: -stats.idf[term])
    statements = Passage.objects.filter(space=space, kind__in=[Passage.Kind.FACT, Passage.Kind.ENTRY])
    rows = engine.candidates(statements, [rarest], stats, fields=["pk", "own", "topic"], most=MOST_STATEMENTS)
    return list({row["topic"] for row in rows.values() if row["topic"] and set(others) <= set(row["own"].split())})
