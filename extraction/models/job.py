"""Job: its row is the queue. MessageOutcome: how each message ended."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from topics.ids import uuid7
from topics.models import Conversation, Message, Space, Topic


class Job(models.Model):
    """One piece of background work.

    A worker claims it by compare-and-swap: `fence` counts the claims, `lease_until` says how long the present one
    holds, and a worker commits only while its own fence still stands. A queued job is due at `run_after`; a running one
    is due again when its lease has run out. After `max_attempts` without progress it is failed, visibly, until somebody
    retries it. While a queued job is `gathering`, more may join it; it is due when `run_after` has come or enough has
    gathered. A job that reads has a conversation; one without is about the whole space.
    """

    class Kind(models.TextChoices):
        EXTRACT = "extract", _("Read a conversation")
        EMBED = "embed", _("Turn texts into vectors")
        DISCOVER = "discover", _("Look for new topics")
        SUMMARISE = "summarise", _("Refresh a summary")
        DECIDE = "decide", _("Decide many proposals")
        DELIVER = "deliver", _("Deliver to a webhook")

    class Status(models.TextChoices):
        QUEUED = "queued", _("Waiting")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=20, choices=Kind, default=Kind.EXTRACT)
    conversation = models.ForeignKey(Conversation, null=True, blank=True, on_delete=models.CASCADE, related_name="jobs")
    topic = models.ForeignKey(Topic, null=True, blank=True, on_delete=models.CASCADE, related_name="jobs")
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    attempts = models.PositiveIntegerField(default=0)
    max_attempts = models.PositiveIntegerField(default=5)
    run_after = models.DateTimeField(default=timezone.now)
    gathering = models.BooleanField(default=False)
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)
    worker = models.CharField(max_length=100, blank=True)
    error = models.TextField(blank=True)
    report = models.JSONField(
        default=dict,
        blank=True,
        help_text=_("What a model found, and what of it was dropped or mended, by reason: found, dropped, mended"),
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["run_after"], condition=Q(status="queued"), name="job_due"),
            models.Index(fields=["lease_until"], condition=Q(status="running"), name="job_lease"),
            models.Index(fields=["space", "status"], name="job_by_space"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["conversation"], condition=Q(gathering=True), name="job_one_gathering"),
            models.UniqueConstraint(fields=["topic"], condition=Q(gathering=True), name="job_one_gathering_of_topic"),
            models.CheckConstraint(condition=Q(gathering=False) | Q(status="queued"), name="job_gathers_while_queued"),
            models.CheckConstraint(
                condition=~Q(kind__in=["extract", "summarise"])
                | Q(conversation__isnull=False)
                | Q(topic__isnull=False),
                name="job_is_about_something",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} · {self.pk} · {self.get_status_display()}"


class MessageOutcome(models.Model):
    """How the reading of one message ended: a failure is never reported as "nothing found"."""

    class Outcome(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        EXTRACTED = "extracted", _("Read")
        NOTHING = "nothing", _("Nothing to remember")
        FAILED = "failed", _("Failed")

    message = models.OneToOneField(Message, on_delete=models.CASCADE, primary_key=True, related_name="outcome")
    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="messages")
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.WAITING)
    error = models.TextField(blank=True)

    class Meta:
        indexes = [models.Index(fields=["job", "outcome"], name="outcome_by_job")]

    def __str__(self) -> str:
        return f"{self.message_id} · {self.get_outcome_display()}"
