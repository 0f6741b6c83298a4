"""Where agents see every turn, the words of a statement that waits again are not among them until it is decided."""

from __future__ import annotations

import pytest

from extraction.models import Proposal
from extraction.services.filing import Filed
from tests.extraction.filing.helpers import MONDAY, TUESDAY, WEDNESDAY, decide, file, found, propose
from tests.topics.services.helpers import hold, make_space, make_topic, say
from topics.changes import Actor
from topics.models import ChangeSet, Passage, Space, Topic
from topics.services.undo import undo_change_set


@pytest.fixture
def open_space(db: None) -> Space:
    return make_space("open", review_policy="automatic", source_turns="all")


@pytest.fixture
def acme(open_space: Space, person: Actor) -> Topic:
    return make_topic(open_space, person)


def hidden(space: Space) -> list[str]:
    rows = Passage.objects.filter(space=space, withheld=True).order_by("message__said_at")
    return [row.message.content for row in rows]


def written(filed: Filed) -> ChangeSet:
    assert filed.change_set is not None
    return filed.change_set


def test_the_undo_of_a_reading_hides_its_turns_and_approving_or_redoing_shows_them(
    open_space: Space, acme: Topic, person: Actor
) -> None:
    texts = ["Acme makes anvils.", "The team met."]
    event = {"kind": "timeline", "happened_at": MONDAY, "precision": "day"}
    filed = file(open_space, found(open_space, texts[0], topic=acme), found(open_space, texts[1], topic=acme, **event))
    undo = undo_change_set(change=written(filed), actor=person)
    assert sorted(hidden(open_space)) == texts
    redo = undo_change_set(change=undo, actor=person)
    assert hidden(open_space) == []
    undo_change_set(change=redo, actor=person)
    for proposal in Proposal.objects.all():
        decide(person, proposal)
    assert hidden(open_space) == []


@pytest.mark.parametrize("other", ["waits", "rejected"])
def test_a_turn_stays_hidden_while_something_else_of_it_waits_or_is_rejected(
    open_space: Space, acme: Topic, person: Actor, other: str
) -> None:
    message = say(open_space, "Acme makes anvils. They forge.")
    items = [
        found(open_space, words, topic=acme, message=message, words=words)
        for words in ("Acme makes anvils.", "They forge.")
    ]
    filed = file(open_space, *items)
    undo_change_set(change=written(filed), actor=person)
    first, second = Proposal.objects.order_by("pk")
    if other == "rejected":
        decide(person, second, decision="reject")
    decide(person, first)
    assert hidden(open_space) == [message.content]
    if other == "waits":
        decide(person, second)
        assert hidden(open_space) == []


def test_a_conflict_that_is_open_again_hides_nothing(open_space: Space, acme: Topic, person: Actor) -> None:
    hold(acme, "The budget is 100.", attribute="budget", value="100")
    item = found(open_space, "The budget is 200.", topic=acme, attribute="budget", value="200", said_at=TUESDAY)
    conflict = file(open_space, item).conflicts[0]
    change = decide(person, conflict.proposal, decision="reject").change_set
    assert change is not None
    assert hidden(open_space) == ["The budget is 200."]
    undo_change_set(change=change, actor=person)
    assert hidden(open_space) == []


def test_a_turn_that_says_again_what_waits_is_hidden_too_unless_it_is_in_conflict(
    open_space: Space, acme: Topic, person: Actor
) -> None:
    hold(acme, "The budget is 100.", attribute="budget", value="100")
    budget = {"topic": acme, "attribute": "budget", "value": "200"}
    file(open_space, found(open_space, "The budget is 200.", **budget))
    undo_change_set(change=written(file(open_space, found(open_space, "Acme sings.", topic=acme))), actor=person)
    file(
        open_space,
        found(open_space, "The budget is 200!", said_at=TUESDAY, **budget),
        found(open_space, "Acme sings!", topic=acme, said_at=WEDNESDAY),
    )
    assert hidden(open_space) == ["Acme sings.", "Acme sings!"]
    decide(person, Proposal.objects.get(text="Acme sings."))
    assert hidden(open_space) == []


def test_the_same_words_twice_in_one_reading_are_shown_when_they_are_held(open_space: Space, acme: Topic) -> None:
    file(open_space, *(found(open_space, "Acme sings.", topic=acme, said_at=day) for day in (MONDAY, TUESDAY)))
    assert hidden(open_space) == []


def test_rejecting_hides_every_turn_that_said_it(space: Space, topic: Topic, person: Actor) -> None:
    proposal = propose(space, "Acme sings.", topic=topic)
    file(space, found(space, "Acme sings!", topic=topic, said_at=TUESDAY))
    decide(person, proposal, decision="reject")
    assert hidden(space) == ["Acme sings.", "Acme sings!"]
