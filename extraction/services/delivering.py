"""Delivering what a webhook is to be told: the slow part of its job, and what its failure means for the webhook.

Signed as Standard Webhooks has it (https://www.standardwebhooks.com): HMAC-SHA256 over `id.timestamp.body`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from datetime import timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from extraction.extractors.protocol import ExtractionError
from extraction.models import Job, Webhook, WebhookDelivery
from extraction.services.outgoing import Answer, NotSent, post

SECRET_START = "whsec_"  # noqa: S105 - what marks a secret, not one
GIVEN_UP_LIMIT = 5
GONE = 410
KEPT = timedelta(days=30)
LONGEST_WAIT = 24 * 3600.0


def prepare_delivery(job: Job) -> Any:
    """Deliver; returns the function that notes it. Raises ExtractionError where it was not taken."""
    delivery = WebhookDelivery.objects.select_related("webhook__space").get(job=job)
    with translation.override(job.space.language):
        if not delivery.webhook.is_enabled:
            raise ExtractionError(_("The webhook is disabled."), retry=False)
        try:
            answer = post(delivery.webhook.url, delivery.body.encode(), headers_of(delivery))
        except NotSent as error:
            _note(delivery, None, "")
            _count_failure(delivery, job)
            raise ExtractionError(str(error)) from error
        _note(delivery, answer.status, answer.text)
        if not 200 <= answer.status < 300:
            _refused(delivery, job, answer)

    def write() -> None:
        Webhook.objects.filter(pk=delivery.webhook_id).update(failures=0)
        Job.objects.filter(delivery__webhook=delivery.webhook_id, created_at__lt=timezone.now() - KEPT).exclude(
            pk=job.pk
        ).delete()

    return write


def headers_of(delivery: WebhookDelivery, now: float | None = None) -> dict[str, str]:
    """What goes with the body. `now` is in seconds since 1970."""
    stamp = str(int(time.time() if now is None else now))
    identity = f"evt_{delivery.event_id.hex}"
    return {
        "Content-Type": "application/json",
        "User-Agent": "infini-memory",
        "webhook-id": identity,
        "webhook-timestamp": stamp,
        "webhook-signature": "v1," + sign(delivery.webhook.secret, f"{identity}.{stamp}.{delivery.body}"),
    }


def sign(secret: str, signed: str) -> str:
    """The signature of a text, in base64. `secret` is as it was shown: `whsec_` and the key in base64."""
    key = base64.b64decode(secret.removeprefix(SECRET_START))
    return base64.b64encode(hmac.new(key, signed.encode(), hashlib.sha256).digest()).decode()


def _refused(delivery: WebhookDelivery, job: Job, answer: Answer) -> None:
    if answer.status == GONE:
        because = _("The receiver answered 410: it is gone.")
        Webhook.objects.filter(pk=delivery.webhook_id).update(is_enabled=False, disabled_because=because)
        raise ExtractionError(because, retry=False)
    _count_failure(delivery, job)
    if 300 <= answer.status < 400:
        raise ExtractionError(_("Answered %(status)d: redirects are not followed.") % {"status": answer.status})
    seconds = answer.retry_after.strip()
    is_number = seconds.isascii() and seconds.isdigit()
    raise ExtractionError(
        _("Answered %(status)d.") % {"status": answer.status},
        retry_after=min(LONGEST_WAIT, float(seconds[:9])) if is_number else None,
    )


def _count_failure(delivery: WebhookDelivery, job: Job) -> None:
    """After the last try: where nothing has come through for long, the webhook is disabled until somebody looks."""
    if job.attempts < job.max_attempts:
        return
    rows = Webhook.objects.filter(pk=delivery.webhook_id)
    rows.update(failures=F("failures") + 1)
    because = _("%(count)d deliveries in a row were given up.") % {"count": GIVEN_UP_LIMIT}
    rows.filter(failures__gte=GIVEN_UP_LIMIT).update(is_enabled=False, disabled_because=because)


def _note(delivery: WebhookDelivery, status: int | None, text: str) -> None:
    WebhookDelivery.objects.filter(pk=delivery.pk).update(status_code=status, answer=" ".join(text.split())[:500])
