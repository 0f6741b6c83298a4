from __future__ import annotations

import pytest

from topics.models import Space
from topics.services.spaces import create_space


@pytest.fixture
def space(db: None) -> Space:
    return create_space(slug="acme", time_zone="Asia/Shanghai")
