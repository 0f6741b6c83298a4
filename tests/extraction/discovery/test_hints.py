"""Hints from likeness: a topic for what names nothing, and what is held that says nearly the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import override_settings

from extraction.models import Job, Proposal
from extraction.services.suggesting import says_nearly
from tests.extraction.discovery.helpers import KITCHEN, SERVER, loose, tell
from tests.extraction.embedding.helpers import run_queued
from tests.inference.wire import Wire, fault
from tests.topics.services.helpers import hold, make_topic
from topics.changes import Actor
from topics.models import Fact, Space, Topic
from topics.services.spaces import update_space

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def embedder() -> Iterator[None]:
    with override_settings(INFINI_EMBEDDER="local"):
        yield


@pytest.fixture
def migration(space: Space, person: Actor, embedder: None) -> Topic:
    """A project that holds some facts, embedded."""
    topic = make_topic(space, person, "Data centre move", kind="project")
    for text in SERVER[:3]:
        hold(topic, text)
    make_topic(space, person, "Garden", kind="project")
    run_queued(space, Job.Kind.EMBED)
    return topic


def test_what_names_nothing_may_be_proposed_for_a_topic_that_it_is_like(space: Space, migration: Topic) -> None:
    tell(space, [SERVER[4], KITCHEN[0]])
    proposal = Proposal.objects.get(text=SERVER[4])
    assert (proposal.topic, proposal.status) == (migration, Proposal.Status.PENDING)
    assert loose(space) == [KITCHEN[0]]


@pytest.mark.parametrize("policy", ["uncertain", "automatic"])
def test_a_likeness_alone_commits_nothing(space: Space, migration: Topic, policy: str) -> None:
    update_space(space=space, changes={"review_policy": policy})
    before = migration.facts.count() + migration.timeline.count()
    tell(space, [SERVER[4]])
    assert migration.facts.count() + migration.timeline.count() == before
    assert Proposal.objects.get(text=SERVER[4]).status == Proposal.Status.PENDING


def test_a_person_is_never_the_topic_of_what_names_nobody(space: Space, person: Actor, embedder: None) -> None:
    topic = make_topic(space, person, "Mia", kind="person")
    hold(topic, SERVER[0])
    run_queued(space, Job.Kind.EMBED)
    tell(space, [SERVER[1]])
    assert loose(space) == [SERVER[1]]


def test_what_says_nearly_the_same_is_shown_beside_it_and_stays_a_proposal(
    space: Space, person: Actor, embedder: None
) -> None:
    topic = make_topic(space, person, "Mia", kind="person")
    held = hold(topic, "I really love hiking in the mountains.")
    run_queued(space, Job.Kind.EMBED)
    tell(space, ["I love hiking in the mountains."], name="Mia")
    proposal = Proposal.objects.get(kind=Proposal.Kind.FACT)
    assert (proposal.similar_fact, proposal.status) == (held, Proposal.Status.PENDING)
    assert Fact.objects.count() == 1


@pytest.mark.parametrize(
    ("a", "b", "alike"),
    [
        ("The budget is 5,000 euros.", "The budget comes to 5,000 euros.", True),
        ("The budget is 5,000 euros.", "The budget is 6,000 euros.", False),
        ("The budget is approved.", "The budget is not approved.", False),
        ("She doesn't like tea.", "She does like tea.", False),
        ("The meeting is on Monday.", "The meeting is on Tuesday.", False),
        ("The launch is in May.", "The launch is in June.", False),
        ("预算是三万元。", "预算为三万元。", True),
        ("预算是三万元。", "预算是五万元。", False),
        ("她喜欢喝茶。", "她不喜欢喝茶。", False),
        ("会议在周一。", "会议在周二。", False),
        ("The oven is black.", "The oven is black.", False),
    ],
)
def test_numbers_dates_and_denials_that_differ_are_not_nearly_the_same(a: str, b: str, alike: bool) -> None:
    assert says_nearly(a, b) == alike


def test_an_embedder_that_fails_keeps_nothing_from_being_read(space: Space, migration: Topic, wire: Wire) -> None:
    wire.always(fault(401))
    with override_settings(INFINI_EMBEDDER="openai", INFINI_EMBEDDING_MODEL="small", INFINI_MODEL=""):
        tell(space, [SERVER[4]])
    assert Proposal.objects.filter(text=SERVER[4]).exists()
