"""Django's administration: people and spaces can be set up here; what is tracked or immutable can only be read."""

from __future__ import annotations

from django import forms
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from inference.admin import ReadOnlyAdmin, register_rest
from topics.console.labels import action_label
from topics.console.sign_in import AdminSignInForm
from topics.errors import InvalidInput
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
from topics.services.spaces import check_settings

# What Django's pages say and its own Chinese catalogue lacks; ours has it.
TEXTS_OF_DJANGO = [
    gettext_noop("Model name"),
    gettext_noop("Add link"),
    gettext_noop("Change or view list link"),
    gettext_noop("Error:"),
    gettext_noop("Forgotten your login credentials?"),
    gettext_noop("After you’ve created a user, you’ll be able to edit more user options."),
    gettext_noop(
        "\n    You are authenticated as %(username)s, but are not authorized to\n    access this page."
        " Would you like to login to a different account?\n"
    ),
]

admin.site.login_form = AdminSignInForm
admin.site.site_header = admin.site.site_title = "Infini Memory"


class SpaceAdminForm(forms.ModelForm):
    """Refuses what `update_space` refuses; a time zone that does not exist would close the console to everybody."""

    def clean_time_zone(self) -> str:
        zone: str = self.cleaned_data["time_zone"]
        try:
            check_settings(time_zone=zone)
        except InvalidInput as refusal:
            raise forms.ValidationError(refusal.details["fields"]["time_zone"]) from refusal
        return zone


class MembershipFormSet(forms.BaseInlineFormSet):
    """Refuses what `set_member` and `remove_member` refuse: a space without an admin."""

    def clean(self) -> None:
        super().clean()
        had_one = any(form.initial.get("role") == Membership.Role.ADMIN for form in self.initial_forms)
        keeps_one = any(
            form.cleaned_data.get("role") == Membership.Role.ADMIN and not form.cleaned_data.get("DELETE")
            for form in self.forms
            if hasattr(form, "cleaned_data")
        )
        if had_one and not keeps_one:
            raise forms.ValidationError(_("A space keeps at least one admin."))


class MembershipInline(admin.TabularInline):
    model = Membership
    formset = MembershipFormSet
    raw_id_fields = ["user"]
    extra = 1


@admin.register(Space)
class SpaceAdmin(admin.ModelAdmin):
    """A space is made by `manage.py create_space`; here its people are."""

    form = SpaceAdminForm
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
    list_select_related = ["user", "space"]
    search_fields = ["user__username", "space__slug"]
    raw_id_fields = ["user", "space"]


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnlyAdmin):
    list_display = ["prefix", "name", "space", "scopes", "expires_at", "revoked_at", "last_used_at"]
    list_filter = ["space"]
    list_select_related = ["space"]
    search_fields = ["prefix", "name"]
    exclude = ["digest"]


@admin.register(Topic)
class TopicAdmin(ReadOnlyAdmin):
    list_display = ["name", "kind", "status", "space", "document_version", "changed_at"]
    list_filter = ["space", "kind", "status"]
    list_select_related = ["space"]
    search_fields = ["name", "summary"]


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
    list_display = ["at", "done", "actor_label", "reason", "space"]
    list_filter = ["space", "action"]
    list_select_related = ["space"]
    search_fields = ["actor_label", "reason", "request_id"]

    @admin.display(description=gettext_lazy("Action"), ordering="action")
    def done(self, change: ChangeSet) -> str:
        """What was done, in words."""
        return action_label(change.action)


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
    search_fields = ["external_id", "name", "content"]


@admin.register(Evidence)
class EvidenceAdmin(ReadOnlyAdmin):
    list_display = ["id", "fact", "entry", "start", "end", "added_by", "removed_by"]
    list_select_related = ["fact", "entry", "added_by", "removed_by"]
    search_fields = ["fact__text", "entry__text"]


register_rest("topics")
