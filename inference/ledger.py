"""The row of each call and the budget of the day.

A call's tokens are reserved, at an estimate, before it is made and corrected afterwards, with conditional updates of
one row for each space and day. A call is let through while anything is left, so however many workers ask at once, a
budget is exceeded by no more than what the last call of each uses beyond its estimate, and in calls not at all.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from inference import breaker
from inference.endpoints import Endpoint, Space
from inference.errors import (
    BudgetSpent,
    CutOff,
    EndpointRejected,
    InferenceError,
    RateLimited,
    Refused,
    Unavailable,
    Unreadable,
)
from inference.models import ModelCall, ModelUsage, Purpose

log = structlog.get_logger(__name__)

Outcome = ModelCall.Outcome
OUTCOMES: dict[type[InferenceError], Outcome] = {
    CutOff: Outcome.CUT_OFF,
    Refused: Outcome.REFUSED,
    Unreadable: Outcome.UNREADABLE,
    Unavailable: Outcome.UNAVAILABLE,
    EndpointRejected: Outcome.REJECTED,
}
TEXT_LIMIT = 200_000
ERROR_LIMIT = 2000


@dataclass(frozen=True, slots=True)
class Occasion:
    """Who calls, and why: noted with each call. `job` and `reference` (a conversation, a topic) may be empty."""

    space: Space
    purpose: Purpose
    job: UUID | None = None
    reference: str = ""


@dataclass(slots=True)
class Record:
    """What becomes of a call, filled in while it runs. Tokens that stay None are not known."""

    call: UUID
    answer: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    started: float = field(default_factory=time.monotonic)


@contextmanager
def recorded_call(occasion: Occasion, endpoint: Endpoint, *, prompt: list[Any], estimate: int) -> Iterator[Record]:
    """Around one HTTP call: budget and breaker before it; row, budget and breaker after it, however it ends.

    `estimate` is in tokens. Raises BudgetSpent, or Unavailable from the breaker, before anything is sent; RuntimeError
    inside a transaction (`durable`), because a roll-back of the caller's must not take the row with it.
    """
    with transaction.atomic(durable=True):
        breaker.enter(endpoint)
        usage = _reserve(occasion.space, endpoint, estimate)
        row = ModelCall.objects.create(
            space_id=occasion.space.pk,
            purpose=occasion.purpose,
            endpoint=endpoint.host[:300],
            model=endpoint.model[:200],
            job=occasion.job,
            reference=occasion.reference[:200],
            prompt=_storable(prompt),
        )
    record = Record(call=row.pk)
    close = partial(_close, row, record, endpoint, usage, estimate)
    try:
        yield record
    except InferenceError as error:
        error.call = row.pk
        close(_outcome_of(error), error=error)
        raise
    except GeneratorExit:
        close(Outcome.CUT_OFF, words=str(_("Whoever asked went away.")))
        raise
    except BaseException as error:
        close(Outcome.LOST, words=type(error).__name__)
        raise
    close(Outcome.ANSWERED)


def _close(
    row: ModelCall,
    record: Record,
    endpoint: Endpoint,
    usage: ModelUsage,
    estimate: int,
    outcome: Outcome,
    *,
    error: InferenceError | None = None,
    words: str = "",
) -> None:
    seconds = time.monotonic() - record.started
    counted = record.prompt_tokens is not None
    prompt, completion = record.prompt_tokens or 0, record.completion_tokens or 0
    if error is not None:
        words = f"{error} {error.detail}".strip()
    # A call without an answer is free; one whose worker is killed keeps its estimate, since nobody completes it.
    with transaction.atomic(durable=True):
        ModelCall.objects.filter(pk=row.pk).update(
            outcome=outcome,
            seconds=seconds,
            prompt_tokens=record.prompt_tokens,
            completion_tokens=record.completion_tokens,
            cost=endpoint.prices.cost(prompt, completion) if counted and endpoint.prices else None,
            error=_storable(words)[:ERROR_LIMIT],
            answer=_storable(_shortened(record.answer)),
        )
        ModelUsage.objects.filter(pk=usage.pk).update(tokens=F("tokens") + (prompt + completion - estimate))
        _tell_breaker(endpoint, outcome, error)
    log.info(
        "model_call",
        call=str(row.pk),
        purpose=str(row.purpose),
        endpoint=row.endpoint,
        model=row.model,
        outcome=str(outcome),
        seconds=round(seconds, 3),
        prompt_tokens=record.prompt_tokens,
        completion_tokens=record.completion_tokens,
    )


def _tell_breaker(endpoint: Endpoint, outcome: Outcome, error: InferenceError | None) -> None:
    if outcome == Outcome.UNAVAILABLE and not isinstance(error, RateLimited):
        breaker.note_failure(endpoint)
    elif outcome == Outcome.LOST:
        breaker.note_nothing(endpoint)
    else:
        breaker.note_success(endpoint)


def _outcome_of(error: InferenceError) -> Outcome:
    return next((outcome for kind, outcome in OUTCOMES.items() if isinstance(error, kind)), Outcome.LOST)


# ------------------------------------------------------------------------------------------------------------ budget


def today(space: Space) -> datetime:
    """The beginning of the present day in the space's time zone."""
    return timezone.now().astimezone(ZoneInfo(space.time_zone)).replace(hour=0, minute=0, second=0, microsecond=0)


