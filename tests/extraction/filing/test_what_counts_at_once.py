"""What an agent is told of findings that contradict what is held."""

from __future__ import annotations

import pytest

from tests.extraction.filing.helpers import TUESDAY, file, found
from tests.topics.services.helpers import hold, make_space, make_topic
from topics.changes import Actor

BUDGET = {"attribute": "budget", "unit": "EUR"}


@pytest.mark.parametrize(("policy", "told"), [("newest", ["The budget is 200 EUR."]), ("ask", []), ("review", [])])
def test_a_new_value_counts_at_once_only_where_the_newest_wins(
    db: None, person: Actor, policy: str, told: list[str]
) -> None:
    space = make_space(review_policy="automatic", conflict_policy=policy)
    topic = make_topic(space, person)
    hold(topic, "The budget is 100 EUR.", value="100", **BUDGET)
    filed = file(space, found(space, "The budget is 200 EUR.", topic=topic, said_at=TUESDAY, value="200", **BUDGET))
    assert len(filed.conflicts) == 1
    assert [fact.text for fact in filed.committed] == told
