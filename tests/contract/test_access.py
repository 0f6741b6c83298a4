"""Keys, scopes, and the wall between spaces, for every route of the URL conf."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from tests.contract.helpers import ALL, Api, World, make_api
from tests.contract.routes import Operation, operations
from topics.models import ApiKey, Space
from topics.services.spaces import create_api_key, revoke_api_key

# The caller's own id of a conversation names one in the caller's own space, whoever uses the same id elsewhere.
OWN_ID = "POST conversations/<path:conversation>/messages"


def answers(api: Api, world: World, chosen: list[Operation]) -> dict[str, Any]:
    """What each operation answers, each on the same rows."""
    found = {}
    for operation in chosen:
        body = {} if operation.method in ("POST", "PATCH") else None
        with transaction.atomic():
            found[str(operation)] = api.call(operation.method, operation.path(world.ids()), body, If_Match="*")
            transaction.set_rollback(True)
    return found


def test_every_route_is_looked_at() -> None:
    assert len(operations()) > 45


def test_an_id_of_another_space_answers_404(world: World, stranger: Api) -> None:
    chosen = [operation for operation in operations() if operation.names and str(operation) != OWN_ID]
    found = answers(stranger, world, chosen)
    assert {name: (r.status_code, r.json()["code"]) for name, r in found.items()} == dict.fromkeys(
        found, (404, "not_found")
    )


def test_an_id_of_the_own_space_does_not(world: World) -> None:
    found = answers(make_api(world.space), world, [operation for operation in operations() if operation.names])
    assert {name: r.status_code for name, r in found.items() if r.status_code in (401, 403, 404, 405, 500)} == {}


def test_an_id_that_is_none_answers_404(world: World) -> None:
    nonsense = dict.fromkeys(world.ids(), "1' OR 1=1 --")
    for operation in operations("GET"):
        if operation.names:
            response = make_api(world.space).get(operation.path(nonsense))
            assert (str(operation), response.status_code) == (str(operation), 404)


def test_a_list_shows_nothing_of_another_space(world: World, stranger: Api) -> None:
    lists = [operation.route for operation in operations("GET") if not operation.names]
    assert "topics" in lists
    for route in lists:
        response = stranger.get(route + ("?q=Apollo+budget" if route == "memory/query" else ""))
        assert response.status_code == 200
        assert response.json().get("results", []) == []
        assert "40,000" not in response.content.decode()


def test_the_same_conversation_id_in_two_spaces_is_two_conversations(world: World, stranger: Api) -> None:
    sent = {"messages": [{"id": "D1", "role": "user", "content": "Something else"}]}
    assert stranger.post(f"conversations/{world.conversation}/messages", sent).json()["accepted"] == 1
    own = make_api(world.space).get(f"conversations/{world.conversation}/messages").json()["results"]
    assert [message["content"] for message in own] == ["The budget for Project Apollo is 40,000 euros."]


def test_a_space_in_the_body_changes_nothing(api: Api, space: Space, world: World) -> None:
    sent = {"space": world.space.slug, "messages": [{"role": "user", "content": "Hello"}]}
    assert api.post("conversations/c9/messages", sent).status_code == 202
    assert space.conversations.filter(external_id="c9").exists()
    assert not world.space.conversations.filter(external_id="c9").exists()


def test_no_key_no_answer(world: World) -> None:
    for name, response in answers(Api(), world, operations()).items():
        assert (name, response.status_code) == (name, 401)
        assert response.json()["code"] == "not_authenticated"
        assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_key_without_the_scope_is_refused(world: World) -> None:
    for operation in operations():
        needed = re.split(r"[|+]", operation.view.required_scopes[operation.method])
        key = make_api(world.space, *(scope for scope in ALL if scope not in needed))
        response = key.call(operation.method, operation.path(world.ids()), If_Match="*")
        assert (str(operation), response.status_code) == (str(operation), 403)
        assert response.json()["code"] == "missing_scope"


@pytest.mark.parametrize("header", ["Authorization: Bearer {}", "Authorization: token {}", "X-API-Key: {}"])
def test_a_key_can_be_sent_in_three_ways(header: str, space: Space) -> None:
    _row, plain = create_api_key(space=space, scopes=["read"])
    name, _colon, value = header.format(plain).partition(": ")
    assert Api(**{name: value}).get("topics").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer im_wrong"},
        {"Authorization": "Bearer"},
        {"Authorization": "Basic dXNlcjpwYXNz"},
        {"X-API-Key": "密钥"},
    ],
    ids=str,
)
def test_a_wrong_key_is_refused(headers: dict[str, str], space: Space) -> None:
    response = Api(**headers).get("topics")
    assert response.status_code == 401
    assert response.json()["code"] == "invalid_key"


def test_an_expired_or_revoked_key_is_refused(space: Space) -> None:
    row, plain = create_api_key(space=space, scopes=["read"], expires_at=timezone.now() + timedelta(hours=1))
    assert Api(plain).get("topics").status_code == 200
    ApiKey.objects.filter(pk=row.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert Api(plain).get("topics").status_code == 401
    row, plain = create_api_key(space=space, scopes=["read"])
    revoke_api_key(key=row)
    assert Api(plain).get("topics").status_code == 401


def test_the_use_of_a_key_is_noted_once_a_minute(space: Space, django_assert_num_queries: Any) -> None:
    row, plain = create_api_key(space=space, scopes=["read"])
    caller = Api(plain)
    caller.get("topics")
    row.refresh_from_db()
    first = row.last_used_at
    assert first is not None
    caller.get("topics")
    row.refresh_from_db()
    assert row.last_used_at == first
    ApiKey.objects.filter(pk=row.pk).update(last_used_at=first - timedelta(minutes=2))
    caller.get("topics")
    row.refresh_from_db()
    assert row.last_used_at >= first


def test_the_commands_make_a_space_and_print_a_key_alone(capsys: Any, db: None) -> None:
    call_command("create_space", "sales", "--language", "zh-hans", "--time-zone", "Asia/Shanghai")
    assert "sales" in capsys.readouterr().out
    call_command("create_api_key", "sales", "--scopes", "read, write")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1
    assert Api(lines[0]).get("topics").status_code == 200
    assert ApiKey.objects.get().scopes == ["read", "write"]


def test_a_key_is_revoked_by_its_first_characters(capsys: Any, space: Space) -> None:
    plain, other = (create_api_key(space=space, scopes=["read"])[1] for _ in range(2))
    call_command("revoke_api_key", "acme", plain[:10])
    assert plain[:10] in capsys.readouterr().out
    assert (Api(plain).get("topics").status_code, Api(other).get("topics").status_code) == (401, 200)


@pytest.mark.parametrize(
    "command",
    [
        ["create_space", "Not A Slug"],
        ["create_space", "acme"],
        ["create_space", "x", "--time-zone", "Mars/Olympus"],
        ["create_api_key", "nowhere", "--scopes", "read"],
        ["create_api_key", "acme", "--scopes", "everything"],
        ["create_api_key", "acme", "--scopes", ","],
        ["revoke_api_key", "acme", "im_unknown"],
    ],
    ids=" ".join,
)
def test_a_command_that_makes_no_sense_says_so(command: list[str], space: Space) -> None:
    with pytest.raises(CommandError):
        call_command(*command)
