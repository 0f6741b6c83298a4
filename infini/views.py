"""Views that belong to no app: the health check and the error pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from django.core.exceptions import RequestDataTooBig
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from topics.console.errors import framed_error

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

log = structlog.get_logger(__name__)

_migrated = False


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers and is migrated, else 503: `{"status", "database"}`. The log has the reason."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        state = "ok" if _is_migrated() else "not migrated"
    except DatabaseError as error:
        log.error("health check failed", error=str(error))
        state = "unavailable"
    status = "ok" if state == "ok" else "unavailable"
    return JsonResponse({"status": status, "database": state}, status=200 if state == "ok" else 503)


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """For browsers and readers that ask here whatever a page says."""
    return redirect(static("favicon.svg"))


def _is_migrated() -> bool:
    """Whether the tables of every app are there. Once they are, they stay for the life of the process."""
    global _migrated
    if not _migrated:
        executor = MigrationExecutor(connection)
        _migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return _migrated


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A request that Django itself refuses: a bad host, a body too large, a forged cookie."""
    if isinstance(exception, RequestDataTooBig):
        return error_response(request, 413, "too_large", _("The request is too large."))
    return error_response(request, 400, "bad_request", _("The request cannot be understood."))


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The exception's text may tell more than people should read; what they should is its `for_people`."""
    text = getattr(exception, "for_people", "") or _("You may not do this.")
    return error_response(request, 403, "permission_denied", text)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form's token is missing or old; `reason` is for the log."""
    log.warning("csrf check failed", reason=reason)
    return error_response(request, 403, "csrf_failed", _("This page was open for too long. Load it again and repeat."))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_response(request, 404, "not_found", _("There is nothing at this address."))


def server_error(request: HttpRequest) -> HttpResponse:
    return error_response(request, 500, "server_error", _("Something went wrong here. It has been logged."))


def error_response(request: HttpRequest, status: int, code: str, detail: StrOrPromise) -> HttpResponse:
    """JSON for programs (all below /api/ and /compat/), a page for people. Both carry the request id to quote."""
    request_id = getattr(request, "request_id", "")
    if request.path.startswith(("/api/", "/compat/")):
        return JsonResponse({"detail": str(detail), "code": code, "request_id": request_id}, status=status)
    page = framed_error(request, status, detail, request_id)
    if page is None:
        # Without the request: a context processor may ask the database, and that may be what failed.
        page = render_to_string("error.html", {"status": status, "detail": detail, "request_id": request_id})
    response = HttpResponse(page, status=status)
    add_never_cache_headers(response)
    return response
