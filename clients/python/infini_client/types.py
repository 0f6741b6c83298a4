"""What the server answers with, as typed, immutable values. Fields that this version does not know are ignored."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Message:
    """One message to store. `said_at` must be aware, and at most 24 hours ahead of now.

    Without an `id` the same message sent twice is stored twice.
    """

    content: str
    role: str = "user"
    id: str | None = None
    name: str | None = None
    said_at: datetime | None = None

    def as_json(self) -> dict[str, Any]:
        found = {name: getattr(self, name) for name in ("id", "role", "name", "content")}
        if self.said_at is not None:
            found["said_at"] = as_time(self.said_at)
        return {name: value for name, value in found.items() if value is not None}


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """One message as the server holds it. `outcome` says how its reading ended: see `Outcomes`."""

    id: str
    role: str
    content: str
    name: str = ""
    said_at: datetime | None = None
    received_at: datetime | None = None
    outcome: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Accepted:
    """Stored messages: how many were new, how many the server had, and the job that reads the new ones."""

    job: str | None
    accepted: int
    duplicates: int


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How many messages of a job ended in which way."""

    waiting: int = 0
    extracted: int = 0
    nothing: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    id: str
    status: str
    attempts: int
    error: str | None
    messages: Outcomes
    proposals: tuple[str, ...] = ()

    @property
    def is_over(self) -> bool:
        return self.status in ("done", "failed")


@dataclass(frozen=True, slots=True)
class Source:
    """The exact words behind a statement: [start, end) in code points of the message."""

    conversation: str
    message: str
    text: str = ""
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement. `status` is active, disputed, superseded or retracted.

    `edited_by` is who put it in words that are not those of its sources.
    """

    id: str
    text: str
    kind: str
    certainty: str
    status: str
    topic: str | None = None
    said_at: datetime | None = None
    attribute: str = ""
    value: str = ""
    unit: str = ""
    negated: bool = False
    speaker: str = ""
    scope: str = ""
    superseded_by: str | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    sources: tuple[Source, ...] = ()
    edited_by: str | None = None
    edited_at: datetime | None = None
    etag: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that happened, as exactly as `precision` says: year, month, day or minute."""

    id: str
    text: str
    happened_at: datetime
    precision: str
    certainty: str
    topic: str | None = None
    status: str = ""
    said_at: datetime | None = None
    sources: tuple[Source, ...] = ()
    edited_by: str | None = None
    edited_at: datetime | None = None
    etag: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Alias:
    id: str
    topic: str
    name: str
    is_name: bool = False
    etag: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic document's head. `merged_from` is the id that was asked for, when it answers under another."""

    id: str
    name: str
    kind: str
    status: str
    summary: str = ""
    aliases: tuple[str, ...] = ()
    version: int = 0
    changed_at: datetime | None = None
    merged_from: str | None = None
    etag: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Document:
    """A whole topic document, as it is now or was at `as_of`."""

    id: str
    name: str
    kind: str
    status: str
    summary: str
    version: int
    as_of: datetime | None = None
    aliases: tuple[Alias, ...] = ()
    facts: tuple[Fact, ...] = ()
    superseded: tuple[Fact, ...] = ()
    timeline: tuple[Entry, ...] = ()
    merged_from: str | None = None


@dataclass(frozen=True, slots=True)
class RememberedTopic:
    """What a query's context holds of one topic."""

    id: str
    name: str
    kind: str
    status: str
    score: float
    why: str
    summary: str = ""
    facts: tuple[Fact, ...] = ()
    timeline: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """Line [marker] of a context: the fact or entry that it states, or the message that it quotes.

    `rank` is how well the line fits the question: 1 for the best.
    """

    marker: str
    fact: str | None = None
    entry: str | None = None
    conversation: str | None = None
    message: str | None = None
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A question to put to the user, which settles a conflict.

    `status` is open, answered, or cancelled: it needs no answer any more, for instance because its topic was deleted.
    """

    id: str
    question: str
    topic: str
    status: str = "open"
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Recall:
    """The answer to a query. `context` is the block for the prompt.

    What it cannot tell yet: `waiting` messages are stored but not read, `to_review` proposals wait for a decision.
    """

    query_id: str
    query: str
    context: str
    tokens: int
    max_tokens: int
    tokenizer: str = ""
    topics: tuple[RememberedTopic, ...] = ()
    citations: tuple[Citation, ...] = ()
    confirmations: tuple[Confirmation, ...] = ()
    waiting: int = 0
    to_review: int = 0

    def __bool__(self) -> bool:
        """Whether anything is known."""
        return bool(self.context)


@dataclass(frozen=True, slots=True)
class TopicRef:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ConflictRef:
    id: str
    with_fact: str
    held: str
    why: str = ""
    status: str = ""
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that waits for a decision, or had one."""

    id: str
    kind: str
    status: str
    text: str = ""
    topic: TopicRef | None = None
    topic_name: str = ""
    fact_kind: str = ""
    attribute: str = ""
    value: str = ""
    unit: str = ""
    certainty: str = ""
    alias: str = ""
    speaker: str = ""
    said_at: datetime | None = None
    happened_at: datetime | None = None
    precision: str = ""
    quotes: tuple[Source, ...] = ()
    conflict: ConflictRef | None = None
    is_stale: bool = False
    extractor: str = ""
    model: str = ""
    fact: str | None = None
    entry: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Decided:
    """How one decision ended: `status` is what the proposal is now, `code` why it could not be decided."""

    id: str
    status: str
    code: str = ""
    message: str = ""
    topic: str | None = None
    fact: str | None = None
    entry: str | None = None
    conflict: str | None = None


