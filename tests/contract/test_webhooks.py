"""Webhooks over the API: what Settings → Webhooks does, by a key with the scope admin."""

from __future__ import annotations

from typing import Any

import pytest

from extraction.models import Job, Webhook
from tests.contract.helpers import Api
from topics.models import IdempotencyRecord

URL = "https://hooks.example.com/memory"
ASKED = {"url": URL, "events": ["review.waiting", "confirmation.asked"]}


@pytest.fixture
def made(api: Api) -> dict[str, Any]:
    created: dict[str, Any] = api.post("webhooks", ASKED).json()
    return created


def test_the_secret_is_shown_once(api: Api) -> None:
    created = api.post("webhooks", ASKED)
    assert created.status_code == 201
    hook = created.json()
    assert (hook["url"], hook["events"], hook["enabled"], hook["failures"]) == (URL, ASKED["events"], True, 0)
    assert hook.pop("secret") == Webhook.objects.get().secret
    assert api.get(f"webhooks/{hook['id']}").json() == hook
    assert api.get("webhooks").json()["results"] == [hook]


def test_a_new_secret_replaces_the_former(api: Api, made: dict[str, Any]) -> None:
    renewed = api.post(f"webhooks/{made['id']}/secret").json()
    assert renewed["secret"] == Webhook.objects.get().secret != made["secret"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"url": "https://127.0.0.1/"}, "url"),
        ({"url": "http://hooks.example.com/"}, "url"),
        ({"events": []}, "events"),
        ({"events": ["topic.read"]}, "events.0"),
        ({"enabled": "no"}, "enabled"),
    ],
)
def test_what_makes_no_sense_is_refused(api: Api, made: dict[str, Any], change: dict[str, Any], field: str) -> None:
    path = f"webhooks/{made['id']}"
    changed = api.patch(path, change, If_Match="*")
    assert (changed.status_code, list(changed.json()["fields"])) == (422, [field])
    assert api.post("webhooks", ASKED | change).status_code == 422
    assert api.get("webhooks").json()["count"] == 1
    assert api.get(path).json()["url"] == URL


def test_it_is_disabled_and_enabled(api: Api, made: dict[str, Any]) -> None:
    path = f"webhooks/{made['id']}"
    seen = api.get(path).headers["ETag"]
    disabled = api.patch(path, {"enabled": False}, If_Match=seen).json()
    assert disabled["enabled"] is False
    assert disabled["disabled_because"].startswith("Disabled by ")
    assert api.post(f"{path}/test").json()["code"] == "wrong_state"
    assert api.patch(path, {"enabled": True}, If_Match=seen).status_code == 412
    enabled = api.patch(path, {"enabled": True}, If_Match="*").json()
    assert (enabled["enabled"], enabled["disabled_because"], enabled["events"]) == (True, "", ASKED["events"])


def test_a_delivery_is_seen_and_repeated_once_it_has_ended(api: Api, made: dict[str, Any]) -> None:
    deliveries = f"webhooks/{made['id']}/deliveries"
    queued = api.post(f"webhooks/{made['id']}/test")
    assert (queued.status_code, queued.json()["event"], queued.json()["status"]) == (202, "test", "queued")
    first = queued.json()
    assert api.post(f"{deliveries}/{first['id']}/retry").json()["code"] == "wrong_state"
    Job.objects.update(status="failed", error="Answered 500.", attempts=8)
    given_up = api.get(deliveries).json()["results"][0]
    assert (given_up["status"], given_up["attempts"], given_up["error"]) == ("failed", 8, "Answered 500.")
    again = api.post(f"{deliveries}/{first['id']}/retry")
    assert again.status_code == 202
    assert (again.json()["event_id"], again.json()["status"]) == (first["event_id"], "queued")
    assert [row["id"] for row in api.get(deliveries).json()["results"]] == [again.json()["id"], first["id"]]


def test_a_delivery_of_another_webhook_is_not_found(api: Api, made: dict[str, Any]) -> None:
    other = api.post("webhooks", ASKED).json()
    delivery = api.post(f"webhooks/{other['id']}/test").json()
    assert api.post(f"webhooks/{made['id']}/deliveries/{delivery['id']}/retry").status_code == 404


def test_a_space_has_twenty_at_most(api: Api) -> None:
    answers = [api.post("webhooks", ASKED) for _ in range(21)]
    assert [answer.status_code for answer in answers] == [201] * 20 + [409]
    assert answers[-1].json()["code"] == "too_many"


def test_an_answer_that_is_repeated_has_no_secret_for_it_is_kept_without(api: Api) -> None:
    first, again = (api.post("webhooks", ASKED, Idempotency_Key="k1") for _ in range(2))
    made = Webhook.objects.get()
    renewed, again_renewed = (api.post(f"webhooks/{made.pk}/secret", Idempotency_Key="k2") for _ in range(2))
    for shown, repeated in ((first, again), (renewed, again_renewed)):
        assert shown.json()["secret"].startswith("whsec_")
        assert repeated.json() == shown.json() | {"secret": None}
        assert (repeated.status_code, repeated.headers["ETag"]) == (shown.status_code, shown.headers["ETag"])
        assert repeated.headers["Idempotent-Replay"] == "true"
    assert "whsec_" not in "".join(IdempotencyRecord.objects.values_list("body", flat=True))
    made.refresh_from_db()
    assert made.secret == renewed.json()["secret"] != first.json()["secret"]
