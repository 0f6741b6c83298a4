"""The decisions that a person took in this session: about which item each was, and where U leads back to."""

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

    @classmethod
    def of(cls, request: ConsoleRequest, change: ChangeSet) -> Self | None:
        """The one that wrote this change set; None for one of another session."""
        return next((step for step in cls.all_of(request) if step.change == str(change.pk)), None)

    @classmethod
    def asked_in(cls, request: ConsoleRequest) -> dict[str, str]:
        """The id of each change set → that of the proposal which the person decided."""
        return {step.change: step.proposal for step in cls.all_of(request)}


def remember(request: ConsoleRequest, *, change: ChangeSet, proposal: Any, chosen: QueueFilter) -> None:
    """Note a decision; the oldest are forgotten."""
    step = Step(str(change.pk), str(proposal), chosen.tab, chosen.query)
    request.session[KEY] = [*request.session.get(KEY, []), list(astuple(step))][-MOST:]
