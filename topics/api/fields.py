"""Fields that take what they say and nothing else: DRF's own turn numbers into text and naive times into aware ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NoReturn
from uuid import UUID

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

# "+08:00" arrives as " 08:00" when a caller does not escape it in a query string.
_UNESCAPED_PLUS = re.compile(r"(?<=\d) (?=\d\d:?\d\d$)")


class Strict(serializers.Serializer[Any]):
    """Refuses a field that it does not know, so that a typing error does not lose a change."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = set(data) - set(self.fields) if isinstance(data, Mapping) else ()
        if unknown:
            raise serializers.ValidationError({name: [_("Unknown field.")] for name in sorted(unknown)})
        return super().to_internal_value(data)


def list_of(item: type[serializers.Serializer[Any]], *, most: int, **kwargs: Any) -> serializers.ListField:
    """A list of at most `most` objects."""
    return serializers.ListField(child=item(), max_length=most, **kwargs)


class Text(serializers.CharField):
    """A string, verbatim: not trimmed, and no number taken for one."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"trim_whitespace": False, **kwargs})

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        if not self.allow_blank and not data.strip():
            self.fail("blank")
        return super().to_internal_value(data)

    @property
    def pattern(self) -> str:
        """What the description says of it: not blank."""
        return "" if self.allow_blank else r"\S"


class Name(Text):
    """What `topics.text.clean.clean_name` takes: up to 200 characters, none of them a control character."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": 200, **kwargs})

    @property
    def pattern(self) -> str:
        controls = r"\u0000-\u0008\u000E-\u001B\u007F-\u0084\u0086-\u009F"  # others are white space, and folded
        name = rf"[^{controls}]*[^{controls}\s][^{controls}]*"
        return f"^({name})?$" if self.allow_blank else f"^{name}$"


class Choice(serializers.ChoiceField):
    """One of several texts; a refusal names them."""

    default_error_messages = {"invalid_choice": _("“{input}” is none of: {choices}.")}

    def fail(self, key: str, **kwargs: Any) -> NoReturn:
        super().fail(key, choices=", ".join(map(str, self.choices)), **kwargs)


class Flag(serializers.BooleanField):
    """True or false; in an address, where everything is text, also what reads as one of them."""

    def to_internal_value(self, data: Any) -> Any:
        is_text_in_address = isinstance(data, str) and self.context.get("is_address", False)
        if not isinstance(data, bool) and not is_text_in_address:
            self.fail("invalid", input=data)
        return super().to_internal_value(data)


class Id(serializers.UUIDField):
    """An id as text; DRF's own takes any number for one."""

    def to_internal_value(self, data: Any) -> UUID:
        if not isinstance(data, str):
            self.fail("invalid", value=data)
        return super().to_internal_value(data)


@extend_schema_field({"type": "string", "format": "date-time", "minLength": 1})
class Moment(serializers.DateTimeField):
    """A date and time with its zone, ISO 8601."""

    default_error_messages = {
        "invalid": _("Give date, time and zone, for example 2024-05-08T13:56:00+08:00."),
        "zone": _("Give the time zone, for example 2024-05-08T13:56:00+08:00."),
    }

    def to_internal_value(self, value: Any) -> datetime:
        if not isinstance(value, str):
            self.fail("invalid")
        try:
            moment = parse_datetime(_UNESCAPED_PLUS.sub("+", value.strip()))
            if moment is None:
                self.fail("invalid")
            if timezone.is_naive(moment):
                self.fail("zone")
            moment = moment.astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail("invalid")
        # The first and the last year leave no room for other time zones.
        if not datetime.min.year < moment.year < datetime.max.year:
            self.fail("invalid")
        return moment
