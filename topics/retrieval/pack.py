"""Filling the budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from itertools import zip_longest
from uuid import UUID

from topics.retrieval.items import Item

# After this many lines in a row of the order did not fit, the rest is left.
MOST_MISSES = 30
# What a passage of a message is worth less for each better one of the message: it adds less than another message.
OF_MESSAGE = 1.5


def in_order(items: Sequence[Item]) -> list[Item]:
    """The items, the best first. Each passage takes something from the worth of the others of its message."""
    worth = [item.value for item in items]
    better: Counter[UUID] = Counter()
    for place in sorted(range(len(items)), key=lambda place: -worth[place]):
        if message_id := items[place].row["message_id"]:
            worth[place] -= OF_MESSAGE * better[message_id]
            better[message_id] += 1
    return [items[place] for place in sorted(range(len(items)), key=lambda place: -worth[place])]


def named_first(items: Sequence[Item], topics: Collection[UUID], budget: int) -> list[Item]:
    """The items in their order, but in the places of the statements first those of the topics, the best of them that
    cost no more than the budget together, though at least one. Turns keep their places."""
    statements = [item for item in items if item.statement_id]
    first: list[Item] = []
    for item in statements:
        if not item.topics.isdisjoint(topics):
            budget -= item.cost
            if first and budget < 0:
                break
            first.append(item)
    taken = {id(item) for item in first}
    placed = iter([*first, *(item for item in statements if id(item) not in taken)])
    return [next(placed) if item.statement_id else item for item in items]


def by_fit(items: Sequence[Item], topics: Sequence[UUID]) -> list[Item]:
    """The items as they fit the question, whatever they cost. Of the first few, however many, half are of the topics
    that it names, and of each of these as many: an alias in another language shares no word with what is held."""
    best = sorted(items, key=lambda item: -item.score)
    of_each = [[item for item in best if topic in item.topics] for topic in topics]
    ways = [(item for turn in zip_longest(*of_each) for item in turn if item is not None), iter(best)]
    found: dict[int, Item] = {}
    while len(found) < len(items):
        for way in ways:
            item = next((item for item in way if id(item) not in found), None)
            if item is not None:
                found[id(item)] = item
    return list(found.values())


class Packer:
    """Takes items in the order of their value as long as they fit, and skips those that do not.

    `header` gives an item's group and what the first item of a group costs on top.
    """

    def __init__(self, budget: int, header: Callable[[Item], tuple[Hashable, int]]) -> None:
        self.left = budget
        self.chosen: list[Item] = []
        self._header = header
        self._groups: set[Hashable] = set()
        self._taken: set[int] = set()

    def fill(self, items: Sequence[Item]) -> None:
        """Take what fits of items that are in order."""
        self._fill(items, self.left)

    def fill_fairly(self, items: Sequence[Item], topics: Sequence[UUID]) -> None:
        """Take what fits, but give each of several named topics its part of half the budget first, so that none crowds
        out another."""
        if len(topics) > 1:
            share = self.left // (2 * len(topics))
            for topic in topics:
                self._fill([item for item in items if topic in item.topics], share)
        self.fill(items)

    def _fill(self, items: Sequence[Item], limit: int) -> None:
        misses = 0
        for item in items:
            if id(item) in self._taken:
                continue
            group, header_cost = self._header(item)
            cost = item.cost + (0 if group in self._groups else header_cost)
            if cost > limit:
                misses += 1
                if misses >= MOST_MISSES:
                    return
                continue
            limit -= cost
            self.left -= cost
            self._groups.add(group)
            self._taken.add(id(item))
            self.chosen.append(item)
