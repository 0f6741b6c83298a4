"""Every quote stands in its message, word for word, whatever the message holds."""

import random
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .reading import WEDNESDAY, only, read, turn

PIECES = st.sampled_from(
    [
        "I live in Berlin", "I love jazz", "my budget is $5,000", "yesterday I went to Rome", "you know", "Well, ",
        "。", ". ", "？", "! ", "，", "\n",
        "\r\n", "“", "”", "「", "《", "> ",
        "```", "<memory>", "</memory>", "我住在上海", "我昨天去了厦门", "预算是15万元",
        "嗯，", "你喜欢吗", "\x00", "\u2028", "😀", "e\u0301",
        "’", "(", "１２", "\ud800", "  ", "-",
        "3. ",
    ]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=25).map("".join))
def test_quotes_are_verbatim(text: str) -> None:
    for finding in read(text):
        (quote,) = finding.quotes
        assert text[quote.start : quote.end] == quote.text == finding.text
        assert quote.text == quote.text.strip() != ""


def test_findings_come_in_the_order_of_the_text() -> None:
    starts = [
        finding.quotes[0].start
        for finding in read("I love jazz. 我住在上海。I work at Nordwind. The sky. I own a boat.")
    ]
    assert starts == sorted(starts)
    assert len(starts) >= 3


def test_a_very_long_message_is_read_to_its_end() -> None:
    chosen = random.Random(7)
    words = ["river", "stone", "the", "of", "green", "walk", "7", "Paris", "and", "blue", "我", "去", "了"]
    noise = " ".join(chosen.choice(words) for _ in range(240_000))
    text = f"{noise}. I live in Berlin."
    assert len(text) > 800_000
    assert read(text)[-1].value == "Berlin"


def test_a_message_without_a_sentence_end_is_read() -> None:
    text = "I live in Berlin " + "and the river is green " * 40
    assert all(len(finding.text) <= 400 for finding in read(text))
    assert read("x" * 1_048_576) == []


def test_a_message_of_the_first_year_is_read() -> None:
    assert read("Yesterday I visited Rome.", at=datetime(1, 1, 1, tzinfo=UTC)) is not None
    assert turn("x").said_at == WEDNESDAY


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("By the way I am allergic to peanuts.", "I am allergic to peanuts."),
        ("Just so you know I am allergic to peanuts.", "I am allergic to peanuts."),
        ("I am allergic to peanuts, so please keep that in mind.", "I am allergic to peanuts"),
        ("I am allergic to peanuts, please note that.", "I am allergic to peanuts"),
        ("I am allergic to peanuts so keep it in mind, please.", "I am allergic to peanuts"),
        ("I am allergic to peanuts and please remember this.", "I am allergic to peanuts"),
        ("顺便说一下我对花生过敏。", "我对花生过敏。"),
        ("顺便提一句，我对花生过敏。", "我对花生过敏。"),
        ("补充一下我对花生过敏。", "我对花生过敏。"),
    ],
)
def test_words_that_only_lead_in_or_ask_to_remember_are_left_off(text: str, quote: str) -> None:
    found = only(text)
    assert (found.kind, found.text) == ("preference", quote)


@pytest.mark.parametrize("amount", ["4,000", "40,000", "5,000"])
def test_a_sum_is_not_cut_at_its_comma(amount: str) -> None:
    found = only(f"Our budget is {amount} euros.")
    assert (found.value, found.text) == (amount.replace(",", ""), f"Our budget is {amount} euros.")


def test_what_stands_apart_by_much_white_space_is_two_sentences() -> None:
    assert [f.text for f in read("I live in Berlin     I own a boat")] == ["I live in Berlin", "I own a boat"]
