"""The sentences around quoted words, and what the rules can tell of them for certain."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache

from extraction.extractors.llm.answers import Located
from extraction.extractors.protocol import Certainty, FindingKind
from extraction.extractors.rules.chinese import Chinese
from extraction.extractors.rules.dates import DateMention, find_dates
from extraction.extractors.rules.english import English
from extraction.extractors.rules.language import is_chinese
from extraction.extractors.rules.sentences import Sentence, sentences
from extraction.extractors.rules.statement import Clues, Language, Signal, SignalKind

_ENGLISH, _CHINESE = English(), Chinese()
_CLAUSE_END = re.compile(r"[,，;；:：]|\s(?:but|and|so|because)\s|但是?|不过|所以")
_PRONOUN = re.compile(r"(?i)^(?:he|she|it|they)(?= |['’]s )")
_ZH_PRONOUN = re.compile(r"^[他她它]们?")
_SIGNALS: dict[FindingKind, SignalKind] = {
    "decision": "decision",
    "status": "status",
    "preference": "preference",
    "timeline": "event",
}


def language_of(text: str) -> Language:
    """The rules for the language of a text."""
    return _CHINESE if is_chinese(text) else _ENGLISH


@dataclass(frozen=True)
class Passage:
    """One quote with the sentences that it stands in, and the sentence that follows."""

    quote: Located
    sentences: tuple[Sentence, ...]
    following: Sentence | None

    @cached_property
    def language(self) -> Language:
        return language_of(self.quote.text)

    @cached_property
    def text(self) -> str:
        """The sentences, or the quote itself where it stands in none (a list of words, for example)."""
        if not self.sentences:
            return self.quote.text
        return self.quote.line.turn.text[self.start : self.end]

    @property
    def start(self) -> int:
        return min(self.quote.start, self.sentences[0].start) if self.sentences else self.quote.start

    @property
    def end(self) -> int:
        return max(self.quote.end, self.sentences[-1].end) if self.sentences else self.quote.end

    @cached_property
    def parts(self) -> list[Sentence]:
        """The quote, out to the next marks between clauses."""
        found = []
        for sentence in self.sentences:
            start = max(self.quote.start - sentence.start, 0)
            end = min(self.quote.end - sentence.start, len(sentence.masked))
            before = [match.end() for match in _CLAUSE_END.finditer(sentence.masked, 0, start)]
            after = _CLAUSE_END.search(sentence.masked, max(end - 1, start))
            found.append(sentence.part(before[-1] if before else 0, after.start() + 1 if after else len(sentence.text)))
        return found

    @cached_property
    def clauses(self) -> str:
        """The words of the parts, with the inside of quotation marks blanked out."""
        return " ".join(part.masked for part in self.parts) or self.quote.text

    @property
    def is_question(self) -> bool:
        """Whether the words ask: a sentence that is a question is quoted to its end."""
        last = self.sentences[-1] if self.sentences else None
        asks = last is not None and last.is_question and self.quote.end >= last.end - 1
        return asks or self.quote.text.rstrip(" \"'”’」』)）").endswith(("?", "？", "吗", "么"))

    @property
    def is_unmeant(self) -> bool:
        """Whether they are a secret, unreal or in jest, or are taken back by what follows."""
        taken_back = self.following is not None and self.language.takes_back(self.following.masked)
        return taken_back or self.language.is_unmeant(self.text)

    def is_small_talk(self, clues: Clues) -> bool:
        """Whether all of it is what the rules leave out: talk, a request, a mood, an opinion, a mere intention.

        A pronoun that the model resolves does not count against it.
        """
        parts = [stated for part in self.parts for stated in self.language.parts(part)]
        return bool(self.parts) and all(
            self.language.is_left_out(_with_a_name(part, self.language is _CHINESE), clues) for part in parts
        )

    @property
    def is_speech(self) -> bool:
        """Whether they stand within quotation marks: somebody's words, or a title, and no statement."""
        for sentence in self.sentences:
            start, end = max(self.quote.start - sentence.start, 0), self.quote.end - sentence.start
            masked = sentence.masked[start:end]
            if any(map(str.isalnum, masked.replace("＿", ""))):
                return False
        return bool(self.sentences)

    @property
    def is_hearsay(self) -> bool:
        return self.language.is_hearsay(self.clauses)

    @cached_property
    def is_denial(self) -> bool:
        """Whether the clauses deny what they state."""
        return denies(self.clauses)

    def certainty(self, kind: FindingKind) -> Certainty:
        """How settled the words themselves are."""
        return self.language.certainty(Signal(_SIGNALS.get(kind, "fact"), 1.0, "", self.clauses))

    def dates(self, said_at: datetime) -> list[DateMention]:
        """The dates that the sentences name. `said_at` is local to the reader."""
        found = []
        for sentence in self.sentences:
            found += find_dates(sentence.masked, said_at, self.language.tense(sentence.masked))
        return found


def _with_a_name(part: Sentence, is_chinese: bool) -> Sentence:
    """The part with a name in place of a pronoun that it starts with."""
    pattern, name = (_ZH_PRONOUN, "小明") if is_chinese else (_PRONOUN, "Tom")
    masked = pattern.sub(name, part.masked, count=1)
    return part if masked == part.masked else replace(part, text=masked, masked=masked)


def denies(text: str) -> bool:
    """Whether a text denies what it states, in English or Chinese."""
    return language_of(text).negated(Signal("fact", 1.0, "", text))


@lru_cache(maxsize=64)
def sentences_of(text: str) -> tuple[Sentence, ...]:
    """The sentences of a message; of one message many quotes are read in a row."""
    return tuple(sentences(text))


def passage_of(quote: Located) -> Passage:
    """The passage of a quote."""
    told = sentences_of(quote.line.turn.text)
    at = [n for n, s in enumerate(told) if s.start < quote.end and quote.start < s.end]
    following = told[at[-1] + 1] if at and at[-1] + 1 < len(told) else None
    return Passage(quote, tuple(told[n] for n in at), following)
