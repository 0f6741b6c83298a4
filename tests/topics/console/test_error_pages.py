"""Error pages as members see them: within the frame, in their language; without it where there is none to be had."""

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from pytest_django import Settings

from infini import urls
from topics.console.access import ConsoleRequest, needs_role
from topics.models import Membership, Space, Topic
from topics.services.preferences import set_preferences
from topics.services.spaces import set_member

pytestmark = pytest.mark.django_db
FRAME = '<nav class="sidebar"'


@needs_role(Membership.Role.VIEWER)
def broken(request: ConsoleRequest) -> HttpResponse:
    raise RuntimeError("secret reason")


@needs_role(Membership.Role.VIEWER)
def frame_broken(request: ConsoleRequest) -> HttpResponse:
    request.space = object()  # type: ignore[assignment]
    raise RuntimeError("secret reason")


def odd(request: HttpRequest) -> HttpResponse:
    raise BadRequest("secret reason")


urlpatterns = [
    *urls.urlpatterns,
    path("fail/broken/", broken),
    path("fail/frame/", frame_broken),
    path("fail/odd/", odd),
]
handler400, handler403, handler404, handler500 = urls.handler400, urls.handler403, urls.handler404, urls.handler500


@pytest.fixture
def calm(user: User, settings: Settings) -> Client:
    """Signed in, on a site with views that fail."""
    settings.ROOT_URLCONF = __name__
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/no-such-page/", 404, "There is nothing at this address."),
        ("/topics/00000000-0000-7000-8000-000000000000/", 404, "The activity tells"),
        ("/fail/odd/", 400, "cannot be understood"),
        ("/fail/broken/", 500, "What was stored before is safe."),
    ],
)
def test_a_member_gets_the_error_within_the_frame(
    calm: Client, topic: Topic, address: str, status: int, words: str
) -> None:
    response = calm.get(address)
    page = response.content.decode()
    assert response.status_code == status
    assert FRAME in page
    assert words in page
    assert page.count("data-detail") == 1
    assert response["X-Request-ID"] in page
    assert "secret reason" not in page
    assert "no-store" in response["Cache-Control"]


def test_who_may_not_is_told_why_within_the_frame_and_in_their_language(client: Client, space: Space) -> None:
    person = User.objects.create_user("tom")
    set_member(space=space, user=person, role=Membership.Role.REVIEWER)
    client.force_login(person)
    page = client.get("/settings/").content.decode()
    assert FRAME in page
    assert "Only an admin of this space may do this." in page
    set_preferences(user=person, changes={"language": "zh-hans"})
    shown = client.get("/no-such-page/").content.decode()
    assert '<html lang="zh-Hans"' in shown
    assert "此地址没有任何内容。" in shown


def test_a_frame_that_fails_itself_gives_way_to_the_plain_page(calm: Client) -> None:
    response = calm.get("/fail/frame/")
    page = response.content.decode()
    assert response.status_code == 500
    assert FRAME not in page
    assert "Something went wrong here." in page


def test_others_get_the_plain_page_and_programs_json(client: Client, space: Space) -> None:
    assert FRAME not in client.get("/no-such-page/").content.decode()
    client.force_login(User.objects.create_user("nobody"))
    assert FRAME not in client.get("/no-such-page/").content.decode()
    assert client.get("/api/v1/no-such-thing").json()["code"] == "not_found"
