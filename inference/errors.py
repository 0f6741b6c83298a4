"""How a call to a model can end other than well.

Every message is translated, safe to show to people and free of keys, prompts and answers.
"""

from __future__ import annotations

from uuid import UUID


class InferenceError(Exception):
    """A model gave no usable answer.

    `retry` says whether the same call may succeed later, `retry_after` when (seconds from now; None: not known), and
    `call` which ModelCall tells more, if a call was made at all.
    """

    retry = False

    def __init__(self, message: str, *, retry_after: float | None = None, call: UUID | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.call = call


class NotConfigured(InferenceError):
    """No model, or no embedder, is configured where one is needed."""


class Unavailable(InferenceError):
    """Timeouts, disconnects, 429, 5xx, or a breaker that is open because of them."""

    retry = True


class BudgetSpent(InferenceError):
    """The space's budget of the day is used up; `retry_after` reaches into its next day."""

    retry = True


class Refused(InferenceError):
    """The model declined to answer, or a content filter withheld the answer."""


class CutOff(InferenceError):
    """The answer, or already the prompt, does not fit: ask for less. `partial` is the text that arrived."""

    def __init__(self, message: str, *, partial: str = "", call: UUID | None = None) -> None:
        super().__init__(message, call=call)
        self.partial = partial


class Unreadable(InferenceError):
    """An answer arrived that is empty or not in the form that was asked for."""

    retry = True


class EndpointRejected(InferenceError):
    """The endpoint does not accept the request: a wrong key, an unknown model, a wrong address."""
