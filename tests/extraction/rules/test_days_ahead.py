"""What was decided is to come: a day without a year is the next one, and not the last."""

from datetime import datetime

import pytest

from .reading import SHANGHAI, only, read

NOVEMBER = datetime(2025, 11, 18, 10, 0, tzinfo=SHANGHAI)
MARCH = datetime(2026, 3, 3, 10, 0, tzinfo=SHANGHAI)
JUNE = datetime(2026, 6, 2, tzinfo=SHANGHAI)


@pytest.mark.parametrize("said_at", [NOVEMBER, MARCH])
@pytest.mark.parametrize(
    "text",
    [
        "We decided to launch on 2 June.",
        "We've agreed with Bosch to launch on 2 June.",
        "I chose to launch on June 2nd.",
        "The decision is to launch on 2 June.",
        "We agreed on 2 June as the launch date.",
        "We chose 2 June for the launch.",
        "我们决定6月2日上线。",
        "会议决定6月2日启动。",
        "我们决定6月2日上线了。",
        "我们选定了6月2日。",
    ],
)
def test_a_day_that_was_decided_on(text: str, said_at: datetime) -> None:
    found = only(text, at=said_at)
    assert (found.kind, found.valid_from) == ("decision", JUNE)


@pytest.mark.parametrize(
    "text",
    [
        "We have agreed that the pilot starts on 2 June.",
        "The board decided to open the plant on 2 June.",
        "The launch date is 2 June.",
        "发布日期定为6月2日。",
        "婚礼定于6月2日。",
    ],
)
def test_a_day_for_which_something_was_set(text: str) -> None:
    assert [(f.happened_at, f.certainty) for f in read(text, at=NOVEMBER)] == [(JUNE, "planned")]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("On 2 June we decided to launch.", datetime(2025, 6, 2, tzinfo=SHANGHAI)),
        ("We decided on 2 June to launch.", datetime(2025, 6, 2, tzinfo=SHANGHAI)),
        ("We decided to go to Rome on 2 June and had a great time.", datetime(2025, 6, 2, tzinfo=SHANGHAI)),
        ("We decided to launch on 2 June, but it was too early.", datetime(2025, 6, 2, tzinfo=SHANGHAI)),
        ("We chose Bosch as our supplier on 2 June.", datetime(2025, 6, 2, tzinfo=SHANGHAI)),
        ("我们决定8月2日去云南，玩了十天。", datetime(2025, 8, 2, tzinfo=SHANGHAI)),
    ],
)
def test_the_day_of_a_decision_and_of_what_came_of_it_is_past(text: str, day: datetime) -> None:
    assert only(text, at=NOVEMBER).valid_from == day


def test_what_was_is_not_to_come() -> None:
    assert only("The launch date was 2 June.", at=NOVEMBER).happened_at == datetime(2025, 6, 2, tzinfo=SHANGHAI)
    assert only("We agreed that the launch on 2 June went well.", at=NOVEMBER).certainty == "confirmed"


def test_the_month_of_may_is_no_doubt() -> None:
    found = only("On 3 May we decided to launch on 2 June.", at=MARCH)
    assert (found.kind, found.certainty) == ("decision", "confirmed")
