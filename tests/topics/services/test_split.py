"""Splitting: chosen facts, entries and names become a topic of their own, and undo brings them back."""

from __future__ import annotations

import pytest

from tests.topics.services.helpers import SAID_AT, hold, make_topic, picture
from topics.changes import Actor
from topics.errors import InvalidInput, NameTaken, Stale, UndoBlocked
from topics.models import Alias, ChangeSet, Fact, Passage, TimelineEntry, Topic
from topics.selectors.documents import document
from topics.services.splitting import split_topic
from topics.services.statements import add_entry, add_fact, replace_fact, retract_fact
from topics.services.topics import add_alias
from topics.services.undo import undo_change_set


@pytest.fixture
def mixed(topic: Topic, person: Actor) -> Topic:
    """A topic in which two firms were mixed up."""
    hold(topic, "The office is in Leeds.")
    hold(topic, "The bakery is in York.")
    add_entry(topic=topic, actor=person, text="Opened the bakery.", happened_at=SAID_AT)
    add_alias(topic=topic, actor=person, name="Acme Bakery")
    return topic


def fact(text: str) -> Fact:
    return Fact.objects.get(text=text)


def texts(topic: Topic) -> list[str]:
    return [line.row.text for line in document(Topic.objects.get(pk=topic.pk)).facts]


def test_what_was_chosen_moves_with_its_words(mixed: Topic, person: Actor) -> None:
    entry = TimelineEntry.objects.get()
    new = split_topic(
        topic=mixed,
        actor=person,
        name="Acme Bakery",
        summary="Bakes.",
        facts=[fact("The bakery is in York.").pk],
        entries=[entry.pk],
        aliases=[Alias.objects.get(name="Acme Bakery").pk],
        reason="two firms",
    )
    held = document(new)
    assert [(line.row.text, line.sources[0].words) for line in held.facts] == [("The bakery is in York.",) * 2]
    assert [line.row for line in held.timeline] == [entry]
    assert (new.name, new.kind, new.summary, held.aliases) == ("Acme Bakery", mixed.kind, "Bakes.", [])
    assert texts(mixed) == ["The office is in Leeds."]
    assert Passage.objects.filter(topic=new).count() == 2
    change = ChangeSet.objects.first()
    assert (change.action, change.reason) == ("split_topic", "two firms")  # type: ignore[union-attr]
    assert {row.topic_id for row in change.documents.all()} == {mixed.pk, new.pk}  # type: ignore[union-attr]


def test_undo_and_redo(mixed: Topic, person: Actor) -> None:
    before = picture(mixed.space)
    split_topic(
        topic=mixed,
        actor=person,
        name="Acme Bakery",
        facts=[fact("The bakery is in York.").pk],
        aliases=[Alias.objects.get(name="Acme Bakery").pk],
    )
    after = picture(mixed.space)
    undo = undo_change_set(change=ChangeSet.objects.get(action="split_topic"), actor=person)
    assert picture(mixed.space) == before
    undo_change_set(change=undo, actor=person)
    assert picture(mixed.space) == after


def test_what_a_fact_has_replaced_goes_along(mixed: Topic, person: Actor) -> None:
    newer = replace_fact(fact=fact("The bakery is in York."), actor=person, fields={"text": "The bakery is in Hull."})
    new = split_topic(topic=mixed, actor=person, name="Bakery", facts=[newer.pk])
    assert [line.row.text for line in document(new).superseded] == ["The bakery is in York."]


def test_undo_is_refused_when_the_new_topic_has_more_since(mixed: Topic, person: Actor) -> None:
    new = split_topic(topic=mixed, actor=person, name="Bakery", facts=[fact("The bakery is in York.").pk])
    add_fact(topic=new, actor=person, text="The bakery closes at six.")
    with pytest.raises(UndoBlocked):
        undo_change_set(change=ChangeSet.objects.get(action="split_topic"), actor=person)


def test_what_cannot_be_moved_is_refused(mixed: Topic, person: Actor) -> None:
    elsewhere = hold(make_topic(mixed.space, person, "Beta"), "The office is in Bath.")
    gone = retract_fact(fact=hold(mixed, "The office is in Rome."), actor=person)
    own = mixed.aliases.get(is_name=True)
    good = fact("The bakery is in York.").pk
    for choice in ({"facts": [elsewhere.pk]}, {"facts": [gone.pk]}, {"facts": [good], "aliases": [own.pk]}, {}):
        with pytest.raises(InvalidInput):
            split_topic(topic=mixed, actor=person, name="Bakery", **choice)
    with pytest.raises(NameTaken):
        split_topic(topic=mixed, actor=person, name="Acme Bakery", facts=[good])
    with pytest.raises(Stale):
        split_topic(topic=mixed, actor=person, name="Bakery", facts=[good], expected_version=99)
    assert not ChangeSet.objects.filter(action="split_topic").exists()
