"""Routes in the shape of mem0's REST server, so that an agent can be moved here by changing its URL.

Thin aliases: an owner (`user_id`, else `agent_id`, else `run_id`) is a topic, a memory is a fact of it. A `run_id`
beside another owner is the conversation in which it was said. What would narrow an answer and is not understood is
refused: who asks for the memories of one must not get those of all. What differs is told in docs/mem0.md. They are no
part of the contract under /api/v1/, nor of its description.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from itertools import chain
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from extraction.services.intake import record_messages
from extraction.services.owners import ensure_owner_topic, name_for_owner, owner_topic
from topics.api.base import ApiView
from topics.api.fields import Choice, Text
from topics.api.idempotency import idempotent, idempotent_reading
from topics.errors import Duplicate, InvalidInput
from topics.models import Evidence, Fact, Message, Space, Topic
from topics.retrieval.query import query_memory
from topics.services.conversations import CONTENT_LIMIT, MOST_MESSAGES, MessageInput
from topics.services.statements import TEXT_LIMIT, add_fact, edit_fact, retract_fact

OWNERS = ("user_id", "agent_id", "run_id")
SEARCH_TOKENS = 8000
MOST_FOUND = 1000
NO_OWNER = gettext_lazy("Name a user_id, an agent_id or a run_id.")
# What mem0's clients send besides, and what leaves nobody's memories out or in.
WITHOUT_EFFECT = {
    "api_version",
    "fields",
    "filter_memories",
    "keyword_search",
    "org_id",
    "output_format",
    "project_id",
    "rerank",
    "threshold",
    "version",
}


class OwnerIn(serializers.Serializer[Any]):
    user_id = Text(required=False, allow_null=True, max_length=200)
    agent_id = Text(required=False, allow_null=True, max_length=200)
    run_id = Text(required=False, allow_null=True, max_length=200)


class Filters(serializers.Field[Any, Any, Any, Any]):
    """mem0's filters as far as they name owners: the pairs of owner and id, all of which must hold.

    An id stands by itself, as `{"eq": id}` or as `{"in": [id]}`; `AND` takes a list of filters.
    """

    def to_internal_value(self, data: Any) -> list[tuple[str, str]]:
        if not isinstance(data, Mapping):
            raise serializers.ValidationError(_("An object is expected."))
        return [pair for name, value in data.items() for pair in self._pairs(name, value)]

    def to_representation(self, value: Any) -> Any:
        return value

    def _pairs(self, name: str, value: Any) -> list[tuple[str, str]]:
        try:
            if name == "AND":
                return list(chain.from_iterable(serializers.ListField(child=Filters()).run_validation(value)))
            if name not in OWNERS:
                raise serializers.ValidationError(_("Unknown field."))
            if value is None:
                return []
            match value:
                case {"eq": one} | {"in": [one]} if len(value) == 1:
                    value = one
            return [(name, Text(max_length=200).run_validation(value))]
        except serializers.ValidationError as error:
            raise serializers.ValidationError({name: error.detail}) from None


class Narrowing(OwnerIn):
    """Which memories are asked for: those of all the owners named. Any other field that would narrow is refused."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = set(data) - set(self.fields) - WITHOUT_EFFECT if isinstance(data, Mapping) else ()
        if unknown:
            raise serializers.ValidationError({name: [_("Unknown field.")] for name in sorted(unknown)})
        return super().to_internal_value(data)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        named = {(name, attrs[name]) for name in OWNERS if attrs.get(name)} | set(attrs.get("filters") or ())
        names = {name for name, _id in named}
        if not named:
            raise serializers.ValidationError({"user_id": NO_OWNER})
        if {"user_id", "agent_id"} <= names:
            raise serializers.ValidationError({"agent_id": _("A memory has one of the two: user_id or agent_id.")})
        return {**attrs, "owners": named}


class TurnIn(serializers.Serializer[Any]):
    role = Choice(choices=Message.Role.values)
    content = Text(max_length=CONTENT_LIMIT)
    name = Text(required=False, allow_null=True, allow_blank=True, max_length=200)


