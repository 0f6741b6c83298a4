"""Idempotency-Key: the same POST sent twice is carried out once and answered twice.

The key is reserved in a transaction of its own, so that a second request that comes meanwhile is told so (409). The
work and its answer are then committed together: a process that dies in between leaves neither, and once the
reservation is old enough the next try takes it over.

Work that takes long or answers in a stream cannot be one transaction: `reserving` leaves it to the view to complete the
reservation together with the last part of the work, and to make the parts before it bear repetition.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Callable, Collection
from contextlib import nullcontext
from datetime import datetime, timedelta
from functools import wraps
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from topics.api.errors import IdempotencyMismatch, InFlight
from topics.errors import InvalidInput
from topics.models import IdempotencyRecord

KEPT = timedelta(hours=24)
ABANDONED = timedelta(minutes=5)
_KEY = re.compile(r"[\x21-\x7e]{1,200}")
_WORK = uuid.UUID("1c7a3f0e-4b0f-5d0a-9f57-5a1f3a1d2c64")
_KEPT_HEADERS = ("ETag", "Location")

Handler = Callable[..., HttpResponseBase]


def idempotent(handler: Handler, *, stores: bool = True) -> Handler:
    """Give a view's `post` its Idempotency-Key. `stores` is False for one that only reads: no transaction is held."""

    @wraps(handler)
    def answer_once(view: Any, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        key = request.headers.get("Idempotency-Key")
        if key is None:
            return handler(view, request, *args, **kwargs)
        record = _reserve(request, key)
        if record.status is not None:
            return _replay(record)
        try:
            with transaction.atomic() if stores else nullcontext():
                response = handler(view, request, *args, **kwargs)
                _complete(record, response, without=view.secrets)
                return response
        except Exception as error:
            return _note_refusal(view, record, error)

    return answer_once


def idempotent_reading(handler: Handler) -> Handler:
    """`idempotent` for a POST that only reads."""
    return idempotent(handler, stores=False)


class Reservation:
    """A key that `reserving` holds for a view while it works."""

    def __init__(self, record: IdempotencyRecord) -> None:
        self._record = record

    @property
    def work_id(self) -> str:
        """The same however often this request is taken up until it succeeds: to name what must be stored once."""
        return uuid.uuid5(_WORK, str(self._record.pk)).hex

    def complete(self, response: HttpResponseBase) -> None:
        """Keep the answer, in the transaction that writes the work. Raises InFlight as `_complete`."""
        _complete(self._record, response)

    def release(self) -> None:
        """The work failed: the same request may be sent again at once."""
        _reserved(self._record).update(reserved_at=self._record.reserved_at - ABANDONED)


def reserving(handler: Handler) -> Handler:
    """Give a view's `post` its Idempotency-Key where it completes the answer itself.

    The handler is given `reservation`, None without a key. It must complete or release it, unless it raises: a
    refusal is kept, and a failure releases it. An answer that is kept goes through the view's `replay`, with its data.
    """

    @wraps(handler)
    def answer_once(view: Any, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        key = request.headers.get("Idempotency-Key")
        if key is None:
            return handler(view, request, *args, reservation=None, **kwargs)
        record = _reserve(request, key)
        if record.status is not None:
            response: HttpResponseBase = view.replay(_replay(record))
            return response
        reservation = Reservation(record)
        try:
            return handler(view, request, *args, reservation=reservation, **kwargs)
        except Exception as error:
            refused: Response = view.handle_exception(error)
            if refused.status_code >= 500 or isinstance(error, InFlight):
                reservation.release()
            else:
                _complete(record, refused)
            return refused

    return answer_once


def _reserve(request: Request, key: str) -> IdempotencyRecord:
    """The record of this key: a fresh reservation (`status` None) or one that holds the answer."""
    if not _KEY.fullmatch(key):
        problem = _("An Idempotency-Key has 1 to 200 visible ASCII characters.")
        raise InvalidInput(problem, fields={"Idempotency-Key": [problem]})
    now = timezone.now()
    record = IdempotencyRecord(
        api_key_id=request.auth.pk,
        key=key,
        target=f"{request.method} {request.get_full_path()}"[:2000],
        body_hash=hashlib.sha256(request.body).hexdigest(),
        reserved_at=now,
    )
    try:
        with transaction.atomic():
            IdempotencyRecord.objects.filter(reserved_at__lt=now - KEPT).delete()
            record.save(force_insert=True)
    except IntegrityError:
        return _standing(record, now)
    return record


def _standing(record: IdempotencyRecord, now: datetime) -> IdempotencyRecord:
    standing = IdempotencyRecord.objects.filter(api_key_id=record.api_key_id, key=record.key).first()
    busy = InFlight(_("The same request is being carried out at this moment. Try again in a second."))
    if standing is None:
        raise busy  # the first one failed in this very moment
    if (standing.target, standing.body_hash) != (record.target, record.body_hash):
        raise IdempotencyMismatch(_("This Idempotency-Key was used for another request."))
    if standing.status is not None:
        return standing
    taken_over = IdempotencyRecord.objects.filter(
        pk=standing.pk, status=None, reserved_at=standing.reserved_at, reserved_at__lte=now - ABANDONED
    ).update(reserved_at=now)
    if not taken_over:
        raise busy
    standing.reserved_at = now
    return standing


def _complete(record: IdempotencyRecord, response: HttpResponseBase, *, without: Collection[str] = ()) -> None:
    """Keep the answer, with null for the fields that it is kept without.

    Raises InFlight, and so takes the work back, when another request has taken the key over.
    """
    if isinstance(response, Response):
        hidden = {name: None for name in without if name in response.data}
        body = JSONRenderer().render({**response.data, **hidden} if hidden else response.data)
    else:
        body = response.content  # type: ignore[attr-defined]
    kept = _reserved(record).update(
        status=response.status_code,
        headers={name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers},
        body=body.decode(),
    )
    if not kept:
        raise InFlight(_("The same request is being carried out at this moment. Try again in a second."))


def _reserved(record: IdempotencyRecord) -> QuerySet[IdempotencyRecord]:
    """The row, as long as no other request has taken the key over."""
    return IdempotencyRecord.objects.filter(pk=record.pk, status=None, reserved_at=record.reserved_at)


def _note_refusal(view: Any, record: IdempotencyRecord, error: Exception) -> HttpResponseBase:
    """A refusal is an answer like any other; a failure of ours is not kept, so that it can be tried again."""
    response: Response = view.handle_exception(error)
    if response.status_code >= 500 or isinstance(error, InFlight):
        _reserved(record).delete()
    else:
        _complete(record, response)
    return response


def _replay(record: IdempotencyRecord) -> HttpResponse:
    return HttpResponse(
        record.body.encode(),
        status=record.status,
        content_type="application/json",
        headers={**record.headers, "Idempotent-Replay": "true"},
    )
