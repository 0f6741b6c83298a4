"""Pairs of topics that may be the same one: suggested, until somebody merges them or says that they are not."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone

from topics.ids import uuid7
from topics.models.space import Space
from topics.models.topic import Topic


class DuplicatePair(models.Model):
    """Two topics with what speaks for and against their being one, as `topics.services.duplicates` found them.

    `reasons` is a list of {"code", "weight", "values"}, see `topics.likeness.pairs.Reason`. A dismissal holds for the
    names that the two had then, of which `names_key` is a digest.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="duplicate_pairs")
    first = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="+")
    score = models.FloatField()
    reasons = models.JSONField(default=list)
    names_key = models.CharField(max_length=64)
    found_at = models.DateTimeField(default=timezone.now)
    dismissed_at = models.DateTimeField(null=True, blank=True)
    dismissed_by = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-score", "pk"]
        constraints = [models.UniqueConstraint(fields=["first", "second"], name="duplicate_pair_once")]
        indexes = [
            models.Index(fields=["space", "-score"], condition=Q(dismissed_at__isnull=True), name="duplicate_pair_open")
        ]

    def __str__(self) -> str:
        return f"{self.first} = {self.second}?"


class DuplicateSearch(models.Model):
    """Up to when the topics of a space were compared. `running_since` keeps two processes from doing it at once."""

    # A search that has not ended by then died. What was written in its first seconds may not have been seen by it.
    GIVEN_UP_AFTER = timedelta(minutes=10)
    OVERLAP = timedelta(seconds=10)

    space = models.OneToOneField(Space, primary_key=True, on_delete=models.CASCADE, related_name="duplicate_search")
    searched_until = models.DateTimeField(null=True, blank=True)
    running_since = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return str(self.space)

    @property
    def is_running(self) -> bool:
        return self.running_since is not None and self.running_since >= timezone.now() - self.GIVEN_UP_AFTER

    @property
    def last_began_at(self) -> datetime | None:
        """When the last search that came to its end began."""
        return self.searched_until + self.OVERLAP if self.searched_until is not None else None
