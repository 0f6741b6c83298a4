"""Which turns agents may see, as far as it depends on what became of the statements that were taken from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import Q

from extraction.models import Conflict, Proposal, ProposalQuote
from topics.models import Space
from topics.retrieval import index

_STATEMENTS = (Proposal.Kind.FACT, Proposal.Kind.TIMELINE)
_OPEN = (Proposal.Status.PENDING, Proposal.Status.SNOOZED)


def withhold_words(proposals: Iterable[Proposal]) -> None:
    """Keep the turns behind refused statements out of what agents see; not of those that were held all the same."""
    messages = messages_behind(p for p in proposals if not p.is_held)
    if messages:
        index.withhold_message(messages)


def withhold_undecided(space: Space, messages: Collection[Any]) -> None:
    """Keep out those of these messages that hold a refused statement or, where agents see every turn, one that waits.

    A statement in an open conflict does not count: what it contradicts is shown as disputed.
    """
    held_back = _held_back(space, messages)
    if held_back:
        index.withhold_message(held_back)


def release_words(space: Space, proposals: Iterable[Proposal]) -> None:
    """Show the turns behind these statements again, but for those that `withhold_undecided` would keep out."""
    messages = messages_behind(proposals)
    if messages:
        index.release_message(messages - _held_back(space, messages))


def messages_behind(proposals: Iterable[Proposal]) -> set[Any]:
    """The messages from which these statements were taken, by key."""
    ids = [p.pk for p in proposals if p.kind in _STATEMENTS]
    return set(ProposalQuote.objects.filter(proposal__in=ids).values_list("message_id", flat=True)) if ids else set()


def _held_back(space: Space, messages: Collection[Any]) -> set[Any]:
    if not messages:
        return set()
    undecided = Q(proposal__status=Proposal.Status.REJECTED)
    if space.source_turns == Space.SourceTurns.ALL:
        in_conflict = Conflict.objects.filter(space=space, status=Conflict.Status.OPEN).values("proposal")
        undecided |= Q(proposal__status__in=_OPEN) & ~Q(proposal__in=in_conflict)
    quotes = ProposalQuote.objects.filter(
        undecided, message__in=messages, proposal__kind__in=_STATEMENTS, proposal__is_held=False
    )
    return set(quotes.values_list("message_id", flat=True))
