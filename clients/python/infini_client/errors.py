"""What can go wrong: one class for each thing that a caller would treat differently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class InfiniError(Exception):
    """Base of everything that this package raises on purpose."""


class ConnectionFailed(InfiniError):
    """No answer: the server cannot be reached, or went silent. The request may have been carried out."""


class ApiError(InfiniError):
    """The server answered with an error.

    `status` is HTTP's, `code` the server's word for programs, `detail` a sentence for people, `request_id` what finds
    the request in the server's log, `fields` the faults of single fields by path, `body` all that was sent.
    """

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        self.status = status
        self.body = body
        self.code = str(body.get("code") or "error")
        self.detail = str(body.get("detail") or f"HTTP status {status}")
        self.request_id = str(body.get("request_id") or "")
        fields = body.get("fields")
        found = fields.items() if isinstance(fields, dict) else ()
        self.fields: Mapping[str, Sequence[str]] = {path: texts for path, texts in found if isinstance(texts, list)}
        super().__init__("\n".join([f"{self.detail} [{status} {self.code}]", *self.faults()]))

    def faults(self) -> list[str]:
        """What is wrong with single fields, a line for each."""
        return [f"{path}: {' '.join(map(str, texts))}" for path, texts in self.fields.items()]


class AccessDenied(ApiError):
    """401 or 403: no valid key, or one that lacks the scope."""


class NotFound(ApiError):
    """404: there is no such thing in the key's space."""


class Conflict(ApiError):
    """409: it does not fit what stands now (`message_conflict`, `name_taken`, `undo_blocked`, `in_flight`…)."""


class Stale(ApiError):
    """412: somebody else changed it in between. Read it again."""


class Invalid(ApiError):
    """400, 413, 415, 422 or 428: the request makes no sense as it is; `fields` says where."""


class RateLimited(ApiError):
    """429, still after the retries."""


class ServerFailed(ApiError):
    """5xx, still after the retries; 502 and 503 also say that the server's model is failing or missing."""


class JobFailed(InfiniError):
    """A job ended without having read its messages. They are stored; `Client.retry_job` reads them again."""

    def __init__(self, job: Any) -> None:
        self.job = job
        super().__init__(job.error or "The job failed.")


class WaitedTooLong(InfiniError):
    """A job had not ended in time. It goes on."""


BY_STATUS: dict[int, type[ApiError]] = {
    400: Invalid, 401: AccessDenied, 403: AccessDenied, 404: NotFound, 409: Conflict, 412: Stale,
    413: Invalid, 415: Invalid, 422: Invalid, 428: Invalid, 429: RateLimited,
}  # fmt: skip


def error_for(status: int, body: object) -> ApiError:
    """The error that a response stands for; `body` may be anything, for a proxy may have answered."""
    kind = BY_STATUS.get(status, ServerFailed if status >= 500 else ApiError)
    return kind(status, body if isinstance(body, dict) else {})
