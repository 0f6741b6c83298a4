"""How often a key may call: so many requests a minute, counted in the database, so that all processes count the same.

The generic cell rate algorithm (ITU-T I.371): each request moves the bucket's moment on by a minute divided by the
limit, and is refused where that would lie more than a minute ahead. It needs one conditional update, which the database
makes atomic, and no window whose edge lets twice the limit through.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from django.conf import settings
from django.db.models import F, Value
from django.db.models.functions import Greatest

from topics.models import ApiKey, RateBucket

WINDOW = 60
_MICRO = 1_000_000


@dataclass(frozen=True, slots=True)
class Rate:
    """What a key has left. Times in seconds: until all of it is there again, and until a request is possible."""

    limit: int
    remaining: int
    reset: int
    retry_after: int

    @property
    def is_exceeded(self) -> bool:
        return self.retry_after > 0


def limit_of(key: ApiKey) -> int:
    """Requests a minute: the key's own limit, else that of the installation. 0 is none."""
    own = key.requests_per_minute
    return int(settings.INFINI_REQUESTS_PER_MINUTE if own is None else own)


def take_request(*, key: ApiKey, now: float | None = None) -> Rate | None:
    """Count a request of this key; one that is refused is not counted. None where no limit holds: nothing is written.

    `now` is in seconds since 1970.
    """
    limit = limit_of(key)
    if not limit:
        return None
    moment = int((time.time() if now is None else now) * _MICRO)
    step, window = math.ceil(WINDOW * _MICRO / limit), WINDOW * _MICRO
    bucket = RateBucket.objects.filter(api_key=key)
    free = bucket.filter(full_at__lte=moment + window - step)
    moved = {"full_at": Greatest(F("full_at"), Value(moment)) + step}
    taken = free.update(**moved)
    if not taken:
        RateBucket.objects.bulk_create([RateBucket(api_key=key)], ignore_conflicts=True)
        taken = free.update(**moved)
    ahead = max(0, bucket.values_list("full_at", flat=True).get() - moment)
    wait = 0 if taken else max(1, math.ceil((ahead + step - window) / _MICRO))
    return Rate(limit, max(0, (window - ahead) // step), math.ceil(ahead / _MICRO), wait)
