"""Deciding facts in a real browser: by mouse, by keyboard alone, in both languages, without JavaScript, in a race."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from playwright.sync_api import Browser, Page, Route, expect

from extraction.models import Proposal
from tests.browser.pages import expect_item, sign_in, sticks_out
from tests.extraction.console.story import make_member
from topics.models import Fact, Space, TimelineEntry
from topics.services.preferences import set_preferences


def statuses(proposals: list[Proposal]) -> list[str]:
    found = dict(Proposal.objects.values_list("pk", "status"))
    return [found[p.pk] for p in proposals]


def count_of(page: Page, tab: str) -> Any:
    return page.locator("#queue-tabs a", has_text=tab).locator(".count")


def test_by_mouse(page: Page, live_server: Any, english: list[Proposal], console_errors: list[str]) -> None:
    budget, option, office, pilot = english
    sign_in(page, live_server.url, "lin")
    expect_item(page, pilot.text)

    page.get_by_role("button", name="Approve", exact=False).first.click()
    expect_item(page, office.text)
    expect(count_of(page, "Facts")).to_have_text("3")
    assert page.url.endswith(f"/review/facts/{office.pk}/")

    page.get_by_role("link", name="Edit and approve").click()
    page.get_by_label("Statement").fill("The office is in Lyon, France.")
    page.get_by_role("button", name="Save and approve").click()
    expect_item(page, option.text)

    page.get_by_role("button", name="Reject").click()
    page.get_by_label("Why?").fill("Not worth keeping")
    page.locator("#reject").get_by_role("button", name="Reject").click()
    expect_item(page, budget.text)

    page.get_by_role("button", name="Snooze").click()
    page.get_by_role("button", name="Next week").click()
    expect(page.get_by_role("heading", name="Nothing waits here")).to_be_visible()
    assert statuses(english) == ["snoozed", "rejected", "approved", "approved"]

    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect_item(page, budget.text)
    assert statuses(english) == ["pending", "rejected", "approved", "approved"]
    assert Fact.objects.filter(text="The office is in Lyon, France.").exists()


def test_by_keyboard_alone_in_chinese(
    page: Page, live_server: Any, chinese: list[Proposal], console_errors: list[str]
) -> None:
    budget, option, handover, paid = chinese
    set_preferences(user=User.objects.get(username="lin"), changes={"language": "zh-hans"})
    sign_in(page, live_server.url, "lin")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.get_by_role("heading", name="审核")).to_be_visible()
    expect_item(page, paid.text)

    page.keyboard.press("j")
    expect_item(page, handover.text)
    page.keyboard.press("k")
    expect_item(page, paid.text)

    page.keyboard.press("a")
    expect_item(page, handover.text)

    page.keyboard.press("e")
    expect(page.locator("#edit-form textarea").first).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("我们和老王一起验收。")
    page.keyboard.press("Control+Enter")
    expect_item(page, option.text)

    page.keyboard.press("r")
    expect(page.locator("#reject-reason")).to_be_focused()
    page.keyboard.type("没人说过 a u j")
    page.keyboard.press("Enter")
    expect_item(page, budget.text)

    page.keyboard.press("s")
    page.keyboard.press("1")
    expect(page.get_by_role("heading", name="这里没有等待处理的内容")).to_be_visible()
    assert statuses(chinese) == ["snoozed", "rejected", "approved", "approved"]
    assert Proposal.objects.get(pk=option.pk).reason == "没人说过 a u j"
    assert TimelineEntry.objects.filter(text="我们和老王一起验收。", precision="day").exists()

    page.keyboard.press("u")
    expect_item(page, budget.text)
    page.keyboard.press("u")
    expect_item(page, option.text)
    assert statuses(chinese) == ["pending", "pending", "approved", "approved"]


def test_escape_leaves_the_form_and_the_menus(page: Page, live_server: Any, english: list[Proposal]) -> None:
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    page.keyboard.press("e")
    expect(page.locator("#edit-form")).to_be_visible()
    expect(page.locator("#item")).not_to_have_attribute("aria-busy", re.compile("."))
    page.evaluate("""document.body.dispatchEvent(
        new KeyboardEvent('keydown', {key: 'Escape', keyCode: 229, bubbles: true, cancelable: true}))""")
    # The key ended a composition of an input method: nothing is asked for.
    assert page.locator("#item").get_attribute("aria-busy") is None
    expect(page.locator("#edit-form")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#edit-form")).to_have_count(0)
    page.keyboard.press("r")
    expect(page.locator("#reject")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#reject")).to_be_hidden()
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("a")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Keyboard shortcuts")).to_be_hidden()
    assert statuses(english) == ["pending"] * 4


def test_keys_do_nothing_while_typing_and_when_switched_off(
    page: Page, live_server: Any, english: list[Proposal]
) -> None:
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    page.keyboard.press("/")  # the same here as on every page: the search of the memory
    expect(page.get_by_label("Search topics and facts")).to_be_focused()
    page.keyboard.type("a r")
    expect_item(page, english[3].text)
    page.locator("#queue-search").focus()
    page.keyboard.type("option")
    expect_item(page, english[1].text)
    expect(page.locator("#queue-search")).to_have_value("option")
    expect(page).to_have_url(re.compile(r"\?q=option$"))
    page.locator("#queue-search").press("Escape")

    page.goto(f"{live_server.url}/review/facts/")
    page.keyboard.press("?")
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.get_by_label("Use single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-keys", "off")
    page.keyboard.press("a")
    page.keyboard.press("r")
    expect(page.locator("#reject")).to_be_hidden()
    assert statuses(english) == ["pending"] * 4


def test_a_double_click_decides_one_item(page: Page, live_server: Any, english: list[Proposal]) -> None:
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    page.get_by_role("button", name="Approve").first.dblclick()
    expect_item(page, english[2].text)
    assert statuses(english) == ["pending", "pending", "pending", "approved"]


def test_a_held_key_decides_one_item(page: Page, live_server: Any, english: list[Proposal]) -> None:
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    for _repeat in range(4):
        page.keyboard.down("a")
    page.keyboard.up("a")
    expect_item(page, english[2].text)
    assert statuses(english) == ["pending", "pending", "pending", "approved"]


def test_two_reviewers_at_one_item(
    page: Page, browser: Browser, live_server: Any, space: Space, english: list[Proposal]
) -> None:
    make_member(space, "maya")
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    other = browser.new_context(locale="en-GB").new_page()
    sign_in(other, live_server.url, "maya")
    expect_item(other, english[3].text)

    other.keyboard.press("r")
    other.keyboard.press("Enter")
    expect_item(other, english[2].text)
    page.keyboard.press("a")
    expect(page.get_by_role("alert")).to_contain_text("Decided already by maya.")
    expect_item(page, english[3].text)
    assert statuses(english) == ["pending", "pending", "pending", "rejected"]
    other.context.close()


def test_without_javascript(browser: Browser, live_server: Any, english: list[Proposal]) -> None:
    budget, option, office, pilot = english
    page = browser.new_context(java_script_enabled=False, locale="en-GB").new_page()
    sign_in(page, live_server.url, "lin")
    title = page.locator("#item-title")
    expect(title).to_have_text(pilot.text)
    page.get_by_role("button", name="Approve").first.click()
    expect(title).to_have_text(office.text)
    page.get_by_role("link", name="Edit and approve").click()
    page.get_by_label("Statement").fill("The office is in Lyon, France.")
    page.get_by_role("button", name="Save and approve").click()
    expect(title).to_have_text(option.text)
    page.get_by_role("button", name="Reject").click()
    page.locator("#reject").get_by_role("button", name="Reject").click()
    expect(title).to_have_text(budget.text)
    page.get_by_role("button", name="Undo the last decision").click()
    expect(title).to_have_text(option.text)
    page.get_by_role("button", name="Snooze").click()
    page.get_by_role("button", name="Tomorrow").click()
    expect(title).to_have_text(budget.text)
    page.get_by_label("Search the queue").fill("budget")
    page.get_by_role("button", name="Apply").first.click()
    expect(title).to_have_text(budget.text)
    assert statuses(english) == ["pending", "snoozed", "approved", "approved"]
    page.context.close()


def test_a_session_that_ends_meanwhile_leads_back_to_the_item(
    page: Page, live_server: Any, english: list[Proposal]
) -> None:
    sign_in(page, live_server.url, "lin")
    page.keyboard.press("j")
    expect_item(page, english[2].text)
    Session.objects.all().delete()
    page.keyboard.press("a")
    page.wait_for_url(re.compile("/login/"))
    page.fill("#id_username", "lin")
    page.fill("#id_password", "a-long-secret")
    page.press("#id_password", "Enter")
    expect_item(page, english[2].text)
    assert statuses(english) == ["pending"] * 4


def test_a_decision_that_does_not_get_through_says_so(page: Page, live_server: Any, english: list[Proposal]) -> None:
    def drop(route: Route) -> None:
        route.abort()

    page.route("**/decide/", drop)
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    page.keyboard.press("a")
    expect(page.get_by_role("alert")).to_contain_text("nothing was changed")
    expect_item(page, english[3].text)
    page.unroute("**/decide/", drop)
    page.keyboard.press("a")
    expect_item(page, english[2].text)


def test_ticked_items_are_decided_together(page: Page, live_server: Any, english: list[Proposal]) -> None:
    sign_in(page, live_server.url, "lin")
    expect(page.get_by_role("button", name="Approve ticked")).to_be_hidden()
    for proposal in english[:2]:
        page.get_by_label(f"Tick “{proposal.text}”").check()
    approve = page.get_by_role("button", name="Approve ticked")
    approve.click()
    page.get_by_role("button", name="Cancel").click()
    expect_item(page, english[3].text)
    approve.click()
    expect_item(page, "Approve 2 items?")
    page.get_by_role("button", name="Approve 2 items").click()
    expect(page.get_by_role("heading", name="2 items decided")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_role("heading", name="2 items undone")).to_be_visible()
    assert statuses(english) == ["pending"] * 4


def test_what_was_typed_survives_a_session_that_ends(page: Page, live_server: Any, english: list[Proposal]) -> None:
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    page.keyboard.press("e")
    page.get_by_label("What happened").fill("The pilot went live in Leeds.")
    Session.objects.all().delete()
    page.keyboard.press("Control+Enter")
    page.wait_for_url(re.compile("/login/"))
    page.fill("#id_username", "lin")
    page.fill("#id_password", "a-long-secret")
    page.press("#id_password", "Enter")
    page.wait_for_url(re.compile(f"/review/facts/{english[3].pk}/edit/$"))
    expect(page.get_by_label("What happened")).to_have_value("The pilot went live in Leeds.")
    page.get_by_role("button", name="Save and approve").click()
    expect_item(page, english[2].text)
    assert TimelineEntry.objects.filter(text="The pilot went live in Leeds.").exists()
    assert not [key for key in page.evaluate("Object.keys(sessionStorage)") if str(english[3].pk) in key]


def test_escape_asks_before_it_discards_what_was_typed(page: Page, live_server: Any, english: list[Proposal]) -> None:
    answers = [False, True]
    page.on("dialog", lambda dialog: dialog.accept() if answers.pop(0) else dialog.dismiss())
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    page.keyboard.press("e")
    page.get_by_label("What happened").fill("The pilot went live in Leeds.")
    page.keyboard.press("Escape")
    expect(page.get_by_label("What happened")).to_have_value("The pilot went live in Leeds.")
    page.keyboard.press("Escape")
    expect(page.locator("#edit-form")).to_have_count(0)
    page.keyboard.press("e")
    expect(page.get_by_label("What happened")).to_have_value(english[3].text)
    assert answers == []


def test_the_reason_of_a_rejection_is_sent_with_control_and_enter(
    page: Page, live_server: Any, english: list[Proposal]
) -> None:
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    page.keyboard.press("r")
    page.keyboard.type("Nobody said this")
    page.keyboard.press("Control+Enter")
    expect_item(page, english[2].text)
    assert statuses(english) == ["pending", "pending", "pending", "rejected"]


def test_the_button_says_what_it_takes_back(
    page: Page, live_server: Any, english: list[Proposal], console_errors: list[str]
) -> None:
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    page.keyboard.press("a")
    expect_item(page, english[2].text)
    undo = page.get_by_role("button", name=f"Undo the last decision: Approved: “{english[3].text}”")
    for width in (390, 1280, 1536):
        page.set_viewport_size({"width": width, "height": 800})
        expect(undo).to_be_visible()
        assert sticks_out(page) == 0
    last = page.locator("#last > span")  # where there is room for it
    expect(last).to_contain_text(f"Approved: “{english[3].text}")
    box = last.bounding_box()
    assert box is not None
    assert box["width"] > 80


def test_a_page_that_is_refused_says_why(page: Page, live_server: Any, english: list[Proposal]) -> None:
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    page.context.clear_cookies(name="csrftoken")
    page.keyboard.press("a")
    expect(page.get_by_role("alert")).to_contain_text("This page was open for too long.")
    assert statuses(english) == ["pending"] * 4
