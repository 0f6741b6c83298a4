"""What is searched: one row for each passage of a message, each fact and each timeline entry."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from topics.models.conversation import Conversation, Message
from topics.models.space import Space
from topics.models.statement import Fact, TimelineEntry
from topics.models.topic import Topic


class Passage(models.Model):
    """A row of the search index. Derived from the memory alone: `manage.py rebuild_index` can write all of it anew.

    The six analysed columns hold terms separated by spaces. Each term is prefixed with the space's key and the kind of
    row ("12m" for messages, "12f" for statements), so that the engine's own term statistics are those of one space.
    The full text index over them (FTS5 on SQLite, a tsvector column on PostgreSQL) is made by migration 0002 and kept
    in step by the database itself. A later migration that rebuilds this table on SQLite must make the triggers again.

    Foreign keys have no index of their own where one of Meta's begins with the same column.

    `start` and `end` are code points of the message's content; `day` is the proleptic ordinal in the space's time zone;
    `line_tokens` is the cost of the line `speaker: text`. A statement made from a conversation carries the
    conversation, the position, the part and the neighbours of the passage its first evidence stands in; without such a
    passage it has no conversation.
    """

    class Kind(models.TextChoices):
        MESSAGE = "message", _("Message")
        FACT = "fact", _("Fact")
        ENTRY = "entry", _("Timeline entry")

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=7, choices=Kind)
    message = models.ForeignKey(Message, null=True, on_delete=models.CASCADE, related_name="passages", db_index=False)
    fact = models.ForeignKey(Fact, null=True, on_delete=models.CASCADE, related_name="passages", db_index=False)
    entry = models.ForeignKey(
        TimelineEntry, null=True, on_delete=models.CASCADE, related_name="passages", db_index=False
    )
    topic = models.ForeignKey(Topic, null=True, on_delete=models.CASCADE, related_name="+")
    conversation = models.ForeignKey(
        Conversation, null=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    position = models.PositiveIntegerField(default=0)
    part = models.PositiveIntegerField(default=0)
    start = models.PositiveIntegerField(default=0)
    end = models.PositiveIntegerField(default=0)
    day = models.IntegerField(null=True)
    speaker = models.CharField(max_length=200, blank=True)
    own = models.TextField()
    speaker_terms = models.TextField()
    prev1 = models.TextField()
    prev2 = models.TextField()
    next1 = models.TextField()
    next2 = models.TextField()
    n_terms = models.PositiveIntegerField()
    n_all = models.PositiveIntegerField()
    line_tokens = models.PositiveIntegerField()
    withheld = models.BooleanField(default=False)
    analyser_version = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["space", "day"], name="passage_by_day"),
            models.Index(fields=["conversation", "position", "part"], name="passage_by_position"),
            models.Index(fields=["space", "kind", "n_all"], name="passage_lengths"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="message", message__isnull=False, fact__isnull=True, entry__isnull=True)
                | Q(kind="fact", message__isnull=True, fact__isnull=False, entry__isnull=True)
                | Q(kind="entry", message__isnull=True, fact__isnull=True, entry__isnull=False),
                name="passage_of_one_row",
            ),
            models.UniqueConstraint(fields=["message", "part"], name="passage_once_for_part"),
            models.UniqueConstraint(fields=["fact"], name="passage_once_for_fact"),
            models.UniqueConstraint(fields=["entry"], name="passage_once_for_entry"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} · {self.message_id or self.fact_id or self.entry_id}"


class PassageCount(models.Model):
    """How many rows the index has and how many terms (`n_all`) these hold together: of a space's messages, or of its
    statements. What counts is the sum: PostgreSQL adds a row for each change, so that no writer waits for another, and
    joins them now and then.

    Written by the database itself, whatever writes the index (migration 0017).
    """

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False)
    statements = models.BooleanField()
    rows = models.BigIntegerField()
    terms = models.BigIntegerField()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["space", "statements"], name="passage_count_of_space")]

    def __str__(self) -> str:
        return f"{self.space_id} · {self.rows}"
