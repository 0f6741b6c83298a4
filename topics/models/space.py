"""The tenant, its people and its keys."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from topics.ids import uuid7


class Space(models.Model):
    """The tenant. Everything belongs to exactly one. Its integer key is internal and never leaves the product.

    A conversation is read when `read_after_turns` new turns (0: at once) or `read_after_tokens` tokens of them have
    gathered, or when nothing was said for `read_after_seconds`. None leaves each to whatever reads the space.
    """

    class Language(models.TextChoices):
        ENGLISH = "en", _("English")
        CHINESE = "zh-hans", _("Simplified Chinese")

    class ReviewPolicy(models.TextChoices):
        EVERYTHING = "everything", _("Everything waits for a person")
        UNCERTAIN = (
            "uncertain",
            _("Conflicts and uncertain statements wait for a person"),
        )
        AUTOMATIC = "automatic", _("Only conflicts wait for a person")

    class ConflictPolicy(models.TextChoices):
        REVIEW = "review", _("A person decides")
        NEWEST = "newest", _("The newest statement wins")
        ASK = "ask", _("The agent asks its user")

    class SourceTurns(models.TextChoices):
        NONE = "none", _("Agents see statements only")
        APPROVED = "approved", _("Agents also see the quoted words behind approved statements")
        ALL = "all", _("Agents also see every turn in which nothing waits or was rejected")

    class TopicSensitivity(models.TextChoices):
        LOW = "low", _("Few: only what is spoken of again and again")
        NORMAL = "normal", _("As a rule: whatever has a name")
        HIGH = "high", _("Many: also what is hardly mentioned")

    slug = models.SlugField(max_length=64, unique=True)
    name = models.CharField(max_length=200)
    language = models.CharField(max_length=10, choices=Language, default=Language.ENGLISH)
    time_zone = models.CharField(max_length=64, default="UTC")
    review_policy = models.CharField(max_length=12, choices=ReviewPolicy, default=ReviewPolicy.EVERYTHING)
    conflict_policy = models.CharField(max_length=12, choices=ConflictPolicy, default=ConflictPolicy.REVIEW)
    source_turns = models.CharField(max_length=12, choices=SourceTurns, default=SourceTurns.APPROVED)
    topic_sensitivity = models.CharField(max_length=6, choices=TopicSensitivity, default=TopicSensitivity.NORMAL)
    read_after_turns = models.PositiveIntegerField(null=True, blank=True)
    read_after_tokens = models.PositiveIntegerField(null=True, blank=True)
    read_after_seconds = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A person's role in a space. Each role includes the ones before it."""

    class Role(models.TextChoices):
        VIEWER = "viewer", _("Viewer")
        REVIEWER = "reviewer", _("Reviewer")
        ADMIN = "admin", _("Admin")

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.VIEWER)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["space", "user"], name="membership_once")]

    def __str__(self) -> str:
        return f"{self.user} · {self.space} · {self.get_role_display()}"

    @property
    def may_review(self) -> bool:
        return self.role in (self.Role.REVIEWER, self.Role.ADMIN)

    @property
    def may_administer(self) -> bool:
        return self.role == self.Role.ADMIN


class Preference(models.Model):
    """How one person likes the console."""

    class Theme(models.TextChoices):
        AUTO = "auto", _("As the system")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="preference")
    language = models.CharField(max_length=10, choices=Space.Language, blank=True)
    theme = models.CharField(max_length=5, choices=Theme, default=Theme.AUTO)
    single_keys = models.BooleanField(default=True)
    space = models.ForeignKey(Space, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    def __str__(self) -> str:
        return str(self.user)


class ApiKey(models.Model):
    """A key of one space. Only its SHA-256 is stored: the key itself is 256 random bits, so no slow hash is needed."""

    class Scope(models.TextChoices):
        READ = "read", _("Read")
        PROPOSE = "propose", pgettext_lazy("what a key may do", "Propose")
        WRITE = "write", _("Write")
        REVIEW = "review", _("Review")
        ADMIN = "admin", pgettext_lazy("what a key may do", "Admin")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=100, blank=True)
    prefix = models.CharField(max_length=16, help_text=_("The first characters, to tell keys apart"))
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    requests_per_minute = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Empty: as the installation sets it. 0: no limit")
    )

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.prefix}… ({self.name})" if self.name else f"{self.prefix}…"

    def may(self, scope: str) -> bool:
        return scope in self.scopes

    @property
    def is_usable(self) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > timezone.now())


# What each scope allows, in a line.
SCOPES = {
    ApiKey.Scope.READ: _(
        "ask the memory and judge its answers; look at topics, their history, conversations and state"
    ),
    ApiKey.Scope.PROPOSE: _(
        "hand in what was said and what was found in it, to be reviewed as the policy says; keep state; judge answers"
    ),
    ApiKey.Scope.WRITE: _("what Propose allows, and change facts, timeline, names and topics without review; undo"),
    ApiKey.Scope.REVIEW: _("decide proposals, conflicts, questions and likely duplicates; look at feedback"),
    ApiKey.Scope.ADMIN: _("merge and split topics; manage webhooks"),
}
