"""What somebody took out of the memory does not come back from words said before that, whatever brings them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.extraction.filing.helpers import EXTRACTOR, MONDAY, TUESDAY, decide, file, found, texts
from tests.topics.services.helpers import hold, make_space, make_topic
from topics.changes import Actor
from topics.models import Fact, Passage, Space, TimelineEntry, Topic
from topics.services.statements import edit_entry, edit_fact, retract_entry, retract_fact
from topics.services.undo import undo_change_set

ANVILS = "Acme makes anvils."


@pytest.fixture
def fast(db: None) -> Space:
    return make_space("fast", review_policy="automatic")


@pytest.fixture
def acme(fast: Space, person: Actor) -> Topic:
    return make_topic(fast, person)


def later() -> Any:
    return timezone.now() + timedelta(days=1)


def correct(fact: Fact, actor: Actor, text: str = "Acme makes springs.") -> Fact:
    return edit_fact(fact=fact, actor=actor, changes={"text": text})


def last_change(row: Fact | TimelineEntry) -> Any:
    return row.history.order_by("-history_id")[0].change_set


@pytest.mark.parametrize("take_out", [lambda fact, actor: retract_fact(fact=fact, actor=actor), correct])
def test_words_said_before_are_turned_down_with_the_reason_and_not_shown(
    fast: Space, acme: Topic, person: Actor, take_out: Any
) -> None:
    take_out(hold(acme, ANVILS), person)
    held = texts(acme)
    filed = file(fast, found(fast, "acme makes ANVILS", topic=acme, said_at=TUESDAY))
    assert [(p.status, bool(p.reason)) for p in filed.proposals] == [("rejected", True)]
    assert texts(acme) == held
    assert Passage.objects.get(message=filed.proposals[0].message).withheld


def test_each_message_of_one_reading_is_turned_down_by_itself(fast: Space, acme: Topic, person: Actor) -> None:
    retract_fact(fact=hold(acme, ANVILS), actor=person)
    old = [found(fast, ANVILS, topic=acme, said_at=day) for day in (MONDAY, TUESDAY)]
    filed = file(fast, *old, found(fast, ANVILS, topic=acme, said_at=later()))
    assert [p.status for p in filed.proposals] == ["rejected", "rejected", "approved"]
    assert texts(acme) == [ANVILS]
    assert Fact.objects.get(status="active").evidence.count() == 1


def test_words_said_later_are_new_evidence(fast: Space, acme: Topic, person: Actor) -> None:
    retract_fact(fact=hold(acme, ANVILS), actor=person)
    file(fast, found(fast, ANVILS, topic=acme, said_at=later()))
    assert texts(acme) == [ANVILS]


def test_an_event_that_was_taken_out_or_corrected_does_not_come_back(fast: Space, acme: Topic, person: Actor) -> None:
    event = {"topic": acme, "kind": "timeline", "happened_at": MONDAY, "precision": "day"}
    for text in ("The team met.", "The team ate."):
        file(fast, found(fast, text, **event))
    met, ate = acme.timeline.order_by("pk")
    retract_entry(entry=met, actor=person)
    edit_entry(entry=ate, actor=person, changes={"text": "The team dined."})
    filed = file(fast, *(found(fast, text, said_at=TUESDAY, **event) for text in ("The team met.", "The team ate.")))
    assert [p.status for p in filed.proposals] == ["rejected", "rejected"]
    assert [e.text for e in acme.timeline.filter(status="active")] == ["The team dined."]
    file(fast, found(fast, "The team met.", said_at=later(), **event))
    assert acme.timeline.filter(status="active").count() == 2


def test_what_was_only_taken_back_by_undo_comes_back(fast: Space, acme: Topic, person: Actor) -> None:
    change = last_change(hold(acme, ANVILS))
    undo_change_set(change=change, actor=person)
    file(fast, found(fast, ANVILS, topic=acme, said_at=TUESDAY))
    assert texts(acme) == [ANVILS]


def test_an_undone_retraction_or_correction_outranks_nothing_until_it_is_done_again(
    fast: Space, acme: Topic, person: Actor
) -> None:
    fact = correct(hold(acme, ANVILS), person)
    undo = undo_change_set(change=last_change(fact), actor=person)
    fact = edit_fact(fact=Fact.objects.get(), actor=EXTRACTOR, changes={"text": "Acme makes good anvils."})
    file(fast, found(fast, ANVILS, topic=acme, said_at=TUESDAY))
    assert texts(acme) == ["Acme makes good anvils.", ANVILS]
    other = retract_fact(fact=Fact.objects.get(text=ANVILS), actor=person)
    undo = undo_change_set(change=last_change(other), actor=person)
    undo_change_set(change=undo, actor=person)
    filed = file(fast, found(fast, ANVILS, topic=acme, said_at=TUESDAY + timedelta(hours=1)))
    assert [p.status for p in filed.proposals] == ["rejected"]


def test_the_same_words_about_another_topic_are_no_concern(fast: Space, acme: Topic, person: Actor) -> None:
    retract_fact(fact=hold(acme, "They make anvils."), actor=person)
    other = make_topic(fast, person, "Beta")
    file(fast, found(fast, "They make anvils.", topic=other))
    assert texts(other) == ["They make anvils."]


def test_a_person_may_approve_what_was_taken_out(space: Space, topic: Topic, person: Actor) -> None:
    waiting = file(space, found(space, ANVILS, topic=topic)).proposals[0]
    retract_fact(fact=hold(topic, ANVILS), actor=person)
    assert decide(person, waiting).results[0].status == "approved"
    assert texts(topic) == [ANVILS]
