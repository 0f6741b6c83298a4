"""Filing: findings become proposals, and what the space's policy allows is decided at once.

All of one call is one change set, so one undo takes back what a job did. Findings that speak of the same attribute of
the same topic are filed one after the other, so that the second meets the first as held or as waiting.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from extraction.attributes import concept
from extraction.contradiction import clash
from extraction.extractors.protocol import Finding
from extraction.models import DISCOVERY, Conflict, Job, Proposal, ProposalQuote
from extraction.services.background import DISCOVERY_PAUSE, request_job
from extraction.services.conflicts import open_conflict
from extraction.services.decisions import Result, approve_anew, approve_waiting, is_in_order
from extraction.services.placing import OPEN, Place, find_place, names_nothing, topic_referred_to
from extraction.services.reconcile import Claim, Held, Verdict, contradict, judge, load_held
from extraction.services.resolving import settle_by_policy
from extraction.services.turns import review_turns
from topics.changes import Actor, OpenChange, change_set
from topics.errors import InvalidInput
from topics.models import Alias, ChangeSet, Conversation, Evidence, Fact, Space, TimelineEntry, Topic
from topics.selectors.topics import standing_topic
from topics.services.statements import (
    TEXT_LIMIT,
    Span,
    add_evidence,
    check_fields,
    content_key,
    entry_key,
)
from topics.text.analyse import analyse
from topics.text.attributes import fold_attribute
from topics.text.clean import clean_name, storable_text
from topics.text.names import name_key

IN_OTHER_WORDS = 0.8  # share of the shorter statement's terms from which one says the other again
CONFIDENT = 0.8  # from here on a confirmed statement needs no person under the policy "uncertain"


@dataclass(frozen=True, slots=True)
class Found:
    """A finding whose words were located in stored messages, and the held facts that it is said to contradict and to
    repeat."""

    finding: Finding
    spans: tuple[Span, ...]
    contradicts: Fact | None = None
    same_as: Fact | None = None
    # Found by likeness (extraction.services.suggesting): hints for people, never decisions.
    suggested: Topic | None = None
    similar: Fact | None = None


@dataclass(slots=True)
class Filed:
    """What came of filing. `repeated` counts findings that only said again what is held, waiting or was decided."""

    proposals: list[Proposal] = field(default_factory=list)
    committed: list[Fact] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    repeated: int = 0
    now_worth_it: list[Proposal] = field(default_factory=list)  # proposed topics for which enough has gathered now
    change_set: ChangeSet | None = None


@dataclass(frozen=True, slots=True)
class _Placed:
    """A finding with its place: a topic (perhaps only guessed), or the proposal of one."""

    found: Found
    topic: Topic | None
    new_topic: Proposal | None
    is_guess: bool = False

    @property
    def place(self) -> Any:
        return self.topic.pk if self.topic else self.new_topic.pk  # type: ignore[union-attr]

    @property
    def key(self) -> tuple[Any, str, str]:
        """Place, kind and content: two with the same key say the same."""
        return (self.place, self.found.finding.kind, _content_key(self.found.finding))


@dataclass(frozen=True, slots=True)
class _Source:
    """Where findings come from."""

    space: Space
    job: Job | None
    extractor: str
    model: str


def file_findings(
    *,
    space: Space,
    actor: Actor,
    found: Sequence[Found],
    job: Job | None = None,
    extractor: str = "",
    model: str = "",
    reason: str = "",
) -> Filed:
    """File findings as proposals under the space's policies.

    What a message was once proposed or held for is never proposed again from the same words, whatever was decided.
    Raises InvalidInput for text that cannot be stored; nothing is filed then.
    """
    filed = Filed()
    source = _Source(space, job, extractor, model)
    with change_set(space=space, actor=actor, action="extract", reason=reason) as change:
        for item in found:
            _check(item.finding)
        waves = _waves(_place(source, _unseen(space, found, filed), filed))
        for wave in waves:
            _file_wave(source, change, actor, wave, filed)
        approve_gathered(change=change, actor=actor, topics=filed.now_worth_it)
        if any(p.new_topic is not None and p.new_topic.is_provisional for p in filed.proposals):
            request_job(space=space, kind=Job.Kind.DISCOVER, delay=DISCOVERY_PAUSE)
        review_turns(space, {span.message.pk for item in found for span in item.spans})
        filed.change_set = change.written
    return filed


def _check(finding: Finding) -> None:
    clean_name(finding.topic.name, field="topic")
    if finding.topic.kind not in Topic.Kind.values or finding.kind not in (*Fact.Kind.values, "timeline", "alias"):
        raise InvalidInput(_("Unknown kind."), fields={"kind": [_("Unknown value.")]})
    content = ("attribute", "value", "unit", "negated", "certainty", "valid_from", "valid_until")
    check_fields(Fact, {name: getattr(finding, name) for name in content})
    if finding.kind == "alias":
        clean_name(finding.alias, field="alias")
        storable_text(finding.text, field="text", limit=TEXT_LIMIT, blank=True)
    elif finding.kind == "timeline":
        moment = {"happened_at": finding.happened_at, "precision": finding.precision or "day"}
        check_fields(TimelineEntry, {"text": finding.text} | moment)
    else:
        check_fields(Fact, {"text": finding.text})


def _unseen(space: Space, found: Sequence[Found], filed: Filed) -> list[Found]:
    """Findings that were never filed from the same words, and that say more than what these words back already."""
    prints = {_fingerprint(f): f for f in found}
    known = set(
        Proposal.objects.filter(space=space, fingerprint__in=list(prints)).values_list("fingerprint", flat=True)
    )
    spoken = _words_behind_statements({s.message.pk for f in prints.values() for s in f.spans})
    topics: dict[tuple[str | None, str], Any] = {}
    unseen = []
    for fingerprint, item in prints.items():
        behind = [] if item.finding.kind == "alias" else _statements_behind(item, spoken)
        ref = item.finding.topic
        key = (ref.id, name_key(ref.name))
        if behind and key not in topics:
            topic = topic_referred_to(space, ref)
            topics[key] = topic.pk if topic else None
        if fingerprint not in known and not any(_repeats(item, topics[key], said) for said in behind):
            unseen.append(item)
    filed.repeated += len(found) - len(unseen)
    return unseen


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement that the words at [start, end) of a message back. `as_said`: nobody took it out or corrected it."""

    start: int
    end: int
    is_fact: bool
    topic_id: Any
    text: str
    as_said: bool


