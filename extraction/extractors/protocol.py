"""What an extractor is given and what it must return.

An extractor is pure: it reads a `Window` and returns an `Extraction`. It never touches the database, never routes a
finding to a topic that the window does not name, and never decides what becomes memory; reconciling and review do.
All offsets count Unicode code points (Python string indices) in the turn's own text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol
from zoneinfo import ZoneInfo

Role = Literal["user", "assistant", "system", "tool"]
FindingKind = Literal["fact", "decision", "number", "status", "preference", "timeline", "alias"]
Certainty = Literal["confirmed", "planned", "tentative"]
Precision = Literal["year", "month", "day", "minute"]
TopicKind = Literal["person", "customer", "project", "task", "interest", "character", "other"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message as an extractor sees it. `id` is unique inside its window; `said_at` is aware."""

    id: str
    role: Role
    text: str
    said_at: datetime
    speaker: str = ""  # the speaker's name; empty when the caller gave none


@dataclass(frozen=True, slots=True)
class KnownTopic:
    """A topic that already exists: `names` holds its name and every alias, unnormalised."""

    id: str
    name: str
    kind: TopicKind
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A statement that the topic `topic` (its id) holds now, so that what is said can be set against it."""

    id: str
    topic: str
    text: str
    attribute: str = ""
    value: str = ""
    unit: str = ""
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """New turns to read, the turns just before them (for understanding only), the candidate topics, and some of what
    these hold. `opening` are the first turns of the conversation, where people say who they are."""

    turns: tuple[Turn, ...]
    time_zone: ZoneInfo
    conversation: str  # the caller's id of the conversation
    context: tuple[Turn, ...] = ()
    opening: tuple[Turn, ...] = ()
    subject: KnownTopic | str | None = None  # whom the conversation is about: a known topic, or a name not known yet
    topics: tuple[KnownTopic, ...] = ()
    proposed: tuple[KnownTopic, ...] = ()  # topics that wait for a decision; `id` is that of the proposal
    facts: tuple[KnownFact, ...] = ()  # only for an extractor that has a model
    language: str = "en"  # default language of the space: "en" or "zh-hans"; turns may be in either
    is_one_of_many: bool = False  # a user without a name is not the same one as in other conversations


@dataclass(frozen=True, slots=True)
class TopicRef:
    """Where a finding belongs: a known topic by id, or (id is None) a new one by name and kind."""

    id: str | None
    name: str
    kind: TopicKind = "other"

    @property
    def is_new(self) -> bool:
        return self.id is None


def unnamed_speaker(language: str, conversation: str = "") -> TopicRef:
    """Where a conversation's user says something of himself, and nothing says who he is.

    In a space that is told no names there is one such user, in all conversations. In one that is told of several people
    each conversation (its id at the caller's) has one of its own.
    """
    name = "未具名用户" if language == "zh-hans" else "Unnamed user"
    if conversation:  # ids that are alike as names are, `4-21` and `42-1`, are two all the same
        name = f"{name} {conversation[:150]} #{hashlib.sha256(conversation.encode()).hexdigest()[:6]}"
    return TopicRef(None, name, "person")


@dataclass(frozen=True, slots=True)
class Quote:
    """`text` stands verbatim at [start, end) in the text of turn `turn`."""

    turn: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing worth keeping. `quotes` is never empty.

    `value` and `unit` are set together with `attribute` (for instance "budget", "150000", "CNY"); `value` of a number
    is its plain decimal form. `negated` says that the statement denies what it states ("no longer uses Slack").
    `happened_at` and `precision` belong to timeline findings; `alias` to alias findings (another name of `topic`).
    `is_shared`: the same is said of another topic, in the same words, by a finding before this one.
    `contradicts` and `same_as` are ids of facts of the window that belong to `topic`; at most one of them is set.
    """

    kind: FindingKind
    topic: TopicRef
    text: str
    quotes: tuple[Quote, ...]
    certainty: Certainty = "confirmed"
    confidence: float = 1.0
    attribute: str = ""
    value: str = ""
    unit: str = ""
    negated: bool = False
    happened_at: datetime | None = None
    precision: Precision | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    alias: str = ""
    contradicts: str = ""
    same_as: str = ""
    is_shared: bool = False
    why: str = ""  # in a word or two, what made the extractor keep it; shown to reviewers


@dataclass(frozen=True, slots=True)
class Report:
    """What an extractor that can err did with what it had found: `found` in all, of which `dropped` by reason.

    `mended` counts, by what was done, those that were kept in another form than they were found in.
    """

    found: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    mended: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Extraction:
    """Findings in the order of their first quote. A turn that no finding quotes held nothing to remember, unless it is
    in `failed`: turn id → why it could not be read, though the others could."""

    findings: tuple[Finding, ...] = field(default_factory=tuple)
    failed: Mapping[str, object] = field(default_factory=dict)
    report: Report | None = None  # None from an extractor that is exact by construction


class ExtractionError(Exception):
    """The extractor could not read the window; `message` is a text, or one that is translated when it is shown.

    `retry` says whether another try may succeed, `retry_after` how many seconds from now at the earliest (None: as the
    queue sees fit).
    """

    def __init__(self, message: object, *, retry: bool = True, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry = retry
        self.retry_after = retry_after


class Extractor(Protocol):
    """`name` is stored with each proposal; `model` is None for an extractor without one."""

    name: str
    model: str | None

    def extract(self, window: Window) -> Extraction: ...
