"""Facts, timeline entries and aliases: list, write, change, take out."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from topics.api.base import ApiView
from topics.api.etags import check_match, require_match
from topics.api.fields import Choice, Flag, Moment, Name, Strict, Text
from topics.api.idempotency import idempotent
from topics.api.schema import BODY, MAY_MATCH, PAGES, answers, page_of
from topics.api.serializers import AliasOut, EntryOut, FactOut
from topics.api.topics import REASON, ReasonIn, TopicView
from topics.errors import InvalidInput
from topics.models import Alias, Fact, Space, TimelineEntry, Topic
from topics.models.statement import Certainty
from topics.selectors.documents import lines_of
from topics.services.statements import (
    TEXT_LIMIT,
    add_entry,
    add_fact,
    edit_entry,
    edit_fact,
    retract_entry,
    retract_fact,
)
from topics.services.topics import add_alias, move_alias, remove_alias, rename_alias


class FactsIn(serializers.Serializer[Any]):
    kind = Choice(choices=Fact.Kind.values, required=False)
    status = Choice(
        choices=Fact.Status.values, required=False, help_text="Without it, the current and the superseded ones"
    )


class FactChanges(Strict):
    text = Text(max_length=TEXT_LIMIT, required=False)
    kind = Choice(choices=Fact.Kind.values, required=False)
    attribute = Text(max_length=100, required=False, allow_blank=True)
    value = Text(max_length=200, required=False, allow_blank=True)
    unit = Text(max_length=40, required=False, allow_blank=True)
    negated = Flag(required=False, help_text="It denies what it states")
    certainty = Choice(choices=Certainty.values, required=False)
    valid_from = Moment(required=False, allow_null=True)
    valid_until = Moment(required=False, allow_null=True)
    scope = Text(max_length=200, required=False, allow_blank=True, help_text="Where it holds, if not everywhere")
    reason = Text(**REASON)


class FactIn(FactChanges):
    text = Text(max_length=TEXT_LIMIT)
    speaker = Text(max_length=200, required=False, allow_blank=True)
    said_at = Moment(required=False)


class EntryChanges(Strict):
    text = Text(max_length=TEXT_LIMIT, required=False)
    happened_at = Moment(required=False)
    precision = Choice(choices=TimelineEntry.Precision.values, required=False)
    certainty = Choice(choices=Certainty.values, required=False)
    reason = Text(**REASON)


class EntryIn(EntryChanges):
    text = Text(max_length=TEXT_LIMIT)
    happened_at = Moment()
    speaker = Text(max_length=200, required=False, allow_blank=True)
    said_at = Moment(required=False)


class AliasIn(Strict):
    name = Name()
    reason = Text(**REASON)


class AliasChanges(Strict):
    name = Name(required=False, help_text="Write it in another way")
    topic = Text(max_length=64, required=False, help_text="Or give it to the topic with this id")
    reason = Text(**REASON)


class FactsView(TopicView):
    required_scopes = {"GET": "read", "POST": "write"}
    names = {"fact": "id"}

    @extend_schema(
        operation_id="list_facts",
        tags=["Facts"],
        parameters=[FactsIn, *PAGES],
        responses=answers(page_of(FactOut), 404),
    )
    def get(self, request: Request, topic: str) -> Response:
        """The facts of a topic with the words behind them, in the order in which they were written."""
        rows = Fact.objects.filter(topic=self.topic(topic), **self.query(FactsIn))
        if "status" not in request.query_params:
            rows = rows.filter(status__in=[Fact.Status.ACTIVE, Fact.Status.SUPERSEDED])
        return self.page(rows.order_by("pk"), lambda found: FactOut(lines_of(found), many=True).data)

    @extend_schema(
        operation_id="add_fact",
        tags=["Facts"],
        request=FactIn,
        responses=answers(FactOut, 404, 409, *BODY, status=201),
        examples=[
            OpenApiExample(
                "A number",
                request_only=True,
                value={
                    "text": "The budget is 40,000 euros.",
                    "kind": "number",
                    "attribute": "budget",
                    "value": "40000",
                    "unit": "EUR",
                },
            )
        ],
    )
    @idempotent
    def post(self, request: Request, topic: str) -> Response:
        """Write a fact into the document. What the topic says already answers 409 with the fact's id."""
        fact = add_fact(topic=self.topic(topic), actor=self.actor, **self.body(FactIn))
        return self.tagged(_fact(fact), fact.version, status=201)


