"""What the frame of every console page shows."""

from __future__ import annotations

from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest

from topics.console.access import ConsoleRequest
from topics.models import Preference

# Each language by its own name, so that everybody finds theirs.
LANGUAGE_NAMES = {"en": "English", "zh-hans": "简体中文"}


def shell(request: HttpRequest) -> dict[str, Any]:
    """The current space with its switcher, and how the person likes the console. Little for the signed-out."""
    frame: dict[str, Any] = {
        "ui_languages": [(code, LANGUAGE_NAMES[code]) for code, _label in settings.LANGUAGES],
        "themes": Preference.Theme.choices,
        "preference": getattr(request, "preference", None) or Preference(),
    }
    if hasattr(request, "space"):
        request = cast(ConsoleRequest, request)
        frame |= {"space": request.space, "membership": request.membership, "memberships": request.memberships}
    return frame
