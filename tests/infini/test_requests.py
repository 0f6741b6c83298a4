"""What every answer carries, and what a request for nothing, or a failing server, is answered with."""

import gzip
import logging

import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.handlers.wsgi import WSGIHandler
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import path
from pytest_django import Settings

from infini import urls

pytestmark = pytest.mark.django_db

FAILURES: dict[str, Exception] = {
    "too-large": RequestDataTooBig("secret reason"),
    "odd": SuspiciousOperation("secret reason"),
    "forbidden": PermissionDenied("secret reason"),
    "broken": RuntimeError("secret reason"),
}


def fail(request: HttpRequest, kind: str) -> HttpResponse:
    raise FAILURES[kind]


urlpatterns = [*urls.urlpatterns, path("fail/<kind>", fail), path("api/v1/fail/<kind>", fail)]
handler400, handler403, handler404, handler500 = urls.handler400, urls.handler403, urls.handler404, urls.handler500


@pytest.fixture
def calm_client(settings: Settings) -> Client:
    """A client that shows the error page instead of raising the error, on a site with views that fail."""
    settings.ROOT_URLCONF = __name__
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [
        ("too-large", 413, "too_large"),
        ("odd", 400, "bad_request"),
        ("forbidden", 403, "permission_denied"),
        ("broken", 500, "server_error"),
    ],
)
def test_the_api_answers_a_failure_in_json_and_a_page_in_html(
    calm_client: Client, kind: str, status: int, code: str
) -> None:
    answer = calm_client.get(f"/api/v1/fail/{kind}")
    assert answer.status_code == status
    assert answer.json() == {"detail": answer.json()["detail"], "code": code, "request_id": answer["X-Request-ID"]}
    page = calm_client.get(f"/fail/{kind}")
    assert page.status_code == status
    assert page["Content-Type"].startswith("text/html")
    assert page["X-Request-ID"] in page.text
    assert "secret reason" not in answer.text + page.text


def test_an_unknown_address_is_json_below_api_and_a_page_elsewhere(client: Client) -> None:
    answer = client.get("/api/v1/no-such-thing")
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"
    page = client.get("/no-such-page")
    assert page.status_code == 404
    assert page["Content-Type"].startswith("text/html")


def test_error_pages_speak_the_readers_language(client: Client) -> None:
    page = client.get("/no-such-page", headers={"Accept-Language": "zh-CN,zh;q=0.9"})
    assert '<html lang="zh-hans">' in page.text.lower()
    assert "此地址没有任何内容。" in page.text


def test_a_foreign_host_is_refused(client: Client) -> None:
    assert client.get("/api/v1/x", headers={"Host": "evil.example"}).json()["code"] == "bad_request"


def test_a_form_without_its_token_is_refused() -> None:
    answer = Client(enforce_csrf_checks=True).post("/admin/login/", {"username": "a", "password": "b"})
    assert answer.status_code == 403
    assert answer["X-Request-ID"] in answer.text


def test_a_sane_request_id_is_kept(client: Client) -> None:
    assert (
        client.get("/healthz", headers={"X-Request-ID": "agent-7.call_00042"})["X-Request-ID"] == "agent-7.call_00042"
    )


@pytest.mark.parametrize(
    "given", ["", "short", "x" * 65, "two words 1", "a\nb-injected", "<script>x</script>", "编号编号编号编号"]
)
def test_any_other_request_id_is_replaced(client: Client, given: str) -> None:
    request_id = client.get("/healthz", headers={"X-Request-ID": given})["X-Request-ID"]
    assert request_id != given
    assert len(request_id) == 32


def test_two_requests_have_two_ids(client: Client) -> None:
    assert client.get("/healthz")["X-Request-ID"] != client.get("/healthz")["X-Request-ID"]


class Lines(logging.Handler):
    """Keeps log lines as the project's own handler would print them."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.setFormatter(next(h.formatter for h in logging.root.handlers if type(h) is logging.StreamHandler))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


def test_the_log_line_of_a_failed_request_carries_its_id(client: Client) -> None:
    kept = Lines()
    logging.root.addHandler(kept)
    try:
        client.get("/no-such-page", headers={"X-Request-ID": "find-me-0001"})
    finally:
        logging.root.removeHandler(kept)
    assert any("Not Found: /no-such-page" in line and "find-me-0001" in line for line in kept.lines)


@pytest.mark.parametrize("address", ["/healthz", "/no-such-page", "/admin/login/", "/api/v1/no-such-thing"])
def test_every_answer_forbids_foreign_content(client: Client, address: str) -> None:
    policy = client.get(address)["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


def test_the_health_check_says_that_all_is_well(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "database": "ok"})
    assert "no-store" in answer["Cache-Control"]
    assert client.post("/healthz").status_code == 405


def test_the_health_check_says_that_the_database_is_gone_and_not_why(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OperationalError("could not connect as user=root password=hunter2")

    monkeypatch.setattr("django.db.connection.cursor", refuse)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (503, {"status": "unavailable", "database": "unavailable"})


@pytest.mark.parametrize(
    ("path", "has_traceback"), [("/fail/forbidden", False), ("/nowhere", False), ("/fail/broken", True)]
)
def test_only_a_fault_is_logged_with_a_traceback(
    calm_client: Client, caplog: pytest.LogCaptureFixture, path: str, has_traceback: bool
) -> None:
    calm_client.get(path)
    (line,) = [record for record in caplog.records if record.name == "django.request"]
    assert bool(line.exc_info) is has_traceback


@pytest.mark.parametrize("path", ["/api/docs/", "/login/", "/healthz", "/api/v1/topics", "/nowhere"])
def test_head_is_answered_like_get_without_the_body(calm_client: Client, path: str) -> None:
    request = RequestFactory().head(path, HTTP_HOST="localhost")
    handler = WSGIHandler()
    answer = handler.get_response(request)
    whole = calm_client.get(path, HTTP_HOST="localhost")
    assert answer.status_code == whole.status_code
    assert answer.content == b""
    assert answer["Content-Type"] == whole["Content-Type"]


def test_who_asks_for_favicon_ico_gets_the_icon(client: Client) -> None:
    assert client.get("/favicon.ico")["Location"] == "/static/favicon.svg"


def test_pages_are_compressed_and_answers_to_programs_are_not() -> None:
    client = Client(headers={"accept-encoding": "gzip"})
    page = client.get("/login/")
    assert page["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in page["Vary"]
    assert b"</html>" in gzip.decompress(page.content)
    assert "Content-Encoding" not in client.get("/api/schema/").headers
    assert "Content-Encoding" not in Client().get("/login/").headers
