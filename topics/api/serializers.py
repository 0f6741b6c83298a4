"""How the rows of the memory are shown."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from topics.api.fields import Moment
from topics.models import ChangeSet, Fact, TimelineEntry, Topic
from topics.models.statement import Certainty, Origin
from topics.selectors.documents import DocumentConflict, Line
from topics.selectors.history import RowChange

Shape = serializers.Serializer[Any]
EDITED = "Who put it in words that are not those of its sources; null for nobody"


class TopicOut(Shape):
    id = serializers.UUIDField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=Topic.Kind.values)
    status = serializers.ChoiceField(choices=["active", "archived"])
    summary = serializers.CharField()
    aliases = serializers.SerializerMethodField(help_text="Other names")
    version = serializers.IntegerField(source="document_version", help_text="Counts the changes of the document")
    created_at = Moment()
    changed_at = Moment(help_text="When the document, or anything in it, last changed")

    def get_aliases(self, topic: Topic) -> list[str]:
        return [alias.name for alias in topic.aliases.all() if not alias.is_name]


class OneTopicOut(TopicOut):
    merged_from = serializers.SerializerMethodField(help_text="The id asked for, when its topic was merged into this")

    def get_merged_from(self, topic: Topic) -> UUID | None:
        asked: UUID = self.context["asked"]
        return asked if asked != topic.pk else None


class QuoteOut(Shape):
    """The exact words: [start, end) in code points of the message."""

    conversation = serializers.CharField()
    message = serializers.CharField()
    text = serializers.CharField(source="words")
    start = serializers.IntegerField()
    end = serializers.IntegerField()


class FactOut(Shape):
    id = serializers.UUIDField(source="row.pk")
    topic = serializers.UUIDField(source="row.topic_id")
    kind = serializers.ChoiceField(choices=Fact.Kind.values, source="row.kind")
    text = serializers.CharField(source="row.text")
    attribute = serializers.CharField(source="row.attribute")
    value = serializers.CharField(source="row.value")
    unit = serializers.CharField(source="row.unit")
    negated = serializers.BooleanField(source="row.negated")
    certainty = serializers.ChoiceField(choices=Certainty.values, source="row.certainty")
    status = serializers.SerializerMethodField()
    superseded_by = serializers.UUIDField(source="row.superseded_by_id", allow_null=True)
    speaker = serializers.CharField(source="row.speaker")
    said_at = Moment(source="row.said_at", allow_null=True)
    valid_from = Moment(source="row.valid_from", allow_null=True)
    valid_until = Moment(source="row.valid_until", allow_null=True)
    scope = serializers.CharField(source="row.scope")
    origin = serializers.ChoiceField(choices=Origin.values, source="row.origin")
    created_at = Moment(source="row.created_at")
    edited_by = serializers.CharField(source="edit.by", default=None, allow_null=True, help_text=EDITED)
    edited_at = Moment(source="edit.at", default=None, allow_null=True)
    sources = QuoteOut(many=True)

    @extend_schema_field(serializers.ChoiceField(choices=["active", "disputed", "superseded", "retracted", "joined"]))
    def get_status(self, line: Line[Fact]) -> str:
        return "disputed" if line.row.status == Fact.Status.ACTIVE and line.is_disputed else line.row.status


class EntryOut(Shape):
    id = serializers.UUIDField(source="row.pk")
    topic = serializers.UUIDField(source="row.topic_id")
    text = serializers.CharField(source="row.text")
    happened_at = Moment(source="row.happened_at")
    precision = serializers.ChoiceField(
        choices=TimelineEntry.Precision.values, source="row.precision", help_text="How much of `happened_at` was said"
    )
    certainty = serializers.ChoiceField(choices=Certainty.values, source="row.certainty")
    status = serializers.ChoiceField(choices=TimelineEntry.Status.values, source="row.status")
    speaker = serializers.CharField(source="row.speaker")
    said_at = Moment(source="row.said_at", allow_null=True)
    origin = serializers.ChoiceField(choices=Origin.values, source="row.origin")
    created_at = Moment(source="row.created_at")
    edited_by = serializers.CharField(source="edit.by", default=None, allow_null=True, help_text=EDITED)
    edited_at = Moment(source="edit.at", default=None, allow_null=True)
    sources = QuoteOut(many=True)


class AliasOut(Shape):
    id = serializers.UUIDField()
    topic = serializers.UUIDField(source="topic_id")
    name = serializers.CharField()
    is_name = serializers.BooleanField(help_text="Whether it is the topic's own name")


class DocumentConflictOut(Shape):
    """A statement that contradicted a fact: open, or what came of it, by whom and when."""

    fact = serializers.UUIDField(source="fact.pk")
    held = serializers.CharField(source="fact.text")
    claim = serializers.CharField(help_text="What the statement says against it")
    said_at = Moment(allow_null=True)
    opened_at = Moment()
    status = serializers.SerializerMethodField()
    outcome = serializers.CharField(help_text="replace, keep, both or neither; empty while open")
    settled_by = serializers.CharField()
    settled_at = Moment(allow_null=True)
    change_set = serializers.UUIDField(allow_null=True, help_text="The act that settled it; undoing it opens it again")

    @extend_schema_field(serializers.ChoiceField(choices=["open", "settled"]))
    def get_status(self, conflict: DocumentConflict) -> str:
        return "open" if conflict.is_open else "settled"


class SummarySentenceOut(Shape):
    text = serializers.CharField()
    facts = serializers.ListField(child=serializers.UUIDField(), help_text="What it was made from")
    stale = serializers.BooleanField(
        help_text="One of them has changed: it is no part of `summary` until it is renewed"
    )


class DocumentOut(Shape):
    id = serializers.UUIDField(source="topic.pk")
    name = serializers.CharField(source="topic.name")
    kind = serializers.ChoiceField(choices=Topic.Kind.values, source="topic.kind")
    status = serializers.ChoiceField(choices=["active", "archived"], source="topic.status")
    summary = serializers.CharField(source="topic.summary")
    summary_sentences = SummarySentenceOut(
        source="topic.summary_sentences", many=True, help_text="Of a summary made from facts; else empty"
    )
    version = serializers.IntegerField()
    as_of = Moment(allow_null=True)
    aliases = AliasOut(many=True)
    facts = FactOut(many=True)
    superseded = FactOut(many=True)
    timeline = EntryOut(many=True)
    conflicts = DocumentConflictOut(many=True)
    merged_from = serializers.SerializerMethodField(help_text="The id asked for, when its topic was merged into this")

    def get_merged_from(self, document: Any) -> UUID | None:
        asked: UUID = self.context["asked"]
        return asked if asked != document.topic.pk else None


class DocumentRef(Shape):
    topic = serializers.UUIDField(source="topic_id")
    version = serializers.IntegerField(help_text="The version of the document that the change made")


class ChangeSetOut(Shape):
    id = serializers.UUIDField()
    action = serializers.CharField()
    reason = serializers.CharField()
    at = Moment()
    actor = serializers.CharField(source="actor_label")
    actor_kind = serializers.SerializerMethodField()
    undoes = serializers.UUIDField(source="undoes_id", allow_null=True)
    undone_by = serializers.SerializerMethodField()
    documents = DocumentRef(many=True)

    @extend_schema_field(serializers.ChoiceField(choices=["person", "key", "product"]))
    def get_actor_kind(self, change: ChangeSet) -> str:
        if change.actor_user_id is not None:
            return "person"
        return "key" if change.actor_key_id is not None else "product"

    def get_undone_by(self, change: ChangeSet) -> UUID | None:
        return next((undo.pk for undo in change.undone_by.all()), None)


class FieldChangeOut(Shape):
    field = serializers.CharField(source="name")
    old = serializers.SerializerMethodField()
    new = serializers.SerializerMethodField()

    @extend_schema_field(OpenApiTypes.ANY)
    def get_old(self, change: Any) -> Any:
        return _plain(change.old)

    @extend_schema_field(OpenApiTypes.ANY)
    def get_new(self, change: Any) -> Any:
        return _plain(change.new)


class RowChangeOut(Shape):
    type = serializers.SerializerMethodField()
    id = serializers.UUIDField(source="pk")
    topic = serializers.UUIDField(source="topic_id")
    verb = serializers.ChoiceField(
        choices=["added", "changed", "removed", "superseded", "archived", "restored", "moved", "merged", "joined"]
    )
    title = serializers.CharField()
    fields = FieldChangeOut(many=True)  # type: ignore[assignment]

    @extend_schema_field(serializers.ChoiceField(choices=["topic", "alias", "fact", "timeline"]))
    def get_type(self, change: RowChange) -> str:
        return "timeline" if change.model is TimelineEntry else change.type


class OneChangeSetOut(ChangeSetOut):
    changes = serializers.SerializerMethodField()

    @extend_schema_field(RowChangeOut(many=True))
    def get_changes(self, change: ChangeSet) -> list[Any]:
        rows = self.context["rows"].get(change.pk, [])
        return [RowChangeOut(row).data for row in rows]


class UndoneOut(OneChangeSetOut):
    kept = serializers.ListField(
        child=serializers.CharField(), help_text="Of a merge: what was done since and stays, a sentence each"
    )


class VersionOut(OneChangeSetOut):
    version = serializers.SerializerMethodField(help_text="The version of the document that the change made")

    def get_version(self, change: ChangeSet) -> int:
        version: int = self.context["versions"][change.pk]
        return version


class SourceQuoteOut(Shape):
    fact = serializers.UUIDField(source="fact_id", allow_null=True)
    entry = serializers.UUIDField(source="entry_id", allow_null=True)
    text = serializers.CharField(source="quote")
    start = serializers.IntegerField()
    end = serializers.IntegerField()


class SourceOut(Shape):
    conversation = serializers.CharField(source="conversation.external_id")
    message = serializers.CharField(source="external_id")
    role = serializers.CharField()
    name = serializers.CharField()
    said_at = Moment()
    content = serializers.CharField()
    quotes = SourceQuoteOut(many=True, source="quoted")


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
