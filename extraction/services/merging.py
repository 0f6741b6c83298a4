"""The part of a merge, and of a split, that belongs to proposals and conflicts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from django.db.models import Q
from django.dispatch import receiver
from django.utils.translation import gettext as _

from extraction.attributes import concept
from extraction.models import Conflict, Proposal
from extraction.services.conflicts import put_against_held
from extraction.services.decisions import OPEN
from extraction.services.reconcile import MOST_COMPARED, same_matter, same_value
from topics.models import ChangeSet, Fact, Topic
from topics.selectors.topics import standing_topic
from topics.services.merge_plan import Contradiction, MergePlan
from topics.signals import change_set_undone, collect_contradictions, facts_moved, topics_merged

Pair = tuple[Fact, Fact, str]


@receiver(collect_contradictions, dispatch_uid="extraction.contradictions")
def contradictions(sender: Any, topics: Sequence[Topic], facts: Sequence[Fact], **kwargs: Any) -> list[Pair]:
    """Facts of different topics that cannot both stand in one document, each beside the first that it contradicts."""
    place = {topic.pk: n for n, topic in enumerate(topics)}
    ordered = sorted(facts, key=lambda fact: (place[fact.topic_id], fact.pk))
    found: dict[Any, Pair] = {}
    for held, other, why in [*_on_attributes(ordered), *_on_polarity(ordered)]:
        if held.topic_id != other.topic_id:
            found.setdefault(other.pk, (held, other, why))
    return list(found.values())


def _on_attributes(facts: Sequence[Fact]) -> Iterator[Pair]:
    groups: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.attribute:
            groups[concept(fact.attribute)].append(fact)
    for rows in groups.values():
        for n, other in enumerate(rows):
            for held in rows[:n]:
                why = _why(held, other)
                if why:
                    yield held, other, why
                    break


def _why(held: Fact, other: Fact) -> str:
    """How two facts on one attribute contradict each other; empty when they do not."""
    if held.topic_id == other.topic_id:
        return ""
    if held.negated != other.negated:
        return "negation" if same_value(held, other) else ""
    is_current = all(not f.negated and not f.scope and f.valid_until is None for f in (held, other))
    return "value" if is_current and not same_value(held, other) else ""


def _on_polarity(facts: Sequence[Fact]) -> Iterator[Pair]:
    """Denials without an attribute to compare, beside what they deny."""
    for denial in [fact for fact in facts if fact.negated][:MOST_COMPARED]:
        others = [f for f in facts if not f.negated and f.topic_id != denial.topic_id][-MOST_COMPARED:]
        denied = next((fact for fact in others if same_matter(denial.text, fact.text)), None)
        if denied is not None:
            first = facts.index(denied) < facts.index(denial)
            yield (denied, denial, "negation") if first else (denial, denied, "negation")


@receiver(topics_merged, dispatch_uid="extraction.topics_merged")
def follow_merge(sender: Any, change_set: ChangeSet, plan: MergePlan, **kwargs: Any) -> None:
    """Take what waits to the survivor, and put the contradictions that nobody settled into the review queue."""
    _follow({topic.pk for topic in plan.others})
    for contradiction in plan.open_contradictions:
        held, later = _in_time(contradiction)
        version = plan.survivor.document_version + 1  # the one that this merge makes
        put_against_held(
            fact=later,
            held=held,
            why=contradiction.why,
            change_set=change_set,
            topic=plan.survivor,
            base_version=version,
            reason=_("Brought together by a merge"),
        )


@receiver(change_set_undone, dispatch_uid="extraction.follow_undone_merge")
def follow_undo(sender: Any, change_set: ChangeSet, undo: ChangeSet, **kwargs: Any) -> None:
    """Take what waits back to the topics that stand again, or to the survivor when a merge was done again."""
    _follow(set(undo.space.topics.filter(versions__change_set=change_set).values_list("pk", flat=True)))
    moved = Fact.history.filter(change_set=undo).values("id")
    follow_facts(Fact, facts=Fact.objects.filter(pk__in=moved))


@receiver(facts_moved, dispatch_uid="extraction.facts_moved")
def follow_facts(sender: Any, facts: Iterable[Fact], **kwargs: Any) -> None:
    """A conflict stays with the fact that it is about."""
    topics = {fact.pk: fact.topic_id for fact in facts}
    conflicts = Conflict.objects.filter(fact__in=list(topics), status=Conflict.Status.OPEN).select_related("proposal")
    for conflict in conflicts:
        place = topics[conflict.fact_id]
        if conflict.proposal.topic_id not in (None, place):
            Proposal.objects.filter(pk=conflict.proposal_id).update(topic=place, filed_for=None)


def _follow(topics: Collection[Any]) -> None:
    """Put the open proposals of these topics to where each topic answers now."""
    # One that was filed for its topic stays there, unless that topic was merged.
    elsewhere = Q(filed_for__isnull=False) | Q(topic__status=Topic.Status.MERGED)
    rows = Proposal.objects.filter(Q(topic__in=topics) & elsewhere | Q(filed_for__in=topics), status__in=OPEN)
    moved = []
    for proposal in rows.select_related("topic", "filed_for"):
        origin = proposal.filed_for or proposal.topic
        place = standing_topic(origin)
        if origin is not None and place is not None and place.pk != proposal.topic_id:
            proposal.topic, proposal.filed_for = place, None if place.pk == origin.pk else origin
            moved.append(proposal)
    Proposal.objects.bulk_update(moved, ["topic", "filed_for"], batch_size=200)


def _in_time(contradiction: Contradiction) -> tuple[Fact, Fact]:
    """What was said first and what contradicts it, whichever topic holds it: so every conflict is read."""
    held, other = contradiction.held, contradiction.other
    is_earlier = bool(held.said_at and other.said_at and other.said_at < held.said_at)
    return (other, held) if is_earlier else (held, other)
