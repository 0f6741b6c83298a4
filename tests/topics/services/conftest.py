from __future__ import annotations

import pytest

from tests.topics.services.helpers import make_agent, make_person, make_space, make_topic
from topics.changes import Actor
from topics.models import Space, Topic


@pytest.fixture
def space(db: None) -> Space:
    return make_space()


@pytest.fixture
def person(db: None) -> Actor:
    return make_person()


@pytest.fixture
def agent(space: Space) -> Actor:
    return make_agent(space)


@pytest.fixture
def topic(space: Space, person: Actor) -> Topic:
    return make_topic(space, person)
