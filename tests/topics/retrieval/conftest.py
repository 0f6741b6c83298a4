from __future__ import annotations

import pytest

from tests.topics.services.helpers import make_person, make_space, make_topic
from topics.changes import Actor
from topics.models import Space, Topic


@pytest.fixture
def person(db: None) -> Actor:
    return make_person()


@pytest.fixture
def space(db: None) -> Space:
    """A space whose agents see every turn."""
    return make_space(review_policy=Space.ReviewPolicy.AUTOMATIC)


@pytest.fixture
def reviewed(db: None) -> Space:
    """A space whose agents see what was approved, and the quoted words behind it."""
    return make_space("reviewed")


@pytest.fixture
def closed(db: None) -> Space:
    """A space whose agents see statements only."""
    space = make_space("closed")
    space.source_turns = Space.SourceTurns.NONE
    space.save()
    return space


@pytest.fixture
def topic(reviewed: Space, person: Actor) -> Topic:
    return make_topic(reviewed, person, "Acme", kind="customer")
