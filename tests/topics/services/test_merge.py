"""Merging: two to five topics become one document, and nothing that only one side had is lost."""

from __future__ import annotations

import pytest

from tests.topics.services.helpers import SAID_AT, hold, make_space, make_topic, say, span
from topics.changes import Actor
from topics.errors import InvalidInput, NameTaken, Stale, WrongState
from topics.models import Alias, ChangeSet, Evidence, Fact, Passage, Space, TimelineEntry, Topic
from topics.selectors.documents import document
from topics.selectors.topics import topic_by_id, topic_by_name
from topics.services.merge_plan import MergeChoices, MergePlan, plan_merge
from topics.services.merging import merge_topics
from topics.services.statements import EntryDraft, add_entry, commit_entries, edit_fact, retract_fact, supersede_fact
from topics.services.topics import add_alias, archive_topic, delete_topic, update_topic


def merge(actor: Actor, survivor: Topic, *others: Topic, **choices: object) -> Topic:
    merge_topics(
        space=survivor.space,
        survivor=survivor,
        others=others,
        actor=actor,
        choices=MergeChoices(**choices),  # type: ignore[arg-type]
    )
    return Topic.objects.get(pk=survivor.pk)


def texts(topic: Topic) -> list[str]:
    return sorted(line.row.text for line in document(topic).facts)


def names(topic: Topic) -> set[str]:
    return set(topic.aliases.values_list("name", flat=True))


def words(fact: Fact) -> list[str]:
    return sorted(row.quote for row in fact.evidence.filter(removed_by=None))


@pytest.fixture
def other(space: Space, person: Actor) -> Topic:
    return make_topic(space, person, "Acme Corp", kind="customer", summary="Makes anvils.", aliases=["铁砧公司"])


def test_names_facts_and_timeline_of_all_go_to_the_survivor(topic: Topic, other: Topic, person: Actor) -> None:
    third = make_topic(topic.space, person, "ACME Inc")
    hold(topic, "The office is in Leeds.")
    hold(other, "The owner is Mei.")
    old = hold(other, "The owner is Bo.")
    supersede_fact(fact=old, by=None, actor=person)
    add_entry(topic=third, actor=person, text="Founded.", happened_at=SAID_AT)
    merged = merge(person, topic, other, third)
    held = document(merged)
    assert texts(merged) == ["The office is in Leeds.", "The owner is Mei."]
    assert [line.row.text for line in held.superseded] == ["The owner is Bo."]
    assert [line.row.text for line in held.timeline] == ["Founded."]
    assert names(merged) == {"Acme", "Acme Corp", "铁砧公司", "ACME Inc"}
    assert (merged.name, merged.kind, merged.summary) == ("Acme", "other", "Makes anvils.")


def test_it_is_one_change_set_of_every_member(topic: Topic, other: Topic, person: Actor) -> None:
    hold(other, "The owner is Mei.")
    before = ChangeSet.objects.count()
    _plan, change = merge_topics(
        space=topic.space, survivor=topic, others=[other], actor=person, reason="the same firm"
    )
    assert ChangeSet.objects.count() == before + 1
    assert (change.action, change.reason) == ("merge_topics", "the same firm")
    assert {row.topic_id for row in change.documents.all()} == {topic.pk, other.pk}


def test_a_merged_id_and_a_merged_name_answer_with_the_survivor(topic: Topic, other: Topic, person: Actor) -> None:
    merge(person, topic, other)
    last = make_topic(topic.space, person, "Anvil Group")
    merge(person, last, topic)
    for reference in (topic.pk, other.pk, last.pk):
        assert topic_by_id(topic.space, reference) == last
    for name in ("Acme", "acme corp", "鐵砧公司", "Anvil Group"):
        assert topic_by_name(topic.space, name) == last


