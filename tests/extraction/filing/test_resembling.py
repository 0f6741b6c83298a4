"""A proposed topic that may be one that stands says so, whichever came first."""

from __future__ import annotations

import pytest

from extraction.models import Proposal
from tests.extraction.filing.helpers import approve, decide, propose
from tests.topics.services.helpers import make_topic
from topics.changes import Actor
from topics.models import Space, Topic
from topics.services.topics import add_alias


def proposed(space: Space, name: str) -> Proposal:
    """A proposal of a topic of this name."""
    propose(space, f"{name} has moved.", topic=name)
    return Proposal.objects.get(kind=Proposal.Kind.TOPIC, topic_name=name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Northwind Traders Ltd.", "Northwind Traders"),
        ("Nortwind Traders", "Northwind Traders"),
        ("Brandt, Katharina", "Katharina Brandt"),
        ("华北星辰科技公司", "华北星辰科技有限公司"),
    ],
)
def test_the_topic_may_come_before_or_after(space: Space, person: Actor, name: str, other: str) -> None:
    waits = proposed(space, name)
    assert waits.resembles is None
    topic = make_topic(space, person, other)
    waits.refresh_from_db()
    assert waits.resembles == topic


def test_one_of_two_that_are_alike_is_shown_beside_the_other_once_that_is_approved(space: Space, person: Actor) -> None:
    first, second = proposed(space, "Northwind Traders"), proposed(space, "Northwind Traders Ltd.")
    assert approve(person, first).status == "approved"
    second.refresh_from_db()
    assert second.resembles == Topic.objects.get(name="Northwind Traders")


def test_a_new_alias_is_compared_as_well(space: Space, person: Actor) -> None:
    topic = make_topic(space, person, "NWT")
    waits = proposed(space, "Northwind Traders Ltd.")
    add_alias(topic=topic, actor=person, name="Northwind Traders")
    waits.refresh_from_db()
    assert waits.resembles == topic


@pytest.mark.parametrize("other", ["Northwind Traders 2", "Southwind Trucks", "North"])
def test_another_name_is_not_the_same(space: Space, person: Actor, other: str) -> None:
    waits = proposed(space, "Northwind Traders")
    make_topic(space, person, other)
    waits.refresh_from_db()
    assert waits.resembles is None


def test_what_is_decided_is_left_alone(space: Space, person: Actor) -> None:
    waits = proposed(space, "Northwind Traders Ltd.")
    decide(person, waits, decision="reject")
    make_topic(space, person, "Northwind Traders")
    waits.refresh_from_db()
    assert waits.resembles is None
