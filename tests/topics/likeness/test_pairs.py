"""What speaks for two topics being one, what speaks against it, and which pairs come of it."""

from __future__ import annotations

import time
from typing import Any

import pytest

from topics.likeness.contact import read_contact
from topics.likeness.names import Name
from topics.likeness.pairs import Pair, Profile, find_pairs


def profile(pk: Any, *names: str, kind: str = "other", facts: tuple[str, ...] = (), **contacts: str) -> Profile:
    read = [read_contact(sort, value) for sort, value in contacts.items()]
    assert None not in read
    return Profile(pk, tuple(map(Name, names)), kind, frozenset(c for c in read if c), frozenset(facts))


def codes(pair: Pair) -> list[str]:
    return [reason.code for reason in pair.reasons]


def only(*profiles: Profile) -> Pair | None:
    pairs = find_pairs(profiles)
    assert len(pairs) <= 1
    return next(iter(pairs), None)


def test_any_name_of_the_one_and_any_of_the_other() -> None:
    pair = only(profile(1, "Big Blue", "IBM"), profile(2, "International Business Machines"))
    assert pair is not None
    assert codes(pair) == ["abbreviation"]
    assert pair.reasons[0].values == ("IBM", "International Business Machines")


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ({"phone": "+86 138-0013-8000"}, {"手机号": "13800138000"}, "same_phone"),
        ({"email": "Mei@Acme.example"}, {"邮箱": "mei@acme.example"}, "same_email"),
        ({"微信": "mei_liu"}, {"wechat": "Mei_Liu"}, "same_account"),
        ({"facts": ("a", "b", "c")}, {"facts": ("a", "b", "c", "d")}, "shared_facts"),
    ],
)
def test_contact_data_and_facts_find_what_names_do_not(
    first: dict[str, Any], second: dict[str, Any], code: str
) -> None:
    pair = only(profile(1, "刘梅", **first), profile(2, "Mei Liu", **second))
    assert pair is not None
    assert codes(pair) == [code]


def test_the_same_address_counts_with_a_name_that_is_alike() -> None:
    places = {"first": "12224 Ventura Blvd., Studio City", "second": "12224 ventura boulevard, studio city"}
    art, deli = (
        profile(1, "Art's Delicatessen", address=places["first"]),
        profile(2, "Art's Deli", address=places["second"]),
    )
    assert only(art, profile(3, "Laundry", address=places["second"])) is None
    pair = only(art, deli)
    assert pair is not None
    assert "same_address" in codes(pair)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"birthday": "1980-01-02"}, {"birthday": "1991-03-04"}),
        ({"address": "8600 Beverly Blvd., Los Angeles"}, {"address": "221 W. 57th St., New York"}),
        ({"phone": "010-62345678", "email": "a@x.example"}, {"phone": "021-51234567", "email": "b@y.example"}),
    ],
)
def test_namesakes_are_told_apart(first: dict[str, str], second: dict[str, str]) -> None:
    assert only(profile(1, "王芳", "Hard Rock"), profile(2, "王芳", "Hard Rock")) is not None
    pair = only(profile(1, "王芳", "Hard Rock", **first), profile(2, "王芳", "Hard Rock", **second))
    assert pair is None or pair.score < 0.5


def test_a_short_form_goes_with_the_name_that_it_fits_best() -> None:
    pairs = find_pairs([profile(1, "文委会"), profile(2, "文化工作委员会"), profile(3, "中文教材编写组委员会")])
    assert [(pair.first, pair.second) for pair in pairs] == [(1, 2)]


def test_the_likeliest_comes_first_and_what_has_a_better_partner_is_left_out() -> None:
    street = "3434 Peachtree Rd., Atlanta"
    pairs = find_pairs(
        [
            profile("a", "Ritz-Carlton Cafe (Buckhead)", address=street),
            profile("b", "Cafe Ritz-Carlton Buckhead", address=street),
            profile("c", "Ritz-Carlton Dining Room (Buckhead)", address=street),
            profile("d", "Dining Room Ritz-Carlton Buckhead", address=street),
        ]
    )
    assert {frozenset((pair.first, pair.second)) for pair in pairs} == {frozenset("ab"), frozenset("cd")}
    assert [pair.score for pair in pairs] == sorted((pair.score for pair in pairs), reverse=True)


def test_only_pairs_of_those_that_are_asked_for() -> None:
    rows = [profile(1, "Acme Ltd"), profile(2, "Acme"), profile(3, "Globex Ltd"), profile(4, "Globex")]
    assert len(find_pairs(rows)) == 2
    assert [{pair.first, pair.second} for pair in find_pairs(rows, only={3})] == [{3, 4}]


def test_ten_thousand_topics_are_compared_in_seconds() -> None:
    rows = [profile(n, f"{'Firm' if n % 2 else '公司'} {n:05}", kind="customer") for n in range(10_000)]
    rows += [profile(20_000, "Zanzibar Holding"), profile(20_001, "Holding Zanzibar")]
    begun = time.perf_counter()
    pairs = find_pairs(rows)
    assert [{pair.first, pair.second} for pair in pairs] == [{20_000, 20_001}]
    assert time.perf_counter() - begun < 60
