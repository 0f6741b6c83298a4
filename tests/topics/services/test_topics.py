"""Topics: create, rename, re-kind, archive, restore, delete."""

from __future__ import annotations

from typing import Any

import pytest

from tests.topics.services.helpers import hold, make_space, make_topic
from topics.changes import Actor
from topics.errors import InvalidInput, NameTaken, Stale, WrongState
from topics.models import Alias, ChangeSet, Fact, Space, Topic
from topics.selectors.topics import topic_by_id, topic_by_name
from topics.services.topics import add_alias, archive_topic, create_topic, delete_topic, restore_topic, update_topic


def names(topic: Topic) -> dict[str, bool]:
    return dict(topic.aliases.values_list("name", "is_name"))


def test_a_new_topic_answers_to_its_name_and_every_alias(space: Space, person: Actor) -> None:
    topic = create_topic(
        space=space,
        actor=person,
        name="  智能家居  项目 ",
        kind=Topic.Kind.PROJECT,
        aliases=["Smart Home", "智能家居 项目"],
    )
    assert topic.name == "智能家居 项目"
    assert names(topic) == {"智能家居 项目": True, "Smart Home": False}
    for writing in ("智能家居项目", "智能家居項目", "ＳＭＡＲＴ　ＨＯＭＥ", "smart-home"):
        assert topic_by_name(space, writing) == topic
    topic.refresh_from_db()
    assert topic.document_version == 1


@pytest.mark.parametrize("bad", ["", "   ", "\u200b", "a\x00b", "a\x07b", "x" * 201, "\ud800", None, 7])
def test_a_bad_name_is_refused_and_nothing_is_written(space: Space, person: Actor, bad: Any) -> None:
    with pytest.raises(InvalidInput):
        create_topic(space=space, actor=person, name=bad)
    assert not Topic.objects.exists()
    assert not ChangeSet.objects.exists()


