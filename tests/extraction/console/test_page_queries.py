"""Pages need at most 20 queries, and as many when the space holds more."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from extraction.models import Proposal
from tests.extraction.console.story import approve, tell
from topics.changes import Actor
from topics.models import ChangeSet, Space, Topic
from topics.services.duplicates import search_duplicates
from topics.services.topics import create_topic

MOST = 20
MOST_OF = {"what an agent gets": 23}  # it asks the memory as an agent does, and who edited what it shows


@pytest.fixture
def addresses(
    space: Space, topic: Topic, facts: list[Proposal], contested: Proposal, new_topic: Proposal
) -> dict[str, str]:
    """Pages of what people look at all day, by what they show."""
    add_pairs(space, "Arbor", 2)
    approve(space, facts[1])
    change = ChangeSet.objects.filter(documents__topic=topic).latest("pk")
    return {
        "facts": "/review/facts/",
        "conflicts": "/review/conflicts/",
        "new topics": "/review/topics/",
        "narrowed": f"/review/facts/?q=a&topic={topic.pk}",
        "a fact": f"/review/facts/{facts[2].pk}/",
        "a fact further down": f"/review/facts/{facts[1].pk}/?after={facts[2].pk}&rows=1",
        "a conflict": f"/review/conflicts/{contested.pk}/",
        "a new topic": f"/review/topics/{new_topic.pk}/",
        "topics": "/topics/",
        "found topics": "/topics/?q=budget",
        "document": f"/topics/{topic.pk}/",
        "document as it was": f"/topics/{topic.pk}/?version=2",
        "history": f"/topics/{topic.pk}/history/",
        "what an agent gets": f"/topics/{topic.pk}/agent/",
        "activity": "/activity/",
        "a change": f"/activity/{change.pk}/",
        "duplicates": "/duplicates/",
    }


def add_pairs(space: Space, name: str, count: int) -> None:
    for n in range(count):
        create_topic(space=space, actor=Actor(label="setup"), name=f"{name}{n} Harbour")
        create_topic(space=space, actor=Actor(label="setup"), name=f"Harbour {name}{n}")
    assert search_duplicates(space=space, everything=True) >= count  # type: ignore[operator]


def add_more_of_everything(space: Space) -> None:
    for colour in ("red", "green", "blue"):
        said = tell(space, f"We need {colour} chairs.", f"We decided to buy {colour} lamps.", subject="Acme renewal")
        approve(space, *said[:1])
    tell(space, "Our budget is now 50,000 euros a year.", subject="Acme renewal")
    tell(space, "I prefer trains to planes.", "I like black coffee.", subject="Acme renewal", speaker="Ann Berg")
    tell(space, "I like jazz.", "I prefer letters.", subject="Acme renewal", speaker="Nora Lind")
    add_pairs(space, "Zanzibar", 4)


def count_queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def test_the_number_of_queries_does_not_grow(desk: Client, space: Space, addresses: dict[str, str]) -> None:
    before = {page: count_queries(desk, address) for page, address in addresses.items()}
    assert {page: count for page, count in before.items() if count > MOST_OF.get(page, MOST)} == {}
    add_more_of_everything(space)
    after = {page: count_queries(desk, address) for page, address in addresses.items()}
    assert {page: (before[page], count) for page, count in after.items() if count > before[page]} == {}
