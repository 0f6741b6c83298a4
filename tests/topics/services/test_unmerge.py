"""Undoing a merge, at once or a week later: the topics part, and what was done in between is kept and listed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.topics.services.helpers import SAID_AT, hold, make_topic, picture, without_messages
from topics.changes import Actor
from topics.errors import UndoBlocked
from topics.models import Alias, ChangeSet, Fact, Space, TimelineEntry, Topic
from topics.selectors.documents import document
from topics.selectors.topics import topic_by_id, topic_by_name
from topics.services.merge_plan import MergeChoices
from topics.services.merging import merge_topics
from topics.services.statements import (
    add_entry,
    add_fact,
    edit_entry,
    edit_fact,
    replace_fact,
    retract_entry,
    retract_fact,
    supersede_fact,
)
from topics.services.topics import (
    add_alias,
    create_topic,
    delete_topic,
    move_alias,
    remove_alias,
    rename_alias,
    update_topic,
)
from topics.services.undo import kept_by_undo, undo_change_set


def merge(actor: Actor, survivor: Topic, *others: Topic, **choices: Any) -> ChangeSet:
    survivor, *members = (Topic.objects.get(pk=t.pk) for t in (survivor, *others))
    merged = merge_topics(
        space=survivor.space, survivor=survivor, others=members, actor=actor, choices=MergeChoices(**choices)
    )
    return merged[1]


def texts(topic: Topic) -> list[str]:
    return sorted(line.row.text for line in document(Topic.objects.get(pk=topic.pk)).facts)


def names(topic: Topic) -> set[str]:
    return set(topic.aliases.values_list("name", flat=True))


def now(row: Any) -> Any:
    return type(row).objects.get(pk=row.pk)


@pytest.fixture
def other(space: Space, person: Actor) -> Topic:
    return make_topic(space, person, "Acme Corp", kind="customer", summary="Makes anvils.", aliases=["铁砧公司"])


@pytest.fixture
def both(topic: Topic, other: Topic, person: Actor) -> tuple[Topic, Topic]:
    """Two topics with something of everything, one fact of which they have in common."""
    hold(topic, "The office is in Leeds.")
    hold(topic, "The budget is 100.", attribute="budget", value="100")
    hold(other, "The office is in Leeds.", attribute="office", value="Leeds")
    hold(other, "The owner is Mei.")
    old = hold(other, "The owner is Bo.")
    supersede_fact(fact=old, by=None, actor=person)
    for member in (topic, other):
        add_entry(topic=member, actor=person, text="Founded.", happened_at=SAID_AT)
    add_entry(topic=other, actor=person, text="Moved.", happened_at=SAID_AT)
    return topic, other


def fact(text: str) -> Fact:
    return Fact.objects.filter(text=text).order_by("status", "pk")[0]


CHOICES: dict[str, Callable[[Topic], dict[str, Any]]] = {
    "plain": lambda other: {},
    "fields of the other": lambda other: {"fields": dict.fromkeys(("name", "kind", "summary"), str(other.pk))},
    "fields of its own": lambda other: {"fields": {"name": "Acme Holding", "kind": "project", "summary": "New."}},
    "another writing": lambda other: {"fields": {"name": "ACME CORP"}},
    "left out": lambda other: {
        "leave_out": [
            fact("The owner is Mei.").pk,
            TimelineEntry.objects.get(text="Moved.").pk,
            Alias.objects.get(name="铁砧公司").pk,
            Alias.objects.get(name="Acme Corp").pk,
        ]
    },
}


@pytest.mark.parametrize("choices", CHOICES.values(), ids=CHOICES.keys())
def test_undo_and_redo(both: tuple[Topic, Topic], person: Actor, choices: Callable[[Topic], dict[str, Any]]) -> None:
    topic, other = both
    before = picture(topic.space)
    done = merge(person, topic, other, **choices(other))
    after = picture(topic.space)
    assert kept_by_undo(done) == []
    undo = undo_change_set(change=done, actor=person)
    assert picture(topic.space) == before
    redo = undo_change_set(change=undo, actor=person)
    assert picture(topic.space) == after
    assert topic_by_id(topic.space, other.pk) == topic
    undo_change_set(change=redo, actor=person)
    assert picture(topic.space) == before


def test_facts_edited_since_go_back_with_the_edit(both: tuple[Topic, Topic], person: Actor) -> None:
    topic, other = both
    done = merge(person, topic, other)
    edit_fact(fact=fact("The owner is Mei."), actor=person, changes={"text": "The owner is Mei Liu."})
    edit_entry(entry=TimelineEntry.objects.get(text="Moved."), actor=person, changes={"text": "Moved to York."})
    kept = kept_by_undo(done)
    undo_change_set(change=done, actor=person)
    assert texts(other) == ["The office is in Leeds.", "The owner is Mei Liu."]
    assert "Moved to York." in [line.row.text for line in document(now(other)).timeline]
    assert kept == [f"“{text}” was changed later: the change stays." for text in ("The owner is Mei.", "Moved.")]


def test_what_was_added_since_stays_with_the_survivor(both: tuple[Topic, Topic], person: Actor) -> None:
    topic, other = both
    done = merge(person, topic, other)
    add_fact(topic=topic, actor=person, text="The phone is 555-0100.")
    add_entry(topic=topic, actor=person, text="Audited.", happened_at=SAID_AT)
    add_alias(topic=topic, actor=person, name="Anvils")
    kept = kept_by_undo(done)
    undo_change_set(change=done, actor=person)
    assert "The phone is 555-0100." in texts(topic)
    assert names(topic) == {"Acme", "Anvils"}
    assert kept == [
        f"“{what}” was added later, and stays with Acme." for what in ("The phone is 555-0100.", "Audited.", "Anvils")
    ]


def test_a_replacement_goes_back_with_what_it_replaced(both: tuple[Topic, Topic], person: Actor) -> None:
    topic, other = both
    done = merge(person, topic, other)
    newer = replace_fact(fact=fact("The owner is Mei."), actor=person, fields={"text": "The owner is Li."})
    replace_fact(fact=newer, actor=person, fields={"text": "The owner is Jo."})
    undo_change_set(change=done, actor=person)
    assert texts(other) == ["The office is in Leeds.", "The owner is Jo."]
    assert texts(topic) == ["The budget is 100.", "The office is in Leeds."]
    assert {f.topic for f in Fact.objects.filter(text__startswith="The owner")} == {other}


def test_a_fact_replaced_by_one_of_another_topic_is_current_again(both: tuple[Topic, Topic], person: Actor) -> None:
    topic, other = both
    until = fact("The budget is 100.").valid_until
    done = merge(person, topic, other)
    supersede_fact(fact=fact("The budget is 100."), by=fact("The owner is Mei."), actor=person)
    kept = kept_by_undo(done)
    undo_change_set(change=done, actor=person)
    assert texts(topic) == ["The budget is 100.", "The office is in Leeds."]
    assert fact("The budget is 100.").valid_until == until
    assert kept == ["“The budget is 100.” was replaced later by a fact of another topic: it is current again."]


def test_what_was_retracted_as_one_is_retracted_in_both(both: tuple[Topic, Topic], person: Actor) -> None:
    topic, other = both
    done = merge(person, topic, other)
    (standing,) = Fact.objects.filter(text="The office is in Leeds.", status="active")
    retract_fact(fact=standing, actor=person)
    retract_entry(entry=TimelineEntry.objects.get(text="Founded.", status="active"), actor=person)
    kept = kept_by_undo(done)
    undo_change_set(change=done, actor=person)
    assert (texts(topic), texts(other)) == (["The budget is 100."], ["The owner is Mei."])
    assert not TimelineEntry.objects.filter(text="Founded.", status="active").exists()
    assert [k for k in kept if "each topic" in k] == [
        f"“{what}” was retracted later, and stays so in each topic." for what in ("The office is in Leeds.", "Founded.")
    ]


def test_a_fact_that_was_edited_to_say_the_same_stays_joined(both: tuple[Topic, Topic], person: Actor) -> None:
    topic, other = both
    done = merge(person, topic, other)
    (standing,) = Fact.objects.filter(text="The office is in Leeds.", status="active")
    edit_fact(fact=standing, actor=person, changes={"text": "The office is in York."})
    edit_fact(fact=fact("The owner is Mei."), actor=person, changes={"text": "The office is in Leeds."})
    undo_change_set(change=done, actor=person)
    assert texts(topic) == ["The budget is 100.", "The office is in York."]
    assert texts(other) == ["The office is in Leeds."]


def test_names_changed_since(both: tuple[Topic, Topic], person: Actor) -> None:
    topic, other = both
    done = merge(person, topic, other)
    rename_alias(alias=Alias.objects.get(name="Acme Corp"), actor=person, name="Acme Corporation")
    remove_alias(alias=Alias.objects.get(name="铁砧公司"), actor=person)
    update_topic(topic=topic, actor=person, name="Acme Group", kind="project", summary="Edited.")
    undo_change_set(change=done, actor=person)
    assert (now(other).name, names(other)) == ("Acme Corporation", {"Acme Corporation"})
    assert (now(topic).name, names(topic)) == ("Acme Group", {"Acme", "Acme Group"})
    assert (now(topic).kind, now(topic).summary) == ("project", "Edited.")


def test_a_survivor_that_took_the_others_name_gets_its_own_back(both: tuple[Topic, Topic], person: Actor) -> None:
    topic, other = both
    done = merge(person, topic, other)
    update_topic(topic=topic, actor=person, name="Acme Corp")
    undo_change_set(change=done, actor=person)
    assert (now(topic).name, now(other).name) == ("Acme", "Acme Corp")
    for member in both:
        assert member.aliases.get(is_name=True).name == now(member).name


def test_an_own_name_that_was_removed_since_comes_back_unless_it_was_taken(
    both: tuple[Topic, Topic], person: Actor
) -> None:
    topic, other = both
    done = merge(person, topic, other)
    remove_alias(alias=Alias.objects.get(name="Acme Corp"), actor=person)
    taker = make_topic(topic.space, person, "Acme Corp")
    with pytest.raises(UndoBlocked) as refusal:
        undo_change_set(change=done, actor=person)
    assert refusal.value.details["blockers"] == ["Acme Corp is now a name of Acme Corp."]
    update_topic(topic=taker, actor=person, name="Taker")
    remove_alias(alias=Alias.objects.get(name="Acme Corp"), actor=person)
    undo_change_set(change=done, actor=person)
    assert topic_by_name(topic.space, "Acme Corp") == other


def test_an_alias_moved_since_stays_where_it_is(both: tuple[Topic, Topic], person: Actor) -> None:
    topic, other = both
    third = make_topic(topic.space, person, "Third")
    done = merge(person, topic, other)
    move_alias(alias=Alias.objects.get(name="铁砧公司"), to=third, actor=person)
    undo_change_set(change=done, actor=person)
    assert names(third) == {"Third", "铁砧公司"}
    assert names(other) == {"Acme Corp"}


def test_a_deleted_survivor_gives_back_what_was_the_others(both: tuple[Topic, Topic], person: Actor) -> None:
    topic, other = both
    held = texts(other), names(other)
    done = merge(person, topic, other)
    delete_topic(topic=topic, actor=person)
    undo_change_set(change=done, actor=person)
    assert (texts(other), names(other)) == held
    assert now(topic).status == "deleted"


@pytest.mark.parametrize("first", [0, 1], ids=["the first", "the last"])
def test_merges_of_merges_are_undone_in_any_order(both: tuple[Topic, Topic], person: Actor, first: int) -> None:
    topic, other = both
    last = make_topic(topic.space, person, "Anvil Group")
    hold(last, "The owner is Mei.")
    before = picture(topic.space)
    merges = [merge(person, topic, other), merge(person, last, topic)]
    undo_change_set(change=merges[first], actor=person)
    if first == 0:
        assert topic_by_id(topic.space, other.pk) == other
        assert topic_by_id(topic.space, topic.pk) == last
    else:
        assert topic_by_id(topic.space, other.pk) == topic
    undo_change_set(change=merges[1 - first], actor=person)
    after = picture(topic.space)
    assert without_messages(after) == without_messages(before)


FACTS = ["The budget is 100.", "the budget is 100", "The office is in Leeds.", "负责人是王芳。", "The owner is Mei."]
PARTS = st.fixed_dictionaries(
    {
        "facts": st.lists(
            st.tuples(st.sampled_from(FACTS), st.sampled_from(["active", "superseded", "retracted"])), max_size=4
        ),
        "events": st.lists(st.sampled_from(["Founded.", "Moved.", "开业"]), max_size=2, unique=True),
        "aliases": st.integers(0, 2),
        "summary": st.sampled_from(["", "Makes anvils."]),
    }
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), members=st.lists(PARTS, min_size=2, max_size=4))
def test_nothing_that_only_one_side_had_is_lost(
    space: Space, person: Actor, data: st.DataObject, members: list[dict[str, Any]]
) -> None:
    topics = [build(space, person, parts) for parts in members]
    before = of(topics)
    fields = {
        name: str(data.draw(st.sampled_from(topics), label=name).pk)
        for name in data.draw(st.sets(st.sampled_from(["name", "kind", "summary"])), label="fields")
    }
    done = merge(person, *topics, fields=fields)
    merged = document(now(topics[0]))
    held = {said.casefold().strip(".") for rows in before["facts"].values() for said in rows}
    assert {line.row.text.casefold().strip(".") for line in merged.facts} == held
    assert len(merged.facts) == len(held)
    assert {line.row.text for line in merged.timeline} == {e for rows in before["events"].values() for e in rows}
    assert names(topics[0]) == {name for rows in before["names"].values() for name in rows}
    assert quotes([topics[0]]) == {quote for topic in topics for quote in before["quotes"][topic.pk]}
    undo = undo_change_set(change=done, actor=person)
    assert of(topics) == before
    undo_change_set(change=undo, actor=person)
    assert document(now(topics[0])).topic.name == merged.topic.name


def build(space: Space, person: Actor, parts: dict[str, Any]) -> Topic:
    number = Topic.objects.count()
    aliases = [f"Alias {number} {n}" for n in range(parts["aliases"])]
    topic = create_topic(space=space, actor=person, name=f"Topic {number}", aliases=aliases, summary=parts["summary"])
    for text, status in parts["facts"]:
        held = hold(topic, text)
        if status == "retracted":
            retract_fact(fact=held, actor=person)
        elif status == "superseded":
            supersede_fact(fact=held, by=None, actor=person)
    for n, text in enumerate(parts["events"]):
        add_entry(topic=topic, actor=person, text=text, happened_at=SAID_AT + timedelta(days=n))
    return topic


def quotes(topics: list[Topic]) -> set[Any]:
    """The words behind what is current, by message."""
    lines = [line for topic in topics for line in document(now(topic)).facts]
    return {(source.message_id, source.start, source.end) for line in lines for source in line.sources}


def of(topics: list[Topic]) -> dict[str, Any]:
    """All that is held of these topics."""
    held = [document(now(topic)) for topic in topics]
    return {
        "topics": [(d.topic.name, d.topic.kind, d.topic.summary, d.topic.status) for d in held],
        "facts": {d.topic.pk: sorted(line.row.text for line in d.facts) for d in held},
        "superseded": {d.topic.pk: sorted(line.row.text for line in d.superseded) for d in held},
        "events": {d.topic.pk: sorted(line.row.text for line in d.timeline) for d in held},
        "names": {topic.pk: names(topic) for topic in topics},
        "quotes": {topic.pk: quotes([topic]) for topic in topics},
    }
