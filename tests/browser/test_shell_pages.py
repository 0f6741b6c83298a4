"""The frame and the review pages: accessible in light and dark, nothing sticks out at 390 px, choices are kept."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from extraction.models import Proposal
from tests.browser.pages import expect_item, faults, sign_in, sticks_out
from tests.extraction.console.story import approve, make_member, make_space, make_topic, tell
from topics.models import Space
from topics.services.preferences import set_preferences


@pytest.fixture
def pages(space: Space, english: list[Proposal], chinese: list[Proposal]) -> list[str]:
    """An address of each kind of page."""
    approve(space, english[0], chinese[0])
    contested = tell(space, "Our budget is now 60,000 euros a year.", subject="Acme renewal")[0]
    new_topic = tell(space, "I prefer email to phone.", subject="Acme renewal", speaker="Nora Lind")[0]
    return [
        "/review/facts/",
        f"/review/facts/{english[1].pk}/edit/",
        f"/review/facts/{english[0].pk}/",
        f"/review/conflicts/{contested.pk}/",
        f"/review/topics/{new_topic.pk}/",
        "/review/snoozed/",
        "/review/facts/?q=zebra",
        "/no-such-page/",
    ]


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("zh-hans", "dark")])
def test_every_page_is_accessible(page: Page, live_server: Any, pages: list[str], language: str, theme: str) -> None:
    page.goto(f"{live_server.url}/login/")
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    assert faults(page) == []
    set_preferences(user=User.objects.get(username="lin"), changes={"language": language, "theme": theme})
    sign_in(page, live_server.url, "lin")
    found = {}
    for address in pages:
        page.goto(live_server.url + address)
        found[address] = faults(page)
    page.goto(f"{live_server.url}/review/facts/")
    for key in ("?", "s"):
        page.keyboard.press(key)
        found[key] = faults(page)
        page.keyboard.press("Escape")
    assert found == {address: [] for address in found}


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_nothing_sticks_out_of_a_narrow_window(page: Page, live_server: Any, pages: list[str], language: str) -> None:
    set_preferences(user=User.objects.get(username="lin"), changes={"language": language})
    page.set_viewport_size({"width": 390, "height": 844})
    sign_in(page, live_server.url, "lin")
    widths = {}
    for address in ["/login/", *pages]:
        page.goto(live_server.url + address)
        widths[address] = sticks_out(page)
    assert widths == dict.fromkeys(widths, 0)


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
