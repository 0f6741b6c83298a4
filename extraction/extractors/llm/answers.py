"""From the model's answer to drafts of findings whose labels are known and whose quotes are found.

Everything here is untrusted: a draft that does not hold is refused with the reason under which it is counted.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast, get_args

from extraction.extractors.llm.lines import Line
from extraction.extractors.llm.sheet import Sheet
from extraction.extractors.protocol import Certainty, FindingKind, KnownFact, TopicKind, TopicRef
from topics.text.names import name_key, untitled

TEXT_LENGTH = 600
SHORT_LENGTH = {"attribute": 100, "value": 200, "unit": 40, "alias": 200, "when": 40, "from": 40, "until": 40}
NAME_LENGTH = 200
KINDS = get_args(FindingKind)
CERTAINTIES = get_args(Certainty)
# What models call the person who speaks, where they should give that person's label.
NOBODY = frozenset(
    "i me my you we us user speaker assistant agent he she they it him her them new none null unknown "
    "我 你 您 他 她 它 我们 用户 说话人 助手 咱们 他们 她们".split()
)


class Refused(Exception):
    """A finding is dropped; `reason` is the word under which it is counted."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Located:
    """Quoted words at [start, end) of the line's turn."""

    line: Line
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.line.turn.text[self.start : self.end]


@dataclass(slots=True)
class Draft:
    """A finding as the model gives it, with labels replaced by what they stand for. `when`, `since` and `until` are
    still the model's own words."""

    topic: TopicRef
    kind: FindingKind
    text: str
    quotes: list[Located]
    certainty: Certainty
    attribute: str = ""
    value: str = ""
    unit: str = ""
    negated: bool = False
    when: str = ""
    since: str = ""
    until: str = ""
    alias: str = ""
    contradicts: KnownFact | None = None
    same_as: KnownFact | None = None
    mended: list[str] = field(default_factory=list)


def read_draft(item: Any, sheet: Sheet) -> Draft:
    """One finding of the first pass. Raises Refused."""
    if not isinstance(item, Mapping):
        raise Refused("malformed")
    kind, text = item.get("kind"), item.get("text")
    if kind not in KINDS or not isinstance(text, str) or not is_storable(text) or len(text) > TEXT_LENGTH:
        raise Refused("malformed")
    short = {name: _short(item, name, most) for name, most in SHORT_LENGTH.items()}
    topic = _topic(item, sheet)
    certainty = item.get("certainty")
    contradicts, same_as = (_fact(item.get(name), sheet, topic) for name in ("contradicts", "same_as"))
    both = contradicts is not None and same_as is not None
    return Draft(
        topic=topic,
        kind=cast(FindingKind, kind),
        text=text.strip(),
        quotes=_quotes(item.get("quotes"), sheet),
        certainty=cast(Certainty, certainty) if certainty in CERTAINTIES else "tentative",
        negated=item.get("negated") is True,
        attribute=short["attribute"],
        value=short["value"],
        unit=short["unit"],
        when=short["when"],
        since=short["from"],
        until=short["until"],
        alias=short["alias"],
        contradicts=None if both else contradicts,
        same_as=None if both else same_as,
    )


def is_storable(text: str) -> bool:
    """Whether a database can hold the text, and a line can show it."""
    return not any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t\r" for c in text)


def _short(item: Mapping[str, Any], name: str, most: int) -> str:
    """A short text on one line; one that is no text, or too long, counts as not given. A number is taken as text."""
    value = item.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = f"{value:g}" if isinstance(value, float) else str(value)
    if not isinstance(value, str) or not is_storable(value):
        return ""
    line = " ".join(value.split())
    return line if len(line) <= most else ""


def _topic(item: Mapping[str, Any], sheet: Sheet) -> TopicRef:
    label = item.get("topic")
    if isinstance(label, str) and label in sheet.topics:
        return sheet.topics[label].ref
    if label != "new":
        raise Refused("unknown_topic")
    new = item.get("new_topic")
    name = new.get("name") if isinstance(new, Mapping) else None
    if not isinstance(name, str) or not is_storable(name):
        raise Refused("unnamed_topic")
    name = " ".join(name.split())
    if known := sheet.topic_called(name):
        return known
    key = name_key(name)
    if not 0 < len(name) <= NAME_LENGTH or key in NOBODY or not _is_named_in(name, sheet):
        raise Refused("unnamed_topic")
    kind = new.get("kind") if isinstance(new, Mapping) else None
    return TopicRef(None, name, cast(TopicKind, kind) if kind in get_args(TopicKind) else "other")


def _is_named_in(name: str, sheet: Sheet) -> bool:
    """Whether somebody calls it so: a model may not name what nobody named."""
    words = name_key(sheet.words)
    return any(key in words for key in (name_key(name), name_key(untitled(name))) if key)


def _fact(label: Any, sheet: Sheet, topic: TopicRef) -> KnownFact | None:
    if label is None or label == "":
        return None
    fact = sheet.facts.get(label) if isinstance(label, str) else None
    if fact is None:
        raise Refused("unknown_fact")
    if fact.topic != topic.id:
        raise Refused("foreign_fact")
    return fact


def _quotes(items: Any, sheet: Sheet) -> list[Located]:
    """The quotes that stand where the model says. Raises Refused for a label that it was not given, for words of a
    line that cannot be quoted, and when none of the words stand there."""
    if not isinstance(items, list) or not items:
        raise Refused("no_quote")
    found: list[Located] = []
    for item in items:
        label, words = (item.get("m"), item.get("words")) if isinstance(item, Mapping) else (None, None)
        line = sheet.by_label.get(label) if isinstance(label, str) else None
        if line is None:
            raise Refused("unknown_message")
        if not line.is_new:
            raise Refused("context_quoted")
        place = sheet.find(line.label, words) if isinstance(words, str) else None
        if place is not None and Located(*place) not in found:
            found.append(Located(*place))
    if not found:
        raise Refused("not_located")
    return found


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict of the second pass; "" and None where nothing is corrected."""

    verdict: str
    text: str = ""
    certainty: Certainty | None = None
    kind: FindingKind | None = None
    when: str = ""
    contradicts: bool = False


def read_judgements(items: Any, numbers: range) -> dict[int, Judgement]:
    """Number of a note → the verdict on it. What is no verdict on one of these notes counts as none."""
    found: dict[int, Judgement] = {}
    for item in items if isinstance(items, list) else []:
        number = item.get("n") if isinstance(item, Mapping) else None
        if isinstance(number, bool) or not isinstance(number, int) or number not in numbers or number in found:
            continue
        if item.get("verdict") not in ("keep", "correct", "drop"):
            continue
        text, certainty, kind = item.get("text"), item.get("certainty"), item.get("kind")
        is_text = isinstance(text, str) and 0 < len(text.strip()) <= TEXT_LENGTH and is_storable(text)
        found[number] = Judgement(
            verdict=item["verdict"],
            text=text.strip() if is_text else "",
            certainty=cast(Certainty, certainty) if certainty in CERTAINTIES else None,
            kind=cast(FindingKind, kind) if kind in KINDS and kind != "alias" else None,
            when=_short(item, "when", SHORT_LENGTH["when"]),
            contradicts=item.get("contradicts") is True,
        )
    return found
