"""What of a space a query may see, and what was held at the time it asks about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from topics.models import Conversation, Dispute, Evidence, Fact, Passage, Space, TimelineEntry, Topic
from topics.models.statement import Origin
from topics.retrieval.index import Statement


@dataclass(frozen=True)
class View:
    """One space as of one moment (`as_of`; None is now), perhaps narrowed to some topics."""

    space: Space
    now: datetime
    as_of: datetime | None
    include_archived: bool
    topic_ids: tuple[UUID, ...] | None

    # -- search rows

    def turns(self) -> QuerySet[Passage]:
        """Rows of turns that may be shown: nobody rejected, retracted or deleted what was taken from them."""
        rows = Passage.objects.filter(space=self.space, kind=Passage.Kind.MESSAGE, withheld=False)
        rows = rows.exclude(self._is_disowned())
        if self.as_of:
            rows = rows.filter(message__received_at__lte=self.as_of, message__said_at__lte=self.as_of)
        if self.topic_ids is not None:
            about = Q(fact__topic__in=self.topic_ids) | Q(entry__topic__in=self.topic_ids)
            conversations = Conversation.objects.filter(space=self.space, subject__in=self.topic_ids)
            rows = rows.filter(
                Q(message__in=Evidence.objects.filter(about, removed_by=None).values("message"))
                | Q(conversation__in=conversations)
            )
        return rows

    def statements(self) -> QuerySet[Passage]:
        """Rows of facts and timeline entries that stand now."""
        rows = Passage.objects.filter(space=self.space, kind__in=[Passage.Kind.FACT, Passage.Kind.ENTRY])
        if not self.include_archived:
            rows = rows.exclude(topic__in=Topic.objects.filter(space=self.space, status=Topic.Status.ARCHIVED))
        if self.topic_ids is not None:
            rows = rows.filter(topic__in=self.topic_ids)
        return rows

    def statements_beside_turns(self) -> QuerySet[Passage]:
        """Rows of statements that no turn which may be shown makes as they are held."""
        withheld = Passage.objects.filter(space=self.space, withheld=True)
        unseen = Evidence.objects.filter(Q(message__in=withheld.values("message")) | self._is_disowned())
        own_words = [Origin.PERSON, Origin.AGENT]
        return self.statements().filter(
            Q(conversation=None)
            | Q(fact__corrected_at__isnull=False)
            | Q(fact__origin__in=own_words)
            | Q(entry__origin__in=own_words)
            | Q(fact__in=unseen.values("fact"))
            | Q(entry__in=unseen.values("entry"))
        )

    def _is_disowned(self) -> Q:
        """Of a row with a `message`: a statement taken from it is retracted, or its topic deleted."""
        deleted = Topic.objects.filter(space=self.space, status=Topic.Status.DELETED)
        behind = Q()
        for owner, model in (("fact", Fact), ("entry", TimelineEntry)):
            statements = model.objects.filter(space=self.space)
            for gone in (statements.filter(status="retracted"), statements.filter(topic__in=deleted)):
                behind |= Q(message__in=Evidence.objects.filter(**{f"{owner}__in": gone}).values("message"))
        return behind

    # -- the documents

    def facts(self, ids: Collection[UUID]) -> dict[UUID, Fact]:
        """These facts as they were held, without retracted ones."""
        return {row.pk: row for row in self._held(Fact).filter(id__in=ids)}

    def entries(self, ids: Collection[UUID]) -> dict[UUID, TimelineEntry]:
        """These timeline entries as they were held, without retracted ones."""
        return {row.pk: row for row in self._held(TimelineEntry).filter(id__in=ids)}

    def held_statements(self) -> list[Statement]:
        """Everything that was held at `as_of` in topics that may still be shown."""
        statements: list[Statement] = [*self._held(Fact), *self._held(TimelineEntry)]
        topics = self.topics({statement.topic_id for statement in statements})
        return [statement for statement in statements if statement.topic_id in topics]

    def _held(self, model: Any) -> Any:
        rows = model.history.as_of(self.as_of) if self.as_of else model.objects.all()
        return rows.filter(space_id=self.space.pk).exclude(status="retracted")

    def topics(self, ids: Iterable[UUID]) -> dict[UUID, Topic]:
        """Topic id → the topic that answers for it now (the survivor of a merge), if it may be shown."""
        found: dict[UUID, Topic] = {}
        for topic_id, topic in Topic.objects.filter(space=self.space).in_bulk(list(ids)).items():
            while topic.merged_into is not None:
                topic = topic.merged_into
            if self._may_show(topic):
                found[topic_id] = topic
        return found

    def _may_show(self, topic: Topic) -> bool:
        if topic.status == Topic.Status.DELETED or (self.topic_ids is not None and topic.pk not in self.topic_ids):
            return False
        return self.include_archived or topic.status != Topic.Status.ARCHIVED

    # -- what belongs to statements

    def evidence_condition(self) -> Q:
        """Of Evidence: whether it stood."""
        if not self.as_of:
            return Q(removed_by=None)
        return Q(added_by__at__lte=self.as_of) & (Q(removed_by=None) | Q(removed_by__at__gt=self.as_of))

    def evidence_of(self, statement_ids: Collection[UUID]) -> dict[UUID, list[Evidence]]:
        """Statement id → its evidence, the earliest first, with message and conversation."""
        found: dict[UUID, list[Evidence]] = defaultdict(list)
        rows = Evidence.objects.filter(
            Q(fact_id__in=statement_ids) | Q(entry_id__in=statement_ids), self.evidence_condition()
        )
        for row in rows.select_related("message__conversation").order_by("id"):
            found[row.fact_id or row.entry_id].append(row)  # type: ignore[index]
        return found

    def disputes(self, fact_ids: Collection[UUID]) -> dict[UUID, datetime | None]:
        """Id of a disputed fact → when the latest contradicting words were said."""
        open_ones = Q(closed_at=None)
        if self.as_of:
            open_ones = Q(opened_at__lte=self.as_of) & (open_ones | Q(closed_at__gt=self.as_of))
        rows = Dispute.objects.filter(open_ones, fact_id__in=fact_ids).order_by("id")
        return dict(rows.values_list("fact_id", "said_at"))
