"""Which of many topics may be the same one: candidates that share something telling, and what speaks for and against.

The weights are log odds, set by hand; `benchmarks/duplicates.py` measures what they find.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, Literal

from topics.likeness.contact import parse_address, same_place, same_town
from topics.likeness.names import Likeness, Name, Vocabulary, compare

MOST_ALIKE = 60  # topics that share one clue; a clue that more share tells nothing
MUCH_LIKELIER = 0.1
SHORTEST_FULL = 3  # characters of a Chinese name that can be shortened
MOST_SHORT = 8

# Log odds.
PRIOR = -4.0
SAME_NAME, CONTAINED, SIMILAR, ABBREVIATION = 6.0, 5.0, 8.0, 8.0
SAME_ADDRESS, OTHER_ADDRESS, OTHER_STREET = 4.0, -5.0, -1.5
SAME_CONTACT, OTHER_CONTACT = 5.0, -1.5
SAME_BIRTHDAY, OTHER_BIRTHDAY = 1.5, -6.0
SHARED_FACT, MOST_FOR_FACTS = 1.5, 4.5
OTHER_KIND = -1.0

ReasonCode = Literal[
    "same_name", "contained", "similar", "abbreviation",
    "same_address", "other_address", "same_phone", "other_phone", "same_email", "other_email",
    "same_account", "other_account", "same_birthday", "other_birthday", "shared_facts", "other_kind",
]  # fmt: skip


@dataclass(frozen=True)
class Profile:
    """What is compared of one topic. `contacts` are (sort, value) of `read_contact`, `facts` keys of what it says."""

    id: Any
    names: tuple[Name, ...]
    kind: str = "other"
    contacts: frozenset[tuple[str, str]] = frozenset()
    facts: frozenset[str] = frozenset()

    @cached_property
    def by_sort(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for sort, value in self.contacts:
            found[sort].add(value)
        return found


@dataclass(frozen=True, slots=True)
class Reason:
    """Something that speaks for (`weight` > 0) or against two topics being one; `values` are what to show of it."""

    code: ReasonCode
    weight: float
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """Two profiles that may be the same topic; `score` is the probability that the weights amount to."""

    first: Any
    second: Any
    score: float
    reasons: tuple[Reason, ...] = field(default=())


def find_pairs(profiles: Sequence[Profile], *, only: Collection[Any] | None = None) -> list[Pair]:
    """The pairs of profiles that are more likely the same than not, the likeliest first.

    With `only` those with at least one of these ids. A short form that fits several names is paired with the one that
    it fits best, unless more than the names speaks for the others.
    """
    vocabulary = Vocabulary(name for profile in profiles for name in profile.names)
    by_id = {profile.id: profile for profile in profiles}
    judged = []
    for first, second in _candidates(profiles, only):
        reasons = judge(by_id[first], by_id[second], vocabulary)
        odds = PRIOR + sum(reason.weight for reason in reasons)
        if odds > 0:
            judged.append(Pair(first, second, 1 / (1 + math.exp(-odds)), tuple(reasons)))
    return sorted(_best_only(judged), key=lambda pair: -pair.score)


def judge(first: Profile, second: Profile, vocabulary: Vocabulary) -> list[Reason]:
    """What speaks for and against two profiles being of one topic."""
    reasons = [*_on_names(first, second, vocabulary), *_on_contacts(first, second)]
    shared = first.facts & second.facts
    if shared:
        weight = min(SHARED_FACT * len(shared), MOST_FOR_FACTS)
        reasons.append(Reason("shared_facts", weight, tuple(sorted(shared))))
    if first.kind != second.kind and "other" not in (first.kind, second.kind):
        reasons.append(Reason("other_kind", OTHER_KIND, (first.kind, second.kind)))
    return reasons


def _on_names(first: Profile, second: Profile, vocabulary: Vocabulary) -> Iterator[Reason]:
    found = [compare(a, b, vocabulary) for a in first.names for b in second.names]
    reasons = [_name_reason(likeness) for likeness in found if likeness is not None]
    best = max(reasons, key=lambda reason: reason.weight, default=None)
    if best is not None and best.weight > 0:
        yield best


def _name_reason(likeness: Likeness) -> Reason:
    values = (likeness.first, likeness.second)
    if likeness.kind == "same":
        return Reason("same_name", SAME_NAME, values)
    if likeness.kind == "contained":
        return Reason("contained", CONTAINED * (likeness.score - 0.2), values)
    if likeness.kind == "abbreviation":
        return Reason("abbreviation", ABBREVIATION * likeness.score, values)
    return Reason("similar", SIMILAR * (likeness.score - 0.35), values)


def _on_contacts(first: Profile, second: Profile) -> Iterator[Reason]:
    for sort in ("phone", "email", "account", "birthday", "address"):
        ours, theirs = first.by_sort.get(sort), second.by_sort.get(sort)
        if not ours or not theirs:
            continue
        same = _same_values(sort, ours, theirs)
        weights = {"address": (SAME_ADDRESS, OTHER_ADDRESS), "birthday": (SAME_BIRTHDAY, OTHER_BIRTHDAY)}
        speaks_for, speaks_against = weights.get(sort, (SAME_CONTACT, OTHER_CONTACT))
        if same:
            yield Reason(f"same_{sort}", speaks_for, (same,))  # type: ignore[arg-type]
        else:
            if sort == "address" and same_town(min(ours), min(theirs)):
                speaks_against = OTHER_STREET  # it may have moved, or have two doors
            yield Reason(f"other_{sort}", speaks_against, (min(ours), min(theirs)))  # type: ignore[arg-type]


def _same_values(sort: str, ours: Iterable[str], theirs: Collection[str]) -> str:
    if sort == "address":
        return next((a for a in sorted(ours) for b in sorted(theirs) if same_place(a, b)), "")
    return next((a for a in sorted(ours) if a in theirs), "")


# -------------------------------------------------------------------------------------------------------- candidates


def _candidates(profiles: Sequence[Profile], only: Collection[Any] | None) -> Iterator[tuple[Any, Any]]:
    """Pairs of ids that share a clue which few others share."""
    wanted = None if only is None else set(only)
    holders: dict[Any, list[Any]] = defaultdict(list)
    for profile in profiles:
        for clue in _clues(profile):
            holders[clue].append(profile.id)
    seen: set[tuple[Any, Any]] = set()
    for ids in holders.values():
        if not 2 <= len(ids) <= MOST_ALIKE:
            continue
        for pair in combinations(ids, 2):
            if pair not in seen and pair[0] != pair[1] and (wanted is None or wanted & {*pair}):
                seen.add(pair)
                yield pair
    for pair in _shortened(profiles, wanted):
        if pair not in seen and pair[::-1] not in seen:
            seen.add(pair)
            yield pair


def _clues(profile: Profile) -> set[Any]:
    clues: set[Any] = {("fact", key) for key in profile.facts}
    for sort, value in profile.contacts:
        clues |= _address_clues(value) if sort == "address" else {(sort, value)} if sort != "birthday" else set()
    for name in profile.names:
        clues.add(("name", name.key))
        clues |= {("word", piece) for piece in name.pieces if len(piece) > 1}
        if name.initials:
            clues.add(("initials", name.initials))
        elif len(name.words) == 1 and 2 <= len(name.words[0]) <= MOST_SHORT:
            clues.add(("initials", name.words[0]))
    return clues


def _address_clues(value: str) -> set[Any]:
    address = parse_address(value)
    return {("address", number, word) for number in address.numbers for word in address.street.split()[:3]}


def _shortened(profiles: Sequence[Profile], wanted: set[Any] | None) -> Iterator[tuple[Any, Any]]:
    """Chinese names that may be another one shortened: its first and last characters stand in the longer one."""
    shorts: dict[str, dict[str, list[tuple[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    hans = [(name.han, profile.id) for profile in profiles for name in profile.names if len(name.han) >= 2]
    for han, pk in hans:
        if len(han) <= MOST_SHORT:
            shorts[han[0]][han[-1]].append((han, pk))
    for full, pk in hans:
        if len(full) < SHORTEST_FULL:
            continue
        for at, character in enumerate(full):
            ends = shorts.get(character)
            if ends is None:
                continue
            for last in set(full[at + 1 :]) & ends.keys():
                for short, other in ends[last]:
                    if other != pk and len(short) < len(full) and (wanted is None or wanted & {pk, other}):
                        yield (other, pk)


def _best_only(pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Leave out a pair both of whose topics have a much likelier partner, and one for which only an abbreviation
    speaks when the short form is read better as another name."""
    by_topic: dict[Any, float] = {}
    by_short: dict[Any, float] = {}
    for pair in pairs:
        for topic in (pair.first, pair.second):
            by_topic[topic] = max(by_topic.get(topic, 0.0), pair.score)
        short = _short_of(pair)
        by_short[short] = max(by_short.get(short, 0.0), pair.score)
    for pair in pairs:
        short = _short_of(pair)
        is_best_full = short is None or pair.score == by_short[short] or _has_more(pair)
        if is_best_full and pair.score + MUCH_LIKELIER > min(by_topic[pair.first], by_topic[pair.second]):
            yield pair


def _short_of(pair: Pair) -> Any:
    """The shorter name of an abbreviation."""
    reason = next((reason for reason in pair.reasons if reason.code == "abbreviation"), None)
    return min(reason.values, key=len) if reason is not None else None


def _has_more(pair: Pair) -> bool:
    return any(reason.weight > 0 and reason.code != "abbreviation" for reason in pair.reasons)
