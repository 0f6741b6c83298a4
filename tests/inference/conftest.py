"""A space whose model is the scripted endpoint."""

from __future__ import annotations

import pytest

from inference.client import ChatModel, chat_model
from tests.inference.wire import Wire
from topics.models import Space
from topics.services.spaces import create_space


@pytest.fixture
def space(db: None) -> Space:
    return create_space(slug="acme", time_zone="Asia/Shanghai")


@pytest.fixture
def model(space: Space, wire: Wire) -> ChatModel:
    found = chat_model(space, reference="a conversation")
    assert found is not None
    return found
