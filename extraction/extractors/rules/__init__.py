"""The extractor that needs no model, no key and no network.

It takes statements out of messages word by word, in English and Chinese, so that every quote is exact by construction.
It would rather miss a statement than keep one that was not made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Protocol
from zoneinfo import ZoneInfo

from extraction.extractors.protocol import Extraction, Finding, FindingKind, Quote, TopicRef, Turn, Window
from extraction.extractors.rules.aliases import AliasMention, find_alias
from extraction.extractors.rules.attributes import find_attribute
from extraction.extractors.rules.chinese import Chinese
from extraction.extractors.rules.concepts import Attribute
from extraction.extractors.rules.corrections import (
    Told,
    is_overtaken,
    put_right,
    told_with,
    without_denied,
    without_slip,
)
from extraction.extractors.rules.dates import DateMention, Tense, find_dates
from extraction.extractors.rules.english import English
from extraction.extractors.rules.instructions import goes_on_ordering, without_instruction
from extraction.extractors.rules.language import is_chinese, simplified_alike
from extraction.extractors.rules.names import NewName, guess_kind
from extraction.extractors.rules.owners import owner_of
from extraction.extractors.rules.routing import Router, Subjects
from extraction.extractors.rules.sentences import Sentence, sentences
from extraction.extractors.rules.standing import says_how_it_stands
from extraction.extractors.rules.statement import Clues, Language, Signal
from extraction.extractors.rules.undecided import is_only_talked_of, is_talk, is_wholly_open
from topics.text.names import name_key

_NUMBER = re.compile(r"\d|[一二两三四五六七八九十]")
_MOVED = re.compile(r"(?i)\b(?:mov|chang|shift|push|postpon|reschedul|delay|brought|bring)|[改延提挪]|推迟|调整|变更")
_TO = re.compile(r"(?i)to|back to|forward to|[，,]?(?:改|调整|推迟|延期|延后|延|提前|变更|挪)?[到至为成]了?")
_MY = re.compile(r"\bmy\b|我的?(?!们)", re.IGNORECASE)
_HIS = re.compile(r"(?:and |but )?(?:his|her|their)\b|[他她]们?的|(?:联系)?(?:电话|手机|邮箱|微信)", re.IGNORECASE)
_ONE_IN_CHARGE = re.compile(
    r"(?:manager|lead|owner|contact|supervisor|landlord|doctor|dentist|director|architect|counterpart|sponsor|champion|"
    r"decision maker|负责人|经理|联系人|对接人|主管|老板|领导)$"
)
_ENGLISH, _CHINESE = English(), Chinese()
# What a Chinese sentence without a subject says of its speaker; where the talk is of a third party, less is certain.
_OWN = ("preference", "habit")
_PERSONAL = ("preference", "habit", "event", "plan", "ongoing")


class Judge(Protocol):
    """Reads a part; see `_judge`."""

    def __call__(self, part: Sentence, *, of: str = "") -> _Statement | None: ...


@dataclass(frozen=True, slots=True)
class _Statement:
    """A part of a sentence that is kept, and all that was read from it."""

    part: Sentence
    said: Sentence  # the part without a value that it denies for another one
    signal: Signal
    tense: Tense
    dates: list[DateMention]
    attribute: Attribute | None
    standing: bool
    subject: TopicRef | None
    shared_with: tuple[TopicRef, ...] = ()  # the other topics that it is said of
    routed_by: str = ""  # the words that tell whom it is about, where they are not all of it
    led_by: str = ""  # the subject that the part leaves out, as the sentence begins with it


class RulesExtractor:
    """Reads a window by rules alone. Pure: the same window always gives the same findings."""

    name = "rules"
    model: str | None = None

    def extract(self, window: Window) -> Extraction:
        """The findings of the window's user turns, in the order of the text. Never raises for what a message says."""
        router, told = Router(window), Told()
        for turn in window.context:
            _hear_or_read(turn, window, router, told)
        found = [_hear_or_read(turn, window, router, told) for turn in window.turns]
        return Extraction(tuple(finding for findings in found for finding in findings))


def _hear_or_read(turn: Turn, window: Window, router: Router, told: Told) -> list[Finding]:
    """What is found in a turn that a user says; any other is only heard."""
    if turn.role != "user":
        router.hear_turn(turn)
        return []
    findings = _read_turn(turn, window, router, told)
    told.add(turn, findings)
    return findings


