"""Proposal: a change that waits for a decision; Conflict: one that contradicts what is held."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from extraction.models.job import Job
from topics.ids import uuid7
from topics.models import ChangeSet, Dispute, Fact, Message, Space, TimelineEntry, Topic
from topics.models.statement import Certainty

DISCOVERY = "discovery"  # the extractor of topics that were found among turns without one


class Proposal(models.Model):
    """One change that waits for a decision.

    It belongs to `topic`, or, while its topic is itself only proposed, to `new_topic`, which is approved with it.
    `fingerprint` makes it unique for ever: what a message was once proposed for is never proposed again from it.
    `base_version` is the document's version when it was filed. When its topic is merged it follows to the survivor, and
    `filed_for` remembers where it came from. `is_held` marks a fact that stands already: a merge brought it into the
    document of a fact that it contradicts, and only the conflict between the two waits.
    """

    class Kind(models.TextChoices):
        TOPIC = "topic", _("New topic")
        FACT = "fact", _("Fact")
        TIMELINE = "timeline", _("Timeline entry")
        ALIAS = "alias", _("Alias")
        SUMMARY = "summary", _("Summary")
        ARCHIVE = "archive", _("Archive")
        MERGE = "merge", _("Merge")

    class Status(models.TextChoices):
        PENDING = "pending", _("Waiting")
        SNOOZED = "snoozed", _("Snoozed")
        APPROVED = "approved", _("Approved")
        REJECTED = "rejected", _("Rejected")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="proposals")
    kind = models.CharField(max_length=10, choices=Kind)
    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    topic = models.ForeignKey(Topic, null=True, blank=True, on_delete=models.CASCADE, related_name="proposals")
    filed_for = models.ForeignKey(Topic, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    is_held = models.BooleanField(default=False)
    new_topic = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="dependents",
    )
    topic_name = models.CharField(max_length=200, blank=True, help_text=_("Of a new topic: its name"))
    topic_kind = models.CharField(max_length=10, choices=Topic.Kind, blank=True)
    topic_key = models.CharField(
        max_length=200, blank=True, help_text=_("Of a new topic: its name after normalisation")
    )
    is_provisional = models.BooleanField(
        default=False, help_text=_("Of a new topic: not worth one yet, so that what belongs to it only gathers")
    )
    resembles = models.ForeignKey(
        Topic,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text=_("Of a new topic: the one that it may be"),
    )
    similar_fact = models.ForeignKey(
        Fact,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text=_("A held fact that says nearly the same"),
    )
    base_version = models.PositiveIntegerField(default=0)

    text = models.TextField(blank=True)
    sentences = models.JSONField(
        default=list, blank=True, help_text=_("Of a summary made from facts: its sentences, each with its facts")
    )
    fact_kind = models.CharField(max_length=10, choices=Fact.Kind, blank=True)
    attribute = models.CharField(max_length=100, blank=True)
    value = models.CharField(max_length=200, blank=True)
    unit = models.CharField(max_length=40, blank=True)
    negated = models.BooleanField(default=False)
    certainty = models.CharField(max_length=10, choices=Certainty, default=Certainty.CONFIRMED)
    confidence = models.FloatField(default=1.0)
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_until = models.DateTimeField(null=True, blank=True)
    happened_at = models.DateTimeField(null=True, blank=True)
    precision = models.CharField(max_length=6, choices=TimelineEntry.Precision, blank=True)
    alias = models.CharField(max_length=200, blank=True)
    speaker = models.CharField(max_length=200, blank=True)
    said_at = models.DateTimeField(null=True, blank=True)

    message = models.ForeignKey(
        Message,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="proposals",
    )
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="proposals")
    extractor = models.CharField(max_length=40, blank=True)
    model = models.CharField(max_length=100, blank=True)
    why = models.CharField(max_length=200, blank=True)
    fingerprint = models.CharField(max_length=64)
    content_key = models.CharField(max_length=64, blank=True, help_text=_("Equal for two proposals that say the same"))

    snoozed_until = models.DateTimeField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.CharField(max_length=200, blank=True)
    reason = models.TextField(blank=True)
    fact = models.ForeignKey(Fact, null=True, blank=True, on_delete=models.SET_NULL, related_name="proposals")
    entry = models.ForeignKey(
        TimelineEntry,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="proposals",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["space", "status", "kind", "-id"], name="proposal_queue"),
            models.Index(fields=["topic", "status"], name="proposal_by_topic"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["space", "fingerprint"], name="proposal_once"),
            models.CheckConstraint(
                condition=Q(kind="topic") | Q(topic__isnull=False) | Q(new_topic__isnull=False),
                name="proposal_has_topic",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {(self.text or self.alias or self.topic_name)[:80]}"

    @property
    def is_open(self) -> bool:
        return self.status in (self.Status.PENDING, self.Status.SNOOZED)


class ProposalQuote(models.Model):
    """The exact words behind a proposal: the span [start, end) in code points of the message."""

    proposal = models.ForeignKey(Proposal, on_delete=models.CASCADE, related_name="quotes")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="proposal_quotes")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(start__lt=F("end")), name="proposal_quote_span"),
            models.UniqueConstraint(
                fields=["proposal", "message", "start", "end"],
                name="proposal_quote_once",
            ),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        return self.message.content[self.start : self.end]


class Conflict(models.Model):
    """A proposal that contradicts a held fact. `fact_version` is the fact's version when the conflict was found.

    When the proposal is held itself, `counter_dispute` shows that fact as disputed as well.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("Open")
        RESOLVED = "resolved", _("Resolved")

    class Outcome(models.TextChoices):
        REPLACE = "replace", _("Replace what is held")
        KEEP = "keep", _("Keep what is held")
        BOTH = "both", _("Both are true")
        NEITHER = "neither", _("Neither is true")
        ASK = "ask", _("Ask the customer")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="conflicts")
    proposal = models.OneToOneField(Proposal, on_delete=models.CASCADE, related_name="conflict")
    fact = models.ForeignKey(Fact, on_delete=models.CASCADE, related_name="conflicts")
    fact_version = models.PositiveIntegerField()
    dispute = models.ForeignKey(Dispute, on_delete=models.PROTECT, related_name="+")
    counter_dispute = models.ForeignKey(Dispute, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    why = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    valid_until = models.DateTimeField(null=True, blank=True)
    scope = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["space", "status", "-id"], name="conflict_queue")]

    def __str__(self) -> str:
        return f"{self.proposal} ↔ {self.fact}"

    @property
    def disputes(self) -> list[Dispute]:
        return [dispute for dispute in (self.dispute, self.counter_dispute) if dispute is not None]


