"""Extract and update: findings out as a preview, and findings in from an agent that has its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from extraction.api.intake import MessageIn
from extraction.extractors.protocol import Finding, TopicRef, Turn
from extraction.services.preview import Contradiction, TopicFindings, preview_extraction
from extraction.services.updates import ContradictionInput, FindingInput, QuoteInput, UpdateInput, file_update
from topics.api.base import ApiView
from topics.api.fields import Choice, Flag, Moment, Name, Strict, Text, list_of
from topics.api.idempotency import idempotent, idempotent_reading
from topics.api.schema import BODY, answers
from topics.errors import InvalidInput
from topics.models import TimelineEntry, Topic
from topics.models.statement import Certainty
from topics.services.conversations import CONTENT_LIMIT, MOST_MESSAGES
from topics.services.statements import TEXT_LIMIT

Shape = serializers.Serializer[Any]

MOST_FINDINGS = 500
DEFAULT_CONVERSATION = "conversation"
NO_TOPIC = TopicRef(None, "")  # the service gives each finding its topic
# Where each kind of finding stands in an extraction.
LISTS = {
    "fact": "new_facts",
    "preference": "new_facts",
    "decision": "decisions",
    "number": "numeric_updates",
    "status": "status_changes",
    "timeline": "timeline",
    "alias": "aliases",
}


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "number"}]})
class Amount(Text):
    """A value as text; a number is taken as it is written."""

    def to_internal_value(self, data: Any) -> str:
        is_number = isinstance(data, int | float) and not isinstance(data, bool)
        return super().to_internal_value(str(data) if is_number else data)


class Quote(Shape):
    """Words of a message, verbatim. Where `start` and `end` do not fit, the words are looked for."""

    message = Text(max_length=200, help_text="The caller's id of the message")
    text = Text(max_length=CONTENT_LIMIT)
    start = serializers.IntegerField(required=False, allow_null=True, min_value=0)
    end = serializers.IntegerField(required=False, allow_null=True, min_value=0)


class Grounded(Shape):
    """What every finding has. It needs words behind it."""

    certainty = Choice(choices=Certainty.values, default=Certainty.CONFIRMED)
    confidence = serializers.FloatField(default=1.0, min_value=0, max_value=1)
    quotes = list_of(Quote, min_length=1, most=50)


class Statement(Grounded):
    text = Text(max_length=TEXT_LIMIT)
    attribute = Text(default="", allow_blank=True, max_length=100)
    value = Amount(default="", allow_blank=True, max_length=200)
    unit = Text(default="", allow_blank=True, max_length=40)
    negated = Flag(default=False)
    valid_from = Moment(default=None, allow_null=True)
    valid_until = Moment(default=None, allow_null=True)


class NewFact(Statement):
    kind = Choice(choices=["fact", "preference"], default="fact")


class Decision(Statement):
    kind = Choice(choices=["decision"], default="decision")


class NumericUpdate(Statement):
    kind = Choice(choices=["number"], default="number")
    attribute = Text(max_length=100)
    value = Amount(max_length=200)


class StatusChange(Statement):
    kind = Choice(choices=["status"], default="status")


class Happening(Grounded):
    text = Text(max_length=TEXT_LIMIT)
    happened_at = Moment()
    precision = Choice(choices=TimelineEntry.Precision.values, default=TimelineEntry.Precision.DAY)


class OtherName(Grounded):
    name = Name()


class StatedConflict(Shape):
    with_fact = serializers.UUIDField(help_text="A fact that the topic holds")
    proposed = Text(max_length=TEXT_LIMIT, help_text="The text of the statement that contradicts it")
    why = Text(default="", allow_blank=True, max_length=200)


class TopicNamed(Shape):
    id = Text(default=None, allow_null=True, max_length=64)
    name = Name(default="", allow_blank=True)
    kind = Choice(choices=Topic.Kind.values, default=Topic.Kind.OTHER)
    is_new = Flag(default=False)


@extend_schema_field({"oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/TopicNamed"}]})
class TopicField(serializers.Field[Any, Any, Any, Any]):
    """A topic by its name alone, or as an object with its id or name."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        named = TopicNamed(data={"name": data} if isinstance(data, str) else data)
        named.is_valid(raise_exception=True)
        found: dict[str, Any] = named.validated_data
        if not found["id"] and not found["name"].strip():
            raise serializers.ValidationError(_("Name the topic, or give its id."))
        return found

    def to_representation(self, value: Any) -> Any:
        return value