def _read_turn(turn: Turn, window: Window, router: Router, told: Told) -> list[Finding]:
    said_at = _local(turn.said_at, window.time_zone)
    by_sentence: list[list[Finding]] = []
    read: set[str] = set()
    is_ordered, before = False, ""
    for sentence in sentences(turn.text):
        chinese = is_chinese(sentence.text)
        language: Language = _CHINESE if chinese else _ENGLISH
        if chinese:
            sentence = replace(sentence, masked=simplified_alike(sentence.masked))
        # Minutes say it of each item, in the same words.
        if by_sentence and is_wholly_open(sentence.masked, chinese=chinese):
            by_sentence[-1] = [] if is_talk(before, chinese=chinese) else [_opened(held) for held in by_sentence[-1]]
            continue
        if sentence.text in read:
            continue
        read.add(sentence.text)
        own = without_instruction(sentence, chinese=chinese)
        is_ordered = own != sentence or (is_ordered and goes_on_ordering(sentence))
        if language.takes_back(sentence.masked):
            by_sentence[-1:] = [[]]
            continue
        if righted := _put_right_in(by_sentence[-1] if by_sentence else [], sentence, turn, said_at, chinese=chinese):
            by_sentence[-1] = righted
            continue
        before = sentence.masked
        if not any(by_sentence) and (later := told.put_right(own, turn, said_at, chinese=chinese)):
            by_sentence.append(later)
            continue
        now = [finding for found in by_sentence for finding in found]
        is_read = not is_ordered or own != sentence
        found = _read_sentence(own, turn, said_at, router, partial(told.of, now=now), language, chinese=chinese)
        new = list(found) if is_read else []
        for earlier in by_sentence:
            earlier[:] = [old for old in earlier if not any(is_overtaken(old, other, sentence) for other in new)]
        by_sentence.append(new)
        router.hear(sentence.text, chinese=chinese)
    return [finding for found in by_sentence for finding in found]


def _put_right_in(
    findings: list[Finding], sentence: Sentence, turn: Turn, said_at: datetime, *, chinese: bool
) -> list[Finding]:
    """What the sentence before told, with the value in it that this one puts right; nothing if it puts none right."""
    told_until = max((held.quotes[0].end for held in findings), default=0)
    for held in reversed(findings):
        if corrected := put_right(held, sentence, turn, said_at, told_until=told_until, chinese=chinese):
            wrong = told_with(held, findings)
            return [
                replace(corrected, topic=found.topic, is_shared=found.is_shared) if found in wrong else found
                for found in findings
            ]
    return []


def _opened(finding: Finding) -> Finding:
    """The finding as it stands once somebody says that nothing of it is decided."""
    if finding.kind in ("alias", "preference"):
        return finding
    return replace(finding, kind="fact" if finding.kind == "decision" else finding.kind, certainty="tentative")


def _local(moment: datetime, zone: ZoneInfo) -> datetime:
    try:
        return moment.astimezone(zone)
    except OverflowError:  # the first or the last day of the calendar
        return moment


def _read_sentence(
    sentence: Sentence,
    turn: Turn,
    said_at: datetime,
    router: Router,
    told_of: Callable[[str], list[Finding]],
    language: Language,
    *,
    chinese: bool,
) -> Iterator[Finding]:
    parts = [part for part in language.parts(sentence) if not is_only_talked_of(part.masked, chinese=chinese)]
    alias = None if sentence.is_question else find_alias(sentence.text, chinese=chinese)
    if alias and (finding := _alias_finding(alias, sentence, turn, router)):
        router.learn_name(alias.alias, finding.topic)
        yield finding
        if alias.is_about_speaker:
            said = range(sentence.start + alias.start, sentence.start + alias.end)
            parts = [part for part in parts if part.start not in said and part.end - 1 not in said]
    judge = partial(_judge, said_at=said_at, router=router, language=language, chinese=chinese)
    measured = [s for part in parts for s in _measured(part, judge, language, router)]
    values = [value for part in parts for value in _matters(part, judge, language, router)]
    if len(values) > max(1, len(measured)):
        kept = values
    elif len(measured) > 1:
        kept = measured
    else:
        statements = [statement for part in parts if (statement := judge(part))]
        kept = [one for s in sorted(statements, key=_worth)[-1:] for one in _with_reason(s, judge, language)]
    is_slip = without_slip(sentence.masked) is not None
    for statement in kept:
        if is_slip:
            statement = _put_right_of(statement, told_of, router, chinese=chinese)
        if not _says_who_speaks(statement, turn):
            finding = _finding(statement, turn, said_at, router, language, chinese=chinese)
            yield finding
            for topic in statement.shared_with:
                yield replace(finding, topic=topic, is_shared=True)


