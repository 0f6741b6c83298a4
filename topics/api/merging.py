"""Merging topics and splitting one, and which topics may be the same."""

from __future__ import annotations

from typing import Any, get_args
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from topics.api.base import ApiView
from topics.api.etags import check_match
from topics.api.fields import Choice, Flag, Id, Moment, Name, Strict, Text
from topics.api.idempotency import idempotent
from topics.api.schema import BODY, MAY_MATCH, PAGES, answers, page_of
from topics.api.serializers import OneTopicOut
from topics.api.topics import REASON, TopicView
from topics.likeness.pairs import ReasonCode
from topics.models import DuplicatePair, Topic
from topics.selectors.duplicates import duplicate_pairs
from topics.services.duplicates import dismiss_pair, reopen_pair
from topics.services.merge_plan import MOST_MEMBERS, MergeChoices, MergePlan, plan_merge
from topics.services.merging import merge_topics
from topics.services.splitting import split_topic
from topics.services.topics import SUMMARY_LIMIT

Shape = serializers.Serializer[Any]
MOST_CHOSEN = 2000
REASON_CODES = list(get_args(ReasonCode))


def _ids(help_text: str) -> serializers.ListField:
    return serializers.ListField(child=Id(), default=list, max_length=MOST_CHOSEN, help_text=help_text)


class MergeFieldsIn(Strict):
    """Each a value, or the id of the member whose value it is."""

    name = Name(required=False)
    kind = Text(required=False, max_length=64)
    summary = Text(required=False, allow_blank=True, max_length=SUMMARY_LIMIT)


class MergeIn(Strict):
    survivor = Text(max_length=64, help_text="The topic that stays")
    others = serializers.ListField(child=Text(max_length=64), min_length=1, max_length=MOST_MEMBERS - 1)
    fields = MergeFieldsIn(default=dict, help_text="Without one the survivor's stands")  # type: ignore[assignment]
    leave_out = _ids("Names, and facts and timeline entries of the others, that do not come along")
    prefer = _ids("Facts that win over those that contradict them; other contradictions go to review")
    versions = serializers.DictField(
        child=serializers.IntegerField(),
        default=dict,
        help_text="Topic id → the document version that you have seen: 412 when one has moved on",
    )
    dry_run = Flag(default=False, help_text="Only say what the merge would do")
    reason = Text(**REASON)


class SplitIn(Strict):
    name = Name(help_text="Of the new topic; may be one of the aliases that move")
    kind = Choice(choices=Topic.Kind.values, required=False, help_text="Without it, that of the topic")
    summary = Text(default="", allow_blank=True, max_length=SUMMARY_LIMIT)
    facts = _ids("Current facts that move; what they have replaced goes along")
    entries = _ids("Current timeline entries that move")
    aliases = _ids("Names that move; not the topic's own")
    reason = Text(**REASON)


class RepeatOut(Shape):
    kept = serializers.UUIDField(source="kept.pk")
    joined = serializers.SerializerMethodField()
    text = serializers.CharField(source="kept.text")

    @extend_schema_field(serializers.ListField(child=serializers.UUIDField()))
    def get_joined(self, repeat: Any) -> list[UUID]:
        return [row.pk for row in repeat.joined]


class SideOut(Shape):
    id = serializers.UUIDField(source="pk")
    text = serializers.CharField()


class ContradictionOut(Shape):
    held = SideOut()
    other = SideOut()
    why = serializers.ChoiceField(choices=["value", "negation"])
    winner = serializers.UUIDField(source="winner.pk", allow_null=True, default=None)


class MergedOut(Shape):
    """The document that the merge makes, or would make."""

    dry_run = serializers.BooleanField()
    change_set = serializers.UUIDField(allow_null=True)
    survivor = serializers.UUIDField(source="plan.survivor.pk")
    merged = serializers.SerializerMethodField(help_text="The ids that answer with the survivor from then on")
    name = serializers.CharField(source="plan.name")
    kind = serializers.ChoiceField(choices=Topic.Kind.values, source="plan.kind")
    summary = serializers.CharField(source="plan.summary")
    aliases = serializers.SerializerMethodField()
    facts = serializers.SerializerMethodField()
    timeline = serializers.SerializerMethodField()
    sources = serializers.IntegerField(source="plan.sources", help_text="Messages behind the merged document")
    repeats = RepeatOut(many=True, source="plan.repeats")
    timeline_repeats = RepeatOut(many=True, source="plan.entry_repeats")
    contradictions = ContradictionOut(many=True, source="plan.contradictions")

    @extend_schema_field(serializers.ListField(child=serializers.UUIDField()))
    def get_merged(self, found: Any) -> list[UUID]:
        return [topic.pk for topic in found["plan"].others]

    def get_aliases(self, found: Any) -> list[str]:
        return [alias.name for alias in found["plan"].aliases]

    @extend_schema_field(serializers.DictField(child=serializers.IntegerField()))
    def get_facts(self, found: Any) -> dict[str, int]:
        return {"before": found["plan"].facts_before, "after": len(found["plan"].facts)}

    @extend_schema_field(serializers.DictField(child=serializers.IntegerField()))
    def get_timeline(self, found: Any) -> dict[str, int]:
        return {"before": found["plan"].entries_before, "after": len(found["plan"].entries)}


class DuplicatesIn(serializers.Serializer[Any]):
    status = Choice(choices=["suggested", "dismissed"], default="suggested")


