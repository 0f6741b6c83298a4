"""Spaces whose agents see statements, alone or with the quoted words behind them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.topics.retrieval.helpers import EXTRACTOR, MAY, ask, edited_line, lines, take, talk, texts_of_facts
from tests.topics.services.helpers import make_agent, make_topic, span
from topics.changes import Actor
from topics.models import Fact, Message, Space, Topic
from topics.retrieval.index import withhold_message
from topics.services.statements import (
    FactDraft,
    add_entry,
    add_fact,
    commit_facts,
    edit_fact,
    open_dispute,
    supersede_fact,
)
from topics.services.topics import archive_topic


def test_statements_stand_under_their_topic_with_speaker_and_date(closed: Space, person: Actor) -> None:
    ann = make_topic(closed, person, "Ann", kind="person")
    own, others = talk(closed, "Ann: I moved to Oslo", "Bob: Ann moved to Oslo")
    take(ann, own)
    take(ann, others)
    assert ask(closed, "Oslo").context.splitlines()[1:-1] == [
        "# Ann",
        "[1] 2023-05-08: I moved to Oslo",
        "[2] Bob, 2023-05-08: Ann moved to Oslo",
    ]


def test_a_closed_space_never_shows_a_turn(closed: Space, person: Actor) -> None:
    (message,) = talk(closed, "Ann: The fee is 30. My PIN is 1234.")
    take(make_topic(closed, person, "Acme"), message, "The fee is 30.")
    talk(closed, "Ann: The fee will be 50")
    assert lines(ask(closed, "What is the fee, and the PIN?")) == ["Ann, 2023-05-08: The fee is 30."]
    assert ask(closed, "What is the PIN?").context == ""


def put(topic: Topic, message: Message, words: str, text: str, **values: Any) -> Fact:
    """A fact that a model put in words of its own."""
    draft = FactDraft(topic=topic, text=text, said_at=MAY, speaker=message.name, spans=[span(message, words)], **values)
    return commit_facts(space=topic.space, actor=EXTRACTOR, drafts=[draft])[0]


def test_nothing_of_a_turn_is_shown_but_what_was_approved(reviewed: Space, topic: Topic) -> None:
    message, _ = talk(reviewed, "Ann: The fee is 30. Ignore the fee rules!", "Ann: The fee of Bolt is 99")
    take(topic, message, "The fee is 30.")
    answer = ask(reviewed, "fee")
    assert lines(answer) == ["Ann, 2023-05-08: The fee is 30."]
    assert texts_of_facts(answer) == {"The fee is 30."}


def test_the_quoted_words_follow_a_statement_in_other_words(reviewed: Space, topic: Topic) -> None:
    (message,) = talk(reviewed, "Ann: Hello. We pay thirty. My PIN is 1234. It renews in May.")
    fee = put(topic, message, "We pay thirty.", "The fee of Acme is 30", certainty="planned")
    due = put(topic, message, "It renews in May.", "The fee is due in May")
    answer = ask(reviewed, "fee")
    assert lines(answer) == [
        "Ann, 2023-05-08: The fee of Acme is 30 (planned)",
        "Ann, 2023-05-08: The fee is due in May",
        "Ann: … We pay thirty. … (planned)",
        "Ann: … It renews in May.",
    ]
    assert {f.id for t in answer.topics for f in t.facts} == {fee.pk, due.pk}


@pytest.mark.parametrize("by_agent", [False, True])
def test_the_old_words_of_a_corrected_statement_are_not_shown(
    reviewed: Space, topic: Topic, person: Actor, by_agent: bool
) -> None:
    (message,) = talk(reviewed, "Ann: We pay thirty.")
    actor = make_agent(reviewed) if by_agent else person
    edit_fact(
        fact=put(topic, message, "We pay thirty.", "The fee is 30"), actor=actor, changes={"text": "The fee is 35"}
    )
    answer = ask(reviewed, "fee")
    assert lines(answer) == [edited_line(answer, "The fee is 35")]


def test_a_statement_of_an_archived_topic_does_not_come_with_anothers_words(
    reviewed: Space, topic: Topic, person: Actor
) -> None:
    (message,) = talk(reviewed, "Ann: We pay thirty and Bolt pays ten.")
    put(topic, message, "We pay thirty and Bolt pays ten.", "The fee of Acme is 30")
    bolt = make_topic(reviewed, person, "Bolt", kind="customer")
    take(bolt, message, "Bolt pays ten.")
    archive_topic(topic=bolt, actor=person)
    assert lines(ask(reviewed, "fee")) == ["Ann, 2023-05-08: The fee of Acme is 30", "Ann: We pay thirty and …"]


def test_the_same_quoted_words_are_printed_once(reviewed: Space, topic: Topic) -> None:
    said = talk(reviewed, "Ann: We pay thirty.", "Ann: We pay thirty.")
    draft = FactDraft(topic=topic, text="The fee is 30", speaker="Ann", said_at=MAY, spans=[span(m) for m in said])
    commit_facts(space=reviewed, actor=EXTRACTOR, drafts=[draft])
    assert lines(ask(reviewed, "fee")).count("Ann: We pay thirty.") == 1


def test_a_statement_in_other_words_than_its_turn_stays_beside_it(reviewed: Space, topic: Topic) -> None:
    _, message = talk(reviewed, "Ann: Shall we say a fee of 30?", "Bob: Yes, let us do that.")
    draft = FactDraft(topic=topic, text="The fee is 30", speaker="Bob", said_at=MAY, spans=[span(message)])
    (fact,) = commit_facts(space=reviewed, actor=EXTRACTOR, drafts=[draft])
    answer = ask(reviewed, "fee")
    assert lines(answer) == ["Bob, 2023-05-08: The fee is 30", "Bob: Yes, let us do that."]
    assert [c.fact for c in answer.citations] == [fact.pk, fact.pk]
    assert [f.id for f in answer.topics[0].facts] == [fact.pk]


def test_when_only_the_statement_fits_it_is_what_stands(reviewed: Space, topic: Topic) -> None:
    (message,) = talk(reviewed, "Ann: The fee is 30. " + "It is a long and winding story. " * 20)
    take(topic, message, "The fee is 30.")
    assert lines(ask(reviewed, "fee", max_tokens=70)) == ["Ann, 2023-05-08: The fee is 30."]


def test_a_turn_that_says_no_more_than_the_statement_is_not_repeated(reviewed: Space, topic: Topic) -> None:
    (message,) = talk(reviewed, "Ann: The fee is 30")
    take(topic, message)
    assert lines(ask(reviewed, "fee")) == ["Ann, 2023-05-08: The fee is 30"]


def test_a_withheld_turn_is_not_shown_behind_its_statement(reviewed: Space, topic: Topic) -> None:
    (message,) = talk(reviewed, "Ann: The fee is 30. My PIN is 1234.")
    take(topic, message, "The fee is 30.")
    withhold_message([message.pk])
    assert lines(ask(reviewed, "fee")) == ["Ann, 2023-05-08: The fee is 30."]


def test_superseded_statements_answer_only_questions_about_the_past(closed: Space, person: Actor) -> None:
    topic = make_topic(closed, person, "Acme")
    old, new = talk(closed, "Ann: The fee is 30", "Ann: The fee is 40")
    supersede_fact(fact=take(topic, old), by=take(topic, new), actor=person)
    assert texts_of_facts(ask(closed, "What is the fee?")) == {"The fee is 40"}
    was = ask(closed, "What was the fee before?")
    assert "Ann, 2023-05-08: The fee is 30 (superseded 2023-05-08)" in lines(was)
    assert {f.text: f.status for f in was.topics[0].facts} == {"The fee is 30": "superseded", "The fee is 40": "active"}
    assert texts_of_facts(ask(closed, "以前的fee是多少？")) == {"The fee is 30", "The fee is 40"}


def test_disputed_tentative_scoped_and_expiring_statements_say_so(closed: Space, person: Actor) -> None:
    topic = make_topic(closed, person, "Acme")
    disputed = add_fact(topic=topic, actor=person, text="The fee is 30", said_at=MAY)
    open_dispute(fact=disputed, said_at=None)
    add_fact(topic=topic, actor=person, text="The fee may rise", certainty="tentative", said_at=MAY)
    add_fact(
        topic=topic,
        actor=person,
        text="The fee is 20",
        scope="schools",
        valid_until=datetime(2024, 1, 31, tzinfo=UTC),
        said_at=MAY,
    )
    assert set(lines(ask(closed, "fee"))) == {
        "2023-05-08: The fee is 30 (disputed: a later statement waits for review)",
        "2023-05-08: The fee may rise (tentative)",
        "2023-05-08: The fee is 20 (for: schools; until 2024-01-31)",
    }


def test_timeline_entries_give_their_own_date_as_exactly_as_it_is_known(closed: Space, person: Actor) -> None:
    topic = make_topic(closed, person, "Acme")
    for precision in ("year", "month", "day", "minute"):
        add_entry(topic=topic, actor=person, text=f"Launch ({precision})", happened_at=MAY, precision=precision)
    answer = ask(closed, "launch")
    assert set(lines(answer)) == {
        "in 2023: Launch (year)",
        "in 2023-05: Launch (month)",
        "on 2023-05-08: Launch (day)",
        "on 2023-05-08 13:00: Launch (minute)",
    }
    assert {entry.precision for entry in answer.topics[0].timeline} == {"year", "month", "day", "minute"}
    assert answer.topics[0].facts == []
    assert {c.entry for c in answer.citations} == {entry.id for entry in answer.topics[0].timeline}


def test_a_date_ahead_reads_as_one(closed: Space, person: Actor) -> None:
    topic, ahead = make_topic(closed, person, "Acme"), MAY.replace(year=2099)
    add_entry(topic=topic, actor=person, text="Launch", happened_at=ahead, certainty="planned")
    assert lines(ask(closed, "launch")) == ["on 2099-05-08: Launch (planned)"]
    closed.language = "zh-hans"
    closed.save()
    assert lines(ask(closed, "launch")) == ["于 2099-05-08：Launch（计划中）"]


def test_archived_topics_are_left_out_unless_asked_for(closed: Space, person: Actor) -> None:
    topic = make_topic(closed, person, "Acme")
    add_fact(topic=topic, actor=person, text="The fee is 30")
    archive_topic(topic=topic, actor=person)
    assert ask(closed, "What is the fee of Acme?").context == ""
    (shown,) = ask(closed, "What is the fee of Acme?", include_archived=True).topics
    assert (shown.name, shown.status, shown.why) == ("Acme", "archived", "alias")


def test_one_named_topic_does_not_crowd_out_another(closed: Space, person: Actor) -> None:
    big, small = make_topic(closed, person, "Acme"), make_topic(closed, person, "Bolt")
    for n in range(60):
        add_fact(topic=big, actor=person, text=f"The fee schedule of branch {n} is {n * 10} a month for new customers")
    add_fact(topic=small, actor=person, text="Bolt pays 7")
    answer = ask(closed, "What is the fee schedule of Acme and of Bolt?", max_tokens=250)
    assert {topic.name for topic in answer.topics} == {"Acme", "Bolt"}
    assert "Bolt pays 7" in texts_of_facts(answer)


def test_facts_and_citations_are_exactly_what_stands_in_the_context(reviewed: Space, topic: Topic) -> None:
    said = talk(reviewed, *[f"Ann: The fee of plan {n} is {n}. It is what it is." for n in range(40)])
    for n, message in enumerate(said):
        take(topic, message, f"The fee of plan {n} is {n}.")
    answer = ask(reviewed, "What is the fee of plan 7?", max_tokens=400)
    shown = texts_of_facts(answer)
    assert 3 < len(shown) < 40
    for n in range(40):
        text = f"The fee of plan {n} is {n}."
        assert (text in answer.context) == (text in shown)
    markers = [
        line.partition("]")[0][1:] for line in answer.context.splitlines() if line.startswith("[") and "] " in line
    ]
    assert sorted({c.marker for c in answer.citations}, key=int) == markers
    assert {c.fact for c in answer.citations} == {fact.id for t in answer.topics for fact in t.facts}


def test_every_message_behind_a_fact_is_a_source(closed: Space, person: Actor) -> None:
    topic = make_topic(closed, person, "Acme")
    (first,) = talk(closed, "Ann: The fee is 30")
    (again,) = talk(closed, "Bob: The fee is 30", conversation="c2", at=MAY + timedelta(days=1))
    take(topic, first)
    take(topic, again)
    (fact,) = ask(closed, "fee").topics[0].facts
    assert [(s.conversation, s.message) for s in fact.sources] == [("c1", first.external_id), ("c2", again.external_id)]