class FactView(ApiView):
    required_scopes = {"GET": "read", "PATCH": "write"}

    @extend_schema(operation_id="get_fact", tags=["Facts"], responses=answers(FactOut, 404))
    def get(self, request: Request, fact: str) -> Response:
        """One fact, whatever its status."""
        found = self.row(standing(Fact, self.space), fact)
        return self.tagged(_fact(found), found.version)

    @extend_schema(
        operation_id="edit_fact",
        tags=["Facts"],
        request=FactChanges,
        responses=answers(FactOut, 404, 409, 412, 428, *BODY),
    )
    def patch(self, request: Request, fact: str) -> Response:
        """Change an active fact. The former words stay in the history."""
        found = self.row(standing(Fact, self.space), fact)
        seen = require_match(request, _fact(found), found.version)
        changes = self.body(FactChanges)
        reason = changes.pop("reason", "")
        changed = edit_fact(fact=found, actor=self.actor, changes=changes, expected_version=seen, reason=reason)
        return self.tagged(_fact(changed), changed.version)


class FactRetractView(ApiView):
    required_scopes = {"POST": "write"}

    @extend_schema(
        operation_id="retract_fact",
        tags=["Facts"],
        parameters=[MAY_MATCH],
        request=ReasonIn,
        responses=answers(FactOut, 404, 409, 412, *BODY),
    )
    @idempotent
    def post(self, request: Request, fact: str) -> Response:
        """Take a fact out of the memory. It does not come back from the same words."""
        found = self.row(standing(Fact, self.space), fact)
        seen = check_match(request, _fact(found), found.version)
        done = retract_fact(fact=found, actor=self.actor, expected_version=seen, **self.body(ReasonIn))
        return self.tagged(_fact(done), done.version)


class TimelineView(TopicView):
    required_scopes = {"GET": "read", "POST": "write"}
    names = {"entry": "id"}

    @extend_schema(
        operation_id="list_timeline",
        tags=["Timeline"],
        parameters=PAGES,
        responses=answers(page_of(EntryOut), 404),
    )
    def get(self, request: Request, topic: str) -> Response:
        """What happened, in the order in which it was written down."""
        rows = TimelineEntry.objects.filter(topic=self.topic(topic), status=TimelineEntry.Status.ACTIVE)
        return self.page(rows.order_by("pk"), lambda found: EntryOut(lines_of(found), many=True).data)

    @extend_schema(
        operation_id="add_entry",
        tags=["Timeline"],
        request=EntryIn,
        responses=answers(EntryOut, 404, 409, *BODY, status=201),
    )
    @idempotent
    def post(self, request: Request, topic: str) -> Response:
        """Write down what happened. `precision` says how much of `happened_at` is known."""
        entry = add_entry(topic=self.topic(topic), actor=self.actor, **self.body(EntryIn))
        return self.tagged(_entry(entry), entry.version, status=201)


class EntryView(ApiView):
    required_scopes = {"GET": "read", "PATCH": "write"}

    @extend_schema(operation_id="get_entry", tags=["Timeline"], responses=answers(EntryOut, 404))
    def get(self, request: Request, entry: str) -> Response:
        """One timeline entry, whatever its status."""
        found = self.row(standing(TimelineEntry, self.space), entry)
        return self.tagged(_entry(found), found.version)

    @extend_schema(
        operation_id="edit_entry",
        tags=["Timeline"],
        request=EntryChanges,
        responses=answers(EntryOut, 404, 409, 412, 428, *BODY),
    )
    def patch(self, request: Request, entry: str) -> Response:
        """Change an active timeline entry."""
        found = self.row(standing(TimelineEntry, self.space), entry)
        seen = require_match(request, _entry(found), found.version)
        changes = self.body(EntryChanges)
        reason = changes.pop("reason", "")
        changed = edit_entry(entry=found, actor=self.actor, changes=changes, expected_version=seen, reason=reason)
        return self.tagged(_entry(changed), changed.version)


class EntryRetractView(ApiView):
    required_scopes = {"POST": "write"}

    @extend_schema(
        operation_id="retract_entry",
        tags=["Timeline"],
        parameters=[MAY_MATCH],
        request=ReasonIn,
        responses=answers(EntryOut, 404, 409, 412, *BODY),
    )
    @idempotent
    def post(self, request: Request, entry: str) -> Response:
        """Take a timeline entry out of the memory."""
        found = self.row(standing(TimelineEntry, self.space), entry)
        seen = check_match(request, _entry(found), found.version)
        done = retract_entry(entry=found, actor=self.actor, expected_version=seen, **self.body(ReasonIn))
        return self.tagged(_entry(done), done.version)


