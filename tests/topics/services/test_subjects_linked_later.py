"""Conversations that were stored before there was a topic of their subject's name."""

from __future__ import annotations

from typing import Any

import pytest

from tests.topics.services.helpers import make_space, make_topic
from topics.changes import Actor
from topics.models import ChangeSet, Conversation, Space, Topic
from topics.services.conversations import MessageInput, store_messages
from topics.services.topics import add_alias, delete_topic, update_topic
from topics.services.undo import undo_change_set


def store(space: Space, conversation: str, subject: str) -> None:
    message = MessageInput(role="user", content="Our budget is 10,000 euros.")
    store_messages(space=space, conversation=conversation, messages=[message], subject=subject)


def subjects(space: Space) -> dict[str, Topic | None]:
    return {c.external_id: c.subject for c in Conversation.objects.filter(space=space).select_related("subject")}


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        ("Acme GmbH", "ACME  GmbH"),
        ("Dr. Liu", "Liu"),
        ("華鑫製造", "华鑫制造"),
        ("张伟先生", "张伟"),
        ("Ａcme", "Acme"),
    ],
)
def test_a_topic_that_is_created_later_is_linked(space: Space, person: Actor, sent: str, name: str) -> None:
    store(space, "a", sent)
    store(space, "b", "Beta AG")
    topic = make_topic(space, person, name)
    assert subjects(space) == {"a": topic, "b": None}


@pytest.mark.parametrize(
    ("sent", "name"), [("张先生", "张女士"), ("Liu", "Dr. Liu"), ("", "Acme"), ("Acme", "Acme Ltd")]
)
def test_another_name_is_not_linked(space: Space, person: Actor, sent: str, name: str) -> None:
    store(space, "a", sent)
    make_topic(space, person, name)
    assert subjects(space) == {"a": None}


def test_a_name_that_is_given_later_is_linked(space: Space, person: Actor) -> None:
    topic = make_topic(space, person, "Acme")
    store(space, "a", "user-1")
    store(space, "b", "Acme Holding")
    add_alias(topic=topic, actor=person, name="user-1")
    update_topic(topic=topic, actor=person, name="Acme Holding")
    assert subjects(space) == {"a": topic, "b": topic}


def test_no_other_space_and_no_other_subject_is_touched(space: Space, person: Actor) -> None:
    other, beta = make_space("other"), make_topic(space, person, "Beta")
    store(other, "a", "Acme")
    store(space, "b", "Beta")
    make_topic(space, person, "Acme")
    assert subjects(other) == {"a": None}
    assert subjects(space) == {"b": beta}


def test_the_topic_that_follows_a_deleted_one_is_linked(space: Space, person: Actor) -> None:
    store(space, "a", "Acme")
    first = make_topic(space, person, "Acme")
    delete_topic(topic=first, actor=person)
    second = make_topic(space, person, "Acme")
    assert subjects(space) == {"a": second}


def test_undoing_what_made_the_topic_and_doing_it_again(space: Space, person: Actor) -> None:
    store(space, "a", "Acme")
    topic = make_topic(space, person, "Acme")
    undo = undo_change_set(change=ChangeSet.objects.get(action="create_topic"), actor=person)
    store(space, "b", "Acme")
    assert subjects(space)["b"] is None
    undo_change_set(change=undo, actor=person)
    assert subjects(space) == {"a": topic, "b": topic}


def test_the_number_of_queries_is_bounded(space: Space, person: Actor, django_assert_max_num_queries: Any) -> None:
    for n in range(40):
        store(space, f"c{n}", "Acme")
    with django_assert_max_num_queries(24):
        make_topic(space, person, "Acme")
    assert None not in subjects(space).values()
