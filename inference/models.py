"""What is kept of models: how a space reaches one, each call, what was learnt about endpoints, and the use of a day."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Purpose(models.TextChoices):
    """What a call is for; people filter the list of calls by it."""

    FIND = "find", _("Find statements")
    CHECK = "check", _("Check statements")
    SUMMARISE = "summarise", _("Write a summary")
    NAME_TOPIC = "name_topic", _("Name a topic")
    CHAT = "chat", _("Chat")
    EMBED = "embed", _("Embed")
    TEST = "test", _("Test the connection")


class ModelPolicy(models.Model):
    """How one space departs from the settings of the installation; empty and null mean: as there.

    With a `base_url` of its own a space also needs its own `api_key`: the installation's key goes to the
    installation's endpoint only. The key is never shown again, to nobody.
    """

    class Embedder(models.TextChoices):
        NONE = "none", _("None")
        ENDPOINT = "openai", _("The model endpoint")
        LOCAL = "local", _("The local encoder")

    space = models.OneToOneField("topics.Space", on_delete=models.CASCADE, related_name="model_policy")
    use_model = models.BooleanField(default=True)
    base_url = models.CharField(max_length=500, blank=True)
    model = models.CharField(max_length=200, blank=True)
    api_key = models.CharField(max_length=500, blank=True, editable=False)
    embedder = models.CharField(max_length=10, choices=Embedder, blank=True)
    embedding_model = models.CharField(max_length=200, blank=True)
    daily_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    daily_calls = models.PositiveIntegerField(null=True, blank=True)
    # For a million tokens, in whatever currency the operator reckons.
    prompt_price = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    completion_price = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)

    class Meta:
        verbose_name_plural = "model policies"

    def __str__(self) -> str:
        return str(self.space)


class ModelCall(models.Model):
    """One HTTP call to a model endpoint, written before it is made and completed whatever becomes of it."""

    class Outcome(models.TextChoices):
        RUNNING = "running", _("Running")
        ANSWERED = "answered", _("Answered")
        CUT_OFF = "cut_off", _("Cut off")
        REFUSED = "refused", _("Refused")
        UNREADABLE = "unreadable", _("Unreadable")
        UNAVAILABLE = "unavailable", _("Unavailable")
        REJECTED = "rejected", _("Rejected")
        LOST = "lost", _("Lost with its worker")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    space = models.ForeignKey("topics.Space", on_delete=models.CASCADE, related_name="model_calls")
    purpose = models.CharField(max_length=20, choices=Purpose)
    endpoint = models.CharField(max_length=300, help_text=_("Host and port"))
    model = models.CharField(max_length=200)
    job = models.UUIDField(null=True, blank=True)
    reference = models.CharField(max_length=200, blank=True, help_text=_("What the call was about"))
    started_at = models.DateTimeField(default=timezone.now, editable=False)
    seconds = models.FloatField(null=True, blank=True)
    prompt_tokens = models.PositiveIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveIntegerField(null=True, blank=True)
    cost = models.DecimalField(max_digits=16, decimal_places=8, null=True, blank=True)
    outcome = models.CharField(max_length=12, choices=Outcome, default=Outcome.RUNNING)
    error = models.TextField(blank=True)
    prompt = models.JSONField(default=list)
    answer = models.TextField(blank=True)

    class Meta:
        ordering = ["-started_at", "-id"]
        indexes = [
            models.Index(fields=["space", "-started_at"], name="call_by_space"),
            models.Index(fields=["started_at"], name="call_by_age"),
            models.Index(fields=["job"], condition=models.Q(job__isnull=False), name="call_by_job"),
        ]

    def __str__(self) -> str:
        return f"{self.get_purpose_display()} · {self.pk} · {self.get_outcome_display()}"


class ModelUsage(models.Model):
    """What a space has used of its models on one day of its time zone, running calls included at their estimate."""

    space = models.ForeignKey("topics.Space", on_delete=models.CASCADE, related_name="model_usage")
    day = models.DateField()
    calls = models.PositiveIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name_plural = "model usage"
        constraints = [models.UniqueConstraint(fields=["space", "day"], name="usage_once_a_day")]

    def __str__(self) -> str:
        return f"{self.space_id} · {self.day}"


class EndpointTrait(models.Model):
    """Something that a model at an endpoint does not know, learnt from its refusal, so that it is not asked again."""

    endpoint = models.CharField(max_length=500)
    model = models.CharField(max_length=200)
    trait = models.CharField(max_length=40)
    learnt_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["endpoint", "model", "trait"], name="trait_once")]

    def __str__(self) -> str:
        return f"{self.model} · {self.endpoint} · {self.trait}"


class Breaker(models.Model):
    """Keeps all workers from an endpoint that fails: closed while `open_until` is null.

    When `open_until` has passed, one call at a time is let through as a probe (until `probe_until` for one that never
    returns); its success closes the breaker, its failure opens it again.
    """

    endpoint = models.CharField(max_length=500, unique=True)
    failures = models.PositiveIntegerField(default=0, help_text=_("In a row"))
    open_until = models.DateTimeField(null=True, blank=True)
    probe_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.endpoint} · {self.failures}"
