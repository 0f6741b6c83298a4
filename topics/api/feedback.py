"""What agents say of the answers that they got."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from topics.api.base import ApiView
from topics.api.fields import Choice, Id, Moment, Strict, Text, list_of
from topics.api.idempotency import idempotent
from topics.api.schema import BODY, PAGES, answers, page_of
from topics.models import Feedback
from topics.services.feedback import COMMENT_LIMIT, give_feedback

MOST_CITATIONS = 100


class CitedIn(serializers.Serializer[Any]):
    """As in the answer of the query; `fact` or `entry` names the statement."""

    marker = Text(required=False, max_length=10)
    fact = Id(required=False, allow_null=True)
    entry = Id(required=False, allow_null=True)
    conversation = Text(required=False, allow_null=True, max_length=200)
    message = Text(required=False, allow_null=True, max_length=200)


class FeedbackIn(Strict):
    query_id = Id(help_text="As the query answered")
    verdict = Choice(
        choices=Feedback.Verdict.values, required=False, help_text="`wrong`: people see the cited statements marked"
    )
    relevance = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=5)
    satisfaction = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=5)
    variant = Text(required=False, allow_blank=True, max_length=100, help_text="Of your own, to compare by")
    comment = Text(required=False, allow_blank=True, max_length=COMMENT_LIMIT)
    citations = list_of(CitedIn, most=MOST_CITATIONS, required=False, help_text="What it is about")


class CitedOut(serializers.Serializer[Any]):
    marker = serializers.CharField(required=False)
    fact = serializers.UUIDField(required=False)
    entry = serializers.UUIDField(required=False)
    conversation = serializers.CharField(required=False)
    message = serializers.CharField(required=False)


class FeedbackOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    query_id = serializers.UUIDField()
    verdict = serializers.ChoiceField(choices=["", *Feedback.Verdict.values])
    relevance = serializers.IntegerField(allow_null=True)
    satisfaction = serializers.IntegerField(allow_null=True)
    variant = serializers.CharField()
    comment = serializers.CharField()
    citations = CitedOut(many=True)
    created_at = Moment()


class FeedbackView(ApiView):
    required_scopes = {"GET": "review", "POST": "read|propose|write"}

    @extend_schema(
        operation_id="list_feedback",
        tags=["Feedback"],
        parameters=PAGES,
        responses=answers(page_of(FeedbackOut), 404),
    )
    def get(self, request: Request) -> Response:
        """What was said of answers, the latest first."""
        rows = Feedback.objects.filter(space=self.space).order_by("-pk")
        return self.page(rows, lambda found: FeedbackOut(found, many=True).data)

    @extend_schema(
        operation_id="give_feedback",
        tags=["Feedback"],
        request=FeedbackIn,
        responses=answers(FeedbackOut, 404, *BODY, status=201),
        examples=[
            OpenApiExample(
                "A wrong statement",
                request_only=True,
                value={
                    "query_id": "01943f2e-7c1d-7a3b-9d55-1f2e3d4c5b6a",
                    "verdict": "wrong",
                    "comment": "The user says it is 42,000.",
                    "citations": [{"marker": "1", "fact": "01943f2e-7c1d-7a3b-9d55-1f2e3d4c5b6b"}],
                },
            )
        ],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Say how good an answer was. Statements that are called `wrong` are marked for people, and stay until then."""
        given = give_feedback(key=self.key, **self.body(FeedbackIn))
        return Response(FeedbackOut(given).data, status=201)
