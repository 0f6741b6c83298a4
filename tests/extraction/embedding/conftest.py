"""A space whose texts a scripted endpoint turns into vectors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import override_settings

from tests.inference.embeddings.vectors import embedding_server
from tests.inference.wire import Wire
from tests.topics.services.helpers import make_person, make_space
from topics.changes import Actor
from topics.models import Space


@pytest.fixture
def space(transactional_db: None) -> Space:
    return make_space()


@pytest.fixture
def person(transactional_db: None) -> Actor:
    return make_person()


@pytest.fixture
def embedder(wire: Wire) -> Iterator[Wire]:
    """The settings name the endpoint; it answers with vectors of 64 dimensions."""
    wire.always(embedding_server())
    with override_settings(INFINI_EMBEDDER="openai", INFINI_EMBEDDING_MODEL="small", INFINI_MODEL=""):
        yield wire
