"""Undo of decisions: proposals wait again, conflicts are open again; undoing the undo decides them anew."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from extraction.models import Confirmation, Conflict, Proposal
from extraction.services.resolving import answer_confirmation, resolve_conflict
from tests.extraction.filing.helpers import (
    TUESDAY,
    WEDNESDAY,
    approve,
    decide,
    file,
    found,
    propose,
    propose_conflict,
    texts,
    waiting,
)
from tests.topics.services.helpers import hold, make_space, make_topic
from topics.changes import Actor
from topics.errors import UndoBlocked
from topics.models import ChangeSet, Dispute, Evidence, Fact, Passage, Space, Topic
from topics.services.statements import edit_fact
from topics.services.undo import undo_change_set

Step = Callable[["Scene"], ChangeSet]


class Scene:
    """A space with a held budget, a proposal against it, a plain one, an event, a new topic with a statement."""

    def __init__(self, space: Space, topic: Topic, person: Actor) -> None:
        self.space, self.topic, self.person = space, topic, person
        self.held = hold(topic, "The budget is 100.", attribute="budget", value="100")
        self.conflict = propose_conflict(
            space, "The budget is 200.", topic=topic, attribute="budget", value="200", said_at=TUESDAY
        )
        self.plain = propose(space, "Acme makes anvils.", topic=topic)
        self.event = propose(space, "The team met.", topic=topic, kind="timeline", happened_at=TUESDAY, precision="day")
        self.alias = propose(space, "We say AM.", topic=topic, kind="alias", alias="AM")
        self.of_new = propose(space, "Beta makes rockets.", topic="Beta")
        self.new = Proposal.objects.get(kind=Proposal.Kind.TOPIC)

    def decide(self, *proposals: Proposal, **values: Any) -> ChangeSet:
        change = decide(self.person, *proposals, **values).change_set
        assert change is not None
        return change

    def resolve(self, outcome: str, **values: Any) -> ChangeSet:
        return resolve_conflict(conflict=self.conflict, actor=self.person, outcome=outcome, **values)

    def picture(self) -> dict[str, Any]:
        """What a reviewer and a reader see."""
        return {
            "proposals": list(
                Proposal.objects.order_by("pk").values_list("pk", "status", "decided_by", "snoozed_until")
            ),
            "conflicts": list(Conflict.objects.order_by("pk").values_list("pk", "status", "outcome")),
            "questions": list(Confirmation.objects.exclude(status="cancelled").values_list("question", "status")),
            "disputed": list(Dispute.objects.filter(closed_at=None).values_list("fact", flat=True)),
            "topics": list(Topic.objects.exclude(status="deleted").order_by("pk").values_list("name", "status")),
            "names": sorted(self.space.aliases.values_list("name", "topic__name")),
            "facts": list(
                Fact.objects.exclude(status="retracted")
                .order_by("pk")
                .values_list("text", "status", "valid_until", "scope", "certainty")
            ),
            "events": list(self.space.timeline_entries.exclude(status="retracted").values_list("text", flat=True)),
            "evidence": Evidence.objects.filter(removed_by=None).exclude(fact__status="retracted").count(),
            "withheld": sorted(Passage.objects.filter(withheld=True).values_list("message", flat=True)),
        }


@pytest.fixture
def scene(space: Space, topic: Topic, person: Actor) -> Scene:
    return Scene(space, topic, person)


STEPS: dict[str, Step] = {
    "approve a fact": lambda s: s.decide(s.plain),
    "approve a fact edited": lambda s: s.decide(s.plain, edits={"text": "Acme makes springs."}),
    "approve an event": lambda s: s.decide(s.event),
    "approve an alias": lambda s: s.decide(s.alias),
    "approve a topic": lambda s: s.decide(s.new),
    "approve a fact with its topic": lambda s: s.decide(s.of_new),
    "approve many": lambda s: s.decide(s.plain, s.event, s.alias, s.of_new, s.new, s.conflict.proposal),
    "reject a fact": lambda s: s.decide(s.plain, decision="reject"),
    "reject a topic with what waits for it": lambda s: s.decide(s.new, decision="reject"),
    "reject what contradicts": lambda s: s.decide(s.conflict.proposal, decision="reject"),
    "snooze": lambda s: s.decide(s.plain, decision="snooze", snooze_until=timezone.now() + timedelta(days=1)),
    "replace": lambda s: s.resolve("replace"),
    "keep": lambda s: s.resolve("keep"),
    "both, until when": lambda s: s.resolve("both", valid_until=TUESDAY),
    "both, where": lambda s: s.resolve("both", scope="Leeds"),
    "neither": lambda s: s.resolve("neither"),
    "ask": lambda s: s.resolve("ask"),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS.keys())
def test_undo_redo_and_undo_of_every_decision(scene: Scene, person: Actor, step: Step) -> None:
    before = scene.picture()
    change = step(scene)
    after = scene.picture()
    assert after != before
    undo = undo_change_set(change=change, actor=person)
    assert scene.picture() == before
    redo = undo_change_set(change=undo, actor=person)
    assert scene.picture() == after
    undo_change_set(change=redo, actor=person)
    assert scene.picture() == before


def test_what_was_undone_can_be_decided_anew_in_every_way(scene: Scene, person: Actor) -> None:
    for proposal in (scene.plain, scene.event, scene.of_new):
        for decision in ("approve", "reject", "approve"):
            undo_change_set(change=scene.decide(proposal, decision=decision), actor=person)
        scene.decide(proposal)
    assert [t.name for t in Topic.objects.filter(status="active").order_by("name")] == ["Acme", "Beta"]
    assert texts(scene.topic) == ["The budget is 100.", "Acme makes anvils."]
    for outcome in ("replace", "keep", "neither", "ask", "replace"):
        undo_change_set(change=scene.resolve(outcome), actor=person)
    scene.resolve("replace")
    assert texts(scene.topic) == ["Acme makes anvils.", "The budget is 200."]


def refused(change: ChangeSet, actor: Actor) -> list[str]:
    with pytest.raises(UndoBlocked) as error:
        undo_change_set(change=change, actor=actor)
    found: list[str] = error.value.details["blockers"]
    return found


def test_a_decision_on_which_a_later_edit_builds_is_not_undone(scene: Scene, person: Actor) -> None:
    change = scene.decide(scene.plain, scene.event)
    edit_fact(
        fact=Fact.objects.get(text="Acme makes anvils."), actor=person, changes={"text": "Acme makes good anvils."}
    )
    before = scene.picture()
    with pytest.raises(UndoBlocked) as error:
        undo_change_set(change=change, actor=person)
    assert [blocker.change for blocker in error.value.found] == [ChangeSet.objects.get(action="edit_fact").pk]
    assert scene.picture() == before


def test_a_snooze_that_was_decided_since_is_not_undone(scene: Scene, person: Actor) -> None:
    change = scene.decide(scene.plain, decision="snooze", snooze_until=timezone.now() + timedelta(days=1))
    scene.decide(scene.plain)
    assert "Acme makes anvils." in refused(change, person)[0]


def test_the_undo_of_a_later_decision_brings_the_snooze_back(scene: Scene, person: Actor) -> None:
    until = timezone.now() + timedelta(days=1)
    scene.decide(scene.plain, decision="snooze", snooze_until=until)
    undo_change_set(change=scene.decide(scene.plain), actor=person)
    scene.plain.refresh_from_db()
    assert (scene.plain.status, scene.plain.snoozed_until) == ("snoozed", until)


def test_a_question_that_a_decision_withdrew_is_not_put_again_by_the_undo_of_asking(
    scene: Scene, person: Actor
) -> None:
    asked = scene.resolve("ask")
    undo_change_set(change=scene.resolve("keep"), actor=person)
    undo_change_set(change=asked, actor=person)
    assert not Confirmation.objects.filter(status="open").exists()
    assert Conflict.objects.get().outcome == ""


def test_a_topic_with_a_later_statement_is_not_undone_but_its_last_one_is(scene: Scene, person: Actor) -> None:
    change = scene.decide(scene.new)
    last = scene.decide(scene.of_new)
    assert refused(change, person)
    undo_change_set(change=last, actor=person)
    undo_change_set(change=change, actor=person)
    assert Topic.objects.filter(status="active").count() == 1
    assert "Beta" in waiting(scene.space)


def test_a_question_that_was_answered_is_not_taken_back(scene: Scene, person: Actor) -> None:
    asked = scene.resolve("ask")
    answer_confirmation(confirmation=Confirmation.objects.get(), actor=person, answer="other")
    assert refused(asked, person)


def test_the_undo_of_an_answer_opens_the_conflict_again(scene: Scene, person: Actor) -> None:
    scene.resolve("ask")
    change = answer_confirmation(confirmation=Confirmation.objects.get(), actor=person, answer="yes")
    assert change is not None
    undo_change_set(change=change, actor=person)
    assert texts(scene.topic) == ["The budget is 100."]
    assert Conflict.objects.get().status == "open"
    assert Confirmation.objects.filter(status="open").count() == 1


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_the_undo_of_an_answer_puts_its_question_again_and_redo_answers_it(
    scene: Scene, person: Actor, answer: str
) -> None:
    asked = scene.resolve("ask")
    before = scene.picture()
    change = answer_confirmation(confirmation=Confirmation.objects.get(), actor=person, answer=answer)
    assert change is not None
    after = scene.picture()
    undo = undo_change_set(change=change, actor=person)
    question = Confirmation.objects.get()
    assert (question.status, question.answer, question.answered_at) == ("open", "", None)
    assert scene.picture() == before
    redo = undo_change_set(change=undo, actor=person)
    assert scene.picture() == after
    assert Confirmation.objects.get().answer == answer
    undo_change_set(change=redo, actor=person)
    assert scene.picture() == before
    undo_change_set(change=asked, actor=person)
    assert Confirmation.objects.get().status == "cancelled"


def test_a_message_stays_hidden_while_something_else_of_it_is_rejected(
    space: Space, topic: Topic, person: Actor
) -> None:
    one = found(space, "Acme makes anvils.", topic=topic)
    message = one.spans[0].message
    two = found(space, "They forge.", topic=topic, message=message, words="makes anvils")
    filed = file(space, one, two)
    first, second = (decide(person, p, decision="reject").change_set for p in filed.proposals)
    assert first is not None
    assert second is not None
    undo_change_set(change=first, actor=person)
    assert Passage.objects.get(message=message).withheld
    undo_change_set(change=second, actor=person)
    assert Passage.objects.get(message=message).withheld, "both wait again"
    decide(person, *filed.proposals)
    assert not Passage.objects.get(message=message).withheld


def test_what_a_job_did_by_policy_is_undone_as_one(person: Actor) -> None:
    space = make_space("fast", review_policy="automatic", conflict_policy="newest")
    topic = make_topic(space, person)
    held = hold(topic, "The budget is 100.", attribute="budget", value="100")
    filed = file(
        space,
        found(space, "The budget is 200.", topic=topic, attribute="budget", value="200", said_at=TUESDAY),
        found(space, "Beta makes rockets.", topic="Beta", said_at=WEDNESDAY),
    )
    assert filed.change_set is not None
    undo = undo_change_set(change=filed.change_set, actor=person)
    assert texts(topic) == ["The budget is 100."]
    assert Fact.objects.get(pk=held.pk).status == Fact.Status.ACTIVE
    assert waiting(space) == ["Beta", "The budget is 200.", "Beta makes rockets."]
    assert Conflict.objects.get().status == "open"
    undo_change_set(change=undo, actor=person)
    assert texts(topic) == ["The budget is 200."]
    assert Topic.objects.get(name="Beta").status == Topic.Status.ACTIVE


def test_an_approval_after_an_undo_uses_the_topic_that_stands(scene: Scene, person: Actor) -> None:
    undo_change_set(change=scene.decide(scene.new), actor=person)
    made = make_topic(scene.space, person, "Beta")
    assert approve(person, scene.of_new).topic == made
    assert texts(made) == ["Beta makes rockets."]


def links(*proposals: Proposal) -> list[Topic | None]:
    for proposal in proposals:
        proposal.refresh_from_db()
    return [p.topic for p in proposals]


def test_a_topic_approved_again_after_an_undo_goes_where_its_own_name_says(scene: Scene, person: Actor) -> None:
    other = make_topic(scene.space, person, "Riverside")
    undo_change_set(change=scene.decide(scene.new, edits={"topic_name": "Riverside"}), actor=person)
    assert links(scene.new, scene.of_new) == [None, None]

    scene.decide(scene.new, scene.of_new)
    assert [p.name if p else "" for p in links(scene.new, scene.of_new)] == ["Beta", "Beta"]
    assert texts(other) == []
    assert texts(Topic.objects.get(name="Beta")) == ["Beta makes rockets."]


def test_a_topic_approved_again_under_its_own_name_is_not_the_one_that_was_taken_back(
    scene: Scene, person: Actor
) -> None:
    undo_change_set(change=scene.decide(scene.new, edits={"topic_name": "Gamma"}), actor=person)
    scene.decide(scene.of_new)
    assert [t.name for t in Topic.objects.filter(status="active").order_by("name")] == ["Acme", "Beta"]


def test_redo_links_the_topic_and_what_waits_for_it_again(scene: Scene, person: Actor) -> None:
    other = make_topic(scene.space, person, "Riverside")
    undo = undo_change_set(change=scene.decide(scene.new, edits={"topic_name": "Riverside"}), actor=person)
    redo = undo_change_set(change=undo, actor=person)
    assert links(scene.new, scene.of_new) == [other, other]
    undo_change_set(change=redo, actor=person)
    assert links(scene.new, scene.of_new) == [None, None]


def test_a_statement_approved_meanwhile_stays_where_it_is(scene: Scene, person: Actor) -> None:
    other = make_topic(scene.space, person, "Riverside")
    change = scene.decide(scene.new, edits={"topic_name": "Riverside"})
    scene.decide(scene.of_new)
    undo_change_set(change=change, actor=person)
    assert links(scene.new, scene.of_new) == [None, other]
