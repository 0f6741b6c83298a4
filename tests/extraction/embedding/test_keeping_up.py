"""What is written is embedded after a while, once, and only what changed."""

from __future__ import annotations

import pytest
from django.utils import timezone

from extraction.models import Job
from extraction.services.embedding import request_missing
from extraction.services.intake import record_messages
from tests.extraction.embedding.helpers import embed_all, nearest, run_queued, sets
from tests.inference.wire import Wire
from tests.topics.services.helpers import hold, make_topic
from topics.changes import Actor
from topics.models import Message, Space, Vector
from topics.retrieval.index import release_message
from topics.selectors.vectors import vector_space
from topics.services.conversations import MessageInput
from topics.services.statements import edit_fact, open_dispute
from topics.services.topics import update_topic

pytestmark = pytest.mark.django_db(transaction=True)


def sent(wire: Wire) -> list[str]:
    return [text for request in wire.requests for text in request.json["input"]]


def test_without_an_embedder_nothing_is_queued(space: Space, person: Actor) -> None:
    hold(make_topic(space, person), "The budget is 5000 euros.")
    assert not Job.objects.filter(kind=Job.Kind.EMBED).exists()
    assert vector_space(space) is None


def test_topics_facts_and_turns_are_embedded_by_one_job(space: Space, person: Actor, embedder: Wire) -> None:
    topic = make_topic(space, person, "Kitchen Miller", summary="A new kitchen")
    hold(topic, "The budget is 5000 euros.")
    hold(topic, "The oven is black.")
    embed_all(space)
    assert sets(space) == [("small", 64, "current", 5)]
    assert sorted(sent(embedder)) == sorted(
        [
            "Kitchen Miller\nA new kitchen",
            "The budget is 5000 euros.",
            "The oven is black.",
            "user: The budget is 5000 euros.",
            "user: The budget is 5000 euros.\nuser: The oven is black.",
        ]
    )
    assert nearest(space, "fact", "what is the budget in euros") == ["The budget is 5000 euros."]
    assert nearest(space, "topic", "kitchen of miller") == ["Kitchen Miller"]
    release_message(Message.objects.values_list("pk", flat=True))
    assert nearest(space, "message", "black is the oven", limit=1) == ["The oven is black."]


def test_turns_of_tools_and_the_system_and_blank_ones_have_none(space: Space, embedder: Wire) -> None:
    messages = [MessageInput(role=role, content="the budget") for role in ("user", "assistant", "system", "tool")]
    record_messages(space=space, conversation="c", messages=[*messages, MessageInput(role="user", content="blank")])
    Message.objects.filter(content="blank").update(content=" \n")  # such ones were stored before they were refused
    embed_all(space)
    assert sent(embedder) == ["user: the budget", "user: the budget\nassistant: the budget"]
    release_message(Message.objects.values_list("pk", flat=True))
    assert nearest(space, "message", "budget the", limit=9) == ["the budget", "the budget"]


def test_it_waits_a_while_for_what_follows(space: Space, person: Actor, embedder: Wire) -> None:
    for n in range(3):
        hold(make_topic(space, person, f"Topic {n}"), f"Statement {n}.")
    job = Job.objects.get(kind=Job.Kind.EMBED)
    assert job.run_after > timezone.now()


def test_only_what_changed_is_sent_again(space: Space, person: Actor, embedder: Wire) -> None:
    topic = make_topic(space, person, "Miller")
    fact = hold(topic, "The budget is 5000 euros.")
    hold(topic, "The oven is black.")
    embed_all(space)
    embedder.requests.clear()
    edit_fact(fact=fact, actor=person, changes={"text": "The budget is 6000 euros."})
    embed_all(space)
    assert sent(embedder) == ["The budget is 6000 euros."]


def test_a_change_of_anything_but_the_text_sends_nothing(space: Space, person: Actor, embedder: Wire) -> None:
    topic = make_topic(space, person, "Miller")
    fact = hold(topic, "The budget is 5000 euros.")
    embed_all(space)
    embedder.requests.clear()
    edit_fact(fact=fact, actor=person, changes={"kind": "number"})
    update_topic(topic=topic, actor=person, kind="customer")
    embed_all(space)
    assert sent(embedder) == []
    assert nearest(space, "fact", "budget is the 5000 euros") == ["The budget is 5000 euros."]


def test_a_text_that_changed_is_not_found_by_its_former_words(space: Space, person: Actor, embedder: Wire) -> None:
    fact = hold(make_topic(space, person), "The oven is black.")
    embed_all(space)
    edit_fact(fact=fact, actor=person, changes={"text": "Sonja plays chess."})
    assert nearest(space, "fact", "the oven is black") == []
    embed_all(space)
    assert nearest(space, "fact", "Sonja plays chess") == ["Sonja plays chess."]


def test_more_than_a_batch_is_worked_off_by_the_same_job(space: Space, person: Actor, embedder: Wire) -> None:
    messages = [MessageInput(role="user", content=f"turn number {n}") for n in range(400)]
    record_messages(space=space, conversation="c", messages=messages)
    embed_all(space)
    assert sets(space) == [("small", 64, "current", 400)]
    assert len(sent(embedder)) == 400


def test_a_disputed_fact_keeps_its_vector(space: Space, person: Actor, embedder: Wire) -> None:
    fact = hold(make_topic(space, person), "The oven is black.")
    embed_all(space)
    open_dispute(fact=fact, said_at=None)
    assert nearest(space, "fact", "the oven is black") == ["The oven is black."]


def test_an_embedder_that_was_set_later_sees_what_was_there_before(space: Space, person: Actor, embedder: Wire) -> None:
    hold(make_topic(space, person), "The oven is black.")
    Job.objects.filter(kind=Job.Kind.EMBED).delete()
    assert request_missing() == 1
    embed_all(space)
    assert request_missing() == 0
    assert run_queued(space) == []
    assert Vector.objects.count() == 3


def test_an_empty_space_asks_for_nothing(space: Space, embedder: Wire) -> None:
    assert request_missing() == 0
