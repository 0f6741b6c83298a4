"""Discovery: what was said about nothing that has a name is grouped, and each group is proposed as a topic.

A statement that joins a group keeps its proposal and only changes its place, so nothing is proposed twice and nothing
is lost: a topic that is refused gives its statements back. Refused groups are remembered by their turns. Groups are
found and named with no transaction open; the write looks again, because a statement may have been decided meanwhile.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import numpy as np
import structlog
from django.db.models import Exists, OuterRef
from django.utils import translation
from django.utils.translation import gettext as _

from extraction.discovery.clusters import find_clusters, middle, radius, word_vectors
from extraction.discovery.names import Named, name_by_model, name_by_terms
from extraction.extractors.protocol import ExtractionError, TopicRef
from extraction.models import DISCOVERY, Job, Proposal, ProposalQuote
from extraction.selectors.gathered import OPEN, discovered, gathered, turns_of
from extraction.services.background import is_being_done, request_job
from extraction.services.filing import Found, approve_gathered, file_findings
from extraction.services.reading import as_turn, build_window, extractor_for, locate
from extraction.services.turns import messages_behind, review_turns
from inference.client import ChatModel, chat_model
from inference.embeddings import Vectors, embedder_for
from inference.errors import BudgetSpent, InferenceError
from topics.changes import Actor, OpenChange, change_set
from topics.models import Alias, Message, Space
from topics.selectors.topics import standing_topic, topic_by_name
from topics.text.names import name_key

log = structlog.get_logger(__name__)

ACTOR = Actor(label="discovery")
# How many turns that belong together make a topic.
SMALLEST: dict[str, int] = {
    Space.TopicSensitivity.LOW: 8,
    Space.TopicSensitivity.NORMAL: 5,
    Space.TopicSensitivity.HIGH: 3,
}
# The newest statements that are looked at at once, and the newest topics that a later statement may join.
MOST_STATEMENTS = 4000
MOST_JOINED = 200
# A group of which so much was refused before is the refused one.
SAME_GROUP = 0.5


@dataclass(slots=True)
class _Group:
    """Statements that belong together: for a discovered topic (`joins`), or for a new one of this name."""

    statements: list[Proposal]
    joins: Proposal | None = None
    named: Named | None = None
    more: list[Found] = field(default_factory=list)
    reader: str = ""
    model: str = ""


def discover_now(*, space: Space) -> Job:
    """Queue a discovery that is due at once."""
    return request_job(space=space, kind=Job.Kind.DISCOVER, delay=timedelta())


def prepare_discovery(job: Job) -> Callable[[], bool]:
    """Group what has gathered; returns the function that proposes the topics.

    Raises ExtractionError when a model that is needed fails.
    """
    if is_being_done(job):
        return lambda: False
    try:
        groups = _find_groups(job)
    except InferenceError as error:
        raise ExtractionError(error, retry=error.retry, retry_after=error.retry_after) from error

    def write() -> bool:
        with change_set(space=job.space, actor=ACTOR, action="discover_topics") as change:
            made = sum(_write_group(change, job, group) for group in groups)
        log.info("discovery", job=str(job.pk), groups=len(groups), written=made)
        return False

    return write


# ------------------------------------------------------------------------------------------------------------ finding


def _find_groups(job: Job) -> list[_Group]:
    space = job.space
    smallest = SMALLEST[space.topic_sensitivity]
    loose = list(gathered(space).reverse().select_related("message__conversation")[:MOST_STATEMENTS])
    standing = list(discovered(space, *OPEN, Proposal.Status.APPROVED).select_related("topic")[:MOST_JOINED])
    if not loose or (not standing and len({s.message_id for s in loose}) < smallest):
        return []
    turns = _by_turn(loose)
    members = _members(standing)
    vectors = _vectors(job, [*map(_said, turns.values()), *(text for texts in members.values() for text in texts)])
    joined, rest = _join(standing, members, list(turns.values()), vectors)
    clusters = find_clusters(vectors[rest], smallest=smallest) if rest else []
    ordered = list(turns.values())
    groups = [_Group([s for n in cluster.members for s in ordered[rest[n]]]) for cluster in clusters]
    groups = [group for group in groups if not _was_refused(space, group)]
    for group, named in zip(groups, _names_for(job, groups), strict=True):
        group.named = named
        _read_again(job, group, named)
    return joined + groups


def _by_turn(statements: Sequence[Proposal]) -> dict[Any, list[Proposal]]:
    turns: dict[Any, list[Proposal]] = {}
    for statement in statements:
        turns.setdefault(statement.message_id, []).append(statement)
    return turns


def _said(statements: Sequence[Proposal]) -> str:
    """What a turn states, without what is said around it."""
    return "\n".join(dict.fromkeys(s.text for s in statements))


def _members(standing: Sequence[Proposal]) -> dict[Any, list[str]]:
    """Discovered topic → what the turns state that it was found in."""
    members: dict[Any, list[str]] = {topic.pk: [] for topic in standing}
    rows = Proposal.objects.filter(new_topic__in=members).exclude(kind=Proposal.Kind.TOPIC).exclude(text="")
    for topic, text in rows.order_by("pk").values_list("new_topic", "text"):
        members[topic].append(text)
    return members


def _vectors(job: Job, texts: list[str]) -> Vectors:
    """The texts as vectors: by the space's embedder, else by their words."""
    embedder = embedder_for(job.space, job=job.pk)
    return embedder.embed(texts) if embedder else word_vectors(texts)


