"""Ids of answers: a UUIDv7 whose last 32 bits are a digest of the others and the space, so that feedback on an answer
that the space never gave is known without a row for every answer."""

from __future__ import annotations

import uuid

from django.utils.crypto import salted_hmac

from topics.ids import uuid7
from topics.models import Space

_DIGEST_BITS = 32


def new_query_id(space: Space) -> uuid.UUID:
    """An id for an answer that the space gives."""
    return _signed(uuid7(), space)


def is_query_id(query_id: uuid.UUID, space: Space) -> bool:
    """Whether it is the id of an answer that this space gave."""
    return _signed(query_id, space) == query_id


def _signed(query_id: uuid.UUID, space: Space) -> uuid.UUID:
    start = query_id.int >> _DIGEST_BITS
    digest = salted_hmac("topics.queries", f"{space.pk}/{start}", algorithm="sha256").digest()
    return uuid.UUID(int=start << _DIGEST_BITS | int.from_bytes(digest[: _DIGEST_BITS // 8]))