def _put_right_of(
    statement: _Statement, told_of: Callable[[str], list[Finding]], router: Router, *, chinese: bool
) -> _Statement:
    """The statement of somebody who was wrong, of what he was wrong about: "my mistake" does not make it his own."""
    masked = without_slip(statement.said.masked) or statement.said.masked
    statement = replace(statement, routed_by=masked)
    if statement.subject or statement.attribute is None or router.is_of_speakers(masked, chinese=chinese):
        return statement
    topics = [found.topic for found in told_of(statement.attribute.name)]
    return replace(statement, subject=topics[0], shared_with=tuple(topics[1:])) if topics else statement


def _matters(part: Sentence, judge: Judge, language: Language, router: Router) -> list[_Statement]:
    """A statement for each matter that a part tells, if one clause sets a value and another tells more; else none.

    A value is replaced by the next one of its kind. What else the sentence says must not go with it: it has a
    statement, and words, of its own. A clause that tells nothing hangs on the one before it, or on the first if it
    states nothing by itself.
    """
    if language.is_unmeant(part.masked) or language.is_hearsay(part.masked) or language.is_doubtful(part.masked):
        return []
    chinese = language is _CHINESE
    lead = router.subjects_of(part.text, chinese=chinese)
    found: list[tuple[Sentence, _Statement]] = []
    pieces = _with_replaced(part, language.predicates(part), chinese=chinese)
    for piece in pieces if len(pieces) > 1 else []:
        is_bare = not lead and language.needs_subject(piece.masked, part.masked)
        alone = None if is_bare else judge(piece, of=_person_in_charge(found))
        statement = alone or _completed(piece, part, judge, language, lead)
        if statement and (
            (statement.attribute and (is_bare or not statement.led_by))
            or language.stands_alone(piece.masked, business=router.has_subject)
        ):
            found.append((piece, _said_of(statement, lead, router, chinese=chinese)))
    valued = [(piece, statement.attribute.name) for piece, statement in found if statement.attribute]
    if len(found) < 2 or not valued or len({name for _piece, name in valued}) < len(valued):
        return []
    if len(valued) == 1 and not _is_understood_alone(*valued[0], judge(part), language):
        return []
    led = max((piece.end for piece in pieces if piece.end <= found[0][0].start), default=part.start)
    first = judge(part.part(0, led - part.start)) if led > part.start else None
    starts = [found[0][0].start if first else part.start, *(piece.start for piece, _statement in found[1:])]
    ends = [max(c.end for c in pieces if c.start < after) for after in [*starts[1:], part.end + 1]]
    wider = [part.part(start - part.start, end - part.start) for start, end in zip(starts, ends, strict=True)]
    told = [_widened(statement, judge(whole)) for whole, (_piece, statement) in zip(wider, found, strict=True)]
    return [first, *told] if first else told


def _is_understood_alone(piece: Sentence, attribute: str, whole: _Statement | None, language: Language) -> bool:
    """Whether the one value of a sentence is of the same thing without the clauses that set none."""
    if whole and whole.attribute and whole.attribute.name != attribute:
        return False
    return not language.leans_on(piece.masked)


def _completed(
    piece: Sentence, part: Sentence, judge: Judge, language: Language, lead: Subjects | None
) -> _Statement | None:
    """What a clause states that leaves out the subject which the part begins with, or None."""
    subject = language.shared_subject(piece.masked, part.masked, lead.as_said(part.text) if lead else "")
    if not subject or piece.start == part.start:
        return None
    whole = replace(piece, text=subject + piece.text, masked=subject + piece.masked)
    statement = judge(whole)
    return replace(statement, part=piece, led_by=subject) if statement else None


def _said_of(statement: _Statement, lead: Subjects | None, router: Router, *, chinese: bool) -> _Statement:
    """The statement of a clause, of what the sentence is about unless it says otherwise."""
    if statement.subject or lead is None or router.is_of_speakers(statement.said.masked, chinese=chinese):
        return statement
    subject = _in_charge_of(statement.attribute, lead.topics[0], router)
    return replace(statement, subject=subject, shared_with=lead.topics[1:] if subject == lead.topics[0] else ())


