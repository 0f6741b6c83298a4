"""What webhooks are told: queued with what it tells, signed, tried again, given up where everybody sees it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from extraction.models import Confirmation, Conflict, Event, Job, Proposal, Webhook, WebhookDelivery
from extraction.services.decisions import decide_proposals
from extraction.services.jobs import run_job
from extraction.services.resolving import answer_confirmation, resolve_conflict
from extraction.services.webhooks import create_webhook, redeliver, send_test, set_enabled
from tests.contract.helpers import read
from tests.extraction.webhooks.conftest import Receiver
from topics.changes import Actor
from topics.errors import WrongState
from topics.models import ChangeSet, Space
from topics.services.topics import create_topic
from topics.services.undo import undo_change_set

ACTOR = Actor(label="Maya")
pytestmark = pytest.mark.queue


@pytest.fixture
def hook(space: Space, receiver: Receiver) -> Webhook:
    return create_webhook(space=space, actor=ACTOR, url=receiver.url, events=Event.values)


def deliver_all() -> None:
    """Run every delivery that waits, whenever it is due."""
    for job in Job.objects.filter(kind=Job.Kind.DELIVER, status=Job.Status.QUEUED).order_by("pk"):
        Job.objects.filter(pk=job.pk).update(run_after=timezone.now())
        run_job(job.pk, worker="tests")


def told(receiver: Receiver) -> list[tuple[str, dict[str, Any]]]:
    deliver_all()
    bodies = [json.loads(body) for _headers, body in receiver.got]
    receiver.got.clear()
    return [(body["type"], body["data"]) for body in bodies]


@pytest.mark.django_db(transaction=True)
def test_what_waits_and_what_is_decided_is_told(space: Space, hook: Webhook, receiver: Receiver) -> None:
    topic = create_topic(space=space, actor=ACTOR, name="Project Apollo", kind="project")
    read(space, "c/1", "The budget for Project Apollo is 40,000 euros.", subject="Project Apollo")
    [(kind, data)] = told(receiver)
    proposal = Proposal.objects.get()
    item = {"proposal": str(proposal.pk), "kind": "fact", "topic": str(topic.pk), "conflict": None}
    assert (kind, data) == ("review.waiting", {"count": 1, "items": [item]})

    decide_proposals(space=space, actor=ACTOR, ids=[proposal.pk], decision="approve")
    [(kind, data)] = told(receiver)
    change = ChangeSet.objects.get(action="approve_proposals")
    assert (kind, data["by"], data["change_set"]) == ("review.decided", "Maya", str(change.pk))
    assert [(row["before"], row["after"]) for row in data["items"]] == [("pending", "approved")]

    read(space, "c/2", "The budget for Project Apollo is 55,000 euros.", subject="Project Apollo")
    conflict = Conflict.objects.get()
    [(_kind, data)] = told(receiver)
    assert data["items"][0]["conflict"] == str(conflict.pk)
    resolve_conflict(conflict=conflict, actor=ACTOR, outcome="ask")
    assert [kind for kind, _data in told(receiver)] == ["confirmation.asked", "review.decided"]
    answer_confirmation(confirmation=Confirmation.objects.get(), actor=ACTOR, answer="yes")
    assert [kind for kind, _data in told(receiver)] == ["confirmation.answered", "review.decided"]
    undo_change_set(change=ChangeSet.objects.get(action="answer_confirmation"), actor=ACTOR)
    assert [(kind, data["items"][0]["after"]) for kind, data in told(receiver)] == [("review.decided", "pending")]


def test_what_is_rolled_back_is_not_told(space: Space, hook: Webhook) -> None:
    with transaction.atomic():
        send_test(webhook=hook)
        transaction.set_rollback(True)
    assert not Job.objects.exists()


def test_a_webhook_is_told_only_what_it_asked_for(space: Space, hook: Webhook, receiver: Receiver) -> None:
    other = create_webhook(space=space, actor=ACTOR, url=receiver.url, events=[Event.ASKED])
    create_topic(space=space, actor=ACTOR, name="Project Apollo", kind="project")
    read(space, "c/1", "The budget for Project Apollo is 40,000 euros.", subject="Project Apollo")
    assert hook.deliveries.count() == 1
    assert not other.deliveries.exists()


@pytest.mark.django_db(transaction=True)
def test_it_is_signed_as_standard_webhooks_has_it(hook: Webhook, receiver: Receiver) -> None:
    send_test(webhook=hook)
    deliver_all()
    [(headers, body)] = receiver.got
    key = base64.b64decode(hook.secret.removeprefix("whsec_"))
    signed = b".".join([headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body])
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 300
    guide: dict[str, Any] = {}
    page = (settings.BASE_DIR / "docs" / "api.md").read_text()
    exec(page.partition("```python\n")[2].partition("```")[0], guide)
    assert guide["is_genuine"](hook.secret, headers, body)
    assert not guide["is_genuine"](hook.secret, headers, body + b" ")
    assert not guide["is_genuine"](hook.secret, headers | {"webhook-timestamp": "1700000000"}, body)
    assert (headers["content-type"], json.loads(body)["type"]) == ("application/json", "test")


@pytest.mark.django_db(transaction=True)
def test_what_is_refused_is_tried_again_later(hook: Webhook, receiver: Receiver) -> None:
    receiver.answers = [(503, {"Retry-After": "600"}), (302, {"Location": "http://169.254.169.254/"}), (200, {})]
    delivery = send_test(webhook=hook)
    deliver_all()
    job = Job.objects.get()
    assert (job.status, job.attempts, job.error) == ("queued", 1, "Answered 503.")
    assert (job.run_after - timezone.now()).total_seconds() > 500
    deliver_all()
    assert "redirects are not followed" in Job.objects.get().error
    deliver_all()
    delivery.refresh_from_db()
    assert (delivery.job.status, delivery.job.attempts) == ("done", 3)
    assert (delivery.status_code, delivery.answer) == (200, "text")
    assert len({headers["webhook-id"] for headers, _body in receiver.got}) == 1

    again = redeliver(delivery=delivery)
    deliver_all()
    assert again.pk != delivery.pk
    assert receiver.got[-1][0]["webhook-id"] == receiver.got[0][0]["webhook-id"]


@pytest.mark.django_db(transaction=True)
def test_what_never_comes_through_is_given_up_and_disables_the_webhook(hook: Webhook, receiver: Receiver) -> None:
    receiver.answers = [(500, {})]
    Webhook.objects.update(failures=3)
    for _ in range(2):
        send_test(webhook=hook)
        Job.objects.filter(status="queued").update(max_attempts=2)
        deliver_all()
        deliver_all()
    assert set(Job.objects.values_list("status", "attempts")) == {("failed", 2)}
    hook.refresh_from_db()
    assert (hook.is_enabled, hook.disabled_because) == (False, "5 deliveries in a row were given up.")
    with pytest.raises(WrongState):
        send_test(webhook=hook)
    set_enabled(webhook=hook, enabled=True, actor=ACTOR)
    receiver.answers = [(410, {})]
    send_test(webhook=hook)
    deliver_all()
    hook.refresh_from_db()
    assert not hook.is_enabled
    assert WebhookDelivery.objects.first().job.status == "failed"  # type: ignore[union-attr]
