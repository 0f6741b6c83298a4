"""A space never sees another."""

from __future__ import annotations

from tests.topics.retrieval.helpers import ask, lines, take, talk
from tests.topics.services.helpers import make_space, make_topic
from topics.changes import Actor
from topics.models import Passage, Space, Topic
from topics.retrieval.columns import prefix_of
from topics.retrieval.engine import candidates, statistics, terms_of


def test_the_same_question_is_answered_from_each_space_alone(space: Space, person: Actor) -> None:
    other = make_space("other", review_policy="automatic")
    talk(space, "Ann: Our lake is blue")
    (theirs,) = talk(other, "Bob: Our lake is red")
    take(make_topic(other, person, "Lake"), theirs)
    assert lines(ask(space, "lake")) == ["Ann: Our lake is blue"]
    assert lines(ask(other, "lake")) == ["Bob: Our lake is red"]


def test_what_other_spaces_hold_does_not_change_which_rows_are_looked_at(space: Space) -> None:
    keys = [f"Ann: key key key key key {n}" for n in range(50)]
    projects = [f"Ann: project {n} {' and then some'.join(map(str, range(25)))}" for n in range(20)]
    talk(space, *keys, *projects)
    view = Passage.objects.filter(space=space)
    terms = terms_of(space.pk, ["key", "project"], statements=False)

    def likeliest() -> list[int]:
        return list(candidates(view, terms, statistics(space.pk, terms, statements=False), fields=["pk"], most=20))

    alone = likeliest()
    talk(make_space("other"), *[f"Bob: Our lake is red on day {n}" for n in range(400)])
    assert likeliest() == alone


def test_topics_of_another_space_cannot_be_asked_for(space: Space, topic: Topic) -> None:
    (message,) = talk(topic.space, "Ann: The fee is 30")
    take(topic, message)
    talk(space, "Ann: The fee is 50")
    assert ask(space, "fee", topic_ids=[topic.pk]).context == ""


def test_no_prefix_of_a_space_begins_that_of_another() -> None:
    prefixes = [prefix_of(n, statements=kind) for n in (1, 2, 11, 12, 111, 2**40) for kind in (True, False)]
    for one in prefixes:
        assert [other for other in prefixes if other.startswith(one)] == [one]
