"""What is heard late, said before what is held now, is filed as what was true before.

It never replaces what is current, and the document ends the same in whatever order the words arrive.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import permutations
from typing import Any

import pytest
from django.utils import timezone

from extraction.models import Confirmation, Conflict, Proposal
from extraction.selectors.proposals import CONFLICTS, HIGH, LOW, PRIORITY, QueueFilter, queue_items
from extraction.services.decisions import decide_proposals
from extraction.services.earlier import hold_as_earlier
from extraction.services.resolving import answer_confirmation, resolve_conflict
from tests.extraction.console.story import tell
from tests.extraction.filing.helpers import MONDAY, TUESDAY, WEDNESDAY, file, found, propose_conflict, texts
from tests.topics.retrieval.helpers import ask, lines
from tests.topics.services.helpers import hold, make_topic, picture, say, without_messages
from topics.changes import Actor, change_set
from topics.errors import InvalidInput, UndoBlocked
from topics.models import Fact, Passage, Space, Topic
from topics.selectors.documents import document
from topics.services.statements import FactDraft, add_fact, commit_earlier_fact, commit_facts, edit_fact
from topics.services.undo import undo_change_set

SUNDAY = MONDAY - timedelta(days=1)
BUDGET = {"attribute": "budget", "unit": "EUR"}
NEWEST = {"review_policy": "automatic", "conflict_policy": "newest"}


def set_policies(space: Space, **policies: str) -> None:
    Space.objects.filter(pk=space.pk).update(**policies)
    space.refresh_from_db()


@pytest.fixture
def held(topic: Topic) -> Fact:
    return hold(topic, "The budget is 300.", said_at=WEDNESDAY, value="300", **BUDGET)


def hear(space: Space, topic: Topic, value: int, said_at: datetime, **values: Any) -> Any:
    fields = {"topic": topic, "value": str(value), "said_at": said_at, **BUDGET, **values}
    return file(space, found(space, f"The budget is {value}.", **fields))


def seen(topic: Topic) -> list[tuple[Any, ...]]:
    """The document as a reader sees it: of each statement until when it held, what took its place, and its words."""
    page = document(topic)
    return sorted(
        (
            line.row.text,
            line.row.status,
            line.row.said_at,
            line.row.valid_until,
            line.row.superseded_by.text if line.row.superseded_by else "",
            sorted(source.words for source in line.sources),
        )
        for line in [*page.facts, *page.superseded]
    )


# --- where the newest wins


def test_it_is_held_as_what_was_true_before(space: Space, topic: Topic, held: Fact) -> None:
    set_policies(space, conflict_policy="newest")
    filed = hear(space, topic, 200, TUESDAY)
    assert texts(topic) == ["The budget is 300."]
    old = Fact.objects.get(status="superseded")
    assert (old.text, old.said_at, old.valid_until, old.superseded_by) == (
        "The budget is 200.",
        TUESDAY,
        WEDNESDAY,
        held,
    )
    assert [evidence.quote for evidence in old.evidence.all()] == ["The budget is 200."]
    proposal = filed.conflicts[0].proposal
    proposal.refresh_from_db()
    assert (proposal.status, proposal.fact, proposal.conflict.outcome) == ("approved", old, "keep")
    assert not Passage.objects.get(message=proposal.message).withheld
    assert filed.change_set is not None
    assert set(Fact.history.filter(id=old.pk).values_list("change_set", flat=True)) == {filed.change_set.pk}


def test_it_is_undone_with_its_change_and_done_again(space: Space, topic: Topic, held: Fact, person: Actor) -> None:
    set_policies(space, conflict_policy="newest")
    before = without_messages(picture(space))
    change = hear(space, topic, 200, TUESDAY).change_set
    after = without_messages(picture(space))
    undo = undo_change_set(change=change, actor=person)
    assert without_messages(picture(space)) == before
    assert Conflict.objects.get().status == "open"
    undo_change_set(change=undo, actor=person)
    assert [row[:5] for row in without_messages(picture(space))["facts"]] == [row[:5] for row in after["facts"]]
    assert Conflict.objects.get().dispute.became == Fact.objects.get(status="superseded")


def test_what_it_is_filed_before_is_not_undone_under_it(space: Space, topic: Topic, person: Actor) -> None:
    set_policies(space, **NEWEST)
    first = hear(space, topic, 300, WEDNESDAY).change_set
    late = hear(space, topic, 200, TUESDAY).change_set
    with pytest.raises(UndoBlocked) as refused:
        undo_change_set(change=first, actor=person)
    assert [(str(b), b.change) for b in refused.value.found] == [
        ("“The budget is 200.” was superseded by it later.", late.pk)
    ]
    undo_change_set(change=late, actor=person)
    undo_change_set(change=first, actor=person)
    assert texts(topic) == []


def test_questions_about_the_past_find_it(space: Space, topic: Topic, held: Fact) -> None:
    set_policies(space, conflict_policy="newest")
    before = timezone.now()
    hear(space, topic, 200, TUESDAY)
    assert all("200" not in line for line in lines(ask(space, "What is the budget of Acme?")))
    past = [line for line in lines(ask(space, "What was the budget of Acme before?")) if "200" in line]
    assert len(past) == 1
    assert past[0].endswith("The budget is 200. (superseded 2024-03-06)")
    asked = "What was the budget of Acme before?"
    assert "200" not in ask(space, asked, as_of=before).context  # nobody had heard of it then
    assert "200" in ask(space, asked, as_of=timezone.now()).context
    assert [line.row.text for line in document(topic, timezone.now()).superseded] == ["The budget is 200."]
    assert document(topic, before).superseded == []


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_three_in_any_order_end_in_one_document(space: Space, topic: Topic, order: tuple[int, ...]) -> None:
    set_policies(space, **NEWEST)
    said = [(100, MONDAY), (200, TUESDAY), (300, WEDNESDAY)]
    for n in order:
        hear(space, topic, *said[n])
    assert seen(topic) == [
        ("The budget is 100.", "superseded", MONDAY, TUESDAY, "The budget is 200.", ["The budget is 100."]),
        ("The budget is 200.", "superseded", TUESDAY, WEDNESDAY, "The budget is 300.", ["The budget is 200."]),
        ("The budget is 300.", "active", WEDNESDAY, None, "", ["The budget is 300."]),
    ]


@pytest.mark.parametrize(
    "said",
    [
        ["Our budget is 70,000 euros.", "Our budget is 84,000 euros.", "Our budget is 90,000 euros."],
        ["我们的预算是20万元。", "我们的预算是30万元。", "我们的预算是35万元。"],
        ["The office is in Leeds.", "We moved the office to York.", "The office is in Hull."],
    ],
)
def test_conversations_imported_in_any_order_end_in_one_document(space: Space, person: Actor, said: list[str]) -> None:
    set_policies(space, **NEWEST)
    documents = []
    for n, order in enumerate(permutations(zip(said, (MONDAY, TUESDAY, WEDNESDAY), strict=True))):
        topic = make_topic(space, person, f"Acme {n}", kind="customer")
        for text, said_at in order:
            tell(space, text, subject=topic.name, said_at=said_at)
        documents.append(seen(topic))
    assert all(found == documents[0] for found in documents)
    assert [row[1] for row in documents[0]].count("superseded") == 2


def test_statements_without_an_attribute_take_their_place_too(space: Space, topic: Topic) -> None:
    set_policies(space, **NEWEST)
    said = [
        ("Anna likes green tea in the morning.", MONDAY, False),
        ("Anna does not like green tea in the morning.", TUESDAY, True),
    ]
    for text, said_at, negated in reversed(said):
        file(space, found(space, text, topic=topic, said_at=said_at, negated=negated))
    assert texts(topic) == [said[1][0]]
    assert texts(topic, "superseded") == [said[0][0]]


def test_what_a_neighbour_in_time_says_already_is_added_to_it(space: Space, topic: Topic, held: Fact) -> None:
    set_policies(space, conflict_policy="newest")
    hear(space, topic, 200, MONDAY)
    file(space, found(space, "It has a budget of 200.", topic=topic, value="200", said_at=TUESDAY, **BUDGET))
    old = Fact.objects.get(status="superseded")
    assert (old.text, old.said_at, old.valid_until) == ("The budget is 200.", MONDAY, WEDNESDAY)
    assert sorted(e.quote for e in old.evidence.all()) == ["It has a budget of 200.", "The budget is 200."]
    assert list(Proposal.objects.filter(fact=old).values_list("status", flat=True)) == ["approved", "approved"]


def test_what_stood_between_two_times_of_the_same_ends_with_the_second(space: Space, topic: Topic) -> None:
    set_policies(space, **NEWEST)
    for value, said_at in ((100, MONDAY), (100, WEDNESDAY), (200, TUESDAY)):
        hear(space, topic, value, said_at)
    assert texts(topic) == ["The budget is 100."]
    old = Fact.objects.get(status="superseded")
    assert (old.text, old.valid_until) == ("The budget is 200.", WEDNESDAY)
    past = [line for line in lines(ask(space, "What was the budget of Acme before?")) if "200" in line]
    assert past[0].endswith("(superseded 2024-03-06)")


def test_an_end_of_its_own_that_was_sooner_stays(space: Space, topic: Topic, held: Fact) -> None:
    set_policies(space, conflict_policy="newest")
    noon = MONDAY + timedelta(hours=3)
    hear(space, topic, 200, MONDAY, valid_until=noon)
    assert Fact.objects.get(status="superseded").valid_until == noon


def test_it_held_until_the_newer_one_began(space: Space, topic: Topic) -> None:
    set_policies(space, **NEWEST)
    june = WEDNESDAY + timedelta(days=90)
    hear(space, topic, 300, WEDNESDAY, valid_from=june)
    hear(space, topic, 200, TUESDAY)
    assert Fact.objects.get(status="superseded").valid_until == june


# --- times that are equal or missing


def test_at_one_time_the_place_in_the_conversation_decides(space: Space, topic: Topic) -> None:
    set_policies(space, **NEWEST)
    first = say(space, "The budget is 100.", said_at=MONDAY, conversation="one")
    second = say(space, "The budget is 200.", said_at=MONDAY, conversation="one")
    hear(space, topic, 200, MONDAY, message=second)
    hear(space, topic, 100, MONDAY, message=first)
    assert texts(topic) == ["The budget is 200."]
    assert texts(topic, "superseded") == ["The budget is 100."]


def test_at_one_time_in_several_conversations_the_last_to_arrive_is_the_newer(space: Space, topic: Topic) -> None:
    set_policies(space, **NEWEST)
    for value, conversation in ((200, "one"), (100, "two")):
        message = say(space, f"The budget is {value}.", said_at=MONDAY, conversation=conversation)
        hear(space, topic, value, MONDAY, message=message)
    assert texts(topic) == ["The budget is 100."]
    assert texts(topic, "superseded") == ["The budget is 200."]


def test_what_bears_no_time_was_said_when_it_was_written(space: Space, topic: Topic, agent: Actor) -> None:
    set_policies(space, **NEWEST)
    add_fact(topic=topic, actor=agent, text="The budget is 300.", value="300", **BUDGET)
    hear(space, topic, 200, TUESDAY)
    assert texts(topic) == ["The budget is 300."]
    assert texts(topic, "superseded") == ["The budget is 200."]


def test_what_is_held_without_any_time_is_older_than_what_has_one(space: Space, topic: Topic, agent: Actor) -> None:
    set_policies(space, **NEWEST)
    fact = commit_facts(
        space=space,
        actor=agent,
        drafts=[FactDraft(topic=topic, text="The budget is 300.", value="300", origin="agent", **BUDGET)],
    )[0]
    Fact.objects.update_untracked([_without_time(fact)], ["said_at"])
    hear(space, topic, 200, TUESDAY)
    assert texts(topic) == ["The budget is 200."]


def _without_time(fact: Fact) -> Fact:
    fact.said_at = None
    return fact


# --- what is not settled by itself


def test_older_words_never_come_before_a_persons_correction(
    space: Space, topic: Topic, held: Fact, person: Actor
) -> None:
    set_policies(space, conflict_policy="newest")
    edit_fact(fact=held, actor=person, changes={"text": "The budget is 320.", "value": "320"})
    filed = hear(space, topic, 200, TUESDAY)
    assert [p.status for p in filed.proposals] == ["rejected"]
    assert texts(topic, "superseded") == []


def test_a_guess_that_is_held_leaves_older_settled_words_to_a_person(space: Space, topic: Topic) -> None:
    set_policies(space, conflict_policy="newest")
    hold(topic, "The budget may be 300.", said_at=WEDNESDAY, value="300", certainty="tentative", **BUDGET)
    hear(space, topic, 200, TUESDAY)
    assert Conflict.objects.get().status == "open"


def test_nobody_is_asked_about_what_was_said_before(space: Space, topic: Topic, held: Fact) -> None:
    set_policies(space, conflict_policy="ask")
    hear(space, topic, 200, TUESDAY)
    assert not Confirmation.objects.exists()
    assert texts(topic, "superseded") == ["The budget is 200."]
    hear(space, topic, 400, WEDNESDAY + timedelta(days=1))
    assert Confirmation.objects.get().question == "I have “The budget is 300” noted; is it “The budget is 400” now?"


# --- where a person decides


@pytest.fixture
def conflict(space: Space, topic: Topic, held: Fact) -> Conflict:
    return propose_conflict(space, "The budget is 200.", topic=topic, said_at=TUESDAY, value="200", **BUDGET)


def test_keeping_what_is_held_keeps_it_as_what_was_before(
    conflict: Conflict, topic: Topic, person: Actor, held: Fact
) -> None:
    change = resolve_conflict(conflict=conflict, actor=person, outcome="keep")
    assert texts(topic) == ["The budget is 300."]
    assert texts(topic, "superseded") == ["The budget is 200."]
    proposal = Proposal.objects.get(pk=conflict.proposal_id)
    assert (proposal.status, proposal.conflict.outcome) == ("approved", "keep")
    assert [c.outcome for c in document(topic).conflicts] == ["keep"]
    undo_change_set(change=change, actor=person)
    assert texts(topic, "superseded") == []
    assert Conflict.objects.get().status == "open"


@pytest.mark.parametrize("by", ["never_true", "reject"])
def test_what_never_was_true_is_rejected(conflict: Conflict, topic: Topic, person: Actor, by: str) -> None:
    if by == "reject":
        decide_proposals(space=topic.space, actor=person, ids=[conflict.proposal_id], decision="reject")
    else:
        resolve_conflict(conflict=conflict, actor=person, outcome="keep", never_true=True)
    assert Proposal.objects.get(pk=conflict.proposal_id).status == "rejected"
    assert Conflict.objects.get().outcome == "keep"
    assert list(topic.facts.values_list("text", flat=True)) == ["The budget is 300."]


def test_what_has_no_words_left_behind_it_is_rejected(conflict: Conflict, topic: Topic, person: Actor) -> None:
    conflict.proposal.quotes.all().delete()
    resolve_conflict(conflict=conflict, actor=person, outcome="keep")
    assert Proposal.objects.get(pk=conflict.proposal_id).status == "rejected"
    assert texts(topic, "superseded") == []


def test_what_is_not_older_is_never_filed_as_such(space: Space, topic: Topic, held: Fact, person: Actor) -> None:
    later = WEDNESDAY + timedelta(days=1)
    newer = propose_conflict(space, "The budget is 400.", topic=topic, said_at=later, value="400", **BUDGET)
    with pytest.raises(ValueError, match="said before"), change_set(space=space, actor=person, action="a test"):
        hold_as_earlier(proposal=newer.proposal, held=held, actor=person)


def test_a_fact_of_another_topic_is_no_successor(space: Space, held: Fact, person: Actor) -> None:
    draft = FactDraft(topic=make_topic(space, person, "Beta"), text="The budget is 200.", origin="person")
    with pytest.raises(InvalidInput):
        commit_earlier_fact(draft=draft, by=held, until=WEDNESDAY, actor=person)
    assert Fact.objects.count() == 1


def test_older_words_that_are_right_after_all_end_what_is_held_when_it_was_said(
    conflict: Conflict, topic: Topic, person: Actor, held: Fact
) -> None:
    resolve_conflict(conflict=conflict, actor=person, outcome="replace")
    assert texts(topic) == ["The budget is 200."]
    held.refresh_from_db()
    assert (held.status, held.valid_until) == ("superseded", WEDNESDAY)
    past = [line for line in lines(ask(topic.space, "What was the budget of Acme before?")) if "300" in line]
    assert past[0].endswith("(superseded 2024-03-06)")


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_reviewer_who_takes_them_in_any_order_ends_with_one_document(
    space: Space, topic: Topic, person: Actor, order: tuple[int, ...]
) -> None:
    said = [(100, MONDAY), (200, TUESDAY), (300, WEDNESDAY)]
    for n in order:
        [proposal] = hear(space, topic, *said[n]).proposals
        decide_proposals(space=space, actor=person, ids=[proposal.pk], decision="approve")
        conflict = Conflict.objects.filter(proposal=proposal).select_related("fact").first()
        if conflict is not None:
            newer = conflict.fact.said_at is not None and said[n][1] > conflict.fact.said_at
            resolve_conflict(conflict=conflict, actor=person, outcome="replace" if newer else "keep")
    assert [(row[0], row[3], row[4]) for row in seen(topic)] == [
        ("The budget is 100.", TUESDAY, "The budget is 200."),
        ("The budget is 200.", WEDNESDAY, "The budget is 300."),
        ("The budget is 300.", None, ""),
    ]


def test_what_is_newer_than_all_is_turned_down_as_ever(space: Space, topic: Topic, held: Fact, person: Actor) -> None:
    conflict = propose_conflict(
        space, "The budget is 400.", topic=topic, said_at=WEDNESDAY + timedelta(days=1), value="400", **BUDGET
    )
    resolve_conflict(conflict=conflict, actor=person, outcome="keep")
    assert Proposal.objects.get(pk=conflict.proposal_id).status == "rejected"


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        (
            "The budget is 200.",
            "The budget is 300.",
            "You once said “The budget is 200”, and later “The budget is 300”; is it “The budget is 200” after all?",
        ),
        (
            "预算是200元。",
            "预算是300元。",
            "您先前说过“预算是200元”，后来说的是“预算是300元”；现在还是“预算是200元”吗？",
        ),
    ],
)
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_the_customer_who_is_asked_all_the_same_is_told_which_came_first(
    space: Space, topic: Topic, person: Actor, old: str, new: str, question: str, answer: str
) -> None:
    hold(topic, new, said_at=WEDNESDAY, value="300", **BUDGET)
    conflict = propose_conflict(space, old, topic=topic, said_at=TUESDAY, value="200", **BUDGET)
    resolve_conflict(conflict=conflict, actor=person, outcome="ask")
    confirmation = Confirmation.objects.get()
    assert confirmation.question == question
    answer_confirmation(confirmation=confirmation, actor=person, answer=answer)
    assert texts(topic) == [old if answer == "yes" else new]
    assert texts(topic, "superseded") == [new if answer == "yes" else old]


def test_what_is_held_is_not_in_doubt_meanwhile(conflict: Conflict, space: Space, topic: Topic) -> None:
    assert document(topic).disputed == []
    assert [c.claim for c in document(topic).conflicts] == ["The budget is 200."]
    shown = [line for line in lines(ask(space, "What is the budget of Acme?")) if "300" in line]
    assert shown
    assert all("disputed" not in line for line in shown)


def test_it_is_in_doubt_where_what_contradicts_it_is_newer(space: Space, topic: Topic, held: Fact) -> None:
    later = WEDNESDAY + timedelta(days=1)
    propose_conflict(space, "The budget is 400.", topic=topic, said_at=later, value="400", **BUDGET)
    assert [line.row for line in document(topic).disputed] == [held]
    assert any("disputed" in line for line in lines(ask(space, "What is the budget of Acme?")))


def test_saying_it_again_later_settles_the_doubt(space: Space, topic: Topic, agent: Actor) -> None:
    hold(topic, "The budget is 300.", said_at=MONDAY, value="300", **BUDGET)
    propose_conflict(space, "The budget is 200.", topic=topic, said_at=TUESDAY, value="200", **BUDGET)
    assert len(document(topic).disputed) == 1
    hear(space, topic, 300, WEDNESDAY)
    assert document(topic).disputed == []


def test_a_guess_is_in_doubt_whatever_was_said_before_it(space: Space, topic: Topic) -> None:
    hold(topic, "The budget may be 300.", said_at=WEDNESDAY, value="300", certainty="tentative", **BUDGET)
    propose_conflict(space, "The budget is 200.", topic=topic, said_at=TUESDAY, value="200", **BUDGET)
    assert len(document(topic).disputed) == 1


def test_within_one_conversation_the_place_tells_which_is_in_doubt(space: Space, topic: Topic) -> None:
    first = say(space, "The budget is 100.", said_at=MONDAY, conversation="one")
    second = say(space, "The budget is 200.", said_at=MONDAY, conversation="one")
    [proposal] = hear(space, topic, 200, MONDAY, message=second).proposals
    decide_proposals(space=space, actor=Actor(label="mei"), ids=[proposal.pk], decision="approve")
    hear(space, topic, 100, MONDAY, message=first)
    assert Conflict.objects.get().status == "open"
    assert document(topic).disputed == []


def test_it_is_not_urgent(space: Space, topic: Topic, conflict: Conflict) -> None:
    later = WEDNESDAY + timedelta(days=1)
    newer = propose_conflict(space, "The budget is 400.", topic=topic, said_at=later, value="400", **BUDGET)
    items = queue_items(space, QueueFilter.read(CONFLICTS, {"sort": PRIORITY}), None)
    assert [(item.pk, item.priority) for item in items] == [(newer.proposal_id, HIGH), (conflict.proposal_id, LOW)]


def test_the_same_words_are_filed_once(space: Space, topic: Topic, held: Fact, person: Actor) -> None:
    set_policies(space, conflict_policy="newest")
    hear(space, topic, 200, SUNDAY)
    again = file(
        space,
        found(space, "The budget is 200.", topic=topic, value="200", message=Proposal.objects.get().message, **BUDGET),
    )
    assert (again.proposals, again.repeated) == ([], 1)
    assert topic.facts.count() == 2
