"""The extractor that needs no model, no key and no network.

It takes statements out of messages word by word, in English and Chinese, so that every quote is exact by construction.
It would rather miss a statement than keep one that was not made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from extraction.extractors.protocol import Extraction, Finding, FindingKind, Quote, TopicRef, Turn, Window
from extraction.extractors.rules.aliases import AliasMention, find_alias
from extraction.extractors.rules.attributes import Attribute, find_attribute
from extraction.extractors.rules.chinese import Chinese
from extraction.extractors.rules.dates import DateMention, Tense, find_dates
from extraction.extractors.rules.english import English
from extraction.extractors.rules.language import is_chinese
from extraction.extractors.rules.names import NewName, guess_kind
from extraction.extractors.rules.routing import Router
from extraction.extractors.rules.sentences import Sentence, sentences
from extraction.extractors.rules.statement import Clues, Language, Signal
from topics.text.names import name_key

_ENGLISH, _CHINESE = English(), Chinese()
_PERSONAL = ("preference", "habit", "event", "plan", "ongoing")


@dataclass(frozen=True, slots=True)
class _Statement:
    """A part of a sentence that is kept, and all that was read from it."""

    part: Sentence
    signal: Signal
    tense: Tense
    dates: list[DateMention]
    attribute: Attribute | None
    subject: TopicRef | None


class RulesExtractor:
    """Reads a window by rules alone. Pure: the same window always gives the same findings."""

    name = "rules"
    model: str | None = None

    def extract(self, window: Window) -> Extraction:
        """The findings of the window's user turns, in the order of the text. Never raises for what a message says."""
        router = Router(window)
        findings = [
            finding for turn in window.turns if turn.role == "user" for finding in _read_turn(turn, window, router)
        ]
        return Extraction(tuple(findings))


def _read_turn(turn: Turn, window: Window, router: Router) -> list[Finding]:
    said_at = turn.said_at.astimezone(window.time_zone)
    by_sentence: list[list[Finding]] = []
    seen: set[str] = set()
    last_named: TopicRef | None = None
    for sentence in sentences(turn.text):
        chinese = is_chinese(sentence.text)
        language: Language = _CHINESE if chinese else _ENGLISH
        if language.takes_back(sentence.masked):
            by_sentence[-1:] = [[]]
            continue
        found = list(_read_sentence(sentence, turn, said_at, router, language, last_named, chinese=chinese))
        last_named = router.subject_of(sentence.text, chinese=chinese) or last_named
        by_sentence.append([finding for finding in found if _is_first(finding, seen)])
    return [finding for found in by_sentence for finding in found]


def _is_first(finding: Finding, seen: set[str]) -> bool:
    key = f"{finding.kind == 'alias'} {finding.text}"
    is_first = key not in seen
    seen.add(key)
    return is_first


def _read_sentence(
    sentence: Sentence,
    turn: Turn,
    said_at: datetime,
    router: Router,
    language: Language,
    last_named: TopicRef | None,
    *,
    chinese: bool,
) -> Iterator[Finding]:
    alias = None if sentence.is_question else find_alias(sentence.text)
    if alias and (finding := _alias_finding(alias, sentence, turn, router, last_named)):
        yield finding
        return
    statements = [
        s for part in language.parts(sentence) if (s := _judge(part, said_at, router, language, chinese=chinese))
    ]
    if statements:
        best = max(
            statements,
            key=lambda statement: (
                statement.attribute is not None,
                statement.signal.confidence,
                len(statement.part.text),
            ),
        )
        yield _finding(best, turn, router, language, chinese=chinese)


def _judge(
    part: Sentence, said_at: datetime, router: Router, language: Language, *, chinese: bool
) -> _Statement | None:
    tense = language.tense(part.masked)
    dates = find_dates(part.masked, said_at, tense)
    attribute = find_attribute(part.text.replace("’", "'"), chinese=chinese)
    subject = router.subject_of(part.text, chinese=chinese)
    clues = Clues(
        dated=bool(dates),
        measured=attribute is not None,
        named=subject is not None,
        business=router.has_subject,
    )
    if language.is_left_out(part, clues):
        return None
    signal = language.signal(part, clues)
    return _Statement(part, signal, tense, dates, attribute, subject) if signal else None


def _finding(statement: _Statement, turn: Turn, router: Router, language: Language, *, chinese: bool) -> Finding:
    part, signal, attribute = statement.part, statement.signal, statement.attribute
    kind = _kind(statement)
    since = next((d for d in statement.dates if d.relation == "since"), None)
    until = next((d for d in statement.dates if d.relation == "until"), None)
    on = next((d for d in statement.dates if d.relation == "on"), None)
    happened = on or since or until if kind == "timeline" else None
    return Finding(
        kind=kind,
        topic=statement.subject or router.route(part.masked, turn, chinese=chinese, personal=signal.kind in _PERSONAL),
        text=part.text,
        quotes=(Quote(turn.id, part.start, part.end, part.text),),
        certainty=language.certainty(signal),
        confidence=signal.confidence,
        attribute=attribute.name if attribute and kind != "timeline" else "",
        value=attribute.value if attribute and kind != "timeline" else "",
        unit=attribute.unit if attribute and kind != "timeline" else "",
        negated=language.negated(signal),
        happened_at=happened.at if happened else None,
        precision=happened.precision if happened else None,
        valid_from=_valid_from(kind, since, on),
        valid_until=until.at if until and kind != "timeline" else None,
        why=signal.why,
    )


def _kind(statement: _Statement) -> FindingKind:
    signal, attribute = statement.signal, statement.attribute
    if signal.kind == "decision":
        return "decision"
    if attribute and attribute.value.replace(".", "", 1).isdigit():
        return "number"
    if attribute and not attribute.unit:
        return "status" if signal.kind == "status" else "preference" if signal.kind == "preference" else "fact"
    happening = any(date.relation == "on" for date in statement.dates)
    if happening and (signal.kind in ("event", "plan") or (signal.kind in ("status", "fact") and statement.tense)):
        return "timeline"
    if signal.kind in ("status", "preference"):
        return signal.kind
    return "fact"


def _valid_from(kind: FindingKind, since: DateMention | None, on: DateMention | None) -> datetime | None:
    if kind == "timeline":
        return None
    if since:
        return since.at
    return on.at if on and kind in ("decision", "status") else None


def _alias_finding(
    mention: AliasMention, sentence: Sentence, turn: Turn, router: Router, last_named: TopicRef | None
) -> Finding | None:
    if mention.full is None:
        topic = last_named
    elif mention.full:
        topic = router.named(mention.full, NewName(mention.full, guess_kind(mention.full)))
    else:
        topic = router.speaker_of(turn)
    if topic is None or name_key(topic.name) == name_key(mention.alias):
        return None
    return Finding(
        kind="alias",
        topic=topic,
        text=sentence.text,
        quotes=(Quote(turn.id, sentence.start, sentence.end, sentence.text),),
        confidence=0.9,
        alias=mention.alias,
        why="alias",
    )
