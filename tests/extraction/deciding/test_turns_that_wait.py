"""Where agents see every turn, they see none that holds a waiting statement and, with review, none that is unread."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from extraction.models import Job, MessageOutcome, Proposal
from extraction.services.intake import record_messages
from extraction.services.jobs import run_job
from tests.contract.helpers import read
from tests.extraction.filing.helpers import decide, file, found
from tests.topics.retrieval.helpers import ask
from tests.topics.services.helpers import make_space, make_topic, say
from topics.changes import Actor
from topics.models import Passage, Space
from topics.retrieval.index import rebuild_index
from topics.services.conversations import MessageInput
from topics.services.spaces import update_space

SAID = "The budget for Project Apollo is 40,000 euros."
CHAT = "The weather in Apollo Bay was fine."


@pytest.fixture
def space(db: None) -> Space:
    """A space where a person reviews everything and agents see every turn."""
    return make_space(source_turns=Space.SourceTurns.ALL)


def shown(space: Space) -> str:
    return ask(space, "Apollo").context


def send(space: Space, *texts: str) -> Job:
    messages = [MessageInput(role="user", content=text) for text in texts]
    job = record_messages(space=space, conversation="c1", messages=messages, subject="Project Apollo").job
    assert job is not None
    return job


@pytest.mark.parametrize("policy", ["everything", "uncertain"])
def test_a_turn_is_shown_once_it_was_read_and_nothing_in_it_waits(space: Space, policy: str, person: Actor) -> None:
    space = update_space(space=space, changes={"review_policy": policy})
    job = send(space, f"{SAID} Maybe we will hire a poet for Apollo next year.", CHAT)
    assert shown(space) == ""
    run_job(job.pk, worker="test")
    assert "40,000" not in shown(space) or "poet" not in shown(space)
    assert CHAT in shown(space)
    waiting = Proposal.objects.filter(status=Proposal.Status.PENDING)
    assert waiting
    decide(person, *waiting)
    assert "40,000" in shown(space)
    assert "poet" in shown(space)


def test_what_waits_is_not_shown_after_the_index_was_rebuilt(space: Space) -> None:
    read(space, "c1", SAID, CHAT, subject="Project Apollo")
    rebuild_index(space)
    assert "40,000" not in shown(space)
    assert CHAT in shown(space)


def test_what_waits_is_not_shown_when_the_setting_changes_later(db: None) -> None:
    space = make_space()
    read(space, "c1", SAID, CHAT, subject="Project Apollo")
    space = update_space(space=space, changes={"source_turns": "all", "review_policy": "automatic"})
    assert "40,000" not in shown(space)
    assert CHAT in shown(space)


def test_a_turn_that_could_not_be_read_is_not_shown(space: Space) -> None:
    job = send(space, SAID)
    MessageOutcome.objects.filter(job=job).update(outcome=MessageOutcome.Outcome.FAILED)
    assert shown(space) == ""


def test_where_nobody_reviews_a_turn_is_shown_before_it_is_read(db: None) -> None:
    space = make_space(review_policy="automatic")
    send(space, SAID)
    assert SAID in shown(space)


def test_one_statement_that_waits_hides_the_turn_of_another_that_was_approved(space: Space, person: Actor) -> None:
    acme = make_topic(space, person)
    message = say(space, "Acme makes anvils. Acme sings.")
    for words in ("Acme makes anvils.", "Acme sings."):
        file(space, found(space, words, topic=acme, message=message, words=words))
    first, second = Proposal.objects.order_by("pk")
    decide(person, first)
    assert "sings" not in ask(space, "Acme").context
    decide(person, second)
    assert "sings" in ask(space, "Acme").context


def test_the_migration_withholds_what_older_versions_showed(space: Space, person: Actor) -> None:
    acme = make_topic(space, person)
    for text in ("Acme waits.", "Acme stands."):
        file(space, found(space, text, topic=acme))
    decide(person, Proposal.objects.get(text="Acme stands."))
    send(space, SAID)
    Passage.objects.update(withheld=False)
    import_module("extraction.migrations.0005_withhold_waiting_turns").withhold_waiting_turns(apps, None)
    hidden = Passage.objects.filter(withheld=True).values_list("message__content", flat=True)
    assert set(hidden) == {"Acme waits.", SAID}
