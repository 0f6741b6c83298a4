"""Newest wins: by when something was said, whenever it arrives; a guess never replaces what is settled."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from extraction.models import Conflict
from tests.extraction.filing.helpers import MONDAY, TUESDAY, WEDNESDAY, file, found, texts
from tests.topics.services.helpers import hold
from topics.changes import Actor
from topics.models import Fact, Space, Topic
from topics.services.statements import edit_fact
from topics.services.undo import undo_change_set

BUDGET = {"attribute": "budget", "unit": "EUR"}


@pytest.fixture(autouse=True)
def newest(space: Space) -> None:
    Space.objects.update(conflict_policy="newest")
    space.refresh_from_db()


@pytest.fixture
def held(topic: Topic) -> Fact:
    return hold(topic, "The budget is 100.", said_at=MONDAY, value="100", **BUDGET)


def hear(space: Space, topic: Topic, value: int, said_at: datetime, **values: object) -> None:
    file(
        space,
        found(space, f"The budget is {value}.", topic=topic, value=str(value), said_at=said_at, **BUDGET, **values),
    )


def test_the_order_of_arrival_does_not_matter(space: Space, topic: Topic, held: Fact) -> None:
    hear(space, topic, 300, WEDNESDAY)
    hear(space, topic, 200, TUESDAY)
    assert texts(topic) == ["The budget is 300."]
    assert set(Conflict.objects.values_list("status", "outcome")) == {("resolved", "replace"), ("resolved", "keep")}


def test_what_was_said_again_later_is_as_new_as_that(space: Space, topic: Topic, held: Fact) -> None:
    hear(space, topic, 100, WEDNESDAY)
    hear(space, topic, 200, TUESDAY)
    assert texts(topic) == ["The budget is 100."]


def test_older_words_never_outrank_a_persons_correction(space: Space, topic: Topic, held: Fact, person: Actor) -> None:
    edit_fact(fact=held, actor=person, changes={"text": "The budget is 120.", "value": "120"})
    hear(space, topic, 200, TUESDAY)
    assert texts(topic) == ["The budget is 120."]
    hear(space, topic, 300, timezone.now() + timedelta(minutes=1))
    assert texts(topic) == ["The budget is 300."]


@pytest.mark.parametrize("certainty", ["tentative", "planned"])
def test_a_guess_or_a_plan_waits_for_a_person(space: Space, topic: Topic, held: Fact, certainty: str) -> None:
    hear(space, topic, 200, TUESDAY, certainty=certainty)
    assert texts(topic) == ["The budget is 100."]
    assert Conflict.objects.get().status == "open"


def test_a_guess_replaces_an_older_guess(space: Space, topic: Topic) -> None:
    hold(topic, "The budget may be 100.", said_at=MONDAY, value="100", certainty="tentative", **BUDGET)
    hear(space, topic, 200, TUESDAY, certainty="tentative")
    assert texts(topic) == ["The budget is 200."]


def test_it_can_be_undone(space: Space, topic: Topic, held: Fact, person: Actor) -> None:
    filed = file(space, found(space, "The budget is 200.", topic=topic, value="200", said_at=TUESDAY, **BUDGET))
    assert texts(topic) == ["The budget is 200."]
    assert filed.change_set is not None
    undo_change_set(change=filed.change_set, actor=person)
    assert texts(topic) == ["The budget is 100."]
    assert Conflict.objects.get().status == "open"
