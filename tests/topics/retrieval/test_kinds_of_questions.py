"""Several topics in one question, comparisons, dates, what was and what is, what nobody knows; in both languages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.topics.retrieval.helpers import ask, lines, take, talk, texts_of_facts
from tests.topics.services.helpers import hold, make_topic
from topics.changes import Actor
from topics.models import Space
from topics.services.statements import replace_fact

ENGLISH = {
    "a": "Acme",
    "b": "Bolt",
    "price": "The licence costs {n} euros a month.",
    "place": "The office is in {city}.",
}
CHINESE = {"a": "阿克米", "b": "博特", "price": "许可证每月{n}欧元。", "place": "办公室在{city}。"}


def both_told(space: Space, person: Actor, words: dict[str, str]) -> None:
    """Two topics, each with a price and a place, and much more about the first."""
    for topic, n, city in ((words["a"], 300, "Bonn"), (words["b"], 900, "Kiel")):
        told = make_topic(space, person, topic)
        texts = [words["price"].format(n=n), words["place"].format(city=city)]
        texts += [words["price"].format(n=n + i) for i in range(1, 30 if topic == words["a"] else 2)]
        for text in texts:
            [message] = talk(space, f"Ana: {text}", conversation=f"{topic} {text}")
            take(told, message)


@pytest.mark.parametrize(
    ("words", "question"),
    [
        (ENGLISH, "What does the licence of Acme cost, and that of Bolt?"),
        (ENGLISH, "Compare Acme and Bolt."),
        (ENGLISH, "What's the difference between Bolt and Acme?"),
        (CHINESE, "阿克米和博特的许可证各要多少欧元？"),
        (CHINESE, "阿克米和博特有什么区别？"),
        (CHINESE, "比较一下博特和阿克米"),
    ],
)
@pytest.mark.parametrize("shown", Space.SourceTurns.values)
def test_each_of_two_topics_has_its_part_of_the_answer(
    space: Space, person: Actor, words: dict[str, str], question: str, shown: str
) -> None:
    both_told(space, person, words)
    space.source_turns = shown
    answer = ask(space, question, max_tokens=300)
    of = {topic.name: {fact.text for fact in topic.facts} for topic in answer.topics}
    assert of.keys() == {words["a"], words["b"]}
    assert words["price"].format(n=900) in of[words["b"]]
    assert all(topic.why == "alias" for topic in answer.topics)


@pytest.mark.parametrize(
    ("question", "spoken", "later"),
    [
        (
            "What did we decide in May?",
            ["Lin: We decided to rent.", "Lin: We go by train next week."],
            "Lin: We decided to buy.",
        ),
        ("五月份我们决定了什么？", ["王芳: 决定租房。", "王芳: 下星期我们坐火车去。"], "王芳: 决定买房。"),
    ],
)
def test_a_month_brings_what_was_said_then(space: Space, question: str, spoken: list[str], later: str) -> None:
    talk(space, *spoken, conversation="may", at=datetime(2024, 5, 7, tzinfo=UTC))
    talk(space, later, conversation="june", at=datetime(2024, 6, 7, tzinfo=UTC))
    now = datetime(2024, 8, 1, tzinfo=UTC)
    shortest = next(told for n in range(30, 200) if lines(told := ask(space, question, now=now, max_tokens=n)))
    assert lines(shortest) == [spoken[0]]
    assert set(spoken) <= set(lines(ask(space, question, now=now)))


@pytest.mark.parametrize(
    ("old", "new", "now", "past"),
    [
        (
            "The budget is 5000 euros.",
            "The budget is 8000 euros.",
            "What is the budget?",
            "What was the budget before?",
        ),
        (
            "The budget is 5000 euros.",
            "The budget is 8000 euros.",
            "Which budget do we have?",
            "What's the original budget?",
        ),
        ("预算是5000欧元。", "预算是8000欧元。", "预算是多少？", "以前的预算是多少？"),
        ("预算是5000欧元。", "预算是8000欧元。", "预算是多少？", "原定的预算是多少？"),
    ],
)
def test_what_is_answers_unless_what_was_is_asked_for(
    closed: Space, person: Actor, old: str, new: str, now: str, past: str
) -> None:
    replace_fact(fact=hold(make_topic(closed, person), old), actor=person, fields={"text": new})
    assert texts_of_facts(ask(closed, now)) == {new}
    told = ask(closed, past)
    assert {fact.text: fact.status for fact in told.topics[0].facts} == {old: "superseded", new: "active"}
    assert any(old in line and "superseded" in line for line in lines(told))


@pytest.mark.parametrize("question", ["Which school did Peter visit?", "彼得上过哪所学校？"])
def test_what_nobody_told_gets_an_empty_answer(space: Space, person: Actor, question: str) -> None:
    both_told(space, person, ENGLISH)
    both_told(space, person, CHINESE)
    answer = ask(space, question)
    assert (answer.context, answer.tokens, answer.topics, answer.citations) == ("", 0, [], [])


@pytest.mark.parametrize(
    ("question", "turns"),
    [
        ("What do Ana and Bo have in common?", ("I sing in a choir.", "My choir sings on Mondays.")),
        ("安娜和阿波有什么共同点？", ("我在合唱团唱歌。", "我的合唱团周一唱歌。")),
    ],
)
def test_people_who_speak_are_topics_as_well(
    space: Space, person: Actor, question: str, turns: tuple[str, str]
) -> None:
    ana, bo = ("Ana", "Bo") if question.isascii() else ("安娜", "阿波")
    for name in (ana, bo):
        make_topic(space, person, name, kind="person")
    talk(space, *[f"{ana}: {turns[0]} {n}" for n in range(30)], f"{bo}: {turns[1]}")
    told = lines(ask(space, question, max_tokens=250))
    assert f"{bo}: {turns[1]}" in told
    assert any(line.startswith(f"{ana}: ") for line in told)
