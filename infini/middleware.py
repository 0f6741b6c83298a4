"""What every request and response gets: an id to find it by, a strict content security policy, pages compressed."""

import re
import uuid
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

GetResponse = Callable[[HttpRequest], HttpResponse]

SANE_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)

CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
    ]
)


class RequestIdMiddleware:
    """Sets `request.request_id`, adds it to every log line of the request and answers it as X-Request-ID.

    A caller's own X-Request-ID is kept when it is 8 to 64 letters, digits, dots, dashes or underscores; it ends up in
    logs, so anything else is replaced.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if SANE_REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        request.request_id = request_id  # type: ignore[attr-defined]
        # Not a context manager: Django logs 4xx and 5xx answers after the last middleware has returned.
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        return response


class HeadMiddleware:
    """Answers HEAD as GET would, without the body: Django leaves that to the server, and gunicorn to Django."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method == "HEAD" and response.streaming:
            response.streaming_content = ()  # type: ignore[attr-defined]
        elif request.method == "HEAD":
            response.content = b""  # Content-Length stays that of the body
        return response


class CompressPagesMiddleware(GZipMiddleware):
    """Compresses pages, and nothing else: streams must not wait for a full buffer, and an ETag of the API stays strong.

    What makes it safe to compress a page that repeats what was typed beside a secret: Django masks the token of a form
    anew in each answer, and this middleware varies the length (BREACH, Gluck, Harris and Prado 2013).
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        return super().process_response(request, response) if is_page and not response.streaming else response


class ContentSecurityPolicyMiddleware:
    """Allows only the site's own scripts, styles, images and forms; nobody may frame a page."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        return response
