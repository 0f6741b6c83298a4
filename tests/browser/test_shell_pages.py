"""The frame around the pages: one pane at a time on a narrow window, the way back, choices that are kept."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from extraction.models import Proposal
from tests.browser.pages import expect_item, faults, focus_with_tab, sign_in
from tests.extraction.console.story import make_member, make_space, make_topic, tell
from topics.models import Space


def test_a_narrow_window_shows_list_or_item(page: Page, live_server: Any, english: list[Proposal]) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    sign_in(page, live_server.url, "lin")
    expect(page.locator("#item-title")).to_be_hidden()
    page.locator(".queue-item").nth(1).click()
    expect_item(page, english[2].text)
    expect(page.locator("#queue")).to_be_hidden()
    assert faults(page) == []
    page.get_by_role("button", name="Approve").first.click()
    expect_item(page, english[1].text)
    message, actions = (page.locator(part).bounding_box() for part in (".toast", ".actionbar"))
    assert message
    assert actions
    assert 422 < message["y"] < message["y"] + message["height"] <= actions["y"]  # in the lower half, above the actions
    page.get_by_role("link", name="Back to the queue").click()
    expect(page.locator("#queue")).to_be_visible()
    page.get_by_role("button", name="Open menu").click()
    expect(page.locator("#nav").get_by_role("link", name="Topics")).to_be_visible()


def test_the_back_button_goes_through_the_items(page: Page, live_server: Any, english: list[Proposal]) -> None:
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    page.locator(".queue-item").nth(2).click()
    expect_item(page, english[1].text)
    page.go_back()
    expect_item(page, english[3].text)
    expect(page.get_by_role("heading", name="Review")).to_be_visible()


def test_language_theme_and_space_are_kept(
    page: Page, live_server: Any, space: Space, english: list[Proposal], console_errors: list[str]
) -> None:
    from topics.services.spaces import set_member

    other = make_space("support")
    make_topic(other, "Northgate")
    tell(other, "Our office is in Turin.", subject="Northgate")
    set_member(space=other, user=User.objects.get(username="lin"), role="viewer")
    make_member(other, "maya")
    sign_in(page, live_server.url, "lin")

    page.locator(".queue-item").nth(1).click()
    expect_item(page, english[2].text)
    page.get_by_role("button", name="简体中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect_item(page, english[2].text)
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")

    page.get_by_role("button", name="Account menu of lin").click()
    with page.expect_response(re.compile("/preferences/")):
        page.get_by_label("Dark").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")

    page.get_by_role("button", name="Switch space: Sales").click()
    page.get_by_role("button", name="Support").click()
    expect_item(page, "Our office is in Turin.")
    expect(page.get_by_text("lets you read, but not decide")).to_be_visible()


def test_tab_leads_past_the_list_to_the_open_item(page: Page, live_server: Any, english: list[Proposal]) -> None:
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    focus_with_tab(page, 'a[href="#item"]')
    skip = page.get_by_role("link", name="Skip to the open item")
    expect(skip).to_be_in_viewport()
    skip.press("Enter")
    expect(page.locator("#item")).to_be_focused()
    page.keyboard.press("a")
    expect_item(page, english[2].text)
    expect(page.locator("#toasts")).to_contain_text("Approved.")
