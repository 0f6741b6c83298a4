"""Lists come in pages of one shape, in one order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any
from urllib.parse import quote

import pytest
from django.utils import timezone

from tests.contract.helpers import Api, read
from topics.changes import Actor
from topics.models import DuplicatePair, Space, Topic
from topics.services.topics import create_topic

NAMES = ("Apollo", "Borealis", "Cassini", "Dragon")


def fill(space: Space, count: int) -> list[str]:
    return [str(create_topic(space=space, actor=Actor(label="tests"), name=f"Topic {n}").pk) for n in range(count)]


def pages_from(api: Api, path: str, link: str = "next") -> Iterator[dict[str, Any]]:
    """The pages from this one on, as their links lead."""
    while path:
        response = api.get(path)
        assert response.status_code == 200
        page: dict[str, Any] = response.json()
        yield page
        path = (page[link] or "").partition("/api/v1/")[2]


def ids_of(pages: Iterable[dict[str, Any]]) -> list[str]:
    return [row["id"] for page in pages for row in page["results"]]


def test_every_row_is_on_one_page(api: Api, space: Space) -> None:
    ids = fill(space, 7)
    pages = list(pages_from(api, "topics?page_size=3"))
    assert ids_of(pages) == ids
    assert {page["count"] for page in pages} == {7}
    assert [page["previous"] is None for page in pages] == [True, False, False]
    back = list(pages_from(api, pages[-1]["previous"].partition("/api/v1/")[2], "previous"))
    assert [ids_of([page]) for page in back] == [ids[3:6], ids[:3]]


def test_a_page_by_its_number_leads_on_by_position(api: Api, space: Space) -> None:
    ids = fill(space, 5)
    page = api.get("topics?page=2&page_size=2").json()
    assert ids_of([page]) == ids[2:4]
    assert ids_of(pages_from(api, page["next"].partition("/api/v1/")[2])) == ids[4:]
    assert ids_of(pages_from(api, page["previous"].partition("/api/v1/")[2], "previous")) == ids[:2]


def test_deciding_each_page_before_the_next_loses_none(api: Api, space: Space) -> None:
    for name in NAMES:
        create_topic(space=space, actor=Actor(label="tests"), name=f"Project {name}")
    read(space, "c/1", *(f"The budget for Project {name} is {n},000 euros." for n, name in enumerate(NAMES, 2)))
    waiting = ids_of([api.get("proposals?status=pending").json()])
    assert len(waiting) == len(NAMES)
    seen: list[str] = []
    for page in pages_from(api, "proposals?status=pending&page_size=2"):
        found = ids_of([page])
        seen += found
        assert api.post("proposals/decide", {"ids": found, "decision": "reject"}).status_code == 200
    assert seen == waiting


def test_what_is_written_meanwhile_moves_no_row(api: Api, space: Space) -> None:
    fill(space, 6)
    written = ids_of([api.get("change-sets").json()])
    seen: list[str] = []
    for n, page in enumerate(pages_from(api, "change-sets?page_size=2")):
        seen += ids_of([page])
        create_topic(space=space, actor=Actor(label="tests"), name=f"Another {n}")
    assert seen == written


@pytest.mark.parametrize("status", ["suggested", "dismissed"])
def test_pairs_that_are_equally_likely_lose_none(api: Api, space: Space, status: str) -> None:
    topics = Topic.objects.filter(pk__in=fill(space, 5)).order_by("pk")
    at = timezone.now() if status == "dismissed" else None
    pairs = [
        DuplicatePair.objects.create(space=space, first=first, second=second, score=0.1 + 0.2, dismissed_at=at)
        for first, second in pairwise(topics)
    ]
    pages = pages_from(api, f"duplicates?status={status}&page_size=1")
    assert ids_of(pages) == [str(pair.pk) for pair in pairs]


@pytest.mark.parametrize("order", ["key", "-key", "created", "-created"])
def test_state_is_paged_in_each_order(api: Api, space: Space, order: str) -> None:
    [topic] = fill(space, 1)
    for key in ("b", "a", "中"):
        api.put(f"topics/{topic}/state/{quote(key)}", 1)
    address = f"topics/{topic}/state?order={order}"
    whole = [row["key"] for row in api.get(address).json()["results"]]
    pages = pages_from(api, f"{address}&page_size=1")
    assert [row["key"] for page in pages for row in page["results"]] == whole


@pytest.mark.parametrize("path", ["topics?cursor=", "topics?cursor=x", "topics?cursor=a{}", "change-sets?cursor={}"])
def test_a_position_that_the_list_did_not_give_answers_404(api: Api, space: Space, path: str) -> None:
    fill(space, 3)
    cursor = api.get("topics?page_size=2").json()["next"].partition("cursor=")[2].partition("&")[0]
    assert api.get(path.format(cursor)).status_code == 404


def test_an_empty_list_is_a_page(api: Api) -> None:
    assert api.get("topics").json() == {"count": 0, "next": None, "previous": None, "results": []}


def test_a_page_holds_up_to_200(api: Api, space: Space) -> None:
    fill(space, 205)
    assert len(api.get("topics").json()["results"]) == 50
    assert len(api.get("topics?page_size=200").json()["results"]) == 200
    assert len(api.get("topics?page_size=5000").json()["results"]) == 200


@pytest.mark.parametrize("query", ["page=0", "page=-1", "page=x", "page=", "page=１", "page_size=0", "page_size=x"])
def test_a_page_that_makes_no_sense_answers_422(query: str, api: Api) -> None:
    response = api.get(f"topics?{query}")
    assert response.status_code == 422
    assert list(response.json()["fields"]) == [query.partition("=")[0]]


@pytest.mark.parametrize("page", ["2", "9" * 30])
def test_a_page_past_the_end_answers_404(page: str, api: Api) -> None:
    assert api.get(f"topics?page={page}").status_code == 404
