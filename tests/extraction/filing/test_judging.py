"""What a new statement is to what is held: the same, a contradiction, or something else."""

from __future__ import annotations

from typing import Any

import pytest

from extraction.models import Conflict, Proposal
from tests.extraction.filing.helpers import TUESDAY, WEDNESDAY, approve, file, found, propose, texts
from tests.topics.services.helpers import hold, make_topic
from topics.changes import Actor
from topics.models import Dispute, Fact, Space, Topic
from topics.services.statements import edit_fact


@pytest.fixture
def budget(topic: Topic) -> Fact:
    return hold(topic, "预算是15万元。", kind="number", attribute="预算", value="150000", unit="CNY")


def test_another_value_of_the_same_attribute_is_a_conflict(space: Space, topic: Topic, budget: Fact) -> None:
    item = found(space, "预算调到18万元。", topic=topic, kind="number", attribute="预算", value="180000", unit="CNY")
    filed = file(space, item)
    conflict = filed.conflicts[0]
    assert (conflict.fact, conflict.why, conflict.status) == (budget, "value", "open")
    assert conflict.proposal.status == Proposal.Status.PENDING
    assert Dispute.objects.get(fact=budget).closed_at is None
    assert texts(topic) == ["预算是15万元。"]


def test_an_attribute_is_the_same_in_both_languages(space: Space, topic: Topic, budget: Fact) -> None:
    item = found(space, "The budget is 180,000 yuan.", topic=topic, attribute="Budget", value="180000", unit="CNY")
    assert file(space, item).conflicts[0].fact == budget


@pytest.mark.parametrize("value", ["150000", "150000.00", "１５００００", " 150 000 ", "1.5E+5"])
def test_the_same_number_in_another_writing_is_the_same(space: Space, topic: Topic, budget: Fact, value: str) -> None:
    item = found(space, "总预算十五万", topic=topic, kind="number", attribute="预算 ", value=value, unit="cny")
    filed = file(space, item)
    assert (filed.proposals, filed.conflicts, filed.repeated) == ([], [], 1)
    assert budget.evidence.count() == 2


@pytest.mark.parametrize("other", [{"unit": "USD"}, {"value": "1500"}, {"value": "NaN"}, {"value": "十五万左右"}])
def test_another_unit_or_amount_is_another_value(
    space: Space, topic: Topic, budget: Fact, other: dict[str, str]
) -> None:
    value = {"attribute": "预算", "value": "150000", "unit": "CNY"} | other
    filed = file(space, found(space, "预算另有说法。", topic=topic, kind="number", **value))
    assert [c.why for c in filed.conflicts] == ["value"]


def test_a_number_that_is_none_is_the_same_as_itself(space: Space, topic: Topic) -> None:
    hold(topic, "The budget is unknown.", attribute="budget", value="NaN")
    filed = file(space, found(space, "Nobody knows the budget.", topic=topic, attribute="budget", value="nan"))
    assert filed.conflicts == []


def test_the_attribute_of_another_topic_is_no_concern(space: Space, person: Actor, budget: Fact) -> None:
    other = make_topic(space, person, "Beta")
    filed = file(
        space, found(space, "预算是3万元。", topic=other, kind="number", attribute="预算", value="30000", unit="CNY")
    )
    assert filed.conflicts == []
    assert len(filed.proposals) == 1


@pytest.mark.parametrize(
    ("held", "denial"),
    [
        ("Acme uses Slack for support.", "Acme no longer uses Slack for support."),
        ("我们用无线网关。", "我们不用无线网关。"),
    ],
)
def test_the_denial_of_what_is_held_is_a_conflict_both_ways(
    space: Space, topic: Topic, person: Actor, held: str, denial: str
) -> None:
    fact = hold(topic, held)
    filed = file(space, found(space, denial, topic=topic, negated=True, said_at=TUESDAY))
    assert [(c.fact, c.why) for c in filed.conflicts] == [(fact, "negation")]
    other = make_topic(space, person, "Beta")
    denied = hold(other, denial, negated=True)
    filed = file(space, found(space, held, topic=other, said_at=WEDNESDAY))
    assert [(c.fact, c.why) for c in filed.conflicts] == [(denied, "negation")]


def test_the_denial_of_something_else_is_no_conflict(space: Space, topic: Topic) -> None:
    hold(topic, "Acme uses Slack for support.")
    filed = file(space, found(space, "Greta never drinks coffee.", topic=topic, negated=True))
    assert filed.conflicts == []


def test_a_denied_value_of_an_attribute_is_a_conflict(space: Space, topic: Topic) -> None:
    fact = hold(topic, "The vendor is Acme.", attribute="vendor", value="Acme")
    filed = file(
        space, found(space, "The vendor is not Acme.", topic=topic, attribute="vendor", value="ACME", negated=True)
    )
    assert [(c.fact, c.why) for c in filed.conflicts] == [(fact, "negation")]