def _words_behind_statements(messages: Iterable[Any]) -> dict[Any, list[_Said]]:
    spoken: dict[Any, list[_Said]] = defaultdict(list)
    rows = Evidence.objects.filter(message__in=set(messages))
    place = ("message_id", "start", "end")
    facts = rows.filter(fact__isnull=False).values_list(
        *place, "fact__topic_id", "fact__text", "fact__status", "fact__corrected_at"
    )
    for message, start, end, topic_id, text, status, corrected_at in facts:
        as_said = status == Fact.Status.ACTIVE and corrected_at is None
        spoken[message].append(_Said(start, end, True, topic_id, text, as_said))
    entries = rows.filter(entry__isnull=False).values_list(
        *place, "entry__topic_id", "entry__text", "entry__status", "entry__version"
    )
    for message, start, end, topic_id, text, status, version in entries:
        as_said = status == TimelineEntry.Status.ACTIVE and version == 1
        spoken[message].append(_Said(start, end, False, topic_id, text, as_said))
    return spoken


def _statements_behind(found: Found, spoken: dict[Any, list[_Said]]) -> list[_Said]:
    """The statements that stand on more than half of the first quoted words."""
    span = found.spans[0]
    return [
        said
        for said in spoken.get(span.message.pk, ())
        if min(span.end, said.end) - max(span.start, said.start) > (span.end - span.start) / 2
    ]


def _repeats(found: Found, topic_id: Any, said: _Said) -> bool:
    """Whether a finding says no more than a statement from the same words.

    Once somebody took the statement out or corrected it, nothing of the same kind comes back from these words. While it
    stands, other statements may be made from them: a turn can say several things.
    """
    if not said.as_said:
        return True
    finding = found.finding
    if (said.topic_id, said.is_fact) != (topic_id, finding.kind != "timeline") or found.contradicts is not None:
        return False
    mine, other = _terms(finding.text), _terms(said.text)
    if len(mine & other) < IN_OTHER_WORDS * max(1, min(len(mine), len(other))):
        return False
    return not any(char.isdigit() for term in mine ^ other for char in term) and not clash(finding.text, said.text)


@lru_cache(maxsize=2000)  # one turn may back hundreds of statements
def _terms(text: str) -> frozenset[str]:
    return frozenset(analyse(text))


