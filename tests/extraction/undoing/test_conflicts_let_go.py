"""A conflict with what was taken back is none: its proposal waits like any other, and is compared again."""

from __future__ import annotations

import pytest

from extraction.models import Confirmation, Conflict, Proposal
from extraction.services.resolving import resolve_conflict
from tests.extraction.filing.helpers import TUESDAY, WEDNESDAY, decide, propose
from topics.changes import Actor
from topics.models import ChangeSet, Dispute, Fact, Space, Topic
from topics.services.statements import retract_fact
from topics.services.undo import undo_change_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def contested(space: Space, topic: Topic, person: Actor) -> tuple[Proposal, ChangeSet]:
    """A headcount that contradicts another one, and the change set that approved the other."""
    first = propose(space, "The headcount is 300.", topic=topic, attribute="headcount", value="300", said_at=TUESDAY)
    second = propose(space, "The headcount is 310.", topic=topic, attribute="headcount", value="310", said_at=WEDNESDAY)
    approved = decide(person, first).change_set
    assert approved is not None
    assert decide(person, second).results[0].status == "conflict"
    return second, approved


def is_contested(proposal: Proposal) -> bool:
    return Conflict.objects.filter(proposal=proposal, status="open").exists()


def test_undoing_the_approval_ends_the_conflict(contested: tuple[Proposal, ChangeSet], person: Actor) -> None:
    second, approved = contested
    undo_change_set(change=approved, actor=person)
    second.refresh_from_db()
    assert (second.status, is_contested(second)) == ("pending", False)
    assert not Dispute.objects.filter(closed_at=None).exists()
    assert decide(person, second).results[0].status == "approved"
    assert list(Fact.objects.filter(status="active").values_list("value", flat=True)) == ["310"]


def test_once_it_is_approved_again_it_is_contradicted_again(
    contested: tuple[Proposal, ChangeSet], person: Actor
) -> None:
    second, approved = contested
    undo_change_set(change=undo_change_set(change=approved, actor=person), actor=person)
    assert decide(person, second).results[0].status == "conflict"
    assert is_contested(second)
    resolve_conflict(conflict=second.conflict, actor=person, outcome="replace")
    assert list(Fact.objects.filter(status="active").values_list("value", flat=True)) == ["310"]


def test_retracting_what_is_held_ends_the_conflict_and_its_question(
    contested: tuple[Proposal, ChangeSet], person: Actor
) -> None:
    second, _approved = contested
    resolve_conflict(conflict=second.conflict, actor=person, outcome="ask")
    retract_fact(fact=Fact.objects.get(value="300"), actor=person)
    assert not is_contested(second)
    assert Confirmation.objects.get().status == "cancelled"
    assert decide(person, second).results[0].status == "approved"


def test_a_conflict_with_what_took_its_place_stays(contested: tuple[Proposal, ChangeSet], person: Actor) -> None:
    second, _approved = contested
    third = propose(
        second.space, "The headcount is 320.", topic=second.topic, attribute="headcount", value="320", said_at=WEDNESDAY
    )
    decide(person, third)
    resolve_conflict(conflict=third.conflict, actor=person, outcome="replace")
    assert is_contested(second)
    retract_fact(fact=Fact.objects.get(value="320"), actor=person)
    assert not is_contested(second)
