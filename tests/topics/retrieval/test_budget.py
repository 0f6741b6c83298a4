"""The budget is never exceeded, and a line is whole or absent."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.topics.retrieval.helpers import MAY, ask, lines, take, talk
from tests.topics.services.helpers import make_topic
from topics.changes import Actor
from topics.models import Space
from topics.services.statements import add_fact
from topics.text.tokens import TOKENIZER, count_tokens

TURNS = [
    "Ann: The lake is " + " and ".join(["deep"] * n) + " 🌊" + "湖水很深" * (n % 5) + "!?" * (n % 3)
    for n in range(1, 40)
]


@pytest.fixture
def talked(space: Space, person: Actor) -> Space:
    topic = make_topic(space, person, "Lake " + "very " * 20 + "long name")
    for n, message in enumerate(talk(space, *TURNS)):
        if n % 2:
            take(topic, message, certainty="tentative")
    return space


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(budget=st.integers(-5, 1500), mode=st.sampled_from(Space.SourceTurns.values))
def test_no_answer_exceeds_its_budget(talked: Space, budget: int, mode: str) -> None:
    talked.source_turns = mode
    answer = ask(talked, "How deep is the lake?", max_tokens=budget)
    assert answer.tokens == count_tokens(answer.context) <= max(budget, 0)
    assert answer.max_tokens == budget
    assert answer.tokenizer == TOKENIZER
    assert bool(answer.context) == bool(answer.citations)
    whole = {turn.partition(": ")[2] for turn in TURNS}
    for line in lines(answer):
        assert line.partition(": ")[2].removesuffix(" (tentative)") in whole


def test_a_budget_too_small_for_any_line_gives_nothing(talked: Space) -> None:
    answer = ask(talked, "How deep is the lake?", max_tokens=20)
    assert (answer.context, answer.tokens, answer.citations, answer.topics) == ("", 0, [], [])


def test_what_does_not_fit_is_skipped_for_what_does(space: Space) -> None:
    talk(space, "Ann: zebra zebra zebra " + "stripes " * 150, "Ann: A zebra")
    assert lines(ask(space, "zebra stripes", max_tokens=80)) == ["Ann: A zebra"]


def test_a_line_whose_marks_do_not_fit_leaves_the_others(closed: Space, person: Actor) -> None:
    """What must be said along with a statement is known only once its line is written."""
    topic = make_topic(closed, person, "Zoo")
    add_fact(topic=topic, actor=person, text="The stable holds a zebra.", said_at=MAY)
    [plain] = lines(ask(closed, "Which zebra has stripes?"))
    room = ask(closed, "Which zebra has stripes?").tokens
    scope = "visits and " * 15 + "visits"
    add_fact(topic=topic, actor=person, text="The zebra has stripes.", said_at=MAY, scope=scope)
    assert any(scope in line for line in lines(ask(closed, "Which zebra has stripes?")))
    assert lines(ask(closed, "Which zebra has stripes?", max_tokens=room + 30)) == [plain]


def test_a_large_budget_takes_all_that_is_relevant(talked: Space) -> None:
    assert len(lines(ask(talked, "How deep is the lake?", max_tokens=50_000))) == len(TURNS)


def test_the_same_question_gets_the_same_answer(talked: Space) -> None:
    for budget in range(300, 340):
        first, second = (ask(talked, "How deep is the lake?", max_tokens=budget) for _ in range(2))
        assert first.citations == second.citations
        assert first.tokens == second.tokens