def _place(source: _Source, found: Sequence[Found], filed: Filed) -> list[_Placed]:
    """Give each finding its topic, or the (new or waiting) proposal of its topic."""
    conversation = source.job.conversation if source.job else None
    groups: dict[tuple[Any, ...], list[Found]] = {}
    for item in found:
        groups.setdefault(_ref_key(item, conversation), []).append(item)
    places = {key: _find_place(source, conversation, items, filed) for key, items in groups.items()}
    return [_Placed(item, *places[_ref_key(item, conversation)]) for item in found]


def _ref_key(item: Found, conversation: Conversation | None) -> tuple[Any, ...]:
    """Equal for findings that have one place. What names nothing may have several in one conversation."""
    ref = item.finding.topic
    if ref.id:
        return (ref.id,)
    if conversation is not None and names_nothing(ref, conversation):
        return (None, name_key(ref.name), ref.kind, item.suggested)
    return (None, name_key(ref.name))


def _find_place(
    source: _Source, conversation: Conversation | None, items: Sequence[Found], filed: Filed
) -> tuple[Topic | None, Proposal | None, bool]:
    place = find_place(source.space, items, conversation=conversation)
    proposal = place.proposed
    if place.topic is not None:
        return place.topic, None, place.is_guess
    if proposal is None:
        proposal = _propose_topic(source, items[0], place)
        filed.proposals.append(proposal)
    elif proposal.is_provisional and place.is_worth_it:
        proposal.is_provisional = False
        proposal.save(update_fields=["is_provisional"])
        filed.now_worth_it.append(proposal)
    return None, proposal, False


def _propose_topic(source: _Source, item: Found, place: Place) -> Proposal:
    ref = item.finding.topic
    proposal = _new_proposal(source, item)
    proposal.kind = Proposal.Kind.TOPIC
    proposal.text = proposal.fact_kind = proposal.attribute = proposal.value = proposal.unit = proposal.alias = ""
    proposal.certainty, proposal.content_key, proposal.negated = "confirmed", "", False
    proposal.happened_at = proposal.valid_from = proposal.valid_until = proposal.similar_fact = None
    proposal.topic_name, proposal.topic_kind = clean_name(ref.name), ref.kind
    proposal.topic_key = name_key(ref.name)
    proposal.is_provisional, proposal.resembles = not place.is_worth_it, place.resembles
    proposal.fingerprint = _hash("topic", proposal.topic_key, proposal.message_id, proposal.pk)
    proposal.save(force_insert=True)
    _save_quotes([(proposal, item.spans[:1])])
    return proposal


def _waves(placed: Sequence[_Placed]) -> list[list[_Placed]]:
    """Split so that no wave holds two findings on one attribute of one place, or two that contradict one another."""
    waves: list[list[_Placed]] = []
    next_of: dict[Any, int] = {}  # place and attribute → the first wave after those that have it
    earlier: dict[Any, list[tuple[Claim, int]]] = defaultdict(list)
    for item in placed:
        at = 0
        if _is_fact(item):
            claim = _claim(item)
            slot = (item.place, concept(claim.attribute)) if claim.attribute else None
            met = [wave + 1 for other, wave in earlier[item.place] if contradict(claim, other)]
            at = max([next_of.get(slot, 0), *met])
            earlier[item.place].append((claim, at))
            if slot:
                next_of[slot] = at + 1
        while len(waves) <= at:
            waves.append([])
        waves[at].append(item)
    return waves


def _file_wave(source: _Source, change: OpenChange, actor: Actor, wave: Sequence[_Placed], filed: Filed) -> None:
    wave = _refresh_places(wave)
    held = load_held(
        [_claim(p) for p in wave if p.topic and _is_fact(p)],
        [(p.topic.pk, _content_key(p.found.finding)) for p in wave if p.topic and p.found.finding.kind == "timeline"],
        with_taken_out=True,
    )
    waiting = _waiting_alike(source.space, wave)
    taken_names = _taken_names(source.space, wave)
    fresh: list[tuple[Proposal, _Placed, Verdict]] = []
    again: list[tuple[Fact | TimelineEntry, tuple[Span, ...]]] = []
    more_quotes: list[tuple[Proposal, tuple[Span, ...]]] = []
    for item in wave:
        verdict = _verdict(item, held)
        standing = held.entries.get((item.place, _content_key(item.found.finding)))
        if verdict.relation == "same" or (standing is not None and item.found.finding.kind == "timeline"):
            again.append((verdict.fact or standing, item.found.spans))  # type: ignore[arg-type]
            filed.repeated += 1
        elif item.found.finding.kind == "alias" and name_key(item.found.finding.alias) in taken_names:
            filed.repeated += 1
        elif item.key in waiting and verdict.relation != "outranked":
            more_quotes.append((waiting[item.key], item.found.spans))
            filed.repeated += 1
        else:
            proposal = _proposal_for(source, item, verdict, actor)
            if verdict.relation != "outranked":
                waiting[item.key] = proposal
            fresh.append((proposal, item, verdict))
    add_evidence(space=source.space, actor=actor, additions=again)
    Proposal.objects.bulk_create([p for p, _item, _verdict in fresh])
    _save_quotes([(p, item.found.spans) for p, item, _verdict in fresh] + more_quotes)
    filed.proposals += [p for p, _item, _verdict in fresh]
    _settle(source, change, actor, fresh, filed)