def test_what_both_say_becomes_one_fact_with_the_words_behind_both(topic: Topic, other: Topic, person: Actor) -> None:
    own = hold(topic, "The office is in Leeds.")
    same = hold(other, "the office is in Leeds", attribute="office", value="Leeds")
    merged = merge(person, topic, other)
    own.refresh_from_db()
    same.refresh_from_db()
    assert texts(merged) == ["The office is in Leeds."]
    assert words(own) == ["The office is in Leeds.", "the office is in Leeds"]
    assert (own.attribute, own.value) == ("office", "Leeds")
    assert (same.status, same.superseded_by, same.topic) == ("joined", own, merged)
    assert Passage.objects.filter(kind=Passage.Kind.FACT).count() == 1


def test_the_firmer_certainty_and_a_correction_stay(topic: Topic, other: Topic, person: Actor) -> None:
    own = hold(topic, "The office moves to York.", certainty="tentative")
    same = hold(other, "The office moves to Yorck.")
    same = edit_fact(fact=same, actor=person, changes={"text": "The office moves to York."})
    merged = merge(person, topic, other)
    standing = document(merged).facts[0].row
    assert standing == same
    assert (standing.certainty, standing.corrected_at) == ("confirmed", same.corrected_at)
    own.refresh_from_db()
    assert own.status == "joined"


def test_the_same_event_is_told_once(topic: Topic, other: Topic, person: Actor) -> None:
    for member in (topic, other):
        message = say(topic.space, "We moved to York.", conversation=f"of {member.name}")
        draft = EntryDraft(topic=member, text="Moved to York.", happened_at=SAID_AT, spans=[span(message)])
        commit_entries(space=topic.space, actor=person, drafts=[draft])
    merged = merge(person, topic, other)
    (line,) = document(merged).timeline
    assert {source.conversation for source in line.sources} == {"of Acme", "of Acme Corp"}
    assert TimelineEntry.objects.get(status="joined").topic == merged


@pytest.mark.parametrize("pick", ["member", "text"])
def test_fields_are_picked_from_a_member_or_written(topic: Topic, other: Topic, person: Actor, pick: str) -> None:
    fields = {
        "member": dict.fromkeys(("name", "kind", "summary"), str(other.pk)),
        "text": {"name": "Acme Corp.", "kind": "customer", "summary": "Makes anvils."},
    }[pick]
    merged = merge(person, topic, other, fields=fields)
    own = merged.aliases.get(is_name=True)
    assert (merged.name, own.name) == ((fields["name"], fields["name"]) if pick == "text" else ("Acme Corp",) * 2)
    assert (merged.kind, merged.summary, merged.summary_by_person) == ("customer", "Makes anvils.", True)
    assert "Acme" in names(merged)


def test_a_name_that_nobody_had_is_made(topic: Topic, other: Topic, person: Actor) -> None:
    merged = merge(person, topic, other, fields={"name": "Acme Holding"})
    assert merged.aliases.get(is_name=True).name == merged.name == "Acme Holding"


def test_what_is_left_out_is_retracted_and_its_name_is_free(topic: Topic, other: Topic, person: Actor) -> None:
    wrong = hold(other, "The owner is Mei.")
    event = add_entry(topic=other, actor=person, text="Founded.", happened_at=SAID_AT)
    alias = Alias.objects.get(name="铁砧公司")
    merged = merge(person, topic, other, leave_out=[wrong.pk, event.pk, alias.pk])
    assert (texts(merged), document(merged).timeline) == ([], [])
    assert names(merged) == {"Acme", "Acme Corp"}
    wrong.refresh_from_db()
    assert (wrong.status, wrong.topic) == ("retracted", merged)
    make_topic(topic.space, person, "铁砧公司")


def test_an_active_member_wakes_an_archived_survivor(topic: Topic, other: Topic, person: Actor) -> None:
    archive_topic(topic=topic, actor=person)
    assert merge(person, Topic.objects.get(pk=topic.pk), other).status == "active"


