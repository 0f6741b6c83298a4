"""What was said before is not proposed again: it adds words to what is held or waits."""

from __future__ import annotations

from datetime import timedelta

import pytest

from extraction.models import Proposal
from tests.extraction.filing.helpers import (
    MONDAY,
    TUESDAY,
    WEDNESDAY,
    approve,
    decide,
    file,
    found,
    propose,
    texts,
    waiting,
)
from tests.topics.services.helpers import say
from topics.changes import Actor
from topics.models import ChangeSet, Fact, Space, Topic
from topics.services.statements import edit_fact, retract_entry, retract_fact
from topics.services.topics import add_alias
from topics.services.undo import undo_change_set


def test_a_finding_becomes_a_proposal_and_the_document_stays_as_it_is(space: Space, topic: Topic) -> None:
    before = ChangeSet.objects.count()
    proposal = propose(space, "Acme makes anvils.", topic=topic, why="fact", confidence=0.7)
    assert (proposal.status, proposal.topic, proposal.kind) == ("pending", topic, "fact")
    assert [q.text for q in proposal.quotes.all()] == ["Acme makes anvils."]
    assert (proposal.said_at, proposal.confidence, proposal.extractor) == (MONDAY, 0.7, "test")
    assert texts(topic) == []
    assert ChangeSet.objects.count() == before


def test_proposing_a_new_topic_is_no_change_of_the_memory_either(space: Space) -> None:
    filed = file(space, found(space, "Acme makes anvils."))
    assert filed.change_set is None
    assert not ChangeSet.objects.exists()
    assert not Topic.objects.exists()


def test_a_held_statement_gets_more_evidence(space: Space, topic: Topic, person: Actor) -> None:
    result = approve(person, propose(space, "Acme makes anvils.", topic=topic))
    assert result.fact is not None
    filed = file(space, found(space, "acme makes ANVILS", topic=topic, said_at=TUESDAY))
    assert (filed.proposals, filed.repeated) == ([], 1)
    assert [e.quote for e in result.fact.evidence.all()] == ["Acme makes anvils.", "acme makes ANVILS"]
    assert filed.change_set is not None
    assert filed.change_set.documents.get().topic == topic


def test_a_waiting_statement_gets_more_quotes(space: Space, topic: Topic, person: Actor) -> None:
    proposal = propose(space, "Acme makes anvils.", topic=topic)
    filed = file(space, found(space, "Acme makes anvils!", topic=topic, said_at=TUESDAY))
    assert (filed.proposals, filed.repeated) == ([], 1)
    assert [q.text for q in proposal.quotes.all()] == ["Acme makes anvils.", "Acme makes anvils!"]
    fact = approve(person, proposal).fact
    assert fact is not None
    assert fact.evidence.count() == 2


def test_the_same_statement_twice_in_one_reading_is_one_proposal(space: Space, topic: Topic) -> None:
    filed = file(space, *(found(space, "Acme makes anvils.", topic=topic, said_at=day) for day in (MONDAY, TUESDAY)))
    assert len(filed.proposals) == 1
    assert filed.proposals[0].quotes.count() == 2


def test_the_same_words_read_twice_change_nothing(space: Space, topic: Topic) -> None:
    item = found(space, "Acme makes anvils.", topic=topic)
    file(space, item)
    again = file(space, item, item)
    assert (again.proposals, again.repeated, again.change_set) == ([], 2, None)
    assert Proposal.objects.get().quotes.count() == 1


def test_a_new_topic_is_proposed_once_with_all_that_waits_for_it(space: Space) -> None:
    file(space, found(space, "Acme makes anvils."), found(space, "Acme is in Leeds.", topic="ＡＣＭＥ"))
    file(space, found(space, "Acme has 20 people.", topic="acme", said_at=TUESDAY))
    new = Proposal.objects.get(kind=Proposal.Kind.TOPIC)
    assert (new.topic_name, new.topic_kind, new.text) == ("Acme", "customer", "")
    assert new.quotes.count() == 1
    assert new.dependents.count() == 3


def test_a_waiting_statement_of_a_proposed_topic_gets_more_quotes_too(space: Space) -> None:
    for day in (MONDAY, TUESDAY):
        file(space, found(space, "Acme makes anvils.", said_at=day))
    assert Proposal.objects.get(kind=Proposal.Kind.FACT).quotes.count() == 2


def test_what_was_rejected_comes_back_from_new_words_only(space: Space, topic: Topic, person: Actor) -> None:
    item = found(space, "Acme makes anvils.", topic=topic)
    file(space, item)
    decide(person, Proposal.objects.get(), decision="reject")
    assert file(space, item).proposals == []
    assert waiting(space) == []
    assert len(file(space, found(space, "Acme makes anvils.", topic=topic, said_at=TUESDAY)).proposals) == 1


@pytest.mark.parametrize("words", ["Acme makes anvils.", "makes anvils", "Well, Acme makes anvils. Bye."])
def test_a_retracted_statement_does_not_come_back_from_the_same_words(
    space: Space, topic: Topic, person: Actor, words: str
) -> None:
    message = say(space, "Well, Acme makes anvils. Bye.")
    fact = approve(
        person, file(space, found(space, "Acme makes anvils.", topic=topic, message=message)).proposals[0]
    ).fact
    assert fact is not None
    retract_fact(fact=fact, actor=person)
    again = found(space, "They make anvils", topic=topic, message=message, words=words)
    assert file(space, again).proposals == []


