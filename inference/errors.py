"""How a call to a model can end other than well.

Every message is translated, safe to show to people and free of keys, prompts and answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class InferenceError(Exception):
    """A model gave no usable answer.

    `retry` says whether the same call may succeed later, `retry_after` when (seconds from now; None: not known), and
    `call` which ModelCall tells more, if a call was made at all. `detail` may hold the endpoint's own words: it is for
    that row only and never to be shown or logged. `str()` of the error is in the language that is active then.
    """

    retry = False

    def __init__(self, message: StrOrPromise, *, retry_after: float | None = None, detail: str = "") -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.detail = detail
        self.call: UUID | None = None


class NotConfigured(InferenceError):
    """No model, or no embedder, is configured where one is needed."""


class Unavailable(InferenceError):
    """Timeouts, disconnects, 429, 5xx, or a breaker that is open because of them."""

    retry = True


class RateLimited(Unavailable):
    """429: the endpoint is well, but wants fewer calls."""


class BudgetSpent(InferenceError):
    """The space's budget of the day is used up; `retry_after` reaches into its next day."""

    retry = True


class Refused(InferenceError):
    """The model declined to answer, or a content filter withheld the answer."""


class CutOff(InferenceError):
    """The answer, or already the prompt, does not fit: ask for less. `partial` is the text that arrived."""

    def __init__(self, message: StrOrPromise, *, partial: str = "", detail: str = "") -> None:
        super().__init__(message, detail=detail)
        self.partial = partial


class Unreadable(InferenceError):
    """An answer arrived that is empty or not in the form that was asked for."""

    retry = True


class EndpointRejected(InferenceError):
    """The endpoint does not accept the request: a wrong key, an unknown model, a wrong address."""


class NotUnderstood(EndpointRejected):
    """The endpoint rejected the request itself, perhaps for a parameter that it does not know."""