@dataclass(frozen=True, slots=True)
class Decisions:
    results: tuple[Decided, ...]
    change_set: str | None = None
    remaining: int = 0


@dataclass(frozen=True, slots=True)
class HeldConflict:
    """What is held against what is proposed; `is_older`: that was said before what is held."""

    id: str
    status: str
    outcome: str
    held: Fact
    proposal: Proposal
    why: str = ""
    scope: str = ""
    valid_until: datetime | None = None
    is_older: bool = False


@dataclass(frozen=True, slots=True)
class Resolved:
    conflict: HeldConflict
    change_set: str


@dataclass(frozen=True, slots=True)
class Answered:
    confirmation: Confirmation
    change_set: str | None = None


@dataclass(frozen=True, slots=True)
class Updated:
    """What became of the findings that were brought: waiting proposals, facts that already count, conflicts."""

    proposals: tuple[str, ...] = ()
    committed: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    repeated: int = 0
    change_set: str | None = None


@dataclass(frozen=True, slots=True)
class StateEntry:
    """What is kept under a key of a topic's state. `value` is None where it was not asked for; `size` is its bytes."""

    key: str
    etag: str
    version: int = 0
    size: int = 0
    value: Any = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    written_by: str = ""


@dataclass(frozen=True, slots=True)
class Put:
    """A value for a key of a topic's state: any JSON of up to 256 KiB.

    With an `etag` only if that is what stands ("*": anything), with `only_new` only if nothing does; without them it
    replaces what stands.
    """

    key: str
    value: Any
    etag: str | None = None
    only_new: bool = False

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"key": self.key, "value": self.value}
        if self.etag is not None:
            found["etag"] = self.etag
        return found | ({"only_new": True} if self.only_new else {})


@dataclass(frozen=True, slots=True)
class StateWritten:
    """The entries in the order of the puts, and how many of the keys to remove were in use."""

    entries: tuple[StateEntry, ...] = ()
    removed: int = 0


@dataclass(frozen=True, slots=True)
class FieldChange:
    field: str
    old: Any = None
    new: Any = None


@dataclass(frozen=True, slots=True)
class RowChange:
    """What an act did to one row: `type` is topic, alias, fact or timeline."""

    type: str
    id: str
    topic: str
    verb: str
    title: str = ""
    fields: tuple[FieldChange, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """One act on the documents. `changes` are there where one act was asked for, and empty in a list."""

    id: str
    action: str
    reason: str
    at: datetime
    actor: str
    actor_kind: str = ""
    undoes: str | None = None
    undone_by: str | None = None
    changes: tuple[RowChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Webhook:
    """Who is told. `secret` signs the deliveries; it is there when the webhook was made or got a new one.

    It is None where that answer got lost and came only when the request was sent again: renew the secret then.
    """

    id: str
    url: str
    events: tuple[str, ...]
    enabled: bool
    disabled_because: str = ""
    failures: int = 0
    created_by: str = ""
    created_at: datetime | None = None
    secret: str | None = field(default="", repr=False)
    etag: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Delivery:
    """One telling. `status` is queued, running, done or failed (given up), `status_code` that of the latest answer."""

    id: str
    event: str
    event_id: str
    status: str
    attempts: int = 0
    status_code: int | None = None
    answer: str = ""
    error: str = ""
    created_at: datetime | None = None


def as_time(moment: datetime) -> str:
    """ISO 8601 with its zone. Raises ValueError for a naive time, which would be a guess."""
    if moment.tzinfo is None:
        raise ValueError("A time needs its zone, for example datetime.now(timezone.utc).")
    return moment.isoformat()


def read(kind: type[T], data: Mapping[str, Any], etag: str = "") -> T:
    """The value of dataclass `kind` that `data` describes. Raises KeyError when a field that must be there is not."""
    found = {}
    known: Any = kind
    fields = _fields(known)
    for name, (hint, is_required) in fields.items():
        if name in data:
            found[name] = _convert(hint, data[name])
        elif is_required:
            raise KeyError(name)
    if etag and "etag" in fields:
        found["etag"] = etag
    return kind(**found)


@cache
def _fields(kind: Any) -> dict[str, tuple[Any, bool]]:
    hints = typing.get_type_hints(kind)
    missing = dataclasses.MISSING
    return {f.name: (hints[f.name], f.default is missing and f.default_factory is missing)
            for f in dataclasses.fields(kind)}  # fmt: skip


def _convert(hint: Any, value: Any) -> Any:
    if isinstance(hint, types.UnionType):
        if value is None:
            return None
        hint = next(kind for kind in typing.get_args(hint) if kind is not type(None))
    if typing.get_origin(hint) is tuple:
        return tuple(_convert(typing.get_args(hint)[0], item) for item in value)
    if hint is datetime:
        return datetime.fromisoformat(value)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return read(hint, value)
    return value
