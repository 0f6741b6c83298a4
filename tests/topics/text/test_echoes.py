"""What a text repeats of a block of memory is told from its own words."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topics.text.echoes import markers_in, outside_blocks, without_echoes, without_markers


def own(text: str) -> str:
    return "|".join(text[start:end].strip() for start, end in without_echoes(text) if text[start:end].strip())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The budget is 4 euros [1]. We like oak.", "We like oak."),
        ("The budget is 4.5 euros. [1][2] We like oak.", "We like oak."),
        ("[1] Mia, 2024-05-08: The budget. It is 4.\n[2] x: y\nWe like oak.", "We like oak."),
        (" - [1, 2] The budget. It is 4.\nWe like oak.", "We like oak."),
        ("预算是4万元[1]。我喜欢橡木。【2】我住在北京。", "我住在北京。"),
        ("We like oak.\n<memory id=3>\n[1] a\n</memory id=3>\nHello.", "We like oak.|Hello."),
        ("We like oak. <memory id=3> a b c", "We like oak."),
        ("See [1](http://example.org) and [2024] and list[] and [x].",) * 2,
        ("We like oak.",) * 2,
        ("", ""),
    ],
)
def test_own_words_are_what_cites_nothing(text: str, words: str) -> None:
    assert own(text) == words


def test_markers_are_numbers_each_once() -> None:
    assert markers_in("a [2] b [1, 2]【03】 c [4](x) [x] [1000]") == ["2", "1", "3"]
    assert without_markers("a [2] b[1, 2]. 【03】") == "a b."


@given(st.text(alphabet="[]【】()12, .。\n<memory/> ab", max_size=80))
def test_the_spans_are_in_order_and_cite_nothing(text: str) -> None:
    position = 0
    for start, end in without_echoes(text):
        assert position <= start <= end <= len(text)
        position = end
        assert any(first <= start and end <= last for first, last in outside_blocks(text))


@pytest.mark.parametrize(
    "text", ["[1] " * 100_000, "a [1] " + "." * 400_000 + "x", "a [1] " + "\t" * 400_000, "a [1]" + "\n[1] x" * 50_000]
)
def test_long_texts_take_no_longer_than_their_length(text: str) -> None:
    began = time.process_time()
    list(without_echoes(text))
    assert time.process_time() - began < 3
