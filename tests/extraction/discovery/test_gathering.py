"""What gathers, and what is worth a topic at once."""

from __future__ import annotations

import pytest
from django.utils import timezone

from extraction.models import Job, Proposal
from tests.extraction.discovery.helpers import KITCHEN, loose, tell
from topics.models import Fact, Passage, Space, TimelineEntry, Topic
from topics.services.spaces import update_space

pytestmark = pytest.mark.django_db(transaction=True)


def proposed(space: Space) -> list[tuple[str, bool]]:
    """Names of proposed topics, and whether they only gather."""
    rows = Proposal.objects.filter(space=space, kind=Proposal.Kind.TOPIC).order_by("pk")
    return list(rows.values_list("topic_name", "is_provisional"))


def test_what_names_nothing_gathers_and_waits_in_the_queue(space: Space) -> None:
    tell(space, KITCHEN[:2])
    assert loose(space) == sorted(KITCHEN[:2])
    assert proposed(space) == [("call 0", True), ("call 1", True)]
    assert Proposal.objects.filter(kind=Proposal.Kind.TIMELINE, status=Proposal.Status.PENDING).count() == 2


def test_a_discovery_is_queued_for_later(space: Space) -> None:
    tell(space, KITCHEN[:3])
    job = Job.objects.get(kind=Job.Kind.DISCOVER)
    assert job.run_after > timezone.now()


def test_what_a_speaker_without_a_name_says_of_himself_is_his(space: Space) -> None:
    update_space(space=space, changes={"topic_sensitivity": "low"})
    tell(space, ["I love hiking.", "I moved to Lyon."])
    assert loose(space) == []
    assert proposed(space) == [("Unnamed user", False)]
    assert Proposal.objects.get(kind=Proposal.Kind.TOPIC).topic_kind == Topic.Kind.PERSON


def test_what_a_speaker_with_a_name_says_is_worth_a_topic(space: Space) -> None:
    update_space(space=space, changes={"topic_sensitivity": "low"})
    tell(space, KITCHEN[:1], name="Mia")
    assert proposed(space) == [("Mia", False)]


def test_where_nobody_reviews_it_belongs_to_its_conversation_at_once(space: Space) -> None:
    update_space(space=space, changes={"review_policy": "automatic"})
    tell(space, [KITCHEN[0], "I love hiking."])
    assert list(Fact.objects.values_list("text", flat=True)) == ["I love hiking."]
    assert list(TimelineEntry.objects.values_list("text", "topic__name")) == [(KITCHEN[0], "call 0")]
    assert loose(space) == []
    assert not Passage.objects.filter(withheld=True).exists()


@pytest.mark.parametrize(("sensitivity", "after"), [("low", 3), ("normal", 1), ("high", 1)])
def test_what_is_mentioned_is_worth_a_topic_once_enough_was_said(space: Space, sensitivity: str, after: int) -> None:
    update_space(space=space, changes={"topic_sensitivity": sensitivity, "review_policy": "automatic"})
    said = ["Anna Schmidt lives in Lyon.", "Anna Schmidt likes sushi.", "Anna Schmidt plays chess."]
    for n, text in enumerate(said, 1):
        tell(space, [text], start=n, name="Mia")
        assert Topic.objects.filter(name="Anna Schmidt").exists() == (n >= after)
    assert set(Topic.objects.get(name="Anna Schmidt").facts.values_list("text", flat=True)) == set(said)


def test_a_name_that_differs_in_writing_only_is_shown_beside_the_one_it_may_be(space: Space) -> None:
    update_space(space=space, changes={"review_policy": "automatic"})
    tell(space, ["Katharina Brandt lives in Lyon."], name="Mia")
    held = Topic.objects.get(name="Katharina Brandt")
    update_space(space=space, changes={"review_policy": "uncertain"})
    tell(space, ["Katarina Brandt lives in Paris."], start=5, name="Mia")
    waits = Proposal.objects.get(kind=Proposal.Kind.TOPIC, topic_name="Katarina Brandt")
    assert (waits.resembles, waits.status) == (held, Proposal.Status.PENDING)
    assert not Topic.objects.filter(name="Katarina Brandt").exists()
