"""A conversation whose subject is gone: its messages are still read, and go to the topic that answers for it now."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from extraction.models import Conflict, Job
from extraction.services.intake import record_messages
from extraction.services.reading import prepare_reading
from tests.extraction.filing.helpers import approve, decide, file, found, propose, texts
from tests.topics.services.helpers import hold, make_space, make_topic
from topics.changes import Actor, change_set
from topics.models import ChangeSet, Conversation, Space, Topic
from topics.selectors.topics import topic_by_name
from topics.services.conversations import MessageInput
from topics.services.topics import delete_topic
from topics.services.undo import undo_change_set


@pytest.fixture
def fast(db: None) -> Space:
    return make_space("fast", review_policy="automatic")


def send(space: Space, text: str, subject: str = "") -> Job:
    message = MessageInput(role="user", content=text)
    job = record_messages(space=space, conversation="c1", messages=[message], subject=subject).job
    assert job is not None
    return job


def read(space: Space, text: str, subject: str = "") -> None:
    prepare_reading(send(space, text, subject))()


def undo_reading(actor: Actor) -> None:
    undo_change_set(change=ChangeSet.objects.filter(action="extract", undone_by=None).latest("pk"), actor=actor)


def merge(topic: Topic, into: Topic, actor: Actor) -> None:
    """As though somebody had merged them: the rows that a merge leaves."""
    with change_set(space=topic.space, actor=actor, action="merge_topics"):
        for alias in topic.aliases.filter(is_name=False):
            alias.delete()
        topic.status, topic.merged_into = Topic.Status.MERGED, into
        topic.save()


def test_after_the_undo_of_a_reading_its_conversation_is_read_on(fast: Space, person: Actor) -> None:
    read(fast, "The budget is 100 dollars.", subject="Acme")
    read(fast, "The supplier is Beta Ltd.", subject="Acme")
    assert Conversation.objects.get().subject == Topic.objects.get()
    undo_reading(person)
    undo_reading(person)
    assert Topic.objects.get().status == Topic.Status.DELETED
    read(fast, "The office is in Lyon.")
    topic = topic_by_name(fast, "Acme")
    assert topic is not None
    assert texts(topic) == ["The office is in Lyon."]


def test_a_deleted_subject_gives_way_to_the_topic_that_has_its_name(fast: Space, person: Actor) -> None:
    gone = make_topic(fast, person)
    send(fast, "Hello!", subject="Acme")
    delete_topic(topic=gone, actor=person)
    standing = make_topic(fast, person)
    read(fast, "The budget is 100 dollars.")
    assert texts(standing) == ["The budget is 100 dollars."]


def test_a_merged_subject_gives_way_to_its_survivor(fast: Space, person: Actor) -> None:
    merged, survivor = make_topic(fast, person), make_topic(fast, person, "Beta")
    send(fast, "Hello!", subject="Acme")
    merge(merged, survivor, person)
    read(fast, "The budget is 100 dollars.")
    assert texts(survivor) == ["The budget is 100 dollars."]


def test_a_topic_deleted_while_it_was_read_about_is_proposed_anew(fast: Space, person: Actor) -> None:
    topic = make_topic(fast, person)
    write = prepare_reading(send(fast, "The budget is 100 dollars.", subject="Acme"))
    delete_topic(topic=topic, actor=person)
    write()
    anew = topic_by_name(fast, "Acme")
    assert anew is not None
    assert texts(anew) == ["The budget is 100 dollars."]


def test_statements_of_a_topic_whose_making_was_undone_make_it_again(space: Space, person: Actor) -> None:
    first = propose(space, "Acme makes anvils.")
    change = decide(person, first).change_set
    assert change is not None
    undo_change_set(change=change, actor=person)
    filed = file(space, found(space, "Acme is in Leeds.", said_at=timezone.now() - timedelta(days=1)))
    assert [p.topic for p in filed.proposals] == [None]
    assert approve(person, filed.proposals[0]).status == "approved"
    topic = topic_by_name(space, "Acme")
    assert topic is not None
    assert texts(topic) == ["Acme is in Leeds."]


def test_a_statement_of_a_deleted_topic_is_told_so_and_opens_no_conflict(space: Space, person: Actor) -> None:
    topic = make_topic(space, person)
    proposal = propose(space, "The budget is 200.", topic=topic, attribute="budget", value="200")
    hold(topic, "The budget is 100.", attribute="budget", value="100")
    delete_topic(topic=topic, actor=person)
    result = approve(person, proposal)
    assert (result.status, result.code) == ("error", "topic_gone")
    assert not Conflict.objects.exists()
