"""The index follows the memory."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.topics.retrieval.helpers import MAY, ask, conversation_of, lines, rows, take, talk
from tests.topics.services.helpers import make_space, make_topic
from topics.changes import Actor
from topics.models import Fact, Message, Passage, Space, Topic
from topics.retrieval.index import index_facts, index_messages, rebuild_index, withhold_message
from topics.services.statements import add_entry, add_fact, edit_fact, retract_fact
from topics.services.topics import add_alias, delete_topic


def column(message: Message, name: str) -> list[str]:
    passage = Passage.objects.get(message=message)
    return [term.partition("m")[2] for term in getattr(passage, name).split()]


def test_a_row_holds_its_words_its_speaker_and_its_neighbours(space: Space) -> None:
    talk(space, "Ann: apples", "Bob: bananas", "Ann: cherries", "Bob: dates", "Ann: elderberries")
    middle = Message.objects.get(content="cherries")
    assert column(middle, "own") == ["cherri"]
    assert column(middle, "speaker_terms") == ["ann"]
    assert column(middle, "prev1") == ["banana"]
    assert column(middle, "prev2") == ["appl"]
    assert column(middle, "next1") == ["date"]
    assert column(middle, "next2") == ["elderberri"]


def test_turns_that_come_later_become_neighbours_of_those_before(space: Space, person: Actor) -> None:
    first, second = talk(space, "Ann: apples", "Bob: bananas")
    fact = take(make_topic(space, person, "Fruit"), second)
    talk(space, "Ann: cherries")
    assert column(first, "next2") == ["cherri"]
    assert column(second, "next1") == ["cherri"]
    assert Passage.objects.get(fact=fact).next1.endswith("fcherri")


def test_neighbours_end_with_the_conversation(space: Space) -> None:
    (first,) = talk(space, "Ann: apples", conversation="c1")
    (other,) = talk(space, "Ann: bananas", conversation="c2")
    assert column(first, "next1") == column(other, "prev1") == []


def test_adding_turn_by_turn_gives_the_same_rows_as_all_at_once_and_as_a_rebuild(space: Space) -> None:
    turns = ["Ann: apples", "Bob: bananas", "Ann: a story. " + "It went on and on. " * 100, "Bob: dates", "Ann: figs"]
    for turn in turns:
        talk(space, turn)
    bit_by_bit = rows(space)
    Passage.objects.all().delete()
    index_messages(space, list(conversation_of(space, "c1").messages.order_by("position")), withheld=False)
    assert rows(space) == bit_by_bit
    assert rebuild_index(space) == len(bit_by_bit)
    assert rows(space) == bit_by_bit


def test_system_and_tool_messages_are_not_indexed(space: Space) -> None:
    talk(space, "secret prompt", role="system")
    talk(space, "secret output", role="tool")
    talk(space, "plain question")
    assert [passage.message.content for passage in Passage.objects.all() if passage.message] == ["plain question"]
    assert ask(space, "secret prompt or output").context == ""


def test_the_number_of_queries_does_not_grow_with_the_batch(space: Space) -> None:
    def queries(size: int, name: str) -> int:
        talk(space, "Ann: start", "Ann: go", conversation=name)
        with CaptureQueriesContext(connection) as captured:
            talk(space, *[f"Ann: apple {name} {n}" for n in range(size)], conversation=name)
        return len(captured)

    assert queries(3, "a") == queries(30, "b")


def test_the_number_of_queries_for_facts_does_not_grow_either(reviewed: Space, topic: Topic) -> None:
    def queries(size: int) -> int:
        facts = list(Fact.objects.filter(space=reviewed).order_by("pk")[:size])
        with CaptureQueriesContext(connection) as captured:
            index_facts(reviewed, facts)
        return len(captured)

    for message in talk(reviewed, *[f"Ann: apple {n}" for n in range(30)]):
        take(topic, message)
    assert queries(3) == queries(30)


def test_edited_statements_are_found_by_their_new_words_only(reviewed: Space, topic: Topic, person: Actor) -> None:
    fact = add_fact(topic=topic, actor=person, text="The budget is a zebra")
    edit_fact(fact=fact, actor=person, changes={"text": "The budget is a giraffe"})
    assert lines(ask(reviewed, "zebra")) == []
    assert len(lines(ask(reviewed, "giraffe"))) == 1


def test_retracted_statements_and_those_of_deleted_topics_have_no_rows(
    reviewed: Space, topic: Topic, person: Actor
) -> None:
    fact = add_fact(topic=topic, actor=person, text="The budget is 30")
    add_entry(topic=topic, actor=person, text="Kick-off", happened_at=MAY)
    retract_fact(fact=fact, actor=person)
    assert not Passage.objects.filter(fact=fact).exists()
    delete_topic(topic=topic, actor=person)
    assert not Passage.objects.filter(space=reviewed).exists()


def test_a_statement_is_found_by_every_name_of_its_topic(reviewed: Space, topic: Topic, person: Actor) -> None:
    add_fact(topic=topic, actor=person, text="The budget is 30")
    assert ask(reviewed, "Umbrella").context == ""
    add_alias(topic=topic, actor=person, name="Umbrella")
    assert len(lines(ask(reviewed, "Umbrella"))) == 1


def test_deleting_a_space_takes_its_rows_out_of_the_index(space: Space) -> None:
    other = make_space("other", review_policy="automatic")
    talk(space, "Ann: apples")
    talk(other, "Ann: apples")
    Passage.objects.filter(space=space).delete()
    assert ask(space, "apples").context == ""
    assert lines(ask(other, "apples")) == ["Ann: apples"]


def test_rebuilding_keeps_withheld_turns_withheld(space: Space) -> None:
    kept, withheld = talk(space, "Ann: red apples", "Ann: green apples")
    withhold_message([withheld.pk])
    call_command("rebuild_index", space.slug, stdout=StringIO())
    assert lines(ask(space, "apples")) == [f"Ann: {kept.content}"]


def test_the_command_names_a_space_that_does_not_exist(space: Space) -> None:
    with pytest.raises(CommandError, match="nowhere"):
        call_command("rebuild_index", "nowhere")
