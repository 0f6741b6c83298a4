"""Citations say how well their lines fit the question: a block stands in the order of topics and days."""

from __future__ import annotations

import pytest

from tests.topics.retrieval.helpers import MAY, ask, take, talk
from tests.topics.services.helpers import make_topic
from topics.changes import Actor
from topics.models import Space
from topics.retrieval.answer import MemoryAnswer


def ranked(answer: MemoryAnswer) -> list[str]:
    """The lines without their markers, the best first."""
    ranks = {citation.marker: citation.rank for citation in answer.citations}
    lines = [line[1:].partition("] ") for line in answer.context.splitlines() if line.startswith("[")]
    found = sorted((ranks[marker], body) for marker, _, body in lines if body)
    assert [rank for rank, _ in found] == list(range(1, len(found) + 1))
    return [body for _, body in found]


@pytest.mark.parametrize("turns", Space.SourceTurns.values)
def test_the_line_that_answers_ranks_first_wherever_it_stands(space: Space, person: Actor, turns: str) -> None:
    Space.objects.update(source_turns=turns)
    space.refresh_from_db()
    said = talk(
        space,
        "Mia: The boiler is in the cellar of the school.",
        "Mia: The boiler is green.",
        "Tom: Jonas repairs the boiler of the school every autumn.",
        "Tom: The school has a garden.",
    )
    for name, number in (("Cellar", 0), ("Colours", 1), ("Jonas", 2), ("Garden", 3)):
        take(make_topic(space, person, name), said[number])
    assert "repairs" in ranked(ask(space, "Who repairs the boiler of the school?"))[0]
    assert "garden" in ranked(ask(space, "Has the school a garden?"))[0]


def test_of_several_named_topics_none_ranks_behind_all_of_another(space: Space, person: Actor) -> None:
    said = talk(
        space,
        *[
            f"Mia: The budget of Fernhill {part} is {n},000 euros."
            for n, part in enumerate(("north", "south", "west"), 3)
        ],
        *[
            f"Mia: The budget of Brightwell {part} is {n},000 euros."
            for n, part in enumerate(("east", "port", "hill"), 5)
        ],
        at=MAY,
    )
    for name, messages in (("Fernhill", said[:3]), ("Brightwell", said[3:])):
        topic = make_topic(space, person, name)
        for message in messages:
            take(topic, message)
    Space.objects.update(source_turns="none")
    space.refresh_from_db()
    best = ranked(ask(space, "What are the budgets of Fernhill and Brightwell?"))[:4]
    assert {"Fernhill", "Brightwell"} == {name for line in best for name in ("Fernhill", "Brightwell") if name in line}


def test_chinese_lines_are_ranked_alike(space: Space, person: Actor) -> None:
    said = talk(space, "小林: 锅炉在学校的地下室。", "小林: 王强每年秋天修理学校的锅炉。", "小林: 学校有一个花园。")
    for name, message in zip(("地下室", "王强", "花园"), said, strict=True):
        take(make_topic(space, person, name), message)
    assert "修理" in ranked(ask(space, "谁修理学校的锅炉？"))[0]
