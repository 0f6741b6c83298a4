"""Routes in the shape of mem0's REST server, so that an agent can be moved here by changing its URL.

Thin aliases: an owner (`user_id`, else `agent_id`, else `run_id`) is a topic, a memory is a fact of it. What differs is
told in docs/mem0.md. They are no part of the contract under /api/v1/, nor of its description.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from extraction.services.intake import record_messages
from extraction.services.owners import ensure_owner_topic, owner_topic
from topics.api.base import ApiView
from topics.api.fields import Text
from topics.api.idempotency import idempotent, idempotent_reading
from topics.errors import Duplicate, InvalidInput
from topics.models import Fact, Message, Space, Topic
from topics.retrieval.query import query_memory
from topics.services.conversations import CONTENT_LIMIT, MOST_MESSAGES, MessageInput
from topics.services.statements import TEXT_LIMIT, add_fact, edit_fact, retract_fact

OWNERS = ("user_id", "agent_id", "run_id")
SEARCH_TOKENS = 8000
MOST_FOUND = 1000


class OwnerIn(serializers.Serializer[Any]):
    user_id = Text(required=False, allow_null=True, max_length=200)
    agent_id = Text(required=False, allow_null=True, max_length=200)
    run_id = Text(required=False, allow_null=True, max_length=200)


class TurnIn(serializers.Serializer[Any]):
    role = serializers.ChoiceField(choices=Message.Role.values)
    content = Text(max_length=CONTENT_LIMIT)
    name = Text(required=False, allow_null=True, allow_blank=True, max_length=200)


class MemoriesIn(OwnerIn):
    messages = serializers.ListField(child=TurnIn(), min_length=1, max_length=MOST_MESSAGES)
    infer = serializers.BooleanField(default=True)


class SearchIn(OwnerIn):
    query = Text()
    filters = OwnerIn(required=False)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=MOST_FOUND)
    top_k = serializers.IntegerField(required=False, min_value=1, max_value=MOST_FOUND)


class ListIn(OwnerIn):
    limit = serializers.IntegerField(default=100, min_value=1, max_value=MOST_FOUND)


class ChangeIn(serializers.Serializer[Any]):
    text = Text(required=False, max_length=TEXT_LIMIT)
    memory = Text(required=False, max_length=TEXT_LIMIT)
    data = Text(required=False, max_length=TEXT_LIMIT)  # type: ignore[assignment]


@extend_schema(exclude=True)
class MemoriesView(ApiView):
    required_scopes = {"GET": "read", "POST": "write"}

    def get(self, request: Request) -> Response:
        """The memories of an owner, or of the space, the latest first."""
        asked = self.query(ListIn)
        owner = _owner(asked)
        rows = _current(self.space)
        if owner:
            topic = owner_topic(self.space, owner)
            rows = rows.filter(topic=topic) if topic else rows.none()
        return Response({"results": [_memory(fact) for fact in rows.order_by("-pk")[: asked["limit"]]]})

    @idempotent
    def post(self, request: Request) -> Response:
        """File the messages for reading; with `infer` false, keep each message of the user as it stands."""
        sent = self.body(MemoriesIn)
        owner = _owner(sent)
        if not owner:
            problem = _("Name a user_id, an agent_id or a run_id.")
            raise InvalidInput(problem, fields={"user_id": [problem]})
        topic = ensure_owner_topic(space=self.space, actor=self.actor, owner=owner)
        if not sent["infer"]:
            turns = [turn["content"] for turn in sent["messages"] if turn["role"] == Message.Role.USER]
            return Response({"results": [self._keep(topic, text) for text in turns]})
        messages = [
            MessageInput(role=turn["role"], content=turn["content"], name=turn.get("name") or "")
            for turn in sent["messages"]
        ]
        conversation = f"mem0/{sent.get('run_id') or owner}"[:200]
        intake = record_messages(space=self.space, conversation=conversation, messages=messages, subject=str(topic.pk))
        return Response({"results": [], "job": intake.job and str(intake.job.pk)})

    def _keep(self, topic: Topic, text: str) -> dict[str, Any]:
        try:
            fact = add_fact(topic=topic, actor=self.actor, text=text)
        except Duplicate as known:
            return {"id": known.details["fact"], "memory": text, "event": "NONE"}
        return {"id": str(fact.pk), "memory": fact.text, "event": "ADD"}


@extend_schema(exclude=True)
class SearchView(ApiView):
    required_scopes = {"POST": "read"}

    @idempotent_reading
    def post(self, request: Request) -> Response:
        """The memories that bear on a question, the likeliest first."""
        sent = self.body(SearchIn)
        owner = _owner(sent) or _owner(sent.get("filters") or {})
        topic = owner_topic(self.space, owner) if owner else None
        if owner and topic is None:
            return Response({"results": []})
        answer = query_memory(
            space=self.space,
            question=sent["query"],
            max_tokens=SEARCH_TOKENS,
            now=timezone.now(),
            topic_ids=[topic.pk] if topic else None,
        )
        found = {fact.id: found.score for found in answer.topics for fact in found.facts}
        facts = _current(self.space).in_bulk(list(found))
        most = sent.get("limit") or sent.get("top_k") or 100
        results = [_memory(facts[pk]) | {"score": score} for pk, score in found.items() if pk in facts]
        return Response({"results": results[:most]})


@extend_schema(exclude=True)
class MemoryView(ApiView):
    required_scopes = {"GET": "read", "PUT": "write", "DELETE": "write"}

    def get(self, request: Request, memory: str) -> Response:
        """One memory."""
        return Response(_memory(self.row(_current(self.space), memory)))

    def put(self, request: Request, memory: str) -> Response:
        """Write it in other words."""
        fact = self.row(_current(self.space), memory)
        sent = self.body(ChangeIn)
        text = next((sent[name] for name in ("text", "memory", "data") if name in sent), None)
        if text is None:
            problem = _("The text is empty.")
            raise InvalidInput(problem, fields={"text": [problem]})
        edit_fact(fact=fact, actor=self.actor, changes={"text": text})
        return Response({"message": "Memory updated successfully!"})

    def delete(self, request: Request, memory: str) -> Response:
        """Take it out of the memory; undoing the change set brings it back."""
        retract_fact(fact=self.row(_current(self.space), memory), actor=self.actor)
        return Response({"message": "Memory deleted successfully!"})


@extend_schema(exclude=True)
class MemoryHistoryView(ApiView):
    required_scopes = {"GET": "read"}

    def get(self, request: Request, memory: str) -> Response:
        """How it came to be what it is, the first first."""
        fact = self.row(Fact.objects.filter(space=self.space).exclude(topic__status=Topic.Status.DELETED), memory)
        rows: Any = fact.history.order_by("history_id")
        return Response(list(_steps(fact, rows)))


def _steps(fact: Fact, rows: Iterable[Any]) -> Iterable[dict[str, Any]]:
    before: Any = None
    for row in rows:
        gone = row.status == Fact.Status.RETRACTED
        if before is None or row.text != before.text or gone != (before.status == Fact.Status.RETRACTED):
            yield {
                "id": str(row.history_id),
                "memory_id": str(fact.pk),
                "old_memory": before.text if before else None,
                "new_memory": None if gone else row.text,
                "event": "DELETE" if gone else "UPDATE" if before else "ADD",
                "created_at": fact.created_at.isoformat(),
                "updated_at": row.history_date.isoformat(),
                "is_deleted": gone,
            }
        before = row


def _current(space: Space) -> QuerySet[Fact]:
    rows = Fact.objects.filter(space=space, status=Fact.Status.ACTIVE)
    return rows.filter(topic__status__in=[Topic.Status.ACTIVE, Topic.Status.ARCHIVED]).select_related("topic")


def _memory(fact: Fact) -> dict[str, Any]:
    return {
        "id": str(fact.pk),
        "memory": fact.text,
        "hash": fact.content_key,
        "metadata": {"topic": str(fact.topic_id), "kind": fact.kind, "certainty": fact.certainty},
        "user_id": fact.topic.name,
        "created_at": fact.created_at.isoformat(),
        "updated_at": fact.topic.changed_at.isoformat(),
    }


def _owner(sent: dict[str, Any]) -> str:
    return next((sent[name] for name in OWNERS if sent.get(name)), "")