def usage_today(space: Space) -> ModelUsage:
    """What the space has used today; an unsaved row of zeros before its first call."""
    day = today(space).date()
    return ModelUsage.objects.filter(space_id=space.pk, day=day).first() or ModelUsage(space_id=space.pk, day=day)


def _reserve(space: Space, endpoint: Endpoint, estimate: int) -> ModelUsage:
    usage, _made = ModelUsage.objects.get_or_create(space_id=space.pk, day=today(space).date())
    has_room = Q(pk=usage.pk)
    if endpoint.daily_calls is not None:
        has_room &= Q(calls__lt=endpoint.daily_calls)
    if endpoint.daily_tokens is not None:
        has_room &= Q(tokens__lt=endpoint.daily_tokens)
    if ModelUsage.objects.filter(has_room).update(calls=F("calls") + 1, tokens=F("tokens") + estimate):
        return usage
    # The day after, at midnight of the wall clock: a day may have 23 or 25 hours.
    tomorrow = datetime.combine(usage.day + timedelta(days=1), datetime.min.time(), ZoneInfo(space.time_zone))
    message = _("The model budget of this space is used up for today. It goes on at midnight.")
    raise BudgetSpent(message, retry_after=(tomorrow - timezone.now()).total_seconds())


# ----------------------------------------------------------------------------------------------------------- keeping


def tidy_calls() -> int:
    """Delete calls older than INFINI_MODEL_CALL_DAYS and mark those whose worker died; how many were deleted."""
    now = timezone.now()
    # Twice the timeout: a call that still runs then has nobody left who would complete its row.
    overdue = now - timedelta(seconds=2 * settings.INFINI_MODEL_TIMEOUT + 60)
    ModelCall.objects.filter(outcome=Outcome.RUNNING, started_at__lt=overdue).update(outcome=Outcome.LOST)
    old = now - timedelta(days=settings.INFINI_MODEL_CALL_DAYS)
    return ModelCall.objects.filter(started_at__lt=old).delete()[0]


def _shortened(text: str) -> str:
    surplus = len(text) - TEXT_LIMIT
    return text if surplus <= 0 else f"{text[:TEXT_LIMIT]} […+{surplus}]"


def _storable(value: Any) -> Any:
    """The value with what no database can hold (NUL, lone surrogates) replaced, in all its texts."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_storable(item) for item in value]
    if isinstance(value, dict):
        return {key: _storable(item) for key, item in value.items()}
    return value
