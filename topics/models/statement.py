"""What a document says: facts, timeline entries, and the words behind them."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from topics.ids import uuid7
from topics.models.change import ChangeSet, History, Tracked
from topics.models.conversation import Message
from topics.models.space import Space
from topics.models.topic import Topic


class Certainty(models.TextChoices):
    CONFIRMED = "confirmed", _("Confirmed")
    PLANNED = "planned", _("Planned")
    TENTATIVE = "tentative", _("Tentative")


class Origin(models.TextChoices):
    """Whose words a statement is in."""

    EXTRACTED = "extracted", _("Taken from a conversation")
    PERSON = "person", _("Written by a person")
    AGENT = "agent", _("Written by an agent")


WRITTEN = (Origin.PERSON, Origin.AGENT)


class Fact(Tracked):
    """One self-contained statement about a topic.

    `content_key` is `topics.services.statements.content_key(text)`: a topic says the same thing once.
    `corrected_at` is when a person last wrote or edited it: words said before that do not outrank it.
    A merge leaves one of the facts that say the same; the others are joined with it (`superseded_by`) and rest.
    """

    class Kind(models.TextChoices):
        FACT = "fact", _("Fact")
        DECISION = "decision", _("Decision")
        NUMBER = "number", _("Number")
        STATUS = "status", _("Status")
        PREFERENCE = "preference", _("Preference")

    class Status(models.TextChoices):
        ACTIVE = "active", _("Current")
        SUPERSEDED = "superseded", _("Superseded")
        RETRACTED = "retracted", _("Retracted")
        JOINED = "joined", _("Joined with the same statement")

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="facts")
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="facts")
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.FACT)
    text = models.TextField()
    attribute = models.CharField(max_length=100, blank=True)
    value = models.CharField(max_length=200, blank=True)
    unit = models.CharField(max_length=40, blank=True)
    negated = models.BooleanField(default=False)
    certainty = models.CharField(max_length=10, choices=Certainty, default=Certainty.CONFIRMED)
    status = models.CharField(max_length=10, choices=Status, default=Status.ACTIVE)
    superseded_by = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="supersedes",
    )
    speaker = models.CharField(max_length=200, blank=True)
    said_at = models.DateTimeField(null=True, blank=True)
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_until = models.DateTimeField(null=True, blank=True)
    scope = models.CharField(
        max_length=200,
        blank=True,
        help_text=_("Where it holds, when it does not hold everywhere"),
    )
    origin = models.CharField(max_length=10, choices=Origin, default=Origin.EXTRACTED)
    corrected_at = models.DateTimeField(null=True, blank=True)
    content_key = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    history = History()

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["topic", "status", "attribute"], name="fact_by_attribute"),
            models.Index(fields=["space"], condition=Q(status="retracted"), name="fact_retracted"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "content_key"],
                condition=Q(status="active"),
                name="fact_once_in_topic",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="fact_has_text"),
            models.CheckConstraint(
                condition=Q(valid_from__isnull=True)
                | Q(valid_until__isnull=True)
                | Q(valid_from__lte=F("valid_until")),
                name="fact_valid_in_order",
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class TimelineEntry(Tracked):
    """Something that happened (or will), with its own date as exact as it was said and no more."""

    class Precision(models.TextChoices):
        YEAR = "year", _("Year")
        MONTH = "month", _("Month")
        DAY = "day", _("Day")
        MINUTE = "minute", _("Minute")

    class Status(models.TextChoices):
        ACTIVE = "active", _("Current")
        RETRACTED = "retracted", _("Retracted")
        JOINED = "joined", _("Joined with the same statement")

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="timeline_entries")
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="timeline")
    text = models.TextField()
    happened_at = models.DateTimeField()
    precision = models.CharField(max_length=6, choices=Precision, default=Precision.DAY)
    certainty = models.CharField(max_length=10, choices=Certainty, default=Certainty.CONFIRMED)
    status = models.CharField(max_length=10, choices=Status, default=Status.ACTIVE)
    speaker = models.CharField(max_length=200, blank=True)
    said_at = models.DateTimeField(null=True, blank=True)
    origin = models.CharField(max_length=10, choices=Origin, default=Origin.EXTRACTED)
    content_key = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    history = History()

    class Meta:
        ordering = ["-happened_at", "-id"]
        verbose_name_plural = "timeline entries"
        indexes = [models.Index(fields=["space"], condition=Q(status="retracted"), name="entry_retracted")]
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "content_key"],
                condition=Q(status="active"),
                name="entry_once_in_topic",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="entry_has_text"),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class Evidence(models.Model):
    """The exact words: fact or timeline entry ↔ message, the span [start, end) in code points of its content.

    Never deleted: undo sets `removed_by`, and undoing the undo clears it.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    fact = models.ForeignKey(Fact, null=True, on_delete=models.CASCADE, related_name="evidence")
    entry = models.ForeignKey(TimelineEntry, null=True, on_delete=models.CASCADE, related_name="evidence")
    message = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="evidence")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    added_by = models.ForeignKey(ChangeSet, on_delete=models.PROTECT, related_name="evidence_added")
    # An index of nearly all rows, which have none, would only lead SQLite astray.
    removed_by = models.ForeignKey(
        ChangeSet, null=True, on_delete=models.PROTECT, related_name="evidence_removed", db_index=False
    )

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "evidence"
        indexes = [
            models.Index(fields=["removed_by"], condition=Q(removed_by__isnull=False), name="evidence_removed"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(fact__isnull=False, entry__isnull=True) | Q(fact__isnull=True, entry__isnull=False),
                name="evidence_of_one_statement",
            ),
            models.CheckConstraint(condition=Q(start__lt=F("end")), name="evidence_span"),
            models.UniqueConstraint(
                fields=["fact", "message", "start", "end"],
                name="evidence_once_for_fact",
            ),
            models.UniqueConstraint(
                fields=["entry", "message", "start", "end"],
                name="evidence_once_for_entry",
            ),
        ]

    def __str__(self) -> str:
        return self.quote

    @property
    def quote(self) -> str:
        return self.message.content[self.start : self.end]


class Dispute(models.Model):
    """While open, the fact is shown as disputed: a later statement contradicts it and nobody has decided yet.

    Once settled it stays in the document as one of its past conflicts: with what came of it, by which act, and the fact
    that the statement became, if it did. `claim` is what the statement says.
    """

    class Outcome(models.TextChoices):
        REPLACE = "replace", _("Replaced what was held")
        KEEP = "keep", _("What was held stayed")
        BOTH = "both", _("Both were true")
        NEITHER = "neither", _("Neither was true")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    fact = models.ForeignKey(Fact, on_delete=models.CASCADE, related_name="disputes")
    message = models.ForeignKey(Message, null=True, on_delete=models.SET_NULL, related_name="disputes")
    said_at = models.DateTimeField(null=True, help_text=_("When the contradicting words were said"))
    claim = models.TextField(blank=True)
    became = models.ForeignKey(Fact, null=True, on_delete=models.SET_NULL, related_name="+")
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(ChangeSet, null=True, on_delete=models.PROTECT, related_name="disputes_closed")

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(
                fields=["fact"],
                condition=Q(closed_at__isnull=True),
                name="dispute_open",
            )
        ]

    def __str__(self) -> str:
        return str(self.fact)