class Findings(Shape):
    updated_summary = Text(default=None, allow_null=True, max_length=20_000)
    new_facts = list_of(NewFact, default=list, most=MOST_FINDINGS)
    decisions = list_of(Decision, default=list, most=MOST_FINDINGS)
    numeric_updates = list_of(NumericUpdate, default=list, most=MOST_FINDINGS)
    status_changes = list_of(StatusChange, default=list, most=MOST_FINDINGS)
    timeline = list_of(Happening, default=list, most=MOST_FINDINGS)
    aliases = list_of(OtherName, default=list, most=MOST_FINDINGS)
    conflicts = list_of(StatedConflict, default=list, most=MOST_FINDINGS)


class ExtractionOut(Findings):
    topic = TopicNamed()


class ExtractionIn(Strict, Findings):
    """Refuses a list that it does not know, whose findings would be lost."""

    topic = TopicField()


class ExtractIn(Shape):
    messages = list_of(MessageIn, required=False, min_length=1, most=MOST_MESSAGES)
    text = Text(required=False, max_length=CONTENT_LIMIT, help_text="Read as one turn of a user, named `text`")
    conversation = Text(
        default=DEFAULT_CONVERSATION,
        max_length=200,
        help_text="Your own id of the conversation; what is about no topic goes by it",
    )
    topics = serializers.ListField(
        child=Text(max_length=200),
        default=list,
        max_length=100,
        help_text="What it may be about, by name or id; the first is what it is mainly about",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("messages" in attrs) == ("text" in attrs):
            raise serializers.ValidationError({"messages": _("Send either messages or a text.")})
        return attrs


class ExtractOut(Shape):
    extractions = ExtractionOut(many=True)
    extractor = serializers.CharField()
    model = serializers.CharField(allow_null=True)


class UpdateIn(Shape):
    extractions = list_of(ExtractionIn, most=200)
    conversation = Text(max_length=200, help_text="Your own id of the conversation that the quotes are from")


class UpdateOut(Shape):
    proposals = serializers.ListField(child=serializers.UUIDField(), help_text="Everything that was filed")
    committed = serializers.ListField(
        child=serializers.UUIDField(), help_text="Facts that the policy let into the memory at once"
    )
    conflicts = serializers.ListField(child=serializers.UUIDField())
    repeated = serializers.IntegerField(help_text="Findings that say what is held, waits or was decided already")
    change_set = serializers.UUIDField(allow_null=True)


class ExtractView(ApiView):
    required_scopes = {"POST": "propose|write"}

    @extend_schema(
        operation_id="preview_extraction",
        tags=["Memory"],
        request=ExtractIn,
        responses=answers(ExtractOut, *BODY, 502, 503),
        examples=[
            OpenApiExample(
                "A text",
                request_only=True,
                value={"text": "预算定了，15万元。", "topics": ["智能家居项目"]},
            )
        ],
    )
    @idempotent_reading
    def post(self, request: Request) -> Response:
        """What would be taken out of these messages. Stores nothing. Nothing to remember: no extractions."""
        asked = self.body(ExtractIn)
        preview = preview_extraction(
            space=self.space, turns=_turns(asked), conversation=asked["conversation"], topics=asked["topics"]
        )
        answer = {
            "extractions": [_extraction(group) for group in preview.topics],
            "extractor": preview.extractor,
            "model": preview.model,
        }
        return Response(ExtractOut(answer).data)


class UpdateView(ApiView):
    required_scopes = {"POST": "propose|write"}

    @extend_schema(
        operation_id="update_memory",
        tags=["Memory"],
        request=UpdateIn,
        responses=answers(UpdateOut, 404, *BODY, status=202),
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """File findings in the shape that extract answers. Every quote must stand in its message, word for word."""
        sent = self.body(UpdateIn)
        filed = file_update(
            space=self.space,
            actor=self.actor,
            conversation=sent["conversation"],
            updates=[_update(n, extraction) for n, extraction in enumerate(sent["extractions"])],
        )
        answer = {
            "proposals": [proposal.pk for proposal in filed.proposals],
            "committed": [fact.pk for fact in filed.committed],
            "conflicts": [conflict.pk for conflict in filed.conflicts],
            "repeated": filed.repeated,
            "change_set": filed.change_set.pk if filed.change_set else None,
        }
        return Response(UpdateOut(answer).data, status=202)


def _turns(asked: Mapping[str, Any]) -> list[Turn]:
    """The turns to read. One without an id goes by its place in the list."""
    now = timezone.now()
    if "text" in asked:
        return [Turn("text", "user", asked["text"], now)]
    turns = [
        Turn(m.get("id", str(n)), m["role"], m["content"], m.get("said_at", now), m.get("name", ""))
        for n, m in enumerate(asked["messages"])
    ]
    if len({turn.id for turn in turns}) < len(turns):
        problem = _("Two messages have the same id.")
        raise InvalidInput(problem, fields={"messages": [problem]})
    return turns


def _extraction(group: TopicFindings) -> dict[str, Any]:
    shown: dict[str, Any] = {name: [] for name in LISTS.values()}
    for finding in group.findings:
        shown[LISTS[finding.kind]].append(_finding(finding))
    topic = group.topic
    return shown | {
        "topic": {
            "id": str(topic.pk) if topic else None,
            "name": topic.name if topic else group.ref.name,
            "kind": topic.kind if topic else group.ref.kind,
            "is_new": topic is None,
        },
        "updated_summary": None,
        "conflicts": [_conflict(contradiction) for contradiction in group.contradictions],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    quotes = [{"message": q.turn, "text": q.text, "start": q.start, "end": q.end} for q in finding.quotes]
    names = ("certainty", "confidence", "kind", "text", "attribute", "value", "unit", "negated", "valid_from")
    content = {name: getattr(finding, name) for name in (*names, "valid_until", "happened_at", "precision")}
    return content | {"name": finding.alias, "quotes": quotes}


def _conflict(contradiction: Contradiction) -> dict[str, Any]:
    verdict = contradiction.verdict
    return {"with_fact": verdict.fact.pk, "proposed": contradiction.finding.text, "why": verdict.why}  # type: ignore[union-attr]


def _update(n: int, extraction: Mapping[str, Any]) -> UpdateInput:
    path = f"extractions.{n}"
    findings = [
        _finding_input(f"{path}.{name}.{k}", name, item)
        for name in dict.fromkeys(LISTS.values())
        for k, item in enumerate(extraction[name])
    ]
    contradictions = [
        ContradictionInput(path=f"{path}.conflicts.{k}", fact=str(item["with_fact"]), proposed=item["proposed"])
        for k, item in enumerate(extraction["conflicts"])
    ]
    topic = extraction["topic"]
    return UpdateInput(
        path=path,
        topic_id=topic["id"],
        topic_name=topic["name"],
        topic_kind=topic["kind"],
        summary=extraction["updated_summary"],
        findings=findings,
        contradictions=contradictions,
    )


def _finding_input(path: str, name: str, item: Mapping[str, Any]) -> FindingInput:
    content = {key: value for key, value in item.items() if key not in ("quotes", "name")}
    kinds = {"timeline": "timeline", "aliases": "alias"}
    content.setdefault("kind", kinds.get(name))
    content.setdefault("text", "")
    finding = Finding(topic=NO_TOPIC, quotes=(), alias=item.get("name", ""), **content)
    return FindingInput(path=path, finding=finding, quotes=_quotes(item["quotes"]))


def _quotes(quotes: Sequence[Mapping[str, Any]]) -> list[QuoteInput]:
    return [QuoteInput(**quote) for quote in quotes]
