"""Where a space has vectors, a question also finds what means the same in other words."""

from __future__ import annotations

import pytest
from django.test import override_settings

from tests.extraction.embedding.helpers import embed_all
from tests.inference.embeddings.vectors import embeddings
from tests.inference.wire import Reply, Request, Wire, fault
from tests.topics.retrieval.helpers import ask, lines, take, talk, texts_of_facts
from tests.topics.services.helpers import hold, make_space, make_topic
from topics.changes import Actor
from topics.models import Space
from topics.services.statements import retract_fact

pytestmark = pytest.mark.django_db(transaction=True)

# Each row of words has one meaning; a text is the sum of the meanings in it.
MEANINGS = ("pet turtle tortoise 宠物 乌龟", "budget euros money 预算", "oven stove 烤箱", "chess game", "weather rain")
PET = "The turtle sleeps under the sofa."
OTHERS = ("The oven was black.", "Chess again on Sunday.", "It will rain tomorrow.", "The money came in March.")


def by_meaning(request: Request, length: int = 8) -> Reply:
    rows = []
    for text in request.json["input"]:
        row = [float(any(word in text.lower() for word in meaning.split())) for meaning in MEANINGS]
        rows.append(row + [0.0] * (length - len(row) - 1) + [0.3])
    return embeddings(rows)


@pytest.fixture
def open_space(transactional_db: None) -> Space:
    """Agents of this space see every turn."""
    return make_space("open", review_policy=Space.ReviewPolicy.AUTOMATIC)


@pytest.fixture
def told(open_space: Space, person: Actor, embedder: Wire) -> Space:
    """Each turn in a conversation of its own, so that none stands beside another."""
    embedder.always(by_meaning)
    make_topic(open_space, person)
    for n, text in enumerate((PET, *OTHERS)):
        talk(open_space, f"Ana: {text}", conversation=f"c{n}")
    embed_all(open_space)
    embedder.requests.clear()
    return open_space


def test_a_turn_is_found_by_what_it_means_and_nothing_is_found_for_what_is_unknown(told: Space, embedder: Wire) -> None:
    assert lines(ask(told, "Which pets are there?")) == [f"Ana: {PET}"]
    assert lines(ask(told, "有什么宠物？")) == [f"Ana: {PET}"]
    assert ask(told, "Who won the election?").context == ""
    assert [request.json["input"] for request in embedder.requests] == [
        ["Which pets are there?", "pets"],
        ["有什么宠物？", "宠物"],
        ["Who won the election?", "won election"],
    ]
    ask(told, "Which pets are there?", max_tokens=500)
    assert len(embedder.requests) == 3, "the same question is embedded once"


def test_while_the_embedder_fails_the_words_answer_at_once(told: Space, embedder: Wire) -> None:
    embedder.always(fault(503))
    assert lines(ask(told, "Where is the turtle?")) == [f"Ana: {PET}"]
    assert ask(told, "Any pets?").context == ""
    assert len(embedder.requests) == 2, "no second try while somebody waits"
    embedder.always(lambda request: by_meaning(request, length=16))
    assert lines(ask(told, "And the turtle now?")) == [f"Ana: {PET}"]
    with override_settings(INFINI_EMBEDDER="none"):
        assert lines(ask(told, "What of the turtle?")) == [f"Ana: {PET}"]


def test_facts_are_found_by_what_they_mean_until_they_are_retracted(
    space: Space, person: Actor, embedder: Wire
) -> None:
    embedder.always(by_meaning)
    topic = make_topic(space, person, "Miller")
    pet, *_ = [hold(topic, text) for text in (PET, *OTHERS)]
    embed_all(space)
    found = ask(space, "Which pets are there?")
    assert texts_of_facts(found) == {PET}
    assert [answered.why for answered in found.topics] == ["vector"]
    assert [answered.why for answered in ask(space, "turtle").topics] == ["text"]
    retract_fact(fact=pet, actor=person)
    assert ask(space, "Which pets are there?").context == ""


def test_words_that_were_taken_back_do_not_bring_their_turn_by_what_they_meant(
    told: Space, person: Actor, embedder: Wire
) -> None:
    topic = make_topic(told, person, "Miller")
    [message] = talk(told, "Ana: We have a tortoise. The shed is locked.", conversation="shed")
    fact = take(topic, message, "We have a tortoise.")
    embed_all(told)
    assert len(lines(ask(told, "Which pets are there?"))) == 2
    retract_fact(fact=fact, actor=person)
    assert lines(ask(told, "Which pets are there?")) == [f"Ana: {PET}"]
    assert lines(ask(told, "Is the shed locked?")) == ["Ana: … The shed is locked."]
