"""How one person likes the console."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from topics.errors import InvalidInput
from topics.models import Membership, Preference, Space

CHOICES: dict[str, list[str]] = {"language": Space.Language.values, "theme": Preference.Theme.values}


def set_preferences(*, user: Any, changes: dict[str, Any]) -> Preference:
    """Keep what a person chose. Raises InvalidInput for an unknown choice, or a space that is not the person's."""
    problems = {name: [_("Unknown choice.")] for name, value in changes.items() if not _is_choice(user, name, value)}
    if problems:
        raise InvalidInput(_("Unknown choice."), fields=problems)
    return Preference.objects.update_or_create(user=user, defaults=changes)[0]


def _is_choice(user: Any, name: str, value: Any) -> bool:
    if name == "single_keys":
        return isinstance(value, bool)
    if name == "space":
        return Membership.objects.filter(user=user, space=value).exists()
    return value in CHOICES.get(name, [])
