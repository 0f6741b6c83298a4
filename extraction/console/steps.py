"""The decisions that a person took in this session: what U takes back, and where that leads.

They are kept in the session, so that U never reaches for something decided on another machine or another day.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any, Self

from extraction.selectors.proposals import QueueFilter
from topics.console.access import ConsoleRequest
from topics.models import ChangeSet

KEY = "review_steps"
MOST = 50


@dataclass(frozen=True, slots=True)
class Step:
    """A change set, the proposal that the person looked at, and the queue it stood in (tab and filters)."""

    change: str
    proposal: str
    tab: str
    query: str

    @classmethod
    def all_of(cls, request: ConsoleRequest) -> list[Self]:
        """Those of this session, the newest last."""
        return [cls(*row) for row in request.session.get(KEY, [])]


def remember(request: ConsoleRequest, *, change: ChangeSet, proposal: Any, chosen: QueueFilter) -> None:
    """Note a decision; the oldest are forgotten."""
    step = Step(str(change.pk), str(proposal), chosen.tab, chosen.query)
    request.session[KEY] = [*request.session.get(KEY, []), list(astuple(step))][-MOST:]
