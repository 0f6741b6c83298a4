"""How a space reaches its language model."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.utils.translation import gettext as _

from inference.models import ModelPolicy
from topics.errors import InvalidInput
from topics.models import Space

FIELDS = frozenset(
    {"use_model", "base_url", "model", "daily_tokens", "daily_calls", "prompt_price", "completion_price"}
)


def update_model_policy(
    *, space: Space, changes: dict[str, Any], api_key: str = "", forget_key: bool = False
) -> ModelPolicy:
    """Change what the space's policy says of its model; an empty `api_key` leaves the stored one as it is.

    The stored key belongs to the stored address: with another address it is forgotten unless it is given again, so
    that nobody can have it sent elsewhere. Raises InvalidInput, naming the field.
    """
    if unknown := set(changes) - FIELDS:
        raise InvalidInput(_("Unknown settings."), fields={name: [_("Unknown setting.")] for name in unknown})
    changes = dict(changes)
    if "base_url" in changes:
        changes["base_url"] = _check_address(changes["base_url"])
    if api_key and not (api_key.isascii() and api_key.isprintable() and " " not in api_key):
        _refuse("api_key", _("A key is one word of ASCII characters. Was it copied with something around it?"))
    with transaction.atomic():
        policy, _made = ModelPolicy.objects.select_for_update(no_key=True).get_or_create(space=space)
        has_moved = changes.get("base_url", policy.base_url) != policy.base_url
        for name, value in changes.items():
            setattr(policy, name, value)
        if (policy.prompt_price is None) != (policy.completion_price is None):
            missing = "prompt_price" if policy.prompt_price is None else "completion_price"
            _refuse(missing, _("Enter both prices or none."))
        if api_key:
            policy.api_key = api_key
        elif forget_key or has_moved:
            policy.api_key = ""
        policy.save()
    return policy


def _check_address(address: str) -> str:
    address = address.strip().rstrip("/")
    if not address:
        return ""
    try:
        parts = urlsplit(address)
        is_right = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_right = False
    if not is_right or parts.query or parts.fragment or "@" in parts.netloc or any(c.isspace() for c in address):
        _refuse("base_url", _("Enter the address of the API, for example https://models.example.com/v1."))
    return address


def _refuse(field: str, problem: str) -> None:
    raise InvalidInput(problem, fields={field: [problem]})
