"""Rejecting and snoozing."""

from __future__ import annotations

from datetime import timedelta

import time_machine
from django.utils import timezone

from extraction.models import Conflict, Proposal
from tests.extraction.filing.helpers import (
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
from tests.topics.services.helpers import hold
from topics.changes import Actor
from topics.models import Dispute, Passage, Space, Topic


def test_a_rejected_statement_is_kept_with_the_reason_and_its_words_are_not_shown(
    space: Space, topic: Topic, person: Actor
) -> None:
    proposal = propose(space, "Acme makes anvils.", topic=topic)
    decided = decide(person, proposal, decision="reject", reason="a joke")
    assert decided.results[0].status == "rejected"
    proposal.refresh_from_db()
    assert (proposal.status, proposal.reason, proposal.decided_by) == ("rejected", "a joke", "mei")
    assert Passage.objects.get(message=proposal.message).withheld
    assert texts(topic) == []


def test_with_a_proposed_topic_go_the_statements_that_wait_for_it(space: Space, topic: Topic, person: Actor) -> None:
    file(space, found(space, "Beta makes anvils.", topic="Beta"), found(space, "Beta is in Leeds.", topic="Beta"))
    propose(space, "Acme makes rockets.", topic=topic)
    new = Proposal.objects.get(kind=Proposal.Kind.TOPIC)
    decided = decide(person, new, decision="reject")
    assert [r.id for r in decided.results] == [str(new.pk)]
    assert waiting(space) == ["Acme makes rockets."]
    assert decided.change_set is not None
    assert decided.change_set.decisions.count() == 3


def test_a_rejected_topic_may_be_proposed_again_from_new_words(space: Space, person: Actor) -> None:
    item = found(space, "Acme makes anvils.")
    file(space, item)
    decide(person, Proposal.objects.get(kind=Proposal.Kind.TOPIC), decision="reject")
    file(space, item)
    assert waiting(space) == []
    file(space, found(space, "Acme is in Leeds.", said_at=TUESDAY))
    assert waiting(space) == ["Acme", "Acme is in Leeds."]


def test_rejecting_one_statement_leaves_its_proposed_topic_waiting(space: Space, person: Actor) -> None:
    file(space, found(space, "Acme makes anvils."))
    decide(person, Proposal.objects.get(kind=Proposal.Kind.FACT), decision="reject")
    assert waiting(space) == ["Acme"]


def test_rejecting_what_contradicts_keeps_what_is_held(space: Space, topic: Topic, person: Actor) -> None:
    held = hold(topic, "The budget is 200.", attribute="budget", value="200")
    conflict = propose_conflict(space, "The budget is 100.", topic=topic, attribute="budget", value="100")
    decide(person, conflict.proposal, decision="reject")
    conflict.refresh_from_db()
    assert (conflict.status, conflict.outcome) == (Conflict.Status.RESOLVED, Conflict.Outcome.KEEP)
    assert Dispute.objects.get(fact=held).closed_at is not None
    assert texts(topic) == ["The budget is 200."]


def test_a_snoozed_proposal_may_be_decided_and_snoozed_again(space: Space, topic: Topic, person: Actor) -> None:
    proposal = propose(space, "Acme makes anvils.", topic=topic)
    until = timezone.now() + timedelta(days=1)
    for day in (until, until + timedelta(days=1)):
        result = decide(person, proposal, decision="snooze", snooze_until=day).results[0]
        assert result.status == "snoozed"
        proposal.refresh_from_db()
        assert proposal.snoozed_until == day
    assert approve(person, proposal).status == "approved"
    proposal.refresh_from_db()
    assert proposal.snoozed_until is None


def test_the_words_of_a_snoozed_statement_still_add_up(space: Space, topic: Topic, person: Actor) -> None:
    proposal = propose(space, "Acme makes anvils.", topic=topic)
    decide(person, proposal, decision="snooze", snooze_until=timezone.now() + timedelta(days=1))
    assert file(space, found(space, "Acme makes anvils!", topic=topic, said_at=TUESDAY)).proposals == []
    with time_machine.travel(timezone.now() + timedelta(days=2)):
        assert approve(person, proposal).status == "approved"
    assert topic.facts.get().evidence.count() == 2
