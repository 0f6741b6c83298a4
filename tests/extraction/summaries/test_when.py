"""When a summary is made anew: once a while after the facts have changed, and never because of a summary."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from extraction.models import Job
from extraction.services.jobs import run_job
from extraction.services.summary_requests import LONGEST_WAIT, PAUSE
from tests.extraction.filing.helpers import TUESDAY, propose_conflict
from tests.extraction.summaries.helpers import BUDGET, DECIDED, MAKES, summarise, summary, told
from tests.inference.wire import Wire, fault
from tests.topics.services.helpers import hold, make_topic
from topics.changes import Actor
from topics.models import ChangeSet, Fact, Space, Topic
from topics.services.statements import add_fact, edit_fact
from topics.services.topics import add_alias, delete_topic
from topics.services.undo import undo_change_set


def test_a_commit_queues_one_after_a_pause(job: Job, topic: Topic) -> None:
    assert (job.topic, job.conversation, job.gathering, job.status) == (topic, None, True, Job.Status.QUEUED)
    assert job.run_after - timezone.now() <= PAUSE
    assert run_job(job.pk, worker="w") is False


def test_each_commit_puts_it_off_but_not_for_ever(job: Job, topic: Topic) -> None:
    Job.objects.update(created_at=timezone.now() - LONGEST_WAIT + timedelta(seconds=5), run_after=timezone.now())
    hold(topic, "Acme has 12 smiths.")
    job.refresh_from_db()
    assert Job.objects.count() == 1
    assert job.run_after == job.created_at + LONGEST_WAIT
    Job.objects.update(created_at=timezone.now())
    hold(topic, "Acme has 13 smiths.")
    job.refresh_from_db()
    assert job.run_after - timezone.now() > PAUSE - timedelta(seconds=10)


def test_every_topic_has_its_own(job: Job, space: Space, person: Actor) -> None:
    hold(make_topic(space, person, "Beta"), "Beta makes rockets.")
    assert Job.objects.filter(gathering=True).count() == 2


def test_what_changes_while_one_is_being_made_asks_for_another(job: Job, topic: Topic, wire: Wire) -> None:
    def change_meanwhile(request: object) -> object:
        hold(topic, "Acme has 12 smiths.")
        return summary(MAKES)

    wire.script(change_meanwhile)  # type: ignore[arg-type]
    summarise(topic)
    assert Job.objects.filter(gathering=True).count() == 1


def test_a_summary_asks_for_no_summary_nor_does_its_undo(job: Job, topic: Topic, wire: Wire, person: Actor) -> None:
    wire.always(summary(MAKES))
    summarise(topic)
    change = ChangeSet.objects.get(action="summarise")
    undo = undo_change_set(change=change, actor=person)
    assert told(topic) == ""
    undo_change_set(change=undo, actor=person)
    assert told(topic) == MAKES[0]
    assert list(Job.objects.values_list("status", flat=True)) == [Job.Status.DONE]


def test_without_a_model_nothing_is_queued(space: Space, person: Actor, settings: Settings) -> None:
    settings.INFINI_MODEL = ""
    hold(make_topic(space, person), "Acme makes anvils.")
    assert not Job.objects.exists()


def test_a_model_that_was_taken_away_meanwhile_ends_the_job(
    job: Job, topic: Topic, settings: Settings, wire: Wire
) -> None:
    settings.INFINI_MODEL = ""
    done = summarise(topic)
    assert done is not None
    assert done.status == Job.Status.DONE
    assert wire.requests == []


def test_a_document_with_few_facts_is_its_own_summary(space: Space, person: Actor, wire: Wire) -> None:
    topic = make_topic(space, person)
    for text in ("Acme makes anvils.", "Acme has 12 smiths."):
        hold(topic, text)
    summarise(topic)
    assert wire.requests == []


def test_nothing_is_asked_twice_about_the_same_facts(job: Job, topic: Topic, person: Actor, wire: Wire) -> None:
    wire.always(summary(MAKES))
    summarise(topic)
    add_alias(topic=topic, actor=person, name="ACM")
    summarise(topic)
    assert len(wire.requests) == 1
    edit_fact(fact=Fact.objects.get(attribute="budget"), actor=person, changes={"certainty": "planned"})
    summarise(topic)
    assert len(wire.requests) == 2


def test_a_conflict_and_its_end_ask_for_a_new_one(job: Job, space: Space, topic: Topic, wire: Wire) -> None:
    wire.always(summary(BUDGET))
    summarise(topic)
    propose_conflict(
        space, "The budget of Acme is 50,000 euros.", topic=topic, said_at=TUESDAY, attribute="budget", value="50000"
    )
    summarise(topic)
    assert "disputed" in str(wire.requests[-1].json["messages"])
    assert told(topic) == "Its budget is 40,000 euros. (disputed)"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_model_that_fails_is_asked_again_later_and_blocks_nothing(
    job: Job, topic: Topic, person: Actor, wire: Wire, status: int
) -> None:
    wire.always(fault(status))
    failed = summarise(topic)
    assert failed is not None
    assert (failed.status, failed.gathering) == (Job.Status.QUEUED, False)
    assert failed.error
    assert failed.run_after > timezone.now()
    add_fact(topic=topic, actor=person, text="Acme has 12 smiths.")
    assert told(topic) == ""


def test_a_topic_deleted_meanwhile_is_left_alone(job: Job, topic: Topic, person: Actor, wire: Wire) -> None:
    def delete_meanwhile(request: object) -> object:
        delete_topic(topic=topic, actor=person)
        return summary(MAKES, BUDGET, DECIDED)

    wire.script(delete_meanwhile)  # type: ignore[arg-type]
    done = summarise(topic)
    assert done is not None
    assert done.status == Job.Status.DONE
    assert told(topic) == ""