def _refresh_places(wave: Sequence[_Placed]) -> list[_Placed]:
    """A topic proposed in an earlier wave may have become a topic since; one whose making was undone has not."""
    proposed = {p.new_topic.pk for p in wave if p.new_topic is not None}
    rows = Proposal.objects.filter(pk__in=proposed, topic__isnull=False).select_related("topic__merged_into")
    topics = {p.pk: standing_topic(p.topic) for p in rows}
    return [replace(p, topic=topics.get(p.new_topic.pk)) if p.new_topic else p for p in wave]


def _is_fact(item: _Placed) -> bool:
    return item.found.finding.kind not in ("timeline", "alias")


def _claim(item: _Placed) -> Claim:
    finding = item.found.finding
    return Claim(
        topic_id=item.place,
        text=finding.text,
        attribute=finding.attribute,
        value=finding.value,
        unit=finding.unit,
        negated=finding.negated,
        certainty=finding.certainty,
        said_at=item.found.spans[0].message.said_at,
        contradicts=item.found.contradicts,
        same_as=item.found.same_as,
    )


def _verdict(item: _Placed, held: Held) -> Verdict:
    finding = item.found.finding
    if item.topic and _is_fact(item):
        return judge(_claim(item), held)
    outranked = None
    if finding.kind == "timeline":
        outranked = held.outranked(item.place, _content_key(finding), item.found.spans[0].message.said_at)
    return outranked or Verdict("new")


def _waiting_alike(space: Space, wave: Sequence[_Placed]) -> dict[tuple[Any, str, str], Proposal]:
    """Open proposals that say what a finding of this wave says, by `_Placed.key`."""
    keys = {_content_key(p.found.finding) for p in wave}
    places = {p.place for p in wave}
    rows = Proposal.objects.filter(
        Q(topic__in=places) | Q(new_topic__in=places),
        space=space,
        content_key__in=keys,
        status__in=[Proposal.Status.PENDING, Proposal.Status.SNOOZED],
    )
    return {(p.topic_id or p.new_topic_id, p.fact_kind or p.kind, p.content_key): p for p in rows}


def _taken_names(space: Space, wave: Sequence[_Placed]) -> set[str]:
    wanted = {name_key(p.found.finding.alias) for p in wave if p.found.finding.kind == "alias"}
    return set(Alias.objects.filter(space=space, key__in=wanted).values_list("key", flat=True)) if wanted else set()


def _new_proposal(source: _Source, item: Found) -> Proposal:
    finding, first = item.finding, item.spans[0]
    fact_kind = "" if finding.kind in ("timeline", "alias") else finding.kind
    kinds = {"timeline": Proposal.Kind.TIMELINE, "alias": Proposal.Kind.ALIAS}
    return Proposal(
        space=source.space,
        kind=kinds.get(finding.kind, Proposal.Kind.FACT),
        text=finding.text,
        fact_kind=fact_kind,
        attribute=fold_attribute(finding.attribute),
        value=finding.value,
        unit=finding.unit,
        negated=finding.negated,
        certainty=finding.certainty,
        confidence=finding.confidence,
        valid_from=finding.valid_from,
        valid_until=finding.valid_until,
        happened_at=finding.happened_at,
        precision=finding.precision or "",
        alias=finding.alias,
        speaker=first.message.name,
        said_at=first.message.said_at,
        message=first.message,
        job=source.job,
        extractor=source.extractor,
        model=source.model[:100],
        why=finding.why[:200],
        fingerprint=_fingerprint(item),
        content_key=_content_key(finding),
        similar_fact=item.similar,
    )


