"""Original words are stored exactly once, unchanged, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from tests.topics.services.helpers import conversations, make_space, make_topic, stored_messages
from topics.changes import Actor
from topics.errors import InvalidInput, MessageConflict
from topics.models import Conversation, Message, Space, Topic
from topics.selectors.topics import resolve_topic
from topics.services.conversations import MessageInput, store_messages
from topics.services.topics import delete_topic

SAID_AT = datetime(2024, 3, 5, 9, 0, tzinfo=UTC)


def sent(content: str = "Hello", **values: Any) -> MessageInput:
    return MessageInput(**({"role": "user", "content": content, "said_at": SAID_AT} | values))


def test_words_come_back_exactly_as_they_were_sent(space: Space) -> None:
    words = "  Ｆｕｌｌ width\r\n\ttab 😀 e\u0301 繁體 \u202e \u200b <b>&amp;</b> trailing  \n"
    store_messages(space=space, conversation="会话 1/2?#", messages=[sent(words, name="Lin Xiao")])
    message = Message.objects.get()
    assert (message.content, message.name, message.conversation.external_id) == (words, "Lin Xiao", "会话 1/2?#")


def test_positions_follow_the_order_of_arrival(space: Space) -> None:
    for text in ("a", "b"):
        store_messages(space=space, conversation="c", messages=[sent(text), sent(text + "2")])
    assert stored_messages(space) == ["a", "a2", "b", "b2"]
    assert list(Message.objects.order_by("position").values_list("position", flat=True)) == [0, 1, 2, 3]
    assert Conversation.objects.get().message_count == 4


def test_the_same_message_again_is_a_duplicate(space: Space) -> None:
    store_messages(space=space, conversation="c", messages=[sent("a", id="1"), sent("b", id="2")])
    again = store_messages(
        space=space, conversation="c", messages=[sent("b", id="2"), sent("c", id="3"), sent("a", id="1")]
    )
    assert [m.content for m in again.messages] == ["c"]
    assert [m.content for m in again.duplicates] == ["b", "a"]
    assert stored_messages(space) == ["a", "b", "c"]


def test_a_message_twice_in_one_call_is_stored_once(space: Space) -> None:
    stored = store_messages(space=space, conversation="c", messages=[sent("a", id="1"), sent("a", id="1")])
    assert (len(stored.messages), len(stored.duplicates)) == (1, 1)


def test_messages_without_an_id_are_always_new(space: Space) -> None:
    for _n in range(2):
        store_messages(space=space, conversation="c", messages=[sent("a")])
    assert stored_messages(space) == ["a", "a"]


def test_the_same_id_in_another_conversation_or_space_is_another_message(space: Space) -> None:
    store_messages(space=space, conversation="c", messages=[sent("a", id="1")])
    store_messages(space=space, conversation="d", messages=[sent("b", id="1")])
    store_messages(space=make_space("other"), conversation="c", messages=[sent("c", id="1")])
    assert Message.objects.count() == 3


@pytest.mark.parametrize("other", [{"content": "b"}, {"content": "a "}, {"role": "assistant"}])
def test_an_id_with_other_words_is_refused_and_nothing_is_stored(space: Space, other: dict[str, str]) -> None:
    store_messages(space=space, conversation="c", messages=[sent("a", id="1")])
    with pytest.raises(MessageConflict) as refused:
        store_messages(
            space=space, conversation="c", messages=[sent("new", id="2"), sent(**({"content": "a", "id": "1"} | other))]
        )
    assert refused.value.details == {"message": "1"}
    assert stored_messages(space) == ["a"]
    assert Conversation.objects.get().message_count == 1


def test_two_texts_under_one_id_in_one_call_are_refused(space: Space) -> None:
    with pytest.raises(MessageConflict):
        store_messages(space=space, conversation="c", messages=[sent("a", id="1"), sent("b", id="1")])
    assert conversations(space) == 0


NAIVE = datetime(2024, 3, 5, 9, 0)


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ({"role": "robot"}, "role"),
        ({"role": ""}, "role"),
        ({"role": None}, "role"),
        ({"role": ["user"]}, "role"),
        ({"content": "a\x00b"}, "content"),
        ({"content": "\ud83d"}, "content"),
        ({"content": "x" * 1_048_577}, "content"),
        ({"content": ""}, "content"),
        ({"content": " \n\t\u3000"}, "content"),
        ({"content": None}, "content"),
        ({"content": 5}, "content"),
        ({"id": "i" * 201}, "id"),
        ({"id": "\x00"}, "id"),
        ({"id": 5}, "id"),
        ({"name": "n" * 201}, "name"),
        ({"name": "a\x00"}, "name"),
        ({"name": 5}, "name"),
        ({"said_at": NAIVE}, "said_at"),
        ({"said_at": "2024-03-05"}, "said_at"),
        ({"said_at": datetime.min.replace(tzinfo=UTC)}, "said_at"),
        ({"said_at": datetime.max.replace(tzinfo=UTC)}, "said_at"),
        ({"said_at": datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))}, "said_at"),
    ],
)
def test_what_cannot_be_stored_is_named_and_nothing_is_stored(space: Space, bad: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        store_messages(space=space, conversation="c", messages=[sent("good"), sent(**bad)])
    assert list(refused.value.details["fields"]) == [f"messages.1.{field}"]
    assert conversations(space) == 0


def test_every_bad_message_is_named(space: Space) -> None:
    with pytest.raises(InvalidInput) as refused:
        store_messages(space=space, conversation="c", messages=[sent(role="x"), sent(), sent("\x00")])
    assert set(refused.value.details["fields"]) == {"messages.0.role", "messages.2.content"}


@pytest.mark.parametrize("conversation", ["", "  ", "c" * 201, "\x00", None])
def test_a_bad_conversation_id_is_refused(space: Space, conversation: Any) -> None:
    with pytest.raises(InvalidInput):
        store_messages(space=space, conversation=conversation, messages=[sent()])
    assert conversations(space) == 0


def test_five_hundred_messages_are_taken_and_one_more_is_not(space: Space) -> None:
    with pytest.raises(InvalidInput):
        store_messages(space=space, conversation="c", messages=[sent() for _n in range(501)])
    assert conversations(space) == 0
    assert len(store_messages(space=space, conversation="c", messages=[sent("x") for _n in range(500)]).messages) == 500


def test_no_message_at_all_is_refused(space: Space) -> None:
    with pytest.raises(InvalidInput):
        store_messages(space=space, conversation="c", messages=[])


def test_a_message_of_a_mebibyte_is_stored_whole(space: Space) -> None:
    long = "字 " * 524_288
    store_messages(space=space, conversation="c", messages=[sent(long)])
    assert stored_messages(space) == [long]


def test_the_time_zone_of_the_caller_is_no_matter_and_no_time_means_now(space: Space) -> None:
    tokyo = timezone(timedelta(hours=9))
    store_messages(
        space=space, conversation="c", messages=[sent(said_at=SAID_AT.astimezone(tokyo)), sent(said_at=None)]
    )
    first, second = Message.objects.order_by("position")
    assert first.said_at == SAID_AT
    assert second.said_at == second.received_at
    assert Conversation.objects.get().last_said_at == second.said_at


@pytest.mark.parametrize("reference", [lambda topic: "ａｃｍｅ", lambda topic: str(topic.pk)])
def test_the_subject_is_a_topic_by_name_or_id(space: Space, topic: Topic, reference: Callable[[Topic], str]) -> None:
    stored = store_messages(space=space, conversation="c", messages=[sent()], subject=reference(topic))
    assert stored.conversation.subject == topic


def test_a_subject_that_is_not_known_yet_is_kept_by_its_name(space: Space) -> None:
    stored = store_messages(space=space, conversation="c", messages=[sent()], subject="Zhang  Wei")
    assert (stored.conversation.subject, stored.conversation.subject_name) == (None, "Zhang Wei")


def test_the_subject_is_never_a_topic_of_another_space(space: Space, person: Actor) -> None:
    make_topic(make_space("other"), person, "Beta")
    stored = store_messages(space=space, conversation="c", messages=[sent()], subject="Beta")
    assert stored.conversation.subject is None


@pytest.mark.parametrize("subject", ["s" * 201, "a\x00b", 7])
def test_a_bad_subject_is_refused_and_nothing_is_stored(space: Space, subject: Any) -> None:
    with pytest.raises(InvalidInput):
        store_messages(space=space, conversation="c", messages=[sent()], subject=subject)
    assert conversations(space) == 0


def test_an_id_that_is_no_topic_is_refused_as_a_subject_and_nothing_is_stored(space: Space, person: Actor) -> None:
    foreign = make_topic(make_space("other"), person, "Beta")
    for unknown in (str(foreign.pk), "00000000-0000-0000-0000-000000000000", str(foreign.pk).upper()):
        with pytest.raises(InvalidInput) as refused:
            store_messages(space=space, conversation="c1", messages=[sent()], subject=unknown)
        assert set(refused.value.details["fields"]) == {"subject"}
    assert stored_messages(space) == []


def test_a_topic_may_be_named_by_32_hex_digits(space: Space, person: Actor) -> None:
    name = "0123456789abcdef" * 2
    assert store_messages(space=space, conversation="c1", messages=[sent()], subject=name).conversation.subject is None
    topic = make_topic(space, person, name)
    assert store_messages(space=space, conversation="c2", messages=[sent()], subject=name).conversation.subject == topic
    assert resolve_topic(space, name.upper()) == topic


def test_the_id_of_a_subject_that_was_deleted_since_keeps_its_name(space: Space, person: Actor) -> None:
    topic = make_topic(space, person)
    store_messages(space=space, conversation="c1", messages=[sent()], subject=str(topic.pk))
    delete_topic(topic=topic, actor=person)
    stored = store_messages(space=space, conversation="c1", messages=[sent()], subject=str(topic.pk))
    assert stored.conversation.subject_name == "Acme"


def test_the_same_id_with_another_name_is_refused(space: Space) -> None:
    store_messages(space=space, conversation="c1", messages=[sent("Hello", id="1", name="Mia")])
    for name in ("Ben", ""):
        with pytest.raises(MessageConflict):
            store_messages(space=space, conversation="c1", messages=[sent("Hello", id="1", name=name)])
    stored = store_messages(space=space, conversation="c1", messages=[sent("Hello", id="1", name="Mia")])
    assert len(stored.duplicates) == 1
