"""The original words. Nothing here changes after it is stored."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from topics.ids import uuid7
from topics.models.space import Space
from topics.models.topic import Topic


class Conversation(models.Model):
    """A conversation under the caller's own id. `subject_name` is the subject as the caller named it.

    `subject_key` is `topics.text.names.subject_key(subject_name)`: a topic that gets the name later is linked by it.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="conversations")
    external_id = models.CharField(max_length=200)
    subject = models.ForeignKey(
        Topic,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="conversations",
    )
    subject_name = models.CharField(max_length=200, blank=True)
    subject_key = models.CharField(max_length=200, blank=True, editable=False)
    message_count = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_said_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["space", "external_id"], name="conversation_once_in_space")]
        indexes = [models.Index(fields=["space", "subject_key"], name="conversation_subject_key")]

    def __str__(self) -> str:
        return self.external_id


class Message(models.Model):
    """One turn, verbatim. `position` counts from 0 as they came; `said_at` falls back to the time of arrival.

    `repeats_memory` marks a reply that says again what the memory gave to the agent: it is not searched, so that the
    memory does not answer with its own echo.
    """

    class Role(models.TextChoices):
        USER = "user", _("User")
        ASSISTANT = "assistant", _("Assistant")
        SYSTEM = "system", _("System")
        TOOL = "tool", _("Tool")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="messages")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="messages")
    external_id = models.CharField(max_length=200)
    position = models.PositiveIntegerField()
    role = models.CharField(max_length=10, choices=Role)
    name = models.CharField(max_length=200, blank=True)
    content = models.TextField()
    repeats_memory = models.BooleanField(default=False)
    said_at = models.DateTimeField()
    received_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["conversation_id", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "external_id"],
                name="message_once_in_conversation",
            ),
            models.UniqueConstraint(fields=["conversation", "position"], name="message_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.name or self.get_role_display()}: {self.content[:60]}"

    @property
    def speaker(self) -> str:
        """The name if there is one, else the role."""
        return self.name or self.role
