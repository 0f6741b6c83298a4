"""What change sets decided without writing a statement, told by whoever knows of such decisions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from topics.models import ChangeSet, Topic
from topics.signals import collect_decisions


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision: what was done with which text, about which topic, and the address of the item."""

    title: str
    topic: Topic | None
    address: str


@dataclass(frozen=True, slots=True)
class Decisions:
    """The first decisions of a change set, and how many it holds."""

    first: list[Decided] = field(default_factory=list)
    count: int = 0

    @property
    def more(self) -> int:
        """How many there are beyond the first."""
        return self.count - len(self.first)


def decisions_of(changes: Collection[ChangeSet], *, most: int) -> dict[UUID, Decisions]:
    """Change set id → what it decided, of each at most `most`, and none for one that decided nothing."""
    answers: Any = collect_decisions.send(ChangeSet, changes=changes, most=most)
    found: dict[UUID, Decisions] = defaultdict(Decisions)
    for _receiver, decisions in answers:
        found.update(decisions)
    return found
