"""A space whose embedder is the scripted endpoint."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import override_settings

from inference.embeddings import Embedder, embedder_for
from tests.inference.conftest import space
from tests.inference.wire import Wire
from topics.models import Space

__all__ = ["space"]


@pytest.fixture
def embedder(space: Space, wire: Wire) -> Iterator[Embedder]:
    with override_settings(INFINI_EMBEDDER="openai", INFINI_EMBEDDING_MODEL="wire-vectors"):
        found = embedder_for(space, reference="a test")
        assert found is not None
        yield found
