"""The topics that a question names come first: in the answer, and in what a small budget holds."""

from __future__ import annotations

import pytest

from tests.topics.retrieval.helpers import ask, lines, take, talk
from tests.topics.services.helpers import make_topic
from topics.changes import Actor
from topics.models import Space
from topics.retrieval.answer import MemoryAnswer
from topics.services.statements import add_fact

TOLD = {
    "Northwind": ("北风公司", "The budget is 8,000 euros."),
    "Bluesky": ("蓝天公司", "The budget is 5,500 euros."),
    "云杉科技": ("Spruce Tech", "预算是30万元，北风公司不参与。"),
}


@pytest.fixture
def three(closed: Space, person: Actor) -> Space:
    for name, (alias, text) in TOLD.items():
        topic = make_topic(closed, person, name, aliases=[alias])
        [message] = talk(closed, f"Mia: {text}", conversation=name)
        take(topic, message)
    return closed


def headers(answer: MemoryAnswer) -> list[str]:
    return [line.removeprefix("# ") for line in answer.context.splitlines() if line.startswith("# ")]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What is 云杉科技's budget?", ["云杉科技"]),
        ("What is the budget of Bluesky?", ["Bluesky"]),
        ("北风公司的预算？", ["Northwind"]),
        ("What are the budgets of 云杉科技 and Northwind?", ["云杉科技", "Northwind"]),
    ],
)
def test_named_topics_come_first_and_the_others_after_them(three: Space, question: str, first: list[str]) -> None:
    answer = ask(three, question)
    assert headers(answer)[: len(first)] == first
    assert [topic.name for topic in answer.topics][: len(first)] == first
    if "budget" in question:
        assert {"Northwind", "Bluesky"} <= set(headers(answer))


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("北风公司的预算？", "Northwind"),
        ("What is 云杉科技's budget?", "云杉科技"),
        ("What is the budget of Bluesky?", "Bluesky"),
    ],
)
def test_a_small_budget_holds_what_is_asked_for(three: Space, question: str, name: str) -> None:
    alone = ask(three, question, topic_ids=[three.topics.get(name=name).pk])
    small = ask(three, question, max_tokens=alone.tokens + 12)
    assert headers(small) == [name]
    assert TOLD[name][1] in small.context


def test_one_named_topic_leaves_room_for_what_answers_better(closed: Space, person: Actor) -> None:
    maya, northwind = make_topic(closed, person, "Maya"), make_topic(closed, person, "Northwind")
    for n in range(60):
        add_fact(topic=maya, actor=person, text=f"She was at the harbour on the {n + 1}th day of her long journey")
    add_fact(topic=northwind, actor=person, text="The budget is 8,000 euros")
    answer = ask(closed, "What does Maya say about the budget?", max_tokens=300)
    assert headers(answer) == ["Maya", "Northwind"]
    assert "8,000" in answer.context


def test_turns_keep_their_places(space: Space, person: Actor) -> None:
    """In a space of one topic nothing changes."""
    acme = make_topic(space, person, "Acme")
    talk(space, "Ann: The fee is 30", "Bob: The fee is 50 and that is what we agreed")
    add_fact(topic=acme, actor=person, text="The fee is waived for schools")
    named, unnamed = ask(space, "What is the fee of Acme?"), ask(space, "What is the fee?")
    assert sorted(lines(named)) == sorted(lines(unnamed))
