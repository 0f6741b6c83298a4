"""Review: proposals, conflicts, and the questions that settle them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from extraction.models import Confirmation, Conflict, Proposal
from extraction.selectors.chronology import older_ones
from extraction.selectors.review import conflicts_of, find_proposals, questions_of, with_details, without_gone
from extraction.services.conflicts import has_moved_on, held_now
from extraction.services.decisions import decide_proposals
from extraction.services.resolving import answer_confirmation, resolve_conflict
from topics.api.base import ApiView
from topics.api.etags import check_match
from topics.api.fields import Choice, Flag, Id, Moment, Name, Strict, Text
from topics.api.idempotency import idempotent
from topics.api.schema import BODY, MAY_MATCH, PAGES, answers, page_of
from topics.api.serializers import FactOut
from topics.api.topics import REASON
from topics.errors import InvalidInput, Stale
from topics.models import Fact, Message, TimelineEntry, Topic
from topics.models.statement import Certainty
from topics.selectors.documents import lines_of
from topics.services.statements import TEXT_LIMIT

Shape = serializers.Serializer[Any]

MOST_DECIDED = 500
KINDS = [*Proposal.Kind.values, *(kind for kind in Fact.Kind.values if kind not in Proposal.Kind.values)]


class ProposalFilter(Shape):
    kind = Choice(choices=KINDS, required=False, help_text="Of the proposal, or of its fact")
    topic = Id(required=False, help_text="A topic, or the proposal of one")
    conflict = Flag(required=False, allow_null=True, default=None)


class PendingFilter(Strict, ProposalFilter):
    status = Choice(choices=["pending"], required=False, help_text="None but these are decided")


class ProposalsIn(ProposalFilter):
    status = Choice(choices=Proposal.Status.values, required=False)


class ProposalQuoteOut(Shape):
    conversation = serializers.CharField(source="message.conversation.external_id")
    message = serializers.CharField(source="message.external_id")
    text = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()


class TopicRefOut(Shape):
    id = serializers.UUIDField()
    name = serializers.CharField()


class ConflictRefOut(Shape):
    id = serializers.UUIDField()
    with_fact = serializers.UUIDField(source="fact_id")
    held = serializers.CharField(source="fact.text")
    why = serializers.CharField()
    status = serializers.ChoiceField(choices=Conflict.Status.values)
    outcome = serializers.CharField()


class ProposalOut(Shape):
    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=Proposal.Kind.values)
    status = serializers.SerializerMethodField(help_text="A snooze that has passed is pending again")
    topic = TopicRefOut(allow_null=True)
    new_topic = serializers.UUIDField(
        source="new_topic_id", allow_null=True, help_text="The proposal of its topic, approved along with it"
    )
    topic_name = serializers.CharField(help_text="Of a new topic")
    topic_kind = serializers.CharField(help_text="Of a new topic")
    text = serializers.CharField()
    fact_kind = serializers.CharField(help_text="Of a fact")
    attribute = serializers.CharField()
    value = serializers.CharField()
    unit = serializers.CharField()
    negated = serializers.BooleanField()
    certainty = serializers.ChoiceField(choices=Certainty.values)
    confidence = serializers.FloatField()
    valid_from = Moment(allow_null=True)
    valid_until = Moment(allow_null=True)
    happened_at = Moment(allow_null=True)
    precision = serializers.CharField()
    alias = serializers.CharField()
    speaker = serializers.CharField()
    said_at = Moment(allow_null=True)
    quotes = ProposalQuoteOut(many=True)
    conflict = serializers.SerializerMethodField()
    is_stale = serializers.SerializerMethodField(help_text="The document has moved on since it was filed")
    extractor = serializers.CharField()
    model = serializers.CharField()
    why = serializers.CharField()
    job = serializers.UUIDField(source="job_id", allow_null=True)
    fact = serializers.UUIDField(source="fact_id", allow_null=True, help_text="The fact it became")
    entry = serializers.UUIDField(source="entry_id", allow_null=True, help_text="The timeline entry it became")
    reason = serializers.CharField()
    decided_by = serializers.CharField()
    decided_at = Moment(allow_null=True)
    snoozed_until = Moment(allow_null=True)
    created_at = Moment()

    @extend_schema_field(serializers.ChoiceField(choices=Proposal.Status.values))
    def get_status(self, proposal: Proposal) -> str:
        is_due = proposal.snoozed_until is not None and proposal.snoozed_until <= timezone.now()
        return Proposal.Status.PENDING if proposal.status == Proposal.Status.SNOOZED and is_due else proposal.status

    @extend_schema_field(ConflictRefOut(allow_null=True))
    def get_conflict(self, proposal: Proposal) -> dict[str, Any] | None:
        conflict = getattr(proposal, "conflict", None)
        return ConflictRefOut(conflict).data if conflict else None

    def get_is_stale(self, proposal: Proposal) -> bool:
        moved_on = proposal.topic is not None and proposal.topic.document_version != proposal.base_version
        return proposal.is_open and moved_on


class Edits(Strict):
    text = Text(max_length=TEXT_LIMIT, required=False)
    kind = Choice(choices=Fact.Kind.values, required=False, help_text="Of a fact")
    attribute = Text(max_length=100, required=False, allow_blank=True)
    value = Text(max_length=200, required=False, allow_blank=True)
    unit = Text(max_length=40, required=False, allow_blank=True)
    negated = Flag(required=False)
    certainty = Choice(choices=Certainty.values, required=False)
    valid_from = Moment(required=False, allow_null=True)
    valid_until = Moment(required=False, allow_null=True)
    scope = Text(max_length=200, required=False, allow_blank=True)
    happened_at = Moment(required=False)
    precision = Choice(choices=TimelineEntry.Precision.values, required=False)
    topic = Text(max_length=200, required=False, help_text="The topic it goes to, by id or name")
    topic_name = Name(required=False)
    topic_kind = Choice(choices=Topic.Kind.values, required=False)
    alias = Name(required=False)


class DecideIn(Strict):
    ids = serializers.ListField(
        child=Text(max_length=64), allow_null=True, default=None, min_length=1, max_length=MOST_DECIDED
    )
    filter = PendingFilter(allow_null=True, default=None, help_text=f"Pending ones, the {MOST_DECIDED} oldest")
    decision = Choice(choices=["approve", "reject", "snooze"])
    reason = Text(**REASON)
    edits = Edits(default=dict, help_text="Approve with these changes, in each of the proposals")
    snooze_until = Moment(default=None, allow_null=True)
    seen_version = serializers.IntegerField(
        default=None,
        allow_null=True,
        min_value=0,
        help_text="The version of the document that you looked at, to approve what is stale",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if (attrs["ids"] is None) == (attrs["filter"] is None):
            raise serializers.ValidationError({"ids": _("Send either ids or a filter.")})
        if attrs["edits"] and attrs["decision"] != "approve":
            raise serializers.ValidationError({"edits": _("Edits go with the decision approve.")})
        return attrs


class ResultOut(Shape):
    id = serializers.CharField()
    status = serializers.ChoiceField(choices=["approved", "rejected", "snoozed", "conflict", "error"])
    code = serializers.CharField(help_text="Why not; empty when it was decided")
    message = serializers.CharField()
    topic = serializers.UUIDField(source="topic.pk", default=None, allow_null=True)
    fact = serializers.UUIDField(source="fact.pk", default=None, allow_null=True)
    entry = serializers.UUIDField(source="entry.pk", default=None, allow_null=True)
    conflict = serializers.SerializerMethodField(help_text="What to resolve instead")

    def get_conflict(self, result: Any) -> str | None:
        conflict: str | None = self.context["conflicts"].get(result.id)
        return conflict


class DecidedOut(Shape):
    results = ResultOut(many=True)
    change_set = serializers.UUIDField(allow_null=True)
    remaining = serializers.IntegerField(help_text="How many more the filter still finds")


class ConflictsIn(Shape):
    status = Choice(choices=Conflict.Status.values, required=False)
    topic = serializers.UUIDField(required=False, source="fact__topic")


class ConfirmationOut(Shape):
    id = serializers.UUIDField()
    conflict = serializers.UUIDField(source="conflict_id")
    topic = serializers.UUIDField(source="conflict.fact.topic_id")
    question = serializers.CharField()
    status = serializers.ChoiceField(
        choices=Confirmation.Status.values,
        source="stands",
        help_text="cancelled: it needs no answer any more, or its topic was deleted and has not come back",
    )
    answer = serializers.CharField()
    message = serializers.SerializerMethodField(help_text="With the answer")
    created_at = Moment()
    answered_at = Moment(allow_null=True)

    def get_message(self, confirmation: Confirmation) -> str | None:
        is_answered = confirmation.status == Confirmation.Status.ANSWERED
        return confirmation.message.external_id if is_answered and confirmation.message else None


class ConflictOut(Shape):
    id = serializers.UUIDField()
    status = serializers.ChoiceField(choices=Conflict.Status.values)
    outcome = serializers.CharField(help_text="Empty while open; `ask` while a question is out")
    why = serializers.CharField(help_text="value, negation, certainty or stated")
    held = serializers.SerializerMethodField(help_text="The fact; while open, what stands in its place by now")
    is_older = serializers.SerializerMethodField(
        help_text="The new statement was said before what is held: `keep` keeps it as what was true then"
    )
    proposal = ProposalOut()
    valid_until = Moment(allow_null=True)
    scope = serializers.CharField()
    created_at = Moment()
    resolved_at = Moment(allow_null=True)

    @extend_schema_field(FactOut)
    def get_held(self, conflict: Conflict) -> dict[str, Any]:
        return FactOut(self.context["held"][conflict.fact_id]).data

    def get_is_older(self, conflict: Conflict) -> bool:
        return conflict.proposal_id in self.context["older"]


class ResolvedOut(Shape):
    conflict = ConflictOut()
    change_set = serializers.UUIDField()


class ResolveIn(Strict):
    outcome = Choice(choices=Conflict.Outcome.values)
    reason = Text(**REASON)
    valid_until = Moment(default=None, allow_null=True, help_text="Until when what is held was true")
    scope = Text(default="", allow_blank=True, max_length=200, help_text="Of `both`: where the new statement holds")
    question = Text(default="", allow_blank=True, max_length=2000, help_text="Of `ask`: in your own words")
    never_true = Flag(
        default=False, help_text="Of `keep`, where the new statement is older: it was not true then either, reject it"
    )
    edits = Edits(default=dict, help_text="Of `replace` and `both`: changes of the new statement")


class ConfirmationsIn(Shape):
    status = Choice(choices=Confirmation.Status.values, default=Confirmation.Status.OPEN, source="stands")


class AnswerIn(Strict):
    answer = Choice(
        choices=Confirmation.Answer.values, help_text="yes replaces what is held, no keeps it, other leaves it open"
    )
    message = Text(default="", allow_blank=True, max_length=200, help_text="Your id of the message with the answer")
    conversation = Text(
        default="", allow_blank=True, max_length=200, help_text="Of that message; else that of the new statement"
    )


class AnsweredOut(Shape):
    confirmation = ConfirmationOut()
    change_set = serializers.UUIDField()


class ProposalsView(ApiView):
    required_scopes = {"GET": "review"}

    @extend_schema(
        operation_id="list_proposals",
        tags=["Review"],
        parameters=[ProposalsIn, *PAGES],
        responses=answers(page_of(ProposalOut), 404),
    )
    def get(self, request: Request) -> Response:
        """What was proposed, the oldest first."""
        rows = with_details(find_proposals(self.space, **self.query(ProposalsIn)))
        return self.page(rows, lambda found: ProposalOut(found, many=True).data)


class ProposalView(ApiView):
    required_scopes = {"GET": "review"}

    @extend_schema(operation_id="get_proposal", tags=["Review"], responses=answers(ProposalOut, 404))
    def get(self, request: Request, proposal: str) -> Response:
        """One proposal with the exact words behind it."""
        found = self.row(with_details(find_proposals(self.space)), proposal)
        return Response(ProposalOut(found).data)


class DecideView(ApiView):
    required_scopes = {"POST": "review"}
    names = {"change_set": "change_set"}

    @extend_schema(
        operation_id="decide_proposals",
        tags=["Review"],
        request=DecideIn,
        responses=answers(DecidedOut, *BODY),
        examples=[
            OpenApiExample(
                "All facts of one topic",
                request_only=True,
                value={
                    "filter": {"topic": "0197b2c1-7a52-7c3e-9d1f-4b8f2a6c5d10", "kind": "fact", "conflict": False},
                    "decision": "approve",
                },
            )
        ],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Decide proposals, as one change set, with a result for each.

        One that contradicts what is held is not approved: its result is `conflict`, to be resolved.
        """
        asked = self.body(DecideIn)
        waiting = find_proposals(self.space, **{**(asked["filter"] or {}), "status": Proposal.Status.PENDING})
        decided = decide_proposals(
            space=self.space,
            actor=self.actor,
            ids=asked["ids"] or list(waiting.values_list("pk", flat=True)[:MOST_DECIDED]),
            decision=asked["decision"],
            reason=asked.get("reason", ""),
            edits=asked["edits"],
            snooze_until=asked["snooze_until"],
            seen_version=asked["seen_version"],
        )
        answer = {
            "results": decided.results,
            "change_set": decided.change_set.pk if decided.change_set else None,
            "remaining": waiting.count() if asked["filter"] is not None else 0,
        }
        contested = [UUID(result.id) for result in decided.results if result.status == "conflict"]
        conflicts = Conflict.objects.filter(proposal__in=contested).values_list("proposal_id", "pk")
        context = {"conflicts": {str(proposal): str(pk) for proposal, pk in conflicts}}
        return Response(DecidedOut(answer, context=context).data)


