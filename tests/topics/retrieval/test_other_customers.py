"""A question about one customer is not answered with what is held of others, unless it asks for them."""

from __future__ import annotations

import pytest

from tests.topics.retrieval.helpers import ask, lines, take, talk
from tests.topics.services.helpers import make_topic
from topics.changes import Actor
from topics.models import Space
from topics.services.merging import merge_topics

NAMES = {"Northwind": "北风公司", "Bluesky": "蓝天公司"}
TOLD = {
    "Northwind": ("The budget is 8,000 euros.", "预算是8000欧元。"),
    "Bluesky": ("The budget is 5,500 euros.", "预算是5500欧元。"),
}


@pytest.fixture(params=Space.SourceTurns.values)
def told(request: pytest.FixtureRequest, space: Space, person: Actor) -> Space:
    """Two customers with a budget each, in both languages, and a general rule about budgets."""
    for name, texts in TOLD.items():
        topic = make_topic(space, person, name, kind="customer", aliases=[NAMES[name]])
        for message in talk(space, *[f"Mia: {text}" for text in texts], conversation=name):
            take(topic, message)
    rules = make_topic(space, person, "House rules", kind="other")
    take(rules, talk(space, "Mia: A budget above 6,000 euros needs a signature. 预算要签字。", conversation="rules")[0])
    space.source_turns = request.param
    return space


def shown(told: Space, question: str) -> str:
    return " | ".join(lines(ask(told, question)))


@pytest.mark.parametrize(
    ("question", "own", "of_others"),
    [
        ("What is Northwind's budget?", "8,000", "5,500"),
        ("Which budget does Bluesky have?", "5,500", "8,000"),
        ("北风公司的预算是多少？", "8000", "5500"),
        ("蓝天公司预算多少？", "5500", "8000"),
    ],
)
def test_other_customers_are_left_out(told: Space, question: str, own: str, of_others: str) -> None:
    answer = shown(told, question)
    assert own in answer
    assert of_others not in answer
    assert "signature" in answer or "签字" in answer  # what is no customer's own


@pytest.mark.parametrize(
    "question",
    [
        "Is the budget of Northwind higher than that of other customers?",
        "Who has a budget like Northwind?",
        "Compare the budgets of Northwind and Bluesky.",
        "北风公司和其他客户的预算相比如何？",
        "除了北风公司，预算是多少？",
        "What is the budget?",
        "预算是多少？",
    ],
)
def test_they_are_there_when_they_are_asked_for(told: Space, question: str) -> None:
    answer = shown(told, question).replace(",", "")
    assert "8000" in answer
    assert "5500" in answer


def test_what_mentions_the_customer_is_there_wherever_it_is_held(told: Space, person: Actor) -> None:
    topic = told.topics.get(name="Bluesky")
    take(topic, talk(told, "Mia: The budget of Northwind pays for Bluesky's pilot.", conversation="m")[0])
    assert "pilot" in shown(told, "What is Northwind's budget?")


def test_a_turn_of_a_conversation_about_another_customer_is_left_out(told: Space) -> None:
    talk(told, "Tom: The budget grows to 9,100 euros.", conversation="call", subject="Bluesky")
    assert "9,100" not in shown(told, "What is Northwind's budget?")
    assert ("9,100" in shown(told, "What is Bluesky's budget?")) == (told.source_turns == Space.SourceTurns.ALL)


def test_whoever_conversations_are_about_is_kept_apart_as_customers_are(told: Space, person: Actor) -> None:
    for name, budget in (("Spruce", "3,100"), ("Larch", "4,200")):
        topic = make_topic(told, person, name, kind="other")
        [message] = talk(told, f"Tom: Our budget is {budget} euros.", conversation=name, subject=name)
        take(topic, message)
    answer = shown(told, "What is the budget of Spruce?")
    assert "3,100" in answer
    assert "4,200" not in answer
    assert "5,500" not in answer


def test_what_somebody_said_of_himself_in_anothers_conversation_is_left_out(told: Space, person: Actor) -> None:
    [message] = talk(told, "Tom: My budget for travel is 910 euros.", conversation="call", subject="Bluesky")
    take(make_topic(told, person, "Tom", kind="person"), message)
    assert "910" not in shown(told, "What is Northwind's budget?")
    assert "910" in shown(told, "What is Tom's budget?")


def test_what_was_merged_into_the_customer_is_its_own(told: Space, person: Actor) -> None:
    old = make_topic(told, person, "Northwind Trading", kind="customer")
    take(old, talk(told, "Tom: The budget for trade fairs is 700 euros.", conversation="fairs")[0])
    merge_topics(space=told, survivor=told.topics.get(name="Northwind"), others=[old], actor=person)
    assert "700 euros" in shown(told, "What is Northwind's budget?")
    assert "700 euros" not in shown(told, "What is Bluesky's budget?")
