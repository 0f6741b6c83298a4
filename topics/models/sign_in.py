"""SignInAttempts: how often signing in failed, so that passwords cannot be guessed at will."""

from __future__ import annotations

from django.db import models


class SignInAttempts(models.Model):
    """The failed attempts of one account from one address. Signing in removes the row.

    `key` is a digest of both: what is typed as a user name may be a password.
    """

    key = models.CharField(max_length=64, unique=True)
    failures = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField(db_index=True)
    closed_until = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.last_at} · {self.failures}"
