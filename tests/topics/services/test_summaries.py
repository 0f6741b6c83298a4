"""Summaries made from facts: written, and kept in step when topics are merged, split and parted again."""

from __future__ import annotations

import pytest

from tests.topics.services.helpers import hold, make_topic
from topics.changes import Actor
from topics.errors import InvalidInput, WrongState
from topics.models import Fact, Space, Topic
from topics.services.merge_plan import MergeChoices
from topics.services.merging import merge_topics
from topics.services.splitting import split_topic
from topics.services.statements import edit_fact
from topics.services.summaries import SentenceDraft, in_one_text, write_summary
from topics.services.topics import delete_topic, update_topic
from topics.services.undo import undo_change_set


@pytest.fixture
def facts(topic: Topic) -> list[Fact]:
    return [hold(topic, "Acme makes anvils."), hold(topic, "Acme has 12 smiths.")]


def summarise(topic: Topic, actor: Actor, *sentences: tuple[str, list[Fact]]) -> Topic:
    drafts = [SentenceDraft(text, tuple(fact.pk for fact in facts)) for text, facts in sentences]
    return write_summary(topic=topic, actor=actor, sentences=drafts)


def told(topic: Topic) -> tuple[str, list[bool]]:
    """The summary, and of each of its sentences whether it is stale."""
    topic = Topic.objects.get(pk=topic.pk)
    return topic.summary, [sentence["stale"] for sentence in topic.summary_sentences]


@pytest.fixture
def summary(topic: Topic, facts: list[Fact], agent: Actor) -> str:
    return summarise(topic, agent, ("It makes anvils.", facts[:1]), ("It has 12 smiths.", facts[1:])).summary


def test_sentences_become_one_text(summary: str) -> None:
    assert summary == "It makes anvils. It has 12 smiths."
    assert (
        in_one_text(["它生产铁砧。", "有12名铁匠。", "It is old.", "很老。"])
        == "它生产铁砧。有12名铁匠。It is old. 很老。"
    )


def test_a_summary_of_what_is_not_held_is_refused(topic: Topic, space: Space, facts: list[Fact], agent: Actor) -> None:
    foreign = hold(make_topic(space, agent, "Beta"), "Beta makes rockets.")
    for sentence in (("It makes rockets.", [foreign]), ("It makes anvils.", [facts[0], foreign]), ("It is old.", [])):
        with pytest.raises(WrongState):
            summarise(topic, agent, sentence)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput):
        summarise(topic, agent, ("a\x00b", facts))
    delete_topic(topic=topic, actor=agent)
    with pytest.raises(WrongState):
        summarise(topic, agent, ("It makes anvils.", facts))
    assert told(topic) == ("", [])


def test_a_summary_in_other_words_is_whose_they_are(topic: Topic, summary: str, person: Actor) -> None:
    update_topic(topic=topic, actor=person, summary="Our oldest customer.")
    held = Topic.objects.get(pk=topic.pk)
    assert (held.summary, held.summary_sentences, held.summary_by_person) == ("Our oldest customer.", [], True)


def test_the_survivor_of_a_merge_keeps_its_summary(
    space: Space, topic: Topic, facts: list[Fact], summary: str, person: Actor
) -> None:
    other = make_topic(space, person, "Acme Corp")
    hold(other, "Acme makes anvils.")
    survivor = Topic.objects.get(pk=topic.pk)
    _plan, change = merge_topics(space=space, survivor=survivor, others=[other], actor=person)
    assert told(topic) == (summary, [False, False])
    undo_change_set(change=change, actor=person)
    assert told(topic) == (summary, [False, False])


def test_a_summary_that_comes_along_in_a_merge_goes_back_with_its_facts(
    space: Space, topic: Topic, facts: list[Fact], summary: str, person: Actor
) -> None:
    survivor = make_topic(space, person, "Acme Corp")
    _plan, change = merge_topics(space=space, survivor=survivor, others=[Topic.objects.get(pk=topic.pk)], actor=person)
    assert told(survivor) == (summary, [False, False])
    edit_fact(fact=Fact.objects.get(pk=facts[0].pk), actor=person, changes={"text": "Acme makes hammers."})
    assert told(survivor) == ("It has 12 smiths.", [True, False])
    undo_change_set(change=change, actor=person)
    assert told(survivor) == ("", [])
    assert "12 smiths" in told(topic)[0]


def test_what_is_left_out_of_a_merge_is_not_told(
    space: Space, topic: Topic, facts: list[Fact], summary: str, person: Actor
) -> None:
    survivor = make_topic(space, person, "Acme Corp")
    choices = MergeChoices(leave_out=[facts[0].pk])
    merge_topics(space=space, survivor=survivor, others=[Topic.objects.get(pk=topic.pk)], actor=person, choices=choices)
    assert told(survivor) == ("It has 12 smiths.", [False])


def test_a_sentence_does_not_stay_behind_when_its_fact_goes_to_another_topic(
    topic: Topic, facts: list[Fact], summary: str, person: Actor
) -> None:
    split_topic(topic=topic, actor=person, name="Smiths", facts=[facts[1].pk])
    assert told(topic) == ("It makes anvils.", [False])
