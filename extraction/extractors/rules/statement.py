"""What the rules of a language must offer, and the shapes that they pass on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, Protocol

from extraction.extractors.protocol import Certainty
from extraction.extractors.rules.dates import Tense
from extraction.extractors.rules.sentences import Sentence

SignalKind = Literal["fact", "ongoing", "decision", "status", "preference", "event", "habit", "plan", "absence"]


@dataclass(frozen=True, slots=True)
class Signal:
    """Why a part of a sentence is worth keeping. `clause` is the clause that says so, without what hangs on it.

    `is_open`: another clause says that none of it is decided.
    """

    kind: SignalKind
    confidence: float
    why: str
    clause: str
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Clues:
    """What is known of a part of a sentence before it is judged."""

    dated: bool
    measured: bool  # it sets an attribute to a value
    standing: bool  # the speaker tells in a number how something of his own stands by now
    named: bool  # its subject is a topic, or a person or project called by name
    business: bool  # the conversation is about a customer, a project or somebody else than its speakers


class Language(Protocol):
    """The rules of one language. All patterns look at `masked` text, so quoted speech is never anybody's
    statement."""

    def parts(self, sentence: Sentence) -> list[Sentence]:
        """The stretches of a sentence that may state something, without greetings, fillers and questions."""

    def clauses(self, part: Sentence) -> list[Sentence]:
        """The clauses of a part, to see whether each sets a number of its own."""

    def predicates(self, part: Sentence) -> list[Sentence]:
        """The clauses, those apart that share the subject of the one before."""

    def shared_subject(self, clause: str, whole: str, name: str) -> str:
        """The subject that a clause leaves out since the sentence begins with it, as it stands before a verb; "" if it
        leaves out none. `name`: whom the sentence calls by name as its subject."""

    def needs_subject(self, clause: str, whole: str) -> bool:
        """Whether a clause without a subject is of what the sentence begins with, other than its speaker."""

    def stands_alone(self, clause: str, *, business: bool) -> bool:
        """Whether a clause is to be understood without the one before it. `business`: see `Clues`."""

    def leans_on(self, clause: str) -> bool:
        """Whether a clause speaks of what the one before it is about, without a name for it."""

    def unconditional(self, text: str) -> str:
        """The text up to the condition that follows it: what that says sets nothing."""

    def with_reason(self, part: Sentence) -> list[Sentence]:
        """The part cut between what it says and the reason that it gives, in the order of the text."""

    def is_left_out(self, part: Sentence, clues: Clues) -> bool:
        """Whether it is small talk, a question, a request, an opinion, a mood, unreal, in jest, or hearsay."""

    def is_unmeant(self, text: str) -> bool:
        """Whether it is a secret, unreal or in jest."""

    def is_hearsay(self, text: str) -> bool:
        """Whether it tells what somebody else says."""

    def signal(self, part: Sentence, clues: Clues) -> Signal | None:
        """The most telling reason to keep it, or None."""

    def tense(self, text: str) -> Tense:
        """Whether the text tells of something past or to come; empty if it does not say."""

    def ahead_from(self, text: str) -> int:
        """Where the text begins to tell what was decided on, which is to come; its length if nowhere."""

    def certainty(self, signal: Signal) -> Certainty:
        """How settled the speaker says it is."""

    def is_doubtful(self, text: str) -> bool:
        """Whether it begins with a doubt, or ends with one, that holds for all of it."""

    def clause_at(self, text: str, position: int) -> str:
        """The clause around a position, as a signal has it."""

    def negated(self, signal: Signal) -> bool:
        """Whether the statement denies what it states."""

    def takes_back(self, text: str) -> bool:
        """Whether the sentence says that the one before was not meant."""


# Nobody wants these to be handed to a model later. Of keys and tokens much may be said without telling one: only what
# looks like one is a secret ("the API key quota is 5,000 requests" is none).
_KEY = (
    r"(?=[\w+/=.~-]*[0-9＿])(?=[\w+/=.~-]*[A-Za-z＿])(?!\d[\d,.]*[a-z]{1,3}\b)(?!\d{4}-\d\d)(?a:[\w+/.~＿-]){8,}|"
    r"[A-Za-z0-9+/]{24,}"
)
SECRET = re.compile(
    r"\b(?:password|passcode|passphrase|pin code|cvv|credit card number)\b|密码|口令|验证码|信用卡号|身份证号|"
    r"(?:\b(?:(?:api|secret|access|private|license|licence|auth)[ _-]?(?:keys?|tokens?)|bearer)\b|密钥|令牌)"
    rf".{{0,60}}?(?<![A-Za-z0-9])(?:{_KEY})|(?<![A-Za-z0-9])(?:sk|pk|ghp|gho|xox[abp])[-_][A-Za-z0-9_-]{{4,}}",
    re.IGNORECASE,
)


def one_of(words: str) -> str:
    """A pattern for any of the words, which are patterns themselves; an underscore stands for a space."""
    return f"(?:{'|'.join(words.split()).replace('_', ' ')})"
