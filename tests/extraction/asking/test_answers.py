"""The user's answer settles a conflict, with its own words as evidence; every answer can be taken back."""

from __future__ import annotations

import pytest

from extraction.models import Confirmation, Conflict, Proposal
from extraction.services.resolving import answer_confirmation, resolve_conflict
from tests.contract.helpers import make_api
from tests.extraction.filing.helpers import MONDAY, TUESDAY, WEDNESDAY, propose_conflict, texts
from tests.topics.services.helpers import hold, say
from topics.changes import Actor
from topics.errors import InvalidInput, UndoBlocked, WrongState
from topics.models import ChangeSet, Fact, Message, Space, Topic
from topics.services.undo import undo_change_set

BUDGET = {"attribute": "budget", "unit": "EUR"}
OLD, NEW = "The budget is 100.", "The budget is 200."


@pytest.fixture
def held(topic: Topic) -> Fact:
    return hold(topic, OLD, said_at=MONDAY, value="100", **BUDGET)


@pytest.fixture
def question(space: Space, topic: Topic, held: Fact, person: Actor) -> Confirmation:
    conflict = propose_conflict(space, NEW, topic=topic, said_at=TUESDAY, value="200", **BUDGET)
    resolve_conflict(conflict=conflict, actor=person, outcome="ask")
    return Confirmation.objects.get()


@pytest.fixture
def reply(space: Space) -> Message:
    return say(space, "  Yes, as I said. \n", said_at=WEDNESDAY)


def answer(question: Confirmation, agent: Actor, answer: str, message: Message | None = None) -> ChangeSet:
    return answer_confirmation(confirmation=question, actor=agent, answer=answer, message=message)


def quotes(topic: Topic, text: str) -> list[str]:
    fact = topic.facts.get(text=text)
    return [row.quote for row in fact.evidence.filter(removed_by=None).order_by("pk")]


def test_yes_replaces_and_the_answer_backs_the_new_fact(
    question: Confirmation, topic: Topic, agent: Actor, reply: Message
) -> None:
    change = answer(question, agent, "yes", reply)
    assert texts(topic) == [NEW]
    assert quotes(topic, NEW) == [NEW, "Yes, as I said."]
    assert quotes(topic, OLD) == [OLD]
    assert set(Fact.objects.get(text=NEW).evidence.values_list("added_by", flat=True)) == {change.pk}


def test_no_keeps_and_the_answer_backs_what_is_held(
    question: Confirmation, topic: Topic, agent: Actor, reply: Message
) -> None:
    answer(question, agent, "no", reply)
    assert texts(topic) == [OLD]
    assert quotes(topic, OLD) == [OLD, "Yes, as I said."]
    assert Proposal.objects.get(text=NEW).status == "rejected"


def test_other_leaves_it_to_a_person_as_an_act_of_its_own(
    question: Confirmation, topic: Topic, agent: Actor, reply: Message
) -> None:
    change = answer(question, agent, "other", reply)
    assert (change.action, change.actor_key) == ("answer_confirmation", agent.api_key)
    assert texts(topic) == [OLD]
    assert quotes(topic, OLD) == [OLD]
    conflict = Conflict.objects.get()
    assert (conflict.status, conflict.outcome, conflict.proposal.status) == ("open", "", "pending")


def test_an_answer_without_a_message_adds_no_evidence(question: Confirmation, topic: Topic, agent: Actor) -> None:
    answer(question, agent, "yes")
    assert quotes(topic, NEW) == [NEW]


def test_of_a_long_answer_the_beginning_is_quoted(
    space: Space, question: Confirmation, topic: Topic, agent: Actor
) -> None:
    answer(question, agent, "no", say(space, "No, " + "really " * 500))
    assert len(quotes(topic, OLD)[1]) <= 500


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_only_a_user_can_answer(space: Space, question: Confirmation, topic: Topic, agent: Actor, role: str) -> None:
    with pytest.raises(InvalidInput):
        answer(question, agent, "yes", say(space, "Yes.", role=role))
    assert texts(topic) == [OLD]
    question.refresh_from_db()
    assert question.status == "open"


def test_a_question_that_was_withdrawn_takes_no_answer(
    question: Confirmation, topic: Topic, person: Actor, agent: Actor
) -> None:
    resolve_conflict(conflict=question.conflict, actor=person, outcome="keep")
    with pytest.raises(WrongState) as refusal:
        answer(question, agent, "yes")
    assert refusal.value.code == "withdrawn"
    assert texts(topic) == [OLD]


@pytest.mark.parametrize("given", ["yes", "no", "other"])
def test_every_answer_can_be_taken_back_and_given_again(
    question: Confirmation, topic: Topic, agent: Actor, person: Actor, reply: Message, given: str
) -> None:
    def picture() -> tuple[object, ...]:
        row = Confirmation.objects.get()
        conflict = Conflict.objects.get()
        held = [(fact.text, quotes(topic, fact.text)) for fact in topic.facts.filter(status="active")]
        return (row.status, row.answer, conflict.status, conflict.outcome, conflict.dispute.outcome, held)

    before = picture()
    change = answer(question, agent, given, reply)
    after = picture()
    assert before != after
    undo = undo_change_set(change=change, actor=person)
    assert picture() == before
    redo = undo_change_set(change=undo, actor=person)
    assert picture() == after
    undo_change_set(change=redo, actor=person)
    assert picture() == before


def test_an_answer_is_not_taken_back_after_the_question_was_put_again(
    question: Confirmation, agent: Actor, person: Actor
) -> None:
    change = answer(question, agent, "other")
    resolve_conflict(conflict=question.conflict, actor=person, outcome="ask")
    with pytest.raises(UndoBlocked):
        undo_change_set(change=change, actor=person)
    assert Confirmation.objects.filter(status="open").count() == 1


def test_another_answer_is_read_like_any_message(space: Space, question: Confirmation) -> None:
    """The message came in by the after-chat hook, so its reading is queued, whatever the answer is taken for."""
    api = make_api(space)
    sent = {"messages": [{"id": "A1", "role": "user", "content": "Neither, the budget of Acme is 150."}]}
    job = api.post("conversations/reply/messages", sent).json()["job"]
    body = {"answer": "other", "message": "A1", "conversation": "reply"}
    response = api.post(f"confirmations/{question.pk}/answer", body)
    assert response.status_code == 200
    assert response.json()["change_set"] == str(ChangeSet.objects.get(action="answer_confirmation").pk)
    assert response.json()["confirmation"]["message"] == "A1"
    assert api.get(f"jobs/{job}").json()["messages"]["waiting"] == 1
