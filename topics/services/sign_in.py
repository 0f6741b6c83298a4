"""Who may try to sign in: after some failures an account cannot be tried from the same address for a while.

The count is of an account and an address together: guessing from elsewhere never keeps a person out. It is kept in the
database, so that every process counts the same.
"""

from __future__ import annotations

import hashlib
import ipaddress
import unicodedata
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import ngettext

from topics.errors import TooManyAttempts
from topics.models import SignInAttempts

FREE_FAILURES = 5
FIRST_PAUSE = timedelta(minutes=1)  # after the last free failure; each further one doubles it
LONGEST_PAUSE = timedelta(minutes=15)
FORGOTTEN_AFTER = timedelta(days=1)


def begin_attempt(*, username: str, address: str) -> None:
    """Count an attempt before the password is looked at, so that attempts at the same moment are all counted.

    `address` is an IP address, or any text that tells callers apart. Raises TooManyAttempts, whose details say in how
    many seconds the next attempt is free; it is not counted then.
    """
    with transaction.atomic():
        now = timezone.now()
        SignInAttempts.objects.filter(last_at__lt=now - FORGOTTEN_AFTER).delete()
        attempts, _created = SignInAttempts.objects.select_for_update(no_key=True).get_or_create(
            key=_key(username, address), defaults={"last_at": now}
        )
        if attempts.closed_until is not None and attempts.closed_until > now:
            raise _too_many(attempts.closed_until - now)
        attempts.failures += 1
        attempts.last_at, attempts.closed_until = now, _closed_until(attempts.failures, now)
        attempts.save()


def note_success(*, username: str, address: str) -> None:
    """Forget the attempts of one who knew the password."""
    SignInAttempts.objects.filter(key=_key(username, address)).delete()


def _key(username: str, address: str) -> str:
    name = unicodedata.normalize("NFKC", username).casefold()
    return hashlib.sha256(f"{name}\x1f{_network(address)}".encode("utf-8", "surrogatepass")).hexdigest()


def _network(address: str) -> str:
    """Whoever has an IPv6 address commands all of its /64 network."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((ip, 64), strict=False)) if ip.version == 6 else str(ip)


def _closed_until(failures: int, now: datetime) -> datetime | None:
    further = failures - FREE_FAILURES
    return now + min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(further, 10)) if further >= 0 else None


def _too_many(left: timedelta) -> TooManyAttempts:
    minutes = -(-left // timedelta(minutes=1))
    message = ngettext(
        "Signing in failed too often. Try again in %(minutes)d minute.",
        "Signing in failed too often. Try again in %(minutes)d minutes.",
        minutes,
    )
    return TooManyAttempts(message % {"minutes": minutes}, details={"seconds": -(-left // timedelta(seconds=1))})
