"""Which turns agents may see, as far as it depends on what became of the statements that were taken from them.

A turn is withheld while one of its statements waits for a decision, for good when one was rejected, and, where a person
reviews, until it has been read: nobody knows before what it holds. This is noted whatever the space shows its agents at
present, so that another setting never shows what waits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import Q

from extraction.models import Conflict, MessageOutcome, Proposal, ProposalQuote
from topics.models import Space
from topics.retrieval import index

_STATEMENTS = (Proposal.Kind.FACT, Proposal.Kind.TIMELINE)
_OPEN = (Proposal.Status.PENDING, Proposal.Status.SNOOZED)
_UNREAD = (MessageOutcome.Outcome.WAITING, MessageOutcome.Outcome.FAILED)


def review_turns(space: Space, messages: Collection[Any]) -> None:
    """Withhold those of these messages (keys) that agents may not see as things stand, and show the others."""
    if not messages:
        return
    held_back = _held_back(space, messages)
    index.withhold_message(held_back)
    index.release_message(set(messages) - held_back)


def messages_behind(proposals: Iterable[Proposal]) -> set[Any]:
    """The messages from which these statements were taken, by key."""
    ids = [p.pk for p in proposals if p.kind in _STATEMENTS]
    return set(ProposalQuote.objects.filter(proposal__in=ids).values_list("message_id", flat=True)) if ids else set()


def _held_back(space: Space, messages: Collection[Any]) -> set[Any]:
    # A statement in an open conflict does not wait in this sense: what it contradicts is shown as disputed.
    in_conflict = Conflict.objects.filter(space=space, status=Conflict.Status.OPEN).values("proposal")
    undecided = Q(proposal__status=Proposal.Status.REJECTED) | (
        Q(proposal__status__in=_OPEN) & ~Q(proposal__in=in_conflict)
    )
    # A statement that was refused but held all the same keeps nothing back.
    if space.review_policy == Space.ReviewPolicy.AUTOMATIC:
        # What only gathers waits for others like it and not for a person, whom nobody has asked for.
        undecided &= ~Q(proposal__topic=None, proposal__new_topic__is_provisional=True)
    quotes = ProposalQuote.objects.filter(
        undecided, message__in=messages, proposal__kind__in=_STATEMENTS, proposal__is_held=False
    )
    held_back = set(quotes.values_list("message_id", flat=True))
    if space.review_policy != Space.ReviewPolicy.AUTOMATIC:
        unread = MessageOutcome.objects.filter(message__in=messages, outcome__in=_UNREAD)
        held_back |= set(unread.values_list("message_id", flat=True))
    return held_back
