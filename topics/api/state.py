"""What an agent that works on a topic keeps for itself: any JSON, by key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response

from topics.api.base import as_uuid
from topics.api.etags import require_match
from topics.api.fields import Choice, Flag, Moment, Strict, Text
from topics.api.idempotency import idempotent
from topics.api.schema import BODY, PAGES, TAG, answers, page_of
from topics.api.topics import TopicView
from topics.errors import InvalidInput, NotFound
from topics.models import StateEntry, Topic
from topics.selectors.state import ORDERS, hidden_by, state_entry, state_of
from topics.services.state import KEY_LIMIT, Put, Removal, write_state

MOST_AT_ONCE = 500

MAY_MATCH = OpenApiParameter(
    "If-Match",
    TAG,
    OpenApiParameter.HEADER,
    description="The ETag of what you have seen, or `*`; needed where a value stands.",
)
IF_NEW = OpenApiParameter(
    "If-None-Match",
    {"type": "string", "enum": ["*"]},
    OpenApiParameter.HEADER,
    description="`*`: only if nothing stands there.",
)


@extend_schema_field(OpenApiTypes.ANY)
class AnyJson(serializers.JSONField):
    """Any JSON, null too."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"allow_null": True, **kwargs})


class RangeIn(serializers.Serializer[Any]):
    prefix = Text(required=False, max_length=KEY_LIMIT, help_text="Keys that begin so")
    after = Text(required=False, max_length=KEY_LIMIT, help_text="Keys above this one")
    before = Text(required=False, max_length=KEY_LIMIT, help_text="Keys below this one")


class StateIn(RangeIn):
    order = Choice(
        choices=list(ORDERS),
        default="key",
        help_text="By key (code point by code point) or by when it was first written",
    )
    values = Flag(default=False, help_text="With the values")
    of = Text(required=False, max_length=64, help_text="What this topic holds, which was merged into it")


class OfIn(serializers.Serializer[Any]):
    of = Text(required=False, max_length=64, help_text="What this topic holds, which was merged into it")


class PutIn(Strict):
    key = Text(max_length=KEY_LIMIT)
    value = AnyJson()
    etag = Text(required=False, max_length=100, help_text="Only if this is the present ETag; `*`: if anything stands")
    only_new = Flag(default=False, help_text="Only if nothing stands there")


class StateWriteIn(Strict):
    puts = serializers.ListField(child=PutIn(), default=list, max_length=MOST_AT_ONCE)
    removals = serializers.ListField(
        child=Text(max_length=KEY_LIMIT), default=list, max_length=MOST_AT_ONCE, help_text="Keys to free, used or not"
    )


class StateEntryOut(serializers.Serializer[Any]):
    key = serializers.CharField()
    topic = serializers.UUIDField(source="topic_id", help_text="Under which it was written; another one after a merge")
    version = serializers.IntegerField()
    etag = serializers.CharField(help_text="To be sent as If-Match, with its quotes")
    size = serializers.IntegerField(help_text="Bytes of the value")
    created_at = Moment()
    updated_at = Moment()
    written_by = serializers.CharField()
    hides = serializers.ListField(
        child=serializers.UUIDField(),
        help_text="Merged topics that hold another value under this key: `?of=` shows it",
    )


class StateItemOut(StateEntryOut):
    value = AnyJson(required=False, help_text="With `values=true`")


class StateWrittenOut(serializers.Serializer[Any]):
    entries = StateEntryOut(many=True, help_text="In the order of `puts`")
    removed = serializers.IntegerField(help_text="Keys that were in use and are free now")


class StateRemovedOut(serializers.Serializer[Any]):
    removed = serializers.IntegerField()


class StateView(TopicView):
    required_scopes = {"GET": "read", "POST": "propose|write", "DELETE": "propose|write"}

    @extend_schema(
        operation_id="list_state",
        tags=["State"],
        parameters=[StateIn, *PAGES],
        responses=answers(page_of(StateItemOut), 404),
    )
    def get(self, request: Request, topic: str) -> Response:
        """What agents keep with a topic, key by key. `order=-created` or `order=-key` has the newest first."""
        return self._list(self.topic(topic))

    @extend_schema(
        operation_id="write_state",
        tags=["State"],
        request=StateWriteIn,
        responses=answers(StateWrittenOut, 404, 412, *BODY),
        examples=[
            OpenApiExample(
                "A step and its writes",
                request_only=True,
                value={
                    "puts": [
                        {"key": "thread-1/checkpoint/0002", "value": {"step": 2}, "only_new": True},
                        {"key": "thread-1/writes/0002/0", "value": ["messages", "Hello"]},
                    ],
                    "removals": ["thread-1/draft"],
                },
            )
        ],
    )
    @idempotent
    def post(self, request: Request, topic: str) -> Response:
        """Keep and free several values at once, all or none.

        A put without `etag` and `only_new` replaces what stands. Where one of them does not hold, the answer is 412,
        `keys` names those that it does not hold for, and nothing is written.
        """
        sent = self.body(StateWriteIn)
        keys = [*(put["key"] for put in sent["puts"]), *sent["removals"]]
        if len(set(keys)) < len(keys):
            problem = _("Name each key once.")
            raise InvalidInput(problem, fields={"puts": [problem]})
        puts = [
            Put(
                key=put["key"],
                value=put["value"],
                expected=[put["etag"]] if "etag" in put else (),
                only_new=put["only_new"],
                overwrite=True,
            )
            for put in sent["puts"]
        ]
        removals = [Removal(key) for key in sent["removals"]]
        found = self.topic(topic)
        written = write_state(topic=found, actor=self.actor, puts=puts, removals=removals)
        return Response({"entries": _shown(found, written.entries), "removed": written.removed})

    @extend_schema(
        operation_id="delete_state_range",
        tags=["State"],
        parameters=[RangeIn],
        responses=answers(StateRemovedOut, 404, 412, 428),
    )
    def delete(self, request: Request, topic: str) -> Response:
        """Free every key of a range, for instance all of one thread. If-Match: `*`, or the ETag of the list."""
        found = self.topic(topic)
        asked = self.query(RangeIn)
        with transaction.atomic():
            require_match(request, self._list(found).data, 0)
            removals = [Removal(entry.key) for entry in state_of(found, **asked).only("sort_key")]
            written = write_state(topic=found, actor=self.actor, removals=removals)
        return Response({"removed": written.removed})

    def _list(self, topic: Topic) -> Response:
        asked = self.query(StateIn)
        wanted = {name: asked[name] for name in ("prefix", "after", "before", "order") if name in asked}
        rows = state_of(topic, of=_of(asked), **wanted)
        if not asked["values"]:
            rows = rows.defer("value")
        return self.page(rows, lambda found: _shown(topic, found, with_values=asked["values"]))


