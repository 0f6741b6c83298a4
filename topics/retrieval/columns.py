"""The analysed columns of a search row, and the line by which a row is shown.

The scheme (own words, speaker, two neighbours on either side, at most 40 terms of each) is the BM25F-style weighting of
several fields of Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields" (2004), with the
turns around a turn as further fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from topics.models import Passage, Space
from topics.text.analyse import ANALYSER_VERSION, analyse
from topics.text.tokens import count_tokens

NEIGHBOUR_TERMS = 40
COLUMNS = ("own", "speaker_terms", "prev1", "prev2", "next1", "next2")

_FENCE = re.compile(r"<(?=\s*/?\s*memory)", re.IGNORECASE)


def prefix_of(space_id: int, *, statements: bool) -> str:
    """What every term of this space's messages, or of its facts and timeline entries, begins with."""
    return f"{space_id}{'f' if statements else 'm'}"


def prefixed(prefix: str, terms: Iterable[str]) -> str:
    """The terms as one column."""
    return " ".join([prefix + term for term in terms])


def own_terms(prefix: str, text: str) -> str:
    return prefixed(prefix, analyse(text))


def last_terms(column: str) -> str:
    """What a following row keeps of this one."""
    return " ".join(column.split()[-NEIGHBOUR_TERMS:])


def first_terms(column: str) -> str:
    """What a preceding row keeps of this one."""
    return " ".join(column.split()[:NEIGHBOUR_TERMS])


def finish(passage: Passage) -> Passage:
    """Set the counts that depend on the columns."""
    columns: Sequence[str] = [getattr(passage, name) for name in COLUMNS]
    lengths = [column.count(" ") + 1 if column else 0 for column in columns]
    passage.n_terms, passage.n_all = lengths[0], sum(lengths)
    passage.analyser_version = ANALYSER_VERSION
    return passage


def local_day(space: Space, at: datetime | None) -> int | None:
    """The day's proleptic ordinal in the space's time zone."""
    return at.astimezone(ZoneInfo(space.time_zone)).toordinal() if at else None


def inert(text: str) -> str:
    """Stored text as it may stand in a context block: on one line, and with nothing that could close its fence."""
    return _FENCE.sub("‹", " ".join(text.split()))


def turn_line(speaker: str, text: str) -> str:
    """`speaker: text`, without the marker."""
    return f"{inert(speaker)}: {inert(text)}"


def turn_header(day: int, subject: str) -> str:
    """What stands over the turns of a day: its date, and what their conversation is about ("" is not told)."""
    told = date.fromordinal(day).isoformat()
    return f"[{told}, {inert(subject)}]" if subject else f"[{told}]"


def line_cost(line: str) -> int:
    """The tokens of a line in a block, with its marker and its end. These add up: the tokenizer always parts lines that
    begin with a bracket and end with a line break."""
    return count_tokens(f"[99] {line}\n")
