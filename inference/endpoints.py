"""Where a space's models are: the installation's endpoint, or the one its admins set."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Protocol
from urllib.parse import urlsplit

from django.conf import settings

from inference.models import ModelPolicy


class Space(Protocol):
    """What is needed of a space, whose model belongs to another app."""

    pk: Any
    time_zone: str


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, in whatever currency the operator reckons."""

    prompt: Decimal
    completion: Decimal

    def cost(self, prompt_tokens: int, completion_tokens: int) -> Decimal:
        return (self.prompt * prompt_tokens + self.completion * completion_tokens) / 1_000_000


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model at an address. None in `daily_tokens`, `daily_calls` is no limit, in `prices` unknown.

    `patience` is for somebody who is waiting: the seconds that one call may take, and no other is made after it. None
    is as long as the settings allow.
    """

    base_url: str
    model: str
    api_key: str = field(repr=False)
    daily_tokens: int | None = None
    daily_calls: int | None = None
    prices: Prices | None = None
    patience: float | None = None

    @property
    def host(self) -> str:
        """Host and port, which may be shown; an address may hold more than should be."""
        parts = urlsplit(self.base_url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)


def policy_of(space: Space) -> ModelPolicy:
    """The stored policy of the space, or an unsaved one that changes nothing."""
    return ModelPolicy.objects.filter(space_id=space.pk).first() or ModelPolicy(space_id=space.pk)


def chat_endpoint(space: Space) -> Endpoint | None:
    """The space's chat model, or None where none is named or the space does without."""
    policy = policy_of(space)
    return endpoint_for(policy, policy.model or settings.INFINI_MODEL) if policy.use_model else None


def endpoint_for(policy: ModelPolicy, model: str) -> Endpoint | None:
    """Where the space of `policy` finds `model`, with its budget and price; None for an empty name.

    The installation's key goes only to the installation's address, so that nobody can have it sent elsewhere. And a
    space that uses this key can lower the installation's budget, but not exceed it.
    """
    if not model:
        return None
    has_own_account = bool(policy.base_url or policy.api_key)
    limits = {
        "daily_tokens": (policy.daily_tokens, settings.INFINI_MODEL_DAILY_TOKENS),
        "daily_calls": (policy.daily_calls, settings.INFINI_MODEL_DAILY_CALLS),
    }
    return Endpoint(
        base_url=(policy.base_url or settings.OPENAI_BASE_URL).rstrip("/"),
        model=model,
        api_key=policy.api_key or ("" if policy.base_url else settings.OPENAI_API_KEY),
        prices=_prices(policy, model),
        **{name: _limit(own, general, has_own_account) for name, (own, general) in limits.items()},
    )


def _limit(own: int | None, general: int, has_own_account: bool) -> int | None:
    if has_own_account and own is not None:
        return own
    limits = [limit for limit in (own, general or None) if limit is not None]
    return min(limits, default=None)


def _prices(policy: ModelPolicy, model: str) -> Prices | None:
    if policy.prompt_price is not None and policy.completion_price is not None:
        return Prices(policy.prompt_price, policy.completion_price)
    listed = settings.INFINI_MODEL_PRICES.get(model)
    return Prices(*listed) if listed else None