def _proposal_for(source: _Source, item: _Placed, verdict: Verdict, actor: Actor) -> Proposal:
    proposal = _new_proposal(source, item.found)
    proposal.topic, proposal.new_topic = item.topic, item.new_topic
    proposal.base_version = item.topic.document_version if item.topic else 0
    if verdict.relation == "outranked":
        proposal.status = Proposal.Status.REJECTED
        proposal.decided_by = actor.label
        proposal.reason = (
            _("This was retracted after these words were said.")
            if verdict.why == "retracted"
            else _("A person corrected this after these words were said.")
        )
    return proposal


def _settle(
    source: _Source,
    change: OpenChange,
    actor: Actor,
    fresh: Sequence[tuple[Proposal, _Placed, Verdict]],
    filed: Filed,
) -> None:
    """Open the conflicts, and decide what the policies decide."""
    policy = source.space.review_policy
    conflicts = [
        open_conflict(proposal=proposal, fact=verdict.fact, why=verdict.why)
        for proposal, _item, verdict in fresh
        if verdict.relation == "conflict" and verdict.fact is not None
    ]
    filed.conflicts += conflicts
    plain = [
        p for p, item, verdict in fresh if verdict.relation == "new" and not item.is_guess and _needs_nobody(policy, p)
    ]
    new_topics = {p.new_topic for p in plain if p.new_topic is not None}
    results = approve_waiting(change=change, actor=actor, proposals=[*new_topics, *plain])
    filed.committed += [r.fact for r in results if r.fact is not None]
    for conflict in conflicts:
        if is_in_order(conflict.proposal):
            settle_by_policy(conflict=conflict, actor=actor)
    if conflicts:
        # What the policy let win counts already, like what needed nobody.
        taken = Proposal.objects.filter(
            conflict__in=conflicts, status=Proposal.Status.APPROVED, fact__status=Fact.Status.ACTIVE
        )
        filed.committed += [p.fact for p in taken.select_related("fact").order_by("pk") if p.fact is not None]


def approve_gathered(*, change: OpenChange, actor: Actor, topics: Sequence[Proposal]) -> list[Result]:
    """Approve, as far as the policy of the space lets it, the statements that have gathered in these proposed topics.

    They are judged anew: what is held may have changed since they were filed. What contradicts it by now is settled as
    the policy for conflicts says.
    """
    if not topics:
        return []
    waiting = Proposal.objects.filter(new_topic__in=topics, status__in=OPEN).select_related(
        "topic", "new_topic", "message", "space"
    )
    plain = [p for p in waiting.order_by("pk") if _needs_nobody(change.space.review_policy, p)]
    results = approve_anew(change=change, actor=actor, proposals=plain)
    contested = [UUID(result.id) for result in results if result.status == "conflict"]
    opened = Conflict.objects.filter(proposal__in=contested, status=Conflict.Status.OPEN)
    for conflict in opened.select_related("space", "fact", "proposal__message").order_by("proposal__said_at", "pk"):
        settle_by_policy(conflict=conflict, actor=actor)
    return results


def _needs_nobody(policy: str, proposal: Proposal) -> bool:
    if not is_in_order(proposal):
        return False
    place = proposal.new_topic
    if place is not None and proposal.topic is None and place.is_provisional:
        return False
    if policy == Space.ReviewPolicy.UNCERTAIN:
        is_certain_place = place is None or (place.resembles_id is None and place.extractor != DISCOVERY)
        is_certain = proposal.certainty == "confirmed" and proposal.confidence >= CONFIDENT
        return is_certain and is_certain_place
    return policy == Space.ReviewPolicy.AUTOMATIC


def _save_quotes(quotes: Iterable[tuple[Proposal, Sequence[Span]]]) -> None:
    rows = [
        ProposalQuote(proposal=p, message=span.message, start=span.start, end=span.end)
        for p, spans in quotes
        for span in spans
    ]
    ProposalQuote.objects.bulk_create(rows, ignore_conflicts=True)


def _content_key(finding: Finding) -> str:
    if finding.kind == "alias":
        return content_key(name_key(finding.alias), "alias")
    if finding.kind == "timeline" and finding.happened_at is not None:
        return entry_key(finding.text, finding.happened_at, finding.precision or "day")
    return content_key(finding.text)


def _fingerprint(item: Found) -> str:
    first, finding = item.spans[0], item.finding
    words = (finding.kind, first.message.pk, first.start, first.end, _content_key(finding))
    # What is said of two topics at once is proposed for each of them.
    return _hash(*words, name_key(finding.topic.name)) if finding.is_shared else _hash(*words)


def _hash(*parts: object) -> str:
    return hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()
