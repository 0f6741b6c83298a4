"""Which facts are in doubt: somebody said otherwise, and nobody has decided yet.

Words that were said before those of a fact cast no doubt on it: they tell what was true before, and wait for that.
"""

from __future__ import annotations

from typing import Any

from django.db.models import BooleanField, Case, Exists, F, OuterRef, Q, QuerySet, Value, When

from topics.models import Dispute, Evidence
from topics.models.statement import Certainty

STANDING = Q(removed_by=None)


def with_doubt(disputes: QuerySet[Dispute], evidence: Q = STANDING) -> QuerySet[Any]:
    """The disputes, each with `casts_doubt`: whether it makes its fact doubtful while it is open.

    What was said before the last words of the fact (`evidence`: those that count) does not, unless the fact is a guess
    or a plan beside it, or the other statement is held as well.
    """
    said_last = Q(message__said_at__gt=OuterRef("said_at")) | Q(
        message__said_at=OuterRef("said_at"),
        message__conversation=OuterRef("message__conversation"),
        message__position__gt=OuterRef("message__position"),
    )
    said_again = Exists(Evidence.objects.filter(evidence, said_last, fact=OuterRef("fact")))
    is_of_before = Q(fact__certainty=Certainty.CONFIRMED, became=None) & ~Q(claim="")
    is_late = is_of_before & (Q(fact__said_at__gt=F("said_at")) | Q(said_again))
    doubt = Case(When(is_late, then=Value(False)), default=Value(True), output_field=BooleanField())
    return disputes.annotate(casts_doubt=doubt)


def in_doubt(disputes: QuerySet[Dispute], evidence: Q = STANDING) -> QuerySet[Any]:
    """Those of the disputes that cast doubt on their fact (`with_doubt`)."""
    return with_doubt(disputes, evidence).filter(casts_doubt=True)
