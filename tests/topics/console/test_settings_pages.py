"""Space settings, members and keys: for admins only."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from topics.models import ApiKey, Membership, Preference, Space
from topics.models.space import SCOPES
from topics.services.preferences import set_preferences
from topics.services.spaces import create_api_key, create_space, digest_key, set_member

pytestmark = pytest.mark.django_db


def policies(**changes: str) -> dict[str, str]:
    return {
        "name": "Sales",
        "language": "zh-hans",
        "time_zone": "Asia/Shanghai",
        "review_policy": "uncertain",
        "conflict_policy": "newest",
        "source_turns": "none",
        "topic_sensitivity": "low",
    } | changes


def test_settings_are_changed(signed_in: Client, space: Space) -> None:
    assert signed_in.post(reverse("topics:settings"), policies()).status_code == 302
    space.refresh_from_db()
    assert {name: getattr(space, name) for name in policies()} == policies()


def test_thresholds_of_reading_are_set_and_left_to_the_default_again(signed_in: Client, space: Space) -> None:
    thresholds = {"read_after_turns": "12", "read_after_tokens": "900", "read_after_seconds": "45"}
    for sent, held in ((thresholds, [12, 900, 45]), ({}, [None, None, None])):
        assert signed_in.post(reverse("topics:settings"), policies(**sent)).status_code == 302
        space.refresh_from_db()
        assert [getattr(space, name) for name in thresholds] == held


@pytest.mark.parametrize(
    "change",
    [
        {"name": " "},
        {"time_zone": "Mars/Olympus"},
        {"review_policy": "never"},
        {"name": "a\x00b"},
        {"read_after_turns": "-1"},
        {"read_after_turns": "501"},
        {"read_after_tokens": "0"},
        {"read_after_seconds": "soon"},
        {"read_after_seconds": "86401"},
    ],
)
def test_a_setting_that_makes_no_sense_changes_nothing(signed_in: Client, space: Space, change: dict[str, str]) -> None:
    response = signed_in.post(reverse("topics:settings"), policies(**change))
    assert response.status_code == 422
    space.refresh_from_db()
    assert (space.name, space.time_zone, space.conflict_policy) == ("Enterprise sales", "UTC", "review")


def test_a_key_is_shown_once_and_works_from_then_on(signed_in: Client, space: Space) -> None:
    form = {"name": "CRM agent", "scopes": ["read", "write"], "expires_at": ""}
    made = signed_in.post(reverse("topics:keys"), form)
    assert (made.status_code, made["Location"]) == (302, reverse("topics:keys"))
    page = signed_in.get(reverse("topics:keys")).content.decode()
    assert all(str(allowed) in page for allowed in SCOPES.values())
    plain = page.split('id="new-key">')[1].split("<")[0]
    key = ApiKey.objects.get()
    assert (key.digest, key.scopes, key.name, key.created_by) == (
        digest_key(plain),
        ["read", "write"],
        "CRM agent",
        User.objects.get(),
    )
    later = signed_in.get(reverse("topics:keys")).content.decode()
    assert plain not in later
    assert key.prefix in later
    assert plain not in str(dict(signed_in.session))


def test_a_key_expires_at_the_end_of_its_last_day(signed_in: Client, space: Space) -> None:
    tomorrow = timezone.localdate() + timedelta(days=1)
    form = {"name": "CRM agent", "scopes": ["read"], "expires_at": tomorrow.isoformat()}
    signed_in.post(reverse("topics:keys"), form)
    expires_at = ApiKey.objects.get().expires_at
    assert expires_at is not None
    assert timezone.localdate(expires_at) == tomorrow


@pytest.mark.parametrize(
    "change",
    [{"scopes": []}, {"scopes": ["root"]}, {"expires_at": "2001-01-01"}, {"expires_at": "soon"}, {"name": ""}],
)
def test_a_key_that_makes_no_sense_is_not_made(signed_in: Client, change: dict[str, object]) -> None:
    response = signed_in.post(reverse("topics:keys"), {"name": "kept", "scopes": ["read"]} | change)
    assert response.status_code == 422
    assert "new-key" not in response.content.decode()
    assert not ApiKey.objects.exists()


def test_a_key_is_revoked_but_not_one_of_another_space(signed_in: Client, space: Space) -> None:
    key, _plain = create_api_key(space=space, scopes=["read"], name="Old")
    foreign, _plain = create_api_key(space=create_space(slug="other"), scopes=["read"])
    assert signed_in.post(reverse("topics:revoke_key", args=[key.pk])).status_code == 302
    assert signed_in.post(reverse("topics:revoke_key", args=[foreign.pk])).status_code == 404
    key.refresh_from_db()
    foreign.refresh_from_db()
    assert (key.is_usable, foreign.is_usable) == (False, True)
    assert "Revoked" in signed_in.get(reverse("topics:keys")).content.decode()


def test_before_a_key_is_revoked_the_page_asks_by_its_name(signed_in: Client, space: Space) -> None:
    key, _plain = create_api_key(space=space, scopes=["read"], name="CRM agent")
    page = signed_in.get(reverse("topics:keys")).content.decode()
    dialog = page.split(f'id="revoke-{key.pk}" popover')[1].split("</form>")[0]
    assert f"Revoke the key “CRM agent” ({key.prefix}…)?" in dialog
    assert f'popovertarget="revoke-{key.pk}"' in page
    assert page.count(reverse("topics:revoke_key", args=[key.pk])) == 1


def test_members_are_added_and_change_their_role(signed_in: Client, space: Space) -> None:
    User.objects.create_user("tom", first_name="Tom", last_name="Becker")
    for role in ("viewer", "reviewer"):
        assert signed_in.post(reverse("topics:members"), {"username": "tom", "role": role}).status_code == 302
        assert space.memberships.get(user__username="tom").role == role
    assert "Tom Becker" in signed_in.get(reverse("topics:members")).content.decode()


@pytest.mark.parametrize(
    ("username", "role", "status"), [("nobody", "viewer", 422), ("maya", "viewer", 409), ("maya", "owner", 422)]
)
def test_a_role_that_cannot_be_given_is_refused(
    signed_in: Client, space: Space, username: str, role: str, status: int
) -> None:
    response = signed_in.post(reverse("topics:members"), {"username": username, "role": role})
    assert response.status_code == status
    assert [m.role for m in space.memberships.all()] == ["admin"]


def test_a_member_is_removed_and_what_they_made_stays(signed_in: Client, space: Space) -> None:
    tom = User.objects.create_user("tom")
    member = set_member(space=space, user=tom, role=Membership.Role.ADMIN)
    set_preferences(user=tom, changes={"space": space})
    key, _plain = create_api_key(space=space, scopes=["read"], created_by=tom)
    page = signed_in.get(reverse("topics:members")).content.decode()
    assert "Remove tom from this space?" in page
    address = reverse("topics:remove_member", args=[member.pk])
    assert "tom no longer belongs to this space." in signed_in.post(address, follow=True).content.decode()
    assert [m.user.username for m in space.memberships.all()] == ["maya"]
    assert Preference.objects.get(user=tom).space is None
    key.refresh_from_db()
    assert key.is_usable
    assert signed_in.post(address).status_code == 404
    elsewhere = set_member(space=create_space(slug="other"), user=tom, role=Membership.Role.ADMIN)
    assert signed_in.post(reverse("topics:remove_member", args=[elsewhere.pk])).status_code == 404


def test_the_last_admin_stays_and_who_leaves_lands_on_the_start_page(
    signed_in: Client, space: Space, user: User
) -> None:
    own = space.memberships.get(user=user)
    address = reverse("topics:remove_member", args=[own.pk])
    refused = signed_in.post(address)
    assert refused.status_code == 409
    assert "A space keeps at least one admin." in refused.content.decode()
    set_member(space=space, user=User.objects.create_user("tom"), role=Membership.Role.ADMIN)
    lowered = signed_in.post(reverse("topics:members"), {"username": "maya", "role": "viewer"})
    assert lowered["Location"] == reverse("home")
    set_member(space=space, user=user, role=Membership.Role.ADMIN)
    assert signed_in.post(address)["Location"] == reverse("home")
    assert not space.memberships.filter(user=user).exists()
    assert "You belong to no space yet" in signed_in.get("/topics/").content.decode()


def test_settings_ask_little_of_the_database(
    signed_in: Client, space: Space, django_assert_max_num_queries: Callable[..., object]
) -> None:
    for n in range(6):
        person = User.objects.create_user(f"person{n}")
        set_member(space=space, user=person, role=Membership.Role.VIEWER)
        create_api_key(space=space, scopes=["read"], created_by=person)
    for name in ("settings", "model", "members", "keys"):
        with django_assert_max_num_queries(20):
            assert signed_in.get(reverse(f"topics:{name}")).status_code == 200


def test_a_reviewer_sees_no_settings(client: Client, space: Space) -> None:
    person = User.objects.create_user("tom")
    set_member(space=space, user=person, role=Membership.Role.REVIEWER)
    client.force_login(person)
    for name in ("topics:settings", "topics:members", "topics:keys"):
        assert client.get(reverse(name)).status_code == 403
        assert client.post(reverse(name), {"username": "tom", "role": "admin"}).status_code == 403
    assert space.memberships.get(user=person).role == "reviewer"
