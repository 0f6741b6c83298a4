"""Spaces, their people and their keys."""

from __future__ import annotations

import hashlib
import re
import secrets
import zoneinfo
from collections.abc import Iterable
from datetime import datetime, time, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _

from topics.errors import InvalidInput, WrongState
from topics.models import ApiKey, Membership, Preference, Space
from topics.text.clean import clean_name

KEY_START = "im_"
MOST_REQUESTS = 1_000_000  # a minute
CHOICES: dict[str, list[str]] = {
    "language": Space.Language.values,
    "review_policy": Space.ReviewPolicy.values,
    "conflict_policy": Space.ConflictPolicy.values,
    "source_turns": Space.SourceTurns.values,
    "topic_sensitivity": Space.TopicSensitivity.values,
}
# The least and the most that each threshold of reading may be.
LIMITS: dict[str, tuple[int, int]] = {
    "read_after_turns": (0, 500),
    "read_after_tokens": (1, 100_000),
    "read_after_seconds": (1, 86_400),
}


def create_space(
    *,
    slug: str,
    name: str = "",
    language: str = Space.Language.ENGLISH,
    time_zone: str = "UTC",
    review_policy: str = Space.ReviewPolicy.EVERYTHING,
    conflict_policy: str = Space.ConflictPolicy.REVIEW,
    source_turns: str = "",
    topic_sensitivity: str = Space.TopicSensitivity.NORMAL,
) -> Space:
    """Create a space. Unless `source_turns` says otherwise, agents may see every turn where nothing waits for a person.

    Raises InvalidInput for a bad slug, language, time zone or policy, WrongState when the slug is taken.
    """
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", slug):
        problem = _("Use lower-case letters, digits, - and _, for example acme-sales.")
        raise InvalidInput(problem, fields={"slug": [problem]})
    automatic = review_policy == Space.ReviewPolicy.AUTOMATIC
    source_turns = source_turns or (Space.SourceTurns.ALL if automatic else Space.SourceTurns.APPROVED)
    check_settings(
        language=language,
        time_zone=time_zone,
        review_policy=review_policy,
        conflict_policy=conflict_policy,
        source_turns=source_turns,
        topic_sensitivity=topic_sensitivity,
    )
    try:
        with transaction.atomic():
            return Space.objects.create(
                slug=slug,
                name=clean_name(name or slug),
                language=language,
                time_zone=time_zone,
                review_policy=review_policy,
                conflict_policy=conflict_policy,
                source_turns=source_turns,
                topic_sensitivity=topic_sensitivity,
            )
    except IntegrityError as error:
        raise WrongState(_("A space named %(slug)s exists already.") % {"slug": slug}, code="slug_taken") from error


def update_space(*, space: Space, changes: dict[str, Any]) -> Space:
    """Change name, language, time zone, policies, what agents see, what becomes a topic or when conversations are read.

    Raises InvalidInput for an unknown value.
    """
    allowed = {"name", "time_zone", *CHOICES, *LIMITS}
    if unknown := set(changes) - allowed:
        raise InvalidInput(_("Unknown settings."), fields={name: [_("Unknown setting.")] for name in unknown})
    if "name" in changes:
        changes = {**changes, "name": clean_name(changes["name"])}
    check_settings(**{k: v for k, v in changes.items() if k != "name"})
    for field, value in changes.items():
        setattr(space, field, value)
    space.save(update_fields=list(changes))
    return space


def check_settings(**values: Any) -> None:
    """Raise InvalidInput, naming the field, for a value not among its choices or limits, or no IANA time zone."""
    for field, value in values.items():
        if field in LIMITS:
            _check_limit(field, value)
            continue
        allowed = zoneinfo.available_timezones() if field == "time_zone" else CHOICES[field]
        if value not in allowed:
            problem = _("%(value)s is not a valid value.") % {"value": value}
            raise InvalidInput(problem, fields={field: [problem]})


def _check_limit(field: str, value: Any) -> None:
    least, most = LIMITS[field]
    if value is not None and not (isinstance(value, int) and least <= value <= most):
        problem = _("Enter a whole number from %(least)d to %(most)d, or nothing.") % {"least": least, "most": most}
        raise InvalidInput(problem, fields={field: [problem]})


