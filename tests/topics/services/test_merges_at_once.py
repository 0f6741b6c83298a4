"""Two people merge the same topics at the same moment: one of them does, nothing is lost, and no circle comes of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from tests.topics.services.helpers import hold, make_topic
from topics.changes import Actor
from topics.errors import MemoryRefusal
from topics.models import Fact, Space, Topic
from topics.selectors.topics import standing_topic
from topics.services.merging import merge_topics
from topics.services.statements import add_fact

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*acts: Callable[[], object]) -> list[str]:
    """What came of acts that start together, each in a thread with a connection of its own: the code of a refusal."""
    barrier = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> str:
        try:
            barrier.wait()
            act()
            return ""
        except MemoryRefusal as refusal:
            return refusal.code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def merging(space: Space, person: Actor, survivor: Topic, other: Topic) -> Callable[[], object]:
    return lambda: merge_topics(space=space, survivor=survivor, others=[other], actor=person)


def test_each_into_the_other(space: Space, topic: Topic, person: Actor) -> None:
    other = make_topic(space, person, "Acme Corp")
    hold(topic, "The office is in Leeds.")
    hold(other, "The owner is Mei.")
    results = at_once(merging(space, person, topic, other), merging(space, person, other, topic))
    assert sorted(results) == ["", "topic_gone"]
    (merged,) = Topic.objects.filter(status="merged")
    survivor = standing_topic(merged)
    assert survivor is not None
    assert set(Fact.objects.values_list("topic", flat=True)) == {survivor.pk}


def test_the_same_merge_twice_and_a_fact_that_is_added_meanwhile(space: Space, topic: Topic, person: Actor) -> None:
    other = make_topic(space, person, "Acme Corp")
    results = at_once(
        merging(space, person, topic, other),
        merging(space, person, topic, other),
        lambda: add_fact(topic=other, actor=person, text="The owner is Mei."),
    )
    assert sorted(results[:2]) == ["", "topic_gone"]
    # It was either in time for the merge, or told that the topic is gone.
    held = Fact.objects.filter(text="The owner is Mei.")
    assert (results[2], list(held.values_list("topic", flat=True))) in [("", [topic.pk]), ("topic_gone", [])]


def test_a_chain_of_merges_ends_in_one_topic(space: Space, topic: Topic, person: Actor) -> None:
    second, third = make_topic(space, person, "B"), make_topic(space, person, "C")
    pairs = [(topic, second), (second, third), (third, topic)]
    at_once(*(merging(space, person, survivor, other) for survivor, other in pairs))
    ends = {standing_topic(Topic.objects.get(pk=t.pk)) for t in (topic, second, third)}
    assert len(ends) == Topic.objects.filter(status="active").count() >= 1
