"""When statements were said, in order: what is read late was said before what is held by now.

Words of the same moment count as said in the order in which they stand in their conversation; where they come from
several conversations, in the order in which they arrived. Messages that bear no time were said when they arrived.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from extraction.models import Proposal
from topics.models import Evidence, Fact


@dataclass(frozen=True, slots=True)
class Moment:
    """When something was said, and at which place of which conversation, where that is known."""

    at: datetime
    conversation: Any = None
    position: int = 0

    def is_before(self, other: Moment) -> bool:
        """Whether it came before the other one; False for two of which nothing tells the order."""
        if self.at != other.at:
            return self.at < other.at
        is_one_talk = self.conversation is not None and self.conversation == other.conversation
        return is_one_talk and self.position < other.position


def moment_of(proposal: Proposal) -> Moment | None:
    """When the words of a proposal were said; None where that is not known."""
    if proposal.said_at is None:
        return None
    message = proposal.message
    if message is None or message.said_at != proposal.said_at:
        return Moment(proposal.said_at)
    return Moment(proposal.said_at, message.conversation_id, message.position)


def said_after(moment: Moment, facts: Iterable[Fact]) -> dict[UUID, datetime]:
    """Id of a fact → when it was said for the first time after the moment, if it was. One query."""
    later = {pk: _times_after(moment, spoken) for pk, spoken in _spoken(facts, since=moment.at).items()}
    return {pk: min(times) for pk, times in later.items() if times}


def is_older(proposal: Proposal, held: Fact) -> bool:
    """Whether the words of the proposal were said before the last of those that say what is held, whenever either
    arrived."""
    return bool(older_ones([(proposal, held)]))


def older_ones(pairs: Iterable[tuple[Proposal, Fact]]) -> set[UUID]:
    """Ids of those proposals that are older than the held fact beside them. One query."""
    timed = [(proposal.pk, moment, held) for proposal, held in pairs if (moment := moment_of(proposal))]
    if not timed:
        return set()
    spoken = _spoken([held for _pk, _moment, held in timed], since=min(moment.at for _pk, moment, _held in timed))
    return {pk for pk, moment, held in timed if _times_after(moment, spoken[held.pk])}


def _spoken(facts: Iterable[Fact], *, since: datetime) -> dict[UUID, list[Moment]]:
    """Fact id → when it was said from that time on: by the words behind it, else as it bears itself."""
    known = {fact.pk: fact for fact in facts}
    spoken: dict[UUID, list[Moment]] = {pk: [] for pk in known}
    rows = Evidence.objects.filter(fact__in=list(known), removed_by=None, message__said_at__gte=since)
    places = rows.values_list("fact", "message__said_at", "message__conversation", "message__position")
    for pk, at, conversation, position in places:
        spoken[pk].append(Moment(at, conversation, position))
    for pk, fact in known.items():
        if fact.said_at is not None and fact.said_at not in [moment.at for moment in spoken[pk]]:
            spoken[pk].append(Moment(fact.said_at))
    return spoken


def _times_after(moment: Moment, spoken: Iterable[Moment]) -> list[datetime]:
    return [other.at for other in spoken if moment.is_before(other)]
