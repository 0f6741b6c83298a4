"""Two reviewers at one queue, many items at once, and the keys of both pages of pairs and items, in a real browser."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Browser, Page, expect

from extraction.models import Proposal
from tests.browser.pages import expect_item, faults, sign_in
from tests.extraction.console.story import make_member
from topics.changes import Actor
from topics.models import Space
from topics.services.duplicates import search_duplicates
from topics.services.topics import create_topic

# What a browser says when somebody comes back to the page; it also happens every minute.
SHOWN = "document.dispatchEvent(new Event('visibilitychange'))"


def test_two_reviewers_see_each_other_take_over_and_are_told_who_was_faster(
    page: Page, browser: Browser, live_server: Any, space: Space, english: list[Proposal], console_errors: list[str]
) -> None:
    make_member(space, "maya")
    maya = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800}).new_page()
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    expect(page.locator("#claim")).to_contain_text("In your hands")
    sign_in(maya, live_server.url, "maya")
    expect_item(maya, english[3].text)
    expect(maya.locator("#claim")).to_contain_text("lin is reviewing this.")
    assert faults(maya) == []

    # A sign of life shows who else looks, and leaves an open menu alone.
    page.keyboard.press("r")
    expect(page.get_by_label("Why?")).to_be_focused()
    page.evaluate(SHOWN)
    expect(page.locator("#claim")).to_contain_text("Also looking: maya")
    expect(page.get_by_label("Why?")).to_be_focused()
    page.keyboard.type("ajeu?1")  # letters while typing are no keys
    expect(page.get_by_label("Why?")).to_have_value("ajeu?1")
    page.keyboard.press("Escape")

    maya.get_by_role("button", name="Take over").click()
    expect(maya.locator("#claim")).to_contain_text("In your hands")
    expect(maya.locator("#queue-tabs a", has_text="Mine").locator(".count")).to_have_text("1")
    page.evaluate(SHOWN)
    expect(page.locator("#claim")).to_contain_text("maya is reviewing this.")

    # It warns and does not forbid; whoever comes late is told by whom it was decided.
    page.locator("#item").focus()
    page.keyboard.press("a")
    expect_item(page, english[2].text)
    expect(page.locator("#toasts")).to_contain_text("Approved. maya had it in hand.")
    maya.locator("#item").focus()
    maya.keyboard.press("a")
    expect(maya.get_by_role("alert").first).to_contain_text("Decided already by lin.")
    page.evaluate(SHOWN)
    maya.context.close()
    console_errors[:] = [text for text in console_errors if "409" not in text]


def test_all_in_view_are_ticked_shown_and_decided(
    page: Page, live_server: Any, english: list[Proposal], console_errors: list[str]
) -> None:
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    page.get_by_role("button", name="Tick all in view").click()
    expect(page.locator("[data-ticked]")).to_have_text("4")
    page.get_by_role("button", name="Reject ticked…").click()
    expect(page.get_by_role("heading", name="Reject 4 items?")).to_be_visible()
    assert faults(page) == []
    page.get_by_label("Why?").fill("Not worth keeping")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="4 items decided")).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("u")
    expect(page.get_by_role("heading", name="4 items undone")).to_be_visible()

    page.goto(f"{live_server.url}/review/facts/?q=o")
    page.get_by_role("button", name=re.compile(r"^All \d…")).click()
    page.get_by_role("button", name=re.compile(r"^Approve all")).click()
    expect(page.get_by_role("heading", name=re.compile(r"^Approve \d items"))).to_be_visible()
    expect(page.locator("#item")).not_to_have_attribute("aria-busy", re.compile("."))  # a double click does not confirm
    page.get_by_role("button", name=re.compile(r"^Approve \d items")).click()
    expect(page.get_by_role("heading", name=re.compile("items decided"))).to_be_visible()


def test_a_view_is_kept_under_a_name_with_the_filters_of_the_moment(
    page: Page, live_server: Any, english: list[Proposal], console_errors: list[str]
) -> None:
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    page.get_by_label("Order").select_option("priority")
    expect(page).to_have_url(re.compile("sort=priority"))
    page.get_by_role("button", name="Views").click()
    page.get_by_label("Keep this tab with its filters as").fill("Urgent facts")
    page.keyboard.press("Enter")
    expect(page.locator("#toasts")).to_contain_text("The view “Urgent facts” is kept.")
    expect(page).to_have_url(re.compile("sort=priority"))
    page.goto(f"{live_server.url}/review/conflicts/")
    page.get_by_role("button", name="Views").click()
    page.get_by_role("link", name="Urgent facts").click()
    expect(page).to_have_url(re.compile(r"/review/facts/\?sort=priority"))


def test_more_turns_are_shown_in_place(
    page: Page, live_server: Any, english: list[Proposal], console_errors: list[str]
) -> None:
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/review/facts/{english[0].pk}/")
    before = page.locator("#evidence .turn").count()
    page.get_by_role("link", name="More turns").click()
    expect(page.locator("#evidence .turn")).to_have_count(5)
    assert before < 5
    expect_item(page, english[0].text)


def test_pairs_are_walked_with_j_and_k(page: Page, live_server: Any, space: Space, console_errors: list[str]) -> None:
    for name in ("Acme", "Acme Corp", "北京大学项目", "北大项目"):
        create_topic(space=space, actor=Actor(label="setup"), name=name)
    search_duplicates(space=space)
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/duplicates/")
    expect(page.locator("#queue-tabs a[aria-current]")).to_contain_text("Duplicates")
    pairs = page.locator(".pair")
    names = pairs.locator("h2").all_text_contents()
    assert len(names) > 1
    page.keyboard.press("j")
    expect(pairs.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(pairs.nth(0)).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("n")
    expect(page.locator("#toasts")).to_contain_text("are not duplicates")
    expect(page.locator(".pair h2")).to_have_text([name for n, name in enumerate(names) if n != 1])
    assert faults(page) == []