class AliasesView(TopicView):
    required_scopes = {"GET": "read", "POST": "write"}
    names = {"alias": "id"}

    @extend_schema(
        operation_id="list_aliases",
        tags=["Aliases"],
        parameters=PAGES,
        responses=answers(page_of(AliasOut), 404),
    )
    def get(self, request: Request, topic: str) -> Response:
        """Every name of the topic, its own included."""
        rows = self.topic(topic).aliases.order_by("pk")
        return self.page(rows, lambda found: AliasOut(found, many=True).data)

    @extend_schema(
        operation_id="add_alias",
        tags=["Aliases"],
        request=AliasIn,
        responses=answers(AliasOut, 404, 409, *BODY, status=201),
    )
    @idempotent
    def post(self, request: Request, topic: str) -> Response:
        """Give the topic another name. A name of another topic answers 409 with that topic's id."""
        alias = add_alias(topic=self.topic(topic), actor=self.actor, **self.body(AliasIn))
        return self.tagged(AliasOut(alias).data, alias.version, status=201)


class AliasView(TopicView):
    required_scopes = {"GET": "read", "PATCH": "write", "DELETE": "write"}

    @extend_schema(operation_id="get_alias", tags=["Aliases"], responses=answers(AliasOut, 404))
    def get(self, request: Request, alias: str) -> Response:
        """One name of a topic."""
        found = self.row(Alias.objects.filter(space=self.space), alias)
        return self.tagged(AliasOut(found).data, found.version)

    @extend_schema(
        operation_id="update_alias",
        tags=["Aliases"],
        request=AliasChanges,
        responses=answers(AliasOut, 404, 409, 412, 428, *BODY),
    )
    def patch(self, request: Request, alias: str) -> Response:
        """Write a name in another way (`name`), or give it to another topic (`topic`): one of the two."""
        found = self.row(Alias.objects.filter(space=self.space), alias)
        seen = require_match(request, AliasOut(found).data, found.version)
        changes = self.body(AliasChanges)
        if len({"name", "topic"} & set(changes)) != 1:
            problem = _("Send either a name or a topic.")
            raise InvalidInput(problem, fields={"name": [problem]})
        if "topic" in changes:
            changes["to"] = self.topic(changes.pop("topic"))
            changed = move_alias(alias=found, actor=self.actor, expected_version=seen, **changes)
        else:
            changed = rename_alias(alias=found, actor=self.actor, expected_version=seen, **changes)
        return self.tagged(AliasOut(changed).data, changed.version)

    @extend_schema(
        operation_id="delete_alias", tags=["Aliases"], responses=answers(None, 404, 409, 412, 428, status=204)
    )
    def delete(self, request: Request, alias: str) -> Response:
        """Take a name away. The topic's own name cannot go: rename the topic instead."""
        found = self.row(Alias.objects.filter(space=self.space), alias)
        seen = require_match(request, AliasOut(found).data, found.version)
        remove_alias(alias=found, actor=self.actor, expected_version=seen)
        return Response(status=204)


class AliasRetractView(ApiView):
    required_scopes = {"POST": "write"}

    @extend_schema(
        operation_id="retract_alias",
        tags=["Aliases"],
        parameters=[MAY_MATCH],
        request=ReasonIn,
        responses=answers(AliasOut, 404, 409, 412, *BODY),
    )
    @idempotent
    def post(self, request: Request, alias: str) -> Response:
        """Take a name away, with a reason. Answers with what it was."""
        found = self.row(Alias.objects.filter(space=self.space), alias)
        was = AliasOut(found).data
        seen = check_match(request, was, found.version)
        remove_alias(alias=found, actor=self.actor, expected_version=seen, **self.body(ReasonIn))
        return Response(was)


def _fact(fact: Fact) -> dict[str, Any]:
    return FactOut(lines_of([fact])[0]).data


def _entry(entry: TimelineEntry) -> dict[str, Any]:
    return EntryOut(lines_of([entry])[0]).data


def standing(model: type[Any], space: Space) -> QuerySet[Any]:
    """Statements of the space, but for those of topics that were deleted: they are gone with their topic."""
    rows: QuerySet[Any] = model.objects.filter(space=space).exclude(topic__status=Topic.Status.DELETED)
    return rows
