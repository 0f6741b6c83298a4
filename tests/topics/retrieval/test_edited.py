"""A statement that somebody put in other words is not put into the mouth of the speaker from whom it was taken."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine

from tests.topics.retrieval.helpers import EXTRACTOR, MAY, ask, edited_line, lines, take, talk
from tests.topics.services.helpers import make_agent, make_topic, span
from topics.changes import Actor
from topics.models import ChangeSet, Fact, Space, Topic
from topics.retrieval.answer import AnsweredFact
from topics.selectors.documents import document, lines_of
from topics.selectors.markdown import as_markdown
from topics.services.merging import merge_topics
from topics.services.statements import (
    EntryDraft,
    FactDraft,
    add_evidence,
    add_fact,
    commit_entries,
    commit_facts,
    edit_entry,
    edit_fact,
)
from topics.services.undo import undo_change_set

JULY = MAY + timedelta(days=60)
SAID = "Ann, 2023-05-08: The budget is 8,000 euros."
EDITED = "2023-07-07, edited by mei: The budget is now 1 euro."


@pytest.fixture
def acme(closed: Space, person: Actor) -> Topic:
    with time_machine.travel(MAY):
        return make_topic(closed, person, "Acme")


@pytest.fixture
def fact(closed: Space, acme: Topic) -> Fact:
    with time_machine.travel(MAY):
        (message,) = talk(closed, "Ann: The budget is 8,000 euros.")
        return take(acme, message)


def edit(fact: Fact, actor: Actor, text: str = "The budget is now 1 euro.") -> None:
    with time_machine.travel(JULY):
        edit_fact(fact=fact, actor=actor, changes={"text": text})


def told(space: Space) -> AnsweredFact:
    [topic] = ask(space, "budget").topics
    [fact] = topic.facts
    return fact


def test_the_editor_stands_in_place_of_the_speaker(closed: Space, fact: Fact, person: Actor) -> None:
    assert lines(ask(closed, "budget")) == [SAID]
    assert (told(closed).edited_by, told(closed).edited_at) == (None, None)
    edit(fact, person)
    answer = ask(closed, "budget")
    assert lines(answer) == [EDITED]
    assert edited_line(answer, "The budget is now 1 euro.") == EDITED
    assert told(closed).sources  # what was said stays to be seen


def test_an_agent_is_an_editor_too(closed: Space, fact: Fact) -> None:
    edit(fact, make_agent(closed))
    assert lines(ask(closed, "budget")) == [EDITED.replace("mei", "agent")]


def test_it_is_said_in_the_language_of_the_space(closed: Space, fact: Fact, person: Actor) -> None:
    closed.language = "zh-hans"
    closed.save()
    edit(fact, person)
    assert lines(ask(closed, "budget")) == ["2023-07-07, 由mei修改: The budget is now 1 euro."]


def test_the_document_says_so(acme: Topic, fact: Fact, person: Actor) -> None:
    edit(fact, person)
    source = fact.evidence.get().message.external_id
    assert f"- The budget is now 1 euro. (edited by mei, 2023-07-07) 〔c1 {source}〕" in as_markdown(document(acme))
    before = document(acme, JULY - timedelta(seconds=1))
    assert [(line.row.text, line.edit) for line in before.facts] == [("The budget is 8,000 euros.", None)]


def test_what_was_held_before_is_the_speakers(closed: Space, fact: Fact, person: Actor) -> None:
    edit(fact, person)
    assert lines(ask(closed, "budget", as_of=JULY - timedelta(seconds=1))) == [SAID]
    assert lines(ask(closed, "budget", as_of=JULY + timedelta(seconds=1))) == [EDITED]


def test_an_edit_of_something_else_leaves_the_words_the_speakers(closed: Space, fact: Fact, person: Actor) -> None:
    edit_fact(fact=fact, actor=person, changes={"value": "8000", "unit": "euros"})
    assert lines(ask(closed, "budget")) == [SAID]


def test_who_puts_the_words_back_that_were_said_is_no_editor(closed: Space, fact: Fact, person: Actor) -> None:
    edit(fact, person)
    edit(fact, person, "The budget is 8,000 euros")
    assert told(closed).edited_by is None


def test_an_undo_gives_the_words_back_to_the_speaker(closed: Space, fact: Fact, person: Actor) -> None:
    edit(fact, person)
    undo_change_set(change=ChangeSet.objects.get(action="edit_fact"), actor=person)
    assert lines(ask(closed, "budget")) == [SAID]
    undo_change_set(change=ChangeSet.objects.get(action="undo", undoes__action="edit_fact"), actor=make_agent(closed))
    assert lines(ask(closed, "budget")) == [EDITED]


def test_a_merge_and_words_that_say_the_same_later_keep_the_editor(
    closed: Space, acme: Topic, fact: Fact, person: Actor
) -> None:
    edit(fact, person)
    [later] = talk(closed, "Bob: The budget is now 1 euro.", conversation="c2")
    add_evidence(space=closed, actor=EXTRACTOR, additions=[(fact, [span(later)])])
    merge_topics(space=closed, survivor=make_topic(closed, person, "Bolt"), others=[acme], actor=person)
    assert lines(ask(closed, "budget")) == [EDITED]


def test_what_was_approved_in_the_words_of_a_reviewer_is_his(closed: Space, acme: Topic, person: Actor) -> None:
    [message] = talk(closed, "Ann: We pay thirty.")
    draft = FactDraft(
        topic=acme, text="The fee is 35", speaker="Ann", said_at=MAY, spans=[span(message)], origin="person"
    )
    with time_machine.travel(JULY):
        commit_facts(space=closed, actor=person, drafts=[draft])
    assert lines(ask(closed, "fee")) == ["2023-07-07, edited by mei: The fee is 35"]


def test_a_models_paraphrase_and_what_was_written_by_hand_are_no_edits(
    closed: Space, acme: Topic, person: Actor
) -> None:
    [message] = talk(closed, "Ann: We pay thirty.")
    draft = FactDraft(topic=acme, text="The fee is 30", speaker="Ann", said_at=MAY, spans=[span(message)])
    commit_facts(space=closed, actor=EXTRACTOR, drafts=[draft])
    add_fact(topic=acme, actor=person, text="The fee is waived", said_at=MAY)
    assert set(lines(ask(closed, "fee"))) == {"Ann, 2023-05-08: The fee is 30", "2023-05-08: The fee is waived"}


def test_a_statement_that_an_agent_wrote_for_a_speaker_is_edited_as_well(
    closed: Space, acme: Topic, person: Actor
) -> None:
    fact = add_fact(topic=acme, actor=make_agent(closed), text="The budget is 8,000 euros.", speaker="Ann", said_at=MAY)
    edit(fact, person)
    assert lines(ask(closed, "budget")) == [EDITED]


def test_an_edited_timeline_entry_says_so(closed: Space, acme: Topic, person: Actor) -> None:
    [message] = talk(closed, "Ann: We launched the rocket.")
    draft = EntryDraft(topic=acme, text="We launched the rocket.", happened_at=MAY, spans=[span(message)])
    [entry] = commit_entries(space=closed, actor=EXTRACTOR, drafts=[draft])
    with time_machine.travel(JULY):
        edit_entry(entry=entry, actor=person, changes={"text": "We launched the balloon.", "certainty": "planned"})
    answer = ask(closed, "balloon")
    assert lines(answer) == ["on 2023-05-08: We launched the balloon. (edited by mei; planned)"]
    assert [entry.edited_by for topic in answer.topics for entry in topic.timeline] == ["mei"]
    entry.refresh_from_db()
    assert [line.edit and line.edit.by for line in lines_of([entry])] == ["mei"]
