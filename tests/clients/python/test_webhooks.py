"""Webhooks through the client: made, changed, tested and removed, and how the telling went."""

from __future__ import annotations

import asyncio

import pytest
from infini_client import AccessDenied, AsyncClient, Client, Conflict, Invalid, NotFound, Stale

from extraction.models import Job
from topics.models import Space
from topics.services.spaces import create_api_key

ADDRESS = "https://hooks.example.com/memory"


def test_a_webhook_is_made_changed_and_removed(memory: Client) -> None:
    made = memory.create_webhook(ADDRESS, ["review.waiting"])
    assert made.secret.startswith("whsec_")
    assert made.secret not in repr(made)
    assert [(hook.id, hook.url, hook.events, hook.secret) for hook in memory.webhooks()] == [
        (made.id, ADDRESS, ("review.waiting",), "")
    ]
    changed = memory.change_webhook(made, events=["review.decided"], enabled=False)
    assert (changed.events, changed.enabled) == (("review.decided",), False)
    with pytest.raises(Stale):
        memory.change_webhook(made, enabled=True)
    with pytest.raises(Conflict):
        memory.test_webhook(made.id)
    renewed = memory.renew_webhook_secret(made.id)
    assert renewed.secret not in ("", made.secret)
    memory.delete_webhook(renewed)
    with pytest.raises(NotFound):
        memory.webhook(made.id)


def test_what_was_told_is_listed_and_told_again(memory: Client) -> None:
    hook = memory.create_webhook(ADDRESS, ["review.waiting"]).id
    sent = memory.test_webhook(hook)
    assert (sent.event, sent.status, sent.attempts) == ("test", "queued", 0)
    Job.objects.filter(delivery=sent.id).update(status=Job.Status.FAILED, error="It does not answer.")
    assert [(d.id, d.status, d.error) for d in memory.deliveries(hook)] == [(sent.id, "failed", "It does not answer.")]
    again = memory.redeliver(hook, sent.id)
    assert (again.id != sent.id, again.event_id) == (True, sent.event_id)


def test_what_makes_no_sense_is_refused(memory: Client, space: Space, live_server: object) -> None:
    with pytest.raises(Invalid) as refused:
        memory.create_webhook("http://hooks.example.com/", ["review.waiting"])
    assert list(refused.value.fields) == ["url"]
    plain = create_api_key(space=space, scopes=["read", "write", "review"])[1]
    with Client(live_server.url, plain) as other, pytest.raises(AccessDenied, match="admin"):  # type: ignore[attr-defined]
        list(other.webhooks())


async def one_after_the_other(client: AsyncClient) -> list[str]:
    async with client as memory:
        made = await memory.create_webhook(ADDRESS, ["review.waiting"])
        await memory.test_webhook(made.id)
        return [delivery.event async for delivery in memory.deliveries(made.id)]


def test_the_asynchronous_client_does_the_same(amemory: AsyncClient) -> None:
    assert asyncio.run(one_after_the_other(amemory)) == ["test"]
