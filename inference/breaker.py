"""The circuit breaker of an endpoint, in the database, so that all workers leave a failing endpoint alone together.

After `FAILURES` failed calls in a row it opens. Once its pause is over, one call is let through as a probe; if that
succeeds the breaker closes, else it opens for longer. Nobody has to reset it. The pattern is from M. Nygard, "Release
It!", chapter 5.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db.models import F, Q
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from inference.endpoints import Endpoint
from inference.errors import Unavailable
from inference.models import Breaker

FAILURES = 5
FIRST_PAUSE = 30.0
LONGEST_PAUSE = 300.0
# While another worker's probe is on its way.
PROBE_PAUSE = 5.0


def enter(endpoint: Endpoint) -> None:
    """Ask leave for a call. Raises Unavailable while the breaker is open and while somebody else's probe runs."""
    now = timezone.now()
    breaker = Breaker.objects.filter(endpoint=endpoint.base_url, open_until__isnull=False).first()
    if breaker is None or breaker.open_until is None:
        return
    wait = (breaker.open_until - now).total_seconds()
    if wait <= 0:
        is_free = Q(probe_until__isnull=True) | Q(probe_until__lte=now)
        until = now + timedelta(seconds=settings.INFINI_MODEL_TIMEOUT)
        if Breaker.objects.filter(is_free, pk=breaker.pk, open_until=breaker.open_until).update(probe_until=until):
            return
        wait = PROBE_PAUSE
    message = _("The model at {host} failed several times in a row. It is left alone for a while.")
    raise Unavailable(format_lazy(message, host=endpoint.host), retry_after=wait)


def note_success(endpoint: Endpoint) -> None:
    """The endpoint answered, if only with a refusal."""
    Breaker.objects.filter(endpoint=endpoint.base_url, failures__gt=0).update(
        failures=0, open_until=None, probe_until=None
    )


def note_failure(endpoint: Endpoint) -> None:
    """The endpoint did not answer, or said that it is out of order."""
    breaker, _made = Breaker.objects.get_or_create(endpoint=endpoint.base_url)
    Breaker.objects.filter(pk=breaker.pk).update(failures=F("failures") + 1, probe_until=None)
    breaker.refresh_from_db()
    if breaker.failures >= FAILURES:
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(10, breaker.failures - FAILURES))
        Breaker.objects.filter(pk=breaker.pk).update(open_until=timezone.now() + timedelta(seconds=pause))


def note_nothing(endpoint: Endpoint) -> None:
    """The call ended without saying anything about the endpoint; if it was the probe, another may follow."""
    Breaker.objects.filter(endpoint=endpoint.base_url, probe_until__isnull=False).update(probe_until=None)


def reset(endpoint: Endpoint) -> None:
    """Forget all failures: somebody says that the endpoint is well again."""
    Breaker.objects.filter(endpoint=endpoint.base_url).delete()