class MemoriesIn(OwnerIn):
    messages = serializers.ListField(child=TurnIn(), min_length=1, max_length=MOST_MESSAGES)
    infer = serializers.BooleanField(default=True)


class SearchIn(Narrowing):
    query = Text()
    filters = Filters(required=False, allow_null=True)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=MOST_FOUND)
    top_k = serializers.IntegerField(required=False, min_value=1, max_value=MOST_FOUND)


class ListIn(Narrowing):
    limit = serializers.IntegerField(default=100, min_value=1, max_value=MOST_FOUND)


class ChangeIn(serializers.Serializer[Any]):
    text = Text(required=False, max_length=TEXT_LIMIT)
    memory = Text(required=False, max_length=TEXT_LIMIT)
    data = Text(required=False, max_length=TEXT_LIMIT)  # type: ignore[assignment]


@extend_schema(exclude=True)
class MemoriesView(ApiView):
    required_scopes = {"GET": "read", "POST": "propose|write"}

    def get(self, request: Request) -> Response:
        """The memories of an owner, the latest first."""
        asked = self.query(ListIn)
        _topic, rows = _memories_of(self.space, asked["owners"])
        return Response({"results": [_memory(fact) for fact in rows.order_by("-pk")[: asked["limit"]]]})

    @idempotent
    def post(self, request: Request) -> Response:
        """File the messages for reading; with `infer` false, keep each message of the user as it stands.

        A key that may only propose makes no topic: that of a new owner is proposed with what is found.
        """
        sent = self.body(MemoriesIn)
        owner = _owner(sent)
        if not owner:
            raise InvalidInput(str(NO_OWNER), fields={"user_id": [str(NO_OWNER)]})
        if not sent["infer"]:
            self.need("write")
        if self.key.may("write"):
            topic: Topic | None = ensure_owner_topic(space=self.space, actor=self.actor, owner=owner)
        else:
            topic = owner_topic(self.space, owner)
        if topic is not None and not sent["infer"]:
            turns = [turn["content"] for turn in sent["messages"] if turn["role"] == Message.Role.USER]
            return Response({"results": [self._keep(topic, text) for text in turns]})
        messages = [
            MessageInput(role=turn["role"], content=turn["content"], name=turn.get("name") or "")
            for turn in sent["messages"]
        ]
        conversation = _conversation(sent.get("run_id") or owner)
        subject = str(topic.pk) if topic else name_for_owner(self.space, owner)
        intake = record_messages(space=self.space, conversation=conversation, messages=messages, subject=subject)
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
        topic, rows = _memories_of(self.space, sent["owners"])
        if topic is None:
            return Response({"results": []})
        answer = query_memory(
            space=self.space,
            question=sent["query"],
            max_tokens=SEARCH_TOKENS,
            now=timezone.now(),
            topic_ids=[topic.pk],
        )
        found = {fact.id: found.score for found in answer.topics for fact in found.facts}
        facts = rows.in_bulk(list(found))
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


def _memories_of(space: Space, owners: Set[tuple[str, str]]) -> tuple[Topic | None, QuerySet[Fact]]:
    """The topic and its memories that belong to all these owners; no topic where they belong to several or to none."""
    people = {owner for name, owner in owners if name != "run_id"}
    runs = {owner for name, owner in owners if name == "run_id"}
    topics = {owner_topic(space, owner) for owner in people or runs}
    topic = topics.pop() if len(topics) == 1 else None
    rows = _current(space).filter(topic=topic) if topic else Fact.objects.none()
    for run in runs if people else ():
        said = Evidence.objects.filter(
            removed_by=None, message__conversation__space=space, message__conversation__external_id=_conversation(run)
        )
        rows = rows.filter(pk__in=said.filter(fact__isnull=False).values("fact"))
    return topic, rows


def _conversation(run: str) -> str:
    return f"mem0/{run}"[:200]


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