class ConflictsView(ApiView):
    required_scopes = {"GET": "review"}

    @extend_schema(
        operation_id="list_conflicts",
        tags=["Review"],
        parameters=[ConflictsIn, *PAGES],
        responses=answers(page_of(ConflictOut), 404),
    )
    def get(self, request: Request) -> Response:
        """What contradicts what is held, both sides with their words, the oldest first."""
        rows = without_gone(conflicts_of(self.space))
        return self.page(rows.filter(**self.query(ConflictsIn)), _conflicts)


class ConflictView(ApiView):
    required_scopes = {"GET": "review"}

    @extend_schema(operation_id="get_conflict", tags=["Review"], responses=answers(ConflictOut, 404))
    def get(self, request: Request, conflict: str) -> Response:
        """One conflict, both sides with their words."""
        found = self.row(conflicts_of(self.space), conflict)
        return self.tagged(_conflicts([found])[0], held_now(found).version)


class ResolveView(ApiView):
    required_scopes = {"POST": "review"}
    names = {"change_set": "change_set"}

    @extend_schema(
        operation_id="resolve_conflict",
        tags=["Review"],
        parameters=[MAY_MATCH],
        request=ResolveIn,
        responses=answers(ResolvedOut, 404, 409, 412, *BODY),
        examples=[
            OpenApiExample(
                "Both were true in their time",
                request_only=True,
                value={"outcome": "both", "valid_until": "2024-05-08T00:00:00+08:00"},
            )
        ],
    )
    @idempotent
    def post(self, request: Request, conflict: str) -> Response:
        """Settle a conflict: replace, keep, both (until when, or where), neither, or ask the user.

        `keep` rejects the new statement; one that is older than what is held is kept as what was true before.

        Once what is held has changed since the conflict was found, If-Match must say that you have seen it.
        """
        found = self.row(conflicts_of(self.space), conflict)
        if "If-Match" not in request.headers and has_moved_on(found):
            raise Stale(_("What is held has changed since the conflict was found. Look at it, and send its ETag."))
        held = held_now(found)
        seen = check_match(request, _conflicts([found])[0], held.version)
        change = resolve_conflict(
            conflict=found, actor=self.actor, seen_version=seen, seen_fact=held.pk, **self.body(ResolveIn)
        )
        settled = self.row(conflicts_of(self.space), conflict)
        return Response({"conflict": _conflicts([settled])[0], "change_set": str(change.pk)})