@pytest.mark.parametrize("values", [{"kind": "planet"}, {"kind": ""}, {"summary": "\x00"}, {"summary": "s" * 20_001}])
def test_a_bad_kind_or_summary_is_refused(space: Space, person: Actor, values: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        create_topic(space=space, actor=person, name="Acme", **values)
    assert not Topic.objects.exists()


def test_a_name_of_another_topic_is_refused_by_naming_its_holder(space: Space, person: Actor, topic: Topic) -> None:
    with pytest.raises(NameTaken) as refused:
        create_topic(space=space, actor=person, name="ＡＣＭＥ")
    assert refused.value.details == {"topic": str(topic.pk)}


def test_a_taken_alias_leaves_no_half_made_topic(space: Space, person: Actor, topic: Topic) -> None:
    with pytest.raises(NameTaken):
        create_topic(space=space, actor=person, name="Beta", aliases=["B", "acme"])
    assert Topic.objects.get() == topic
    assert topic_by_name(space, "Beta") is None


def test_the_same_name_in_another_space_is_another_topic(person: Actor, topic: Topic) -> None:
    other = make_topic(make_space("other"), person)
    assert other != topic
    assert topic_by_id(topic.space, other.pk) is None


def test_a_rename_keeps_the_former_name_as_an_alias(topic: Topic, person: Actor) -> None:
    update_topic(topic=topic, actor=person, name="Acme Holding")
    assert names(topic) == {"Acme Holding": True, "Acme": False}
    assert topic_by_name(topic.space, "acme") == topic


@pytest.mark.parametrize("name", ["ACME", "ａｃｍｅ", " ac-me "])
def test_a_rename_that_only_changes_the_writing_adds_no_alias(topic: Topic, person: Actor, name: str) -> None:
    renamed = update_topic(topic=topic, actor=person, name=name)
    assert renamed.name == name.strip()
    assert names(topic) == {name.strip(): True}
    assert topic_by_name(topic.space, "Acme") == topic


def test_a_rename_to_an_own_alias_in_another_writing_keeps_one_of_each(topic: Topic, person: Actor) -> None:
    update_topic(topic=topic, actor=person, name="Acme Holding")
    update_topic(topic=topic, actor=person, name="ＡＣＭＥ")
    assert names(topic) == {"ＡＣＭＥ": True, "Acme Holding": False}


def test_a_rename_to_an_own_alias_and_back_swaps_the_two(topic: Topic, person: Actor) -> None:
    update_topic(topic=topic, actor=person, name="Acme Holding")
    update_topic(topic=topic, actor=person, name="Acme")
    assert names(topic) == {"Acme": True, "Acme Holding": False}


def test_a_rename_to_a_name_of_another_topic_changes_nothing(space: Space, topic: Topic, person: Actor) -> None:
    make_topic(space, person, "Beta", aliases=["Bee"])
    with pytest.raises(NameTaken):
        update_topic(topic=topic, actor=person, name="BEE", kind=Topic.Kind.PERSON)
    topic = Topic.objects.get(pk=topic.pk)
    assert (topic.name, topic.kind) == ("Acme", Topic.Kind.OTHER)
    assert names(topic) == {"Acme": True}


def test_kind_and_summary_change_and_a_persons_summary_is_marked(topic: Topic, person: Actor, agent: Actor) -> None:
    changed = update_topic(topic=topic, actor=person, kind=Topic.Kind.CUSTOMER, summary="Makes anvils.")
    assert (changed.kind, changed.summary, changed.summary_by_person) == ("customer", "Makes anvils.", True)
    assert not update_topic(topic=topic, actor=agent, summary="Makes rockets.").summary_by_person
    assert not update_topic(topic=topic, actor=person, summary="").summary_by_person


def test_a_change_made_on_an_old_version_is_refused(topic: Topic, person: Actor) -> None:
    seen = topic.version
    update_topic(topic=topic, actor=person, summary="Makes anvils.", expected_version=seen)
    for late in (
        lambda: update_topic(topic=topic, actor=person, summary="Makes rockets.", expected_version=seen),
        lambda: archive_topic(topic=topic, actor=person, expected_version=seen),
        lambda: delete_topic(topic=topic, actor=person, expected_version=seen),
    ):
        with pytest.raises(Stale):
            late()
    assert Topic.objects.get(pk=topic.pk).summary == "Makes anvils."


def test_a_save_that_changes_nothing_writes_nothing(topic: Topic, person: Actor) -> None:
    before = (ChangeSet.objects.count(), Topic.history.count(), Topic.objects.get().document_version)
    update_topic(topic=topic, actor=person, name="Acme", kind=topic.kind, summary=topic.summary)
    assert (ChangeSet.objects.count(), Topic.history.count(), Topic.objects.get().document_version) == before


def test_archive_and_restore(topic: Topic, person: Actor) -> None:
    with pytest.raises(WrongState):
        restore_topic(topic=topic, actor=person)
    assert archive_topic(topic=topic, actor=person).status == Topic.Status.ARCHIVED
    with pytest.raises(WrongState):
        archive_topic(topic=topic, actor=person)
    assert topic_by_name(topic.space, "Acme") == topic
    assert restore_topic(topic=topic, actor=person).status == Topic.Status.ACTIVE


def test_a_deleted_topic_frees_its_names_and_takes_no_more_changes(topic: Topic, person: Actor) -> None:
    fact = hold(topic, "Acme makes anvils.")
    delete_topic(topic=topic, actor=person)
    assert not Alias.objects.exists()
    assert topic_by_id(topic.space, topic.pk) is None
    for act in (
        lambda: update_topic(topic=topic, actor=person, summary="x"),
        lambda: archive_topic(topic=topic, actor=person),
        lambda: delete_topic(topic=topic, actor=person),
    ):
        with pytest.raises(WrongState):
            act()
    assert Fact.objects.get() == fact
    assert make_topic(topic.space, person, "ACME").pk != topic.pk


@pytest.mark.parametrize(
    ("standing", "titled"),
    [("张伟", "張偉先生"), ("Zhang Wei", "Mr. Zhang Wei"), ("Acme", "ACME")],
)
def test_a_standing_name_with_a_title_is_taken(space: Space, person: Actor, standing: str, titled: str) -> None:
    topic = make_topic(space, person, standing)
    with pytest.raises(NameTaken) as refused:
        make_topic(space, person, titled)
    assert refused.value.details == {"topic": str(topic.pk)}
    assert Topic.objects.get() == topic


def test_a_title_may_still_tell_an_alias_apart(space: Space, person: Actor) -> None:
    make_topic(space, person, "张伟")
    other = make_topic(space, person, "李娜")
    assert add_alias(topic=other, actor=person, name="张伟老师").topic == other
