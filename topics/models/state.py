"""StateEntry: what an agent that works on a topic keeps for itself, by key."""

from __future__ import annotations

import json
from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from topics.ids import uuid7
from topics.models.topic import Topic


class StateEntry(models.Model):
    """One value of a workflow's state: JSON as it was sent, which no person reviews and no answer shows.

    `sort_key` is the key in UTF-8: bytes compare the same in every database, so lists and ranges of keys do too.
    `value` is text rather than a JSON column, which would reorder names and rewrite numbers. `version` counts the
    writes that changed it. When topics are merged an entry stays where it was written: undoing that parts them again.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="state")
    sort_key = models.BinaryField()
    value = models.TextField()
    size = models.PositiveIntegerField(help_text=_("Of the value, in bytes of UTF-8"))
    digest = models.CharField(max_length=16)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    written_by = models.CharField(max_length=200)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["topic", "sort_key"], name="state_key_once_in_topic")]

    def __str__(self) -> str:
        return f"{self.key} v{self.version}"

    @property
    def key(self) -> str:
        return bytes(self.sort_key).decode()

    @property
    def parsed(self) -> Any:
        """The value itself."""
        return json.loads(self.value)

    @property
    def etag(self) -> str:
        """The strong ETag of the value, quoted: it changes with every write that changes the value."""
        return f'"{self.version}-{self.digest}"'
