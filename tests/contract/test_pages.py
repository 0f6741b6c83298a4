"""Lists come in pages of one shape, in one order."""

from __future__ import annotations

import pytest

from tests.contract.helpers import Api
from topics.changes import Actor
from topics.models import Space
from topics.services.topics import create_topic


def fill(space: Space, count: int) -> list[str]:
    return [str(create_topic(space=space, actor=Actor(label="tests"), name=f"Topic {n}").pk) for n in range(count)]


def test_every_row_is_on_one_page(api: Api, space: Space) -> None:
    ids = fill(space, 7)
    path, seen = "topics?page_size=3", []
    while path:
        page = api.get(path).json()
        assert page["count"] == 7
        seen += [row["id"] for row in page["results"]]
        path = page["next"].partition("/api/v1/")[2] if page["next"] else ""
    assert seen == ids
    assert page["previous"].endswith("/api/v1/topics?page=2&page_size=3")


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
