"""Reverting one row of a change set: what goes back with it, what blocks it, and the decision behind it."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from extraction.models import Proposal
from extraction.services.resolving import resolve_conflict
from tests.extraction.filing.helpers import TUESDAY, approve, decide, propose, propose_conflict, texts, waiting
from tests.topics.services.helpers import hold, make_topic
from topics.changes import Actor
from topics.errors import NotFound, UndoBlocked, WrongState
from topics.models import ChangeSet, Evidence, Fact, Passage, Space, Topic
from topics.services.merging import merge_topics
from topics.services.reverting import plan_revert, revert_row
from topics.services.splitting import split_topic
from topics.services.statements import edit_fact, replace_fact
from topics.services.topics import add_alias, delete_topic, remove_alias, update_topic
from topics.services.undo import undo_change_set

pytestmark = pytest.mark.django_db


def approved(space: Space, topic: Topic, person: Actor) -> tuple[ChangeSet, list[Proposal]]:
    """One set that approves a fact, an event and an alias."""
    proposals = [
        propose(space, "Acme makes anvils.", topic=topic),
        propose(space, "The team met.", topic=topic, kind="timeline", happened_at=TUESDAY, precision="day"),
        propose(space, "We say AM.", topic=topic, kind="alias", alias="AM"),
    ]
    change = decide(person, *proposals).change_set
    assert change is not None
    for proposal in proposals:
        proposal.refresh_from_db()
    return change, proposals


def state(space: Space) -> dict[str, Any]:
    return {
        "waiting": waiting(space),
        "facts": list(Fact.objects.filter(status="active").order_by("pk").values_list("text", flat=True)),
        "events": list(space.timeline_entries.filter(status="active").values_list("text", flat=True)),
        "names": sorted(space.aliases.values_list("name", flat=True)),
        "evidence": Evidence.objects.filter(removed_by=None).count(),
        "index": sorted(Passage.objects.filter(kind__in=["fact", "entry"]).values_list("kind", flat=True)),
    }


def test_one_of_many_goes_back_to_the_queue_and_the_rest_stays(space: Space, topic: Topic, person: Actor) -> None:
    change, (fact, event, _alias) = approved(space, topic, person)
    before = state(space)
    assert fact.fact_id
    assert event.entry_id
    name = space.aliases.get(name="AM")
    for pk, text, part in (
        (fact.fact_id, "Acme makes anvils.", "facts"),
        (event.entry_id, "The team met.", "events"),
        (name.pk, "We say AM.", "names"),
    ):
        revert = revert_row(change=change, pk=pk, actor=person, reason="Not ours")
        assert (revert.action, revert.reason, revert.undoes) == ("revert", "Not ours", None)
        after = state(space)
        assert after["waiting"] == [text]
        assert len(after[part]) == len(before[part]) - 1
        assert {k: after[k] for k in ("facts", "events", "names") if k != part} == {
            k: before[k] for k in ("facts", "events", "names") if k != part
        }
        with pytest.raises(UndoBlocked):
            undo_change_set(change=change, actor=person)
        with pytest.raises(UndoBlocked):
            revert_row(change=change, pk=pk, actor=person)
        undo_change_set(change=revert, actor=person)
        assert state(space) == before
    undo_change_set(change=change, actor=person)
    assert len(waiting(space)) == 3


def test_what_was_edited_later_is_not_put_back_and_the_plan_says_why(space: Space, topic: Topic, person: Actor) -> None:
    change, (fact, *_others) = approved(space, topic, person)
    held = Fact.objects.get(pk=fact.fact_id)
    edit_fact(fact=held, actor=person, changes={"text": "Acme makes hammers."})
    later = ChangeSet.objects.get(action="edit_fact")
    plan = plan_revert(change, held.pk)
    assert plan.rows == {held.pk}
    assert next(blocker.change for blocker in plan.blockers) == later.pk
    with pytest.raises(UndoBlocked) as refused:
        revert_row(change=change, pk=held.pk, actor=person)
    assert "was changed later" in refused.value.details["blockers"][0]
    assert texts(topic) == ["Acme makes hammers."]
    # Once the edit is reverted, nothing stands in the way.
    revert_row(change=later, pk=held.pk, actor=person)
    assert texts(topic) == ["Acme makes anvils."]


def test_a_fact_and_what_it_replaced_go_back_together(topic: Topic, person: Actor) -> None:
    old = hold(topic, "The budget is 100.", attribute="budget", value="100")
    new = replace_fact(fact=old, actor=person, fields={"text": "The budget is 200.", "value": "200"})
    change = ChangeSet.objects.get(action="replace_fact")
    assert plan_revert(change, old.pk).rows == {old.pk, new.pk}
    revert_row(change=change, pk=new.pk, actor=person)
    assert texts(topic) == ["The budget is 100."]
    old.refresh_from_db()
    assert (old.superseded_by, old.valid_until) == (None, None)


def test_a_rename_goes_back_with_its_alias(space: Space, topic: Topic, person: Actor) -> None:
    former = topic.name
    update_topic(topic=topic, actor=person, name="Acme Industries", summary="Makes things.")
    change = ChangeSet.objects.get(action="update_topic")
    alias = topic.aliases.get(is_name=False)
    revert_row(change=change, pk=alias.pk, actor=person)
    topic.refresh_from_db()
    assert (topic.name, topic.summary) == (former, "")
    assert list(topic.aliases.values_list("name", "is_name")) == [(former, True)]


def test_a_moved_statement_goes_back_alone(topic: Topic, person: Actor) -> None:
    facts = [hold(topic, text) for text in ("One is here.", "Two is here.", "Three is here.")]
    new = split_topic(topic=topic, actor=person, name="Apart", kind="other", facts=[facts[0].pk, facts[1].pk])
    change = ChangeSet.objects.get(action="split_topic")
    revert_row(change=change, pk=facts[0].pk, actor=person)
    assert texts(topic) == ["One is here.", "Three is here."]
    assert texts(new) == ["Two is here."]
    assert Passage.objects.get(fact=facts[0].pk).topic_id == topic.pk


def test_the_decision_on_a_conflict_is_taken_back_as_a_whole(space: Space, topic: Topic, person: Actor) -> None:
    held = hold(topic, "The budget is 100.", attribute="budget", value="100")
    conflict = propose_conflict(
        space, "The budget is 200.", topic=topic, attribute="budget", value="200", said_at=TUESDAY
    )
    change = resolve_conflict(conflict=conflict, actor=person, outcome="replace")
    with pytest.raises(UndoBlocked, match="builds on"):
        revert_row(change=change, pk=held.pk, actor=person)
    assert "decision on a conflict" in plan_revert(change, held.pk).blockers[-1].text
    assert texts(topic) == ["The budget is 200."]


def test_acts_on_a_whole_topic_and_merges_are_not_taken_apart(space: Space, person: Actor) -> None:
    one, two = make_topic(space, person, "One"), make_topic(space, person, "Two")
    fact = hold(two, "Two is here.")
    created = ChangeSet.objects.get(action="create_topic", documents__topic=one)
    with pytest.raises(WrongState, match="undo the whole change"):
        revert_row(change=created, pk=one.pk, actor=person)
    _plan, merge = merge_topics(space=space, survivor=one, others=[two], actor=person)
    with pytest.raises(WrongState, match="as a whole"):
        revert_row(change=merge, pk=fact.pk, actor=person)
    with pytest.raises(NotFound):
        revert_row(change=created, pk=uuid.uuid4(), actor=person)


def test_nothing_is_put_back_into_a_topic_that_is_gone_nor_from_a_set_that_was_undone(
    space: Space, topic: Topic, person: Actor
) -> None:
    add_alias(topic=topic, actor=person, name="AM")
    alias = topic.aliases.get(name="AM")
    fact = hold(topic, "Acme makes anvils.")
    change = ChangeSet.objects.get(action="commit_facts")
    edit_fact(fact=fact, actor=person, changes={"text": "Acme makes hammers."})
    edit = ChangeSet.objects.get(action="edit_fact")
    delete_topic(topic=topic, actor=person)
    with pytest.raises(WrongState, match="merged or deleted"):
        revert_row(change=edit, pk=fact.pk, actor=person)
    undo_change_set(change=ChangeSet.objects.get(action="delete_topic"), actor=person)
    undo_change_set(change=edit, actor=person)
    undo_change_set(change=change, actor=person)
    with pytest.raises(WrongState, match="undone already"):
        revert_row(change=change, pk=fact.pk, actor=person)
    assert topic.aliases.filter(pk=alias.pk).exists()


def test_a_name_that_was_taken_meanwhile_does_not_come_back(space: Space, topic: Topic, person: Actor) -> None:
    proposal = propose(space, "We say AM.", topic=topic, kind="alias", alias="AM")
    approve(person, proposal)
    alias = space.aliases.get(name="AM")
    remove_alias(alias=alias, actor=person)
    add_alias(topic=make_topic(space, person, "Other"), actor=person, name="AM")
    with pytest.raises(UndoBlocked):
        revert_row(change=ChangeSet.objects.get(action="remove_alias"), pk=alias.pk, actor=person)
    assert space.aliases.get(name="AM").topic.name == "Other"
