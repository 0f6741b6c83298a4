"""Comparing the clauses of two statements."""

from __future__ import annotations

from typing import Literal

from extraction.contradiction.measures import moved_on
from extraction.contradiction.reading import Clause, Side, are_apart, are_of_two, read
from extraction.contradiction.switches import switched_over

Why = Literal["", "negation", "value"]

SAME_MATTER = 0.5  # share of the terms of two sides, of all that either has, that both have
SAME_COUNT = 0.65  # the same of two clauses that give a number each
OF_CLAIM = 0.4  # share of a claim's terms that a denial of it in fewer words has
OF_DENIAL = 0.6  # share of a denial's terms that a claim in fewer words has
NEVER_SO = 3  # terms of a denial by "never", all of which a claim has
ALIKE, MANY = 0.6, 5  # share of the terms of each, and their number, where both have terms of their own


def clash(first: str, second: str) -> Why:
    """How two statements about one topic contradict one another: "negation", another "value", or "" if neither."""
    found: Why = next((why for a in read(first) for b in read(second) if (why := _clash(a, b))), "")
    return found or ("value" if moved_on(first, second) or switched_over(first, second) else "")


def shows_denial(text: str) -> bool:
    """Whether the words show that something is denied."""
    return any(clause.denied or any(side.denied for side in clause.sides) for clause in read(text))


def _clash(a: Clause, b: Clause) -> Why:
    if a.subject != b.subject or a.times != b.times or a.acts != b.acts or are_apart(a.which, b.which):
        return ""
    if a.sides:
        opposed = [x for x in a.sides for y in b.sides if _opposed(x, y)]
        return "negation" if opposed and _same_matter(a, b, SAME_MATTER, alone=opposed[0].complete) else ""
    if a.denied != b.denied:
        return "negation" if (_denies(a, b) if a.denied else _denies(b, a)) else ""
    if a.denied or not (a.lasts and b.lasts and len(a.numbers) == len(b.numbers) == 1):
        return ""
    (number, counted), (other, also_counted) = a.numbers[0], b.numbers[0]
    another = number != other and counted == also_counted and not are_of_two(a.rated, b.rated)
    return "value" if another and _same_matter(a, b, SAME_COUNT, alone=False) else ""


def _opposed(a: Side, b: Side) -> bool:
    if a.pair != b.pair:
        return False
    if a.second == b.second:
        return a.denied != b.denied
    return a.denied == b.denied and (a.complete or not a.denied)


def _same_matter(a: Clause, b: Clause, share: float, *, alone: bool) -> bool:
    """Whether both are about the same. `alone`: what they take sides in needs no object (who is married, is)."""
    both = a.terms | b.terms
    return len(a.terms & b.terms) / len(both) >= share if both else alone


def _denies(denial: Clause, claim: Clause) -> bool:
    """Whether the one denies what the other claims.

    A denial in fewer words denies more: no coffee at all denies coffee in the morning. One in more words may leave
    room, so it must say little else. Where each names what the other does not, they may be about two things. What never
    was so was not so in any particular way either. Whoever wants no calls has a number all the same: that is denied
    only by what gives one too.
    """
    if claim.reached and not denial.reached:
        return False
    shared = len(denial.terms & claim.terms)
    if not shared or (shared == 1 and denial.terms != claim.terms):  # one word in common is no common matter
        return False
    of_denial, of_claim = shared / len(denial.terms), shared / len(claim.terms)
    if of_denial == 1:
        return of_claim >= OF_CLAIM or (denial.never and shared >= NEVER_SO)
    if of_claim == 1:
        return of_denial >= OF_DENIAL
    return shared >= MANY and min(of_denial, of_claim) >= ALIKE
