"""The decisions of a person that one key takes back: those of the session, and the latest of any other."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from extraction.models import BulkItem, Decision, Proposal
from extraction.selectors.decided import with_both_sides
from topics.ids import first_uuid7
from topics.models import Space

OF_THIS_SESSION = timedelta(hours=12)
OF_ANY_SESSION = timedelta(hours=1)
ACTIONS = ("approve_proposals", "reject_proposals", "snooze_proposals", "resolve_conflict")


def last_decision(space: Space, user: Any, *, asked: Mapping[str, str]) -> Decision | None:
    """The newest decision of this person that still stands, with its change set; None where there is none to offer.

    `asked` gives for the id of each change set of this session that of the proposal which the person decided.
    """
    now = timezone.now()
    offered = _own(space, user).filter(
        Q(change_set__in=list(asked)) | Q(change_set__at__gte=now - OF_ANY_SESSION),
        change_set__at__gte=now - OF_THIS_SESSION,
        change_set__id__gte=first_uuid7(now - OF_THIS_SESSION),  # an index of the ids leads to the latest
        change_set__undone_by=None,
    )
    newest = offered.order_by("-change_set__pk").values_list("change_set", flat=True).first()
    return None if newest is None else _chosen(newest, asked)


def own_decision(space: Space, user: Any, change: UUID, *, asked: Mapping[str, str]) -> Decision | None:
    """The decision of this change set, undone or not, if it is one that `last_decision` gives or gave a while ago."""
    since = timezone.now() - OF_THIS_SESSION
    is_own = _own(space, user).filter(Q(change_set__in=list(asked)) | Q(change_set__at__gte=since), change_set=change)
    return _chosen(change, asked) if is_own.exists() else None


def _own(space: Space, user: Any) -> QuerySet[Decision]:
    """What this person decided. Without what was decided part by part: its own page takes back the whole."""
    is_part = BulkItem.objects.filter(change_set=OuterRef("change_set"), bulk__job__isnull=False)
    return Decision.objects.filter(
        ~Exists(is_part),
        change_set__space=space,
        change_set__actor_user=user,
        change_set__action__in=ACTIONS,
    )


def _chosen(change: UUID, asked: Mapping[str, str]) -> Decision | None:
    """The decision that the person took, of those that the change set holds.

    Others may have been decided along with it. Where nobody remembers which it was, it is the first, and the statement
    where a topic was made for it.
    """
    rows = with_both_sides(Decision.objects.filter(change_set=change)).select_related("change_set").order_by("pk")
    if str(change) in asked:
        return rows.filter(proposal=UUID(asked[str(change)])).first()
    first = list(rows[:3])
    is_topic_for_one = len(first) == 2 and first[0].proposal.kind == Proposal.Kind.TOPIC
    return first[1] if is_topic_for_one else first[0]
