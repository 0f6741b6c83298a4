"""A summary follows its facts: what was retracted is not told on, what has changed is stale until it is told anew."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from extraction.models import Job
from tests.contract.helpers import make_api
from tests.extraction.summaries.helpers import BUDGET, DECIDED, MAKES, sentences, summarise, summary, told
from tests.inference.wire import Wire
from topics.changes import Actor
from topics.models import ChangeSet, Fact, Membership, Space, Topic
from topics.services.spaces import set_member
from topics.services.statements import add_fact, edit_fact, replace_fact, retract_fact
from topics.services.topics import update_topic
from topics.services.undo import undo_change_set


@pytest.fixture(autouse=True)
def standing(job: Job, topic: Topic, wire: Wire) -> None:
    """The summary of all four facts stands."""
    wire.always(summary(MAKES, BUDGET, DECIDED))
    summarise(topic)


def last_change() -> ChangeSet:
    change = ChangeSet.objects.order_by("-pk").first()
    assert change is not None
    return change


def test_a_retracted_fact_leaves_the_summary_in_the_same_act(
    space: Space, topic: Topic, facts: list[Fact], person: Actor
) -> None:
    retract_fact(fact=facts[3], actor=person)
    assert told(topic) == f"{MAKES[0]} {BUDGET[0]}"
    assert "email" not in str(make_api(space).get(f"topics/{topic.pk}/document").json())
    answer = make_api(space).get("memory/query?q=Acme+anvils").json()
    assert "email" not in str(answer)
    undo_change_set(change=last_change(), actor=person)
    assert told(topic) == f"{MAKES[0]} {BUDGET[0]} {DECIDED[0]}"


def test_a_fact_retracted_while_the_model_writes_is_not_told(
    topic: Topic, facts: list[Fact], person: Actor, wire: Wire
) -> None:
    def retract_meanwhile(request: object) -> object:
        retract_fact(fact=facts[1], actor=person)
        return summary(MAKES, BUDGET)

    add_fact(topic=topic, actor=person, text="Acme has 12 smiths.")
    wire.script(retract_meanwhile)  # type: ignore[arg-type]
    summarise(topic)
    assert told(topic) == MAKES[0]


@pytest.mark.parametrize("act", ["edit", "replace"])
def test_a_fact_that_changed_makes_its_sentence_stale_until_it_is_told_anew(
    space: Space, topic: Topic, facts: list[Fact], person: Actor, wire: Wire, act: str
) -> None:
    text = "The budget of Acme is 60,000 euros."
    if act == "edit":
        edit_fact(fact=facts[1], actor=person, changes={"text": text})
    else:
        replace_fact(fact=facts[1], actor=person, fields={"text": text})
    assert sentences(topic) == [(MAKES[0], False), (BUDGET[0], True), (DECIDED[0], False)]
    assert told(topic) == f"{MAKES[0]} {DECIDED[0]}"
    shown = make_api(space).get(f"topics/{topic.pk}/document").json()
    assert [s["stale"] for s in shown["summary_sentences"]] == [False, True, False]
    assert "40,000" not in shown["summary"]
    new = "f2" if act == "edit" else "f4"
    wire.always(summary(MAKES, ("Its budget is 60,000 euros.", [new])))
    summarise(topic)
    assert told(topic) == f"{MAKES[0]} Its budget is 60,000 euros."


def test_a_stale_sentence_of_a_retracted_fact_goes_too(topic: Topic, facts: list[Fact], person: Actor) -> None:
    edit_fact(fact=facts[1], actor=person, changes={"text": "The budget is secret."})
    retract_fact(fact=Fact.objects.get(pk=facts[1].pk), actor=person)
    assert "40,000" not in str(sentences(topic))


def test_a_summary_stands_in_the_way_of_no_undo(topic: Topic, facts: list[Fact], person: Actor, wire: Wire) -> None:
    """The retraction took a sentence out; a new summary was written since; the retraction is undone all the same."""
    retract_fact(fact=facts[3], actor=person)
    retraction = last_change()
    wire.always(summary(BUDGET))
    summarise(topic)
    undo_change_set(change=retraction, actor=person)
    assert Fact.objects.get(pk=facts[3].pk).status == "active"
    assert told(topic) == BUDGET[0]


def test_an_undo_brings_no_retracted_words_back(topic: Topic, facts: list[Fact], person: Actor) -> None:
    """One sentence tells two facts. Both are retracted, then the first retraction is undone."""
    retract_fact(fact=facts[2], actor=person)
    first = last_change()
    retract_fact(fact=facts[3], actor=person)
    undo_change_set(change=first, actor=person)
    assert "email" not in str(sentences(topic))


def test_the_undo_of_a_commit_takes_its_sentence_out(topic: Topic, facts: list[Fact], person: Actor) -> None:
    commit = Fact.history.get(id=facts[1].pk).change_set
    undo_change_set(change=commit, actor=person)
    assert told(topic) == f"{MAKES[0]} {DECIDED[0]}"


def test_a_summary_is_undone_like_any_act(topic: Topic, person: Actor, wire: Wire) -> None:
    add_fact(topic=topic, actor=person, text="Acme has 12 smiths.")
    wire.always(summary(("Acme has 12 smiths.", ["f5"])))
    summarise(topic)
    change = ChangeSet.objects.filter(action="summarise").order_by("-pk").first()
    assert change is not None
    undo_change_set(change=change, actor=person)
    assert told(topic) == f"{MAKES[0]} {BUDGET[0]} {DECIDED[0]}"


def test_a_person_who_renames_the_topic_does_not_take_the_summary_over(topic: Topic, person: Actor) -> None:
    """The form sends name, kind and summary together."""
    update_topic(topic=topic, actor=person, name="Acme Ltd", summary=told(topic))
    topic.refresh_from_db()
    assert not topic.summary_by_person
    assert len(topic.summary_sentences) == 3


def test_the_page_leads_from_each_sentence_to_its_facts(
    client: Client, space: Space, topic: Topic, facts: list[Fact], person: Actor
) -> None:
    user = User.objects.get()
    set_member(space=space, user=user, role=Membership.Role.REVIEWER)
    client.force_login(user)
    edit_fact(fact=facts[1], actor=person, changes={"text": "The budget is secret."})
    page = client.get(reverse("topics:document", args=[topic.pk])).content.decode()
    head = page.split('id="summary-title"')[1].split('id="facts-title"')[0]
    for fact in (facts[0], facts[2], facts[3]):
        assert f'href="#s-{fact.pk}"' in head
        assert f'id="s-{fact.pk}"' in page
    assert "Out of date" in head
    assert BUDGET[0] in head
