"""What somebody says to be wrong, in the same message or a later one, belongs to what he was wrong about."""

from __future__ import annotations

import pytest

from extraction.extractors.protocol import Finding

from .reading import read, read_turns, topic, turn

ACME = topic("Acme", kind="customer")
WREN = topic("Wren Ltd", kind="customer")
YUANHANG = topic("远航物流", kind="customer")
TOPICS = [ACME, WREN, YUANHANG]

WITH_NAME = [
    ("Acme's budget is 50k.", "Sorry, my mistake, the budget is 60k.", "60000"),
    ("Acme's budget is 50k.", "Sorry, I meant the budget is 60k.", "60000"),
    ("Acme's budget is 50k.", "I was wrong, the budget is 60k.", "60000"),
    ("Acme's budget is 50k.", "Correction: the budget is 60k.", "60000"),
    ("Acme's budget is 50k.", "My mistake, the budget is 60k, not 50k.", "60000"),
    ("Wren's deadline is 5 May.", "Sorry, I got it wrong, the deadline is 6 May.", "2025-05-06"),
    ("Acme的预算是5万元。", "抱歉，我说错了，预算是6万元。", "60000"),
    ("Acme的预算是5万元。", "更正一下，预算是6万元。", "60000"),
    ("远航物流的负责人是张伟。", "我记错了，负责人是李娜。", "李娜"),
]
BARE = [
    ("Acme's budget is 50k.", "Sorry, I meant 60k.", "60000"),
    ("Acme's budget is $50k.", "Sorry, I meant 60k.", "60000"),
    ("Acme's budget is 50k.", "Sorry, I said 50k but I meant 60k.", "60000"),
    ("Acme's budget is 50k.", "Sorry, I was wrong: it's 60k.", "60000"),
    ("Acme has 40 drivers.", "Sorry, I meant 45 drivers.", "45"),
    ("Wren's deadline is 5 May.", "Sorry, I meant 6 May.", "2025-05-06"),
    ("Acme的预算是5万元。", "不好意思，我说错了，是6万元。", "60000"),
    ("Acme的预算是5万元。", "说错了，不是5万元，是6万元。", "60000"),
    ("远航物流有40名司机。", "抱歉，是45名。", "45"),
    ("远航物流的负责人是张伟。", "抱歉，我说错了，是李娜。", "李娜"),
]


def shape(finding: Finding) -> tuple[str, str, str, str]:
    return finding.topic.name, finding.attribute, finding.unit, finding.value


@pytest.mark.parametrize(("first", "then", "value"), WITH_NAME)
def test_what_is_put_right_by_name_goes_where_the_wrong_value_went(first: str, then: str, value: str) -> None:
    wrong = read(first, topics=TOPICS)[0]
    right = (wrong.topic.name, wrong.attribute, wrong.unit, value)
    assert wrong.topic.name != "Mia"
    assert shape(read(f"{first} {then}", topics=TOPICS)[-1]) == right
    assert shape(read_turns(turn(first, id="1"), turn(then, id="2"), topics=TOPICS)[-1]) == right
    later = read_turns(turn(then, id="2"), context=[turn(first, id="1")], topics=TOPICS)
    assert [shape(finding) for finding in later] == [right]


@pytest.mark.parametrize(("first", "then", "value"), BARE)
def test_a_bare_value_takes_the_place_of_the_one_just_told(first: str, then: str, value: str) -> None:
    wrong = read(first, topics=TOPICS)[0]
    right = (wrong.topic.name, wrong.attribute, wrong.unit, value)
    together = read(f"{first} {then}", topics=TOPICS)
    assert [shape(finding) for finding in together] == [right]
    later = read_turns(turn(then, id="2"), context=[turn(first, id="1")], topics=TOPICS)
    assert [shape(finding) for finding in later] == [right]
    assert [(q.turn, q.text) for q in later[0].quotes] == [("2", then)]
    assert later[0].text.replace(" ", "") == f"{first}{then}".replace(" ", "")


@pytest.mark.parametrize(
    ("first", "between", "then", "value"),
    [
        ("Acme has 40 drivers.", "I like working with them.", "Sorry, I meant 45 drivers.", "45"),
        ("远航物流有40名司机。", "我喜欢和他们合作。", "抱歉，司机是45名，不是40名。", "45"),
    ],
)
def test_what_is_named_is_put_right_though_something_else_was_told_meanwhile(
    first: str, between: str, then: str, value: str
) -> None:
    wrong = read(first, topics=TOPICS)[0]
    found = read_turns(turn(first, id="1"), turn(between, id="2"), turn(then, id="3"), topics=TOPICS)
    assert shape(found[-1]) == (wrong.topic.name, wrong.attribute, wrong.unit, value)


