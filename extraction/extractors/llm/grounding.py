"""Holds a draft to the words it quotes: what they do not carry is taken off it; where nothing is left it is dropped.

Three rules stand behind all of this. Words that do not mention the matter at all are no finding. A text that goes
beyond its words, in numbers, in another language, in more settled or opposite terms, is replaced by the words
themselves. And values, units and dates are kept only as the words have them, as the rules read them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import MAXYEAR, MINYEAR
from decimal import Decimal
from functools import cached_property

from extraction.attributes import CONCEPT_OF
from extraction.extractors.llm import dates
from extraction.extractors.llm.answers import NOBODY, Draft, Located, Refused
from extraction.extractors.llm.lines import visible
from extraction.extractors.llm.numerals import plain_decimal, quantities, stated
from extraction.extractors.llm.passage import denies, language_of, passage_of, sentences_of
from extraction.extractors.llm.prompts import EXAMPLE_NAMES
from extraction.extractors.llm.sheet import Sheet, local
from extraction.extractors.llm.wording import share, strong_terms, terms
from extraction.extractors.protocol import Certainty, Finding, FindingKind, KnownFact, Quote
from extraction.extractors.rules.dates import DateMention
from extraction.extractors.rules.language import is_chinese
from extraction.extractors.rules.numbers import Amount, find_money, find_percentages
from extraction.extractors.rules.sentences import LONGEST_SENTENCE
from extraction.extractors.rules.standing import says_how_it_stands
from extraction.extractors.rules.statement import SECRET, Clues, Signal
from topics.services.statements import content_key, fold_attribute
from topics.text.analyse import fold
from topics.text.names import name_key

# Shares of a text's terms. Below the first its words are about something else; below the second they are retold so
# freely that they are the better text themselves.
MENTIONED, RETOLD = 0.25, 0.5
SAME_STATEMENT = 0.6
SETTLED: tuple[Certainty, ...] = ("tentative", "planned", "confirmed")
# Confidence: said in the words; with words from elsewhere in the conversation; the words themselves, where the text
# went beyond them. Only the first needs no person under the policy "uncertain".
PLAIN, RESOLVED, VERBATIM = 0.9, 0.75, 0.7
_HAN = re.compile(r"[\u3400-\u9fff]")
# A statement speaks to nobody, and a text that is clear on its own leaves no "I" behind.
_TO_SOMEBODY = re.compile(r"[你您]|\b(?:you|your|yours)\b", re.IGNORECASE)
_UNRESOLVED = re.compile(r"[我咱]|\b(?:I|I'm|I've|me|my|mine|we|our|us)\b")
_SPEAKER_AFTER_REPORT = re.compile(r"\bI\b|(?:说|告诉我|问我|建议|认为|觉得).*我")


def ground(draft: Draft, sheet: Sheet) -> Finding:
    """The finding that the quoted words carry. Raises Refused where they carry none."""
    found = _Ground(_without_talk(draft, sheet), sheet)
    _refuse_what_is_not_stated(found)
    _refuse_echo(found)
    return _alias(found) if draft.kind == "alias" else _statement(found)


def _without_talk(draft: Draft, sheet: Sheet) -> Draft:
    """The draft without the sentences of its quotes that only ask or talk, if others state something."""
    quotes = [sentence for quote in draft.quotes for sentence in _by_sentence(quote)]
    kept = []
    for quote in quotes:
        try:
            _refuse_what_is_not_stated(_Ground(replace(draft, quotes=[quote]), sheet))
            kept.append(quote)
        except Refused as refused:
            if refused.reason not in ("question", "small_talk"):
                return draft  # for the reason that is found in the whole
    if not kept or len(kept) == len(quotes):
        return draft
    return replace(draft, quotes=kept, mended=[*draft.mended, "trimmed"])


def _by_sentence(quote: Located) -> list[Located]:
    told = [s for s in sentences_of(quote.line.turn.text) if s.start < quote.end and quote.start < s.end]
    parts = [Located(quote.line, max(s.start, quote.start), min(s.end, quote.end)) for s in told]
    return [part for part in parts if any(map(str.isalnum, part.text))] or [quote]


class _Ground:
    """A draft, the passages behind it, and what may stand in its text."""

    def __init__(self, draft: Draft, sheet: Sheet) -> None:
        self.draft, self.sheet = draft, sheet
        self.passages = [passage_of(quote) for quote in draft.quotes]
        self.said_at = local(draft.quotes[0].line.turn.said_at, sheet.window.time_zone)

    @cached_property
    def words(self) -> str:
        return "\n".join(passage.text for passage in self.passages)

    @cached_property
    def names(self) -> str:
        """Names that may stand for pronouns."""
        topic = next((c for c in self.sheet.candidates if c.ref == self.draft.topic), None)
        speakers = [quote.line.turn.speaker for quote in self.draft.quotes]
        return "\n".join([self.draft.topic.name, *(topic.names if topic else ()), *speakers])

    @cached_property
    def mentions(self) -> list[DateMention]:
        found = [mention for passage in self.passages for mention in passage.dates(self.said_at)]
        return [mention for mention in found if MINYEAR < mention.at.year < MAXYEAR]

    @cached_property
    def given_terms(self) -> set[str]:
        """Terms of names and of the dates that the words name."""
        moments = [self.said_at, *(mention.at for mention in self.mentions)]
        return terms(self.names) | terms(" ".join(dates.words_of(at) for at in moments))

    @cached_property
    def given_numbers(self) -> set[Decimal]:
        moments = [mention.at for mention in self.mentions]
        of_dates = {number.normalize() for at in moments for number in dates.numbers_of(at)}
        return of_dates | quantities(self.names) | quantities(self.words)

    @property
    def is_denial(self) -> bool:
        return any(passage.is_denial for passage in self.passages)

    @property
    def is_about_speaker(self) -> bool:
        speakers = {quote.line.turn.speaker for quote in self.draft.quotes}
        return any(self.sheet.topic_called(name) == self.draft.topic for name in speakers if name)


# ------------------------------------------------------------------------------------------------ no statement


def _refuse_what_is_not_stated(found: _Ground) -> None:
    passages = found.passages
    if SECRET.search(found.words) or SECRET.search(found.draft.text):
        raise Refused("secret")
    if any(passage.is_unmeant for passage in passages):
        raise Refused("unmeant")
    if all(passage.is_question for passage in passages):
        raise Refused("question")
    if all(passage.is_speech for passage in passages):
        raise Refused("quoted_speech")
    if found.is_about_speaker and any(
        passage.is_hearsay and not _SPEAKER_AFTER_REPORT.search(passage.clauses) for passage in passages
    ):
        raise Refused("hearsay")
    clues = Clues(
        dated=bool(found.mentions),
        measured=bool(stated(found.words)),
        standing=says_how_it_stands(found.words),
        named=not found.is_about_speaker,
        business=found.sheet.window.subject is not None,
    )
    if _TO_SOMEBODY.search(found.draft.text) or all(passage.is_small_talk(clues) for passage in passages):
        raise Refused("small_talk")


def _refuse_echo(found: _Ground) -> None:
    """What only the examples of the prompt speak of."""
    draft = found.draft
    said = fold(f"{draft.text} {draft.value} {draft.alias} {draft.topic.name}")
    shown = fold(found.sheet.words)
    if any(fold(name) in said and fold(name) not in shown for name in EXAMPLE_NAMES):
        raise Refused("echo")


# --------------------------------------------------------------------------------------------------- statements


def _statement(found: _Ground) -> Finding:
    draft = found.draft
    mended = list(draft.mended)
    quotes, text = draft.quotes, draft.text
    if beyond := _beyond_the_words(found):
        quotes, text = _in_their_own_words(found)
        mended.append(beyond)
    happened, since, until = _dated(found, mended)
    attribute, value, unit = _value(found, mended)
    is_open = "tentative" in (draft.certainty, *(passage.certainty(draft.kind) for passage in found.passages))
    kind = _kind(draft.kind, happened, value, is_open=is_open)
    if kind == "timeline":
        attribute = value = unit = ""
        since = until = None
    else:
        happened = None
    contradicts, same_as = _relations(found, text, mended)
    return Finding(
        kind=kind,
        topic=draft.topic,
        text=text,
        quotes=tuple(Quote(q.line.turn.id, q.start, q.end, q.text) for q in quotes),
        certainty=_certainty(found, kind, happened),
        confidence=VERBATIM if beyond else PLAIN if _is_plain(found) and "corrected" not in mended else RESOLVED,
        attribute=attribute,
        value=value,
        unit=unit,
        negated=_is_negated(found, text),
        happened_at=happened.at if happened else None,
        precision=happened.precision if happened else None,
        valid_from=since.at if since else None,
        valid_until=until.at if until else None,
        contradicts=contradicts.id if contradicts else "",
        same_as=same_as.id if same_as else "",
        why=", ".join(dict.fromkeys(mended)),
    )


def _kind(kind: FindingKind, happened: DateMention | None, value: str, *, is_open: bool) -> FindingKind:
    """A happening without a date, a number without its value and a decision that is still open are plain facts."""
    is_bare = (kind == "timeline" and happened is None) or (kind == "number" and not value)
    return "fact" if is_bare or (kind == "decision" and is_open) else kind


def _certainty(found: _Ground, kind: FindingKind, happened: DateMention | None) -> Certainty:
    """The least settled of what the model and the words say. What lies ahead is planned at most."""
    said = [found.draft.certainty, *(passage.certainty(kind) for passage in found.passages)]
    certainty = min(said, key=SETTLED.index)
    is_ahead = happened is not None and happened.at > found.said_at
    return "planned" if is_ahead and certainty == "confirmed" else certainty


def _is_negated(found: _Ground, text: str) -> bool:
    """As the rules read it. In a language that they do not know, as the model says."""
    if found.is_denial or denies(text):
        return True
    has_rules = is_chinese(found.words) or len(terms(found.words)) < len(found.words.split())
    return found.draft.negated and not has_rules


def _is_plain(found: _Ground) -> bool:
    return share(terms(found.draft.text), terms(found.words) | found.given_terms) == 1.0


def _beyond_the_words(found: _Ground) -> str:
    """How the text goes beyond its words; "" if it does not.

    Raises Refused where the words are about something else, or a number was said by nobody.
    """
    text, words = found.draft.text, found.words
    if _is_translated(text, words, found.names):
        return "translated"
    own = terms(words)
    told = terms(text)
    if share(told - found.given_terms or told, own) < MENTIONED:
        raise Refused("unsupported")
    more = stated(text) - found.given_numbers
    if more - quantities(found.sheet.words) - {n.normalize() for n in dates.numbers_of(found.said_at)}:
        raise Refused("invented_number")
    if more:
        return "numbers"
    if _UNRESOLVED.search(text):
        return "pronoun" if content_key(text) != content_key(words) else ""
    if denies(text) != found.is_denial:
        return "negation"
    settled = language_of(text).certainty(Signal("fact", 1.0, "", text))
    if settled == "confirmed" and any(p.certainty(found.draft.kind) == "tentative" for p in found.passages):
        return "certainty"
    known = own | found.given_terms | terms(found.sheet.words)
    return "retold" if share(told, known) < RETOLD else ""


def _is_translated(text: str, words: str, names: str) -> bool:
    """Whether Chinese words got a text without any Chinese, or others one with Chinese that is no name."""
    if is_chinese(words):
        return not _HAN.search(text)
    return bool(set(_HAN.findall(text)) - set(words) - set(names))


def _in_their_own_words(found: _Ground) -> tuple[list[Located], str]:
    """The sentences of the quotes, in place of the text."""
    spans: list[Located] = []
    for passage in found.passages:
        quote = passage.quote
        fits = passage.end - passage.start <= LONGEST_SENTENCE
        span = Located(quote.line, passage.start, passage.end) if fits else quote
        if span not in spans:
            spans.append(span)
    return spans, " ".join(visible(span.text).strip() for span in spans)


# ------------------------------------------------------------------------------------------------ dates, values


def _dated(found: _Ground, mended: list[str]) -> tuple[DateMention | None, DateMention | None, DateMention | None]:
    """When it happened, from when and until when it holds, of the dates that the words name."""
    draft = found.draft
    happened, since, until = (
        dates.meant(written, found.mentions) if written else None for written in (draft.when, draft.since, draft.until)
    )
    if draft.kind == "timeline" and happened is None:
        happened = dates.meant("", found.mentions)
    if since and until and since.at > until.at:
        since = until = None
    written = [draft.when if draft.kind == "timeline" else "", draft.since, draft.until]
    if any(bool(w) and m is None for w, m in zip(written, (happened, since, until), strict=True)):
        mended.append("date")
    return happened, since, until


def _value(found: _Ground, mended: list[str]) -> tuple[str, str, str]:
    """Attribute, value and unit, if the words give that value; otherwise three times ""."""
    draft = found.draft
    attribute = fold_attribute(draft.attribute)
    if not attribute or not draft.value:
        return "", "", ""
    amounts = [amount for passage in found.passages for amount in _amounts(passage.text)]
    within = _amounts(draft.value)
    number = plain_decimal(draft.value) or (within[0].value if len(within) == 1 else "")
    is_given = _gives_number(found, number) if number else _gives_word(found, draft.value)
    # An attribute holds one value at a time: with any other name, two values that stand together would be a conflict.
    is_single = attribute in CONCEPT_OF or (number and terms(attribute) <= terms(found.words))
    if not is_given or not is_single:
        mended.append("value")
        return "", "", ""
    if not number:
        return attribute, draft.value, ""
    of_amount = next((a.unit for a in amounts if a.value == number), "")
    unit = of_amount or (draft.unit if draft.unit and _squeeze(draft.unit) in _squeeze(found.words) else "")
    return attribute, number, unit


def _amounts(text: str) -> list[Amount]:
    return find_money(text, is_chinese(text)) + find_percentages(text)


def _gives_number(found: _Ground, number: str) -> bool:
    return Decimal(number).normalize() in quantities(found.words)


def _gives_word(found: _Ground, value: str) -> bool:
    return _squeeze(value) in _squeeze(f"{found.words}\n{found.names}")


def _squeeze(text: str) -> str:
    return "".join(fold(text).split())


# --------------------------------------------------------------------------------------------- facts and aliases


def _relations(found: _Ground, text: str, mended: list[str]) -> tuple[KnownFact | None, KnownFact | None]:
    """The facts that it contradicts and repeats, if it can. A contradiction is still to be checked by the model."""
    contradicts, same_as = found.draft.contradicts, found.draft.same_as
    if contradicts and content_key(text) == content_key(contradicts.text):
        contradicts = None
    if same_as and not _says_the_same(text, same_as):
        same_as = None
    if (contradicts, same_as) != (found.draft.contradicts, found.draft.same_as):
        mended.append("relation")
    return contradicts, same_as


def _says_the_same(text: str, fact: KnownFact) -> bool:
    first, second = sorted((strong_terms(text), strong_terms(fact.text)), key=len)
    is_alike = share(first, second) >= SAME_STATEMENT
    return is_alike and stated(text) == stated(fact.text) and denies(text) == denies(fact.text)


def _alias(found: _Ground) -> Finding:
    draft, first = found.draft, found.draft.quotes[0]
    key = name_key(draft.alias)
    if not key or key in NOBODY or key == name_key(draft.topic.name) or key not in name_key(found.words):
        raise Refused("alias")
    return Finding(
        kind="alias",
        topic=draft.topic,
        text=first.text,
        quotes=tuple(Quote(q.line.turn.id, q.start, q.end, q.text) for q in draft.quotes),
        certainty=draft.certainty,
        confidence=RESOLVED,
        alias=draft.alias,
    )
