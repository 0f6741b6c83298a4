"""Every write to a tracked row belongs to a change set; nothing else writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.topics.services.helpers import hold, make_space, make_topic
from topics.changes import Actor, OutsideChangeSet, change_set, create_tracked, savepoint
from topics.errors import Duplicate
from topics.models import Alias, ChangeSet, DocumentVersion, Fact, Space, TimelineEntry, Topic
from topics.services.statements import add_entry, add_fact, edit_fact, retract_fact, supersede_fact
from topics.services.topics import add_alias, archive_topic, delete_topic, remove_alias, update_topic

TRACKED: list[Any] = [Topic, Fact, TimelineEntry, Alias]


@pytest.mark.parametrize("model", TRACKED)
@pytest.mark.parametrize(
    "write",
    [
        lambda rows, row: rows.update(version=9),
        lambda rows, row: rows.all().delete(),
        lambda rows, row: rows.bulk_create([row]),
        lambda rows, row: rows.bulk_update([row], ["version"]),
        lambda rows, row: rows.bulk_create(
            [row], update_conflicts=True, update_fields=["version"], unique_fields=["id"]
        ),
    ],
)
def test_queries_that_would_write_without_history_are_refused(
    topic: Topic, person: Actor, model: Any, write: Callable[[Any, Any], Any]
) -> None:
    add_fact(topic=topic, actor=person, text="Acme makes anvils.")
    add_entry(topic=topic, actor=person, text="Founded.", happened_at=topic.created_at)
    row = model.objects.get()
    with pytest.raises(OutsideChangeSet):
        write(model.objects, row)
    with change_set(space=topic.space, actor=person, action="test"), pytest.raises(OutsideChangeSet):
        write(model.objects, row)
    assert model.objects.get().version == row.version
    assert model.history.count() == 1


def test_related_rows_cannot_be_written_without_history_either(topic: Topic, person: Actor) -> None:
    add_fact(topic=topic, actor=person, text="Acme makes anvils.")
    with pytest.raises(OutsideChangeSet):
        topic.facts.update(text="Acme makes rockets.")
    with pytest.raises(OutsideChangeSet):
        topic.facts.all().delete()
    assert topic.facts.get().text == "Acme makes anvils."


def test_saving_and_deleting_need_a_change_set(space: Space, topic: Topic) -> None:
    topic.name = "Beta"
    with pytest.raises(OutsideChangeSet):
        topic.save()
    with pytest.raises(OutsideChangeSet):
        topic.aliases.get().delete()
    with pytest.raises(OutsideChangeSet):
        Topic.objects.create(space=space, name="Gamma")
    with pytest.raises(OutsideChangeSet):
        create_tracked([Topic(space=space, name="Gamma")])
    assert list(Topic.objects.values_list("name", flat=True)) == ["Acme"]


def test_a_change_set_belongs_to_one_space(topic: Topic, person: Actor) -> None:
    other = make_space("other")
    topic.name = "Beta"
    with change_set(space=other, actor=person, action="test"), pytest.raises(OutsideChangeSet):
        topic.save()
    with (
        change_set(space=other, actor=person, action="test"),
        pytest.raises(OutsideChangeSet),
        change_set(space=topic.space, actor=person, action="test"),
    ):
        pass


def test_an_act_that_writes_nothing_leaves_no_change_set(topic: Topic, person: Actor) -> None:
    before = ChangeSet.objects.count()
    with change_set(space=topic.space, actor=person, action="test") as change:
        topic.save()
    assert change.written is None
    assert ChangeSet.objects.count() == before


def test_what_fails_half_way_is_taken_back_with_its_change_set(topic: Topic, person: Actor) -> None:
    before = ChangeSet.objects.count()

    def fail_half_way() -> None:
        with change_set(space=topic.space, actor=person, action="test"):
            add_fact(topic=topic, actor=person, text="Acme makes anvils.")
            add_fact(topic=topic, actor=person, text="Acme makes anvils.")

    with pytest.raises(Duplicate):
        fail_half_way()
    assert not Fact.objects.exists()
    assert ChangeSet.objects.count() == before
    add_fact(topic=topic, actor=person, text="Acme makes rockets.")
    assert ChangeSet.objects.count() == before + 1


def test_a_refusal_inside_an_act_leaves_the_rest_of_the_act(topic: Topic, person: Actor) -> None:
    add_fact(topic=topic, actor=person, text="Acme makes anvils.")
    with change_set(space=topic.space, actor=person, action="test") as change:
        try:
            with savepoint():
                add_fact(topic=topic, actor=person, text="Acme makes anvils.")
        except Duplicate:
            add_fact(topic=topic, actor=person, text="Acme makes rockets.")
    assert change.written is not None
    assert Fact.history.get(change_set=change.written).text == "Acme makes rockets."


def test_a_savepoint_needs_a_change_set(db: None) -> None:
    with pytest.raises(OutsideChangeSet), savepoint():
        pass


def test_every_history_row_names_its_change_set_actor_and_reason(topic: Topic, person: Actor, agent: Actor) -> None:
    fact = hold(topic, "Acme makes anvils.")
    edit_fact(fact=fact, actor=person, changes={"text": "Acme makes rockets."}, reason="Misheard. " * 200)
    edit_fact(fact=fact, actor=agent, changes={"text": "Acme makes springs."})
    first, second, third = fact.history.order_by("history_id")
    assert [h.history_change_reason for h in (first, second, third)] == ["", "Misheard. " * 200, ""]
    assert [h.history_user for h in (first, second, third)] == [None, person.user, None]
    assert [h.change_set.actor_label for h in (first, second, third)] == ["test extractor", "mei", "agent"]
    assert third.change_set.actor_key == agent.api_key
    assert second.history_date == second.change_set.at


def test_a_reason_never_leaks_into_the_next_save(topic: Topic, person: Actor) -> None:
    update_topic(topic=topic, actor=person, summary="one", reason="because")
    update_topic(topic=topic, actor=person, summary="two")
    same_object = Topic.objects.get()
    with change_set(space=topic.space, actor=person, action="test", reason="because of this"):
        same_object.summary = "three"
        same_object.save()
    with change_set(space=topic.space, actor=person, action="test"):
        same_object.summary = "four"
        same_object.save()
    reasons = [h.history_change_reason for h in topic.history.order_by("history_id")]
    assert reasons == ["", "because", "", "because of this", ""]


def test_every_act_of_the_services_is_one_change_set_with_all_its_history(topic: Topic, person: Actor) -> None:
    alias = add_alias(topic=topic, actor=person, name="Anvils")
    old, new = hold(topic, "Acme makes anvils."), hold(topic, "Acme makes rockets.")
    add_entry(topic=topic, actor=person, text="Founded.", happened_at=topic.created_at)
    supersede_fact(fact=old, by=new, actor=person)
    retract_fact(fact=new, actor=person)
    remove_alias(alias=alias, actor=person)
    update_topic(topic=topic, actor=person, name="Acme Holding")
    archive_topic(topic=topic, actor=person)
    delete_topic(topic=topic, actor=person)
    assert [c.action for c in ChangeSet.objects.order_by("pk")] == [
        "create_topic",
        "add_alias",
        "commit_facts",
        "commit_facts",
        "add_entry",
        "supersede_fact",
        "retract_fact",
        "remove_alias",
        "update_topic",
        "archive_topic",
        "delete_topic",
    ]
    for change in ChangeSet.objects.all():
        assert any(model.history.filter(change_set=change).exists() for model in TRACKED)
    versions = DocumentVersion.objects.filter(topic=topic).order_by("version").values_list("version", flat=True)
    assert list(versions) == list(range(1, 12))
    topic.refresh_from_db()
    assert topic.document_version == 11


def test_an_act_on_one_document_is_no_version_of_another(space: Space, topic: Topic, person: Actor) -> None:
    other = make_topic(space, person, "Beta")
    hold(topic, "Acme makes anvils.")
    other.refresh_from_db()
    assert other.document_version == 1


def test_a_row_that_was_read_again_knows_what_changed(topic: Topic, person: Actor) -> None:
    """Putting back a value that somebody else has changed meanwhile is a change, not nothing."""
    mine = Topic.objects.get()
    update_topic(topic=topic, actor=person, summary="theirs")
    mine.refresh_from_db()
    with change_set(space=topic.space, actor=person, action="test"):
        mine.save()
        assert topic.history.count() == 2
        mine.summary = ""
        mine.save()
    assert Topic.objects.get().summary == ""
    assert topic.history.count() == 3


def test_reading_a_column_late_forgets_no_change(topic: Topic, person: Actor) -> None:
    mine = Topic.objects.only("id", "name", "space").get()
    mine.name = "Beta"
    assert mine.summary == ""
    with change_set(space=topic.space, actor=person, action="test"):
        mine.save()
    assert Topic.objects.get().name == "Beta"


def test_a_list_written_at_once_has_the_same_history_as_one_by_one(space: Space, topic: Topic, person: Actor) -> None:
    fact = hold(topic, "Acme makes anvils.")
    row = fact.history.get()
    assert (row.history_type, row.change_set.action, row.text) == ("+", "commit_facts", "Acme makes anvils.")
    assert row.change_set.documents.get().topic == topic
    same = Fact.objects.get()
    with change_set(space=space, actor=person, action="test") as change:
        same.save()
    assert change.written is None
