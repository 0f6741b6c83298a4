"""Texts of the memory as vectors. All of it is derived: `manage.py reembed` can make it anew."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from topics.models.conversation import Message
from topics.models.space import Space
from topics.models.statement import Fact
from topics.models.topic import Topic


class VectorSet(models.Model):
    """The vectors that one embedder made of one space. Only vectors of one set may be compared.

    Readers use the current set alone. A set that is being built becomes the current one when nothing is missing from
    it; the other is deleted then. `written` counts the writes, so that readers know what to read beside what they hold
    in memory; `stamp` changes where rows were deleted, and all of that is of no use. `dimensions` is null until
    the first vector is there.
    """

    class State(models.TextChoices):
        BUILDING = "building", _("Being made")
        CURRENT = "current", _("In use")

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="vector_sets")
    embedder = models.CharField(max_length=600)
    dimensions = models.PositiveIntegerField(null=True)
    state = models.CharField(max_length=10, choices=State, default=State.BUILDING)
    stamp = models.UUIDField(default=uuid.uuid4)
    written = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    completed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["space"], condition=Q(state="current"), name="vector_set_one_current")
        ]

    def __str__(self) -> str:
        return f"{self.embedder} · {self.get_state_display()}"


class Vector(models.Model):
    """One text: a fact, a topic's name and summary, or a turn.

    `values` are little-endian float32 of unit length; none for a text with nothing in it. `version` is the row's when
    it was read (for a turn, which never changes, that of the rules by which its text is made) and `digest` the SHA-256
    of the text, so that a row which changed in something else is not embedded again. `written` is the set's when the
    values were written.
    """

    set = models.ForeignKey(VectorSet, on_delete=models.CASCADE, related_name="vectors", db_index=False)
    topic = models.ForeignKey(Topic, null=True, on_delete=models.CASCADE, related_name="vectors")
    fact = models.ForeignKey(Fact, null=True, on_delete=models.CASCADE, related_name="vectors")
    message = models.ForeignKey(Message, null=True, on_delete=models.CASCADE, related_name="vectors")
    version = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64)
    values = models.BinaryField()
    written = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["set", "written"], name="vector_written")]
        constraints = [
            models.CheckConstraint(
                condition=Q(topic__isnull=False, fact__isnull=True, message__isnull=True)
                | Q(topic__isnull=True, fact__isnull=False, message__isnull=True)
                | Q(topic__isnull=True, fact__isnull=True, message__isnull=False),
                name="vector_of_one_row",
            ),
            models.UniqueConstraint(fields=["set", "topic"], name="vector_once_for_topic"),
            models.UniqueConstraint(fields=["set", "fact"], name="vector_once_for_fact"),
            models.UniqueConstraint(fields=["set", "message"], name="vector_once_for_message"),
        ]

    def __str__(self) -> str:
        return str(self.topic_id or self.fact_id or self.message_id)
