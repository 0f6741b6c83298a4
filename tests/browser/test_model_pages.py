"""The pages about models in a real browser, without scripts."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, expect

from inference.models import ModelCall
from tests.browser.pages import sign_in
from tests.inference.wire import Wire, answer_json
from topics.models import Membership, Space
from topics.services.spaces import set_member


@pytest.fixture
def call(space: Space) -> ModelCall:
    """A call with long words in it, made for a space whose admin is lin."""
    set_member(space=space, user=User.objects.get(username="lin"), role=Membership.Role.ADMIN)
    return ModelCall.objects.create(
        space=space,
        purpose="find",
        endpoint="models.example.com",
        model="an-organisation/a-model-with-a-very-long-name-indeed:latest",
        reference="support-call-2024-11-30-0001-continued",
        outcome="rejected",
        error="models.example.com rejected the request (400).",
        prompt=[{"role": "user", "content": "x" * 500}],
        answer='{"findings": []}',
    )


def test_settings_are_saved_and_tested_without_scripts(
    browser: Browser, live_server: Any, call: ModelCall, wire: Wire
) -> None:
    wire.always(answer_json({"number": 4}))
    page = browser.new_context(java_script_enabled=False).new_page()
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/settings/model/")
    page.get_by_label("Tokens a day").fill("100000")
    page.get_by_role("button", name="Save settings").click()
    expect(page.locator("dd", has_text="0 of 100,000")).to_be_visible()
    page.get_by_role("button", name="Test the connection").click()
    expect(page.locator("section.callout")).to_contain_text(f"wire-model at {wire.host} answered")
    page.get_by_role("link", name="All model calls").click()
    page.get_by_label("Outcome").select_option("rejected")
    page.get_by_role("button", name="Filter", exact=True).click()
    expect(page.locator("#calls tbody tr")).to_have_count(1)
