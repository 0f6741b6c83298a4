"""Error pages within the frame of the console, so that a member who came to one can go on from there."""

from __future__ import annotations

from typing import Any, cast

import structlog
from django.http import HttpRequest
from django.template.loader import render_to_string

from topics.console.access import ConsoleRequest, enter

log = structlog.get_logger(__name__)


def framed_error(request: HttpRequest, status: int, detail: Any, request_id: str) -> str | None:
    """The page of an error for a signed-in member; None for anybody else, and where the frame itself fails.

    After a failure of the server nothing more is asked of the database than the frame shows of a space that was
    entered before it.
    """
    console = cast(ConsoleRequest, request)
    context = {"status": status, "detail": detail, "request_id": request_id}
    try:
        if not hasattr(request, "space") and (status >= 500 or not _enters(console)):
            return None
        return render_to_string("shell/error.html", context, request)
    except Exception:  # whatever it is, the page without a frame still says what happened
        log.warning("error_page_not_framed", exc_info=True)
        return None


def _enters(request: ConsoleRequest) -> bool:
    user = getattr(request, "user", None)
    return user is not None and user.is_authenticated and enter(request)
