"""A day is one value, however it is written."""

import pytest

from .reading import only


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("Deadline: 3 June 2024", "deadline"),
        ("Deadline: 2024-06-03", "deadline"),
        ("Deadline: Monday, 3 June", "deadline"),
        ("The deadline is June 3rd, 2024.", "deadline"),
        ("Project deadline: 3 June 2024", "project deadline"),
        ("截止日期：2024年6月3日", "截止日期"),
        ("截止日期：6月3日", "截止日期"),
        ("截止时间是2024-06-03。", "截止日期"),
        ("上线时间：2024年6月3日", "上线时间"),
        ("上线时间定为6月3日。", "上线时间"),
        ("合同到2024年6月3日为止。", "合同到期日"),
        ("签证至2024年6月3日到期。", "签证到期日"),
    ],
)
def test_a_day_has_one_form(text: str, attribute: str) -> None:
    found = only(text)
    assert (found.attribute, found.value) == (attribute, "2024-06-03")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Deadline: June 2024", "2024-06"),
        ("Deadline: tba", "tba"),
        ("The venue is 3 June House.", "3 June House"),
        ("My birthday is 3 June.", "3 June"),
        ("地点：6月3日广场", "6月3日广场"),
    ],
)
def test_what_is_no_whole_day_stays_as_it_is(text: str, value: str) -> None:
    assert only(text).value == value


def test_a_day_until_which_something_waits_is_no_end_of_it() -> None:
    assert only("合同到2024年6月3日才能签。").attribute == ""