class StateEntryView(TopicView):
    required_scopes = {"GET": "read", "PUT": "propose|write", "DELETE": "propose|write"}

    @extend_schema(
        operation_id="get_state",
        tags=["State"],
        parameters=[OfIn],
        responses={
            **answers(None, 404),
            200: OpenApiResponse(OpenApiTypes.ANY, description="The value as it was put"),
        },
    )
    def get(self, request: Request, topic: str, key: str) -> HttpResponseBase:
        """The value that is kept under a key, as it was put."""
        entry = _standing(self.topic(topic), key, _of(self.query(OfIn)))
        return HttpResponse(entry.value, content_type="application/json", headers={"ETag": entry.etag})

    @extend_schema(
        operation_id="put_state",
        tags=["State"],
        parameters=[MAY_MATCH, IF_NEW],
        request=OpenApiTypes.ANY,
        responses={
            **answers(StateEntryOut, 404, 412, 428, *BODY),
            201: OpenApiResponse(StateEntryOut, description="Nothing stood there"),
        },
    )
    def put(self, request: Request, topic: str, key: str) -> Response:
        """Keep a value: the body, any JSON of up to 256 KiB.

        With `If-None-Match: *` only where nothing stands. Where a value stands, If-Match says which one you have seen.
        """
        found = self.topic(topic)
        if not request.body.strip():
            raise ParseError(_("The body is not valid JSON in UTF-8."))
        put = Put(key=key, value=request.data, expected=_expected(request), only_new=_only_new(request))
        written = write_state(topic=found, actor=self.actor, puts=[put])
        [entry] = written.entries
        return Response(
            _shown(found, [entry])[0], status=201 if key in written.created else 200, headers={"ETag": entry.etag}
        )

    @extend_schema(operation_id="delete_state", tags=["State"], responses=answers(None, 404, 412, 428, status=204))
    def delete(self, request: Request, topic: str, key: str) -> Response:
        """Free a key. What merged topics hold under it goes too."""
        found = self.topic(topic)
        entry = _standing(found, key)
        if "If-Match" not in request.headers:
            require_match(request, None, entry.version)
        write_state(topic=found, actor=self.actor, removals=[Removal(key, _expected(request))])
        return Response(status=204)


def _standing(topic: Topic, key: str, of: Any = None) -> StateEntry:
    entry = state_entry(topic, key, of)
    if entry is None:
        raise NotFound(_("Nothing is kept under this key."))
    return entry


def _shown(topic: Topic, entries: Sequence[StateEntry], *, with_values: bool = False) -> list[dict[str, Any]]:
    hides = hidden_by(topic, entries)
    shown = []
    for entry in entries:
        entry.hides = hides[entry.pk]  # type: ignore[attr-defined]
        shown.append(dict(StateEntryOut(entry).data))
        if with_values:
            shown[-1]["value"] = entry.parsed
    return shown


def _of(asked: dict[str, Any]) -> Any:
    """The merged topic that is asked about. Raises NotFound for what is no id."""
    if "of" not in asked:
        return None
    found = as_uuid(asked["of"])
    if found is None:
        raise NotFound(_("There is no topic with this id."))
    return found


def _expected(request: Request) -> list[str]:
    """The ETags in If-Match; one that matches nothing for a header that names none."""
    sent = request.headers.get("If-Match")
    return [] if sent is None else parse_etags(sent) or [sent or "-"]


def _only_new(request: Request) -> bool:
    sent = request.headers.get("If-None-Match")
    if sent is not None and sent.strip() != "*":
        problem = _("Of If-None-Match, only * is understood here.")
        raise InvalidInput(problem, fields={"If-None-Match": [problem]})
    return sent is not None
