"""The readable difference of two texts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topics.text.diff import word_diff


def test_words_that_changed_stand_as_phrases() -> None:
    assert word_diff("Legal review is planned for May.", "Legal review has started in May.") == [
        ("same", "Legal review "),
        ("remove", "is planned for"),
        ("add", "has started in"),
        ("same", " May."),
    ]


def test_a_number_is_one_word() -> None:
    assert word_diff("Budget: US$84,000 a year", "Budget: US$96,500 a year") == [
        ("same", "Budget: US$"),
        ("remove", "84,000"),
        ("add", "96,500"),
        ("same", " a year"),
    ]


def test_chinese_is_compared_by_character() -> None:
    assert word_diff("总预算10万元，8月完工", "总预算12万元，9月完工") == [
        ("same", "总预算"),
        ("remove", "10"),
        ("add", "12"),
        ("same", "万元，"),
        ("remove", "8"),
        ("add", "9"),
        ("same", "月完工"),
    ]
    assert word_diff("采用有线方案", "采用无线方案") == [
        ("same", "采用"),
        ("remove", "有"),
        ("add", "无"),
        ("same", "线方案"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", []),
        ("", "new", [("add", "new")]),
        ("old", "", [("remove", "old")]),
        ("same", "same", [("same", "same")]),
    ],
)
def test_an_empty_side_is_all_added_or_all_removed(old: str, new: str, expected: list[tuple[str, str]]) -> None:
    assert word_diff(old, new) == expected


@settings(max_examples=80, deadline=None)
@given(st.text("ab ,.\n张先生\u0301é0", max_size=60), st.text("ab ,.\n张先生\u0301é0", max_size=60))
def test_both_texts_can_be_read_from_the_pieces(old: str, new: str) -> None:
    pieces = word_diff(old, new)
    assert "".join(text for operation, text in pieces if operation != "add") == old
    assert "".join(text for operation, text in pieces if operation != "remove") == new
    assert all(text for _operation, text in pieces)
