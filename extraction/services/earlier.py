"""What is heard late: said before what is held now, it is filed as what held before that.

What is held may itself have taken the place of other statements, each in its time. The older statement takes its place
among these, so that the document ends the same in whatever order the words arrive.
"""

from __future__ import annotations

from uuid import UUID

from extraction.models import Proposal
from extraction.selectors.chronology import is_older, moment_of, said_after
from extraction.services.decisions import fact_draft
from extraction.services.reconcile import claim_of, contradict, says_the_same
from topics.changes import Actor
from topics.models import Fact
from topics.services.statements import add_evidence, commit_earlier_fact


def may_be_earlier(proposal: Proposal, held: Fact) -> bool:
    """Whether a proposal in conflict with what is held was said before it, and can be held as what was true then."""
    is_apart = proposal.is_held or proposal.topic_id != held.topic_id or held.status != Fact.Status.ACTIVE
    return not is_apart and is_older(proposal, held) and proposal.quotes.exists()


def hold_as_earlier(*, proposal: Proposal, held: Fact, actor: Actor) -> Fact:
    """Hold what a proposal says as what was true before `held`, which was said later: the superseded fact.

    It is superseded by what was said next, and supersedes what it contradicts that was said before it. Where a
    neighbour in time says the same, its words are added to that. Needs an open change set; the decision is recorded by
    the caller. Raises ValueError for a proposal that is not older.
    """
    moment = moment_of(proposal)
    line = _line_before(held)
    later = said_after(moment, line) if moment else {}
    if held.pk not in later:
        raise ValueError("what is to be held as earlier was said before what is held")
    claim = claim_of(proposal)
    claims = {fact.pk: claim_of(fact) for fact in line}
    about = [f for f in line if f == held or contradict(claim, claims[f.pk]) or says_the_same(claim, claims[f.pk])]
    # Of two that were said next at the same time, the one which the other replaced came first.
    following = min(reversed([f for f in about if f.pk in later]), key=lambda fact: later[fact.pk])
    before = [f for f in line if f.superseded_by_id == following.pk and f.pk not in later]
    neighbours = [following, *sorted(before, key=_said, reverse=True)[:1]]
    same = next((fact for fact in neighbours if says_the_same(claim, claims[fact.pk])), None)
    draft = fact_draft(proposal, actor)
    if same is not None:
        add_evidence(space=proposal.space, actor=actor, additions=[(same, draft.spans)])
        fact = same
    else:
        fact = commit_earlier_fact(
            draft=draft,
            by=following,
            until=following.valid_from or later[following.pk],
            before=[other for other in before if contradict(claim, claims[other.pk])],
            actor=actor,
        )
    proposal.fact = fact
    proposal.save(update_fields=["fact"])
    return fact


def _line_before(held: Fact) -> list[Fact]:
    """What is held, then what it replaced, at once or in its turn. Two queries."""
    rows = Fact.objects.filter(topic=held.topic_id, superseded_by__isnull=False)
    replaced: dict[UUID | None, list[UUID]] = {}
    for pk, by in rows.order_by("pk").values_list("pk", "superseded_by"):
        replaced.setdefault(by, []).append(pk)
    line = [held.pk]
    for pk in line:  # grows while it is read
        line += replaced.pop(pk, [])
    found = Fact.objects.filter(status=Fact.Status.SUPERSEDED).in_bulk(line[1:])
    return [held, *(found[pk] for pk in line[1:] if pk in found)]


def _said(fact: Fact) -> tuple[bool, float]:
    return (fact.said_at is not None, fact.said_at.timestamp() if fact.said_at else 0.0)