def _in_charge_of(attribute: Attribute | None, lead: TopicRef, router: Router) -> TopicRef:
    """What has the one in charge that a clause behind tells: the company, and not the person who had been it before."""
    if attribute is None or lead.kind != "person" or not _is_one_in_charge(attribute):
        return lead
    return router.organisation() or lead


def _widened(statement: _Statement, wider: _Statement | None) -> _Statement:
    """The statement with what hangs on it, where that leaves it the statement that it is."""
    if wider is None or statement.led_by or wider.signal.kind != statement.signal.kind:
        return statement
    name, wider_name = (s.attribute.name if s.attribute else "" for s in (statement, wider))
    if name != wider_name:
        return statement
    return replace(wider, subject=statement.subject, shared_with=statement.shared_with)


def _person_in_charge(found: list[tuple[Sentence, _Statement]]) -> str:
    """What the one is whom the clause before tells by name: the manager, the contact; "" if it names nobody."""
    attribute = found[-1][1].attribute if found else None
    return attribute.name if attribute and _is_one_in_charge(attribute) else ""


def _is_one_in_charge(attribute: Attribute) -> bool:
    return not attribute.unit and bool(_ONE_IN_CHARGE.search(attribute.name))


def _measured(part: Sentence, judge: Judge, language: Language, router: Router) -> list[_Statement]:
    """What the clauses of a part measure, if there are several that hold a number."""
    lead = router.subjects_of(part.text, chinese=language is _CHINESE)
    told = [statement for piece in _numbered(part, language) if (statement := judge(piece)) and _is_measured(statement)]
    return [_said_of(statement, lead, router, chinese=language is _CHINESE) for statement in told]


def _numbered(part: Sentence, language: Language) -> list[Sentence]:
    """The clauses that hold a number each, if there are several."""
    clauses = _with_replaced(part, language.clauses(part), chinese=language is _CHINESE)
    numbered = [clause for clause in clauses if _NUMBER.search(clause.text)]
    return numbered if len(numbered) > 1 else []


def _with_replaced(part: Sentence, clauses: list[Sentence], *, chinese: bool) -> list[Sentence]:
    """The clauses with the two of a value and the one it replaced as one."""
    replaced = without_denied(part, chinese=chinese)
    if replaced is None:
        return clauses
    start, end = part.start + replaced.start, part.start + replaced.end
    joined = clauses[:1]
    for clause in clauses[1:]:
        if start < clause.start and joined[-1].end < end:
            joined[-1] = part.part(joined[-1].start - part.start, clause.end - part.start)
        else:
            joined.append(clause)
    return joined


def _with_reason(
    statement: _Statement, judge: Callable[[Sentence], _Statement | None], language: Language
) -> list[_Statement]:
    """The statement, or, where it is a plan or a guess and gives how something stands as its reason, either of them."""
    pieces = language.with_reason(statement.part)
    if len(pieces) != 2 or language.certainty(statement.signal) == "confirmed":
        return [statement]
    told = [judge(piece) for piece in pieces]
    settled = [s for s in told if s and (s.standing or s.attribute) and language.certainty(s.signal) == "confirmed"]
    return [s for s in told if s] if settled else [statement]


def _is_measured(statement: _Statement) -> bool:
    return statement.attribute is not None and statement.attribute.value[:1].isdigit() and not statement.dates


def _says_who_speaks(statement: _Statement, turn: Turn) -> bool:
    """Whether it tells only the name that the message bears anyway."""
    attribute = statement.attribute
    return (
        attribute is not None
        and attribute.name in ("name", "姓名")
        and name_key(attribute.value) == name_key(turn.speaker)
    )


def _worth(statement: _Statement) -> tuple[bool, float, int]:
    return statement.attribute is not None, statement.signal.confidence, len(statement.part.text)


def _judge(
    part: Sentence, *, said_at: datetime, router: Router, language: Language, chinese: bool, of: str = ""
) -> _Statement | None:
    """What a part states, or None. `of`: whom "his" and "her" at its start mean, by what they are."""
    judge = partial(_judge_said, said_at=said_at, router=router, language=language, chinese=chinese, of=of)
    replaced = None if language.is_unmeant(part.masked) else without_denied(part, chinese=chinese)
    if replaced:
        statement = judge(replaced.sentence)
        if statement and (replaced.is_alike or replaced.is_replaced_by(_told_at(statement))):
            return replace(statement, part=part)
    return judge(part)


