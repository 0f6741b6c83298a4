"""When to ask again, and after how long."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

# Statuses after which the same request may succeed. 409 `in_flight` too: the first try is still at work.
TEMPORARY = frozenset({429, 502, 503, 504})
# Without a model there will be none in a second either, and a model that refuses a text refuses it again.
FINAL = frozenset({"no_model", "model_refused", "model_cut_off", "model_unreadable", "model_rejected"})


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and how patiently a failed request is repeated.

    A request is repeated only where that cannot do a thing twice: reads, and writes under an idempotency key, which
    every POST of this client has. Pauses grow from `first` seconds, doubled each time up to `longest`, with jitter
    (uniform between half and all of it); a `Retry-After` of the server goes before them. Where the server asks for a
    longer pause than `patience` seconds, the error is raised at once.
    """

    attempts: int = 4
    first: float = 0.3
    longest: float = 8.0
    patience: float = 60.0

    def pause(self, attempt: int, retry_after: float | None) -> float | None:
        """Seconds to wait after failed try number `attempt` (from 1); None: give up."""
        if attempt >= self.attempts or (retry_after is not None and retry_after > self.patience):
            return None
        if retry_after is not None:
            return retry_after
        full = min(self.longest, self.first * 2 ** (attempt - 1))
        return random.uniform(full / 2, full)  # noqa: S311 - jitter, not a secret


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The pause that the server asks for, in seconds; None where it names none, or nothing that can be read."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def is_temporary(status: int, body: object) -> bool:
    """Whether the same request may succeed a little later."""
    code = body.get("code") if isinstance(body, dict) else None
    return (status in TEMPORARY and code not in FINAL) or (status == 409 and code == "in_flight")
