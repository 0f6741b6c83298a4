"""Who is away, from which day to which."""

from datetime import datetime

import pytest

from .reading import SHANGHAI, only, read

NOVEMBER = datetime(2025, 11, 18, 10, 0, tzinfo=SHANGHAI)


def day(year: int, month: int, day_: int) -> datetime:
    return datetime(year, month, day_, tzinfo=SHANGHAI)


@pytest.mark.parametrize("subject", [None, "Nordwind"])
@pytest.mark.parametrize(
    "text",
    [
        "I'm on holiday from 3 to 10 May.",
        "I'm on holiday from 3 May to 10 May.",
        "I'm on vacation 3-10 May.",
        "I'll be away May 3-10.",
        "I am out of office between 3 and 10 May.",
        "我5月3日到10日休假。",
        "我从5月3日到5月10日休假。",
        "我5月3号至10号不在公司。",
    ],
)
def test_an_absence_holds_from_its_first_day_to_its_last(text: str, subject: str | None) -> None:
    found = only(text, at=NOVEMBER, subject=subject)
    assert (found.kind, found.certainty, found.negated) == ("status", "planned", False)
    assert (found.valid_from, found.valid_until) == (day(2026, 5, 3), day(2026, 5, 10))


@pytest.mark.parametrize("text", ["I'm on holiday from 3 to 10 May.", "我5月3日到10日休假。"])
def test_said_in_the_middle_of_it_it_has_begun(text: str) -> None:
    found = only(text, at=datetime(2026, 5, 5, 10, 0, tzinfo=SHANGHAI))
    assert (found.valid_from, found.valid_until, found.certainty) == (day(2026, 5, 3), day(2026, 5, 10), "confirmed")


@pytest.mark.parametrize("text", ["We are away from 24 December to 2 January.", "我们12月24日到1月2日放假。"])
def test_it_may_last_into_the_next_year(text: str) -> None:
    found = only(text, at=NOVEMBER)
    assert (found.valid_from, found.valid_until) == (day(2025, 12, 24), day(2026, 1, 2))


def test_an_absence_that_is_over_is_past() -> None:
    found = only("I was on holiday from 3 to 10 May.", at=NOVEMBER)
    assert (found.valid_from, found.valid_until, found.certainty) == (day(2025, 5, 3), day(2025, 5, 10), "confirmed")


@pytest.mark.parametrize("text", ["I'm away on 5 May.", "我5月5日请假。"])
def test_a_single_day_is_an_entry(text: str) -> None:
    found = only(text, at=NOVEMBER)
    assert (found.kind, found.happened_at, found.certainty) == ("timeline", day(2026, 5, 5), "planned")


@pytest.mark.parametrize("text", ["I'm on holiday today.", "I'm away.", "我今天请假。", "我不休假。"])
def test_what_is_over_by_tomorrow_is_not_kept(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("The conference is on 3-5 May.", day(2026, 5, 3)),
        ("We moved the launch from 3 to 10 May.", day(2026, 5, 10)),
        ("培训是5月3日到5日。", day(2026, 5, 3)),
        ("发布从5月3日改到10日。", day(2026, 5, 10)),
    ],
)
def test_other_days_in_a_row(text: str, first: datetime) -> None:
    found = only(text, at=NOVEMBER)
    assert first in (found.happened_at, found.valid_from) or found.value == f"{first:%Y-%m-%d}"


def test_what_is_closed_since_a_day_has_been_so_since_then() -> None:
    assert only("The deal is closed since 3 May.", at=NOVEMBER).valid_from == day(2025, 5, 3)


def test_what_is_off_the_table_is_not_away() -> None:
    assert read("The position is off the table until 3 May.") == []
