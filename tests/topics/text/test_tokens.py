"""Counting tokens: exact, and no text is too long."""

from __future__ import annotations

import pytest

from inference.tokens import estimate_tokens
from topics.text.tokens import count_tokens


@pytest.mark.parametrize("unit", ["Hello, world. ", "长话短说", "🙂", "a", "\n"])
def test_a_text_of_a_megabyte_and_more_is_counted(unit: str) -> None:
    text = unit * (2_000_000 // len(unit.encode()))
    piece = unit * (len(text) // 100 // len(unit))
    counted = count_tokens(text)
    assert counted == pytest.approx(100 * count_tokens(piece), rel=0.02)
    assert estimate_tokens([text]) == pytest.approx(counted, rel=0.001)


def test_words_are_counted_as_one_text_even_where_it_is_cut() -> None:
    sentence = "The budget for the kitchen is 18,000 euros."
    times = 3000
    assert count_tokens(" ".join([sentence] * times)) == times * count_tokens(" " + sentence)
