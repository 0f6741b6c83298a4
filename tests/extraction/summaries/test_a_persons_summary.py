"""A summary that a person wrote is never overwritten: another is proposed."""

from __future__ import annotations

import pytest

from extraction.models import Job, Proposal
from tests.contract.helpers import make_api
from tests.extraction.filing.helpers import approve, decide
from tests.extraction.summaries.helpers import BUDGET, DECIDED, MAKES, sentences, summarise, summary, told
from tests.inference.wire import Wire
from tests.topics.services.helpers import hold
from topics.changes import Actor
from topics.models import Fact, Space, Topic
from topics.services.statements import retract_fact
from topics.services.topics import update_topic
from topics.services.undo import undo_change_set

OWN = "Our oldest customer. Handle with care."


@pytest.fixture
def proposal(job: Job, topic: Topic, person: Actor, wire: Wire) -> Proposal:
    update_topic(topic=topic, actor=person, summary=OWN)
    wire.always(summary(MAKES, BUDGET, DECIDED))
    summarise(topic)
    return Proposal.objects.get()


def test_it_stays_and_another_is_proposed(proposal: Proposal, topic: Topic, space: Space) -> None:
    assert told(topic) == OWN
    assert (proposal.kind, proposal.status, proposal.topic) == ("summary", "pending", topic)
    assert proposal.text == f"{MAKES[0]} {BUDGET[0]} {DECIDED[0]}"
    assert proposal.model == "wire-model"
    [shown] = make_api(space).get("proposals?kind=summary").json()["results"]
    assert shown["text"] == proposal.text


def test_approved_as_it_is_it_stays_traceable_and_is_kept_in_step(
    proposal: Proposal, topic: Topic, facts: list[Fact], person: Actor
) -> None:
    assert approve(person, proposal).status == "approved"
    assert told(topic) == proposal.text
    assert not topic.summary_by_person
    retract_fact(fact=facts[1], actor=person)
    assert told(topic) == f"{MAKES[0]} {DECIDED[0]}"


def test_approved_in_other_words_it_is_the_persons(proposal: Proposal, topic: Topic, person: Actor) -> None:
    assert approve(person, proposal, edits={"text": "Acme of Leeds."}).status == "approved"
    assert told(topic) == "Acme of Leeds."
    assert topic.summary_by_person
    assert sentences(topic) == []


def test_the_approval_is_undone(proposal: Proposal, topic: Topic, person: Actor) -> None:
    change = decide(person, proposal).change_set
    assert change is not None
    undo_change_set(change=change, actor=person)
    assert told(topic) == OWN
    assert topic.summary_by_person
    proposal.refresh_from_db()
    assert proposal.status == "pending"


def test_what_was_retracted_since_is_not_approved(
    proposal: Proposal, topic: Topic, facts: list[Fact], person: Actor
) -> None:
    retract_fact(fact=facts[1], actor=person)
    approve(person, proposal)
    assert told(topic) == f"{MAKES[0]} {DECIDED[0]}"


def test_when_all_of_it_was_retracted_nothing_is_approved(
    proposal: Proposal, topic: Topic, facts: list[Fact], person: Actor
) -> None:
    for fact in facts:
        retract_fact(fact=fact, actor=person)
    result = approve(person, proposal)
    assert (result.status, result.code) == ("error", "facts_gone")
    assert told(topic) == OWN


def test_a_newer_one_takes_the_place_of_one_that_waits(proposal: Proposal, topic: Topic, wire: Wire) -> None:
    hold(topic, "Acme has 12 smiths.")
    wire.always(summary(MAKES, ("Acme has 12 smiths.", ["f5"])))
    summarise(topic)
    proposal.refresh_from_db()
    assert (proposal.status, proposal.reason) == ("rejected", "A newer summary was proposed.")
    assert Proposal.objects.get(status="pending").text == f"{MAKES[0]} Acme has 12 smiths."


def test_the_same_is_not_proposed_again(proposal: Proposal, topic: Topic, person: Actor) -> None:
    decide(person, proposal, decision="reject")
    hold(topic, "Acme has 12 smiths.")
    summarise(topic)
    assert Proposal.objects.count() == 1
