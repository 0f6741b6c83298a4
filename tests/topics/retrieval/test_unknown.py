"""A question about somebody nobody mentioned has no answer, whatever words it shares with what is held of others."""

from __future__ import annotations

import pytest

from tests.topics.retrieval.helpers import ask, lines, take, talk
from tests.topics.services.helpers import make_topic
from topics.changes import Actor
from topics.models import Space

TOLD = (
    "Ana: The budget is 300 euros a month and the invoices go to Bonn.",
    "安娜: 预算是每月300欧元，发票寄到波恩，联系人是王芳。",
)


@pytest.fixture(params=Space.SourceTurns.values)
def told(request: pytest.FixtureRequest, space: Space, person: Actor) -> Space:
    """A space that holds what one customer's budget and contact are, in both languages."""
    acme = make_topic(space, person, "Acme Logistics", kind="customer")
    for message in talk(space, *TOLD, "Bo: Maria Lopez asked for the price list of the Kiel office."):
        take(acme, message)
    space.source_turns = request.param
    return space


@pytest.mark.parametrize(
    "question",
    [
        "What is the budget of Globex?",
        "What's Globex's budget?",
        "Globex's budget?",
        "Does Peter Globex pay the invoices in euros?",
        "What do we know about the Globex Logistics budget?",
        "Which budget did Globex Ltd agree to?",
        "环球公司的预算是多少？",
        "张伟的预算是多少？",
        "关于环球集团，预算是多少？",
        "李建国每月的预算是多少",
        "Globex的预算是多少？",
        "环球科技有限公司每月的预算是多少",
    ],
)
def test_what_is_asked_about_somebody_unknown_is_not_answered_with_others(told: Space, question: str) -> None:
    answer = ask(told, question)
    assert (answer.context, answer.tokens, answer.topics, answer.citations) == ("", 0, [], [])


@pytest.mark.parametrize(
    "question",
    [
        "What is the budget of Acme?",  # part of a name that is known
        "What's Maria's price list?",
        "Did Maria Gomez ask for the price list?",
        "What is the budget, and who is the contact?",
        "What's the budget in May?",
        "Is the VAT part of the budget?",
        "Does Globex know about my budget?",  # what is asked is about the asker
        "I go to Lisbon on Monday. What is the budget?",
        "What should we pack for Lisbon within the budget?",
        "What Is The Budget?",
        "Today's budget?",
        "预算是多少？",
        "最新的预算是多少？",
        "王芳的发票寄到哪里？",
        "我和张伟的预算是多少？",
        "每月的发票寄到哪里？",
        "那个当银行行长的联系人是谁？",
        "这家公司的预算是多少？",
        "你好，我下周去上海。预算是多少？",
    ],
)
def test_other_questions_are_answered_as_ever(told: Space, question: str) -> None:
    assert lines(ask(told, question))


def test_a_name_that_nobody_said_may_be_that_of_a_user_without_one(space: Space) -> None:
    talk(space, "I like porridge for breakfast.", "我早餐喜欢喝粥。")
    assert lines(ask(space, "What does Mia like for breakfast?"))
    assert lines(ask(space, "关于王芳，她早餐喜欢什么？"))


def test_what_was_said_of_somebody_without_a_topic_is_known(space: Space) -> None:
    talk(space, "Ana: Globex wants a budget of 300 euros.", "安娜: 环球公司要300欧元的预算。")
    assert lines(ask(space, "What is the budget of Globex?"))
    assert lines(ask(space, "环球公司的预算是多少？"))


@pytest.mark.parametrize(
    "question", ["Hi!", "hello", "Good morning", "Thanks, bye", "你好", "您好！", "谢谢", "早上好"]
)
def test_a_greeting_is_no_question(space: Space, question: str) -> None:
    talk(space, "Ana: Hi, good morning, hello and thanks!", "安娜: 你好，早上好，谢谢！")
    assert ask(space, question).context == ""


def test_a_question_after_a_greeting_is_answered(space: Space) -> None:
    talk(space, "Ana: Our morning call is at nine.", "安娜: 你好，账期是30天。")
    assert lines(ask(space, "Hello, when is the morning call?"))
    assert lines(ask(space, "你好，账期是多久？"))
