"""The commands that make a space and let people into it."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command

from topics.models import Membership, Space

pytestmark = pytest.mark.django_db


def run(*arguments: Any) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_what_agents_see_follows_the_review_policy_unless_told() -> None:
    run("create_space", "waiting")
    run("create_space", "automatic", "--review-policy", "automatic")
    run("create_space", "told", "--review-policy", "automatic", "--source-turns", "none", "--conflict-policy", "ask")
    assert dict(Space.objects.values_list("slug", "source_turns")) == {
        "waiting": "approved",
        "automatic": "all",
        "told": "none",
    }
    assert Space.objects.get(slug="told").conflict_policy == "ask"


def test_a_new_person_gets_an_account_whose_printed_password_works() -> None:
    run("create_space", "acme")
    password = run("add_member", "acme", "maya", "--role", "reviewer").split()[-1]
    user = authenticate(username="maya", password=password)
    assert user is not None
    assert Membership.objects.get(user=user, space__slug="acme").role == "reviewer"


def test_a_known_person_keeps_the_password_and_changes_role() -> None:
    run("create_space", "acme")
    password = run("add_member", "acme", "maya").split()[-1]
    run("add_member", "acme", "otto")
    assert "Password" not in run("add_member", "acme", "maya", "--role", "viewer")
    assert authenticate(username="maya", password=password) is not None
    assert Membership.objects.get(user__username="maya").role == "viewer"


def test_an_unknown_space_and_the_last_admin_are_refused_in_words() -> None:
    with pytest.raises(CommandError, match="no space nowhere"):
        run("add_member", "nowhere", "maya")
    run("create_space", "acme")
    run("add_member", "acme", "maya")
    with pytest.raises(CommandError, match="at least one admin"):
        run("add_member", "acme", "maya", "--role", "viewer")
