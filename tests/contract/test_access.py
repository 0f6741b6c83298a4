"""Keys, scopes, and the wall between spaces, for every route of the URL conf."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from extraction.models import Job
from tests.contract.helpers import ALL, Api, World, make_api
from tests.contract.routes import Operation, operations
from topics.models import Alias, ApiKey, ChangeSet, Fact, Space, TimelineEntry, Topic
from topics.services.spaces import create_api_key, revoke_api_key

# The caller's own id of a conversation names one in the caller's own space, whoever uses the same id elsewhere.
OWN_ID = "POST conversations/<path:conversation>/messages"
# Who may what: the scopes, and the routes with their methods.
SCOPES = {
    "read": """
        aliases/{alias} GET
        change-sets GET
        change-sets/{change_set} GET
        conversations GET
        conversations/{conversation}/messages GET
        facts/{fact} GET
        memory/query GET POST
        timeline/{entry} GET
        topics GET
        topics/{topic} GET
        topics/{topic}/aliases GET
        topics/{topic}/document GET
        topics/{topic}/facts GET
        topics/{topic}/history GET
        topics/{topic}/sources GET
        topics/{topic}/state GET
        topics/{topic}/state/{key} GET
        topics/{topic}/timeline GET
    """,
    "read|review": """
        confirmations GET
        confirmations/{confirmation} GET
    """,
    "read|propose|write": """
        feedback POST
        jobs/{job} GET
    """,
    "read+propose|read+write": """
        agent/chat POST
    """,
    "propose|write": """
        conversations/{conversation}/extract POST
        conversations/{conversation}/messages POST
        jobs/{job}/retry POST
        memory/extract POST
        memory/update POST
        topics/{topic}/state POST DELETE
        topics/{topic}/state/{key} PUT DELETE
    """,
    "write": """
        aliases/{alias} PATCH DELETE
        aliases/{alias}/retract POST
        change-sets/{change_set}/revert POST
        change-sets/{change_set}/undo POST
        facts/{fact} PATCH
        facts/{fact}/retract POST
        timeline/{entry} PATCH
        timeline/{entry}/retract POST
        topics POST
        topics/{topic} PATCH DELETE
        topics/{topic}/aliases POST
        topics/{topic}/archive POST
        topics/{topic}/facts POST
        topics/{topic}/restore POST
        topics/{topic}/timeline POST
    """,
    "review": """
        confirmations/{confirmation}/answer POST
        conflicts GET
        conflicts/{conflict} GET
        conflicts/{conflict}/resolve POST
        duplicates GET
        duplicates/{duplicate}/dismiss POST
        duplicates/{duplicate}/reopen POST
        feedback GET
        proposals GET
        proposals/decide POST
        proposals/{proposal} GET
    """,
    "admin": """
        topics/merge POST
        topics/{topic}/split POST
        webhooks GET POST
        webhooks/{webhook} GET PATCH DELETE
        webhooks/{webhook}/deliveries GET
        webhooks/{webhook}/deliveries/{delivery}/retry POST
        webhooks/{webhook}/secret POST
        webhooks/{webhook}/test POST
    """,
}
# What may be done by a key that may not write, with what to send.
PROPOSES: dict[str, Any] = {
    "POST conversations/{conversation}/messages": {
        "messages": [{"role": "user", "content": "The budget for Project Apollo is 70,000 euros."}]
    },
    "POST conversations/{conversation}/extract": {},
    "POST jobs/{job}/retry": {},
    "GET jobs/{job}": None,
    "POST memory/extract": {"text": "The budget for Project Apollo is 80,000 euros."},
    "POST memory/update": {
        "conversation": "c/1",
        "extractions": [
            {
                "topic": {"name": "Project Apollo"},
                "updated_summary": "It flies.",
                "new_facts": [{"text": "It is costly.", "quotes": [{"message": "D1", "text": "40,000 euros"}]}],
            }
        ],
    },
    "POST topics/{topic}/state": {"puts": [{"key": "thread/2", "value": 2}]},
    "DELETE topics/{topic}/state": None,
    "PUT topics/{topic}/state/{key}": [1],
    "DELETE topics/{topic}/state/{key}": None,
    "POST feedback": {"verdict": "wrong"},
}


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


def test_each_route_asks_for_the_scope_of_the_table() -> None:
    lines = [(scopes, line.split()) for scopes, table in SCOPES.items() for line in table.strip().splitlines()]
    expected = {f"{method} {route}": scopes for scopes, (route, *methods) in lines for method in methods}
    found = {f"{o.method} {o.template}": o.view.required_scopes[o.method] for o in operations()}
    assert found == expected


def test_a_key_that_proposes_changes_no_document(world: World) -> None:
    Space.objects.filter(pk=world.space.pk).update(review_policy="everything")
    asked = make_api(world.space, "read").get("memory/query?q=Apollo+budget").json()["query_id"]
    proposing, held = make_api(world.space, "propose"), _held(world.space)
    for operation in operations():
        name = f"{operation.method} {operation.template}"
        body = PROPOSES.get(name, {})
        if name == "POST feedback":
            body = {"query_id": asked, **body}
        with transaction.atomic():
            response = proposing.call(operation.method, operation.path(world.ids()), body, If_Match="*")
            assert (name, response.status_code < 300) == (name, name in PROPOSES)
            assert name in PROPOSES or response.json()["code"] == "missing_scope"
            assert name not in PROPOSES or _held(world.space) == held
            transaction.set_rollback(True)


def _held(space: Space) -> list[Any]:
    """Everything that documents are made of."""
    models = (Topic, Fact, TimelineEntry, Alias)
    return [ChangeSet.objects.filter(space=space).count(), *(list(model.history.values_list()) for model in models)]


@pytest.mark.parametrize(
    ("scopes", "method", "path", "missing"),
    [
        (["read"], "POST", "conversations/c9/messages", "propose / write"),
        (["propose"], "POST", "topics", "write"),
        (["propose"], "GET", "topics", "read"),
        (["review"], "POST", "agent/chat", "read + propose / read + write"),
        (["read", "propose", "write"], "GET", "proposals", "review"),
    ],
)
def test_a_refusal_names_the_scope_that_is_missing(
    scopes: list[str], method: str, path: str, missing: str, space: Space
) -> None:
    response = make_api(space, *scopes).call(method, path, {})
    assert response.status_code == 403
    assert response.json()["detail"] == f"This key lacks the scope {missing}."


def test_a_key_that_proposes_has_only_readings_tried_again(world: World) -> None:
    job = Job.objects.get(delivery=world.delivery)
    refused = make_api(world.space, "propose").post(f"jobs/{job.pk}/retry", {})
    assert (refused.status_code, refused.json()["detail"]) == (403, "This key lacks the scope write.")
    assert make_api(world.space, "write").post(f"jobs/{job.pk}/retry", {}).status_code == 202


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


@pytest.mark.parametrize(
    ("given", "ends"),
    [
        ("2999-01-31", "2999-01-31T23:59:59.999999+01:00"),
        ("2999-01-31T18:00", "2999-01-31T18:00:00+01:00"),
        ("2999-01-31T18:00Z", "2999-01-31T18:00:00+00:00"),
    ],
)
def test_a_key_ends_when_the_command_says(given: str, ends: str, space: Space) -> None:
    Space.objects.filter(pk=space.pk).update(time_zone="Europe/Berlin")
    call_command("create_api_key", "acme", "--scopes", "read", "--expires", given)
    assert ApiKey.objects.get().expires_at == datetime.fromisoformat(ends)


def test_a_key_lasts_as_many_days_as_the_command_says(space: Space) -> None:
    call_command("create_api_key", "acme", "--scopes", "read", "--expires", "90d")
    ends = ApiKey.objects.get().expires_at
    assert ends is not None
    assert timedelta(days=89, hours=23) < ends - timezone.now() <= timedelta(days=90)


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
        *(
            ["create_api_key", "acme", "--scopes", "read", "--expires", expires]
            for expires in ("yesterday", "", "2001-01-31", "0d", "90", "-1d", "2999-02-30", "9999-12-31", "999999999d")
        ),
    ],
    ids=" ".join,
)
def test_a_command_that_makes_no_sense_says_so(command: list[str], space: Space) -> None:
    with pytest.raises(CommandError):
        call_command(*command)
