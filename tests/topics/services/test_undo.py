"""Undo takes an act back as one unit, or refuses with a list; undoing the undo is redo."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.topics.services.helpers import SAID_AT, hold, make_topic, picture, say, span, without_messages
from topics.changes import Actor, change_set
from topics.errors import UndoBlocked, WrongState
from topics.models import Alias, ChangeSet, Fact, Space, TimelineEntry, Topic
from topics.services.statements import (
    add_entry,
    add_evidence,
    add_fact,
    edit_entry,
    edit_fact,
    retract_entry,
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

Act = Callable[[Topic, Actor], Any]


def last() -> ChangeSet:
    return ChangeSet.objects.order_by("-pk")[0]


def a_fact(topic: Topic) -> Fact:
    return topic.facts.order_by("pk")[0]


def an_entry(topic: Topic) -> TimelineEntry:
    return topic.timeline.order_by("pk")[0]


def an_alias(topic: Topic) -> Alias:
    return topic.aliases.get(name="Anvils")


def supersede_with_a_new_fact(topic: Topic, person: Actor) -> None:
    with change_set(space=topic.space, actor=person, action="test"):
        new = hold(topic, "The budget is 200.", attribute="budget", value="200")
        supersede_fact(fact=a_fact(topic), by=new, actor=person)


ACTS: dict[str, Act] = {
    "create a topic": lambda t, p: create_topic(space=t.space, actor=p, name="Beta", aliases=["Bee", "贝塔"]),
    "rename": lambda t, p: update_topic(topic=t, actor=p, name="Acme Holding"),
    "rename in writing only": lambda t, p: update_topic(topic=t, actor=p, name="ACME"),
    "rename to an own alias": lambda t, p: update_topic(topic=t, actor=p, name="Anvils"),
    "re-kind and summarise": lambda t, p: update_topic(topic=t, actor=p, kind="customer", summary="Makes anvils."),
    "archive": lambda t, p: archive_topic(topic=t, actor=p),
    "delete": lambda t, p: delete_topic(topic=t, actor=p),
    "add an alias": lambda t, p: add_alias(topic=t, actor=p, name="铁砧"),
    "remove an alias": lambda t, p: remove_alias(alias=an_alias(t), actor=p),
    "move an alias": lambda t, p: move_alias(alias=an_alias(t), to=Topic.objects.get(name="Gamma"), actor=p),
    "commit a fact": lambda t, p: hold(t, "Acme makes rockets."),
    "add a fact": lambda t, p: add_fact(topic=t, actor=p, text="Acme makes rockets."),
    "edit a fact": lambda t, p: edit_fact(
        fact=a_fact(t), actor=p, changes={"text": "The budget is 150.", "value": "150"}
    ),
    "supersede a fact": lambda t, p: supersede_fact(fact=a_fact(t), by=None, actor=p),
    "supersede a fact with a new one": supersede_with_a_new_fact,
    "retract a fact": lambda t, p: retract_fact(fact=a_fact(t), actor=p),
    "say a fact again": lambda t, p: hold(t, "the budget is 100"),
    "add an entry": lambda t, p: add_entry(topic=t, actor=p, text="Moved.", happened_at=SAID_AT),
    "edit an entry": lambda t, p: edit_entry(entry=an_entry(t), actor=p, changes={"precision": "year"}),
    "retract an entry": lambda t, p: retract_entry(entry=an_entry(t), actor=p),
}


@pytest.fixture
def full_topic(space: Space, topic: Topic, person: Actor) -> Topic:
    """A topic with something of everything, beside another one."""
    add_alias(topic=topic, actor=person, name="Anvils")
    hold(topic, "The budget is 100.", attribute="budget", value="100")
    add_entry(topic=topic, actor=person, text="Founded.", happened_at=SAID_AT - timedelta(days=900))
    make_topic(space, person, "Gamma")
    return topic


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS.keys())
def test_undo_and_redo_of_every_act(full_topic: Topic, person: Actor, act: Act) -> None:
    space = full_topic.space
    say(space, "the budget is 100", conversation=f"of {full_topic.pk}")  # messages stay, so they are there before
    before = picture(space)
    versions = Topic.objects.get(pk=full_topic.pk).document_version
    act(full_topic, person)
    done, after = last(), picture(space)
    undo = undo_change_set(change=done, actor=person, reason="wrong")
    assert without_messages(picture(space)) == without_messages(before)
    assert (undo.undoes, undo.reason) == (done, "wrong")
    redo = undo_change_set(change=undo, actor=person)
    assert without_messages(picture(space)) == without_messages(after)
    undo_change_set(change=redo, actor=person)
    assert without_messages(picture(space)) == without_messages(before)
    assert Topic.objects.get(pk=full_topic.pk).document_version in (versions, versions + 4)


def test_an_undo_happens_once(topic: Topic, person: Actor) -> None:
    update_topic(topic=topic, actor=person, summary="Makes anvils.")
    done = last()
    undo_change_set(change=done, actor=person)
    with pytest.raises(WrongState):
        undo_change_set(change=done, actor=person)


def test_several_steps_are_undone_one_after_the_other(topic: Topic, person: Actor) -> None:
    for summary in ("one", "two", "three"):
        update_topic(topic=topic, actor=person, summary=summary)
    for expected in ("two", "one", ""):
        undo_change_set(change=ChangeSet.objects.filter(undoes=None, undone_by=None)[0], actor=person)
        assert Topic.objects.get(pk=topic.pk).summary == expected


def test_later_edits_of_other_fields_stay(topic: Topic, person: Actor) -> None:
    update_topic(topic=topic, actor=person, kind=Topic.Kind.CUSTOMER)
    done = last()
    update_topic(topic=topic, actor=person, summary="Makes anvils.", name="Acme Holding")
    undo_change_set(change=done, actor=person)
    now = Topic.objects.get(pk=topic.pk)
    assert (now.kind, now.summary, now.name) == (Topic.Kind.OTHER, "Makes anvils.", "Acme Holding")


def test_later_statements_and_names_stay(topic: Topic, person: Actor) -> None:
    archive_topic(topic=topic, actor=person)
    done = last()
    fact = add_fact(topic=topic, actor=person, text="Acme makes anvils.")
    add_alias(topic=topic, actor=person, name="Anvils")
    undo_change_set(change=done, actor=person)
    assert Topic.objects.get(pk=topic.pk).status == Topic.Status.ACTIVE
    assert Fact.objects.get().status == fact.status == Fact.Status.ACTIVE
    assert topic.aliases.count() == 2


def blockers(change: ChangeSet, actor: Actor) -> list[str]:
    with pytest.raises(UndoBlocked) as refused:
        undo_change_set(change=change, actor=actor)
    found: list[str] = refused.value.details["blockers"]
    return found


def test_a_field_that_was_changed_again_blocks(topic: Topic, person: Actor) -> None:
    update_topic(topic=topic, actor=person, summary="one")
    done = last()
    update_topic(topic=topic, actor=person, summary="two")
    before = picture(topic.space)
    assert len(blockers(done, person)) == 1
    assert picture(topic.space) == before


def test_what_was_added_to_a_new_topic_blocks_its_undo_each_by_name(topic: Topic, person: Actor) -> None:
    done = last()
    add_fact(topic=topic, actor=person, text="Acme makes anvils.")
    add_alias(topic=topic, actor=person, name="Anvils")
    add_entry(topic=topic, actor=person, text="Founded.", happened_at=SAID_AT)
    found = blockers(done, person)
    assert len(found) == 3
    for name in ("Acme makes anvils.", "Anvils", "Founded."):
        assert any(name in sentence for sentence in found)


def test_what_was_added_and_taken_out_again_blocks_nothing(topic: Topic, person: Actor) -> None:
    done = last()
    retract_fact(fact=add_fact(topic=topic, actor=person, text="Acme makes anvils."), actor=person)
    undo_change_set(change=done, actor=person)
    assert Topic.objects.get(pk=topic.pk).status == Topic.Status.DELETED


def test_a_fact_that_was_edited_or_superseded_later_blocks(topic: Topic, person: Actor) -> None:
    one = hold(topic, "Acme makes anvils.")
    first = last()
    two = hold(topic, "Acme makes rockets.")
    second = last()
    edit_fact(fact=one, actor=person, changes={"certainty": "planned"})
    supersede_fact(fact=two, by=None, actor=person)
    assert "Acme makes anvils." in blockers(first, person)[0]
    assert "Acme makes rockets." in blockers(second, person)[0]


def test_a_name_that_was_taken_meanwhile_blocks(space: Space, topic: Topic, person: Actor) -> None:
    delete_topic(topic=topic, actor=person)
    done = last()
    other = make_topic(space, person, "ACME")
    before = picture(space)
    assert len(blockers(done, person)) == 1
    assert picture(space) == before
    delete_topic(topic=other, actor=person)
    undo_change_set(change=done, actor=person)
    assert Topic.objects.get(pk=topic.pk).status == Topic.Status.ACTIVE


def test_a_fact_that_was_said_anew_meanwhile_blocks(topic: Topic, person: Actor) -> None:
    retract_fact(fact=hold(topic, "Acme makes anvils."), actor=person)
    done = last()
    hold(topic, "acme makes anvils")
    before = picture(topic.space)
    assert len(blockers(done, person)) == 1
    assert picture(topic.space) == before


def test_an_alias_that_was_removed_later_blocks(topic: Topic, person: Actor) -> None:
    update_topic(topic=topic, actor=person, name="Acme Holding")
    done = last()
    remove_alias(alias=topic.aliases.get(name="Acme"), actor=person)
    assert "Acme" in blockers(done, person)[0]


def test_evidence_comes_and_goes_with_its_act(space: Space, topic: Topic, person: Actor) -> None:
    fact = hold(topic, "Acme makes anvils.")
    words = span(say(space, "Yes, Acme makes anvils."), "Acme makes anvils")
    add_evidence(space=space, actor=person, additions=[(fact, [words])])
    first = last()
    undo = undo_change_set(change=first, actor=person)
    assert fact.evidence.filter(removed_by=None).count() == 1
    add_evidence(space=space, actor=person, additions=[(fact, [words])])
    again = last()
    assert again.action == "add_evidence"
    assert again not in (first, undo)
    assert fact.evidence.filter(removed_by=None).count() == 2
    undo_change_set(change=again, actor=person)
    assert fact.evidence.filter(removed_by=None).count() == 1


def test_evidence_that_was_added_again_blocks_no_redo(space: Space, topic: Topic, person: Actor) -> None:
    fact = hold(topic, "Acme makes anvils.")
    words = span(say(space, "Yes, Acme makes anvils."), "Acme makes anvils")
    add_evidence(space=space, actor=person, additions=[(fact, [words])])
    undo = undo_change_set(change=last(), actor=person)
    add_evidence(space=space, actor=person, additions=[(fact, [words])])
    undo_change_set(change=undo, actor=person)
    assert fact.evidence.filter(removed_by=None).count() == 2


def test_versions_never_go_back(topic: Topic, person: Actor) -> None:
    """A caller that looked at an old version must not overwrite what undo brought back."""
    alias = add_alias(topic=topic, actor=person, name="Anvils")
    remove_alias(alias=alias, actor=person)
    undo_change_set(change=last(), actor=person)
    assert Alias.objects.get(pk=alias.pk).version > alias.version


def test_an_undo_of_an_archived_topic_is_an_act_like_any_other(topic: Topic, person: Actor) -> None:
    archive_topic(topic=topic, actor=person)
    done = last()
    restore_topic(topic=topic, actor=person)
    assert len(blockers(done, person)) == 1


def test_the_undo_writes_history_under_its_own_change_set(topic: Topic, person: Actor) -> None:
    fact = hold(topic, "Acme makes anvils.")
    retract_fact(fact=fact, actor=person, reason="wrong")
    undo = undo_change_set(change=last(), actor=person, reason="right after all")
    row = fact.history.order_by("-history_id")[0]
    assert (row.change_set_id, row.status, row.history_change_reason) == (undo.pk, "active", "right after all")
    assert undo.documents.get().topic == topic
