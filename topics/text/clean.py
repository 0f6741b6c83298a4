"""What may be stored: the checks that every text from outside passes."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from topics.errors import InvalidInput
from topics.text.names import name_key

_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACES = re.compile(r"\s+")
CLOCKS_DIFFER = timedelta(hours=24)


def storable_text(value: object, *, field: str, limit: int, blank: bool = False) -> str:
    """`value` unchanged, if it is text that every database can hold.

    Raises InvalidInput, naming `field`, for anything but a string, for NUL and lone surrogates, for text longer than
    `limit` code points, and for blank text unless `blank`.
    """
    if not isinstance(value, str):
        raise InvalidInput(_("A text is expected."), fields={field: [_("A text is expected.")]})
    problem = ""
    if "\x00" in value or _SURROGATE.search(value):
        problem = _("The text holds a NUL character or half a character, which cannot be stored.")
    elif len(value) > limit:
        problem = _("The text is longer than %(limit)d characters.") % {"limit": limit}
    elif not blank and not value.strip():
        problem = _("The text is empty.")
    if problem:
        raise InvalidInput(problem, fields={field: [problem]})
    return value


def clean_name(value: object, *, field: str = "name") -> str:
    """A name on one line: white space folded, control characters refused, 1 to 200 characters."""
    name = _SPACES.sub(" ", storable_text(value, field=field, limit=1000)).strip()
    problem = ""
    if any(unicodedata.category(char) == "Cc" for char in name):
        problem = _("A name holds no control characters.")
    elif not name_key(name):
        problem = _("The text is empty.")
    if problem:
        raise InvalidInput(problem, fields={field: [problem]})
    return storable_text(name, field=field, limit=200)


def storable_time(value: object, *, field: str) -> datetime:
    """`value` unchanged, if it is an aware time that exists in every time zone: the first and last year do not.

    Raises InvalidInput, naming `field`, for anything else.
    """
    if (
        not isinstance(value, datetime)
        or timezone.is_naive(value)
        or value.year in (datetime.min.year, datetime.max.year)
    ):
        problem = _("Give date, time and zone, for example 2024-05-08T13:56:00+08:00.")
        raise InvalidInput(problem, fields={field: [problem]})
    return value


def said_time(value: object, *, field: str) -> datetime:
    """`value` unchanged, if it is a time at which something can have been said: at most 24 hours ahead of now.

    The newest words win, so a time far ahead would win over everything that is said until then. Raises InvalidInput,
    naming `field`, for anything else.
    """
    moment = storable_time(value, field=field)
    if moment > timezone.now() + CLOCKS_DIFFER:
        problem = _("Nothing was said in the future: give a time at most 24 hours ahead of now.")
        raise InvalidInput(problem, fields={field: [problem]})
    return moment
