"""Nothing in a question means anything to the search engine."""

from __future__ import annotations

import pytest

from tests.topics.retrieval.helpers import ask, lines, talk
from topics.models import Space

ODD = [
    '"', "'", '""', "lake\"", "lake*", "NOT lake", "lake AND", "OR", "NEAR(lake, 2)", "own:lake", "lake:*", "(lake",
    "lake-view", "^lake", "{lake}", "lake & !lake | lake", "lake\\", "lake\x00lake", "'; DROP TABLE x; --", "%s %(a)s",
    "lake/view", "C++ lake", "🏞️ lake", "\ud7fblake",
]  # fmt: skip


@pytest.mark.parametrize("question", ODD)
def test_odd_characters_neither_fail_nor_change_what_is_found(space: Space, question: str) -> None:
    talk(space, "Ann: The lake view is fine", "Ann: something else entirely")
    found = lines(ask(space, question))
    assert ("Ann: The lake view is fine" in found) == ("lake" in question)


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("我想买一部手机", "手机"),
        ("預算是三十萬", "预算"),
        ("Она живёт в Москве", "Москве"),
        ("저는 한국어를 배워요", "한국어"),
        ("東京タワーに登った", "タワー"),
        ("We had 🍕 again", "🍕"),
        ("I met José", "Jose"),
    ],
)
def test_every_script_is_found(space: Space, said: str, question: str) -> None:
    talk(space, f"Ann: {said}", "Ann: nothing")
    assert lines(ask(space, question))[0] == f"Ann: {said}"


def test_a_very_long_question_is_answered(space: Space) -> None:
    talk(space, "Ann: The zebra escaped", *[f"Ann: word{n}" for n in range(100)])
    question = " ".join(f"word{n}" for n in range(3000)) + " zebra"
    assert "Ann: The zebra escaped" in lines(ask(space, question, max_tokens=5000))
