"""Reconciling: what a new statement is to what the memory holds.

Same statement again: more evidence. Same attribute with another value, or the denial or the opposite of a held fact: a
conflict. Older words than a person's correction, and words that were retracted or corrected after they were said:
outranked. Everything else is new.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from itertools import groupby, pairwise
from typing import Any, Literal

from django.db.models import Window
from django.db.models.functions import RowNumber

from extraction.attributes import concept, plain_unit, words_for
from extraction.contradiction import Why, clash, shows_denial
from extraction.models import Proposal
from topics.models import Fact, TimelineEntry
from topics.models.statement import Certainty
from topics.services.statements import content_key
from topics.services.undo import is_undo
from topics.text.analyse import analyse
from topics.text.attributes import fold_attribute

MOST_COMPARED = 500  # held facts of its topic that the words of a claim are compared with, newest first
SAME_MATTER = 0.6  # share of common terms from which a denial is about the same matter


_RENEWED = re.compile(
    r"\b(?:new|updated|revised|moved|extended|postponed|rescheduled|delayed|pushed back|brought forward)\b|"
    r"新的|最新|改[到为成在]|调整|延[长期后]|推迟|提前",
    re.IGNORECASE,
)

# Of a rate, that it stands otherwise now.
_MOVED = re.compile(
    r"\b(?:now|currently|improved|increased|decreased|dropped|rose|risen|fell|fallen|grown|grew|reached|raised|lowered)\b|"
    r"现在|目前|如今|[涨降升]到?|提高|提升|降低|达到",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement to compare: what a proposal or a finding says about one topic."""

    topic_id: Any
    text: str
    attribute: str = ""
    value: str = ""
    unit: str = ""
    negated: bool = False
    certainty: str = Certainty.CONFIRMED
    said_at: datetime | None = None
    contradicts: Fact | None = None  # the held fact that it is said to contradict, where comparing may not show it
    same_as: Fact | None = None  # the held fact that it is said to repeat in other words


@dataclass(frozen=True, slots=True)
class Verdict:
    """`fact` is the held fact it repeats, contradicts or is outranked by; None where its own words were taken out.

    `why` is "value", "certainty", "negation", "stated" when who brought it says so, or "retracted" or "corrected" for
    words that were taken out.
    """

    relation: Literal["new", "same", "conflict", "outranked"]
    fact: Fact | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class TakenOut:
    """When words that a topic held were last taken out of it by an act that stands, and whether they were "retracted"
    or a person "corrected" them."""

    at: datetime
    why: str


@dataclass(slots=True)
class Held:
    """The active facts and entries that claims may meet, loaded in a fixed number of queries."""

    by_attribute: dict[tuple[Any, str], list[Fact]] = field(default_factory=lambda: defaultdict(list))
    by_content: dict[tuple[Any, str], Fact] = field(default_factory=dict)
    by_topic: dict[Any, list[Fact]] = field(default_factory=lambda: defaultdict(list))
    entries: dict[tuple[Any, str], TimelineEntry] = field(default_factory=dict)
    taken_out: dict[tuple[Any, str], TakenOut] = field(default_factory=dict)

    def outranked(self, topic_id: Any, key: str, said_at: datetime | None) -> Verdict | None:
        """The verdict on words that somebody took out of the topic after they were said; None for any other."""
        taken = self.taken_out.get((topic_id, key))
        return Verdict("outranked", None, taken.why) if taken and said_at and said_at <= taken.at else None


