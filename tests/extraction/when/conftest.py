from __future__ import annotations

import pytest

from topics.models import Space
from topics.services.spaces import create_space, update_space


@pytest.fixture
def space(db: None) -> Space:
    """A space whose conversations are read after three turns, 200 tokens or ten minutes of silence."""
    return gathering_space()


@pytest.fixture
def shared_space(transactional_db: None) -> Space:
    """The same, committed for real: for tests with more than one connection, or that run jobs."""
    return gathering_space()


def gathering_space() -> Space:
    thresholds = {"read_after_turns": 3, "read_after_tokens": 200, "read_after_seconds": 600}
    return update_space(space=create_space(slug="acme"), changes=thresholds)
