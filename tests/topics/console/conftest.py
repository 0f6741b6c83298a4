"""A space with an admin, and short ways to put words and facts into it."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from topics.changes import Actor
from topics.models import Fact, Membership, Message, Space, Topic
from topics.services.conversations import MessageInput, store_messages
from topics.services.spaces import create_space, set_member
from topics.services.statements import FactDraft, Span, commit_facts
from topics.services.topics import create_topic

SAID = datetime(2024, 5, 8, 13, 56, tzinfo=UTC)


@pytest.fixture
def space(db: None) -> Space:
    return create_space(slug="sales", name="Enterprise sales")


@pytest.fixture
def user(space: Space) -> User:
    person = User.objects.create_user("maya", first_name="Maya", last_name="Ortiz", password="secret-word")
    set_member(space=space, user=person, role=Membership.Role.ADMIN)
    return person


@pytest.fixture
def actor(user: User) -> Actor:
    return Actor.person(user)


@pytest.fixture
def signed_in(client: Client, user: User) -> Client:
    """A client signed in as the admin."""
    client.force_login(user)
    return client


@pytest.fixture
def topic(space: Space, actor: Actor) -> Topic:
    return create_topic(space=space, actor=actor, name="Acme renewal", kind=Topic.Kind.PROJECT, aliases=["Acme 续约"])


@pytest.fixture
def say(space: Space) -> Callable[..., Message]:
    """Store one message and return it: `say("We need 150 seats.")`."""
    count = 0

    def store(content: str, *, conversation: str = "call", **fields: Any) -> Message:
        nonlocal count
        count += 1
        sent = MessageInput(
            role=fields.pop("role", "user"),
            content=content,
            id=f"m{count}",
            name=fields.pop("name", "Zhang Wei"),
            said_at=fields.pop("said_at", SAID),
        )
        return store_messages(space=space, conversation=conversation, messages=[sent]).messages[0]

    return store


@pytest.fixture
def learn(space: Space, actor: Actor, say: Callable[..., Message]) -> Callable[..., Fact]:
    """Commit a fact that stands word for word in a message of its own: `learn(topic, "We need 150 seats.")`."""

    def commit(topic: Topic, text: str, *, within: str = "", **fields: Any) -> Fact:
        message = say(within or text)
        start = message.content.index(text)
        draft = FactDraft(topic=topic, text=text, spans=[Span(message, start, start + len(text))], **fields)
        return commit_facts(space=space, actor=actor, drafts=[draft])[0]

    return commit