def test_a_plan_that_is_confirmed_is_shown_against_the_plan(space: Space, topic: Topic, person: Actor) -> None:
    plan = hold(topic, "Maybe 1 May.", attribute="go-live", value="1 May", certainty="tentative")
    firm = {"topic": topic, "attribute": "go-live", "value": "1 May", "certainty": "confirmed"}
    filed = file(space, found(space, "Go-live is on 1 May.", **firm))
    assert [(c.fact, c.why) for c in filed.conflicts] == [(plan, "certainty")]


def test_a_guess_at_what_is_settled_adds_nothing(space: Space, topic: Topic) -> None:
    hold(topic, "Go-live is on 1 May.", attribute="go-live", value="1 May")
    guess = {"topic": topic, "attribute": "go-live", "value": "1 May", "certainty": "tentative"}
    filed = file(space, found(space, "Perhaps 1 May.", **guess))
    assert (filed.proposals, filed.conflicts) == ([], [])


@pytest.mark.parametrize("ended", [{"scope": "Leeds"}, {"valid_until": TUESDAY}])
def test_what_holds_elsewhere_or_has_ended_is_not_contradicted(
    space: Space, topic: Topic, budget: Fact, person: Actor, ended: dict[str, Any]
) -> None:
    edit_fact(fact=budget, actor=person, changes=ended)
    filed = file(space, found(space, "预算是20万元。", topic=topic, attribute="预算", value="200000", unit="CNY"))
    assert filed.conflicts == []


def test_two_values_in_one_reading_meet_each_other_once_the_first_is_held(space: Space, topic: Topic) -> None:
    space.review_policy = "automatic"
    space.save()
    value = {"topic": topic, "kind": "number", "attribute": "budget"}
    filed = file(
        space,
        found(space, "The budget is 100.", value="100", **value),
        found(space, "No, the budget is 200.", value="200", said_at=TUESDAY, **value),
    )
    assert texts(topic) == ["The budget is 100."]
    assert [c.proposal.text for c in filed.conflicts] == ["No, the budget is 200."]


def test_two_values_that_both_wait_meet_when_one_is_approved(space: Space, topic: Topic, person: Actor) -> None:
    value = {"topic": topic, "kind": "number", "attribute": "budget"}
    first = propose(space, "The budget is 100.", value="100", **value)
    second = propose(space, "The budget is 200.", value="200", said_at=TUESDAY, **value)
    approve(person, first)
    assert approve(person, second).status == "conflict"
    assert Conflict.objects.get().proposal == second
    assert texts(topic) == ["The budget is 100."]


@pytest.mark.parametrize(
    ("attribute", "text", "renewed"),
    [
        ("first sprint deadline", "The new sprint deadline is 5 April.", 1),
        ("first sprint deadline", "The sprint deadline is 5 April.", 0),
        ("审计截止日期", "截止日期改到4月5日。", 1),
        ("审计截止日期", "截止日期是4月5日。", 0),
    ],
)
def test_a_new_value_by_a_part_of_the_name_is_of_what_alone_has_that_name(
    space: Space, topic: Topic, attribute: str, text: str, renewed: int
) -> None:
    fact = hold(topic, "They agreed on it.", attribute=attribute, value="2024-04-01")
    name = "sprint deadline" if "sprint" in text else "截止日期"
    values: dict[str, Any] = {"topic": topic, "attribute": name, "value": "2024-04-05", "said_at": TUESDAY}
    assert [c.fact for c in file(space, found(space, text, **values)).conflicts] == [fact] * renewed


def test_a_new_value_of_one_of_several_contradicts_none(space: Space, topic: Topic) -> None:
    for name in ("first", "second"):
        hold(topic, f"The deadline of the {name} sprint is set.", attribute=f"{name} sprint deadline", value=name)
    values: dict[str, Any] = {"topic": topic, "attribute": "sprint deadline", "value": "2024-04-05"}
    assert file(space, found(space, "The new sprint deadline is 5 April.", **values)).conflicts == []


@pytest.mark.parametrize(
    ("text", "renewed"),
    [("Our bounce rate has improved to 35%.", 1), ("Our bounce rate is 35%.", 0), ("跳出率目前是35%。", 1)],
)
def test_a_rate_that_moved_is_the_one_that_is_held_of_something(
    space: Space, topic: Topic, text: str, renewed: int
) -> None:
    name = "跳出率" if "跳" in text else "bounce rate"
    held = {"attribute": f"首页{name}" if "跳" in text else f"home page {name}", "value": "40", "unit": "%"}
    fact = hold(topic, "They looked at it.", **held)
    values: dict[str, Any] = {"topic": topic, "attribute": name, "value": "35", "unit": "%", "said_at": TUESDAY}
    assert [c.fact for c in file(space, found(space, text, **values)).conflicts] == [fact] * renewed
