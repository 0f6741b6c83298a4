from __future__ import annotations

import pytest

from tests.contract.helpers import Api, World, make_api, make_world
from topics.models import Space
from topics.services.spaces import create_space


@pytest.fixture
def space(db: None) -> Space:
    return create_space(slug="acme")


@pytest.fixture
def automatic(db: None) -> Space:
    """A space in which only conflicts wait for a person."""
    return create_space(slug="robots", review_policy="automatic")


@pytest.fixture
def api(space: Space) -> Api:
    """A caller with every scope."""
    return make_api(space)


@pytest.fixture
def stranger(db: None) -> Api:
    """A caller with every scope in another space."""
    return make_api(create_space(slug="other"))


@pytest.fixture
def world(automatic: Space) -> World:
    """One of everything that a route can name."""
    return make_world(automatic)
