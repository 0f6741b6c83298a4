"""Which topics a question names."""

from __future__ import annotations

import pytest

from tests.topics.services.helpers import make_space, make_topic
from topics.changes import Actor
from topics.models import Space
from topics.retrieval.routing import mentions_in, named_topics
from topics.services.topics import add_alias, archive_topic, delete_topic


def names(space: Space, question: str) -> list[str]:
    return [topic.name for topic in named_topics(mentions_in(space, question))]


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("Acme", "What does ACME pay?"),
        ("Zhang Wei", "What did Zhang  Wei say?"),
        ("O'Brien", "What is O’Brien's fee?"),
        ("C#", "Does she know C#?"),
        ("智能家居项目", "智能家居项目的预算是多少？"),
        ("張偉", "张伟喜欢什么？"),
        ("张伟", "張偉喜歡什麼？"),
        ("ＡＣＭＥ公司", "acme公司的合同"),
        ("GPT-4o 项目", "gpt4o项目怎么样了"),
        ("Лев Толстой", "что писал лев толстой?"),
    ],
)
def test_a_name_is_recognised_in_any_writing(space: Space, person: Actor, name: str, question: str) -> None:
    make_topic(space, person, name)
    assert names(space, question) == [name]


def test_an_alias_names_its_topic(space: Space, person: Actor) -> None:
    topic = make_topic(space, person, "智能家居项目")
    add_alias(topic=topic, actor=person, name="家居")
    assert names(space, "家居的进度？") == ["智能家居项目"]


def test_the_longest_name_wins_and_two_names_are_two_topics(space: Space, person: Actor) -> None:
    for name in ("Acme", "Acme Cloud", "张伟", "张伟明"):
        make_topic(space, person, name)
    assert names(space, "Is Acme Cloud cheap?") == ["Acme Cloud"]
    assert names(space, "张伟明在哪里？") == ["张伟明"]
    assert names(space, "张伟和Acme的关系") == ["张伟", "Acme"]
    assert names(space, "Does Acme Cloud belong to Acme?") == ["Acme Cloud", "Acme"]


def test_a_part_of_a_word_is_no_name(space: Space, person: Actor) -> None:
    make_topic(space, person, "Art")
    assert names(space, "When does the party start?") == []


def test_names_of_another_space_and_of_deleted_topics_do_not_count(space: Space, person: Actor) -> None:
    make_topic(make_space("other"), person, "Bolt")
    delete_topic(topic=make_topic(space, person, "Acme"), actor=person)
    archive_topic(topic=make_topic(space, person, "Cord"), actor=person)
    assert names(space, "Acme, Bolt or Cord?") == ["Cord"]


def test_a_very_long_question_is_read_to_its_end(space: Space, person: Actor) -> None:
    make_topic(space, person, "Acme")
    assert names(space, "字" * 3000 + " word" * 3000 + " Acme") == ["Acme"]