def set_member(*, space: Space, user: Any, role: str) -> Membership:
    """Give `user` a role in the space, or change it. Raises WrongState when the last admin would lose the role."""
    if role not in Membership.Role.values:
        raise InvalidInput(_("Unknown role."), fields={"role": [_("Unknown role.")]})
    with transaction.atomic():
        members = list(space.memberships.select_for_update(no_key=True))
        admins = [m.user_id for m in members if m.role == Membership.Role.ADMIN]
        if role != Membership.Role.ADMIN and admins == [user.pk]:
            raise WrongState(_("A space keeps at least one admin."), code="last_admin")
        return Membership.objects.update_or_create(space=space, user=user, defaults={"role": role})[0]


def remove_member(*, member: Membership) -> Membership:
    """Take a person out of the space; what they did stays. API keys that they made go on working.

    Raises WrongState for the last admin.
    """
    with transaction.atomic():
        members = list(Membership.objects.select_for_update(no_key=True).filter(space=member.space_id))
        if [m.pk for m in members if m.role == Membership.Role.ADMIN] == [member.pk]:
            raise WrongState(_("A space keeps at least one admin."), code="last_admin")
        Membership.objects.filter(pk=member.pk).delete()
        Preference.objects.filter(user=member.user_id, space=member.space_id).update(space=None)
    return member


def create_api_key(
    *,
    space: Space,
    scopes: Iterable[str],
    name: str = "",
    expires_at: datetime | None = None,
    requests_per_minute: int | None = None,
    created_by: Any = None,
) -> tuple[ApiKey, str]:
    """Make a key: the stored row and the key itself, which is never to be seen again.

    Raises InvalidInput for an unknown scope, no scope, an expiry in the past, or a limit out of range.
    """
    wanted = list(dict.fromkeys(scopes))
    if not wanted or set(wanted) - set(ApiKey.Scope.values):
        problem = _("Choose one or more of %(scopes)s.") % {"scopes": ", ".join(ApiKey.Scope.values)}
        raise InvalidInput(problem, fields={"scopes": [problem]})
    if expires_at is not None and expires_at <= timezone.now():
        problem = _("The expiry lies in the past.")
        raise InvalidInput(problem, fields={"expires_at": [problem]})
    if requests_per_minute is not None and not 0 <= requests_per_minute <= MOST_REQUESTS:
        problem = _("Enter a whole number from %(least)d to %(most)d, or nothing.") % {
            "least": 0,
            "most": MOST_REQUESTS,
        }
        raise InvalidInput(problem, fields={"requests_per_minute": [problem]})
    plain = KEY_START + secrets.token_urlsafe(32)
    key = ApiKey.objects.create(
        space=space,
        name=name.strip()[:100],
        prefix=plain[:10],
        digest=digest_key(plain),
        scopes=wanted,
        expires_at=expires_at,
        requests_per_minute=requests_per_minute,
        created_by=created_by,
    )
    return key, plain


def read_expiry(text: str, *, space: Space) -> datetime:
    """When a key ends that is given `text`: `2027-01-31` (the whole day), `2027-01-31T18:00` or `90d` (from now).

    A day, and a time without its zone, are those of the space. Raises InvalidInput for anything else.
    """
    try:
        moment = _moment(text.strip(), zoneinfo.ZoneInfo(space.time_zone))
    except (ValueError, OverflowError):
        moment = None
    if moment is None or moment.year >= datetime.max.year:  # where time zones overflow
        problem = _("Give a day (2027-01-31), a date and time (2027-01-31T18:00+01:00) or days from now (90d).")
        raise InvalidInput(problem, fields={"expires_at": [problem]})
    return moment


def _moment(text: str, zone: zoneinfo.ZoneInfo) -> datetime | None:
    """Raises ValueError or OverflowError for what reads as a time and is none."""
    if days := re.fullmatch(r"([0-9]{1,6})d", text):
        return timezone.now() + timedelta(days=int(days[1]))
    if day := parse_date(text):
        return datetime.combine(day, time.max, tzinfo=zone)
    moment = parse_datetime(text)
    return moment.replace(tzinfo=zone) if moment and timezone.is_naive(moment) else moment


def digest_key(plain: str) -> str:
    """SHA-256 of a key, in hex."""
    return hashlib.sha256(plain.encode()).hexdigest()


def revoke_api_key(*, key: ApiKey) -> ApiKey:
    """Make the key useless from now on. Revoking twice keeps the first time."""
    ApiKey.objects.filter(pk=key.pk, revoked_at__isnull=True).update(revoked_at=timezone.now())
    key.refresh_from_db()
    return key
