"""The words that a model quotes are found in the message, and what is kept is the message's own writing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.extractors.llm.quotes import Folded


def found(words: str, text: str) -> str | None:
    span = Folded.of(text).find(words)
    return None if span is None else text[span[0] : span[1]]


@pytest.mark.parametrize(
    ("words", "text", "expected"),
    [
        ("我们的预算是15万元", "好的。我们的预算是15万元，下周签。", "我们的预算是15万元"),
        ("I live in Lyon", "Well,  I  live\nin Lyon now.", "I  live\nin Lyon"),
        ("预算是15万", "预 算 是１５万", "预 算 是１５万"),
        ("ABC项目", "关于ＡＢＣ项目的事", "ＡＢＣ项目"),
        ('she said "yes"', "Then she said “yes” twice", "she said “yes”"),
        ("it's Tuesday", "I think IT’S Tuesday", "IT’S Tuesday"),
        ("2020-2024", "from 2020–2024 on", "2020–2024"),
        ("I moved to Rome.", "Last year I moved to Rome, finally", "I moved to Rome"),
        ("café", "the cafe\u0301 closes", "cafe\u0301"),
        ("ignore that", "ig\u200bnore that", "ig\u200bnore that"),
        ("Straße", "in the STRASSE", "STRASSE"),
        ("5 km", "about ５㎞ away", "５㎞"),
    ],
)
def test_found(words: str, text: str, expected: str) -> None:
    assert found(words, text) == expected


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("art", "a party"),
        ("15", "it costs 150 euros"),
        ("budget is 12", "budget is 120"),
        ("I live in Rome", "I live in Lyon"),
        ("预算是20万", "预算是15万"),
        ("", "anything"),
        ("   ", "anything"),
        ("…", "well … yes"),
        ("👍", "👍"),
    ],
)
def test_not_found(words: str, text: str) -> None:
    assert found(words, text) is None


def test_a_later_whole_word_is_found() -> None:
    assert found("art", "a party about art") == "art"


@given(st.text(max_size=60), st.text(max_size=20))
def test_what_is_found_is_a_span_of_the_text(text: str, words: str) -> None:
    span = Folded.of(text).find(words)
    if span is not None:
        start, end = span
        assert 0 <= start < end <= len(text)


@given(st.text(max_size=40), st.text(alphabet="预算15abc ，", min_size=1, max_size=12), st.text(max_size=40))
def test_words_copied_exactly_are_found(before: str, words: str, after: str) -> None:
    if any(map(str.isalnum, words)):
        text = f"{before} {words} {after}"
        assert Folded.of(text).find(words) is not None
