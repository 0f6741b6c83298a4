"""Django's administration of models: to be read only, and never the key."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from inference.models import Breaker, EndpointTrait, ModelCall, ModelPolicy, ModelUsage


class ReadOnlyAdmin(admin.ModelAdmin):
    """For rows that only services may write."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(ModelPolicy)
class ModelPolicyAdmin(ReadOnlyAdmin):
    list_display = ["space", "use_model", "base_url", "model", "daily_tokens", "daily_calls"]
    list_select_related = ["space"]
    exclude = ["api_key"]


@admin.register(ModelCall)
class ModelCallAdmin(ReadOnlyAdmin):
    list_display = ["started_at", "space", "purpose", "model", "endpoint", "outcome", "seconds", "cost", "job"]
    list_filter = ["space", "purpose", "outcome"]
    list_select_related = ["space"]


@admin.register(ModelUsage)
class ModelUsageAdmin(ReadOnlyAdmin):
    list_display = ["day", "space", "calls", "tokens"]
    list_filter = ["space"]
    list_select_related = ["space"]


@admin.register(EndpointTrait)
class EndpointTraitAdmin(ReadOnlyAdmin):
    list_display = ["endpoint", "model", "trait", "learnt_at"]


@admin.register(Breaker)
class BreakerAdmin(ReadOnlyAdmin):
    list_display = ["endpoint", "failures", "open_until"]