def _told_at(statement: _Statement) -> int:
    """Where the value starts in what was said, or the date of what has none; -1 where it tells neither."""
    if statement.attribute is None and statement.dates:
        return statement.dates[0].start
    return _value_at(statement)


def _value_at(statement: _Statement) -> int:
    """Where the value starts in what was said; -1 if no words there are it."""
    attribute = statement.attribute
    if attribute is None:
        return -1
    return statement.said.text.find(attribute.value) if attribute.at is None else attribute.at


def _judge_said(
    part: Sentence, *, said_at: datetime, router: Router, language: Language, chinese: bool, of: str
) -> _Statement | None:
    tense = language.tense(part.masked)
    ahead_from = language.ahead_from(part.masked)
    dates = _without_replaced(find_dates(part.masked, said_at, tense, ahead_from=ahead_from), part.masked)
    words = (simplified_alike(part.text) if chinese else part.text).replace("’", "'")
    attribute = find_attribute(language.unconditional(words), dates, chinese=chinese, business=router.has_subject)
    subjects = router.subjects_of(part.text, chinese=chinese)
    subject = subjects.topics[0] if subjects else None
    if attribute and not attribute.value:
        attribute = None
    if attribute and subject and name_key(subject.name) == name_key(attribute.value):
        # Whoever is the new manager is the value of that, and not what has it, if it is told what has it.
        subject, attribute = (None, attribute) if router.has_subject or _MY.search(words) else (subject, None)
    if attribute and subject and subject != router.subject_of(_clause_of(attribute, words, language), chinese=chinese):
        subject = _in_charge_of(attribute, subject, router)
    if attribute and chinese:
        attribute = replace(attribute, value=_as_written(attribute.value, words, part.text))
    is_his = bool(of and attribute and _HIS.match(words))
    if attribute and is_his:
        attribute = replace(attribute, name=f"{of}{'' if chinese else ' '}{attribute.name}")
    elif attribute and (owner := _owner(attribute, words, subject, router, chinese=chinese)):
        attribute = replace(attribute, name=f"{owner}{'' if chinese else ' '}{attribute.name}")
    clues = Clues(
        dated=bool(dates),
        measured=attribute is not None,
        standing=says_how_it_stands(part.masked),
        named=subject is not None or is_his,
        business=router.has_subject,
    )
    told = _of_the_first(part, subjects) if subjects else part
    if language.is_left_out(told, clues):
        return None
    signal = language.signal(told, clues)
    others = subjects.topics[1:] if subjects and subject == subjects.topics[0] else ()
    return _Statement(part, part, signal, tense, dates, attribute, clues.standing, subject, others) if signal else None


def _of_the_first(part: Sentence, subjects: Subjects) -> Sentence:
    """The part as if it told of the first of its subjects alone."""
    return replace(
        part,
        text=part.text[: subjects.end] + part.text[subjects.all_end :],
        masked=part.masked[: subjects.end] + part.masked[subjects.all_end :],
    )


def _clause_of(attribute: Attribute, text: str, language: Language) -> str:
    at = text.find(attribute.value) if attribute.at is None else attribute.at
    return language.clause_at(text, max(at, 0)).lstrip()


def _owner(attribute: Attribute, words: str, subject: TopicRef | None, router: Router, *, chinese: bool) -> str:
    """Whose attribute it is, or what it is of, if not the topic itself has it."""
    owner = owner_of(words, chinese=chinese, named=subject is not None) or attribute.of
    is_topic = router.is_subject(owner) or (subject is not None and name_key(subject.name) == name_key(owner))
    return "" if is_topic or owner == attribute.name else owner  # 我的老板是王强 is of the speaker, not of the boss


def _as_written(value: str, simplified: str, text: str) -> str:
    """The value in the characters of the text, of which `simplified` is the same length."""
    start = simplified.find(value)
    return text[start : start + len(value)] if start >= 0 else value


def _without_replaced(dates: list[DateMention], text: str) -> list[DateMention]:
    """The dates without one that another took the place of: "moved from 3 June to 10 June" is about the 10th."""
    if len(dates) == 2 and _MOVED.search(text) and _TO.fullmatch(text[dates[0].end : dates[1].start].strip()):
        return [replace(dates[1], relation="on", ends_range=False)]
    return dates


