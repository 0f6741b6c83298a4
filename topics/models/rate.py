"""RateBucket: how much of its rate a key has used."""

from __future__ import annotations

from django.db import models

from topics.models.space import ApiKey


class RateBucket(models.Model):
    """One key's requests, as one number: the moment at which everything used so far will have been given back.

    `full_at` is in microseconds since 1970. One column, so that one statement can look at it and move it on.
    """

    api_key = models.OneToOneField(ApiKey, primary_key=True, on_delete=models.CASCADE, related_name="+")
    full_at = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.api_key_id}: {self.full_at}"
