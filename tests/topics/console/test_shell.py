"""The frame of the console: who gets in, where the signed-out go and come back, and what is kept for a person."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from topics.errors import InvalidInput
from topics.models import Membership, Preference, Space
from topics.services.preferences import set_preferences
from topics.services.spaces import create_space, set_member

PAGES = ["home", "extraction:review", "topics:topics", "topics:activity", "extraction:conversations", "topics:settings"]


@pytest.mark.django_db
@pytest.mark.parametrize("name", PAGES)
def test_the_signed_out_are_sent_to_sign_in_and_back(client: Client, name: str) -> None:
    address = reverse(name)
    assert client.get(address)["Location"] == f"/login/?next={address}"


def test_signing_in_leads_back_to_the_page(client: Client, user: User) -> None:
    data = {"username": "maya", "password": "secret-word", "next": "/topics/"}
    assert client.post("/login/", data)["Location"] == "/topics/"


def test_a_wrong_password_says_so_and_keeps_the_name(client: Client, user: User) -> None:
    page = client.post("/login/", {"username": "maya", "password": "wrong"}).content.decode()
    assert "User name or password is wrong." in page
    assert 'value="maya"' in page


@pytest.mark.django_db
def test_htmx_is_told_to_leave_for_the_sign_in_page(client: Client) -> None:
    response = client.get(
        "/review/facts/", HTTP_HX_REQUEST="true", HTTP_HX_CURRENT_URL="http://testserver/review/facts/?q=budget"
    )
    assert response.headers["HX-Redirect"] == "/login/?next=/review/facts/%3Fq%3Dbudget"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("referrer", "came_from"),
    [("http://testserver/review/facts/?q=a", "/review/facts/%3Fq%3Da"), ("http://evil.example/", "/"), ("", "/")],
)
def test_a_form_sent_after_the_session_ended_leads_back_to_its_page(
    client: Client, referrer: str, came_from: str
) -> None:
    response = client.post("/review/undo/", HTTP_REFERER=referrer)
    assert response["Location"] == f"/login/?next={came_from}"


def test_somebody_without_a_space_is_told_so(client: Client, db: None) -> None:
    client.force_login(User.objects.create_user("nobody"))
    response = client.get("/review/facts/")
    assert response.status_code == 403
    assert "You belong to no space yet" in response.content.decode()


def test_a_reviewer_may_not_open_the_settings(client: Client, space: Space) -> None:
    person = User.objects.create_user("lin")
    set_member(space=space, user=person, role=Membership.Role.REVIEWER)
    client.force_login(person)
    response = client.get("/settings/")
    assert response.status_code == 403
    assert "Only an admin of this space may do this." in response.content.decode()
    assert 'href="/settings/"' not in client.get("/topics/").content.decode()


def test_nothing_is_kept_by_a_cache(signed_in: Client) -> None:
    response = signed_in.get("/topics/")
    assert "no-store" in response["Cache-Control"]
    assert "HX-Request" in response["Vary"]


def test_the_space_can_be_switched_among_ones_own(signed_in: Client, user: User, space: Space) -> None:
    other = create_space(slug="support", name="Support desk")
    set_member(space=other, user=user, role=Membership.Role.VIEWER)
    assert "<strong>Enterprise sales</strong>" in signed_in.get("/topics/").content.decode()
    assert signed_in.post("/preferences/", {"space": "support"})["Location"] == "/"
    assert "<strong>Support desk</strong>" in signed_in.get("/topics/").content.decode()


@pytest.mark.parametrize("slug", ["elsewhere", "nonsense", ""])
def test_a_space_of_others_cannot_be_entered(signed_in: Client, user: User, slug: str) -> None:
    create_space(slug="elsewhere", name="Elsewhere")
    assert signed_in.post("/preferences/", {"space": slug}).status_code == 400
    assert "Elsewhere" not in signed_in.get("/topics/").content.decode()


def test_who_leaves_a_space_lands_in_another(signed_in: Client, user: User, space: Space) -> None:
    other = create_space(slug="support", name="Support desk")
    membership = set_member(space=other, user=user, role=Membership.Role.VIEWER)
    set_preferences(user=user, changes={"space": other})
    membership.delete()
    assert "<strong>Enterprise sales</strong>" in signed_in.get("/topics/").content.decode()


def test_the_language_goes_with_the_person(signed_in: Client, user: User) -> None:
    signed_in.post("/language/", {"language": "zh-hans", "next": "/topics/"})
    assert Preference.objects.get(user=user).language == "zh-hans"
    elsewhere = Client()
    response = elsewhere.post("/login/", {"username": "maya", "password": "secret-word"})
    assert response.cookies["django_language"].value == "zh-hans"
    assert '<html lang="zh-Hans"' in elsewhere.get("/topics/").content.decode()


@pytest.mark.django_db
def test_the_signed_out_choose_a_language_too(client: Client) -> None:
    client.post("/language/", {"language": "zh-hans", "next": "/login/"})
    assert "登录" in client.get("/login/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("code", ["", "de", "xx-nonsense", "../en"])
def test_an_unknown_language_is_refused(client: Client, code: str) -> None:
    assert client.post("/language/", {"language": code}).status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""])
def test_a_switch_never_leads_away_from_the_site(client: Client, target: str) -> None:
    assert client.post("/language/", {"language": "en", "next": target})["Location"] == "/"


def test_theme_and_keys_are_kept(signed_in: Client) -> None:
    signed_in.post("/preferences/", {"theme": "dark"})
    assert signed_in.post("/preferences/", {"single_keys-shown": "1"}, HTTP_HX_REQUEST="true").status_code == 204
    shown = signed_in.get("/topics/").content.decode()
    assert 'data-theme="dark" data-keys="off"' in shown
    signed_in.post("/preferences/", {"single_keys-shown": "1", "single_keys": "on"})
    assert 'data-keys="on"' in signed_in.get("/topics/").content.decode()


def test_an_unknown_theme_is_refused(signed_in: Client) -> None:
    assert signed_in.post("/preferences/", {"theme": "sepia"}).status_code == 400


def test_preferences_that_are_none_are_refused(user: User) -> None:
    with pytest.raises(InvalidInput):
        set_preferences(user=user, changes={"password": "x"})


def test_signing_out_needs_a_form(signed_in: Client) -> None:
    assert signed_in.get("/logout/").status_code == 405
    signed_in.post("/logout/")
    assert signed_in.get("/topics/")["Location"].startswith("/login/")


def test_no_page_holds_inline_script_or_style(signed_in: Client) -> None:
    for address in ("/topics/", "/review/facts/", "/login/"):
        shown = signed_in.get(address, follow=True).content.decode()
        assert "<style" not in shown
        assert " style=" not in shown
        assert "<script>" not in shown


def test_who_is_sent_to_sign_in_is_told_that_the_last_decision_may_be_lost(client: Client) -> None:
    told = "what you decided last did not arrive"
    sent = client.get("/review/facts/", follow=True)
    assert told in sent.content.decode()
    assert told not in client.get(reverse("login")).content.decode()
