"""Django's administration: people and spaces can be set up here; what is tracked or immutable can only be read."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from topics.console.sign_in import AdminSignInForm
from topics.models import (
    Alias,
    ApiKey,
    ChangeSet,
    Conversation,
    Evidence,
    Fact,
    Membership,
    Message,
    Preference,
    Space,
    TimelineEntry,
    Topic,
)

admin.site.login_form = AdminSignInForm


class ReadOnlyAdmin(admin.ModelAdmin):
    """For rows that only services may write: an edit here would leave no history."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class MembershipInline(admin.TabularInline):
    model = Membership
    raw_id_fields = ["user"]
    extra = 1


@admin.register(Space)
class SpaceAdmin(admin.ModelAdmin):
    """A space is made by `manage.py create_space`; here its people are."""

    list_display = ["slug", "name", "language", "time_zone", "review_policy"]
    search_fields = ["slug", "name"]
    readonly_fields = ["slug"]
    inlines = [MembershipInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Preference)
class PreferenceAdmin(admin.ModelAdmin):
    list_display = ["user", "language", "theme", "space"]
    raw_id_fields = ["user", "space"]


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnlyAdmin):
    list_display = ["prefix", "name", "space", "scopes", "expires_at", "revoked_at", "last_used_at"]
    list_filter = ["space"]
    exclude = ["digest"]


@admin.register(Topic)
class TopicAdmin(ReadOnlyAdmin):
    list_display = ["name", "kind", "status", "space", "document_version", "changed_at"]
    list_filter = ["space", "kind", "status"]
    search_fields = ["name"]


@admin.register(Alias)
class AliasAdmin(ReadOnlyAdmin):
    list_display = ["name", "key", "topic", "is_name"]
    list_filter = ["space"]
    list_select_related = ["topic"]
    search_fields = ["name", "key"]


@admin.register(Fact)
class FactAdmin(ReadOnlyAdmin):
    list_display = ["text", "topic", "kind", "status", "certainty", "said_at"]
    list_filter = ["space", "kind", "status", "certainty"]
    list_select_related = ["topic"]
    search_fields = ["text"]


@admin.register(TimelineEntry)
class TimelineEntryAdmin(ReadOnlyAdmin):
    list_display = ["text", "topic", "happened_at", "precision", "status"]
    list_filter = ["space", "status"]
    list_select_related = ["topic"]
    search_fields = ["text"]


@admin.register(ChangeSet)
class ChangeSetAdmin(ReadOnlyAdmin):
    list_display = ["at", "action", "actor_label", "reason", "space"]
    list_filter = ["space", "action"]
    list_select_related = ["space"]


@admin.register(Conversation)
class ConversationAdmin(ReadOnlyAdmin):
    list_display = ["external_id", "subject_name", "message_count", "last_said_at", "space"]
    list_filter = ["space"]
    list_select_related = ["space"]
    search_fields = ["external_id", "subject_name"]


@admin.register(Message)
class MessageAdmin(ReadOnlyAdmin):
    list_display = ["conversation", "position", "role", "name", "said_at"]
    list_filter = ["space", "role"]
    list_select_related = ["conversation"]


@admin.register(Evidence)
class EvidenceAdmin(ReadOnlyAdmin):
    list_display = ["id", "fact", "entry", "start", "end", "added_by", "removed_by"]
    list_select_related = ["fact", "entry", "added_by", "removed_by"]
