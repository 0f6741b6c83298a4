"""What rows and their columns are called in front of people, wherever Django names them, as in its administration.

Each app has such a module. What several of them call alike is here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

# Model → one of its rows, and several.
Names = dict[str, tuple["StrPromise", "StrPromise"]]
# Field → its label. "Model.field" goes before "field", for one that means something of its own.
Labels = dict[str, "StrPromise"]


def give_labels(app: AppConfig, names: Names, labels: Labels) -> None:
    """Let the models of the app, and their fields, be called so.

    They are named from outside because the models of the history are made by simple_history, which takes no text that
    waits for its language, and because a field that many models have needs its label only once.
    """
    for model in app.get_models():
        if model.__name__ in names:
            model._meta.verbose_name, model._meta.verbose_name_plural = names[model.__name__]
        for field in model._meta.concrete_fields:
            key = f"{model.__name__}.{field.name}"
            if key not in labels:
                key = field.name
            if key in labels:
                field.verbose_name = labels[key]


NAMES: Names = {
    "ModelPolicy": (_("model settings of a space"), _("model settings of spaces")),
    "ModelCall": (_("model call"), _("model calls")),
    "ModelUsage": (_("model use of a day"), _("model use by day")),
    "EndpointTrait": (_("trait of an endpoint"), _("traits of endpoints")),
    "Breaker": (_("circuit breaker"), _("circuit breakers")),
}

COMMON: Labels = {
    "id": _("ID"),
    "space": _("Space"),
    "topic": _("Topic"),
    "fact": _("Fact"),
    "entry": _("Timeline entry"),
    "conversation": _("Conversation"),
    "message": _("Message"),
    "user": _("User"),
    "name": _("Name"),
    "kind": _("Kind"),
    "status": _("Status"),
    "state": _("State"),
    "version": _("Version"),
    "text": _("Text"),
    "reason": _("Reason"),
    "created_at": _("Created at"),
    "created_by": _("Created by"),
    "answer": _("Answer"),
    "model": _("Model"),
    "endpoint": _("Endpoint"),
    "error": _("Error"),
    "failures": _("Failures"),
    "job": _("Job"),
    "outcome": _("Outcome"),
    "query": _("Query"),
}

FIELDS: Labels = COMMON | {
    "use_model": _("Use a model"),
    "base_url": _("Address of the model"),
    "api_key": _("API key"),
    "embedder": _("Vectors by"),
    "embedding_model": _("Model for vectors"),
    "daily_tokens": _("Tokens a day"),
    "daily_calls": _("Calls a day"),
    "prompt_price": _("A million prompt tokens"),
    "completion_price": _("A million answer tokens"),
    "purpose": _("Purpose"),
    "reference": _("About"),
    "started_at": _("Started at"),
    "seconds": _("Seconds"),
    "prompt_tokens": _("Prompt tokens"),
    "completion_tokens": _("Answer tokens"),
    "cost": _("Cost"),
    "prompt": _("Prompt"),
    "day": _("Date"),
    "calls": _("Calls"),
    "tokens": _("Tokens"),
    "trait": _("Trait"),
    "learnt_at": _("Learnt at"),
    "open_until": _("No calls until"),
    "probe_until": _("Trial call until"),
}
