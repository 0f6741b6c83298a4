"""ETag and If-Match: nobody overwrites what they have not seen, and nobody loads what they have."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.helpers import Api, World, make_api
from tests.contract.routes import operations
from topics.models import Fact, Topic

CHANGES: dict[str, Any] = {
    "topics/<str:topic>": {"name": "Apollo 2"},
    "facts/<str:fact>": {"text": "The budget is 41,000 euros."},
    "timeline/<str:entry>": {"precision": "month"},
    "aliases/<str:alias>": {"name": "APLO"},
    "webhooks/<str:webhook>": {"events": ["review.decided"]},
}


@pytest.fixture
def own(world: World) -> Api:
    return make_api(world.space)


def test_what_the_caller_has_is_not_sent_again(world: World, own: Api) -> None:
    for operation in operations("GET"):
        if operation.route == "memory/query":
            continue
        path = operation.path(world.ids())
        first = own.get(path)
        assert (operation.route, first.status_code) == (operation.route, 200)
        assert first.headers["ETag"].startswith('"')
        again = own.get(path, If_None_Match=f'"other", {first.headers["ETag"]}')
        assert (operation.route, again.status_code, again.content) == (operation.route, 304, b"")
        assert again.headers["ETag"] == first.headers["ETag"]
        assert own.get(path, If_None_Match='"other"').status_code == 200


def test_the_etag_changes_with_the_resource(world: World, own: Api) -> None:
    before = own.get(f"topics/{world.topic}").headers["ETag"]
    own.post(f"topics/{world.topic}/aliases", {"name": "APLO"})
    assert own.get(f"topics/{world.topic}", If_None_Match=before).status_code == 200


def test_every_change_needs_a_precondition(world: World, own: Api) -> None:
    for operation in operations("PUT", "PATCH", "DELETE"):
        body = None if operation.method == "DELETE" else {}
        response = own.call(operation.method, operation.path(world.ids()), body)
        assert (str(operation), response.status_code) == (str(operation), 428)
        assert response.json()["code"] == "precondition_required"


def test_a_change_of_what_was_not_seen_answers_412(world: World, own: Api) -> None:
    for operation in operations("PUT", "PATCH", "DELETE"):
        path = operation.path(world.ids())
        weak = "W/" + own.get(path).headers["ETag"]
        for tag in ('"1-0000"', weak, "rubbish"):
            body = None if operation.method == "DELETE" else CHANGES.get(operation.route, {})
            response = own.call(operation.method, path, body, If_Match=tag)
            assert (str(operation), response.status_code) == (str(operation), 412)
            assert response.json()["code"] == "stale"
    assert Topic.objects.get(pk=world.topic).name == "Project Apollo"


@pytest.mark.parametrize("operation", operations("PATCH"), ids=str)
def test_a_change_of_what_was_seen_is_made(operation: Any, world: World, own: Api) -> None:
    path = operation.path(world.ids())
    seen = own.get(path).headers["ETag"]
    changed = own.patch(path, CHANGES[operation.route], If_Match=seen)
    assert changed.status_code == 200
    assert changed.headers["ETag"] == own.get(path).headers["ETag"] != seen
    for name, value in CHANGES[operation.route].items():
        assert changed.json()[name] == value
    assert own.patch(path, CHANGES[operation.route], If_Match=seen).status_code == 412


@pytest.mark.parametrize("route", ["topics/{topic}", "aliases/{alias}", "webhooks/{webhook}"])
def test_what_was_seen_can_be_deleted(route: str, world: World, own: Api) -> None:
    path = route.format(**world.ids())
    seen = own.get(path).headers["ETag"]
    response = own.delete(path, If_Match=seen)
    assert (response.status_code, response.content) == (204, b"")
    assert own.get(path).status_code == 404


def test_acts_look_at_if_match_when_it_is_sent(world: World, own: Api) -> None:
    for route in (
        "topics/{topic}/archive",
        "facts/{fact}/retract",
        "timeline/{entry}/retract",
        "aliases/{alias}/retract",
    ):
        assert own.post(route.format(**world.ids()), {}, If_Match='"1-0000"').status_code == 412
    assert own.post(f"conflicts/{world.conflict}/resolve", {"outcome": "keep"}, If_Match='"1-0"').status_code == 412
    assert Fact.objects.get(pk=world.fact).status == "active"
    seen = own.get(f"facts/{world.fact}").headers["ETag"]
    assert own.post(f"facts/{world.fact}/retract", {}, If_Match=seen).json()["status"] == "retracted"


def test_a_field_that_is_unknown_is_refused(world: World, own: Api) -> None:
    for operation in operations("PATCH"):
        response = own.patch(operation.path(world.ids()), {"txet": "x"}, If_Match="*")
        assert (str(operation), response.status_code) == (str(operation), 422)
        assert list(response.json()["fields"]) == ["txet"]
