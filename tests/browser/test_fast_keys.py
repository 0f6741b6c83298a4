"""Keys that come faster than the next item: none is lost in silence, and none decides what was not in view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from extraction.models import Proposal
from tests.browser.pages import expect_item, press, sign_in
from tests.extraction.console.story import approve, tell
from topics.models import TimelineEntry

TOO_SOON = "The key came before this item was in view"


def decided(proposals: list[Proposal]) -> list[str]:
    """What is decided of these, by text."""
    rows = Proposal.objects.filter(pk__in=[p.pk for p in proposals]).exclude(status="pending")
    return sorted(rows.values_list("text", flat=True))


@pytest.fixture
def answer(page: Page, live_server: Any, english: list[Proposal], console_errors: list[str]) -> Callable[[], None]:
    """The queue with its last item open; decisions get no answer until this is called."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/decide/", hold)  # before the page is there: what it asks for right afterwards may get through
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)

    def let_go() -> None:
        for _ in range(500):  # not for ever, should the key have been lost
            if not held:
                page.wait_for_timeout(20)
        held.pop().continue_()
        page.unroute("**/decide/")

    return let_go


def test_keys_wait_for_the_next_item_and_a_double_press_is_one(
    page: Page, english: list[Proposal], answer: Callable[[], None]
) -> None:
    press(page, "a", "a", "j", "k", "j", "r")
    answer()
    expect_item(page, english[1].text)
    expect(page.locator("#reject-reason")).to_be_focused()
    assert decided(english) == [english[3].text]
    press(page, "Escape", "u", "u")
    expect_item(page, english[3].text)
    assert decided(english) == []


def test_a_key_never_decides_an_item_that_was_not_in_view(
    page: Page, english: list[Proposal], answer: Callable[[], None]
) -> None:
    press(page, "a")
    page.wait_for_timeout(300)  # longer than a double press takes
    press(page, "a", "j")
    answer()
    expect(page.locator(".toast", has_text=TOO_SOON)).to_be_visible()
    expect_item(page, english[2].text)
    assert decided(english) == [english[3].text]
    press(page, "a")
    expect_item(page, english[1].text)


def test_another_key_right_after_a_decision_is_for_the_item_in_view(
    page: Page, english: list[Proposal], answer: Callable[[], None]
) -> None:
    press(page, "s", "1")
    answer()
    expect(page.locator("#item-title")).to_have_text(english[2].text)
    press(page, "a")
    expect_item(page, english[1].text)
    assert decided(english) == sorted([english[2].text, english[3].text])


def test_ctrl_enter_is_for_the_form_that_is_typed_in(page: Page, live_server: Any, english: list[Proposal]) -> None:
    approve(english[0].space, *english)
    contested = tell(english[0].space, "Our budget is now 60,000 euros a year.", subject="Acme renewal")[0]
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/review/conflicts/{contested.pk}/")
    press(page, "2", "/", "Control+Enter")
    page.wait_for_load_state("networkidle")
    expect_item(page, "What holds for “budget”?")
    assert decided([contested]) == []
    page.locator("#outcome-keep").check()
    page.get_by_label("Reason").press("Control+Enter")
    expect(page.locator("#toasts")).to_contain_text("Conflict resolved.")
    assert decided([contested]) == [contested.text]


# What somebody very fast does to a form, in the moment that it stands on the page.
AT_ONCE = """act => new MutationObserver((records, observer) => {
    const field = document.querySelector('#edit-form textarea');
    if (!field) return;
    observer.disconnect();
    field.focus();
    field.select();
    if (act === 'type') document.execCommand('insertText', false, 'The pilot went live in Leeds.');
    if (act === 'type') field.dispatchEvent(
        new KeyboardEvent('keydown', {key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true}));
}).observe(document.body, {childList: true, subtree: true})"""


def test_a_selection_made_while_the_form_opens_stays(page: Page, live_server: Any, english: list[Proposal]) -> None:
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    page.evaluate(AT_ONCE, "select")
    press(page, "e")
    expect(page.locator("#edit-form textarea").first).to_be_focused()
    expect(page.locator("#item")).not_to_have_attribute("aria-busy", "true")
    assert page.evaluate("getSelection().toString()") == english[3].text


def test_what_is_sent_while_the_form_opens_is_sent(page: Page, live_server: Any, english: list[Proposal]) -> None:
    sign_in(page, live_server.url, "lin")
    expect_item(page, english[3].text)
    page.evaluate(AT_ONCE, "type")
    press(page, "e")
    expect_item(page, english[2].text)
    assert decided(english) == [english[3].text]
    assert TimelineEntry.objects.filter(text="The pilot went live in Leeds.").exists()
