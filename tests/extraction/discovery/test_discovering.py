"""From what has gathered to proposed topics, with and without vectors."""

from __future__ import annotations

import pytest
from django.test import override_settings

from extraction.models import DISCOVERY, Job, Proposal
from extraction.services.decisions import decide_proposals
from tests.extraction.discovery.helpers import CHINESE, KITCHEN, SERVER, discover, found, loose, tell
from tests.extraction.embedding.helpers import run_queued
from topics.changes import Actor
from topics.models import ChangeSet, Fact, Passage, Space, TimelineEntry, Topic
from topics.services.spaces import update_space
from topics.services.topics import create_topic
from topics.services.undo import undo_change_set

pytestmark = pytest.mark.django_db(transaction=True)


def topic_of(space: Space, word: str) -> Proposal:
    return Proposal.objects.filter(space=space, extractor=DISCOVERY, topic_name__icontains=word).latest("pk")


def decide(actor: Actor, proposal: Proposal, decision: str) -> None:
    done = decide_proposals(space=proposal.space, actor=actor, ids=[proposal.pk], decision=decision)
    assert done.results[0].status in ("approved", "rejected")


@pytest.mark.parametrize("embedder", ["none", "local"])
def test_each_matter_becomes_a_proposed_topic_with_its_turns_as_evidence(space: Space, embedder: str) -> None:
    with override_settings(INFINI_EMBEDDER=embedder):
        tell(space, [text for pair in zip(SERVER, KITCHEN, strict=True) for text in pair])
        discover(space)
    held = found(space)
    assert sorted(map(len, held.values())) == [6, 6]
    assert [next(word for word in ("server", "kitchen") if word in name.lower()) for name in held]
    assert sorted(held.values()) == sorted([sorted(SERVER), sorted(KITCHEN)])
    topic = topic_of(space, "server")
    assert sorted(quote.text for quote in topic.quotes.all()) == sorted(SERVER)
    assert topic.status == Proposal.Status.PENDING
    assert topic.why == "Found in 6 turns of 6 conversations"
    assert loose(space) == []


def test_one_matter_alone_is_found_too(space: Space) -> None:
    tell(space, SERVER)
    discover(space)
    assert list(found(space).values()) == [sorted(SERVER)]


def test_chinese_turns_get_a_chinese_name(space: Space) -> None:
    tell(space, CHINESE)
    discover(space)
    [(name, texts)] = found(space).items()
    assert "服务器" in name
    assert texts == sorted(CHINESE)


def test_too_few_wait_on(space: Space) -> None:
    tell(space, SERVER[:4])
    discover(space)
    assert found(space) == {}
    assert loose(space) == sorted(SERVER[:4])


def test_how_few_are_too_few_is_for_the_space_to_say(space: Space) -> None:
    update_space(space=space, changes={"topic_sensitivity": "high"})
    tell(space, SERVER[:4])
    discover(space)
    assert list(found(space).values()) == [sorted(SERVER[:4])]


def test_a_second_discovery_finds_nothing_new(space: Space) -> None:
    tell(space, SERVER)
    discover(space)
    before = found(space)
    discover(space)
    assert found(space) == before


def test_a_turn_that_comes_later_joins(space: Space) -> None:
    tell(space, [text for pair in zip(SERVER[:5], KITCHEN, strict=False) for text in pair])
    discover(space)
    tell(space, SERVER[5:], start=50)
    discover(space)
    assert sorted(found(space).values()) == sorted([sorted(SERVER), sorted(KITCHEN[:5])])


def test_a_refused_topic_gives_its_statements_back_and_does_not_return(space: Space, person: Actor) -> None:
    tell(space, SERVER)
    discover(space)
    decide(person, topic_of(space, "server"), "reject")
    assert loose(space) == sorted(SERVER)
    discover(space)
    assert found(space) == {}
    assert loose(space) == sorted(SERVER)


def test_a_refusal_that_is_undone_gathers_them_again(space: Space, person: Actor) -> None:
    tell(space, SERVER)
    discover(space)
    decide(person, topic_of(space, "server"), "reject")
    undo_change_set(change=ChangeSet.objects.latest("pk"), actor=person)
    assert topic_of(space, "server").status == Proposal.Status.PENDING
    assert Proposal.objects.filter(text__in=SERVER, status=Proposal.Status.PENDING).count() == 6


def test_an_approved_topic_takes_what_comes_later(space: Space, person: Actor) -> None:
    tell(space, SERVER[:5])
    discover(space)
    decide(person, topic_of(space, "server"), "approve")
    topic = Topic.objects.get()
    tell(space, [SERVER[5], KITCHEN[0]], start=50)
    discover(space)
    assert set(Proposal.objects.filter(topic=topic).exclude(kind="topic").values_list("text", flat=True)) == set(SERVER)
    assert loose(space) == [KITCHEN[0]]


def test_where_nobody_reviews_the_topic_and_its_statements_are_committed(space: Space) -> None:
    tell(space, SERVER)
    update_space(space=space, changes={"review_policy": "automatic", "source_turns": "all"})
    discover(space)
    topic = Topic.objects.get(name__icontains="server")
    held = {*topic.facts.values_list("text", flat=True), *topic.timeline.values_list("text", flat=True)}
    waiting = set(
        Proposal.objects.filter(status="pending", kind__in=["fact", "timeline"]).values_list("text", flat=True)
    )
    assert held | waiting == set(SERVER)
    assert held
    assert Fact.objects.count() + TimelineEntry.objects.count() == len(held)
    assert not Passage.objects.filter(withheld=True, message__proposals__status="approved").exists()


def test_a_name_that_is_taken_is_not_given_again(space: Space, person: Actor) -> None:
    tell(space, SERVER)
    discover(space)
    [name] = found(space)
    decide(person, topic_of(space, "server"), "reject")
    Proposal.objects.filter(extractor=DISCOVERY).delete()
    create_topic(space=space, actor=person, name=name)
    discover(space)
    [other] = found(space)
    assert other != name


def test_nothing_gathered_needs_no_work(space: Space) -> None:
    discover(space)
    assert found(space) == {}
    assert Job.objects.get().status == Job.Status.DONE


def test_a_statement_that_was_decided_meanwhile_stays_where_it_is(space: Space, person: Actor) -> None:
    tell(space, SERVER)
    decided = Proposal.objects.get(text=SERVER[0])
    decide(person, decided, "reject")
    discover(space)
    [texts] = found(space).values()
    assert texts == sorted(SERVER[1:])
    assert run_queued(space, Job.Kind.DISCOVER) == []
