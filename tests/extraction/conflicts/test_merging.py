"""What a merge brings together: contradictions go to review, and what waits follows its topic."""

from __future__ import annotations

from typing import Any

import pytest

from extraction.models import Conflict, Proposal
from extraction.services.resolving import resolve_conflict
from tests.extraction.filing.helpers import (
    MONDAY,
    TUESDAY,
    approve,
    decide,
    file,
    found,
    propose,
    propose_conflict,
    texts,
    waiting,
)
from tests.topics.services.helpers import hold, make_topic, picture
from topics.changes import Actor
from topics.errors import WrongState
from topics.models import ChangeSet, Dispute, Fact, Passage, Space, Topic
from topics.services.merge_plan import MergeChoices
from topics.services.merging import merge_topics
from topics.services.splitting import split_topic
from topics.services.undo import kept_by_undo, undo_change_set

BUDGET = {"attribute": "budget", "unit": "EUR"}


@pytest.fixture
def other(space: Space, person: Actor) -> Topic:
    return make_topic(space, person, "Acme Corp")


def merge(actor: Actor, survivor: Topic, *others: Topic, **choices: Any) -> ChangeSet:
    survivor, *members = (Topic.objects.get(pk=t.pk) for t in (survivor, *others))
    merged = merge_topics(
        space=survivor.space, survivor=survivor, others=members, actor=actor, choices=MergeChoices(**choices)
    )
    return merged[1]


def disputed() -> set[str]:
    return set(Dispute.objects.filter(closed_at=None).values_list("fact__text", flat=True))


def withheld() -> set[Any]:
    return set(Passage.objects.filter(withheld=True).values_list("pk", flat=True))


@pytest.fixture
def budgets(topic: Topic, other: Topic) -> tuple[Fact, Fact]:
    """Two budgets in two topics, of which only one can be right, from turns that agents may see."""
    held = (
        hold(topic, "The budget is 100.", said_at=MONDAY, value="100", **BUDGET),
        hold(other, "The budget is 200.", said_at=TUESDAY, value="200", **BUDGET),
    )
    Passage.objects.update(withheld=False)
    return held


@pytest.fixture
def merged(budgets: tuple[Fact, Fact], topic: Topic, other: Topic, person: Actor) -> ChangeSet:
    return merge(person, topic, other)


def test_facts_that_contradict_each_other_both_stay_disputed_and_wait_in_the_queue(
    merged: ChangeSet, budgets: tuple[Fact, Fact], topic: Topic
) -> None:
    conflict = Conflict.objects.select_related("proposal").get()
    assert texts(topic) == ["The budget is 100.", "The budget is 200."]
    assert disputed() == {"The budget is 100.", "The budget is 200."}
    assert (conflict.fact, conflict.proposal.fact, conflict.why) == (*budgets, "value")
    assert (conflict.proposal.topic, conflict.proposal.status) == (topic, "pending")
    assert [quote.text for quote in conflict.proposal.quotes.all()] == ["The budget is 200."]


def test_what_was_said_later_contradicts_what_was_said_first_whichever_topic_stays(
    budgets: tuple[Fact, Fact], topic: Topic, other: Topic, person: Actor
) -> None:
    merge(person, other, topic)
    conflict = Conflict.objects.select_related("proposal").get()
    assert (conflict.fact, conflict.proposal.fact) == budgets
    assert disputed() == {"The budget is 100.", "The budget is 200."}


@pytest.mark.parametrize(
    ("outcome", "values", "current", "past"),
    [
        ("replace", {}, ["The budget is 200."], "superseded"),
        ("keep", {}, ["The budget is 100."], "superseded"),
        ("neither", {}, [], "retracted"),
        ("both", {"scope": "in Leeds"}, ["The budget is 100.", "The budget is 200."], ""),
        ("both", {"valid_until": TUESDAY}, ["The budget is 100.", "The budget is 200."], ""),
    ],
)
def test_every_outcome_settles_it_and_can_be_undone(
    merged: ChangeSet,
    budgets: tuple[Fact, Fact],
    topic: Topic,
    person: Actor,
    outcome: str,
    values: dict[str, Any],
    current: list[str],
    past: str,
) -> None:
    before, kept_back = picture(topic.space), withheld()
    settled = resolve_conflict(conflict=Conflict.objects.get(), actor=person, outcome=outcome, **values)
    assert texts(topic) == current
    assert len(texts(topic, past)) == 2 - len(current)
    assert disputed() == set()
    assert Conflict.objects.get().status == "resolved"
    assert withheld() <= kept_back
    facts = {fact.text: fact for fact in Fact.objects.all()}
    assert facts["The budget is 200."].scope == values.get("scope", "")
    if "valid_until" in values:
        assert facts["The budget is 100."].valid_until == values["valid_until"]
    undo_change_set(change=settled, actor=person)
    assert picture(topic.space) == before
    assert disputed() == {"The budget is 100.", "The budget is 200."}


def test_rejecting_keeps_what_is_held(merged: ChangeSet, topic: Topic, person: Actor) -> None:
    proposal, kept_back = Proposal.objects.get(), withheld()
    assert approve(person, proposal).status == "conflict"
    decide(person, proposal, decision="reject")
    assert texts(topic) == ["The budget is 100."]
    assert withheld() <= kept_back


def test_undo_ends_the_conflict_and_redo_opens_it_again(
    merged: ChangeSet, topic: Topic, other: Topic, person: Actor
) -> None:
    kept_back = withheld()
    undo = undo_change_set(change=merged, actor=person)
    assert (texts(topic), texts(other)) == (["The budget is 100."], ["The budget is 200."])
    assert (disputed(), waiting(topic.space)) == (set(), [])
    assert withheld() <= kept_back
    undo_change_set(change=undo, actor=person)
    assert disputed() == {"The budget is 100.", "The budget is 200."}
    assert waiting(topic.space) == ["The budget is 200."]