class ConfirmationsView(ApiView):
    required_scopes = {"GET": "read|review"}  # they are for the agent's user, and queries answer with them

    @extend_schema(
        operation_id="list_confirmations",
        tags=["Review"],
        parameters=[ConfirmationsIn, *PAGES],
        responses=answers(page_of(ConfirmationOut), 404),
    )
    def get(self, request: Request) -> Response:
        """The questions that an agent should put to its user, the oldest first."""
        rows = questions_of(self.space).filter(**self.query(ConfirmationsIn))
        return self.page(rows, lambda found: ConfirmationOut(found, many=True).data)


class ConfirmationView(ApiView):
    required_scopes = {"GET": "read|review"}

    @extend_schema(operation_id="get_confirmation", tags=["Review"], responses=answers(ConfirmationOut, 404))
    def get(self, request: Request, confirmation: str) -> Response:
        """One question, also one that was answered or needs no answer any more."""
        return Response(ConfirmationOut(self.row(questions_of(self.space), confirmation)).data)


class AnswerView(ApiView):
    required_scopes = {"POST": "review"}

    @extend_schema(
        operation_id="answer_confirmation",
        tags=["Review"],
        request=AnswerIn,
        responses=answers(AnsweredOut, 404, 409, *BODY),
    )
    @idempotent
    def post(self, request: Request, confirmation: str) -> Response:
        """The user's answer: yes replaces what is held, no keeps it, anything else leaves it to a person."""
        found = self.row(questions_of(self.space), confirmation)
        body = self.body(AnswerIn)
        message = _message(found, body["message"], body["conversation"])
        change = answer_confirmation(confirmation=found, actor=self.actor, answer=body["answer"], message=message)
        answered = self.row(questions_of(self.space), confirmation)
        shown = ConfirmationOut(answered).data
        return Response({"confirmation": shown, "change_set": str(change.pk)})


def _conflicts(rows: Sequence[Conflict]) -> Any:
    standing = {row.fact_id: held_now(row) for row in rows}
    lines = {line.row.pk: line for line in lines_of(list({fact.pk: fact for fact in standing.values()}.values()))}
    held = {pk: lines[fact.pk] for pk, fact in standing.items()}
    older = older_ones((row.proposal, standing[row.fact_id]) for row in rows)
    return ConflictOut(rows, many=True, context={"held": held, "older": older}).data


def _message(confirmation: Confirmation, message: str, conversation: str) -> Message | None:
    """The stored message in which the user answered. Raises InvalidInput for one that is not stored."""
    if not message:
        return None
    rows = Message.objects.filter(space=confirmation.space_id, external_id=message)
    if conversation:
        found = rows.filter(conversation__external_id=conversation).first()
    else:
        found = rows.filter(conversation__messages=confirmation.conflict.proposal.message_id).first()
    if found is None:
        problem = _("This conversation has no such message.")
        raise InvalidInput(problem, fields={"message": [problem]})
    return found