class Decision(models.Model):
    """One step in the life of a proposal, inside the change set that took it. Undoing the change set takes it back."""

    proposal = models.ForeignKey(Proposal, on_delete=models.CASCADE, related_name="decisions")
    change_set = models.ForeignKey(ChangeSet, on_delete=models.PROTECT, related_name="decisions")
    before = models.CharField(max_length=10, choices=Proposal.Status)
    after = models.CharField(max_length=10, choices=Proposal.Status)
    conflict_outcome = models.CharField(max_length=10, choices=Conflict.Outcome, blank=True)
    edits = models.JSONField(default=dict)
    topic = models.ForeignKey(
        Topic,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text=_("Of a new topic: the one that it became"),
    )
    snoozed_before = models.DateTimeField(null=True, help_text=_("Until when it had been snoozed before the step"))
    snoozed_after = models.DateTimeField(null=True, help_text=_("Until when the step snoozed it"))
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["proposal", "change_set"], name="decision_once_in_change_set")]

    def __str__(self) -> str:
        return f"{self.proposal_id} · {self.get_before_display()} → {self.get_after_display()}"


class Confirmation(models.Model):
    """The question an agent should put to its user to settle a conflict, and the answer.

    `fact_version` is that of the held fact which the question quotes; None where that is not known.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("Open")
        ANSWERED = "answered", _("Answered")
        CANCELLED = "cancelled", _("Cancelled")

    class Answer(models.TextChoices):
        YES = "yes", _("Yes")
        NO = "no", _("No")
        OTHER = "other", _("Something else")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="confirmations")
    conflict = models.ForeignKey(Conflict, on_delete=models.CASCADE, related_name="confirmations")
    question = models.TextField()
    fact_version = models.PositiveIntegerField(null=True, editable=False)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    answer = models.CharField(max_length=10, choices=Answer, blank=True)
    message = models.ForeignKey(Message, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["conflict"],
                condition=Q(status="open"),
                name="confirmation_one_open",
            )
        ]

    def __str__(self) -> str:
        return self.question