@pytest.mark.parametrize("outcome", ["replace", "keep"])
def test_undo_after_the_conflict_was_settled_gives_each_topic_its_own_fact_back(
    merged: ChangeSet, topic: Topic, other: Topic, person: Actor, outcome: str
) -> None:
    resolve_conflict(conflict=Conflict.objects.get(), actor=person, outcome=outcome)
    assert len(kept_by_undo(merged)) == 1
    undo_change_set(change=merged, actor=person)
    assert (texts(topic), texts(other)) == (["The budget is 100."], ["The budget is 200."])
    assert set(Fact.objects.values_list("valid_until", flat=True)) == {None}
    assert waiting(topic.space) == []


@pytest.mark.parametrize("winner", [0, 1])
def test_a_preferred_fact_wins_at_once(
    budgets: tuple[Fact, Fact], topic: Topic, other: Topic, person: Actor, winner: int
) -> None:
    done = merge(person, topic, other, prefer=[budgets[winner].pk])
    assert texts(topic) == [budgets[winner].text]
    assert texts(topic, "superseded") == [budgets[1 - winner].text]
    assert (Conflict.objects.count(), disputed()) == (0, set())
    undo_change_set(change=done, actor=person)
    assert (texts(topic), texts(other)) == (["The budget is 100."], ["The budget is 200."])


def test_a_denial_contradicts_what_it_denies(topic: Topic, other: Topic, person: Actor) -> None:
    hold(topic, "Acme delivers on Sundays.")
    hold(other, "Acme does not deliver on Sundays.", negated=True)
    merge(person, topic, other)
    assert Conflict.objects.get().why == "negation"


def test_what_held_in_its_time_or_place_contradicts_nothing(topic: Topic, other: Topic, person: Actor) -> None:
    hold(topic, "The budget is 100.", value="100", valid_until=TUESDAY, **BUDGET)
    hold(topic, "The budget in Leeds is 150.", value="150", scope="Leeds", **BUDGET)
    hold(other, "The budget is 200.", value="200", **BUDGET)
    merge(person, topic, other)
    assert not Conflict.objects.exists()


def test_three_values_are_two_conflicts_with_the_first(topic: Topic, other: Topic, person: Actor) -> None:
    third = make_topic(topic.space, person, "ACME Inc")
    for member, value in ((topic, "100"), (other, "200"), (third, "300")):
        hold(member, f"The budget is {value}.", value=value, **BUDGET)
    merge(person, topic, other, third)
    assert set(Conflict.objects.values_list("fact__value", "proposal__value")) == {("100", "200"), ("100", "300")}


def test_a_waiting_proposal_follows_to_the_survivor_and_back(topic: Topic, other: Topic, person: Actor) -> None:
    last = make_topic(topic.space, person, "Anvil Group")
    proposal = propose(topic.space, "Acme makes anvils.", topic=other)
    first, second = merge(person, topic, other), merge(person, last, topic)
    proposal.refresh_from_db()
    assert (proposal.topic, proposal.filed_for) == (last, other)
    undo_change_set(change=first, actor=person)
    proposal.refresh_from_db()
    assert (proposal.topic, proposal.filed_for) == (other, None)
    undo_change_set(change=second, actor=person)
    assert approve(person, proposal).status == "approved"
    assert texts(other) == ["Acme makes anvils."]


def test_what_waits_already_is_not_proposed_again_after_the_merge(topic: Topic, other: Topic, person: Actor) -> None:
    propose(topic.space, "Acme makes anvils.", topic=other)
    merge(person, topic, other)
    filed = file(topic.space, found(topic.space, "Acme makes anvils.", topic=topic, said_at=TUESDAY))
    assert (filed.proposals, waiting(topic.space)) == ([], ["Acme makes anvils."])


def test_an_open_conflict_of_a_joined_fact_stays_with_the_one_that_stands(
    topic: Topic, other: Topic, person: Actor
) -> None:
    hold(topic, "The budget is 100.", said_at=MONDAY, value="100", **BUDGET)
    held = hold(other, "The budget is 100.", said_at=MONDAY, value="100", **BUDGET)
    conflict = propose_conflict(topic.space, "The budget is 300.", topic=other, said_at=TUESDAY, value="300", **BUDGET)
    merge(person, topic, other)
    assert list(topic.facts.filter(status="active")) == [held]
    assert disputed() == {"The budget is 100."}
    resolve_conflict(conflict=conflict, actor=person, outcome="replace")
    assert texts(topic) == ["The budget is 300."]


def test_a_conflict_goes_with_its_fact_when_a_topic_is_split_and_back(topic: Topic, person: Actor) -> None:
    held = hold(topic, "The budget is 100.", said_at=MONDAY, value="100", **BUDGET)
    conflict = propose_conflict(topic.space, "The budget is 300.", topic=topic, said_at=TUESDAY, value="300", **BUDGET)
    new = split_topic(topic=topic, actor=person, name="Acme Leeds", facts=[held.pk])
    split = ChangeSet.objects.get(action="split_topic")
    conflict.proposal.refresh_from_db()
    assert conflict.proposal.topic == new
    undo_change_set(change=split, actor=person)
    conflict.proposal.refresh_from_db()
    assert conflict.proposal.topic == topic
    resolve_conflict(conflict=conflict, actor=person, outcome="replace")
    assert texts(topic) == ["The budget is 300."]
    with pytest.raises(WrongState):
        undo_change_set(change=split, actor=person)
