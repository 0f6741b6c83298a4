"""What a space's policies decide at once, and what waits for a person."""

from __future__ import annotations

import pytest

from extraction.models import Confirmation, Conflict
from extraction.services.resolving import settle_by_policy
from tests.extraction.filing.helpers import MONDAY, TUESDAY, file, found, texts, waiting
from tests.topics.services.helpers import hold, make_space, make_topic
from topics.changes import Actor, change_set
from topics.models import ChangeSet, Dispute, Fact, Space, Topic
from topics.selectors.topics import topic_by_name


def mixed(space: Space, topic: Topic | str) -> list[str]:
    filed = file(
        space,
        found(space, "Acme makes anvils.", topic=topic),
        found(space, "Acme may move.", topic=topic, certainty="tentative"),
        found(space, "Acme will grow.", topic=topic, certainty="planned"),
        found(space, "Acme sings.", topic=topic, confidence=0.5),
    )
    return [f.text for f in filed.committed]


@pytest.mark.parametrize(
    ("policy", "committed"),
    [
        ("everything", []),
        ("uncertain", ["Acme makes anvils."]),
        ("automatic", ["Acme makes anvils.", "Acme may move.", "Acme will grow.", "Acme sings."]),
    ],
)
def test_the_review_policy_says_what_waits(person: Actor, policy: str, committed: list[str]) -> None:
    space = make_space(review_policy=policy)
    topic = make_topic(space, person)
    assert mixed(space, topic) == committed
    assert texts(topic) == committed
    assert len(waiting(space)) == 4 - len(committed)


def test_a_new_topic_comes_with_the_first_statement_that_needs_nobody(db: None) -> None:
    space = make_space(review_policy="uncertain")
    mixed(space, "Acme")
    topic = topic_by_name(space, "Acme")
    assert topic is not None
    assert texts(topic) == ["Acme makes anvils."]
    assert waiting(space) == ["Acme may move.", "Acme will grow.", "Acme sings."]
    assert ChangeSet.objects.get().action == "extract"


def test_a_new_topic_waits_as_long_as_all_that_is_said_of_it_waits(db: None) -> None:
    space = make_space(review_policy="uncertain")
    file(space, found(space, "Acme may move.", certainty="tentative"))
    assert topic_by_name(space, "Acme") is None
    assert waiting(space) == ["Acme", "Acme may move."]


@pytest.mark.parametrize("policy", ["uncertain", "automatic"])
def test_a_conflict_waits_whatever_the_review_policy(person: Actor, policy: str) -> None:
    space = make_space(review_policy=policy)
    topic = make_topic(space, person)
    hold(topic, "The budget is 100.", attribute="budget", value="100")
    file(space, found(space, "The budget is 200.", topic=topic, attribute="budget", value="200"))
    assert texts(topic) == ["The budget is 100."]
    assert Conflict.objects.get().status == Conflict.Status.OPEN


@pytest.mark.parametrize(("said_at", "held"), [(TUESDAY, "The budget is 200."), (MONDAY, "The budget is 100.")])
def test_the_newest_words_win_by_when_they_were_said(person: Actor, said_at: object, held: str) -> None:
    space = make_space(conflict_policy="newest")
    topic = make_topic(space, person)
    between = MONDAY.replace(hour=20)
    hold(topic, "The budget is 100.", said_at=between, attribute="budget", value="100")
    item = found(space, "The budget is 200.", topic=topic, attribute="budget", value="200", said_at=said_at)
    filed = file(space, item)
    assert texts(topic) == [held]
    conflict = Conflict.objects.get()
    assert conflict.status == Conflict.Status.RESOLVED
    assert conflict.outcome == ("replace" if held == "The budget is 200." else "keep")
    assert conflict.proposal.status == "approved"  # the older of the two is what was true before
    assert Dispute.objects.get().closed_at is not None
    assert filed.change_set is not None
    assert filed.change_set.decisions.get().proposal == conflict.proposal


def test_the_agent_is_given_a_question_in_the_language_of_the_words(person: Actor) -> None:
    space = make_space(conflict_policy="ask")
    topic = make_topic(space, person)
    hold(topic, "预算是15万元。", said_at=MONDAY, attribute="预算", value="150000")
    file(space, found(space, "预算是18万元。", topic=topic, attribute="预算", value="180000"))
    question = Confirmation.objects.get()
    assert question.status == Confirmation.Status.OPEN
    assert "预算是15万元" in question.question
    assert "预算是18万元" in question.question
    assert Conflict.objects.get().status == Conflict.Status.OPEN
    assert Fact.objects.get(attribute="预算").status == Fact.Status.ACTIVE


def test_two_new_values_in_one_reading_are_asked_about_one_by_one(person: Actor) -> None:
    space = make_space(conflict_policy="ask")
    topic = make_topic(space, person)
    fact = hold(topic, "The budget is 100.", said_at=MONDAY, attribute="budget", value="100")
    budget = {"topic": topic, "attribute": "budget"}
    filed = file(
        space,
        found(space, "The budget is 200.", value="200", **budget),
        found(space, "No, the budget is 300.", value="300", said_at=TUESDAY, **budget),
    )
    assert [c.fact for c in filed.conflicts] == [fact, fact]
    assert set(Conflict.objects.values_list("status", "outcome")) == {("open", "ask")}
    assert Confirmation.objects.filter(status="open").count() == 2


def test_what_a_policy_cannot_do_is_left_to_a_person(person: Actor) -> None:
    space = make_space(conflict_policy="ask")
    topic = make_topic(space, person)
    hold(topic, "The budget is 100.", said_at=MONDAY, attribute="budget", value="100")
    file(space, found(space, "The budget is 200.", topic=topic, attribute="budget", value="200"))
    conflict = Conflict.objects.get()
    with change_set(space=space, actor=person, action="extract"):
        settle_by_policy(conflict=conflict, actor=person)
    assert Confirmation.objects.get().status == Confirmation.Status.OPEN
    conflict.refresh_from_db()
    assert conflict.status == Conflict.Status.OPEN