def load_held(
    claims: Iterable[Claim],
    entry_keys: Iterable[tuple[Any, str]] = (),
    *,
    with_taken_out: bool = False,
    apart_from: Collection[Any] = (),
) -> Held:
    """What is held in the topics of these claims and could meet one of them; on request also what was taken out.

    `apart_from`: ids of facts that are not compared with, since the claims are theirs."""
    held = Held()
    claims = list(claims)
    topics = {c.topic_id for c in claims}
    active = Fact.objects.filter(topic__in=topics, status=Fact.Status.ACTIVE).exclude(pk__in=apart_from)
    attributes = {word for c in claims if c.attribute for word in words_for(c.attribute)}
    for fact in active.filter(attribute__in=attributes).order_by("-id") if attributes else ():
        held.by_attribute[fact.topic_id, concept(fact.attribute)].append(fact)
    for fact in active.filter(content_key__in={content_key(c.text) for c in claims}):
        held.by_content[fact.topic_id, fact.content_key] = fact
    current = active.filter(scope="", valid_until=None) if claims else active.none()
    # Of each topic, so that one with many facts does not hide what contradicts a claim on another.
    age = Window(RowNumber(), partition_by="topic", order_by="-id")
    for fact in current.annotate(age=age).filter(age__lte=MOST_COMPARED).order_by("-id"):
        held.by_topic[fact.topic_id].append(fact)
    wanted = set(entry_keys)
    if wanted:
        for entry in TimelineEntry.objects.filter(
            topic__in={t for t, _key in wanted},
            content_key__in={key for _t, key in wanted},
            status=TimelineEntry.Status.ACTIVE,
        ):
            held.entries[entry.topic_id, entry.content_key] = entry
    if with_taken_out:
        held.taken_out |= _taken_out(Fact, {(c.topic_id, content_key(c.text)) for c in claims})
        held.taken_out |= _taken_out(TimelineEntry, wanted)
    return held


def _taken_out(
    model: type[Fact] | type[TimelineEntry], wanted: Collection[tuple[Any, str]]
) -> dict[tuple[Any, str], TakenOut]:
    """Which of these (topic, content key) were retracted or corrected. One query, unless undo was itself undone."""
    if not wanted:
        return {}
    history: Any = model.history
    ids = history.filter(topic__in={t for t, _key in wanted}, content_key__in={key for _t, key in wanted}).values("id")
    rows = history.filter(id__in=ids).select_related("change_set__undoes").order_by("id", "history_id")
    taken: dict[tuple[Any, str], TakenOut] = {}
    for _id, versions in groupby(rows, key=lambda row: row.id):
        for key, out in _taken_out_of_one(list(versions)).items():
            if key not in taken or taken[key].at < out.at:
                taken[key] = out
    return taken


def _taken_out_of_one(versions: Sequence[Any]) -> dict[tuple[Any, str], TakenOut]:
    """The same of one statement, from its versions in order. Undo brings words back and takes none out."""
    taken: dict[tuple[Any, str], TakenOut] = {}
    for before, after in pairwise(versions):
        was, now = (before.topic_id, before.content_key), (after.topic_id, after.content_key)
        if now != was or after.status != before.status:
            taken.pop(now, None)
        if is_undo(after.change_set):
            continue
        if now != was and after.change_set.actor_user_id is not None:
            taken[was] = TakenOut(after.history_date, "corrected")
        if after.status == Fact.Status.RETRACTED != before.status:
            taken[now] = TakenOut(after.history_date, "retracted")
    return taken


def judge(claim: Claim, held: Held) -> Verdict:
    """What `claim` is to what is held about its topic."""
    same = held.by_content.get((claim.topic_id, content_key(claim.text)))
    if same is not None and same.certainty == claim.certainty:
        return Verdict("same", same)
    outranked = None if same else held.outranked(claim.topic_id, content_key(claim.text), claim.said_at)
    if outranked is not None:
        return outranked
    if claim.attribute:
        facts = held.by_attribute[claim.topic_id, concept(claim.attribute)]
        verdict = _judge_attribute(claim, facts) if facts else _judge_renewal(claim, held.by_topic[claim.topic_id])
        if verdict is not None:
            return verdict
    for fact in held.by_topic[claim.topic_id]:
        if why := _words_clash(claim, fact):
            return _against(claim, fact, why)
    if same is not None:
        return Verdict("same", same)
    if claim.contradicts is not None:
        return _against(claim, claim.contradicts, "stated")
    if claim.same_as is not None and claim.certainty == claim.same_as.certainty:
        return Verdict("same", claim.same_as)
    return Verdict("new")


