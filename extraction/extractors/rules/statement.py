"""What one sentence says, once it is known to be worth keeping; and what a language's rules must offer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from extraction.extractors.protocol import Certainty
from extraction.extractors.rules.dates import Tense
from extraction.extractors.rules.sentences import Sentence

SignalKind = Literal["fact", "decision", "status", "preference", "event", "habit", "plan"]


@dataclass(frozen=True, slots=True)
class Signal:
    """Why a sentence is worth keeping. `confidence` is the share of such sentences that people wanted kept."""

    kind: SignalKind
    confidence: float
    why: str


@dataclass(frozen=True, slots=True)
class Clues:
    """What is known of a part of a sentence before it is judged."""

    dated: bool
    measured: bool  # it sets an attribute to a value
    named: bool  # its subject is a topic, or a person or project called by name


class Language(Protocol):
    """The rules of one language. All patterns look at `masked` text, so quoted speech is never anybody's statement."""

    def parts(self, sentence: Sentence) -> list[Sentence]: ...

    def is_left_out(self, part: Sentence, clues: Clues) -> bool: ...

    def signal(self, part: Sentence, clues: Clues) -> Signal | None: ...

    def tense(self, text: str) -> Tense: ...

    def certainty(self, text: str, signal: Signal, tense: Tense, *, dated: bool) -> Certainty: ...

    def negated(self, text: str) -> bool: ...

    def takes_back(self, text: str) -> bool: ...
