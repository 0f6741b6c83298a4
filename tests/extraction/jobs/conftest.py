from __future__ import annotations

from collections.abc import Callable

import pytest

from extraction.models import Job
from extraction.services import jobs
from tests.extraction.jobs.helpers import PROBE, make_space
from topics.models import Space

Handler = Callable[[Job], Callable[[], None]]


@pytest.fixture
def space(transactional_db: None) -> Space:
    """Committed for real: claims, leases and fences are about more than one connection."""
    return make_space()


@pytest.fixture
def handle(monkeypatch: pytest.MonkeyPatch) -> Callable[[Handler], None]:
    """Register the work of PROBE jobs for one test."""

    def register(handler: Handler) -> None:
        monkeypatch.setitem(jobs.HANDLERS, PROBE, handler)

    return register
