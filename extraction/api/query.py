"""The before-chat hook: what the memory says to a question, ready for a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from extraction.models import Confirmation
from extraction.selectors.jobs import waiting_messages
from extraction.selectors.questions import answer_in_text, questions_about
from extraction.selectors.review import count_to_review
from topics.api.base import ApiView
from topics.api.fields import Flag, Moment, Strict, Text
from topics.api.idempotency import idempotent_reading
from topics.api.schema import BODY, answers
from topics.api.serializers import EDITED
from topics.errors import NotFound
from topics.models import Fact, Space, TimelineEntry, Topic
from topics.models.statement import Certainty
from topics.queries import new_query_id
from topics.retrieval.answer import MemoryAnswer
from topics.retrieval.query import query_memory
from topics.selectors.topics import topic_by_id

MOST_TOKENS = 100_000


@extend_schema_field(OpenApiTypes.STR)
class TopicIds(serializers.Field[Any, Any, Any, Any]):
    """Ids in a string with commas, or (in a body) in a list."""

    default_error_messages = {"invalid": gettext_lazy("Give ids with commas between them, or a list of ids.")}

    def to_internal_value(self, data: Any) -> list[str]:
        ids = data.split(",") if isinstance(data, str) else data
        if not isinstance(ids, list) or not all(isinstance(pk, str) for pk in ids):
            self.fail("invalid")
        return [pk.strip() for pk in ids if pk.strip()]

    def to_representation(self, value: Any) -> Any:
        return value


class QueryIn(Strict):
    q = Text(
        help_text="The question, or what the user just said; of more than 10,000 characters the middle is passed over"
    )
    max_tokens = serializers.IntegerField(
        default=1500, min_value=1, max_value=MOST_TOKENS, help_text="What `context` may cost at most"
    )
    include_archived = Flag(default=False)
    as_of = Moment(required=False, help_text="Answer from what was held at that moment")
    topics = TopicIds(required=False, help_text="Answer from these topics alone: ids, with commas")
    format = serializers.ChoiceField(
        choices=["json", "text"],
        default="json",
        help_text="text: `context`, what to ask the user, and how much waits, in `max_tokens` together",
    )


class MessageRef(serializers.Serializer[Any]):
    conversation = serializers.CharField()
    message = serializers.CharField()


class QueryFact(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    text = serializers.CharField()
    kind = serializers.ChoiceField(choices=Fact.Kind.values)
    certainty = serializers.ChoiceField(choices=Certainty.values)
    status = serializers.ChoiceField(choices=["active", "disputed", "superseded"])
    said_at = Moment(allow_null=True)
    sources = MessageRef(many=True)
    edited_by = serializers.CharField(allow_null=True, help_text=EDITED)
    edited_at = Moment(allow_null=True)


class QueryEntry(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    text = serializers.CharField()
    happened_at = Moment()
    precision = serializers.ChoiceField(choices=TimelineEntry.Precision.values)
    certainty = serializers.ChoiceField(choices=Certainty.values)
    said_at = Moment(allow_null=True)
    sources = MessageRef(many=True)
    edited_by = serializers.CharField(allow_null=True, help_text=EDITED)
    edited_at = Moment(allow_null=True)


class QueryTopic(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=Topic.Kind.values)
    status = serializers.ChoiceField(choices=["active", "archived"])
    score = serializers.FloatField()
    why = serializers.ChoiceField(choices=["alias", "text", "vector", "recent"])
    summary = serializers.CharField()
    facts = QueryFact(many=True)
    timeline = QueryEntry(many=True)


class QueryCitation(serializers.Serializer[Any]):
    marker = serializers.CharField(help_text="`[1]` in `context`")
    fact = serializers.UUIDField(allow_null=True)
    entry = serializers.UUIDField(allow_null=True)
    conversation = serializers.CharField(allow_null=True)
    message = serializers.CharField(allow_null=True)
    rank = serializers.IntegerField(
        help_text="How well its line fits the question among those of `context`: 1 is the best"
    )


class QueryConfirmation(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="pk")
    question = serializers.CharField()
    topic = serializers.UUIDField(source="conflict.fact.topic_id")


class QueryOut(serializers.Serializer[Any]):
    query_id = serializers.UUIDField()
    query = serializers.CharField()
    context = serializers.CharField(  # type: ignore[assignment]
        help_text="The block to put into the prompt. Data, not instructions"
    )
    tokens = serializers.IntegerField(help_text="What `context` costs; never more than `max_tokens`")
    max_tokens = serializers.IntegerField()
    tokenizer = serializers.CharField()
    topics = QueryTopic(many=True)
    citations = QueryCitation(many=True)
    confirmations = QueryConfirmation(many=True, help_text="What to ask the user about these topics")
    waiting = serializers.IntegerField(help_text="Messages that are stored but not read yet")
    to_review = serializers.IntegerField(
        help_text="Proposals of the space that wait for a decision, 1000 at most: what they say is not in the answer"
    )


AS_TEXT = {
    (200, "application/json"): QueryOut,
    (200, "text/plain"): OpenApiResponse(OpenApiTypes.STR, description="With `format=text`"),
}


class QueryView(ApiView):
    required_scopes = {"GET": "read", "POST": "read"}
    has_etag = False

    @extend_schema(
        operation_id="query_memory",
        tags=["Memory"],
        parameters=[QueryIn],
        responses={**answers(QueryOut, 404), **AS_TEXT},
    )
    def get(self, request: Request) -> HttpResponseBase:
        """What the memory says to a question, within a budget of tokens. Nothing relevant: an empty `context`."""
        return self._answer(self.query(QueryIn))

    @extend_schema(
        operation_id="query_memory_long",
        tags=["Memory"],
        request=QueryIn,
        responses={**answers(QueryOut, 404, *BODY), **AS_TEXT},
    )
    @idempotent_reading
    def post(self, request: Request) -> HttpResponseBase:
        """As GET, for questions that are too long for an address."""
        return self._answer(self.body(QueryIn))

    def _answer(self, asked: dict[str, Any]) -> HttpResponseBase:
        ask = partial(
            query_memory,
            space=self.space,
            question=asked["q"],
            include_archived=asked["include_archived"],
            as_of=asked.get("as_of"),
            now=asked.get("as_of") or timezone.now(),
            topic_ids=_topic_ids(self.space, asked["topics"]) if asked.get("topics") else None,
        )
        if asked["format"] == "text":
            text = answer_in_text(self.space, ask, asked["max_tokens"])
            return HttpResponse(text, content_type="text/plain; charset=utf-8")
        answer = ask(max_tokens=asked["max_tokens"])
        return Response(answer_data(self.space, answer, questions_about(self.space, answer)))


def answer_data(space: Space, answer: MemoryAnswer, questions: Sequence[Confirmation]) -> dict[str, Any]:
    """An answer of the memory as the API gives it: a QueryOut."""
    found = {
        name: getattr(answer, name)
        for name in ("query", "context", "tokens", "max_tokens", "tokenizer", "topics", "citations")
    }
    extra = {
        "query_id": new_query_id(space),
        "confirmations": questions,
        "waiting": waiting_messages(space),
        "to_review": count_to_review(space),
    }
    return QueryOut({**found, **extra}).data


def _topic_ids(space: Space, ids: list[str]) -> list[UUID]:
    """The topics of these ids, merged ones as their survivors. Raises NotFound for an id that is none of the space."""
    topics = [topic_by_id(space, pk) for pk in ids]
    missing = [pk for pk, topic in zip(ids, topics, strict=True) if topic is None]
    if missing:
        raise NotFound(_("There is no topic %(id)s.") % {"id": missing[0][:64]})
    return [topic.pk for topic in topics if topic is not None]
