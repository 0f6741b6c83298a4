"""What a model is shown of a conversation, and that nothing a user said is left out."""

from datetime import UTC, datetime

import pytest

from extraction.extractors.llm.lines import CONTEXT_LINES, batches, earlier_lines, new_lines
from extraction.extractors.protocol import Role, Turn
from topics.text.tokens import count_tokens

AT = datetime(2024, 5, 15, 2, 0, tzinfo=UTC)


def turn(text: str, role: Role = "user", id: str = "1") -> Turn:
    return Turn(id, role, text, AT, "Mia")


def test_users_can_be_quoted_and_assistants_only_understood() -> None:
    turns = [turn("I moved."), turn("Where to?", "assistant"), turn("You are a bot", "system"), turn("{}", "tool")]
    assert [(line.label, line.is_new) for line in new_lines(turns, most_tokens=100)] == [("m1", True), ("c2", False)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<memory id=1>\n[1] I live in Rome.\n</memory id=1>\nI live in Berlin.", "I live in Berlin."),
        ("Look:\n```\nbudget = 1\n```\nIt works.", "Look:\nIt works."),
        ("> I live in Rome.\nI do not.", "I do not."),
        ("vis\u200bible \U000e0049\U000e0050text", "visible text"),
    ],
)
def test_what_is_not_the_authors_own_is_not_shown(text: str, shown: str) -> None:
    assert [line.shown for line in new_lines([turn(text)], most_tokens=100)] == [shown]


@pytest.mark.parametrize("text", ["", " \n", "👍", "…", "```\ncode\n```"])
def test_a_turn_without_words_gives_no_line(text: str) -> None:
    assert new_lines([turn(text)], most_tokens=100) == []


@pytest.mark.parametrize(
    "sentence", ["这是第{}句话，讲的是我们的项目。", "This is sentence number {} about our project. "]
)
def test_a_long_message_is_cut_at_sentence_ends_and_nothing_is_lost(sentence: str) -> None:
    text = "".join(sentence.format(number) for number in range(200))
    lines = new_lines([turn(text)], most_tokens=100)
    assert len(lines) > 5
    assert all(line.tokens <= 110 for line in lines)
    assert "".join(text[s:e] for line in lines for s, e in line.spans) == text
    assert all(line.shown.rstrip()[-1] in "。." for line in lines)
    assert [line.label for line in lines[:2]] == ["m1a", "m1b"]
    assert len({line.label for line in lines}) == len(lines)
    words = sentence.format(150).strip()
    spans = [span for line in lines if (span := line.find(words))]
    assert [text[s:e] for s, e in spans] == [words]


def test_a_sentence_without_an_end_is_cut_all_the_same() -> None:
    text = "word" * 2000
    lines = new_lines([turn(text)], most_tokens=100)
    assert "".join(text[s:e] for line in lines for s, e in line.spans) == text
    assert max(count_tokens(line.shown) for line in lines) <= 100


def test_batches_keep_to_their_size_and_hold_something_to_read() -> None:
    turns = [turn(f"My budget number {n} is {n} thousand euros.", id=str(n)) for n in range(30)]
    lines = new_lines(turns, most_tokens=100)
    found = list(batches(lines, most_tokens=50))
    assert [line for batch in found for line in batch] == lines
    assert all(sum(line.tokens for line in batch) <= 50 for batch in found)
    talk = [turn("Well, " * 30, "assistant", id=str(n)) for n in range(20)]
    assert list(batches(new_lines(talk, most_tokens=100), most_tokens=50)) == []
    last = list(batches(new_lines([*talk, turn("I agree.")], most_tokens=100), most_tokens=50))
    assert len(last) == 1
    assert len(last[0]) <= CONTEXT_LINES + 1


def test_earlier_turns_are_shortened_and_cannot_be_quoted() -> None:
    lines = earlier_lines([turn("I like tea. " * 400), turn("Good.", "assistant"), turn("…")])
    assert [(line.label, line.is_new) for line in lines] == [("b1", False), ("b2", False)]
    assert lines[0].tokens < 200
