from __future__ import annotations

from tests.extraction.embedding.conftest import person, space

__all__ = ["person", "space"]
