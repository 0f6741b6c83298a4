"""A topic with four facts in a space whose model is the scripted endpoint."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from extraction.models import Job
from tests.inference.wire import Wire, serve
from tests.topics.services.helpers import hold, make_person, make_space, make_topic
from topics.changes import Actor
from topics.models import Fact, Space, Topic


@pytest.fixture
def wire(settings: Settings) -> Iterator[Wire]:
    with serve() as wire:
        settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY = wire.url, "wire-key"
        settings.INFINI_MODEL = "wire-model"
        yield wire


@pytest.fixture
def space(transactional_db: None, wire: Wire) -> Space:
    """Committed for real: no model is asked inside a transaction."""
    return make_space()


@pytest.fixture
def person(space: Space) -> Actor:
    return make_person()


@pytest.fixture
def topic(space: Space, person: Actor) -> Topic:
    return make_topic(space, person, "Acme")


@pytest.fixture
def facts(topic: Topic) -> list[Fact]:
    """f1 to f4, in this order. Their summary waits to be made."""
    return [
        hold(topic, "Acme makes anvils in Leeds.", kind="fact"),
        hold(topic, "The budget of Acme is 40,000 euros.", kind="number", attribute="budget", value="40000"),
        hold(topic, "Acme decided to go with option A.", kind="decision"),
        hold(topic, "Acme prefers email to phone.", kind="preference"),
    ]


@pytest.fixture
def job(facts: list[Fact]) -> Job:
    """The job that makes the summary of these facts."""
    return Job.objects.get(kind=Job.Kind.SUMMARISE)
