"""Spaces whose agents see every turn."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.topics.retrieval.helpers import (
    EXTRACTOR,
    MAY,
    ask,
    edited_line,
    external_ids,
    lines,
    take,
    talk,
    texts_of_facts,
)
from tests.topics.services.helpers import make_agent, make_topic, settle, span
from topics.changes import Actor
from topics.models import Fact, Message, Space
from topics.retrieval.index import release_message, withhold_message
from topics.services.conversations import MessageInput, store_messages
from topics.services.statements import (
    EntryDraft,
    FactDraft,
    add_fact,
    commit_entries,
    commit_facts,
    edit_entry,
    edit_fact,
    open_dispute,
    retract_fact,
    supersede_fact,
)
from topics.services.topics import archive_topic, delete_topic, restore_topic


def test_turns_stand_under_the_day_they_were_said_with_a_marker_for_each(space: Space) -> None:
    later = talk(space, "Ann: The lake was frozen", conversation="c2", at=MAY + timedelta(days=200))
    first = talk(space, "Ann: I painted the lake", "Bob: I love that lake")
    answer = ask(space, "lake")
    assert answer.context.splitlines()[1:-1] == [
        "[2023-05-08]",
        "[1] Ann: I painted the lake",
        "[2] Bob: I love that lake",
        "[2023-11-24]",
        "[3] Ann: The lake was frozen",
    ]
    assert [c.message for c in answer.citations] == external_ids([*first, *later])
    assert [c.conversation for c in answer.citations] == ["c1", "c1", "c2"]
    assert [c.marker for c in answer.citations] == ["1", "2", "3"]
    assert answer.topics == []


def test_the_day_is_that_of_the_space(space: Space) -> None:
    space.time_zone = "Asia/Shanghai"
    space.save()
    talk(space, "Ann: A late lake", at=MAY.replace(hour=20))
    assert "[2023-05-09]" in ask(space, "lake").context


def test_a_role_stands_for_a_speaker_without_a_name(space: Space) -> None:
    talk(space, "I like lakes", role="user")
    talk(space, "You like lakes", role="assistant")
    assert lines(ask(space, "What lakes do I like?")) == ["user: I like lakes", "assistant: You like lakes"]


def test_a_fact_whose_words_stand_in_a_turn_is_reported_with_the_turn(space: Space, person: Actor) -> None:
    (message,) = talk(space, "Ann: I moved to Oslo. The weather is bad.")
    fact = take(make_topic(space, person, "Ann", kind="person"), message, "I moved to Oslo.")
    answer = ask(space, "Where is Oslo?")
    assert lines(answer) == ["Ann: I moved to Oslo. The weather is bad."]
    assert [(c.fact, c.message) for c in answer.citations] == [(fact.pk, message.external_id)]
    (topic,) = answer.topics
    assert [(f.id, f.status) for f in topic.facts] == [(fact.pk, "active")]
    assert topic.why == "text"
    assert ask(space, "Where does Ann live in Oslo?").topics[0].why == "alias"


def test_turns_carry_the_marks_of_their_facts(space: Space, person: Actor) -> None:
    topic = make_topic(space, person, "Acme")
    old, new, maybe, planned = talk(
        space, "Ann: The fee is 30", "Ann: The fee is 40", "Ann: The fee may fall", "Ann: The fee will be cut"
    )
    first, second = take(topic, old), take(topic, new)
    supersede_fact(fact=first, by=second, actor=person)
    open_dispute(fact=second, said_at=MAY + timedelta(days=3))
    take(topic, maybe, certainty="tentative")
    take(topic, planned, certainty="planned")
    answer = ask(space, "fee")
    assert lines(answer) == [
        "Ann: The fee is 30 (superseded 2023-05-08)",
        "Ann: The fee is 40 (disputed: a statement of 2023-05-11 waits for review)",
        "Ann: The fee may fall (tentative)",
        "Ann: The fee will be cut (planned)",
    ]
    assert {f.text: f.status for f in answer.topics[0].facts}["The fee is 40"] == "disputed"


def test_a_mark_says_which_words_it_is_about_when_a_turn_makes_several_statements(space: Space, person: Actor) -> None:
    topic = make_topic(space, person, "Acme")
    (message,) = talk(space, "Ann: The fee is 30. The term is 2 years.")
    take(topic, message, "The fee is 30.", certainty="tentative")
    take(topic, message, "The term is 2 years.")
    assert lines(ask(space, "fee")) == ["Ann: The fee is 30. The term is 2 years. (tentative: “The fee is 30.”)"]


def test_marks_are_in_the_language_of_the_space(space: Space, person: Actor) -> None:
    space.language = "zh-hans"
    space.save()
    (message,) = talk(space, "张伟: 预算可能是三十万")
    take(make_topic(space, person, "预算"), message, certainty="tentative")
    assert lines(ask(space, "预算是多少？")) == ["张伟: 预算可能是三十万（未确定）"]


@pytest.mark.parametrize("by_agent", [False, True])
def test_a_corrected_fact_stands_in_its_new_words_and_the_old_ones_are_cut(
    space: Space, person: Actor, by_agent: bool
) -> None:
    (message,) = talk(space, "Ann: Hello. The fee is 30. It is a good fee.")
    fact = take(make_topic(space, person, "Acme"), message, "The fee is 30.")
    edit_fact(fact=fact, actor=make_agent(space) if by_agent else person, changes={"text": "The fee is 35"})
    answer = ask(space, "What is the fee?")
    assert set(lines(answer)) == {edited_line(answer, "The fee is 35"), "Ann: Hello. … It is a good fee."}
    assert texts_of_facts(answer) == {"The fee is 35"}


def test_a_turn_of_which_nothing_is_left_is_not_shown(space: Space, person: Actor) -> None:
    (message,) = talk(space, "Ann: The fee is 30!")
    fact = take(make_topic(space, person, "Acme"), message, "The fee is 30")
    edit_fact(fact=fact, actor=person, changes={"text": "The fee is 35"})
    answer = ask(space, "What is the fee?")
    assert lines(answer) == [edited_line(answer, "The fee is 35")]
    assert ask(space, "30").context == ""


def test_a_correction_that_leaves_words_out_cuts_all_it_replaces(space: Space, person: Actor) -> None:
    (message,) = talk(space, "Ann: The fee is 30 and Bob is a fool.")
    fact = take(make_topic(space, person, "Acme"), message)
    edit_fact(fact=fact, actor=person, changes={"text": "The fee is 30"})
    answer = ask(space, "fee")
    assert lines(answer) == [edited_line(answer, "The fee is 30")]


def test_a_person_who_confirms_a_statement_cuts_nothing(space: Space, person: Actor) -> None:
    (message,) = talk(space, "Ann: The fee is 30")
    fact = take(make_topic(space, person, "Acme"), message, certainty="planned")
    edit_fact(fact=fact, actor=person, changes={"certainty": "confirmed"})
    answer = ask(space, "fee")
    assert texts_of_facts(answer) == {"The fee is 30"}
    assert sum("The fee is 30" in line for line in lines(answer)) == 1


@pytest.mark.parametrize("by_agent", [False, True])
def test_an_edited_timeline_entry_stands_in_its_new_words(space: Space, person: Actor, by_agent: bool) -> None:
    topic = make_topic(space, person, "Acme")
    (message,) = talk(space, "Ann: We launched the rocket. It was fun.")
    draft = EntryDraft(
        topic=topic, text="We launched the rocket.", happened_at=MAY, spans=[span(message, "We launched the rocket.")]
    )
    (entry,) = commit_entries(space=space, actor=EXTRACTOR, drafts=[draft])
    actor = make_agent(space) if by_agent else person
    edit_entry(entry=entry, actor=actor, changes={"text": "Acme launched the balloon."})
    by = "agent" if by_agent else "mei"
    assert lines(ask(space, "What was launched?")) == [f"on 2023-05-08: Acme launched the balloon. (edited by {by})"]
    assert lines(ask(space, "What was fun?")) == ["Ann: … It was fun."]
    (shown,) = ask(space, "balloon").topics
    assert [e.text for e in shown.timeline] == ["Acme launched the balloon."]


def test_a_statement_in_a_models_words_stands_beside_the_turn(space: Space, person: Actor) -> None:
    topic = make_topic(space, person, "Acme")
    (message,) = talk(space, "Ann: Thirty, agreed.")
    draft = FactDraft(topic=topic, text="The fee is 30", speaker="Ann", said_at=MAY, spans=[span(message)])
    (fact,) = commit_facts(space=space, actor=EXTRACTOR, drafts=[draft])
    fee, agreed = ask(space, "fee"), ask(space, "agreed thirty")
    assert lines(fee) == ["Ann, 2023-05-08: The fee is 30"]
    assert [c.fact for c in fee.citations] == [fact.pk]
    assert "Ann: Thirty, agreed." in lines(agreed)
    for answer in (fee, agreed):
        assert all(text in answer.context for text in texts_of_facts(answer))


def test_a_turn_that_contradicts_what_is_held_says_so(space: Space, person: Actor) -> None:
    held, later = talk(space, "Ann: The fee is 30", "Bob: The fee is 50")
    fact = take(make_topic(space, person, "Acme"), held)
    dispute = open_dispute(fact=fact, said_at=MAY, message=later)
    assert lines(ask(space, "fee")) == [
        "Ann: The fee is 30 (disputed: a statement of 2023-05-08 waits for review)",
        "Bob: The fee is 50 (contradicts what is held; waits for review)",
    ]
    space.language = "zh-hans"
    space.save()
    assert "Bob: The fee is 50（与现有内容矛盾，待审核）" in lines(ask(space, "fee"))
    settle(dispute)
    assert lines(ask(space, "fee")) == ["Ann: The fee is 30", "Bob: The fee is 50"]


def test_a_turn_that_was_sent_again_is_printed_once(space: Space) -> None:
    said = talk(space, "Ann: The fee is 30", "Ann: The fee is 30", "Bob: The fee is 30", "Ann: The fee is 30.")
    talk(space, "Ann: The fee is 30", conversation="c2")
    answer = ask(space, "fee")
    assert sorted(lines(answer)) == ["Ann: The fee is 30", "Ann: The fee is 30.", "Bob: The fee is 30"]
    assert len(answer.citations) == 3
    assert {c.message for c in answer.citations} >= {said[2].external_id, said[3].external_id}


def test_facts_that_no_turn_makes_stand_on_lines_of_their_own(space: Space, person: Actor) -> None:
    topic = make_topic(space, person, "Acme")
    fact = add_fact(topic=topic, actor=person, text="The fee is waived", said_at=MAY)
    answer = ask(space, "fee")
    assert answer.context.splitlines()[1:-1] == ["# Acme", "[1] 2023-05-08: The fee is waived"]
    assert [(c.fact, c.message) for c in answer.citations] == [(fact.pk, None)]


def test_the_words_of_a_retracted_statement_are_cut(space: Space, person: Actor) -> None:
    topic = make_topic(space, person, "Acme")
    (message,) = talk(space, "Ann: The fee is 30. The term is 2 years.")
    wrong, right = take(topic, message, "The fee is 30."), take(topic, message, "The term is 2 years.")
    retract_fact(fact=wrong, actor=person)
    assert ask(space, "fee").context == ""
    answer = ask(space, "term")
    assert lines(answer) == ["Ann: … The term is 2 years."]
    assert [c.fact for c in answer.citations] == [right.pk]


def test_words_that_were_retracted_as_one_statement_and_stand_as_another_are_told_by_that(
    space: Space, person: Actor
) -> None:
    (message,) = talk(space, "Ann: The fee is 30. The term is 2 years.")
    wrong = take(make_topic(space, person, "Bolt"), message, "The fee is 30.")
    take(make_topic(space, person, "Acme"), message, "The fee is 30.")
    retract_fact(fact=wrong, actor=person)
    assert lines(ask(space, "fee")) == ["Ann, 2023-05-08: The fee is 30."]


def test_a_turn_can_be_withheld_and_released(space: Space) -> None:
    (message,) = talk(space, "Ann: The fee is 30")
    withhold_message([message.pk])
    assert ask(space, "fee").context == ""
    release_message([message.pk])
    assert lines(ask(space, "fee")) == ["Ann: The fee is 30"]


def test_turns_of_archived_topics_are_left_out_unless_asked_for(space: Space, person: Actor) -> None:
    topic = make_topic(space, person, "Acme")
    about, _ = talk(space, "Ann: The fee is 30", "Ann: The fee of others is 50")
    take(topic, about)
    topic = archive_topic(topic=topic, actor=person)
    assert lines(ask(space, "fee")) == ["Ann: The fee of others is 50"]
    assert "Ann: The fee is 30" in lines(ask(space, "fee", include_archived=True))
    restore_topic(topic=topic, actor=person)
    assert "Ann: The fee is 30" in lines(ask(space, "fee"))


def test_what_a_turn_says_of_archived_and_deleted_topics_is_cut(space: Space, person: Actor) -> None:
    acme, bolt = make_topic(space, person, "Acme"), make_topic(space, person, "Bolt")
    (message,) = talk(space, "Ann: The fee is 30. Bolt has a fee of 50. The rest has no fee.")
    take(acme, message, "The fee is 30.")
    take(bolt, message, "Bolt has a fee of 50.")
    archive_topic(topic=acme, actor=person)
    assert lines(ask(space, "fee")) == ["Ann: … Bolt has a fee of 50. The rest has no fee."]
    delete_topic(topic=bolt, actor=person)
    assert lines(ask(space, "fee")) == ["Ann: … The rest has no fee."]
    assert lines(ask(space, "fee", include_archived=True)) == ["Ann: The fee is 30. … The rest has no fee."]


def test_turns_of_a_deleted_topic_never_come_back(space: Space, person: Actor) -> None:
    topic = make_topic(space, person, "Acme")
    (message,) = talk(space, "Ann: The fee is 30")
    take(topic, message)
    delete_topic(topic=topic, actor=person)
    assert ask(space, "fee", include_archived=True).context == ""
    assert ask(space, "fee", as_of=message.received_at).context == ""


def test_only_turns_about_the_topics_that_are_asked_for(space: Space, person: Actor) -> None:
    acme, other = make_topic(space, person, "Acme"), make_topic(space, person, "Bolt")
    one, two = talk(space, "Ann: The fee is 30", "Ann: The fee is 50")
    take(acme, one)
    take(other, two)
    assert lines(ask(space, "fee", topic_ids=[acme.pk])) == ["Ann: The fee is 30"]
    assert ask(space, "fee", topic_ids=[]).context == ""


def test_a_long_turn_is_shown_by_passage(space: Space) -> None:
    filler = "The weather was as it always is in the north. " * 40
    talk(space, f"Ann: {filler}The zebra escaped from the zoo. {filler}")
    (shown, *_) = lines(ask(space, "zebra", max_tokens=300))
    assert "The zebra escaped from the zoo." in shown
    assert shown.startswith("Ann: … ")
    assert shown.endswith(" …")


@pytest.mark.parametrize("question", ["", "   ", "What is it?", "是什么？", "?", "zebra", "斑马"])
def test_nothing_relevant_is_an_empty_answer(space: Space, person: Actor, question: str) -> None:
    take(make_topic(space, person, "Acme"), talk(space, "Ann: The fee is 30, 手机很贵")[0])
    answer = ask(space, question)
    assert (answer.context, answer.tokens, answer.topics, answer.citations) == ("", 0, [], [])
    assert Fact.objects.count() == Message.objects.count() == 1


def test_turns_are_found_by_the_subject_of_their_conversation(space: Space) -> None:
    store_messages(
        space=space,
        conversation="call",
        messages=[MessageInput(role="user", content="Our budget is 30")],
        subject="Zhang Wei",
    )
    talk(space, "Ann: My budget is 50")
    assert lines(ask(space, "Zhang Wei")) == ["user: Our budget is 30"]


def test_words_cut_from_a_turn_are_cut_from_its_copies_too(space: Space, person: Actor) -> None:
    said = "Ann: The fee is 30. The term is 2 years."
    (message,) = talk(space, said)
    talk(space, said, "Bob: The fee is 30. The term is 2 years.", conversation="c2")
    fact = take(make_topic(space, person, "Acme"), message, "The fee is 30.")
    retract_fact(fact=fact, actor=person)
    assert lines(ask(space, "term")) == ["Ann: … The term is 2 years.", "Bob: The fee is 30. The term is 2 years."]


def test_words_that_were_said_again_and_hold_there_are_not_cut(space: Space, person: Actor) -> None:
    said = "Ann: The fee is 30. The term is 2 years."
    (message,), (again,) = talk(space, said), talk(space, said, conversation="c2")
    topic = make_topic(space, person, "Acme")
    retract_fact(fact=take(topic, message, "The fee is 30."), actor=person)
    take(topic, again, "The fee is 30.")
    assert lines(ask(space, "fee")) == ["Ann: The fee is 30. The term is 2 years."]


def test_a_line_is_printed_once_whatever_was_cut_before_it(space: Space, person: Actor) -> None:
    one, two = talk(space, "Ann: The fee is 30. The term is 2 years.", "Ann: A fee of 40. The term is 2 years.")
    topic = make_topic(space, person, "Acme")
    for fact in (take(topic, one, "The fee is 30."), take(topic, two, "A fee of 40.")):
        retract_fact(fact=fact, actor=person)
    assert lines(ask(space, "term")) == ["Ann: … The term is 2 years."]
