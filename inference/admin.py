"""Django's administration of models: to be read only, and never the key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.functional import lazy

from inference.models import Breaker, EndpointTrait, ModelCall, ModelPolicy, ModelUsage

MOST_COLUMNS = 8
# What no list shows, and of these digests, secrets and vectors no page either.
_LONG = (models.TextField, models.JSONField, models.BinaryField)
_SECRET = {"digest", "body_hash", "secret", "values", "sort_key"}


class ReadOnlyAdmin(admin.ModelAdmin):
    """For rows that only services may write: an edit here would leave no history."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


def register_rest(app: str) -> None:
    """Let every other model of the app be read as well, its history among them.

    Related rows stand there by their keys, so that a list never asks for them one by one.
    """
    for model in apps.get_app_config(app).get_models():
        if not admin.site.is_registered(model):
            admin.site.register(model, type(f"{model.__name__}Admin", (ReadOnlyAdmin,), _plain(model)))


def key_of(model: type[models.Model], name: str) -> Callable[[models.Model], Any]:
    """A column with the key of the related row, for which that row is not asked, under the label of the field."""
    field = next(field for field in model._meta.concrete_fields if field.name == name)

    # This module is read before fields have their labels.
    @admin.display(description=lazy(lambda: str(field.verbose_name), str)(), ordering=field.attname)
    def key(row: models.Model) -> Any:
        return getattr(row, field.attname)

    key.__name__ = field.attname  # it becomes a class of the column
    return key


def _plain(model: type[models.Model]) -> dict[str, Any]:
    """Columns, search and filters that fit any model."""
    fields = [field for field in model._meta.concrete_fields if field.name not in _SECRET]
    short = [field for field in fields if not isinstance(field, _LONG)][:MOST_COLUMNS]
    texts = [field.name for field in fields if isinstance(field, (models.CharField, models.TextField))]
    related = [field.name for field in fields if field.is_relation]
    return {
        "list_display": [key_of(model, field.name) if field.is_relation else field.name for field in short],
        "list_filter": [name for name in ("space", "history_type") if name in {field.name for field in fields}],
        "search_fields": texts or [f"{name}__pk__exact" for name in related],
        "exclude": [field.name for field in model._meta.concrete_fields if field.name in _SECRET],
        "ordering": ["-pk"],
        "__module__": __name__,
    }


@admin.register(ModelPolicy)
class ModelPolicyAdmin(ReadOnlyAdmin):
    list_display = ["space", "use_model", "base_url", "model", "daily_tokens", "daily_calls"]
    list_select_related = ["space"]
    search_fields = ["space__slug", "base_url", "model"]
    exclude = ["api_key"]


@admin.register(ModelCall)
class ModelCallAdmin(ReadOnlyAdmin):
    list_display = ["started_at", "space", "purpose", "model", "endpoint", "outcome", "seconds", "cost", "job"]
    list_filter = ["space", "purpose", "outcome"]
    list_select_related = ["space"]
    search_fields = ["reference", "model", "endpoint", "error"]


@admin.register(ModelUsage)
class ModelUsageAdmin(ReadOnlyAdmin):
    list_display = ["day", "space", "calls", "tokens"]
    list_filter = ["space"]
    list_select_related = ["space"]
    search_fields = ["space__slug"]


@admin.register(EndpointTrait)
class EndpointTraitAdmin(ReadOnlyAdmin):
    list_display = ["endpoint", "model", "trait", "learnt_at"]
    search_fields = ["endpoint", "model", "trait"]


@admin.register(Breaker)
class BreakerAdmin(ReadOnlyAdmin):
    list_display = ["endpoint", "failures", "open_until"]
    search_fields = ["endpoint"]


register_rest("inference")
