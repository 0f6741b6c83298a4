"""Other names: add, remove, move; unique after normalisation."""

from __future__ import annotations

import pytest

from tests.topics.services.helpers import make_space, make_topic
from topics.changes import Actor
from topics.errors import InvalidInput, NameTaken, Stale, WrongState
from topics.models import Alias, ChangeSet, Space, Topic
from topics.selectors.topics import topic_by_name
from topics.services.topics import add_alias, create_topic, move_alias, remove_alias


@pytest.mark.parametrize(
    ("name", "other_writing"),
    [
        ("ACME", "ａｃｍｅ"),
        ("张曼婷", "張曼婷"),
        ("Smart Home", "smart-home"),
        ("O'Brien", "O’Brien"),
        ("Straße", "STRASSE"),
        ("Café", "Cafe\u0301"),
        ("智能 家居", "智能家居"),
    ],
)
def test_two_writings_of_a_name_are_one_name(space: Space, person: Actor, name: str, other_writing: str) -> None:
    create_topic(space=space, actor=person, name=name)
    with pytest.raises(NameTaken):
        create_topic(space=space, actor=person, name=other_writing)


@pytest.mark.parametrize(
    ("name", "other"), [("王芳", "王方"), ("C", "C#"), ("C++", "C"), ("Acme 1", "Acme 2"), ("😀", "😁")]
)
def test_different_names_stay_apart(space: Space, person: Actor, name: str, other: str) -> None:
    first, second = (create_topic(space=space, actor=person, name=n) for n in (name, other))
    assert topic_by_name(space, name) == first
    assert topic_by_name(space, other) == second


def test_adding_the_same_alias_again_writes_nothing(topic: Topic, person: Actor) -> None:
    alias = add_alias(topic=topic, actor=person, name="Anvil Makers")
    before = ChangeSet.objects.count()
    assert add_alias(topic=topic, actor=person, name="ANVIL-MAKERS") == alias
    assert add_alias(topic=topic, actor=person, name="acme").is_name
    assert ChangeSet.objects.count() == before


def test_a_name_of_another_topic_is_refused(space: Space, topic: Topic, person: Actor) -> None:
    other = make_topic(space, person, "Beta")
    with pytest.raises(NameTaken) as refused:
        add_alias(topic=other, actor=person, name="Ａｃｍｅ")
    assert refused.value.details["topic"] == str(topic.pk)
    assert [a.name for a in other.aliases.all()] == ["Beta"]


@pytest.mark.parametrize("bad", ["", " ", "\u200b", "a\x00", "y" * 201])
def test_a_bad_alias_is_refused(topic: Topic, person: Actor, bad: str) -> None:
    with pytest.raises(InvalidInput):
        add_alias(topic=topic, actor=person, name=bad)
    assert topic.aliases.count() == 1


def test_a_removed_alias_is_free_for_another_topic(space: Space, topic: Topic, person: Actor) -> None:
    remove_alias(alias=add_alias(topic=topic, actor=person, name="Anvils"), actor=person)
    assert topic_by_name(space, "Anvils") is None
    other = make_topic(space, person, "Anvils")
    assert topic_by_name(space, "anvils") == other


def test_a_topics_own_name_is_neither_removed_nor_moved(space: Space, topic: Topic, person: Actor) -> None:
    own = topic.aliases.get(is_name=True)
    other = make_topic(space, person, "Beta")
    with pytest.raises(WrongState, match="Rename"):
        remove_alias(alias=own, actor=person)
    with pytest.raises(WrongState, match="Rename"):
        move_alias(alias=own, to=other, actor=person)
    assert topic_by_name(space, "Acme") == topic


def test_a_moved_alias_changes_both_documents(space: Space, topic: Topic, person: Actor) -> None:
    alias = add_alias(topic=topic, actor=person, name="Anvils")
    other = make_topic(space, person, "Beta")
    move_alias(alias=alias, to=other, actor=person)
    assert topic_by_name(space, "Anvils") == other
    change = ChangeSet.objects.get(action="move_alias")
    assert {d.topic_id for d in change.documents.all()} == {topic.pk, other.pk}


def test_an_alias_does_not_move_to_another_space(topic: Topic, person: Actor) -> None:
    alias = add_alias(topic=topic, actor=person, name="Anvils")
    with pytest.raises(InvalidInput):
        move_alias(alias=alias, to=make_topic(make_space("other"), person), actor=person)
    assert Alias.objects.get(pk=alias.pk).topic == topic


def test_an_alias_that_changed_since_it_was_looked_at_is_left_alone(space: Space, topic: Topic, person: Actor) -> None:
    alias = add_alias(topic=topic, actor=person, name="Anvils")
    move_alias(alias=alias, to=make_topic(space, person, "Beta"), actor=person)
    with pytest.raises(Stale):
        remove_alias(alias=alias, actor=person, expected_version=1)
