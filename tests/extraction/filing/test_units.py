"""A number in the words of either language is one value."""

from __future__ import annotations

import pytest

from tests.extraction.filing.helpers import TUESDAY, file, found
from tests.topics.services.helpers import hold
from topics.models import Space, Topic

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (("payment terms", "30", "days"), ("账期", "30", "天")),
        (("人数", "150", "名"), ("人数", "150", "人")),
        (("headcount", "150", ""), ("人数", "150", "名")),
        (("payment terms", "10", "business days"), ("账期", "10", "个工作日")),
    ],
)
@pytest.mark.parametrize("other", [False, True])
def test_units_are_compared_by_what_they_mean(
    space: Space, topic: Topic, held: tuple[str, str, str], said: tuple[str, str, str], other: bool
) -> None:
    hold(topic, "What is held.", attribute=held[0], value=held[1], unit=held[2])
    value = "31" if other else said[1]
    filed = file(
        space, found(space, "现在是这样。", topic=topic, said_at=TUESDAY, attribute=said[0], value=value, unit=said[2])
    )
    assert bool(filed.conflicts) is other
