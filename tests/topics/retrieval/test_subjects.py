"""Turns say which conversation's subject they are about, since those who talk about it seldom name it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.topics.retrieval.helpers import MAY, ask, talk
from tests.topics.services.helpers import make_topic, span
from topics.changes import Actor
from topics.models import Space
from topics.retrieval.index import release_message
from topics.services.conversations import MessageInput, store_messages
from topics.services.merging import merge_topics
from topics.services.statements import FactDraft, commit_facts
from topics.services.topics import delete_topic
from topics.text.tokens import count_tokens


def talk_about(space: Space, subject: str, *texts: str, days: int = 0) -> None:
    said = [
        MessageInput(role="user", name="Mia", content=text, said_at=MAY + timedelta(days=days, minutes=n))
        for n, text in enumerate(texts)
    ]
    stored = store_messages(space=space, conversation=f"on {subject}", messages=said, subject=subject)
    release_message([message.pk for message in stored.messages])


@pytest.fixture
def two(space: Space, person: Actor) -> Space:
    for name, budget in (("Alpha Ltd", "5,500"), ("Beta Ltd", "9,500")):
        make_topic(space, person, name)
        talk_about(space, name, f"The budget is {budget} euros.")
    return space


def test_turns_stand_under_the_subject_of_their_conversation(two: Space) -> None:
    talk(two, "Mia: The budget of the year is 20,000 euros.")
    answer = ask(two, "Compare the budgets of Alpha Ltd and Beta Ltd")
    assert answer.context.splitlines()[1:-1] == [
        "[2023-05-08]",
        "[1] Mia: The budget of the year is 20,000 euros.",
        "[2023-05-08, Alpha Ltd]",
        "[2] Mia: The budget is 5,500 euros.",
        "[2023-05-08, Beta Ltd]",
        "[3] Mia: The budget is 9,500 euros.",
    ]


def test_the_same_words_about_two_subjects_are_told_of_both(space: Space, person: Actor) -> None:
    for name in ("Alpha Ltd", "Beta Ltd"):
        make_topic(space, person, name)
        talk_about(space, name, "The budget is 5,500 euros.")
    context = ask(space, "budget").context
    assert context.count("The budget is 5,500 euros.") == 2
    assert "Alpha Ltd]" in context
    assert "Beta Ltd]" in context


def test_the_headers_are_paid_from_the_budget(space: Space, person: Actor) -> None:
    name = "The Honourable Company of Alpha, Beta and Gamma, Limited"
    make_topic(space, person, name)
    for day in range(12):
        talk_about(space, name, f"The budget of day {day} is {day},500 euros.", days=day)
    for budget in range(60, 400, 20):
        answer = ask(space, "budget", max_tokens=budget)
        assert answer.tokens == count_tokens(answer.context) <= budget
        assert answer.context.count(name) == answer.lines


def test_a_merged_subject_has_the_name_of_the_survivor_and_a_deleted_one_none(two: Space, person: Actor) -> None:
    alpha, beta = (two.topics.get(name=name) for name in ("Alpha Ltd", "Beta Ltd"))
    merge_topics(space=two, survivor=alpha, others=[beta], actor=person)
    context = ask(two, "budget").context
    assert "[2023-05-08, Alpha Ltd]" in context
    assert "Beta Ltd" not in context
    alpha.refresh_from_db()
    delete_topic(topic=alpha, actor=person)
    assert "Ltd" not in ask(two, "budget").context


def test_quoted_words_stand_under_the_subject_as_well(reviewed: Space, person: Actor) -> None:
    acme = make_topic(reviewed, person, "Acme")
    make_topic(reviewed, person, "Alpha Ltd")
    talk_about(reviewed, "Alpha Ltd", "We pay thirty.")
    message = reviewed.messages.get()
    draft = FactDraft(topic=acme, text="The fee is 30", speaker="Mia", said_at=MAY, spans=[span(message)])
    commit_facts(space=reviewed, actor=person, drafts=[draft])
    assert ask(reviewed, "fee").context.splitlines()[-3:-1] == ["[2023-05-08, Alpha Ltd]", "[2] Mia: We pay thirty."]
