"""Approving: the statement goes into the document, as proposed or as the reviewer put it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from extraction.models import Conflict, Decision, Proposal
from extraction.services.decisions import decide_proposals
from tests.extraction.filing.helpers import (
    MONDAY,
    TUESDAY,
    WEDNESDAY,
    approve,
    decide,
    file,
    found,
    propose,
    propose_conflict,
    texts,
    waiting,
)
from tests.topics.services.helpers import hold, make_person, make_space, make_topic, say
from topics.changes import Actor
from topics.errors import InvalidInput
from topics.models import ChangeSet, Fact, Space, Topic
from topics.selectors.topics import topic_by_name
from topics.services.statements import add_fact, edit_fact
from topics.services.topics import archive_topic, delete_topic


def test_an_approved_statement_is_a_fact_with_its_words_and_one_change_set(
    space: Space, topic: Topic, person: Actor
) -> None:
    message = say(space, "Hi! Acme makes anvils. Bye.", said_at=TUESDAY, name="Priya")
    item = found(space, "Acme makes anvils.", topic=topic, message=message)
    proposal = file(space, item).proposals[0]
    decided = decide(person, proposal, reason="heard it myself")
    fact = Fact.objects.get()
    assert (fact.text, fact.speaker, fact.said_at, fact.corrected_at) == ("Acme makes anvils.", "Priya", TUESDAY, None)
    assert [e.quote for e in fact.evidence.all()] == ["Acme makes anvils."]
    change = decided.change_set
    assert change is not None
    assert (change.action, change.reason, change.actor_label) == ("approve_proposals", "heard it myself", "mei")
    assert fact.history.get().change_set == change
    proposal.refresh_from_db()
    assert (proposal.status, proposal.decided_by, proposal.fact) == ("approved", "mei", fact)
    assert Decision.objects.get().change_set == change


def test_the_reviewers_words_count_as_a_correction(space: Space, topic: Topic, person: Actor) -> None:
    proposal = propose(space, "Acme makes anvils.", topic=topic)
    fact = approve(person, proposal, edits={"text": "Acme makes springs.", "certainty": "planned"}).fact
    assert fact is not None
    assert (fact.text, fact.certainty) == ("Acme makes springs.", "planned")
    assert fact.corrected_at is not None
    assert [e.quote for e in fact.evidence.all()] == ["Acme makes anvils."]
    assert Decision.objects.get().edits == {"text": "Acme makes springs.", "certainty": "planned"}


def test_an_agents_edit_is_no_persons_correction(space: Space, topic: Topic, agent: Actor) -> None:
    fact = approve(agent, propose(space, "Acme makes anvils.", topic=topic), edits={"text": "Acme makes springs."}).fact
    assert fact is not None
    assert fact.corrected_at is None


def test_times_may_be_edited_as_text(space: Space, topic: Topic, person: Actor) -> None:
    event = propose(space, "The team met.", topic=topic, kind="timeline", happened_at=MONDAY, precision="day")
    entry = approve(person, event, edits={"happened_at": "2024-03-05T00:00:00+08:00", "precision": "month"}).entry
    assert entry is not None
    assert entry.happened_at == datetime.fromisoformat("2024-03-05T00:00:00+08:00")
    assert entry.precision == "month"


def test_a_statement_may_be_moved_to_another_topic(space: Space, topic: Topic, person: Actor) -> None:
    other = make_topic(space, person, "Beta")
    for reference in ("BETA", str(other.pk)):
        approve(person, propose(space, f"Said of {reference}.", topic=topic), edits={"topic": reference})
    assert len(texts(other)) == 2
    assert texts(topic) == []


@pytest.mark.parametrize(
    "edits",
    [
        {"colour": "red"},
        {"text": ""},
        {"text": None},
        {"text": "a\x00b"},
        {"attribute": 5},
        {"value": 150000},
        {"certainty": "sure"},
        {"negated": "no"},
        {"kind": "rumour"},
        {"valid_from": "yesterday"},
        {"valid_from": "2024-03-05"},
        {"valid_from": "2024-03-05T00:00:00"},
        {"happened_at": ""},
        {"happened_at": 5},
        {"topic": "Nobody knows"},
        {"topic": "00000000-0000-0000-0000-000000000000"},
        {"topic_name": ""},
        {"topic_name": 7},
        {"topic_kind": "planet"},
        {"alias": "\u200b"},
    ],
)
def test_edits_that_make_no_sense_are_refused_by_name_and_nothing_is_decided(
    space: Space, topic: Topic, person: Actor, edits: dict[str, Any]
) -> None:
    proposals = [propose(space, text, topic=topic) for text in ("Acme makes anvils.", "Acme is in Leeds.")]
    with pytest.raises(InvalidInput) as refused:
        decide(person, *proposals, edits=edits)
    assert set(refused.value.details["fields"]) == set(edits)
    assert len(waiting(space)) == 2
    assert texts(topic) == []


@pytest.mark.parametrize(
    "bad",
    [
        {"decision": "maybe"},
        {"decision": ""},
        {"decision": "snooze"},
        {"decision": "snooze", "snooze_until": MONDAY},
    ],
)
def test_an_unknown_decision_is_refused(space: Space, topic: Topic, person: Actor, bad: dict[str, Any]) -> None:
    proposal = propose(space, "Acme makes anvils.", topic=topic)
    with pytest.raises(InvalidInput):
        decide(person, proposal, **bad)
    assert waiting(space) == ["Acme makes anvils."]


def test_a_statement_brings_its_proposed_topic_and_leaves_the_others_waiting(space: Space, person: Actor) -> None:
    file(space, found(space, "Acme makes anvils."), found(space, "Acme is in Leeds."))
    result = approve(person, Proposal.objects.get(text="Acme makes anvils."))
    topic = topic_by_name(space, "Acme")
    assert topic is not None
    assert (result.topic, topic.kind) == (topic, "customer")
    assert texts(topic) == ["Acme makes anvils."]
    assert waiting(space) == ["Acme is in Leeds."]
    other = Proposal.objects.get(text="Acme is in Leeds.")
    assert other.topic == topic
    approve(person, other)
    assert Topic.objects.count() == 1
    assert ChangeSet.objects.filter(action="approve_proposals").count() == 2


def test_a_proposed_topic_may_be_approved_under_another_name_and_kind(space: Space, person: Actor) -> None:
    file(space, found(space, "Acme makes anvils."))
    approve(
        person,
        Proposal.objects.get(kind=Proposal.Kind.TOPIC),
        edits={"topic_name": "Acme Holding", "topic_kind": "project"},
    )
    topic = Topic.objects.get()
    assert (topic.name, topic.kind) == ("Acme Holding", "project")
    approve(person, Proposal.objects.get(kind=Proposal.Kind.FACT))
    assert texts(topic) == ["Acme makes anvils."]


def test_a_proposed_topic_and_its_statements_may_be_approved_together(space: Space, person: Actor) -> None:
    file(space, found(space, "Acme makes anvils."), found(space, "We say AM.", kind="alias", alias="AM"))
    decided = decide(person, *Proposal.objects.order_by("-pk"))
    assert {r.status for r in decided.results} == {"approved"}
    topic = topic_by_name(space, "AM")
    assert topic is not None
    assert texts(topic) == ["Acme makes anvils."]


def test_a_topic_that_somebody_made_meanwhile_is_used_and_not_made_twice(space: Space, person: Actor) -> None:
    file(space, found(space, "Acme makes anvils."))
    made = make_topic(space, person, "ACME")
    approve(person, Proposal.objects.get(kind=Proposal.Kind.FACT))
    assert Topic.objects.get() == made
    assert texts(made) == ["Acme makes anvils."]
    assert waiting(space) == []


def test_a_topic_that_somebody_made_meanwhile_may_contradict(space: Space, person: Actor) -> None:
    proposal = propose(space, "The budget is 100.", attribute="budget", value="100")
    made = make_topic(space, person, "Acme")
    add_fact(topic=made, actor=person, text="The budget is 200.", attribute="budget", value="200")
    later = timezone.now() + timedelta(days=1)
    Proposal.objects.filter(pk=proposal.pk).update(said_at=later)
    assert approve(person, proposal).status == "conflict"
    assert texts(made) == ["The budget is 200."]


def test_a_document_that_moved_on_gets_a_conflict_and_is_not_overwritten(
    space: Space, topic: Topic, person: Actor
) -> None:
    proposal = propose(space, "The budget is 100.", topic=topic, attribute="budget", value="100", said_at=WEDNESDAY)
    held = hold(topic, "The budget is 200.", attribute="budget", value="200", said_at=TUESDAY)
    result = approve(person, proposal)
    assert (result.status, result.code) == ("conflict", "conflict")
    assert "The budget is 200." in result.message
    assert texts(topic) == ["The budget is 200."]
    conflict = Conflict.objects.get()
    assert (conflict.proposal, conflict.fact) == (proposal, held)
    assert approve(person, proposal).status == "conflict"
    assert Conflict.objects.count() == 1


def test_a_persons_correction_is_not_overwritten_by_an_approval_of_older_words(
    space: Space, topic: Topic, person: Actor
) -> None:
    held = hold(topic, "The budget is 200.", attribute="budget", value="200")
    proposal = propose(space, "The budget is 100.", topic=topic, attribute="price", value="100")
    edit_fact(fact=held, actor=person, changes={"attribute": "price"})
    assert approve(person, proposal).status == "conflict"
    assert texts(topic) == ["The budget is 200."]


def test_a_proposal_in_conflict_needs_an_outcome(space: Space, topic: Topic, person: Actor) -> None:
    hold(topic, "The budget is 200.", attribute="budget", value="200")
    conflict = propose_conflict(space, "The budget is 100.", topic=topic, attribute="budget", value="100")
    assert approve(person, conflict.proposal).status == "conflict"
    assert conflict.proposal.decisions.count() == 0


def test_what_two_people_decide_is_decided_once(space: Space, topic: Topic, person: Actor) -> None:
    proposal = propose(space, "Acme makes anvils.", topic=topic)
    approve(person, proposal)
    for decision in ("approve", "reject"):
        late = decide(make_person(f"late {decision}"), proposal, decision=decision)
        assert (late.results[0].status, late.results[0].code) == ("error", "decided")
        assert "mei" in late.results[0].message
        assert late.change_set is None
    assert texts(topic) == ["Acme makes anvils."]


def test_each_of_many_gets_its_result_and_none_stops_the_others(space: Space, topic: Topic, person: Actor) -> None:
    hold(topic, "The budget is 200.", attribute="budget", value="200")
    good = propose(space, "Acme makes anvils.", topic=topic)
    done = propose(space, "Acme is in Leeds.", topic=topic)
    approve(person, done)
    contested = propose_conflict(space, "The budget is 100.", topic=topic, attribute="budget", value="100").proposal
    gone = make_topic(space, person, "Gone")
    of_gone = propose(space, "Gone is gone.", topic=gone)
    delete_topic(topic=gone, actor=person)
    reversed_dates = propose(space, "Acme rents a hall.", topic=topic, valid_from=TUESDAY, valid_until=MONDAY)
    taken = propose(space, "We say Beta.", topic=topic, kind="alias", alias="Beta")
    make_topic(space, person, "Beta")
    foreign_space = make_space("other")
    foreign = propose(foreign_space, "Foreign.", topic=make_topic(foreign_space, person))
    ids = [
        good.pk,
        done.pk,
        "nonsense",
        uuid4(),
        contested.pk,
        of_gone.pk,
        reversed_dates.pk,
        taken.pk,
        foreign.pk,
        str(good.pk),
    ]
    decided = decide_proposals(space=space, actor=person, ids=ids, decision="approve")
    assert [(r.status, r.code) for r in decided.results] == [
        ("approved", ""),
        ("error", "decided"),
        ("error", "not_found"),
        ("error", "not_found"),
        ("conflict", "conflict"),
        ("error", "topic_gone"),
        ("error", "invalid"),
        ("error", "name_taken"),
        ("error", "not_found"),
    ]
    assert texts(topic) == ["The budget is 200.", "Acme is in Leeds.", "Acme makes anvils."]
    assert decided.change_set is not None
    assert decided.change_set.decisions.count() == 1
    foreign.refresh_from_db()
    assert foreign.status == Proposal.Status.PENDING


def test_a_decision_on_nothing_changes_nothing(space: Space, person: Actor) -> None:
    decided = decide_proposals(space=space, actor=person, ids=[], decision="approve")
    assert (decided.results, decided.change_set) == ([], None)
    decided = decide_proposals(space=space, actor=person, ids=[uuid4()], decision="reject")
    assert decided.change_set is None
    assert not ChangeSet.objects.exists()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"attribute": "budget", "value": "100"}, {"attribute": "budget", "value": "200"}),
        ({"text": "Acme uses Slack for support."}, {"text": "Acme no longer uses Slack for support.", "negated": True}),
    ],
)
def test_two_of_one_selection_that_contradict_each_other_are_not_both_approved(
    space: Space, topic: Topic, person: Actor, first: dict[str, Any], second: dict[str, Any]
) -> None:
    one = propose(space, topic=topic, **({"text": "The budget is this."} | first))
    two = propose(space, topic=topic, **({"text": "The budget is that."} | second))
    decided = decide(person, one, two)
    assert [(r.status, r.code) for r in decided.results] == [("approved", ""), ("conflict", "conflict")]
    assert texts(topic) == [one.text]
    conflict = Conflict.objects.get(proposal=two)
    assert (conflict.fact.text, conflict.status) == (one.text, Conflict.Status.OPEN)
    assert [d.claim for d in conflict.fact.disputes.all()] == [two.text]


def test_one_value_in_two_writings_is_no_contradiction(space: Space, topic: Topic, person: Actor) -> None:
    value = {"topic": topic, "attribute": "预算"}
    one = propose(space, "预算是15万元。", value="150000", unit="CNY", **value)
    two = propose(space, "预算十五万。", value="150000.0", unit="cny", **value)
    assert {r.status for r in decide(person, one, two).results} == {"approved"}


def test_two_values_of_one_proposed_topic_are_not_both_approved(space: Space, person: Actor) -> None:
    file(
        space,
        found(space, "The budget is 100.", attribute="budget", value="100"),
        found(space, "The budget is 200.", attribute="budget", value="200"),
    )
    decided = decide(person, *Proposal.objects.order_by("pk"))
    assert sorted(r.code for r in decided.results) == ["", "", "conflict"]
    assert texts(Topic.objects.get()) == ["The budget is 100."]
    assert Conflict.objects.get().proposal.text == "The budget is 200."


def test_an_archived_topic_still_takes_what_was_proposed_for_it(space: Space, topic: Topic, person: Actor) -> None:
    proposal = propose(space, "Acme makes anvils.", topic=topic)
    archive_topic(topic=topic, actor=person)
    assert approve(person, proposal).status == "approved"
    assert Topic.objects.get().status == Topic.Status.ARCHIVED


@pytest.mark.parametrize("kind", ["summary", "archive", "merge"])
def test_proposals_about_the_topic_itself(space: Space, topic: Topic, person: Actor, kind: str) -> None:
    topic.refresh_from_db()
    proposal = Proposal.objects.create(
        space=space,
        topic=topic,
        kind=kind,
        text="Makes anvils.",
        fingerprint=kind,
        content_key=kind,
        base_version=topic.document_version,
    )
    result = approve(person, proposal)
    now = Topic.objects.get()
    if kind == "summary":
        assert (result.status, now.summary) == ("approved", "Makes anvils.")
    elif kind == "archive":
        assert (result.status, now.status) == ("approved", "archived")
    else:
        assert (result.status, result.code) == ("error", "wrong_state")
        assert waiting(space) == ["Makes anvils."]
