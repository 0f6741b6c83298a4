"""Users without a name: one where a space knows of one person, one for each conversation where it knows of several."""

from __future__ import annotations

import pytest

from extraction.services.intake import record_messages
from extraction.services.reading import prepare_reading
from tests.topics.services.helpers import make_space, make_topic
from topics.changes import Actor
from topics.models import Fact, Space
from topics.services.conversations import MessageInput


@pytest.fixture
def space(db: None) -> Space:
    return make_space(review_policy="automatic", conflict_policy="newest")


@pytest.fixture
def several(space: Space, person: Actor) -> Space:
    """The same space, with conversations about two customers."""
    for name in ("Acme", "Beta"):
        make_topic(space, person, name, kind="customer")
        hear(space, f"about {name}", "Hello!", subject=name)
    return space


def hear(space: Space, conversation: str, *texts: str, subject: str = "") -> None:
    for text in texts:
        sent = MessageInput(role="user", content=text)
        job = record_messages(space=space, conversation=conversation, messages=[sent], subject=subject).job
        assert job is not None
        prepare_reading(job)()


def held(space: Space) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for fact in Fact.objects.filter(space=space).select_related("topic").order_by("pk"):
        found.setdefault(fact.topic.name, []).append(f"{fact.value or fact.text} {fact.status}")
    return found


def test_where_one_person_is_known_he_is_the_same_in_all_conversations(space: Space) -> None:
    hear(space, "one", "I live in Berlin.")
    hear(space, "two", "I live in Munich.")
    assert held(space) == {"Unnamed user": ["Berlin superseded", "Munich active"]}


def test_where_several_are_known_two_conversations_are_two_people(several: Space) -> None:
    hear(several, "4-21", "I live in Berlin.")
    hear(several, "42-1", "I live in Munich.")
    hear(several, "4-21", "I live in Hamburg now.")
    names = sorted(held(several))
    assert [name.partition(" #")[0] for name in names] == ["Unnamed user 4-21", "Unnamed user 42-1"]
    assert held(several)[names[0]] == ["Berlin superseded", "Hamburg active"]
    assert held(several)[names[1]] == ["Munich active"]


def test_what_is_sent_with_a_subject_gathers_under_it(several: Space) -> None:
    hear(several, "one", "I live in Berlin.", subject="user-1")
    hear(several, "two", "I live in Munich.", subject="user-1")
    hear(several, "three", "I live in Hamburg.", subject="user-2")
    assert held(several) == {"user-1": ["Berlin superseded", "Munich active"], "user-2": ["Hamburg active"]}


@pytest.mark.parametrize(
    ("introduction", "name", "chat", "said"),
    [
        ("Hi, I'm Anna.", "Anna", "The weather is nice.", "I live in Berlin."),
        ("你好，我叫王芳。", "王芳", "今天天气不错。", "我住在北京。"),
    ],
)
def test_who_said_his_name_at_the_beginning_is_known_to_the_end(
    several: Space, introduction: str, name: str, chat: str, said: str
) -> None:
    hear(several, "one", introduction, *[chat] * 9, said)
    assert [fact.topic.name for fact in Fact.objects.filter(text__contains=said[:4]).select_related("topic")] == [name]


@pytest.mark.parametrize("names", [("Acme GmbH", "Beta AG"), ("user-1", "user-2"), ("远航物流", "绿杉茶业")])
def test_subjects_without_a_topic_are_several_too(space: Space, names: tuple[str, str]) -> None:
    for name in names:
        hear(space, f"about {name}", "Hello!", subject=name)
    hear(space, "one", "My budget is 10,000 euros.")
    hear(space, "two", "My budget is 12,000 euros.")
    assert sorted(name.partition(" #")[0] for name in held(space)) == ["Unnamed user one", "Unnamed user two"]


def test_subjects_whose_topics_came_with_what_was_said_are_several(space: Space) -> None:
    for name in ("user-1", "user-2"):
        hear(space, f"about {name}", "I live in Berlin.", subject=name)
    hear(space, "one", "I live in Hamburg.")
    hear(space, "two", "I live in Munich.")
    assert len([name for name in held(space) if name.startswith("Unnamed user")]) == 2


@pytest.mark.parametrize("names", [("Dr. Liu", "Liu"), ("华鑫制造", "華鑫製造"), ("Acme", "ACME")])
def test_one_subject_in_two_writings_is_one(space: Space, names: tuple[str, str]) -> None:
    for name in names:
        hear(space, f"about {name}", "Hello!", subject=name)
    hear(space, "one", "I live in Hamburg.")
    hear(space, "two", "I live in Munich.")
    assert held(space) == {"Unnamed user": ["Hamburg superseded", "Munich active"]}
