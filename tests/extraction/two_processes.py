"""What the processes of test_two_processes_at_once do: each function prepares, and returns the act."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.models import User

from extraction.models import Conflict, Proposal
from extraction.services.claims import claim_proposal
from extraction.services.decisions import decide_proposals
from extraction.services.resolving import resolve_conflict
from tests.extraction.filing.helpers import MONDAY, TUESDAY, file, found
from tests.topics.services.helpers import span
from topics.changes import Actor
from topics.errors import MemoryRefusal
from topics.models import ChangeSet, Fact, Message, Space, Topic
from topics.services.conversations import MessageInput, store_messages
from topics.services.statements import add_fact, edit_fact
from topics.services.topics import add_alias, create_topic
from topics.services.undo import undo_change_set

Act = Callable[[], str]
SOMEBODY = Actor(label="somebody")


def said(act: Callable[[], object]) -> Act:
    """The act, which says "done" or the name of its refusal."""

    def run() -> str:
        try:
            act()
        except MemoryRefusal as refusal:
            return type(refusal).__name__
        return "done"

    return run


def create_the_topic(number: int) -> Act:
    space = Space.objects.get()
    return said(lambda: create_topic(space=space, actor=SOMEBODY, name=("Acme", "ＡＣＭＥ", "acme")[number]))


def add_the_alias(number: int) -> Act:
    topic = Topic.objects.get(name=f"Topic {number}")
    return said(lambda: add_alias(topic=topic, actor=SOMEBODY, name="Both"))


def add_the_fact(number: int) -> Act:
    topic = Topic.objects.get()
    return said(lambda: add_fact(topic=topic, actor=SOMEBODY, text="Acme makes anvils."))


def file_the_statement(number: int) -> Act:
    space = Space.objects.get()
    day = MONDAY.replace(day=4 + number)
    items = [
        found(space, "Acme makes anvils.", said_at=day),
        found(space, "The team met.", said_at=day, kind="timeline", happened_at=MONDAY, precision="day"),
    ]
    return said(lambda: file(space, *items))


def file_a_value(number: int) -> Act:
    space, topic = Space.objects.get(), Topic.objects.get()
    value = str(100 + number)
    day = MONDAY.replace(day=4 + number)
    item = found(space, f"The budget is {value}.", topic=topic, said_at=day, attribute="budget", value=value)
    return said(lambda: file(space, item))


def approve_one_each(number: int) -> Act:
    space = Space.objects.get()
    pk = Proposal.objects.order_by("pk")[number].pk
    return lambda: decide_proposals(space=space, actor=SOMEBODY, ids=[pk], decision="approve").results[0].status


def decide_the_same(number: int) -> Act:
    space, pk = Space.objects.get(), Proposal.objects.get().pk
    return lambda: decide_proposals(space=space, actor=SOMEBODY, ids=[pk], decision="approve").results[0].status


def claim_the_same(number: int) -> Act:
    """Says who has the proposal in hand afterwards."""
    proposal, user = Proposal.objects.get(), User.objects.order_by("pk")[number]

    def act() -> str:
        claim = claim_proposal(proposal=proposal, user=user)
        assert claim is not None
        return claim.user.get_username()

    return act


def replace_the_held(number: int) -> Act:
    conflict = Conflict.objects.get()
    return said(lambda: resolve_conflict(conflict=conflict, actor=SOMEBODY, outcome="replace"))


def edit_the_fact(number: int) -> Act:
    fact = Fact.objects.get()
    changes = {"text": f"Acme makes {number} anvils."}
    return said(lambda: edit_fact(fact=fact, actor=SOMEBODY, changes=changes, expected_version=1))


def undo_the_last_act(number: int) -> Act:
    change = ChangeSet.objects.get()
    return said(lambda: undo_change_set(change=change, actor=SOMEBODY))


def store_the_messages(number: int) -> Act:
    space = Space.objects.get()
    messages = [MessageInput(role="user", content=text, id=text, said_at=MONDAY) for text in ("one", "two")]
    return said(lambda: store_messages(space=space, conversation="c", messages=messages))


def approve_or_hear_again(number: int) -> Act:
    space, topic = Space.objects.get(), Topic.objects.get()
    if number:
        message = Message.objects.get(said_at=TUESDAY)
        again = found(space, "Acme makes anvils!", topic=topic, message=message)
        assert again.spans == (span(message),)
        return said(lambda: file(space, again))
    pk = Proposal.objects.get().pk
    return said(lambda: decide_proposals(space=space, actor=SOMEBODY, ids=[pk], decision="approve"))
