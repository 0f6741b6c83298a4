"""What services refuse, and why. `code` is stable and part of the API; `message` is for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _


class MemoryRefusal(Exception):
    """Base of every refusal by a service. The API answers `status`; the console shows `message`."""

    status = 422
    code = "invalid"
    retry_after: float | None = None  # seconds, where trying again later may help

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.details = dict(details or {})


class InvalidInput(MemoryRefusal):
    """The input is well formed but makes no sense. `fields` names what to mend."""

    def __init__(self, message: str, *, fields: Mapping[str, Sequence[str]] | None = None) -> None:
        super().__init__(message, details={"fields": {k: list(v) for k, v in (fields or {}).items()}})


class NotFound(MemoryRefusal):
    status = 404
    code = "not_found"


class NameTaken(MemoryRefusal):
    """The name already belongs to `details["topic"]` after normalisation."""

    status = 409
    code = "name_taken"


class Duplicate(MemoryRefusal):
    """The same statement already stands in the topic; `details` names it."""

    status = 409
    code = "duplicate"


class TooManyAttempts(MemoryRefusal):
    """Signing in failed too often; `details["seconds"]` says when it may be tried again."""

    status = 429
    code = "too_many_attempts"


class TooManyRequests(MemoryRefusal):
    """The key has used up its rate; `retry_after` says when it may call again."""

    status = 429
    code = "throttled"


class MessageConflict(MemoryRefusal):
    """A message id was sent again with other text. Nothing was stored."""

    status = 409
    code = "message_conflict"


class Stale(MemoryRefusal):
    """The caller decided on an older version than the one that stands now."""

    status = 412
    code = "stale"


class PreconditionMissing(MemoryRefusal):
    """Something that stands would be replaced by one who has not said which version they have seen."""

    status = 428
    code = "precondition_required"


class ValueTooLarge(MemoryRefusal):
    status = 413
    code = "too_large"


class WrongState(MemoryRefusal):
    """The act does not fit the state of the object, for instance deciding a proposal twice."""

    status = 409
    code = "wrong_state"


@dataclass(frozen=True, slots=True)
class Blocker:
    """What keeps a change set from being undone, in a sentence, and the later change set that has to go first."""

    text: str
    change: UUID | None = None

    def __str__(self) -> str:
        return self.text


class UndoBlocked(MemoryRefusal):
    """Something later built on the change set. `details["blockers"]` lists it, a sentence each, `details["blocked_by"]`
    the id of the change set behind each, or None."""

    status = 409
    code = "undo_blocked"

    def __init__(self, blockers: Sequence[Blocker]) -> None:
        super().__init__(
            _("Something later builds on this change, so it cannot be undone."),
            details={
                "blockers": [b.text for b in blockers],
                "blocked_by": [b.change and str(b.change) for b in blockers],
            },
        )
        self.found = list(blockers)
