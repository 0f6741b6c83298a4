"""Answers from what was held at a moment."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import time_machine
from django.utils import timezone

from tests.topics.retrieval.helpers import ask, lines, take, talk, texts_of_facts
from tests.topics.services.helpers import make_topic, settle
from topics.changes import Actor
from topics.models import ChangeSet, Space, Topic
from topics.services.statements import (
    add_fact,
    edit_fact,
    open_dispute,
    retract_fact,
    supersede_fact,
)
from topics.services.topics import delete_topic
from topics.services.undo import undo_change_set

JANUARY = datetime(2024, 1, 1, tzinfo=UTC)
BEFORE, FEBRUARY, MARCH, APRIL = (JANUARY + timedelta(days=days) for days in (9, 31, 62, 93))


def test_facts_are_as_they_were_held(closed: Space, person: Actor) -> None:
    with time_machine.travel(JANUARY):
        topic = make_topic(closed, person, "Acme")
        fact = add_fact(topic=topic, actor=person, text="The fee is 30", said_at=JANUARY)
    with time_machine.travel(MARCH):
        edit_fact(fact=fact, actor=person, changes={"text": "The fee is 35"})
        add_fact(topic=topic, actor=person, text="The fee is due in June", said_at=MARCH)
    assert texts_of_facts(ask(closed, "fee", as_of=FEBRUARY)) == {"The fee is 30"}
    assert texts_of_facts(ask(closed, "fee", as_of=APRIL)) == {"The fee is 35", "The fee is due in June"}
    assert ask(closed, "fee", as_of=JANUARY - timedelta(days=1)).context == ""
    assert ask(closed, "zebra", as_of=APRIL).context == ""


def test_what_was_retracted_or_superseded_later_was_held(closed: Space, person: Actor) -> None:
    with time_machine.travel(JANUARY):
        topic = make_topic(closed, person, "Acme")
        one = add_fact(topic=topic, actor=person, text="The fee is 30")
        two = add_fact(topic=topic, actor=person, text="The fee is monthly")
    with time_machine.travel(MARCH):
        retract_fact(fact=one, actor=person)
        supersede_fact(fact=two, by=None, actor=person)
    before = ask(closed, "fee", as_of=FEBRUARY)
    assert texts_of_facts(before) == {"The fee is 30", "The fee is monthly"}
    assert {fact.status for fact in before.topics[0].facts} == {"active"}
    assert ask(closed, "fee", as_of=APRIL).context == ""


def test_a_deleted_topic_is_gone_for_every_moment(closed: Space, person: Actor) -> None:
    with time_machine.travel(JANUARY):
        topic = make_topic(closed, person, "Acme")
        add_fact(topic=topic, actor=person, text="The fee is 30")
    delete_topic(topic=topic, actor=person)
    assert ask(closed, "fee", as_of=FEBRUARY).context == ""


def test_disputes_are_those_that_were_open(closed: Space, person: Actor) -> None:
    with time_machine.travel(JANUARY):
        fact = add_fact(topic=make_topic(closed, person, "Acme"), actor=person, text="The fee is 30")
    with time_machine.travel(FEBRUARY):
        dispute = open_dispute(fact=fact, said_at=FEBRUARY)
    with time_machine.travel(APRIL):
        settle(dispute)
    status = {at: ask(closed, "fee", as_of=at).topics[0].facts[0].status for at in (BEFORE, MARCH)}
    assert status == {BEFORE: "active", MARCH: "disputed"}
    assert ask(closed, "fee").topics[0].facts[0].status == "active"


def test_turns_that_had_not_arrived_are_not_shown(space: Space) -> None:
    with time_machine.travel(JANUARY):
        talk(space, "Ann: The fee is 30", at=JANUARY - timedelta(days=9))
    with time_machine.travel(MARCH):
        talk(space, "Ann: The fee was 20", at=JANUARY - timedelta(days=5))
    assert lines(ask(space, "fee", as_of=FEBRUARY)) == ["Ann: The fee is 30"]
    assert len(lines(ask(space, "fee", as_of=APRIL))) == 2


def test_marks_of_turns_are_those_of_the_moment(space: Space, person: Actor) -> None:
    with time_machine.travel(JANUARY):
        (message,) = talk(space, "Ann: The fee is 30", at=JANUARY)
        fact = take(make_topic(space, person, "Acme"), message)
        own = add_fact(topic=fact.topic, actor=person, text="The fee is waived", said_at=JANUARY)
    with time_machine.travel(MARCH):
        supersede_fact(fact=fact, by=None, actor=person, valid_until=MARCH)
        retract_fact(fact=own, actor=person)
    assert set(lines(ask(space, "fee", as_of=FEBRUARY))) == {"Ann: The fee is 30", "2024-01-01: The fee is waived"}
    assert lines(ask(space, "fee", as_of=APRIL)) == ["Ann: The fee is 30 (superseded 2024-03-03)"]


def test_words_that_were_retracted_at_the_moment_are_cut_whatever_was_undone_since(space: Space, person: Actor) -> None:
    with time_machine.travel(JANUARY):
        (message,) = talk(space, "Ann: The fee is 30. No fee for schools.", at=JANUARY)
        fact = take(make_topic(space, person, "Acme"), message, "The fee is 30.")
    with time_machine.travel(FEBRUARY):
        retract_fact(fact=fact, actor=person)
    with time_machine.travel(MARCH):
        undo_change_set(change=ChangeSet.objects.get(action="retract_fact"), actor=person)
    whole, cut = "Ann: The fee is 30. No fee for schools.", "Ann: … No fee for schools."
    shown = [lines(ask(space, "fee", as_of=at)) for at in (BEFORE, FEBRUARY + timedelta(days=1), APRIL, None)]
    assert shown == [[whole], [cut], [whole], [whole]]


def test_a_corrected_turn_stands_as_it_was_held(space: Space, person: Actor) -> None:
    with time_machine.travel(JANUARY):
        (message,) = talk(space, "Ann: The fee is 30.", at=JANUARY)
        fact = take(make_topic(space, person, "Acme"), message)
    with time_machine.travel(MARCH):
        edit_fact(fact=fact, actor=person, changes={"text": "The fee is 35"})
    assert lines(ask(space, "fee", as_of=FEBRUARY)) == ["Ann: The fee is 30."]
    assert lines(ask(space, "fee", as_of=APRIL)) == ["2024-03-03, edited by mei: The fee is 35"]


def test_a_contradiction_is_that_of_the_moment(space: Space, person: Actor) -> None:
    with time_machine.travel(JANUARY):
        held, later = talk(space, "Ann: The fee is 30", "Bob: The fee is 50", at=JANUARY - timedelta(days=1))
        fact = take(make_topic(space, person, "Acme"), held)
    with time_machine.travel(FEBRUARY):
        dispute = open_dispute(fact=fact, said_at=JANUARY, message=later)
    with time_machine.travel(APRIL):
        settle(dispute)
    is_marked = ["contradicts" in ask(space, "fee", as_of=at).context for at in (BEFORE, MARCH, None)]
    assert is_marked == [False, True, False]


def test_what_was_held_is_found_in_its_words_whatever_became_of_it_since(
    reviewed: Space, topic: Topic, person: Actor
) -> None:
    kept, edited, retracted = (
        add_fact(topic=topic, actor=person, text=f"The {what} is 30") for what in ("fee", "discount", "deposit")
    )
    then = timezone.now()
    edit_fact(fact=edited, actor=person, changes={"text": "The rebate is 35"})
    retract_fact(fact=retracted, actor=person)
    add_fact(topic=topic, actor=person, text="The penalty is 30")
    for what in ("fee", "discount", "deposit"):
        assert texts_of_facts(ask(reviewed, what, as_of=then)) == {f"The {what} is 30"}
    for what in ("rebate", "penalty"):
        assert texts_of_facts(ask(reviewed, what, as_of=then)) == set()
    retract_fact(fact=kept, actor=person)
    assert texts_of_facts(ask(reviewed, "fee discount", as_of=then)) == {"The fee is 30", "The discount is 30"}
