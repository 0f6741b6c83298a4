"""The examples of the prompt cannot become memory, whatever a model makes of them."""

from __future__ import annotations

import pytest

from extraction.extractors.llm.prompts import EXAMPLE_NAMES, check_messages, example_answers, find_messages
from extraction.models import Proposal
from tests.extraction.llm.reading import sheet_of, turn
from tests.extraction.llm.scripted import read
from tests.inference.wire import Wire
from topics.models import Space, Topic

WORLD = ("I live in Lyon.", "我们的预算是15万元。", "We pay 7,310 euros for the licence.", "Maybe Tom joins.")


@pytest.mark.parametrize("number", range(len(example_answers())))
def test_fed_back_as_they_are_nothing_is_stored(number: int, space: Space, wire: Wire) -> None:
    job = read(space, wire, example_answers()[number], *WORLD)
    assert not Proposal.objects.filter(space=space).exists()
    assert sum(job.report["dropped"].values()) == job.report["found"] > 0


@pytest.mark.parametrize("number", range(len(example_answers())))
@pytest.mark.parametrize("words", WORLD)
def test_on_the_ground_of_real_words_nothing_of_theirs_is_stored(
    number: int, words: str, space: Space, wire: Wire
) -> None:
    quotes = [{"m": f"m{WORLD.index(words) + 1}", "words": words}]
    stolen = [item | {"quotes": quotes, "topic": "t1", "contradicts": ""} for item in example_answers()[number]]
    stolen += [item | {"topic": "new", "new_topic": {"name": EXAMPLE_NAMES[0], "kind": "person"}} for item in stolen]
    read(space, wire, stolen, *WORLD)
    stored = [f"{p.text} {p.topic_name} {p.value} {p.alias}" for p in Proposal.objects.filter(space=space)]
    assert not [text for text in stored for name in EXAMPLE_NAMES if name in text]
    assert {p.text for p in Proposal.objects.filter(space=space).exclude(kind="topic")} <= set(WORLD)
    assert not Topic.objects.filter(space=space).exists()


def test_the_examples_speak_of_nothing_but_those_names() -> None:
    """Every finding of an example is recognised as one by the names in it."""
    for item in (item for answer in example_answers() for item in answer):
        assert any(name in item["text"] for name in EXAMPLE_NAMES), item


def test_only_the_example_in_the_language_of_the_turns_is_shown() -> None:
    chinese = str(find_messages(sheet_of(turn("我住在南京。"))))
    english = str(find_messages(sheet_of(turn("I live in Lyon."))))
    assert "夙茔" in chinese
    assert "Quorvane" not in chinese
    assert "Quorvane" in english
    assert "夙茔" not in english
    assert "Quorvane" in str(check_messages([]))
