"""Two processes that bring the same thing at once leave one of it, on SQLite and on PostgreSQL."""

from __future__ import annotations

import multiprocessing
import traceback
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from extraction.models import Conflict, Proposal, ReviewClaim
from tests.extraction import two_processes as acts
from tests.extraction.filing.helpers import TUESDAY, propose, texts
from tests.topics.services.helpers import hold, make_person, make_space, make_topic, say
from topics.changes import Actor
from topics.models import Alias, Fact, Message, Space, TimelineEntry, Topic

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def space(transactional_db: None) -> Space:
    return make_space()


@pytest.fixture
def person(transactional_db: None) -> Actor:
    return make_person()


def at_once(prepare: Callable[[int], acts.Act], processes: int = 2) -> list[str]:
    """Let several processes, each with connections of its own, act at the same moment: what each says of its end."""
    connection.close()  # so that no process inherits it
    fork = multiprocessing.get_context("fork")
    start, ends = fork.Barrier(processes), fork.SimpleQueue()
    running = [fork.Process(target=run, args=(prepare, number, start, ends)) for number in range(processes)]
    for process in running:
        process.start()
    said = [ends.get() for _process in running]
    for process in running:
        process.join(60)
        assert process.exitcode == 0
    return said


def run(prepare: Callable[[int], acts.Act], number: int, start: Any, ends: Any) -> None:
    try:
        act = prepare(number)
        start.wait(60)
        ends.put(act())
    except Exception:
        ends.put(traceback.format_exc())
        raise
    finally:
        connection.close()


def test_the_same_topic(space: Space) -> None:
    assert sorted(at_once(acts.create_the_topic, 3)) == ["NameTaken", "NameTaken", "done"]
    assert Topic.objects.count() == 1
    assert Alias.objects.count() == 1


def test_the_same_alias_of_two_topics(space: Space, person: Actor) -> None:
    for number in range(2):
        make_topic(space, person, f"Topic {number}")
    assert sorted(at_once(acts.add_the_alias)) == ["NameTaken", "done"]
    assert Alias.objects.filter(is_name=False).count() == 1


def test_the_same_fact_by_hand(space: Space, person: Actor) -> None:
    topic = make_topic(space, person)
    assert sorted(at_once(acts.add_the_fact)) == ["Duplicate", "done"]
    assert texts(topic) == ["Acme makes anvils."]


def test_the_same_statement_from_two_conversations(space: Space) -> None:
    Space.objects.update(review_policy="automatic")
    assert at_once(acts.file_the_statement) == ["done", "done"]
    assert Topic.objects.count() == 1
    assert Fact.objects.get().evidence.count() == 2
    assert TimelineEntry.objects.get().evidence.count() == 2


def test_the_same_new_topic_is_proposed_once(space: Space) -> None:
    assert at_once(acts.file_the_statement, 3) == ["done", "done", "done"]
    assert Proposal.objects.filter(kind=Proposal.Kind.TOPIC).count() == 1
    assert Proposal.objects.get(kind=Proposal.Kind.FACT).quotes.count() == 3


def test_two_values_at_once_are_one_value_and_one_conflict(space: Space, person: Actor) -> None:
    Space.objects.update(review_policy="automatic")
    topic = make_topic(space, person)
    assert at_once(acts.file_a_value) == ["done", "done"]
    assert len(texts(topic)) == 1
    assert Conflict.objects.get().status == Conflict.Status.OPEN


def test_two_reviewers_who_approve_two_values_at_once(space: Space, person: Actor) -> None:
    topic = make_topic(space, person)
    for value in ("100", "200"):
        propose(space, f"The budget is {value}.", topic=topic, attribute="budget", value=value)
    assert sorted(at_once(acts.approve_one_each)) == ["approved", "conflict"]
    assert len(texts(topic)) == 1


def test_two_reviewers_who_decide_the_same_proposal_at_once(space: Space, person: Actor) -> None:
    topic = make_topic(space, person)
    propose(space, "Acme makes anvils.", topic=topic)
    assert sorted(at_once(acts.decide_the_same, 3)) == ["approved", "error", "error"]
    assert texts(topic) == ["Acme makes anvils."]


def test_two_reviewers_who_open_the_same_proposal_at_once(space: Space, person: Actor) -> None:
    User.objects.create_user("lin")
    propose(space, "Acme makes anvils.", topic=make_topic(space, person))
    assert at_once(acts.claim_the_same) in (["lin", "lin"], ["mei", "mei"])
    ReviewClaim.objects.update(until=timezone.now())
    assert at_once(acts.claim_the_same) in (["lin", "lin"], ["mei", "mei"])


def test_two_reviewers_who_settle_the_same_conflict_at_once(space: Space, person: Actor) -> None:
    topic = make_topic(space, person)
    hold(topic, "The budget is 100.", attribute="budget", value="100")
    propose(space, "The budget is 200.", topic=topic, attribute="budget", value="200", said_at=TUESDAY)
    assert sorted(at_once(acts.replace_the_held)) == ["WrongState", "done"]
    assert texts(topic) == ["The budget is 200."]


def test_two_edits_of_the_same_version_lose_nothing(space: Space, person: Actor) -> None:
    hold(make_topic(space, person), "Acme makes anvils.")
    assert sorted(at_once(acts.edit_the_fact, 3)) == ["Stale", "Stale", "done"]
    assert Fact.objects.get().version == 2


def test_two_undos_of_the_same_act(space: Space, person: Actor) -> None:
    make_topic(space, person)
    assert sorted(at_once(acts.undo_the_last_act)) == ["WrongState", "done"]
    assert Topic.objects.get().status == Topic.Status.DELETED


def test_the_same_messages_at_once_are_stored_once(space: Space) -> None:
    assert at_once(acts.store_the_messages, 3) == ["done", "done", "done"]
    assert list(Message.objects.order_by("position").values_list("position", "content")) == [(0, "one"), (1, "two")]


def test_filing_and_deciding_at_once_lose_no_words(space: Space, person: Actor) -> None:
    """One process approves a statement while the other hears it again: both quotes end as evidence of one fact."""
    topic = make_topic(space, person)
    propose(space, "Acme makes anvils.", topic=topic)
    say(space, "Acme makes anvils!", conversation="later", said_at=TUESDAY)
    assert at_once(acts.approve_or_hear_again) == ["done", "done"]
    assert Fact.objects.get().evidence.count() == 2
