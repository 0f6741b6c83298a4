"""What every route of the API shares."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar, TypeVar, cast
from zoneinfo import ZoneInfo

from django.db.models import Model, QuerySet
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from topics.api.access import check_scope
from topics.api.etags import etag_of, is_known, tag_body
from topics.api.pagination import Pages
from topics.api.parsers import buffer_body
from topics.api.schema import declared_parameters
from topics.changes import Actor
from topics.errors import NotFound, TooManyRequests
from topics.models import ApiKey, Space
from topics.services.rates import Rate, take_request
from topics.text.clean import storable_text

MOST_IN_ADDRESS = 2000

Row = TypeVar("Row", bound=Model)


class AlwaysJson(DefaultContentNegotiation):
    """Every answer is JSON, whatever the caller accepts: an error must be readable too."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        return renderers[0], renderers[0].media_type


class ApiView(APIView):
    """A route: parse, call a service or selector, serialise. `required_scopes` names the scope of each method.

    `names` is for the description: what the answer to a POST names, by the parameter of addresses that takes it, and
    the field in which it stands. `secrets` names the fields of an answer that are shown once: what is kept for an
    Idempotency-Key has null in their place.
    """

    # DRF would name OPTIONS among the allowed methods, and answer it 405.
    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    content_negotiation_class = AlwaysJson
    metadata_class = None
    required_scopes: ClassVar[Mapping[str, str]] = {}
    has_etag: ClassVar[bool] = True
    names: ClassVar[Mapping[str, str]] = {}
    secrets: ClassVar[Collection[str]] = ()
    rate: Rate | None = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        # A day that somebody named is told as that day, so times are written in the zone of the space.
        timezone.activate(ZoneInfo(self.space.time_zone))
        for name, value in kwargs.items():
            storable_text(value, field=name, limit=MOST_IN_ADDRESS)
        self._refuse_unknown_parameters()
        buffer_body(request._request)
        if request.method in ("POST", "PUT", "PATCH"):
            request.data  # noqa: B018  a body that cannot be read is refused, also where none is needed

    def need(self, scopes: str) -> None:
        """Raise MissingScope unless the key carries them: for what `required_scopes` cannot tell from the method."""
        check_scope(self.key, scopes)

    def check_throttles(self, request: Request) -> None:
        """Count the request. Raises TooManyRequests; what is left of the rate stands in the headers of every answer."""
        self.rate = take_request(key=self.key)
        if self.rate is not None and self.rate.is_exceeded:
            refusal = TooManyRequests(_("This key has sent too many requests. Wait, then go on."))
            refusal.retry_after = self.rate.retry_after
            raise refusal

    def finalize_response(  # type: ignore[override]
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        response = super().finalize_response(request, response, *args, **kwargs)  # type: ignore[arg-type]
        if request.method in ("GET", "HEAD") and response.status_code == 200 and self.has_etag:
            self._tag(request, response)
        if self.rate is not None:
            response.headers["RateLimit-Limit"] = str(self.rate.limit)
            response.headers["RateLimit-Remaining"] = str(self.rate.remaining)
            response.headers["RateLimit-Reset"] = str(self.rate.reset)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        timezone.deactivate()
        return response

    def _refuse_unknown_parameters(self) -> None:
        """Raise ValidationError for what the route does not declare: a filter with a typing error would find all."""
        known = declared_parameters(self)
        unknown = set(self.request.query_params) - known if known is not None else set()
        if unknown:
            problem = _("Unknown parameter. This route takes none.")
            if known:
                problem = _("Unknown parameter. This route takes: %(names)s.") % {"names": ", ".join(sorted(known))}
            raise serializers.ValidationError({name: [problem] for name in sorted(unknown)})

    def _tag(self, request: Request, response: Any) -> None:
        """Give a GET its ETag, and answer 304 without a body when the caller has that already."""
        if isinstance(response, Response):
            response.render()
        response.headers.setdefault("ETag", tag_body(response.content))
        if is_known(request, response.headers["ETag"]):
            response.status_code, response.content = 304, b""
            del response.headers["Content-Type"]

    @property
    def key(self) -> ApiKey:
        """The key that the request was made with."""
        key: Any = self.request.auth
        return cast(ApiKey, key)

    @property
    def space(self) -> Space:
        """The key's space; nothing else says which space a request is about."""
        return self.key.space

    @property
    def actor(self) -> Actor:
        return Actor.key(self.key, self.request.request_id)  # type: ignore[attr-defined]

    def body(self, serializer: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """The validated body. Raises ValidationError, which is answered 422."""
        return _validated(serializer, self.request.data)

    def query(self, serializer: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """The validated query string. Raises ValidationError, which is answered 422."""
        return _validated(serializer, self.request.query_params.dict(), is_address=True)

    def row(self, rows: QuerySet[Row], pk: str) -> Row:
        """The row of this id. `rows` belong to the space. Raises NotFound for any other id, and for what is no id."""
        found = rows.filter(pk=as_uuid(pk)).first() if as_uuid(pk) else None
        if found is None:
            raise NotFound(_("There is nothing with this id."))
        return found

    def page(self, rows: QuerySet[Row], serialise: Callable[[Sequence[Row]], Any]) -> Response:
        """One page of the rows, whose order ends with a unique column."""
        pages = Pages(self.request, rows)
        return pages.answer(serialise(pages.rows))

    def tagged(self, data: Mapping[str, Any], version: int, status: int = 200) -> Response:
        """The representation of a row of this version, with its ETag."""
        return Response(data, status=status, headers={"ETag": etag_of(data, version)})


def as_uuid(text: object) -> uuid.UUID | None:
    """The UUID written in `text`; None for anything else."""
    try:
        return uuid.UUID(str(text))
    except ValueError:
        return None


def _validated(serializer: type[serializers.Serializer[Any]], sent: Any, *, is_address: bool = False) -> dict[str, Any]:
    checked = serializer(data=sent, context={"is_address": is_address})
    checked.is_valid(raise_exception=True)
    values: dict[str, Any] = checked.validated_data
    return values
