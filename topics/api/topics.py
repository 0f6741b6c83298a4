"""Topics: find, read, create, change, put away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from topics.api.base import ApiView, as_uuid
from topics.api.etags import check_match, require_match
from topics.api.fields import Choice, Moment, Name, Strict, Text
from topics.api.idempotency import idempotent
from topics.api.schema import BODY, MAY_MATCH, PAGES, answers, page_of
from topics.api.serializers import (
    DocumentOut,
    OneTopicOut,
    SourceOut,
    TopicOut,
    VersionOut,
)
from topics.errors import NotFound
from topics.models import Topic
from topics.selectors.documents import document
from topics.selectors.history import rows_of
from topics.selectors.markdown import as_markdown
from topics.selectors.sources import sources_of
from topics.selectors.topics import find_topics, topic_by_id
from topics.services.topics import (
    SUMMARY_LIMIT,
    archive_topic,
    create_topic,
    delete_topic,
    restore_topic,
    update_topic,
)

REASON = {"required": False, "allow_blank": True, "max_length": 2000, "help_text": "Why; kept in the history"}


class TopicsIn(serializers.Serializer[Any]):
    alias = Text(required=False, max_length=200, help_text="The topic with this name, in whatever writing")
    q = Text(required=False, max_length=200, help_text="Topics of which a name holds these words")
    kind = Choice(choices=Topic.Kind.values, required=False)
    status = Choice(choices=["active", "archived"], required=False)


class TopicIn(Strict):
    name = Name()
    kind = Choice(choices=Topic.Kind.values, default=Topic.Kind.OTHER)
    summary = Text(default="", allow_blank=True, max_length=SUMMARY_LIMIT)
    aliases = serializers.ListField(child=Name(), default=list, max_length=100)
    reason = Text(**REASON)


class TopicChanges(Strict):
    name = Name(required=False, help_text="The former name stays as an alias")
    kind = Choice(choices=Topic.Kind.values, required=False)
    summary = Text(required=False, allow_blank=True, max_length=SUMMARY_LIMIT)
    reason = Text(**REASON)


class ReasonIn(Strict):
    reason = Text(**REASON)


class DocumentIn(serializers.Serializer[Any]):
    format = Choice(choices=["json", "markdown"], default="json")
    as_of = Moment(required=False, help_text="The document as it was held at that moment")


class TopicView(ApiView):
    """What the routes of one topic share."""

    def topic(self, pk: str) -> Topic:
        """The topic of this id in the key's space, a merged one as its survivor. Raises NotFound."""
        found = topic_by_id(self.space, pk)
        if found is None:
            raise NotFound(_("There is no topic with this id."))
        return found

    def shown(self, topic: Topic, asked: str) -> dict[str, Any]:
        """The representation of the topic, which the ETag covers."""
        return OneTopicOut(topic, context={"asked": as_uuid(asked)}).data