class MemberOut(Shape):
    id = serializers.UUIDField(source="pk")
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=Topic.Kind.values)


class ReasonOut(Shape):
    code = serializers.ChoiceField(choices=REASON_CODES)
    weight = serializers.FloatField(help_text="In log odds; below 0 it speaks against")
    values = serializers.ListField(
        child=serializers.CharField(),
        help_text="What it is about: the two names, the two values, or how many facts and the first of them",
    )


class DuplicateOut(Shape):
    id = serializers.UUIDField()
    first = MemberOut()
    second = MemberOut()
    score = serializers.FloatField(help_text="0.5 to 1: how likely it is that the two are one")
    reasons = ReasonOut(many=True)
    found_at = Moment()
    dismissed_at = Moment(allow_null=True)
    dismissed_by = serializers.CharField()


class MergeView(TopicView):
    required_scopes = {"POST": "admin"}

    @extend_schema(
        operation_id="merge_topics",
        tags=["Topics"],
        parameters=[MAY_MATCH],
        request=MergeIn,
        responses=answers(MergedOut, 404, 409, 412, *BODY),
        examples=[
            OpenApiExample(
                "Two of the same",
                request_only=True,
                value={
                    "survivor": "0197b2c1-7a52-7c3e-9d1f-4b8f2a6c5d10",
                    "others": ["0197b2c1-8c11-7d20-8a3e-6c1d9e0f7b21"],
                    "fields": {"name": "Acme Holding", "summary": "0197b2c1-8c11-7d20-8a3e-6c1d9e0f7b21"},
                    "dry_run": True,
                },
            )
        ],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Merge 1 to 4 topics into a survivor, as one change set. The ids of the others answer with it from then on.

        Undoing the change set parts them again, whatever came later. If-Match is the ETag of the survivor.
        """
        asked = self.body(MergeIn)
        survivor = self.topic(asked["survivor"])
        others = [self.topic(pk) for pk in asked["others"]]
        check_match(request, self.shown(survivor, asked["survivor"]), survivor.version)
        choices = MergeChoices(
            fields=asked["fields"],
            leave_out=asked["leave_out"],
            prefer=asked["prefer"],
            seen={self.topic(pk).pk: version for pk, version in asked["versions"].items()},
        )
        members: dict[str, Any] = {"survivor": survivor, "others": others, "choices": choices}
        if asked["dry_run"]:
            return Response(_merged(plan_merge(space=self.space, **members), None))
        plan, change = merge_topics(space=self.space, actor=self.actor, reason=asked.get("reason", ""), **members)
        return Response(_merged(plan, change.pk))


class SplitView(TopicView):
    required_scopes = {"POST": "admin"}
    names = {"topic": "id"}

    @extend_schema(
        operation_id="split_topic",
        tags=["Topics"],
        parameters=[MAY_MATCH],
        request=SplitIn,
        responses=answers(OneTopicOut, 404, 409, 412, *BODY, status=201),
    )
    @idempotent
    def post(self, request: Request, topic: str) -> Response:
        """Move facts, timeline entries and names of a topic into a new one, as one change set: the new topic."""
        found = self.topic(topic)
        seen = check_match(request, self.shown(found, topic), found.version)
        new = split_topic(topic=found, actor=self.actor, expected_version=seen, **self.body(SplitIn))
        new.refresh_from_db()
        return self.tagged(self.shown(new, str(new.pk)), new.version, status=201)


class DuplicatesView(ApiView):
    required_scopes = {"GET": "review"}

    @extend_schema(
        operation_id="list_duplicates",
        tags=["Topics"],
        parameters=[DuplicatesIn, *PAGES],
        responses=answers(page_of(DuplicateOut), 404),
    )
    def get(self, request: Request) -> Response:
        """Pairs of topics that may be the same one, the likeliest first. They are looked for in the background."""
        rows = duplicate_pairs(self.space, dismissed=self.query(DuplicatesIn)["status"] == "dismissed")
        return self.page(rows, lambda found: DuplicateOut(found, many=True).data)


class DuplicateDismissView(ApiView):
    required_scopes = {"POST": "review"}

    @extend_schema(
        operation_id="dismiss_duplicate",
        tags=["Topics"],
        request=None,
        responses=answers(DuplicateOut, 404, *BODY),
    )
    @idempotent
    def post(self, request: Request, duplicate: str) -> Response:
        """The two are not the same topic. They are not suggested again until a name of one of them changes."""
        pair = self.row(DuplicatePair.objects.filter(space=self.space), duplicate)
        return Response(DuplicateOut(dismiss_pair(pair=pair, actor=self.actor)).data)


class DuplicateReopenView(ApiView):
    required_scopes = {"POST": "review"}

    @extend_schema(
        operation_id="reopen_duplicate",
        tags=["Topics"],
        request=None,
        responses=answers(DuplicateOut, 404, *BODY),
    )
    @idempotent
    def post(self, request: Request, duplicate: str) -> Response:
        """Take a dismissal back: the pair is suggested again."""
        pair = self.row(DuplicatePair.objects.filter(space=self.space), duplicate)
        return Response(DuplicateOut(reopen_pair(pair=pair)).data)


def _merged(plan: MergePlan, change_set: UUID | None) -> Any:
    return MergedOut({"plan": plan, "dry_run": change_set is None, "change_set": change_set}).data
