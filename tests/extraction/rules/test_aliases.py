"""Other names are found, and given to whom they belong."""

import pytest

from .reading import read, read_turns, topic, turn

ACME = topic("Acme Logistics", kind="customer")


@pytest.mark.parametrize(
    ("text", "alias", "name"),
    [
        ("You can call me Lulu.", "Lulu", "Mia"),
        ("My friends call me Jo.", "Jo", "Mia"),
        ("你可以叫我小米。", "小米", "Mia"),
        ("我叫李雷，大家都叫我小雷。", "小雷", "Mia"),
        ("Acme Logistics is also known as AL.", "AL", "Acme Logistics"),
        ("Acme Logistics (AL) signed yesterday.", "AL", "Acme Logistics"),
        ("华东电力设计院（简称华电院）是我们的客户。", "华电院", "华东电力设计院"),
        ("王建国负责采购。大家都叫他老王。", "老王", "王建国"),
        ("王建国负责采购，大家都叫他老王。", "老王", "王建国"),
    ],
)
def test_another_name(text: str, alias: str, name: str) -> None:
    found = [finding for finding in read(text, topics=[ACME]) if finding.kind == "alias"]
    assert [(finding.alias, finding.topic.name) for finding in found] == [(alias, name)]


@pytest.mark.parametrize(
    "text", ["You can call me Mia.", "Call me tomorrow.", "Can I call you Lu?", "The meeting (Berlin) is off."]
)
def test_no_other_name(text: str) -> None:
    assert [finding for finding in read(text) if finding.kind == "alias"] == []


def test_a_pronoun_means_who_was_named_before_even_in_another_message() -> None:
    found = read_turns(
        turn("Tomasz Zielinski leads the dispatch team.", id="1"),
        turn("Noted.", role="assistant", id="2"),
        turn("Everybody calls him Tomek.", id="3"),
        turn("Thanks to Tomek. Tomek prefers short e-mails.", id="4"),
    )
    assert [finding.alias for finding in found if finding.kind == "alias"] == ["Tomek"]
    assert {finding.topic.name for finding in found} == {"Tomasz Zielinski"}
    found = read_turns(
        turn("王建国负责布线。", id="1"), turn("大家都叫他老王。", id="2"), turn("老王下周进场。", id="3")
    )
    assert [finding.alias for finding in found if finding.kind == "alias"] == ["老王"]
    assert {finding.topic.name for finding in found} == {"王建国"}


def test_who_was_named_in_the_context_is_meant_too() -> None:
    found = read_turns(
        turn("Everybody calls him Tomek.", id="2"), context=[turn("Tomasz Zielinski leads the team.", id="1")]
    )
    assert [(finding.topic.name, finding.alias) for finding in found] == [("Tomasz Zielinski", "Tomek")]


def test_a_pronoun_that_may_mean_two_people_is_not_guessed() -> None:
    found = read_turns(
        turn("Tomasz Zielinski leads the dispatch team. Adam Nowak leads the sales team.", id="1"),
        turn("Noted.", role="assistant", id="2"),
        turn("Everybody calls him Tomek.", id="3"),
    )
    assert [finding for finding in found if finding.kind == "alias"] == []


def test_him_is_no_project() -> None:
    assert [f for f in read("Project Aurora is on hold. Everybody calls him Tom.") if f.kind == "alias"] == []


def test_the_rest_of_the_sentence_is_still_read() -> None:
    kinds = [finding.kind for finding in read("你也可以叫我小米，我很喜欢音乐。")]
    assert kinds == ["alias", "preference"]
