from __future__ import annotations

from tests.topics.services.conftest import agent, person, space, topic

__all__ = ["agent", "person", "space", "topic"]
