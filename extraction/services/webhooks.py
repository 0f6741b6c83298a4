"""Webhooks: who is told what waits for a person and what was decided, and the queue of what they are told.

A delivery is a job, queued in the transaction of what it tells: both are there or neither. What is told names rows and
not their words, which stay where their readers need a key.
"""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from extraction.models import TEST, Confirmation, Conflict, Decision, Event, Job, Proposal, Webhook, WebhookDelivery
from extraction.services.delivering import SECRET_START
from extraction.services.jobs import ring
from extraction.services.outgoing import check_url
from topics.changes import Actor, OpenChange
from topics.errors import InvalidInput, WrongState
from topics.ids import uuid7
from topics.models import Space
from topics.signals import act_ended

MOST_NAMED = 100
MOST_WEBHOOKS = 20
MOST_TRIES = 8  # over about an hour


def create_webhook(*, space: Space, actor: Actor, url: str, events: Collection[str]) -> Webhook:
    """Make a webhook. Its `secret` is to be shown once. Raises InvalidInput, and WrongState above 20 in a space."""
    chosen = _check_events(events)
    check_url(url)
    if space.webhooks.count() >= MOST_WEBHOOKS:
        raise WrongState(_("A space has at most %(most)d webhooks.") % {"most": MOST_WEBHOOKS}, code="too_many")
    return Webhook.objects.create(space=space, url=url, events=chosen, secret=_new_secret(), created_by=actor.label)


def update_webhook(*, webhook: Webhook, url: str, events: Collection[str]) -> Webhook:
    """Change where and what is told. Raises InvalidInput."""
    webhook.url, webhook.events = check_url(url), _check_events(events)
    webhook.save(update_fields=["url", "events"])
    return webhook


def set_enabled(*, webhook: Webhook, enabled: bool, actor: Actor) -> Webhook:
    """Tell it from now on, or no more. What waits to be delivered to a disabled one is given up."""
    webhook.is_enabled, webhook.failures = enabled, 0
    webhook.disabled_because = "" if enabled else _("Disabled by %(who)s.") % {"who": actor.label}
    webhook.save(update_fields=["is_enabled", "failures", "disabled_because"])
    return webhook


def renew_secret(*, webhook: Webhook) -> Webhook:
    """A new secret, to be shown once; the former one signs nothing any more."""
    webhook.secret = _new_secret()
    webhook.save(update_fields=["secret"])
    return webhook


def delete_webhook(*, webhook: Webhook) -> None:
    """Remove it with its deliveries."""
    with transaction.atomic():
        Job.objects.filter(delivery__webhook=webhook).delete()
        webhook.delete()


def send_test(*, webhook: Webhook) -> WebhookDelivery:
    """Queue a delivery that tells nothing. Raises WrongState for a disabled webhook."""
    if not webhook.is_enabled:
        raise WrongState(_("The webhook is disabled."))
    with transaction.atomic():
        return _queue([webhook], webhook.space, TEST, {"message": "This is a test."})[0]


def redeliver(*, delivery: WebhookDelivery) -> WebhookDelivery:
    """Deliver the same once more, under the same id. Raises WrongState while it waits, and for a disabled webhook."""
    if delivery.job.status in (Job.Status.QUEUED, Job.Status.RUNNING):
        raise WrongState(_("It is still being delivered."))
    if not delivery.webhook.is_enabled:
        raise WrongState(_("The webhook is disabled."))
    with transaction.atomic():
        return _insert(delivery.webhook, delivery.event, delivery.event_id, delivery.body)


@receiver(act_ended, dispatch_uid="extraction.tell_webhooks")
def tell_webhooks(sender: Any, change: OpenChange, **kwargs: Any) -> None:
    """Queue what the webhooks of the space are to know of an act, in its transaction."""
    hooks = list(Webhook.objects.filter(space=change.space, is_enabled=True).order_by("pk"))
    if not hooks:
        return
    # The space is held since before `at`: what was written in it since, and can be seen here, this act wrote.
    since = {"space": change.space, "created_at__gte": change.at}
    waiting = Proposal.objects.filter(**since, status=Proposal.Status.PENDING).select_related("topic").order_by("pk")
    asked = Confirmation.objects.filter(**since, status=Confirmation.Status.OPEN).order_by("pk")
    answered = Confirmation.objects.filter(
        space=change.space, answered_at__gte=change.at, status=Confirmation.Status.ANSWERED
    ).order_by("pk")
    conflicts = Conflict.objects.filter(**since, status=Conflict.Status.OPEN).values_list("proposal_id", "pk")
    told: list[tuple[Event, list[Any], dict[str, Any]]] = [
        (Event.WAITING, _waiting(list(waiting), dict(conflicts)), {}),
        (Event.ASKED, [{"id": str(row.pk), "conflict": str(row.conflict_id)} for row in asked], {}),
        (Event.ANSWERED, [{"id": str(row.pk), "answer": row.answer} for row in answered], {}),
    ]
    if change.written is not None:
        decisions = Decision.objects.filter(change_set=change.written).select_related("proposal").order_by("pk")
        more = {"change_set": str(change.written.pk), "by": change.actor.label}
        told.append((Event.DECIDED, [_decided(row) for row in decisions], more))
    for event, rows, more in told:
        interested = [hook for hook in hooks if event in hook.events]
        if rows and interested:
            data = {"count": len(rows), "items": rows[:MOST_NAMED], **more}
            _queue(interested, change.space, event, data)


def _waiting(proposals: Sequence[Proposal], conflicts: dict[UUID, UUID]) -> list[dict[str, Any]]:
    return [
        {
            "proposal": str(row.pk),
            "kind": row.kind,
            "topic": row.topic_id and str(row.topic_id),
            "conflict": str(conflicts[row.pk]) if row.pk in conflicts else None,
        }
        for row in proposals
    ]


def _decided(row: Decision) -> dict[str, Any]:
    return {
        "proposal": str(row.proposal_id),
        "kind": row.proposal.kind,
        "topic": row.proposal.topic_id and str(row.proposal.topic_id),
        "before": row.before,
        "after": row.after,
        "conflict_outcome": row.conflict_outcome,
    }


def _queue(hooks: Sequence[Webhook], space: Space, event: str, data: dict[str, Any]) -> list[WebhookDelivery]:
    """A delivery for each of the hooks, in the transaction of what they are told."""
    event_id = uuid7()
    body = {"type": event, "timestamp": timezone.now().isoformat(), "space": space.slug, "data": data}
    text = json.dumps(body, ensure_ascii=False)
    return [_insert(hook, event, event_id, text) for hook in hooks]


def _insert(webhook: Webhook, event: str, event_id: UUID, body: str) -> WebhookDelivery:
    job = Job.objects.create(space_id=webhook.space_id, kind=Job.Kind.DELIVER, max_attempts=MOST_TRIES)
    transaction.on_commit(partial(ring, job.pk))
    return WebhookDelivery.objects.create(webhook=webhook, job=job, event=event, event_id=event_id, body=body)


def _check_events(events: Collection[str]) -> list[str]:
    if not events or set(events) - set(Event.values):
        problem = _("Choose one or more events.")
        raise InvalidInput(problem, fields={"events": [problem]})
    return [event for event in Event.values if event in events]


def _new_secret() -> str:
    return SECRET_START + base64.b64encode(secrets.token_bytes(32)).decode()
