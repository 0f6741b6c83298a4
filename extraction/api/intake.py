"""The after-chat hook: messages in, and how their reading goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from extraction.models import Job, MessageOutcome
from extraction.selectors.jobs import outcome_counts, proposal_ids, waiting_in
from extraction.services.gathering import missing, read_now
from extraction.services.intake import record_messages
from extraction.services.jobs import retry_job
from topics.api.base import ApiView
from topics.api.fields import Choice, Moment, Name, Text, list_of
from topics.api.idempotency import idempotent
from topics.api.schema import BODY, PAGES, answers, page_of
from topics.errors import NotFound
from topics.models import Conversation, Message, Space
from topics.services.conversations import CONTENT_LIMIT, MOST_MESSAGES, MessageInput


class MessageIn(serializers.Serializer[Any]):
    """One turn. With an `id` it is stored once, however often it is sent."""

    id = Text(required=False, allow_null=True, max_length=200, help_text="Your own id, unique in the conversation")
    role = Choice(choices=Message.Role.values)
    name = Name(required=False, allow_null=True, allow_blank=True, help_text="Who speaks")
    content = Text(
        max_length=CONTENT_LIMIT, help_text="What was said, kept exactly; a message without words is refused"
    )
    said_at = Moment(required=False, allow_null=True, help_text="With its zone, at most a day ahead; without it, now")

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        return {name: value for name, value in super().to_internal_value(data).items() if value is not None}


class MessagesIn(serializers.Serializer[Any]):
    messages = list_of(MessageIn, min_length=1, most=MOST_MESSAGES)
    subject = Name(
        required=False,
        allow_null=True,
        allow_blank=True,
        help_text="The topic, by name or id, that the conversation is mainly about",
    )


class MessagesAccepted(serializers.Serializer[Any]):
    job = serializers.UUIDField(allow_null=True, help_text="The job that reads the messages")
    accepted = serializers.IntegerField()
    duplicates = serializers.IntegerField()


class ReadNowOut(serializers.Serializer[Any]):
    job = serializers.UUIDField(allow_null=True, help_text="The job that reads the messages; null when all are read")
    waiting = serializers.IntegerField(help_text="Messages of the conversation that are not read yet")


class MessageOut(serializers.Serializer[Any]):
    id = serializers.CharField(source="external_id")
    role = serializers.ChoiceField(choices=Message.Role.values)
    name = serializers.CharField()
    content = serializers.CharField()
    said_at = Moment()
    received_at = Moment()
    outcome = serializers.ChoiceField(
        choices=MessageOutcome.Outcome.values, source="outcome.outcome", help_text="How its reading ended"
    )
    error = serializers.CharField(source="outcome.error", help_text="Why its reading failed; empty otherwise")


class ConversationOut(serializers.Serializer[Any]):
    id = serializers.CharField(source="external_id", help_text="Your own id")
    subject = serializers.UUIDField(source="subject_id", allow_null=True, help_text="A topic")
    subject_name = serializers.CharField(help_text="The subject as it was sent, or the topic's name")
    messages = serializers.IntegerField(source="message_count")
    created_at = Moment()
    last_said_at = Moment(allow_null=True)


class OutcomeCounts(serializers.Serializer[Any]):
    waiting = serializers.IntegerField()
    extracted = serializers.IntegerField()
    nothing = serializers.IntegerField()
    failed = serializers.IntegerField()


class ReportOut(serializers.Serializer[Any]):
    found = serializers.IntegerField(default=0, help_text="What the model came with")
    dropped = serializers.DictField(
        child=serializers.IntegerField(), default=dict, help_text="What of it was not kept, by reason"
    )
    mended = serializers.DictField(
        child=serializers.IntegerField(), default=dict, help_text="What was kept in another form, by what was done"
    )


class WaitsFor(serializers.Serializer[Any]):
    """Whichever comes first."""

    turns = serializers.IntegerField(help_text="So many more turns")
    tokens = serializers.IntegerField(help_text="So many more tokens")
    until = Moment(help_text="Nothing said until then")


class JobOut(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="pk")
    kind = serializers.ChoiceField(choices=Job.Kind.values)
    status = serializers.ChoiceField(choices=Job.Status.values)
    waits_for = serializers.SerializerMethodField(
        help_text="While messages gather: what is missing before they are read; otherwise null"
    )
    attempts = serializers.IntegerField()
    error = serializers.SerializerMethodField(help_text="Why the last attempt failed")
    messages = serializers.SerializerMethodField()
    proposals = serializers.SerializerMethodField()
    report = serializers.SerializerMethodField(help_text="Only where a model read; null otherwise")

    @extend_schema_field(WaitsFor(allow_null=True))
    def get_waits_for(self, job: Job) -> dict[str, Any] | None:
        found = missing(job)
        return WaitsFor(found).data if found else None

    def get_error(self, job: Job) -> str | None:
        return job.error or None

    @extend_schema_field(OutcomeCounts)
    def get_messages(self, job: Job) -> dict[str, int]:
        return outcome_counts(job)

    @extend_schema_field(serializers.ListField(child=serializers.UUIDField()))
    def get_proposals(self, job: Job) -> list[str]:
        return [str(pk) for pk in proposal_ids(job)]

    @extend_schema_field(ReportOut(allow_null=True))
    def get_report(self, job: Job) -> dict[str, Any] | None:
        return job.report or None


class ConversationsView(ApiView):
    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="list_conversations",
        tags=["Conversations"],
        parameters=PAGES,
        responses=answers(page_of(ConversationOut), 404),
    )
    def get(self, request: Request) -> Response:
        """The conversations of the space, the newest first."""
        rows = Conversation.objects.filter(space=self.space).order_by("-pk")
        return self.page(rows, lambda found: ConversationOut(found, many=True).data)


class MessagesView(ApiView):
    required_scopes = {"GET": "read", "POST": "propose|write"}
    names = {"job": "job"}

    @extend_schema(
        operation_id="list_messages",
        tags=["Conversations"],
        parameters=PAGES,
        responses=answers(page_of(MessageOut), 404),
    )
    def get(self, request: Request, conversation: str) -> Response:
        """The messages of a conversation in the order of their arrival, and how the reading of each ended."""
        held = _find_conversation(self.space, conversation)
        return self.page(held.messages.select_related("outcome").order_by("position"), _messages)

    @extend_schema(
        operation_id="add_messages",
        tags=["Conversations"],
        request=MessagesIn,
        responses=answers(MessagesAccepted, *BODY, 409, status=202),
        examples=[
            OpenApiExample(
                "One turn",
                request_only=True,
                value={
                    "messages": [
                        {
                            "id": "D1:3",
                            "role": "user",
                            "name": "Caroline",
                            "content": "The budget is 40,000 euros.",
                            "said_at": "2023-05-08T13:56:00+00:00",
                        }
                    ],
                    "subject": "Zhang Wei",
                },
            )
        ],
    )
    @idempotent
    def post(self, request: Request, conversation: str) -> Response:
        """Store messages, and queue their reading. `{conversation}` is your own id; a new one begins a conversation.

        A message id that was sent before with the same text is a duplicate; with another text the answer is 409 and
        nothing is stored.
        """
        body = self.body(MessagesIn)
        intake = record_messages(
            space=self.space,
            conversation=conversation,
            messages=[MessageInput(**message) for message in body["messages"]],
            subject=body.get("subject") or "",
        )
        answer = {
            "job": str(intake.job.pk) if intake.job else None,
            "accepted": intake.accepted,
            "duplicates": intake.duplicates,
        }
        return Response(answer, status=202)


class ReadNowView(ApiView):
    required_scopes = {"POST": "propose|write"}
    names = {"job": "job"}

    @extend_schema(
        operation_id="read_conversation",
        tags=["Conversations"],
        request=None,
        responses=answers(ReadNowOut, 404, *BODY, status=202),
    )
    @idempotent
    def post(self, request: Request, conversation: str) -> Response:
        """Read what has gathered without waiting for more messages or a silence."""
        held = _find_conversation(self.space, conversation)
        job = read_now(conversation=held)
        return Response({"job": str(job.pk) if job else None, "waiting": waiting_in(held)}, status=202)


class JobView(ApiView):
    required_scopes = {"GET": "read|propose|write"}

    @extend_schema(operation_id="get_job", tags=["Jobs"], responses=answers(JobOut, 404))
    def get(self, request: Request, job: str) -> Response:
        """How the reading of messages goes. A failure is never reported as nothing found."""
        return Response(JobOut(self.row(Job.objects.filter(space=self.space), job)).data)


class JobRetryView(ApiView):
    required_scopes = {"POST": "propose|write"}

    @extend_schema(
        operation_id="retry_job", tags=["Jobs"], request=None, responses=answers(JobOut, 404, 409, *BODY, status=202)
    )
    @idempotent
    def post(self, request: Request, job: str) -> Response:
        """Queue a failed job again. With `propose` alone only one that reads a conversation."""
        found = self.row(Job.objects.filter(space=self.space), job)
        if found.kind != Job.Kind.EXTRACT:
            self.need("write")
        return Response(JobOut(retry_job(job=found)).data, status=202)


def _find_conversation(space: Space, external_id: str) -> Conversation:
    """The conversation of this id of the caller's. Raises NotFound."""
    held = Conversation.objects.filter(space=space, external_id=external_id).first()
    if held is None:
        raise NotFound(_("There is no such conversation."))
    return held


def _messages(rows: Sequence[Message]) -> Any:
    return MessageOut(rows, many=True).data
