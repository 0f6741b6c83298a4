"""Webhook: an address that is told what waits and what was decided. WebhookDelivery: one telling."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from extraction.models.job import Job
from topics.ids import uuid7
from topics.models import Space


class Event(models.TextChoices):
    WAITING = "review.waiting", _("Something waits for a person")
    DECIDED = "review.decided", _("Something was decided, or a decision was taken back")
    ASKED = "confirmation.asked", _("A question is to be put to the user")
    ANSWERED = "confirmation.answered", _("A question was answered")


TEST = "test"


class Webhook(models.Model):
    """Where to deliver, and the secret that signs. `failures` counts the deliveries given up since one succeeded."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    events = models.JSONField(default=list)
    secret = models.CharField(max_length=100, editable=False)
    is_enabled = models.BooleanField(default=True)
    disabled_because = models.CharField(max_length=300, blank=True)
    failures = models.PositiveIntegerField(default=0)
    created_by = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["space"], condition=models.Q(is_enabled=True), name="webhook_enabled")]

    def __str__(self) -> str:
        return self.url


class WebhookDelivery(models.Model):
    """One event for one webhook. Its job is the queue, and says whether it waits, was delivered or was given up.

    `event_id` is the same however often it is delivered, so that the receiver can tell a repetition. `status_code` and
    `answer` are of the latest try.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="delivery")
    event = models.CharField(max_length=30)
    event_id = models.UUIDField()
    body = models.TextField()
    status_code = models.PositiveSmallIntegerField(null=True)
    answer = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["webhook", "-id"], name="delivery_by_webhook")]

    def __str__(self) -> str:
        return f"{self.event} → {self.webhook}"