def _join(
    standing: Sequence[Proposal], members: dict[Any, list[str]], turns: Sequence[list[Proposal]], vectors: Vectors
) -> tuple[list[_Group], list[int]]:
    """Turns that lie within a topic found before go there; the places of the others."""
    at = len(turns)
    places: dict[int, tuple[float, Proposal]] = {}
    for topic in standing:
        rows = vectors[at : at + len(members[topic.pk])]
        at += len(members[topic.pk])
        if len(rows) < 2:
            continue
        nearness = vectors[: len(turns)] @ middle(rows)
        for near in np.flatnonzero(nearness >= radius(rows)).tolist():
            if nearness[near] > places.get(near, (-1.0, topic))[0]:
                places[near] = (float(nearness[near]), topic)
    groups: dict[Any, _Group] = {}
    for n, (_nearness, topic) in places.items():
        groups.setdefault(topic.pk, _Group([], joins=topic)).statements += turns[n]
    return list(groups.values()), [n for n in range(len(turns)) if n not in places]


def _was_refused(space: Space, group: _Group) -> bool:
    own = {s.message_id for s in group.statements}
    refused = turns_of(discovered(space, Proposal.Status.REJECTED))
    return any(len(own & turns) >= SAME_GROUP * min(len(own), len(turns)) for turns in refused.values())


def _names_for(job: Job, groups: Sequence[_Group]) -> list[Named]:
    space = job.space
    taken = set(Alias.objects.filter(space=space).values_list("key", flat=True))
    proposed = Proposal.objects.filter(space=space, kind=Proposal.Kind.TOPIC, status__in=OPEN)
    taken |= set(proposed.values_list("topic_key", flat=True))
    texts = [[_said(turn) for turn in _by_turn(group.statements).values()] for group in groups]
    with translation.override(space.language):
        by_terms = name_by_terms(texts, taken)
    model = chat_model(space, job=job.pk, reference=DISCOVERY)
    names = []
    for said, fallback in zip(texts, by_terms, strict=True):
        names.append(_ask_for_name(job, model, said, taken) or fallback)
        taken.add(name_key(names[-1].name))
    return names


def _ask_for_name(job: Job, model: ChatModel | None, said: Sequence[str], taken: Collection[str]) -> Named | None:
    """The model's name. One that cannot be had for long is done without: terms name a topic too."""
    if model is None:
        return None
    try:
        return name_by_model(model, said, taken)
    except InferenceError as error:
        if error.retry and not isinstance(error, BudgetSpent) and job.attempts < job.max_attempts:
            raise
        return None


