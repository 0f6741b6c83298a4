"""A caller in a space whose model is the scripted endpoint."""

from __future__ import annotations

import pytest

from tests.contract.helpers import Api, make_api
from tests.inference.wire import Wire
from topics.models import Space
from topics.services.spaces import create_space, update_space


@pytest.fixture
def space(transactional_db: None) -> Space:
    """Turns are read at once, and only conflicts wait for a person."""
    space = create_space(slug="robots", review_policy="automatic", time_zone="Europe/Berlin")
    return update_space(space=space, changes={"read_after_turns": 0})


@pytest.fixture
def api(space: Space, wire: Wire) -> Api:
    return make_api(space, "read", "write")
