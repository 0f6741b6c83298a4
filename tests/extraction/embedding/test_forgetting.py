"""What is taken out of the memory is found by its vector no more."""

from __future__ import annotations

import pytest

from tests.extraction.embedding.helpers import embed_all, nearest
from tests.inference.wire import Wire
from tests.topics.services.helpers import hold, make_topic
from topics.changes import Actor
from topics.models import ChangeSet, Space, Vector
from topics.retrieval.index import release_message, withhold_message
from topics.services.merging import merge_topics
from topics.services.statements import retract_fact
from topics.services.topics import delete_topic
from topics.services.undo import undo_change_set

pytestmark = pytest.mark.django_db(transaction=True)
OVEN = "The oven is black."


def test_a_retracted_fact_loses_its_vector_at_once_and_undo_brings_it_back(
    space: Space, person: Actor, embedder: Wire
) -> None:
    fact = hold(make_topic(space, person), OVEN)
    embed_all(space)
    assert nearest(space, "fact", OVEN) == [OVEN]
    retract_fact(fact=fact, actor=person)
    assert not Vector.objects.filter(fact=fact).exclude(values=b"").exists()
    assert nearest(space, "fact", OVEN) == []
    undo_change_set(change=ChangeSet.objects.latest("pk"), actor=person)
    embed_all(space)
    assert nearest(space, "fact", OVEN) == [OVEN]


def test_a_fact_whose_making_was_undone_is_gone(space: Space, person: Actor, embedder: Wire) -> None:
    topic = make_topic(space, person)
    hold(topic, OVEN)
    made = ChangeSet.objects.latest("pk")
    embed_all(space)
    undo_change_set(change=made, actor=person)
    assert nearest(space, "fact", OVEN) == []
    assert not Vector.objects.filter(fact__isnull=False).exclude(values=b"").exists()


def test_a_deleted_topic_takes_its_facts_with_it(space: Space, person: Actor, embedder: Wire) -> None:
    topic = make_topic(space, person, "Kitchen Miller")
    hold(topic, OVEN)
    embed_all(space)
    delete_topic(topic=topic, actor=person)
    assert nearest(space, "fact", OVEN) == []
    assert nearest(space, "topic", "Kitchen Miller") == []
    assert not Vector.objects.filter(message=None).exclude(values=b"").exists()


def test_a_merged_topic_answers_no_more_and_its_facts_stand_on(space: Space, person: Actor, embedder: Wire) -> None:
    survivor, other = make_topic(space, person, "Kitchen Miller"), make_topic(space, person, "Muller flat")
    hold(other, OVEN)
    embed_all(space)
    merge_topics(space=space, survivor=survivor, others=[other], actor=person)
    embed_all(space)
    assert nearest(space, "topic", "Muller flat") == []
    assert nearest(space, "fact", OVEN) == [OVEN]


def test_a_withheld_turn_is_not_found(space: Space, person: Actor, embedder: Wire) -> None:
    fact = hold(make_topic(space, person), OVEN)
    embed_all(space)
    release_message([fact.evidence.get().message_id])
    assert nearest(space, "message", OVEN) == [OVEN]
    withhold_message([fact.evidence.get().message_id])
    assert nearest(space, "message", OVEN) == []