def _finding(
    statement: _Statement, turn: Turn, said_at: datetime, router: Router, language: Language, *, chinese: bool
) -> Finding:
    part, signal, attribute = statement.part, statement.signal, statement.attribute
    kind = _kind(statement)
    is_away = signal.kind == "absence"
    since = next((d for d in statement.dates if d.relation == "since"), None)
    until = next((d for d in statement.dates if d.relation == "until" or (is_away and d.ends_range)), None)
    on = next((d for d in statement.dates if d.relation == "on"), None)
    starts = sorted((date for date in (on, since) if date), key=lambda date: date.start)
    happened = next(iter([*starts, *([until] if until else [])]), None) if kind == "timeline" else None
    begins = next(iter(starts), None) if is_away else happened
    certainty = language.certainty(signal)
    valid_from = _valid_from(kind, since, on, changed=attribute is not None and attribute.denied is not None)
    ends = until.at if until and kind != "timeline" else None
    return Finding(
        kind=kind,
        topic=statement.subject
        or router.route(
            statement.routed_by or statement.said.masked,
            turn,
            chinese=chinese,
            personal=chinese and signal.kind in (_OWN if router.has_subject else _PERSONAL),
        ),
        text=statement.led_by + part.text,
        quotes=(Quote(turn.id, part.start, part.end, part.text),),
        certainty="planned" if certainty == "confirmed" and begins and begins.at > said_at else certainty,
        confidence=signal.confidence,
        attribute=attribute.name if attribute and kind != "timeline" else "",
        value=attribute.value if attribute and kind != "timeline" else "",
        unit=attribute.unit if attribute and kind != "timeline" else "",
        negated=_is_negated(statement, language),
        happened_at=happened.at if happened else None,
        precision=happened.precision if happened else None,
        valid_from=valid_from,
        valid_until=None if ends and valid_from and ends < valid_from else ends,
        why=signal.why,
    )


def _is_negated(statement: _Statement, language: Language) -> bool:
    """Whether it denies what it states: a denial in another clause than the value's denies something else."""
    signal, text = statement.signal, statement.said.masked
    if statement.attribute is not None and statement.attribute.denied is not None:
        return statement.attribute.denied
    if signal.kind == "absence":  # 不在公司 says where somebody is not, and denies nothing
        return False
    if (at := _value_at(statement)) >= 0:
        signal = replace(signal, clause=language.clause_at(text, at))
    return language.negated(signal)


def _kind(statement: _Statement) -> FindingKind:
    signal, attribute = statement.signal, statement.attribute
    if signal.kind == "decision":
        return "decision"
    if attribute and attribute.value.replace(".", "", 1).isdigit():
        return "number"
    if attribute:
        return signal.kind if signal.kind in ("status", "preference") else "fact"
    if signal.kind == "absence" and any(date.relation == "until" or date.ends_range for date in statement.dates):
        return "status"  # what ends on a day that is told holds until then
    happening = any(date.relation == "on" for date in statement.dates)
    if (
        happening
        and not statement.standing
        and not re.search(r"岁|\byears old\b", statement.part.masked)
        and (signal.kind in ("event", "plan", "absence") or (signal.kind in ("status", "fact") and statement.tense))
    ):
        return "timeline"
    if signal.kind in ("status", "preference"):
        return signal.kind
    return "fact"


def _valid_from(
    kind: FindingKind, since: DateMention | None, on: DateMention | None, *, changed: bool
) -> datetime | None:
    if kind == "timeline":
        return None
    if since:
        return since.at
    return on.at if on and (changed or kind in ("decision", "status")) else None


def _alias_finding(mention: AliasMention, sentence: Sentence, turn: Turn, router: Router) -> Finding | None:
    if mention.is_about_speaker:
        topic = router.speaker_of(turn)
    elif mention.full:
        topic = router.named(mention.full, NewName(mention.full, guess_kind(mention.full)))
    else:
        named = router.subject_of(sentence.text, chinese=is_chinese(sentence.text))
        topic = named or router.pointed_at(person=mention.is_of_person)
    if topic is None or name_key(topic.name) == name_key(mention.alias):
        return None
    words = sentence.part(mention.start, mention.end)
    return Finding(
        kind="alias",
        topic=topic,
        text=words.text,
        quotes=(Quote(turn.id, words.start, words.end, words.text),),
        confidence=0.9,
        alias=mention.alias,
        why="alias",
    )