def test_a_retracted_event_does_not_come_back_either(space: Space, topic: Topic, person: Actor) -> None:
    item = found(space, "The team met.", topic=topic, kind="timeline", happened_at=MONDAY, precision="day")
    entry = approve(person, file(space, item).proposals[0]).entry
    assert entry is not None
    retract_entry(entry=entry, actor=person)
    assert file(space, item).proposals == []


def test_a_corrected_statement_does_not_come_back_in_its_old_form(space: Space, topic: Topic, person: Actor) -> None:
    item = found(space, "Acme makes anvils.", topic=topic)
    fact = approve(person, file(space, item).proposals[0]).fact
    assert fact is not None
    edit_fact(fact=fact, actor=person, changes={"text": "Acme makes springs."})
    assert file(space, item).proposals == []
    assert texts(topic) == ["Acme makes springs."]


def test_an_undone_approval_waits_again_and_is_not_proposed_beside_itself(
    space: Space, topic: Topic, person: Actor
) -> None:
    item = found(space, "Acme makes anvils.", topic=topic)
    decided = decide(person, file(space, item).proposals[0])
    assert decided.change_set is not None
    undo_change_set(change=decided.change_set, actor=person)
    assert file(space, item).proposals == []
    assert waiting(space) == ["Acme makes anvils."]


def test_the_same_event_again_adds_evidence_and_another_day_is_new(space: Space, topic: Topic, person: Actor) -> None:
    event = {"topic": topic, "kind": "timeline", "precision": "day"}
    entry = approve(person, propose(space, "The team met.", happened_at=MONDAY, **event)).entry
    assert entry is not None
    assert file(space, found(space, "the team met", happened_at=MONDAY, said_at=TUESDAY, **event)).repeated == 1
    assert entry.evidence.count() == 2
    assert (
        len(file(space, found(space, "The team met.", happened_at=TUESDAY, said_at=WEDNESDAY, **event)).proposals) == 1
    )


def test_a_name_that_somebody_has_is_not_proposed(space: Space, topic: Topic, person: Actor) -> None:
    add_alias(topic=topic, actor=person, name="Anvil Makers")
    filed = file(space, found(space, "We call them anvil makers.", topic=topic, kind="alias", alias="ANVIL MAKERS"))
    assert (filed.proposals, filed.repeated) == ([], 1)
    proposal = propose(space, "We call them AM.", topic=topic, kind="alias", alias="AM")
    assert (proposal.kind, proposal.alias) == ("alias", "AM")


def test_words_older_than_a_persons_correction_are_turned_down_with_the_reason(
    space: Space, topic: Topic, person: Actor
) -> None:
    budget = {"topic": topic, "kind": "number", "attribute": "budget", "unit": "EUR"}
    fact = approve(person, propose(space, "The budget is 100.", value="100", **budget)).fact
    assert fact is not None
    edit_fact(fact=fact, actor=person, changes={"text": "The budget is 150.", "value": "150"})
    old = propose(space, "The budget is 120.", value="120", said_at=TUESDAY, **budget)
    assert old.status == Proposal.Status.REJECTED
    assert old.reason
    corrected = Fact.objects.get(pk=fact.pk)
    assert corrected.corrected_at is not None
    later = corrected.corrected_at + timedelta(hours=1)
    new = file(space, found(space, "The budget is 200.", value="200", said_at=later, **budget))
    assert [c.fact for c in new.conflicts] == [fact]
    assert texts(topic) == ["The budget is 150."]


def test_one_turn_may_say_several_things_whoever_reads_them_first(space: Space, topic: Topic, person: Actor) -> None:
    space.review_policy = "automatic"
    space.save()
    message = say(space, "Acme makes 3 anvils a day and 9 springs.")
    own = {"message": message, "words": message.content}
    file(space, found(space, "Acme makes 3 anvils a day.", topic=topic, **own))
    file(
        space,
        found(space, "Acme makes 9 springs.", topic=topic, **own),
        found(space, "Makes 3 anvils a day.", topic=topic, **own),  # again
        found(space, "3 anvils a day.", topic="Anvils", topic_kind="project", **own),
        found(space, "Acme worked.", topic=topic, kind="timeline", happened_at=MONDAY, precision="day", **own),
    )
    assert texts(topic) == ["Acme makes 3 anvils a day.", "Acme makes 9 springs."]
    assert texts(Topic.objects.get(name="Anvils")) == ["3 anvils a day."]
    assert [entry.text for entry in topic.timeline.all()] == ["Acme worked."]


def test_a_statement_from_the_same_words_that_contradicts_is_a_conflict(space: Space, topic: Topic) -> None:
    space.review_policy = "automatic"
    space.save()
    message = say(space, "Acme makes anvils, or does not make anvils.")
    own = {"topic": topic, "message": message, "words": message.content}
    file(space, found(space, "Acme makes anvils.", **own))
    assert len(file(space, found(space, "Acme doesn't make anvils.", **own)).conflicts) == 1