@pytest.mark.parametrize(
    ("first", "then", "value"),
    [
        ("Acme's budget is $80,000, and they want to go live in March.", "Sorry, I meant $85,000.", "85000"),
        ("Acme的预算是50万元，计划三月上线。", "我说错了，是60万元。", "600000"),
        ("远航物流有40名司机。", "我说错了，是45名司机。", "45"),
    ],
)
def test_a_value_beside_another_clause_is_put_right(first: str, then: str, value: str) -> None:
    wrong = next(finding for finding in read(first, topics=TOPICS) if finding.value)
    found = read_turns(turn(first, id="1"), turn(then, id="2"), topics=TOPICS)
    assert shape(found[-1]) == (wrong.topic.name, wrong.attribute, wrong.unit, value)
    together = read(f"{first} {then}", topics=TOPICS)
    assert value in [finding.value for finding in together]
    assert wrong.value not in [finding.value for finding in together]


def test_a_supplier_named_anew_takes_the_place() -> None:
    first, then = "The supplier is Bosch.", "Sorry, I meant Siemens."
    found = read_turns(turn(then, id="2"), context=[turn(first, id="1")], subject=ACME)
    assert [shape(finding) for finding in found] == [("Acme", "supplier", "", "Siemens")]


def test_being_wrong_does_not_make_it_ones_own() -> None:
    for text in ("Sorry, I meant the budget is 60k.", "我说错了，预算是6万元。"):
        assert {finding.topic.name for finding in read(text, subject=ACME)} == {"Acme"}


def test_what_is_ones_own_stays_so() -> None:
    for first, then in (
        ("Acme's budget is 50k.", "Sorry, my budget is 60k."),
        ("Acme的预算是5万元。", "抱歉，我的预算是6万元。"),
    ):
        found = read_turns(turn(then, id="2"), context=[turn(first, id="1")], topics=TOPICS)
        assert [finding.topic.name for finding in found] == ["Mia"]


def test_the_most_recent_of_that_kind_is_meant() -> None:
    before = [turn("Acme's budget is 50k.", id="1"), turn("Wren's budget is 70k.", id="2")]
    before.append(turn("Acme has 40 drivers.", id="3"))
    found = read_turns(turn("Correction: the budget is 75k.", id="4"), context=before, topics=TOPICS)
    assert [(finding.topic.name, finding.value) for finding in found] == [("Wren Ltd", "75000")]


def test_what_was_told_of_two_is_put_right_for_both() -> None:
    first = turn("Acme and Wren Ltd have a budget of 50k.", id="1")
    for then in ("Sorry, I meant 60k.", "Sorry, my mistake, the budget is 60k."):
        found = read_turns(turn(then, id="2"), context=[first], topics=TOPICS)
        assert [(f.topic.name, f.value, f.is_shared) for f in found] == [
            ("Acme", "60000", False),
            ("Wren Ltd", "60000", True),
        ]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Acme's budget is 50k.", "No, 60k."),  # may answer what was asked between
        ("Acme's budget is 50k.", "Sorry, I meant 60k?"),
        ("Acme's budget is 50k.", "Sorry, I was late by 20 minutes."),
        ("Acme's budget is 50k.", "Sorry, I meant to call 20 people."),
        ("Acme's budget is 50k.", "60k is fine."),
        ("The supplier is Bosch.", "Sorry, Tuesday."),
        ("Acme的预算是5万元。", "抱歉，我晚了20分钟。"),
        ("Acme的预算是5万元。", "不好意思，我要6个。"),
    ],
)
def test_what_puts_nothing_right_leaves_the_value(first: str, then: str) -> None:
    found = read_turns(turn(then, id="2"), context=[turn(first, id="1")], topics=TOPICS)
    assert [f for f in found if f.attribute in ("budget", "预算", "supplier")] == []


def test_nobody_puts_right_in_few_words_what_another_said() -> None:
    other = turn("Acme's budget is 50k.", id="1", speaker="Tom")
    assert read_turns(turn("Sorry, I meant 60k.", id="2"), context=[other], topics=TOPICS) == []
