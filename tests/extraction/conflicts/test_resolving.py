"""Settling a contradiction in the open: each outcome, and what is asked of whom."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from extraction.models import Confirmation, Conflict, Proposal
from extraction.services.resolving import answer_confirmation, resolve_conflict
from tests.extraction.filing.helpers import (
    MONDAY,
    TUESDAY,
    WEDNESDAY,
    decide,
    file,
    found,
    propose_conflict,
    texts,
    waiting,
)
from tests.topics.services.helpers import hold, say
from topics.changes import Actor
from topics.errors import InvalidInput, Stale, WrongState
from topics.models import Dispute, Fact, Passage, Space, Topic
from topics.services.statements import edit_fact, retract_fact
from topics.services.topics import delete_topic

BUDGET = {"attribute": "budget", "unit": "EUR"}
NAIVE = datetime(2024, 3, 5)


@pytest.fixture
def held(topic: Topic) -> Fact:
    return hold(topic, "The budget is 100.", said_at=MONDAY, value="100", **BUDGET)


@pytest.fixture
def conflict(space: Space, topic: Topic, held: Fact) -> Conflict:
    return propose_conflict(space, "The budget is 200.", topic=topic, said_at=TUESDAY, value="200", **BUDGET)


def resolve(conflict: Conflict, actor: Actor, outcome: str, **values: Any) -> Conflict:
    resolve_conflict(conflict=conflict, actor=actor, outcome=outcome, **values)
    return Conflict.objects.select_related("proposal", "dispute").get(pk=conflict.pk)


def test_replace_supersedes_the_held_fact(conflict: Conflict, held: Fact, topic: Topic, person: Actor) -> None:
    settled = resolve(conflict, person, "replace", reason="new board")
    assert texts(topic) == ["The budget is 200."]
    old = Fact.objects.get(pk=held.pk)
    assert (old.status, old.superseded_by, old.valid_until) == ("superseded", topic.facts.get(status="active"), TUESDAY)
    assert (settled.status, settled.outcome, settled.proposal.status) == ("resolved", "replace", "approved")
    assert settled.dispute.closed_at is not None


def test_keep_turns_the_proposal_down(conflict: Conflict, topic: Topic, person: Actor) -> None:
    settled = resolve(conflict, person, "keep")
    assert texts(topic) == ["The budget is 100."]
    assert (settled.status, settled.outcome, settled.proposal.status) == ("resolved", "keep", "rejected")
    assert settled.dispute.closed_at is not None
    assert Passage.objects.get(message=settled.proposal.message).withheld


def test_neither_takes_both_out(conflict: Conflict, topic: Topic, person: Actor) -> None:
    settled = resolve(conflict, person, "neither")
    assert texts(topic) == []
    assert texts(topic, Fact.Status.RETRACTED) == ["The budget is 100."]
    assert settled.proposal.status == "rejected"


def test_both_are_true_one_after_the_other(conflict: Conflict, held: Fact, topic: Topic, person: Actor) -> None:
    settled = resolve(conflict, person, "both", valid_until=TUESDAY)
    assert texts(topic) == ["The budget is 100.", "The budget is 200."]
    assert Fact.objects.get(pk=held.pk).valid_until == TUESDAY
    assert (settled.valid_until, settled.proposal.status) == (TUESDAY, "approved")


def test_both_are_true_in_different_places(conflict: Conflict, held: Fact, topic: Topic, person: Actor) -> None:
    resolve(conflict, person, "both", scope=" Leeds only ")
    assert texts(topic) == ["The budget is 100.", "The budget is 200."]
    assert topic.facts.get(text="The budget is 200.").scope == "Leeds only"
    assert Fact.objects.get(pk=held.pk).valid_until is None


def test_ask_leaves_it_open_with_a_question(conflict: Conflict, topic: Topic, space: Space, person: Actor) -> None:
    asked = resolve(conflict, person, "ask")
    question = Confirmation.objects.get()
    assert "The budget is 100" in question.question
    assert "The budget is 200" in question.question
    assert (asked.status, asked.outcome, question.status) == ("open", "ask", "open")
    assert waiting(space) == ["The budget is 200."]
    assert texts(topic) == ["The budget is 100."]
    assert asked.dispute.closed_at is None
    with pytest.raises(WrongState):
        resolve(conflict, person, "ask")


def test_a_question_in_the_reviewers_own_words(conflict: Conflict, person: Actor) -> None:
    resolve(conflict, person, "ask", question=" Is it really 200? ")
    assert Confirmation.objects.get().question == "Is it really 200?"


def test_a_decision_withdraws_the_question(conflict: Conflict, person: Actor) -> None:
    resolve(conflict, person, "ask")
    resolve(conflict, person, "keep")
    assert Confirmation.objects.get().status == Confirmation.Status.CANCELLED


@pytest.mark.parametrize(
    ("answer", "says", "status"),
    [
        ("yes", ["The budget is 200."], "resolved"),
        ("no", ["The budget is 100."], "resolved"),
        ("other", ["The budget is 100."], "open"),
    ],
)
def test_the_users_answer_settles_it(
    space: Space,
    conflict: Conflict,
    topic: Topic,
    person: Actor,
    agent: Actor,
    answer: str,
    says: list[str],
    status: str,
) -> None:
    resolve(conflict, person, "ask")
    words = say(space, "Yes, 200.")
    answer_confirmation(confirmation=Confirmation.objects.get(), actor=agent, answer=answer, message=words)
    assert texts(topic) == says
    now = Conflict.objects.get()
    question = Confirmation.objects.get()
    assert now.status == status
    assert (question.status, question.answer, question.message) == ("answered", answer, words)
    with pytest.raises(WrongState):
        answer_confirmation(confirmation=question, actor=agent, answer="no")
    assert texts(topic) == says


def test_after_another_answer_a_person_decides_or_asks_again(conflict: Conflict, topic: Topic, person: Actor) -> None:
    resolve(conflict, person, "ask")
    answer_confirmation(confirmation=Confirmation.objects.get(), actor=person, answer="other")
    resolve(conflict, person, "ask")
    assert Confirmation.objects.filter(status="open").count() == 1
    resolve(conflict, person, "replace")
    assert texts(topic) == ["The budget is 200."]


def test_an_answer_that_is_none_is_refused(conflict: Conflict, person: Actor) -> None:
    resolve(conflict, person, "ask")
    with pytest.raises(InvalidInput):
        answer_confirmation(confirmation=Confirmation.objects.get(), actor=person, answer="perhaps")
    assert Confirmation.objects.get().status == "open"


def test_the_reviewers_words_replace_what_was_proposed(conflict: Conflict, topic: Topic, person: Actor) -> None:
    resolve(conflict, person, "replace", edits={"text": "The budget is 250.", "value": "250"})
    assert texts(topic) == ["The budget is 250."]
    assert topic.facts.get(status="active").corrected_at is not None


@pytest.mark.parametrize(
    "bad",
    [
        {"outcome": "overwrite"},
        {"outcome": ""},
        {"outcome": "both"},
        {"outcome": "both", "scope": "  "},
        {"outcome": "both", "scope": "s" * 201},
        {"outcome": "both", "scope": "a\x00"},
        {"outcome": "both", "valid_until": NAIVE},
        {"outcome": "both", "valid_until": "2024-03-05"},
        {"outcome": "replace", "edits": {"colour": "red"}},
        {"outcome": "replace", "edits": {"text": ""}},
        {"outcome": "replace", "edits": {"valid_from": "yesterday"}},
        {"outcome": "replace", "edits": {"topic": "Nobody knows"}},
    ],
)
def test_an_outcome_that_makes_no_sense_changes_nothing(
    space: Space, conflict: Conflict, topic: Topic, person: Actor, bad: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInput):
        resolve(conflict, person, **bad)
    assert texts(topic) == ["The budget is 100."]
    assert waiting(space) == ["The budget is 200."]
    assert Conflict.objects.get().status == "open"


def test_a_held_fact_cannot_end_before_it_began(conflict: Conflict, held: Fact, topic: Topic, person: Actor) -> None:
    edit_fact(fact=held, actor=person, changes={"valid_from": WEDNESDAY})
    with pytest.raises(InvalidInput):
        resolve(conflict, person, "both", valid_until=TUESDAY)
    assert texts(topic) == ["The budget is 100."]


@pytest.mark.parametrize(
    ("before", "until", "is_fit"),
    [
        ({}, MONDAY - timedelta(days=2000), False),
        ({}, MONDAY - timedelta(days=1), False),
        ({}, MONDAY.replace(hour=0, minute=0, second=0), True),  # the day on which it was said, told without an hour
        ({}, MONDAY, True),
        (
            {"valid_from": MONDAY - timedelta(days=9)},
            MONDAY - timedelta(days=3),
            False,
        ),  # "since …" holds when it is said
        # What had ended when it was told of may have ended sooner.
        (
            {"valid_from": MONDAY - timedelta(days=9), "valid_until": MONDAY - timedelta(days=2)},
            MONDAY - timedelta(days=3),
            True,
        ),
        (
            {"valid_from": MONDAY - timedelta(days=9), "valid_until": MONDAY - timedelta(days=2)},
            MONDAY - timedelta(days=10),
            False,
        ),
    ],
)
def test_what_was_said_to_hold_did_not_end_before(
    conflict: Conflict, held: Fact, person: Actor, before: dict[str, Any], until: datetime, is_fit: bool
) -> None:
    if before:
        edit_fact(fact=held, actor=person, changes=before)
    if is_fit:
        assert resolve(conflict, person, "both", valid_until=until).outcome == "both"
        return
    with pytest.raises(InvalidInput) as refused:
        resolve(conflict, person, "both", valid_until=until)
    assert list(refused.value.details["fields"]) == ["valid_until"]
    assert Conflict.objects.get().status == "open"


def test_the_new_statement_cannot_begin_after_its_end(conflict: Conflict, topic: Topic, person: Actor) -> None:
    edits = {"valid_from": WEDNESDAY.isoformat(), "valid_until": TUESDAY.isoformat()}
    with pytest.raises(InvalidInput) as refused:
        resolve(conflict, person, "both", scope="Leeds", edits=edits)
    assert "valid_until" in refused.value.details["fields"]
    assert texts(topic) == ["The budget is 100."]


def test_a_conflict_is_settled_once(conflict: Conflict, topic: Topic, person: Actor) -> None:
    resolve(conflict, person, "replace")
    for late in ("keep", "replace", "ask", "neither"):
        with pytest.raises(WrongState):
            resolve(conflict, person, late)
    assert texts(topic) == ["The budget is 200."]


def test_a_decision_on_an_old_version_of_the_held_fact_is_refused(
    conflict: Conflict, held: Fact, topic: Topic, person: Actor
) -> None:
    edit_fact(fact=held, actor=person, changes={"text": "The budget is 120.", "value": "120"})
    with pytest.raises(Stale):
        resolve(conflict, person, "replace", seen_version=held.version)
    assert texts(topic) == ["The budget is 120."]
    resolve(conflict, person, "replace", seen_version=held.version + 1)
    assert texts(topic) == ["The budget is 200."]


@pytest.mark.parametrize("outcome", ["replace", "keep", "neither", "both"])
def test_with_what_was_retracted_nothing_is_to_settle(
    conflict: Conflict, held: Fact, topic: Topic, person: Actor, outcome: str
) -> None:
    retract_fact(fact=held, actor=person)
    with pytest.raises(WrongState):
        resolve(conflict, person, outcome, scope="Leeds" if outcome == "both" else "")
    assert texts(topic) == []
    assert Proposal.objects.get(pk=conflict.proposal_id).status == "pending"


def test_nothing_is_settled_in_a_deleted_topic(conflict: Conflict, topic: Topic, person: Actor) -> None:
    delete_topic(topic=topic, actor=person)
    with pytest.raises(WrongState):
        resolve(conflict, person, "both", scope="Leeds")
    assert texts(topic) == ["The budget is 100."]


def test_firmer_words_for_the_same_plan_make_it_settled(space: Space, topic: Topic, person: Actor) -> None:
    plan = hold(topic, "Go-live on 1 May", attribute="go-live", value="1 May", certainty="tentative")
    same_words = propose_conflict(space, "Go-live on 1 May!", topic=topic, attribute="go-live", value="1 May")
    resolve(same_words, person, "replace")
    plan = Fact.objects.get(pk=plan.pk)
    assert (plan.status, plan.certainty) == ("active", "confirmed")
    assert plan.evidence.count() == 2


def test_each_of_two_contradictions_of_one_fact_is_settled_for_itself(
    space: Space, conflict: Conflict, held: Fact, topic: Topic, person: Actor
) -> None:
    second = propose_conflict(space, "The budget is 300.", topic=topic, said_at=WEDNESDAY, value="300", **BUDGET)
    assert Dispute.objects.filter(fact=held, closed_at=None).count() == 2
    resolve(conflict, person, "keep")
    assert Dispute.objects.filter(fact=held, closed_at=None).count() == 1
    resolve(second, person, "replace")
    assert texts(topic) == ["The budget is 300."]


def test_two_contradictions_that_both_replace_leave_one_current_value(
    space: Space, conflict: Conflict, topic: Topic, person: Actor
) -> None:
    """The second was made against a fact that the first has replaced: it meets the new one, and neither is unmarked."""
    second = propose_conflict(space, "The budget is 300.", topic=topic, said_at=WEDNESDAY, value="300", **BUDGET)
    resolve(conflict, person, "replace")
    resolve(second, person, "replace")
    assert texts(topic) == ["The budget is 300."]
    middle = topic.facts.get(text="The budget is 200.")
    assert (middle.status, middle.valid_until) == (Fact.Status.SUPERSEDED, WEDNESDAY)


def test_a_denied_fact_that_is_replaced_is_no_longer_current(space: Space, topic: Topic, person: Actor) -> None:
    hold(topic, "Acme uses Slack for support.")
    item = found(space, "Acme no longer uses Slack for support.", topic=topic, negated=True, said_at=TUESDAY)
    resolve(file(space, item).conflicts[0], person, "replace")
    assert texts(topic) == ["Acme no longer uses Slack for support."]
    assert texts(topic, Fact.Status.SUPERSEDED) == ["Acme uses Slack for support."]


def test_a_snoozed_contradiction_may_be_settled(conflict: Conflict, topic: Topic, person: Actor) -> None:
    decide(person, conflict.proposal, decision="snooze", snooze_until=timezone.now() + timedelta(days=1))
    resolve(conflict, person, "replace")
    assert texts(topic) == ["The budget is 200."]
    assert Proposal.objects.get().snoozed_until is None
