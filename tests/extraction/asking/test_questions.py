"""The question that would settle a conflict: in the language in which it was talked about, and never out of date."""

from __future__ import annotations

import pytest
from django.utils import translation

from extraction.models import Confirmation
from extraction.selectors.questions import questions_about
from extraction.services.resolving import resolve_conflict
from tests.extraction.filing.helpers import TUESDAY, propose_conflict
from tests.topics.services.helpers import hold
from topics.changes import Actor
from topics.models import Fact, Space, Topic
from topics.retrieval.query import query_memory
from topics.services.statements import edit_fact, retract_fact
from topics.services.topics import delete_topic

BUDGET = {"attribute": "budget", "value": "100", "unit": "EUR"}


def ask_about(space: Space, topic: Topic, person: Actor, text: str, **values: object) -> str:
    """The question that is put when `text` contradicts what is held."""
    conflict = propose_conflict(space, text, topic=topic, said_at=TUESDAY, **values)
    resolve_conflict(conflict=conflict, actor=person, outcome="ask")
    return Confirmation.objects.get(conflict=conflict).question


def handed_out(space: Space, question: str = "Acme budget") -> list[str]:
    """The questions that go with the answer to a query."""
    return [row.question for row in questions_about(space, query_memory(space=space, question=question))]


@pytest.mark.parametrize("screen", ["en", "zh-hans"])
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_it_is_in_the_language_of_the_words_whatever_the_space_and_the_screen(
    space: Space, topic: Topic, person: Actor, language: str, screen: str
) -> None:
    Space.objects.update(language=language)
    hold(topic, "The budget is 100 EUR.", **BUDGET)
    hold(topic, "我们选择A方案。", kind="decision", attribute="方案", value="A")
    with translation.override(screen):
        english = ask_about(space, topic, person, "The budget is 200 EUR.", attribute="budget", value="200", unit="EUR")
        chinese = ask_about(space, topic, person, "我们改选B方案。", attribute="方案", value="B", kind="decision")
    assert english == "I have “The budget is 100 EUR” noted; is it “The budget is 200 EUR” now?"
    assert chinese == "我这里记录的决定是“我们选择A方案”，现在改为“我们改选B方案”，对吗？"


def test_it_asks_whether_a_plan_is_settled_now(space: Space, topic: Topic, person: Actor) -> None:
    golive = {"attribute": "go-live", "value": "1 May"}
    hold(topic, "Go-live may be on 1 May.", certainty="tentative", **golive)
    question = ask_about(space, topic, person, "Go-live is on 1 May.", **golive)
    assert (
        question
        == "I have “Go-live may be on 1 May” noted as not settled yet; is it settled now: “Go-live is on 1 May”?"
    )


def test_a_long_statement_is_shortened_and_stays_on_one_line(space: Space, topic: Topic, person: Actor) -> None:
    hold(topic, "The budget is 100 EUR\nand " + "very " * 200 + "firm.", **BUDGET)
    question = ask_about(space, topic, person, "The budget is 200 EUR.", attribute="budget", value="200", unit="EUR")
    assert len(question) < 400
    assert "\n" not in question


@pytest.fixture
def asked(space: Space, topic: Topic, person: Actor) -> Fact:
    """The held fact about which a question is out."""
    held = hold(topic, "The budget of Acme is 100 EUR.", **BUDGET)
    ask_about(space, topic, person, "The budget is 200 EUR.", attribute="budget", value="200", unit="EUR")
    return held


def test_it_goes_with_the_next_query_about_its_topic_only(space: Space, asked: Fact) -> None:
    assert len(handed_out(space)) == 1
    assert handed_out(space, "Photosynthesis") == []


def test_it_quotes_what_is_held_now(space: Space, asked: Fact, person: Actor) -> None:
    edit_fact(fact=asked, actor=person, changes={"text": "The budget of Acme is 120 EUR.", "value": "120"})
    assert handed_out(space) == ["I have “The budget of Acme is 120 EUR” noted; is it “The budget is 200 EUR” now?"]


def test_it_is_not_put_about_what_was_retracted_or_deleted(space: Space, asked: Fact, person: Actor) -> None:
    hold(asked.topic, "Acme keeps its budget secret.")
    assert len(handed_out(space)) == 1
    retract_fact(fact=asked, actor=person)
    assert handed_out(space) == []
    delete_topic(topic=asked.topic, actor=person)
    assert handed_out(space) == []


def test_a_person_who_settles_the_conflict_withdraws_it(space: Space, asked: Fact, person: Actor) -> None:
    resolve_conflict(conflict=Confirmation.objects.get().conflict, actor=person, outcome="keep")
    assert handed_out(space) == []
    assert Confirmation.objects.get().status == "cancelled"
