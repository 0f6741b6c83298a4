"""What a text is searched by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topics.text.analyse import MAX_TERM_LENGTH, analyse, analyse_question, is_weak


def test_english_words_meet_in_their_stem_without_stop_words() -> None:
    assert analyse("She was painting Melanie's paintings") == ["paint", "melani", "paint"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("張曼婷", "张曼婷"),
        ("ＡＣＭＥ　２０２４", "acme 2024"),
        ("Café", "cafe"),
        ("ПРИВЕТ", "привет"),
        ("Straße", "STRASSE"),
    ],
)
def test_ways_of_writing_the_same_meet(one: str, other: str) -> None:
    assert analyse(one) == analyse(other)


def test_chinese_becomes_characters_and_pairs() -> None:
    assert sorted(analyse("预算")) == sorted(["预", "算", "预算"])
    assert "预算" in analyse("ACME的预算是30万")
    assert "acm" in analyse("ACME的预算是30万")


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("한국어를 배운다", "한국어"),
        ("東京タワーに行った", "タワー"),
        ("Она живёт в Москве", "Москве"),
        ("ไปเชียงใหม่", "เชียงใหม่"),
    ],
)
def test_other_scripts_are_found(stored: str, asked: str) -> None:
    assert set(analyse_question(asked)) <= set(analyse(stored))


def test_emoji_are_terms_of_plain_letters() -> None:
    assert analyse("I ❤️ 🍕") == ["e2764", "e1f355"]


def test_asking_words_are_no_terms_of_a_question() -> None:
    assert analyse_question("What is the budget?") == ["budget"]
    assert "什么" not in analyse_question("张伟喜欢什么？")
    assert "喜欢" in analyse_question("张伟喜欢什么？")
    assert analyse_question("What is it?") == []
    assert analyse_question("是什么？") == []


def test_only_single_characters_of_unspaced_scripts_are_weak() -> None:
    assert is_weak("机")
    assert not is_weak("手机")
    assert not is_weak("x")
    assert not is_weak("й")


@given(st.text(max_size=300))
def test_terms_hold_nothing_an_engine_could_take_for_syntax(text: str) -> None:
    for term in analyse(text):
        assert term
        assert len(term) <= MAX_TERM_LENGTH + 2
        assert not set(term) & set(" \t\n\"'*()-+:^|&!\\/<>\x00")
