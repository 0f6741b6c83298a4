"""A sentence that sets a value and says more gives a statement for each, with words of its own."""

from __future__ import annotations

import pytest

from .reading import read, topic

ACME = topic("Acme", kind="customer")
YUANHANG = topic("远航物流", kind="customer")


def told(text: str, **values: object) -> list[tuple[str, str, str]]:
    """Of each finding whose it is, the value, and the words."""
    return [(f.topic.name, f.value, f.quotes[0].text) for f in read(text, **values)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "value", "first", "second"),
    [
        ("I live in Lyon and I'm allergic to peanuts.", "Lyon", "I live in Lyon", "I'm allergic to peanuts."),
        ("I live in Lyon; I have a dog.", "Lyon", "I live in Lyon", "I have a dog."),
        ("I live in Lyon but I don't eat meat.", "Lyon", "I live in Lyon", "I don't eat meat."),
        ("I live in Lyon, and my wife works at Airbus.", "Lyon", "I live in Lyon", "my wife works at Airbus."),
        ("I live in Lyon and am allergic to peanuts.", "Lyon", "I live in Lyon", "am allergic to peanuts."),
        ("I'm a nurse and love hiking.", "nurse", "I'm a nurse", "love hiking."),
        ("I'm 34 and I love jazz.", "34", "I'm 34", "I love jazz."),
        ("我住在里昂，对花生过敏。", "里昂", "我住在里昂", "对花生过敏。"),
        ("我住在里昂，我不吃肉。", "里昂", "我住在里昂", "我不吃肉。"),
        ("我在西门子工作，讨厌坐飞机。", "西门子", "我在西门子工作", "讨厌坐飞机。"),
        ("我在杭州工作，妻子是老师。", "杭州", "我在杭州工作", "妻子是老师。"),
        ("我今年34岁，喜欢爵士乐。", "34", "我今年34岁", "喜欢爵士乐。"),
    ],
)
def test_what_is_said_beside_a_value_is_a_statement_of_its_own(text: str, value: str, first: str, second: str) -> None:
    assert told(text) == [("Mia", value, first), ("Mia", "", second)]


def test_a_clause_that_shares_its_subject_is_told_with_it() -> None:
    assert read("I live in Lyon and am allergic to peanuts.")[1].text == "I am allergic to peanuts."
    assert read("我在西门子工作，擅长画画。")[1].text == "我擅长画画。"


@pytest.mark.parametrize(
    ("text", "attributes", "second"),
    [
        ("我妹妹住在里昂，有两个孩子。", ["妹妹居住地", "妹妹孩子"], "我妹妹有两个孩子。"),
        ("My boss is 50 and loves golf.", ["supervisor", ""], "My boss loves golf."),
        ("Our company has 40 employees and uses SAP.", ["headcount", ""], "Our company uses SAP."),
    ],
)
def test_a_clause_without_a_subject_is_not_the_speakers(text: str, attributes: list[str], second: str) -> None:
    found = read(text)
    assert ([f.attribute for f in found], found[1].text) == (attributes, second)


def test_where_a_relative_works_is_not_where_the_speaker_does() -> None:
    assert "工作单位" not in {f.attribute for f in read("我妹妹今年30岁，在西门子工作。")}


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        (
            "Acme has a budget of $50k and wants weekly reports.",
            "Acme has a budget of $50k",
            "wants weekly reports.",
        ),
        ("远航物流的预算是5万元，要求周五交货。", "远航物流的预算是5万元", "要求周五交货。"),
        ("远航物流的预算是5万元，有40名司机。", "远航物流的预算是5万元", "有40名司机。"),
    ],
)
@pytest.mark.parametrize("subject", [None, "Beta GmbH"])
def test_both_are_of_what_the_sentence_names(text: str, first: str, second: str, subject: str | None) -> None:
    found = told(text, topics=[ACME, YUANHANG], subject=subject)
    assert {name for name, _value, _words in found} == {text[:4] if text[0] == "远" else "Acme"}
    assert [words for _name, _value, words in found] == [first, second]


def test_what_they_want_is_no_part_of_the_budget() -> None:
    for text in ("The budget is $50k and they want delivery by Friday.", "预算是5万元，他们要求周五交货。"):
        assert [value for _name, value, _words in told(text, subject=ACME)] == ["50000", ""]


@pytest.mark.parametrize(
    "text",
    [
        "I live in Lyon, which I love.",
        "I live in Lyon because I love the sea.",
        "I live in Lyon with my wife and two kids.",
        "I live in Lyon and I think you should visit.",
        "The contact is Anna Berg and she prefers email.",
        "我住在里昂，因为我喜欢大海。",
        "我住在里昂，离公司很近。",
        "我将要参加的新年论坛，它的持续时间是七天。",
        "联系人是王芳，她喜欢用邮件。",
        "张伟是我的表弟，其身高是169cm。",
    ],
)
def test_what_says_more_of_the_same_stays_with_it(text: str) -> None:
    assert [words for _name, _value, words in told(text)] == [text]


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("李建国离职了，现在的负责人是王芳。", "王芳"),
        ("Tom Reed left the company, and the new contact is Anna Berg.", "Anna Berg"),
        ("Tom Reed has left, the new contact is Anna Berg.", "Anna Berg"),
    ],
)
def test_who_is_in_charge_now_is_told_of_the_company(text: str, who: str) -> None:
    assert [(f.topic.name, f.value) for f in read(text, subject=ACME) if f.attribute] == [("Acme", who)]
    named = f"{'Acme的预算是5万元。' if text[0] == '李' else 'Acme has a budget of $50k.'} {text}"
    found = read(named, topics=[ACME])
    assert [f.topic.name for f in found if f.value == who] == ["Acme"]


def test_that_somebody_left_stays_with_him() -> None:
    left = read("李建国离职了，现在的负责人是王芳。", subject=ACME)[0]
    assert (left.topic.name, left.text) == ("李建国", "李建国离职了")


def test_where_no_company_is_spoken_of_the_person_keeps_it() -> None:
    found = read("Tom Reed left, and the new contact is Anna Berg.")
    assert {f.topic.name for f in found} == {"Tom Reed"}


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("The discount of 12% is fine, but only if the price stays below 9,500 euros.", "discount", "12"),
        ("Our budget is 80,000 euros, unless the price rises to 90,000 euros.", "budget", "80000"),
        ("折扣是12%，前提是价格不超过9500元。", "折扣", "12"),
    ],
)
def test_a_condition_stays_with_what_it_is_about_and_sets_nothing(text: str, attribute: str, value: str) -> None:
    [found] = read(text)
    assert (found.text, found.attribute, found.value) == (text, attribute, value)
