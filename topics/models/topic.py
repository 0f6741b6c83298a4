"""The document: Topic, its names and its versions."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from topics.models.change import ChangeSet, History, Tracked, TrackedQuerySet
from topics.models.space import Space


class TopicQuerySet(TrackedQuerySet):
    def advance_documents(self, ids: Iterable[Any], at: datetime) -> None:
        """Count up `document_version` of these topics. Called once for each change set, by the change set alone."""
        models.QuerySet.update(
            self.filter(pk__in=list(ids)),
            document_version=F("document_version") + 1,
            changed_at=at,
        )

    def note_summarised(self, pk: Any, basis: str) -> None:
        """Keep what the latest automatic summary of the topic was made from."""
        models.QuerySet.update(self.filter(pk=pk), summary_basis=basis)


class Topic(Tracked):
    """One document: a name, a kind, a summary and a status; facts, timeline and aliases point to it.

    `document_version` counts the change sets that touched the document or anything in it.

    A summary that was made from the facts is kept in `summary_sentences`, one `{"text", "facts": [ids], "stale"}` each;
    `summary` is the text of those that are not stale. One that somebody wrote has no sentences. `summary_basis` stands
    for what the latest automatic summary was made from, whatever became of it.
    """

    UNTRACKED: ClassVar[frozenset[str]] = frozenset({"document_version", "changed_at", "summary_basis"})

    class Kind(models.TextChoices):
        PERSON = "person", _("Person")
        CUSTOMER = "customer", _("Customer")
        PROJECT = "project", _("Project")
        TASK = "task", _("Task")
        INTEREST = "interest", _("Interest")
        CHARACTER = "character", _("Character")
        OTHER = "other", _("Other")

    class Status(models.TextChoices):
        ACTIVE = "active", _("Active")
        ARCHIVED = "archived", _("Archived")
        MERGED = "merged", _("Merged")
        DELETED = "deleted", _("Deleted")

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="topics")
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.OTHER)
    summary = models.TextField(blank=True)
    summary_by_person = models.BooleanField(default=False)
    summary_sentences = models.JSONField(default=list, blank=True)
    summary_basis = models.CharField(max_length=64, blank=True, editable=False)
    status = models.CharField(max_length=10, choices=Status, default=Status.ACTIVE)
    merged_into = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="merged")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    document_version = models.PositiveIntegerField(default=0, editable=False)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = TopicQuerySet.as_manager()  # type: ignore[misc]
    history = History(excluded_fields=["document_version", "changed_at", "summary_basis"])

    class Meta:
        ordering = ["-changed_at", "-id"]
        indexes = [models.Index(fields=["space", "status", "-changed_at"], name="topic_by_activity")]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="topic_has_name"),
            models.CheckConstraint(
                condition=Q(status="merged", merged_into__isnull=False)
                | (~Q(status="merged") & Q(merged_into__isnull=True)),
                name="topic_merged_into_survivor",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Alias(Tracked):
    """A name of a topic. The topic's own name is one too (`is_name`), so one constraint keeps all names apart.

    `key` is `topics.text.names.name_key(name)`.
    """

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="aliases")
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="aliases")
    name = models.CharField(max_length=200)
    key = models.CharField(max_length=200)
    is_name = models.BooleanField(default=False)

    history = History()

    class Meta:
        ordering = ["-is_name", "id"]
        constraints = [
            models.UniqueConstraint(fields=["space", "key"], name="alias_once_in_space"),
            models.UniqueConstraint(
                fields=["topic"],
                condition=Q(is_name=True),
                name="alias_one_name_a_topic",
            ),
            models.CheckConstraint(condition=~Q(key=""), name="alias_has_key"),
        ]

    def __str__(self) -> str:
        return self.name


class DocumentVersion(models.Model):
    """Which change set made which version of a document."""

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="versions")
    change_set = models.ForeignKey(ChangeSet, on_delete=models.PROTECT, related_name="documents")
    version = models.PositiveIntegerField()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["topic", "change_set"], name="document_version_once_a_set"),
            models.UniqueConstraint(fields=["topic", "version"], name="document_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.topic} v{self.version}"