class TopicsView(ApiView):
    required_scopes = {"GET": "read", "POST": "write"}
    names = {"topic": "id"}

    @extend_schema(
        operation_id="list_topics",
        tags=["Topics"],
        parameters=[TopicsIn, *PAGES],
        responses=answers(page_of(TopicOut), 404),
    )
    def get(self, request: Request) -> Response:
        """The topics of the space, archived ones too, the oldest first."""
        rows = find_topics(self.space, **self.query(TopicsIn))
        return self.page(rows.prefetch_related("aliases"), lambda found: TopicOut(found, many=True).data)

    @extend_schema(
        operation_id="create_topic",
        tags=["Topics"],
        request=TopicIn,
        responses=answers(OneTopicOut, *BODY, 409, status=201),
        examples=[
            OpenApiExample(
                "A project",
                request_only=True,
                value={"name": "智能家居项目", "kind": "project", "aliases": ["Smart home project"]},
            )
        ],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Create a topic. A name that another topic has already answers 409 with that topic's id."""
        topic = create_topic(space=self.space, actor=self.actor, **self.body(TopicIn))
        topic.refresh_from_db()
        data = OneTopicOut(topic, context={"asked": topic.pk}).data
        return self.tagged(data, topic.version, status=201)


class OneTopicView(TopicView):
    required_scopes = {"GET": "read", "PATCH": "write", "DELETE": "write"}

    @extend_schema(operation_id="get_topic", tags=["Topics"], responses=answers(OneTopicOut, 404))
    def get(self, request: Request, topic: str) -> Response:
        """One topic. The id of a merged topic answers with the survivor, and `merged_from`."""
        found = self.topic(topic)
        return self.tagged(self.shown(found, topic), found.version)

    @extend_schema(
        operation_id="update_topic",
        tags=["Topics"],
        request=TopicChanges,
        responses=answers(OneTopicOut, 404, 409, 412, 428, *BODY),
    )
    def patch(self, request: Request, topic: str) -> Response:
        """Rename, re-kind or rewrite the summary."""
        found = self.topic(topic)
        seen = require_match(request, self.shown(found, topic), found.version)
        changed = update_topic(topic=found, actor=self.actor, expected_version=seen, **self.body(TopicChanges))
        changed.refresh_from_db()
        return self.tagged(self.shown(changed, topic), changed.version)

    @extend_schema(
        operation_id="delete_topic", tags=["Topics"], responses=answers(None, 404, 409, 412, 428, status=204)
    )
    def delete(self, request: Request, topic: str) -> Response:
        """Take the topic out of the memory, and free its names. Undoing the change set brings all of it back."""
        found = self.topic(topic)
        seen = require_match(request, self.shown(found, topic), found.version)
        delete_topic(topic=found, actor=self.actor, expected_version=seen)
        return Response(status=204)


class TopicArchiveView(TopicView):
    required_scopes = {"POST": "write"}

    @extend_schema(
        operation_id="archive_topic",
        tags=["Topics"],
        parameters=[MAY_MATCH],
        request=ReasonIn,
        responses=answers(OneTopicOut, 404, 409, 412, *BODY),
    )
    @idempotent
    def post(self, request: Request, topic: str) -> Response:
        """Put the topic away: answers leave it out unless asked for it."""
        found = self.topic(topic)
        seen = check_match(request, self.shown(found, topic), found.version)
        done = archive_topic(topic=found, actor=self.actor, expected_version=seen, **self.body(ReasonIn))
        done.refresh_from_db()
        return self.tagged(self.shown(done, topic), done.version)


class TopicRestoreView(TopicView):
    required_scopes = {"POST": "write"}

    @extend_schema(
        operation_id="restore_topic",
        tags=["Topics"],
        parameters=[MAY_MATCH],
        request=ReasonIn,
        responses=answers(OneTopicOut, 404, 409, 412, *BODY),
    )
    @idempotent
    def post(self, request: Request, topic: str) -> Response:
        """Bring an archived topic back."""
        found = self.topic(topic)
        seen = check_match(request, self.shown(found, topic), found.version)
        done = restore_topic(topic=found, actor=self.actor, expected_version=seen, **self.body(ReasonIn))
        done.refresh_from_db()
        return self.tagged(self.shown(done, topic), done.version)


class DocumentView(TopicView):
    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="get_document",
        tags=["Topics"],
        parameters=[DocumentIn],
        responses={
            **answers(DocumentOut, 404),
            (200, "application/json"): DocumentOut,
            (200, "text/markdown"): OpenApiResponse(OpenApiTypes.STR, description="With `format=markdown`"),
        },
    )
    def get(self, request: Request, topic: str) -> HttpResponseBase:
        """The whole document: summary, facts with their sources, what was superseded, and the timeline."""
        asked = self.query(DocumentIn)
        found = document(self.topic(topic), asked.get("as_of"))
        if asked["format"] == "markdown":
            text = as_markdown(found)
            return HttpResponse(text, content_type="text/markdown; charset=utf-8")
        return self.tagged(DocumentOut(found, context={"asked": as_uuid(topic)}).data, found.version)


class TopicHistoryView(TopicView):
    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="list_topic_history",
        tags=["Topics"],
        parameters=PAGES,
        responses=answers(page_of(VersionOut), 404),
    )
    def get(self, request: Request, topic: str) -> Response:
        """What changed in the document, change set by change set, the latest first."""
        found = self.topic(topic)
        versions = found.versions.select_related("change_set").prefetch_related(
            "change_set__undone_by", "change_set__documents"
        )
        return self.page(versions.order_by("-version"), lambda rows: _versions(found, rows))


class TopicSourcesView(TopicView):
    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="list_topic_sources",
        tags=["Topics"],
        parameters=PAGES,
        responses=answers(page_of(SourceOut), 404),
    )
    def get(self, request: Request, topic: str) -> Response:
        """The messages behind the document, with the words that were quoted from each."""
        return self.page(sources_of(self.topic(topic)), lambda rows: SourceOut(rows, many=True).data)


def _versions(topic: Topic, rows: Sequence[Any]) -> Any:
    sets = [row.change_set for row in rows]
    context = {"rows": rows_of(sets, topic), "versions": {row.change_set_id: row.version for row in rows}}
    return VersionOut(sets, many=True, context=context).data
