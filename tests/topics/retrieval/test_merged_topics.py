"""What agents get after a merge: one document, everything once, under every id and name that it ever had."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from tests.topics.services.helpers import hold, make_topic
from topics.changes import Actor
from topics.models import ChangeSet, Space, Topic
from topics.retrieval.answer import MemoryAnswer
from topics.retrieval.index import rebuild_index
from topics.retrieval.query import query_memory
from topics.services.conversations import MessageInput, store_messages
from topics.services.merging import merge_topics
from topics.services.undo import undo_change_set


def ask(space: Space, question: str, **values: object) -> MemoryAnswer:
    return query_memory(space=space, question=question, max_tokens=1500, now=timezone.now(), **values)  # type: ignore[arg-type]


def merged(space: Space, person: Actor) -> tuple[Topic, Topic]:
    survivor, other = make_topic(space, person), make_topic(space, person, "Globex")
    hold(survivor, "The office is in Leeds.")
    hold(other, "the office is in Leeds")
    hold(other, "The owner is Mei.")
    sent = [MessageInput(role="user", content="Sundays are closed.")]
    store_messages(space=space, conversation="c1", messages=sent, subject="Globex")
    merge_topics(space=space, survivor=survivor, others=[other], actor=person)
    return survivor, other


def test_every_fact_is_told_once_under_any_name(space: Space, person: Actor) -> None:
    survivor, _other = merged(space, person)
    for question in ("Where is the office of Acme?", "Where is the office of Globex?"):
        answer = ask(space, question)
        assert {topic.id for topic in answer.topics} == {survivor.pk}
        facts = [fact.text for topic in answer.topics for fact in topic.facts]
        assert facts.count("The office is in Leeds.") == 1
        assert "the office is in Leeds" not in facts


def test_conversations_about_the_other_are_found_with_the_survivor(space: Space, person: Actor) -> None:
    space.source_turns, space.review_policy = "all", "automatic"
    space.save()
    survivor, _other = merged(space, person)
    assert "Sundays are closed." in ask(space, "When is it closed?", topic_ids=[survivor.pk]).context


def test_the_index_can_be_rebuilt(space: Space, person: Actor) -> None:
    merged(space, person)
    before = ask(space, "Where is the office of Acme?").topics
    rebuild_index(space)
    assert ask(space, "Where is the office of Acme?").topics == before


def test_as_of_tells_what_was_held_before_the_merge(space: Space, person: Actor) -> None:
    merged(space, person)
    change = ChangeSet.objects.get(action="merge_topics")
    then = ask(space, "Where is the office of Globex?", as_of=change.at - timedelta(microseconds=1))
    assert len([fact for topic in then.topics for fact in topic.facts if "Leeds" in fact.text]) == 2


def test_after_undo_each_topic_tells_its_own(space: Space, person: Actor) -> None:
    survivor, other = merged(space, person)
    undo_change_set(change=ChangeSet.objects.get(action="merge_topics"), actor=person)
    answer = ask(space, "Who is the owner of Globex?", topic_ids=[other.pk])
    assert {topic.id for topic in answer.topics} == {other.pk}
    assert "Mei" not in ask(space, "Who is the owner?", topic_ids=[survivor.pk]).context
