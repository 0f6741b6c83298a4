"""What somebody writes into a document himself is compared with what it holds."""

from __future__ import annotations

from typing import Any

import pytest

from extraction.models import Conflict
from extraction.services.resolving import resolve_conflict
from tests.extraction.filing.helpers import MONDAY, TUESDAY, texts, waiting
from tests.topics.services.helpers import hold, make_agent, picture
from topics.changes import Actor
from topics.models import ChangeSet, Dispute, Fact, Topic
from topics.services.statements import add_fact, edit_fact, replace_fact
from topics.services.undo import undo_change_set

SEATS = {"attribute": "seats", "kind": "number"}
HELD, WRITTEN = "We have 150 seats.", "We have 200 seats."


@pytest.fixture
def held(topic: Topic) -> Fact:
    return hold(topic, HELD, said_at=MONDAY, value="150", **SEATS)


def disputed() -> set[str]:
    return set(Dispute.objects.filter(closed_at=None).values_list("fact__text", flat=True))


def write(topic: Topic, actor: Actor, text: str = WRITTEN, value: str = "200", **fields: Any) -> Fact:
    return add_fact(topic=topic, actor=actor, text=text, value=value, **SEATS | fields)


def test_a_fact_written_by_hand_against_a_held_one_waits_for_a_decision(
    topic: Topic, held: Fact, person: Actor
) -> None:
    written = write(topic, person)
    conflict = Conflict.objects.select_related("proposal").get()
    assert (conflict.fact, conflict.proposal.fact, conflict.why) == (held, written, "value")
    assert (conflict.proposal.topic, conflict.proposal.status) == (topic, "pending")
    assert texts(topic) == [HELD, WRITTEN]
    assert disputed() == {HELD, WRITTEN}
    assert waiting(topic.space) == [WRITTEN]


def test_an_agent_that_writes_directly_is_told_apart_from_what_is_held_in_the_same_way(
    topic: Topic, held: Fact
) -> None:
    write(topic, make_agent(topic.space))
    assert disputed() == {HELD, WRITTEN}


@pytest.mark.parametrize(
    ("outcome", "current"),
    [("replace", [WRITTEN]), ("keep", [HELD]), ("neither", [])],
)
def test_it_is_settled_like_any_other_conflict(
    topic: Topic, held: Fact, person: Actor, outcome: str, current: list[str]
) -> None:
    write(topic, person)
    before = picture(topic.space)
    settled = resolve_conflict(conflict=Conflict.objects.get(), actor=person, outcome=outcome)
    assert texts(topic) == current
    assert (disputed(), waiting(topic.space)) == (set(), [])
    undo_change_set(change=settled, actor=person)
    assert picture(topic.space) == before
    assert disputed() == {HELD, WRITTEN}


def test_taking_back_what_was_written_ends_the_conflict(topic: Topic, held: Fact, person: Actor) -> None:
    write(topic, person)
    undo = undo_change_set(change=ChangeSet.objects.latest("id"), actor=person)
    assert texts(topic) == [HELD]
    assert (disputed(), waiting(topic.space)) == (set(), [])
    undo_change_set(change=undo, actor=person)
    assert disputed() == {HELD, WRITTEN}
    assert waiting(topic.space) == [WRITTEN]


def test_words_that_deny_what_is_held_are_put_against_it(topic: Topic, person: Actor) -> None:
    add_fact(topic=topic, actor=person, text="他们使用我们的移动应用。")
    add_fact(topic=topic, actor=person, text="他们不使用我们的移动应用。", negated=True)
    assert len(disputed()) == 2


def test_an_edit_is_compared_once(topic: Topic, held: Fact, person: Actor) -> None:
    other = write(topic, person, "We have 150 seats in all.", "150")
    assert disputed() == set()
    edit_fact(fact=other, actor=person, changes={"text": WRITTEN, "value": "200", "attribute": "seats", "unit": ""})
    assert disputed() == {HELD, WRITTEN}
    other.refresh_from_db()
    edit_fact(fact=other, actor=person, changes={"text": "We have 210 seats.", "value": "210", "attribute": "seats"})
    assert Conflict.objects.count() == 1
    other.refresh_from_db()
    edit_fact(fact=other, actor=person, changes={"kind": "fact"})
    assert Conflict.objects.count() == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"scope": "in Leeds"},
        {"valid_until": TUESDAY},
        {"text": "We have 200 desks.", "attribute": "desks"},
        {"value": "150"},
    ],
)
def test_what_holds_beside_it_is_no_conflict(topic: Topic, held: Fact, person: Actor, fields: dict[str, Any]) -> None:
    write(topic, person, **fields)
    assert Conflict.objects.count() == 0


def test_what_takes_the_place_of_a_fact_is_no_conflict_with_it(topic: Topic, held: Fact, person: Actor) -> None:
    replace_fact(fact=held, actor=person, fields={"text": WRITTEN, "value": "200"})
    assert texts(topic) == [WRITTEN]
    assert Conflict.objects.count() == 0
