"""Numbers are compared by what they mean, not by how they are written."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.extractors.llm.numerals import plain_decimal, quantities, stated


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("预算15万元", [15, 150000]),
        ("预算十五万元", [150000]),
        ("一百二十三人", [123]),
        ("两千零五", [2005]),
        ("二〇二四年", [2024]),
        ("一亿两千万", [120000000]),
        ("三点五倍", [Decimal("3.5")]),
        ("万元", []),
        ("$1.5 million", [Decimal("1.5"), 1500000]),
        ("150,000 euros", [150000]),
        ("40k a year", [40, 40000]),
        ("forty-two people", [42]),
        ("two hundred and five thousand", [205000]),
        ("the third option", [3]),
        ("１２ 月", [12]),
        ("no numbers here", []),
    ],
)
def test_quantities(text: str, expected: list[int | Decimal]) -> None:
    assert quantities(text) == {Decimal(number).normalize() for number in expected}


@pytest.mark.parametrize(
    ("text", "expected"),
    [("15万", "150000"), ("150,000", "150000"), ("十五", "15"), ("1.50", "1.5"), ("twelve", "12"), ("１２", "12"),
     ("Redis", ""), ("15 or 20", ""), ("", "")],
)  # fmt: skip
def test_plain_decimal(text: str, expected: str) -> None:
    assert plain_decimal(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("一起去一个地方", []), ("one of the two", []), ("预算15万", [150000]), ("十五个人", [15]), ("seven people", [7])],
)
def test_numbers_that_are_stated_without_doubt(text: str, expected: list[int]) -> None:
    assert stated(text) == {Decimal(number).normalize() for number in expected}


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    quantities(text)
    stated(text)
    plain_decimal(text)
