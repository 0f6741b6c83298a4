"""A parameter that a route does not know is refused: a filter with a typing error would find everything."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.contract.helpers import Api, World, make_api
from tests.contract.routes import operations


def test_every_route_refuses_what_it_does_not_describe_and_names_what_it_does(world: World, client: Client) -> None:
    described = client.get("/api/schema/").json()["paths"]
    api = make_api(world.space)
    for operation in operations():
        response = api.call(operation.method, f"{operation.path(world.ids())}?stauts=open", {}, If_Match="*")
        assert (str(operation), response.status_code) == (str(operation), 422)
        found: dict[str, Any] = response.json()
        assert (found["code"], list(found["fields"])) == ("invalid", ["stauts"])
        parameters = described[f"/api/v1/{operation.template}"][operation.method.lower()].get("parameters", [])
        names = ", ".join(sorted(p["name"] for p in parameters if p["in"] == "query"))
        assert found["fields"]["stauts"] == [
            f"Unknown parameter. This route takes: {names}." if names else "Unknown parameter. This route takes none."
        ]


def test_all_unknown_names_are_told_at_once(api: Api) -> None:
    response = api.get("proposals?stauts=pending&kind=fact&topics=x")
    assert list(response.json()["fields"]) == ["stauts", "topics"]


def test_a_mistyped_range_frees_no_state(world: World) -> None:
    api = make_api(world.space)
    assert api.delete(f"topics/{world.topic}/state?prefx=none", If_Match="*").status_code == 422
    assert api.get(f"topics/{world.topic}/state").json()["count"] == 1


def test_a_choice_that_is_none_names_those_that_there_are(api: Api) -> None:
    response = api.get("topics?status=open")
    assert response.json()["fields"] == {"status": ["“open” is none of: active, archived."]}
    response = api.post("proposals/decide", {"ids": ["x"], "decision": 7})
    assert response.json()["fields"] == {"decision": ["“7” is none of: approve, reject, snooze."]}


def test_an_act_is_not_done_in_a_way_that_it_does_not_know(world: World) -> None:
    api = make_api(world.space)
    for path in (
        f"facts/{world.fact}/retract",
        f"topics/{world.topic}/archive",
        f"change-sets/{world.change_set}/undo",
    ):
        response = api.post(path, {"dry_run": True})
        assert (path, response.status_code, list(response.json()["fields"])) == (path, 422, ["dry_run"])


@pytest.mark.parametrize(
    "path", ["topics?kind=project&status=active&page=1&page_size=5", "memory/query?q=Apollo&format=text"]
)
def test_what_is_described_is_taken(path: str, api: Api) -> None:
    assert api.get(path).status_code == 200


def test_who_may_not_ask_is_told_that_first(world: World) -> None:
    assert Api().get("topics?stauts=open").status_code == 401
    assert make_api(world.space, "write").get("topics?stauts=open").status_code == 403
