"""Chat: the memory, a model's reply, and the turn filed, in one call."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

from django.conf import settings
from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from extraction.api.events import HEARTBEAT, EventStream, Pump, event, event_response
from extraction.api.query import MOST_TOKENS, QueryCitation, QueryOut, answer_data
from extraction.services.chat import (
    MEMORY_TOKENS,
    REPLY_TOKENS,
    TEXT_LIMIT,
    Answered,
    Asked,
    OpenTurn,
    Reply,
    ask,
    file_reply,
    open_turn,
    stream,
)
from topics.api.base import ApiView
from topics.api.errors import answer_error
from topics.api.fields import Flag, Name, Text
from topics.api.idempotency import Reservation, reserving
from topics.api.schema import BODY, answers


class ChatIn(serializers.Serializer[Any]):
    conversation = Text(max_length=200, help_text="Your own id; a new one begins a conversation")
    message = Text(max_length=TEXT_LIMIT, help_text="What the user says")
    id = Text(required=False, allow_null=True, max_length=200, help_text="Your own id of the message")
    name = Name(required=False, allow_null=True, allow_blank=True, help_text="The user's name")
    subject = Name(
        required=False,
        allow_null=True,
        allow_blank=True,
        help_text="The topic, by name or id, that the conversation is mainly about",
    )
    system = Text(
        required=False,
        allow_null=True,
        allow_blank=True,
        max_length=TEXT_LIMIT,
        help_text="Your instructions to the model. The memory is put behind them, as data",
    )
    max_tokens = serializers.IntegerField(
        default=REPLY_TOKENS, min_value=1, max_value=MOST_TOKENS, help_text="What the reply may cost at most"
    )
    memory_tokens = serializers.IntegerField(
        default=MEMORY_TOKENS, min_value=1, max_value=MOST_TOKENS, help_text="What `memory.context` may cost at most"
    )
    stream = Flag(default=False, help_text="Answer in server-sent events")


class ChatUsage(serializers.Serializer[Any]):
    prompt_tokens = serializers.IntegerField()
    completion_tokens = serializers.IntegerField()
    total_tokens = serializers.IntegerField()


class ChatMessages(serializers.Serializer[Any]):
    user = serializers.CharField()
    assistant = serializers.CharField()


class ChatOut(serializers.Serializer[Any]):
    reply = serializers.CharField(help_text="The model's words. It may err; nothing here is a fact because it says so")
    memory = QueryOut(help_text="What the model was given, as `GET /memory/query` answers")
    citations = QueryCitation(many=True, help_text="What the reply cites: those of `memory.citations` that it uses")
    unknown_markers = serializers.ListField(
        child=serializers.CharField(), help_text="Numbers that the reply cites and the memory does not have"
    )
    cut_off = serializers.BooleanField(help_text="Whether the reply ended at `max_tokens`")
    usage = ChatUsage()
    model = serializers.CharField()
    messages = ChatMessages(help_text="The ids under which both are stored in the conversation")
    job = serializers.UUIDField(help_text="The job that reads the turn")


class ChatView(ApiView):
    required_scopes = {"POST": "read+propose|read+write"}

    @extend_schema(
        operation_id="chat",
        tags=["Chat"],
        request=ChatIn,
        responses={
            **answers(ChatOut, *BODY, 404, 409, 502, 503),
            (200, "text/event-stream"): OpenApiTypes.STR,
        },
        examples=[
            OpenApiExample(
                "A question",
                request_only=True,
                value={"conversation": "call-2", "message": "What did we say about the budget?", "stream": False},
            )
        ],
    )
    @reserving
    def post(self, request: Request, reservation: Reservation | None) -> HttpResponseBase:
        """Read the memory, ask the model, file the turn.

        The message is stored before the model is asked, and read like any other, whatever becomes of the reply. Where
        the reply fails, send the same request again with the same Idempotency-Key, or the same `id`: the message is not
        stored twice. A reply that breaks off, or that nobody waits for, is not stored.

        With `stream` the answer is a `text/event-stream`: `memory` (as in the answer), any number of `delta`
        (`{"text"}`), and `done` (the answer without `memory`), or `error` (as any error, with `status`). Comments are
        sent while the model is silent. What goes wrong before the first of these is answered with its status, as JSON.
        """
        body = self.body(ChatIn)
        is_streamed = body.pop("stream")
        sent = {name: value for name, value in body.items() if value is not None}
        if reservation is not None:
            sent = {"id": reservation.work_id, **sent}
        turn = open_turn(space=self.space, asked=Asked(**sent))
        memory = answer_data(self.space, turn.memory, turn.questions)
        if is_streamed:
            return self._stream(turn, memory, reservation)
        return Response(self._file(turn, memory, ask(turn), reservation))

    def replay(self, kept: HttpResponse) -> HttpResponseBase:
        """An answer that was kept, again in the form that is asked for."""
        if kept.status_code != 200 or not self.body(ChatIn)["stream"]:
            return kept
        answer = json.loads(kept.content.decode())
        events = [
            event("memory", answer.pop("memory")),
            event("delta", {"text": answer["reply"]}),
            event("done", answer),
        ]
        response = event_response(EventStream(events))
        response.headers["Idempotent-Replay"] = kept.headers["Idempotent-Replay"]
        return response

    def _file(
        self, turn: OpenTurn, memory: dict[str, Any], reply: Reply, reservation: Reservation | None
    ) -> dict[str, Any]:
        """File the reply and keep the answer for the Idempotency-Key, both or neither: the answer."""
        with transaction.atomic():
            answer = _answer(turn, memory, reply, file_reply(turn=turn, reply=reply))
            if reservation is not None:
                reservation.complete(Response(answer))
        return answer

    def _stream(self, turn: OpenTurn, memory: dict[str, Any], reservation: Reservation | None) -> HttpResponseBase:
        pump = Pump(stream(turn))
        # Most failures show before the first word, and are answered with their status. A slow model is not waited for.
        first = pump.get(settings.INFINI_HEARTBEAT_SECONDS)
        is_kept = False

        def events() -> Iterator[bytes]:
            nonlocal is_kept
            yield event("memory", memory)
            try:
                item = first
                while not isinstance(item, Reply):
                    yield HEARTBEAT if item is None else event("delta", {"text": item})
                    item = pump.get(settings.INFINI_HEARTBEAT_SECONDS)
                answer = self._file(turn, memory, item, reservation)
                is_kept = True
            except Exception as error:
                yield event("error", self._problem(error))
                return
            yield event("done", {name: value for name, value in answer.items() if name != "memory"})

        def close() -> None:
            pump.stop()
            if reservation is not None and not is_kept:
                reservation.release()

        return event_response(EventStream(events(), close))

    def _problem(self, error: Exception) -> dict[str, Any]:
        """An error as it would have been answered before the first event."""
        response = answer_error(error, {"request": self.request})
        wait = response.headers.get("Retry-After")
        return {"status": response.status_code, **response.data, **({"retry_after": int(wait)} if wait else {})}


def _answer(turn: OpenTurn, memory: dict[str, Any], reply: Reply, answered: Answered) -> dict[str, Any]:
    usage = {
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "total_tokens": reply.prompt_tokens + reply.completion_tokens,
    }
    messages = {"user": turn.message.external_id, "assistant": answered.reply.external_id}
    found = {
        "reply": reply.text,
        "memory": memory,
        "citations": answered.citations,
        "unknown_markers": answered.unknown_markers,
        "cut_off": reply.is_cut_off,
        "usage": usage,
        "model": turn.model.name,
        "messages": messages,
        "job": answered.job.pk,
    }
    return cast(dict[str, Any], {**ChatOut({**found, "memory": None}).data, "memory": memory})
