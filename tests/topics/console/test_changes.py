"""What each change set did to a document, and what differs between two of its states."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from topics.changes import Actor
from topics.errors import NotFound
from topics.models import ChangeSet, Fact, Space, TimelineEntry, Topic
from topics.selectors.history import FieldChange, RowChange, change_of, changes_of, compare, rows_of
from topics.services.merging import merge_topics
from topics.services.statements import (
    add_entry,
    edit_entry,
    edit_fact,
    retract_fact,
    supersede_fact,
)
from topics.services.topics import (
    add_alias,
    archive_topic,
    create_topic,
    delete_topic,
    move_alias,
    remove_alias,
    restore_topic,
    update_topic,
)
from topics.services.undo import undo_change_set

pytestmark = pytest.mark.django_db
Learn = Callable[..., Fact]


def told(rows: list[RowChange]) -> list[tuple[str, str, str]]:
    return [(row.type, row.verb, row.title) for row in rows]


def latest(topic: Topic) -> list[RowChange]:
    return changes_of(topic, limit=1)[0].rows


def test_creating_a_topic_tells_its_name_once(topic: Topic) -> None:
    assert told(latest(topic)) == [("topic", "added", "Acme renewal"), ("alias", "added", "Acme 续约")]


def test_an_edit_tells_the_columns_that_changed(topic: Topic, learn: Learn, actor: Actor) -> None:
    fact = learn(topic, "150 seats", attribute="seats", value="150")
    edit_fact(fact=fact, actor=actor, changes={"text": "160 seats", "value": "160"}, reason="Misheard")
    change = changes_of(topic)[0]
    assert (change.change_set.action, change.change_set.reason, change.version) == ("edit_fact", "Misheard", 3)
    assert told(change.rows) == [("fact", "changed", "160 seats")]
    assert change.rows[0].fields == [
        FieldChange("text", "150 seats", "160 seats"),
        FieldChange("value", "150", "160"),
    ]


def test_a_rename_tells_the_new_name_and_the_former_one_as_alias(topic: Topic, actor: Actor) -> None:
    update_topic(topic=topic, actor=actor, name="Acme deal")
    assert told(latest(topic)) == [("topic", "changed", "Acme deal"), ("alias", "added", "Acme renewal")]


def test_every_kind_of_change_has_its_verb(topic: Topic, learn: Learn, actor: Actor, space: Space) -> None:
    old, new = learn(topic, "150 seats"), learn(topic, "120 seats")
    supersede_fact(fact=old, by=new, actor=actor)
    assert told(latest(topic)) == [("fact", "superseded", "150 seats")]
    retract_fact(fact=new, actor=actor)
    assert told(latest(topic)) == [("fact", "removed", "120 seats")]
    archive_topic(topic=topic, actor=actor)
    assert told(latest(topic)) == [("topic", "archived", "Acme renewal")]
    restore_topic(topic=topic, actor=actor)
    assert told(latest(topic)) == [("topic", "restored", "Acme renewal")]
    alias = add_alias(topic=topic, actor=actor, name="ACME 2026")
    other = create_topic(space=space, actor=actor, name="Globex")
    move_alias(alias=alias, to=other, actor=actor)
    assert told(latest(topic)) == told(latest(other)) == [("alias", "moved", "ACME 2026")]
    remove_alias(alias=topic.aliases.get(name="Acme 续约"), actor=actor)
    assert told(latest(topic)) == [("alias", "removed", "Acme 续约")]
    delete_topic(topic=topic, actor=actor)
    assert ("topic", "removed", "Acme renewal") in told(latest(topic))


def test_undo_names_what_it_took_back(topic: Topic, learn: Learn, actor: Actor) -> None:
    learn(topic, "150 seats")
    change = ChangeSet.objects.get(action="commit_facts")
    undo = undo_change_set(change=change, actor=actor)
    undone, done = changes_of(topic)[:2]
    assert (undone.change_set.undoes, done.undone_by) == (change, undo)
    assert told(undone.rows) == [("fact", "removed", "150 seats")]
    assert (done.sources_added, undone.sources_removed) == (1, 1)


def test_words_added_to_a_held_fact_are_counted(topic: Topic, learn: Learn) -> None:
    learn(topic, "150 seats")
    learn(topic, "150 seats", within="As I said: 150 seats")
    change = changes_of(topic)[0]
    assert (change.rows, change.sources_added) == ([], 1)


def test_a_timeline_entry_tells_date_and_precision(topic: Topic, actor: Actor) -> None:
    may, june = datetime(2024, 5, 1, tzinfo=UTC), datetime(2024, 6, 3, tzinfo=UTC)
    entry = add_entry(topic=topic, actor=actor, text="Contract ends", happened_at=may, precision="month")
    edit_entry(entry=entry, actor=actor, changes={"happened_at": june, "precision": TimelineEntry.Precision.DAY})
    assert latest(topic)[0].fields == [FieldChange("happened_at", may, june), FieldChange("precision", "month", "day")]


def test_versions_are_paged_and_found_one_by_one(topic: Topic, learn: Learn) -> None:
    for n in range(4):
        learn(topic, f"{n} seats")
    assert [change.version for change in changes_of(topic, limit=2)] == [5, 4]
    assert [change.version for change in changes_of(topic, before=4, limit=2)] == [3, 2]
    assert told(change_of(topic, 2).rows) == [("fact", "added", "0 seats")]
    with pytest.raises(NotFound):
        change_of(topic, 6)


def test_one_set_may_change_several_topics(topic: Topic, learn: Learn, actor: Actor, space: Space) -> None:
    other = create_topic(space=space, actor=actor, name="Globex")
    move_alias(alias=topic.aliases.get(name="Acme 续约"), to=other, actor=actor)
    change = ChangeSet.objects.get(action="move_alias")
    assert [(row.topic_id, row.verb) for row in rows_of([change])[change.pk]] == [(other.pk, "moved")]


def test_two_versions_are_compared_as_a_whole(topic: Topic, learn: Learn, actor: Actor) -> None:
    fact = learn(topic, "150 seats")
    gone = learn(topic, "Standard plan")
    for text in ("151 seats", "152 seats"):
        edit_fact(fact=fact, actor=actor, changes={"text": text})
    retract_fact(fact=gone, actor=actor)
    update_topic(topic=topic, actor=actor, summary="Renews in June.")
    rows = compare(topic, 3, 7)
    assert told(rows) == [
        ("topic", "changed", "Acme renewal"),
        ("fact", "changed", "152 seats"),
        ("fact", "removed", "Standard plan"),
    ]
    assert rows[1].fields == [FieldChange("text", "150 seats", "152 seats")]
    assert compare(topic, 7, 7) == []
    assert [(row.verb, row.title) for row in compare(topic, 2, 4) if row.type == "fact"] == [
        ("changed", "151 seats"),
        ("added", "Standard plan"),
    ]
    with pytest.raises(NotFound):
        compare(topic, 1, 8)


def test_the_number_of_queries_does_not_grow_with_the_history(
    topic: Topic, learn: Learn, actor: Actor, django_assert_max_num_queries: Callable[..., object]
) -> None:
    for n in range(8):
        edit_fact(fact=learn(topic, f"{n} seats"), actor=actor, changes={"text": f"{n} chairs"})
    with django_assert_max_num_queries(12):
        changes = changes_of(topic)
        assert [change.undone_by for change in changes] == [None] * 17


def test_what_a_merge_joined_and_its_undoing_parted_is_no_change_to_a_reader(
    space: Space, topic: Topic, learn: Learn, actor: Actor
) -> None:
    other = create_topic(space=space, actor=actor, name="Acme deal", aliases=["AD"])
    learn(topic, "150 seats")
    # The one that a person has corrected stands on.
    edit_fact(fact=learn(other, "140 seats"), actor=actor, changes={"text": "150 seats"})
    survivor, gone = Topic.objects.get(pk=topic.pk), Topic.objects.get(pk=other.pk)
    before = survivor.document_version
    _plan, merge = merge_topics(space=space, survivor=survivor, others=[gone], actor=actor)
    added = [("alias", "added", "AD"), ("alias", "added", "Acme deal")]
    assert sorted(told(compare(topic, before, before + 1))) == added
    undo_change_set(change=merge, actor=actor)
    assert compare(topic, before, before + 2) == []
    removed = [("alias", "removed", "AD"), ("alias", "removed", "Acme deal")]
    assert sorted(told(compare(topic, before + 1, before + 2))) == removed


def test_a_statement_that_stands_again_under_another_id_is_told_by_what_differs(
    topic: Topic, learn: Learn, actor: Actor
) -> None:
    retract_fact(fact=learn(topic, "150 seats"), actor=actor)
    learn(topic, "150 seats", certainty="planned")
    again = compare(topic, 2, 4)
    assert told(again) == [("fact", "changed", "150 seats")]
    assert again[0].fields == [FieldChange("certainty", "confirmed", "planned")]
