"""BulkDecision: one decision on many proposals, with what became of each."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from extraction.models.job import Job
from extraction.models.proposal import Proposal
from topics.ids import uuid7
from topics.models import ChangeSet, Space


class BulkDecision(models.Model):
    """One decision on many proposals: at once when they are few, part by part in `job` when they are many.

    Each part is a change set, so that nobody else waits long for a part, and the whole is undone part by part.
    """

    class State(models.TextChoices):
        DECIDING = "deciding", _("Deciding")
        DECIDED = "decided", _("Decided")
        UNDOING = "undoing", _("Undoing")
        UNDONE = "undone", _("Undone")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="bulk_decisions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    decision = models.CharField(max_length=10)
    reason = models.TextField(blank=True)
    snooze_until = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.DECIDING)
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="bulk_decisions")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.pk} · {self.get_state_display()}"

    @property
    def is_at_work(self) -> bool:
        return self.state in (self.State.DECIDING, self.State.UNDOING)


class BulkItem(models.Model):
    """What became of one proposal: `status`, `code` and `message` as in a `Result`, empty while its part has not come.

    `undo` tells how taking it back ended; where that failed, `message` says why.
    """

    class Undo(models.TextChoices):
        UNDONE = "undone", _("Undone")
        BLOCKED = "blocked", _("Not undone")

    bulk = models.ForeignKey(BulkDecision, on_delete=models.CASCADE, related_name="items")
    proposal = models.ForeignKey(Proposal, on_delete=models.CASCADE, related_name="+")
    status = models.CharField(max_length=10, blank=True)
    code = models.CharField(max_length=40, blank=True)
    message = models.TextField(blank=True)
    change_set = models.ForeignKey(ChangeSet, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    undo = models.CharField(max_length=10, choices=Undo, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["bulk", "proposal"], name="bulk_item_once")]
        indexes = [
            models.Index(fields=["bulk"], condition=Q(status=""), name="bulk_item_waiting"),
            models.Index(fields=["bulk", "status"], name="bulk_item_by_status"),
        ]

    def __str__(self) -> str:
        return str(self.proposal_id)