def claim_of(statement: Proposal | Fact) -> Claim:
    """What a proposal or a fact says about its topic."""
    names = ("topic_id", "text", "attribute", "value", "unit", "negated", "certainty", "said_at")
    return Claim(**{name: getattr(statement, name) for name in names})


def says_the_same(a: Claim, b: Claim) -> bool:
    """Whether two claims on one topic say the same, as firmly, in whatever words."""
    if a.certainty != b.certainty:
        return False
    if content_key(a.text) == content_key(b.text):
        return True
    is_one_matter = bool(a.attribute) and concept(a.attribute) == concept(b.attribute)
    return is_one_matter and a.negated == b.negated and same_value(a, b)


def contradict(a: Claim, b: Claim) -> bool:
    """Whether two claims on one topic cannot both hold at one time."""
    if a.attribute and concept(a.attribute) == concept(b.attribute):
        if a.negated == b.negated:
            return not a.negated and not same_value(a, b)
        return same_value(a, b)
    return bool(_words_clash(a, b)) or _renews(a, b) or _renews(b, a)


def _words_clash(a: Claim, b: Claim | Fact) -> Why:
    """How the words contradict one another. That one is a denial is taken on trust where its words do not show it."""
    if a.negated != b.negated and not shows_denial(a.text if a.negated else b.text):
        return "negation" if same_matter(a.text, b.text) else ""
    return clash(a.text, b.text)


def _judge_attribute(claim: Claim, facts: list[Fact]) -> Verdict | None:
    for fact in facts:
        if same_value(claim, fact):
            if fact.negated != claim.negated:
                return _against(claim, fact, "negation")
            firmer = claim.certainty == Certainty.CONFIRMED != fact.certainty
            return _against(claim, fact, "certainty") if firmer else Verdict("same", fact)
    current = [f for f in facts if not f.negated and not f.scope and f.valid_until is None]
    if current and not claim.negated:
        return _against(claim, current[0], "value")
    return None


def _judge_renewal(claim: Claim, facts: list[Fact]) -> Verdict | None:
    """A new deadline takes the place of the deadline of something, if the topic holds that of one thing alone."""
    renewed = [f for f in facts if not f.scope and f.valid_until is None and _renews(claim, f)]
    if len({concept(fact.attribute) for fact in renewed}) != 1:
        return None
    return _against(claim, renewed[0], "value")


def _renews(claim: Claim | Fact, held: Claim | Fact) -> bool:
    """Whether the claim gives another value to what is held, calling it new and by a part of its name alone:
    `the new deadline` to `first sprint deadline`."""
    if not claim.attribute or not held.attribute or claim.negated or held.negated or same_value(claim, held):
        return False
    name, whole = fold_attribute(claim.attribute), fold_attribute(held.attribute)
    is_part = any(
        whole.endswith(word if ord(word[0]) > 127 else f" {word}") and whole != word for word in words_for(name)
    )
    is_renewed = _RENEWED.search(claim.text) or (claim.unit == "%" and _MOVED.search(claim.text))
    return is_part and plain_unit(claim.unit) == plain_unit(held.unit) and bool(is_renewed)


def _against(claim: Claim, fact: Fact, why: str) -> Verdict:
    if fact.corrected_at and claim.said_at and claim.said_at < fact.corrected_at:
        return Verdict("outranked", fact, why)
    return Verdict("conflict", fact, why)


def same_value(a: Claim | Fact, b: Claim | Fact) -> bool:
    """Equal after folding width, case and white space; numbers by amount, with the same unit in either language."""
    return _amount(a.value) == _amount(b.value) and plain_unit(a.unit) == plain_unit(b.unit)


def _amount(value: str) -> Decimal | str:
    try:
        number = Decimal(_fold(value))
        return number.normalize() if number.is_finite() else _fold(value)
    except ArithmeticError:  # no number at all, or one too large to work with
        return _fold(value)


def _fold(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def same_matter(a: str, b: str) -> bool:
    """Whether two statements of opposite polarity speak of the same thing: enough terms of the shorter in common."""
    first, second = set(analyse(a)), set(analyse(b))
    shorter = min(len(first), len(second))
    return shorter > 0 and len(first & second) / shorter >= SAME_MATTER