def _read_again(job: Job, group: _Group, named: Named) -> None:
    """Read the turns of a new group once more, now that it is known what they are about."""
    extractor = extractor_for(job.space, job=job, reference=DISCOVERY)
    group.reader, group.model = extractor.name, extractor.model or ""
    key = name_key(named.name)
    by_conversation: dict[UUID, list[Message]] = {}
    for statement in group.statements:
        message = statement.message
        if message is not None and message not in by_conversation.setdefault(message.conversation_id, []):
            by_conversation[message.conversation_id].append(message)
    for messages in by_conversation.values():
        messages.sort(key=lambda message: message.position)
        window = build_window(
            space=job.space,
            turns=[as_turn(message) for message in messages],
            conversation=messages[0].conversation.external_id,
            subject=named.name,
        )
        found = locate(extractor.extract(window), messages)
        ref = TopicRef(None, named.name, named.kind)
        group.more += [_about(item, ref) for item in found if name_key(item.finding.topic.name) == key]


def _about(item: Found, ref: TopicRef) -> Found:
    return replace(item, finding=replace(item.finding, topic=ref))


# ------------------------------------------------------------------------------------------------------------ writing


def _write_group(change: OpenChange, job: Job, group: _Group) -> bool:
    """Propose the topic of a group and move its statements there; False where too little is left of it."""
    space = change.space
    still_loose = gathered(space).filter(pk__in=[s.pk for s in group.statements])
    statements = list(still_loose.select_for_update(no_key=True, of=("self",)).select_related("message", "new_topic"))
    if group.joins is not None:
        topic: Proposal | None = Proposal.objects.select_related("topic").get(pk=group.joins.pk)
        if topic is None or topic.status == Proposal.Status.REJECTED or not statements:
            return False
    else:
        topic = _propose(job, group, statements)
        if topic is None:
            return False
    former = {s.new_topic_id for s in statements}
    _move(statements, topic)
    _drop_empty(former)
    if group.more:
        file_findings(space=space, actor=ACTOR, found=group.more, job=job, extractor=group.reader, model=group.model)
    approve_gathered(change=change, actor=ACTOR, topics=[topic])
    review_turns(space, messages_behind(statements))
    return True


def _propose(job: Job, group: _Group, statements: Sequence[Proposal]) -> Proposal | None:
    named, turns = group.named, {s.message_id for s in statements}
    if named is None or len(turns) < SMALLEST[job.space.topic_sensitivity] or topic_by_name(job.space, named.name):
        return None
    first = min(statements, key=lambda s: s.pk)
    conversations = len({s.message.conversation_id for s in statements if s.message})
    with translation.override(job.space.language):
        why = _("Found in %(turns)d turns of %(conversations)d conversations") % {
            "turns": len(turns),
            "conversations": conversations,
        }
    topic = Proposal(
        space=job.space,
        kind=Proposal.Kind.TOPIC,
        topic_name=named.name,
        topic_kind=named.kind,
        topic_key=name_key(named.name),
        message=first.message,
        said_at=first.said_at,
        job=job,
        extractor=DISCOVERY,
        why=why[:200],
    )
    topic.fingerprint = hashlib.sha256(f"discovered\x1f{topic.pk}".encode()).hexdigest()
    topic.save(force_insert=True)
    return topic


def _move(statements: Sequence[Proposal], topic: Proposal) -> None:
    """Give the statements their place, and the topic their words as evidence."""
    Proposal.objects.filter(pk__in=[s.pk for s in statements]).update(
        new_topic=topic, topic=standing_topic(topic.topic)
    )
    quotes = ProposalQuote.objects.filter(proposal__in=statements).order_by("pk")
    ProposalQuote.objects.bulk_create(
        [ProposalQuote(proposal=topic, message_id=q.message_id, start=q.start, end=q.end) for q in quotes],
        ignore_conflicts=True,
    )


def _drop_empty(places: Collection[Any]) -> None:
    """Delete places where nothing gathers any more and about which nobody ever decided anything."""
    dependents = Proposal.objects.filter(new_topic=OuterRef("pk"))
    empty = Proposal.objects.filter(pk__in=places, is_provisional=True, status=Proposal.Status.PENDING, decisions=None)
    empty.filter(~Exists(dependents)).delete()
