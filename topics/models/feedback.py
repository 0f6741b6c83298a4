"""What agents say of the answers that they got, and the statements that they call wrong."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from topics.ids import uuid7
from topics.models.space import ApiKey, Space
from topics.models.statement import Fact, TimelineEntry


class Feedback(models.Model):
    """What one caller says of one answer. `citations` are those of the answer that it is about, as they were sent."""

    class Verdict(models.TextChoices):
        USEFUL = "useful", _("Useful")
        NOT_USEFUL = "not_useful", _("Not useful")
        WRONG = "wrong", _("Wrong")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="feedback")
    api_key = models.ForeignKey(ApiKey, on_delete=models.PROTECT, related_name="+")
    query_id = models.UUIDField(db_index=True)
    verdict = models.CharField(max_length=10, choices=Verdict, blank=True)
    relevance = models.PositiveSmallIntegerField(null=True)
    satisfaction = models.PositiveSmallIntegerField(null=True)
    variant = models.CharField(max_length=100, blank=True)
    comment = models.TextField(blank=True)
    citations = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(relevance=None) | Q(relevance__lte=5), name="feedback_relevance"),
            models.CheckConstraint(
                condition=Q(satisfaction=None) | Q(satisfaction__gte=1, satisfaction__lte=5),
                name="feedback_satisfaction",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_verdict_display() or '–'} · {self.query_id}"


class Objection(models.Model):
    """A statement that an agent called wrong, until a person says that it is right or the statement changes.

    `content_key` is the statement's then: the same words are objected to once, and a change answers the objection.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="objections")
    feedback = models.ForeignKey(Feedback, on_delete=models.CASCADE, related_name="objections")
    fact = models.ForeignKey(Fact, null=True, on_delete=models.CASCADE, related_name="objections")
    entry = models.ForeignKey(TimelineEntry, null=True, on_delete=models.CASCADE, related_name="objections")
    content_key = models.CharField(max_length=64)
    dismissed_at = models.DateTimeField(null=True)
    dismissed_by = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["fact", "content_key"], name="objection_once_to_fact"),
            models.UniqueConstraint(fields=["entry", "content_key"], name="objection_once_to_entry"),
            models.CheckConstraint(
                condition=Q(fact__isnull=False, entry__isnull=True) | Q(fact__isnull=True, entry__isnull=False),
                name="objection_to_one_statement",
            ),
        ]
        indexes = [models.Index(fields=["space"], condition=Q(dismissed_at=None), name="objection_open")]

    def __str__(self) -> str:
        return str(self.statement)

    @property
    def statement(self) -> Fact | TimelineEntry:
        return self.fact or self.entry  # type: ignore[return-value]  # the database sees to it that one is there
