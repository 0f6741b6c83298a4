"""IdempotencyRecord: an answer that a caller may ask for again without its request being carried out again."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from topics.models.space import ApiKey


class IdempotencyRecord(models.Model):
    """One POST with an Idempotency-Key. `status` is null while the first request is being carried out.

    `reserved_at` is also the fence: the request that reserved the row may only complete it while it still stands.
    """

    api_key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    target = models.CharField(max_length=2000)  # method and path
    body_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    headers = models.JSONField(default=dict)
    body = models.TextField(blank=True)
    reserved_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["api_key", "key"], name="idempotency_key_once")]

    def __str__(self) -> str:
        return f"{self.key} · {self.status or '…'}"
