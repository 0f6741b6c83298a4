"""What reviewers do around proposals: who has one in hand, who looks at it, and the views of the queue they keep."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from extraction.models.proposal import Proposal
from topics.changes import name_of
from topics.ids import uuid7
from topics.models import Space


class ReviewClaim(models.Model):
    """Who has a proposal in hand, and until when. A claim that has run out counts for nothing; its row is used again.

    A claim warns others and forbids nothing.
    """

    proposal = models.OneToOneField(Proposal, primary_key=True, on_delete=models.CASCADE, related_name="claim")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    until = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["user", "until"], name="claim_by_user")]

    def __str__(self) -> str:
        return f"{self.proposal_id} · {self.holder}"

    @property
    def holder(self) -> str:
        """The person's name."""
        return name_of(self.user)

    @property
    def is_live(self) -> bool:
        return self.until > timezone.now()


class ReviewLook(models.Model):
    """The proposal that a person last had open in a space while somebody else had it in hand, and when that was."""

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    proposal = models.ForeignKey(Proposal, on_delete=models.CASCADE, related_name="looks")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["space", "user"], name="look_once_a_person")]

    def __str__(self) -> str:
        return f"{self.proposal_id} · {self.user}"


class SavedView(models.Model):
    """A tab of the review queue with its filters and order, under a name of the person's own.

    `query` is the query of its address, as `QueueFilter.query` writes it.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(_("Name"), max_length=60)
    tab = models.CharField(max_length=20)
    query = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["space", "user", "name"], name="saved_view_name")]

    def __str__(self) -> str:
        return self.name
