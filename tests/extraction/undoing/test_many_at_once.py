"""Undoing a decision on many proposals: all of it comes back, and the queries do not grow with the number."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from extraction.models import Decision, Proposal, ProposalQuote
from tests.extraction.filing.helpers import TUESDAY, decide, waiting
from tests.topics.services.helpers import hold, make_topic, picture, say, without_messages
from topics.changes import Actor
from topics.models import Alias, ChangeSet, Fact, Passage, Space, Topic
from topics.retrieval.index import rebuild_index
from topics.services.undo import undo_change_set

pytestmark = pytest.mark.django_db


def propose_some(space: Space, topics: list[Topic], count: int) -> list[Proposal]:
    """So many statements, facts and events in turn, spread over the topics."""
    message = say(space, "Acme makes anvils.")
    made = [
        Proposal.objects.create(
            space=space,
            kind="timeline" if n % 4 == 3 else "fact",
            topic=topics[n % len(topics)],
            text=f"Order {n} of {count} came in.",
            happened_at=TUESDAY,
            precision="day",
            fingerprint=f"{n} of {count}",
        )
        for n in range(count)
    ]
    ProposalQuote.objects.bulk_create(ProposalQuote(proposal=p, message=message, start=0, end=4) for p in made)
    return made


def approve_some(space: Space, person: Actor, topics: list[Topic], count: int) -> ChangeSet:
    change = decide(person, *propose_some(space, topics, count)).change_set
    assert change is not None
    return change


def queries_to_approve(person: Actor, proposals: list[Proposal]) -> int:
    with CaptureQueriesContext(connection) as queries:
        decide(person, *proposals)
    return len(queries)


def queries_to_undo(change: ChangeSet, person: Actor) -> int:
    with CaptureQueriesContext(connection) as queries:
        undo_change_set(change=change, actor=person)
    return len(queries)


def test_twice_as_many_take_hardly_more_queries(space: Space, person: Actor) -> None:
    topics = [make_topic(space, person, name) for name in ("Acme", "Beta", "Gamma", "Delta", "Epsilon")]
    for topic in topics:
        hold(topic, "It stands all the time.")
    before = picture(space)
    few = queries_to_undo(approve_some(space, person, topics, 20), person)
    assert len(waiting(space)) == 20
    many_approved = approve_some(space, person, topics, 40)
    approved = picture(space)
    many = queries_to_undo(many_approved, person)
    assert many <= few + 10
    after = picture(space)
    assert without_messages(after) == without_messages(before)
    rebuild_index(space)
    assert picture(space) == after
    assert len(waiting(space)) == 60
    assert Passage.objects.filter(kind="fact").count() == 5

    undo = ChangeSet.objects.get(undoes=many_approved)
    assert Decision.objects.filter(change_set=undo, before="approved", after="pending").count() == 40
    written = (
        Fact.history.filter(change_set=undo).order_by().values_list("history_type", "version", "status").distinct()
    )
    assert list(written) == [("~", 2, "retracted")]
    assert Fact.history.filter(change_set=undo).count() == 30
    assert queries_to_undo(undo, person) <= few + 20
    assert picture(space) == approved


def test_twice_as_many_are_approved_with_hardly_more_queries(space: Space, person: Actor) -> None:
    topics = [make_topic(space, person, name) for name in ("Acme", "Beta", "Gamma", "Delta", "Epsilon")]
    few = queries_to_approve(person, propose_some(space, topics, 20))
    assert queries_to_approve(person, propose_some(space, topics, 40)) <= few + 10


def test_new_topics_are_taken_back_together_with_their_names(space: Space, person: Actor) -> None:
    def propose(count: int) -> list[Proposal]:
        names = [f"Project {count} {n}" for n in range(count)]
        kind = {"space": space, "kind": "topic", "topic_kind": "project"}
        return [Proposal.objects.create(topic_name=name, fingerprint=name, **kind) for name in names]

    before = picture(space)
    counts = []
    for count in (4, 8):
        change = decide(person, *propose(count)).change_set
        assert change is not None
        counts.append(queries_to_undo(change, person))
        undo = ChangeSet.objects.get(undoes=change)
        gone = Alias.history.filter(change_set=undo).values_list(
            "history_type", "history_user", "history_change_reason"
        )
        assert list(gone.order_by().distinct()) == [("-", person.user.pk if person.user else None, "")]
        assert Alias.history.filter(change_set=undo).count() == count
    assert not Alias.objects.filter(space=space).exists()
    assert counts[1] <= counts[0] + 4
    assert without_messages(picture(space)) == without_messages(before)