def test_a_dry_run_writes_nothing_and_tells_what_the_merge_does(topic: Topic, other: Topic, person: Actor) -> None:
    hold(topic, "The office is in Leeds.")
    hold(other, "The office is in Leeds.")
    hold(other, "The owner is Mei.")
    before = stored()
    choices = MergeChoices(fields={"summary": "New."})
    plan = plan_merge(space=topic.space, survivor=topic, others=[other], choices=choices)
    assert stored() == before
    assert (plan.facts_before, len(plan.facts), len(plan.repeats), plan.sources) == (3, 2, 1, 3)
    done, _change = merge_topics(space=topic.space, survivor=topic, others=[other], actor=person, choices=choices)
    assert summary(done) == summary(plan)
    merged = Topic.objects.get(pk=topic.pk)
    assert (merged.name, merged.summary) == (plan.name, plan.summary)
    assert texts(merged) == sorted(fact.text for fact in plan.facts)
    assert names(merged) == {plan.name, *(alias.name for alias in plan.aliases)}


def stored() -> tuple[object, ...]:
    facts = list(Fact.objects.order_by("pk").values_list("pk", "topic", "status"))
    return (ChangeSet.objects.count(), facts, Evidence.objects.count())


def summary(plan: MergePlan) -> tuple[object, ...]:
    return (plan.name, plan.kind, plan.summary, sorted(f.pk for f in plan.facts), len(plan.repeats), plan.sources)


def test_members_that_make_no_sense_are_refused(topic: Topic, other: Topic, person: Actor) -> None:
    many = [make_topic(topic.space, person, f"T{n}") for n in range(5)]
    elsewhere = make_topic(make_space("elsewhere"), person, "Acme")
    for others in ([], [topic], [other, other], many, [elsewhere]):
        with pytest.raises(InvalidInput):
            merge(person, topic, *others)
    assert not ChangeSet.objects.filter(action="merge_topics").exists()


def test_a_topic_that_is_merged_or_deleted_cannot_be_merged_again(topic: Topic, other: Topic, person: Actor) -> None:
    third, gone = (make_topic(topic.space, person, name) for name in ("Third", "Gone"))
    merge(person, topic, other)
    delete_topic(topic=gone, actor=person)
    for survivor, member in ((other, topic), (other, third), (third, other), (topic, gone)):
        with pytest.raises(WrongState) as refusal:
            merge(person, survivor, member)
        assert refusal.value.code == "topic_gone"


@pytest.mark.parametrize(
    ("choices", "field"),
    [
        ({"fields": {"colour": "red"}}, "fields.colour"),
        ({"fields": {"name": " "}}, "fields.name"),
        ({"fields": {"kind": "planet"}}, "fields.kind"),
        ({"fields": {"summary": "a\0b"}}, "fields.summary"),
    ],
)
def test_bad_choices_name_the_field(
    topic: Topic, other: Topic, person: Actor, choices: dict[str, object], field: str
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        merge(person, topic, other, **choices)
    assert list(refusal.value.details["fields"]) == [field]


def test_what_cannot_be_left_out_or_preferred_is_refused(topic: Topic, other: Topic, person: Actor) -> None:
    own = hold(topic, "The office is in Leeds.")
    gone = retract_fact(fact=hold(other, "The owner is Bo."), actor=person)
    name = topic.aliases.get(is_name=True)
    for choices in ({"leave_out": [own.pk]}, {"leave_out": [gone.pk]}, {"leave_out": [name.pk]}, {"prefer": [own.pk]}):
        with pytest.raises(InvalidInput):
            merge(person, topic, other, **choices)


def test_a_name_of_a_topic_outside_the_merge_is_taken(topic: Topic, other: Topic, person: Actor) -> None:
    outside = make_topic(topic.space, person, "Beta")
    with pytest.raises(NameTaken) as refusal:
        merge(person, topic, other, fields={"name": "BETA"})
    assert refusal.value.details == {"topic": str(outside.pk)}


def test_a_member_that_changed_since_it_was_seen_stops_the_merge(topic: Topic, other: Topic, person: Actor) -> None:
    seen = dict(Topic.objects.values_list("pk", "document_version"))
    add_alias(topic=other, actor=person, name="Anvils")
    with pytest.raises(Stale):
        merge(person, topic, other, seen=seen)
    update_topic(topic=topic, actor=person, summary="x")
    merge(person, topic, other, seen=dict(Topic.objects.values_list("pk", "document_version")))
