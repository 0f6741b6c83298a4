"""A space with a reviewer, and proposals from one conversation."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from extraction.models import Proposal
from tests.extraction.console.story import approve, make_member, make_space, make_topic, tell
from topics.models import Space, Topic


@pytest.fixture
def space(db: None) -> Space:
    return make_space()


@pytest.fixture
def reviewer(space: Space) -> User:
    return make_member(space, "lin")


@pytest.fixture
def desk(client: Client, reviewer: User) -> Client:
    """A client signed in as the reviewer."""
    client.force_login(reviewer)
    return client


@pytest.fixture
def topic(space: Space) -> Topic:
    return make_topic(space, "Acme renewal")


@pytest.fixture
def facts(space: Space, topic: Topic) -> list[Proposal]:
    """Three statements about the topic, in the order in which they were said."""
    found = tell(
        space,
        "> What is the budget?",
        "Our budget is 84,000 euros a year.",
        "> And the plan?",
        "We decided to go with option A.",
        "> Anything else?",
        "The pilot went live on 1 April.",
        subject="Acme renewal",
    )
    assert [p.kind for p in found] == ["fact", "fact", "timeline"]
    return found


@pytest.fixture
def new_topic(space: Space, topic: Topic) -> Proposal:
    """A proposed topic for which two statements wait."""
    found = tell(space, "I prefer email to phone.", "I like green tea.", subject="Acme renewal", speaker="Nora Lind")
    assert [p.kind for p in found] == ["topic", "fact", "fact"]
    return found[0]


@pytest.fixture
def contested(space: Space, facts: list[Proposal]) -> Proposal:
    """A proposal that contradicts an approved fact."""
    approve(space, facts[0])
    found = tell(space, "Our budget is now 60,000 euros a year.", subject="Acme renewal")
    assert found[0].conflict.fact.text == "Our budget is 84,000 euros a year."
    return found[0]
