"""Settling conflicts in a real browser: every outcome, by key and by mouse."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from extraction.models import Conflict, Proposal
from tests.browser.pages import expect_item, sign_in
from tests.extraction.console.story import approve, tell
from topics.models import Fact, Space
from topics.services.preferences import set_preferences


@pytest.fixture
def contested(space: Space, english: list[Proposal]) -> Proposal:
    approve(space, *english)
    return tell(space, "Our budget is now 60,000 euros a year.", subject="Acme renewal")[0]


def test_every_outcome_by_key(page: Page, live_server: Any, space: Space, contested: Proposal) -> None:
    sign_in(page, live_server.url, "lin")
    outcomes = {"2": "keep", "3": "both", "5": "ask", "1": "replace", "4": "neither"}
    amount = 60
    for key, outcome in outcomes.items():
        conflict = Conflict.objects.exclude(outcome="ask").get(status="open")
        page.goto(f"{live_server.url}/review/conflicts/")
        expect_item(page, "What holds for “budget”?")
        page.keyboard.press(key)
        expect(page.locator(f"#outcome-{outcome}")).to_be_checked()
        if outcome == "both":
            page.get_by_label("Where the new statement holds").fill("Lyon only 1 2 3 a")
        if outcome == "ask":
            page.get_by_label("Question").fill("Which budget holds?")
        page.keyboard.press("Control+Enter")
        expect(page.locator("#queue")).to_contain_text("Nothing waits here.")
        conflict.refresh_from_db()
        assert conflict.outcome == outcome
        amount -= 5
        tell(space, f"Our budget is now {amount},000 euros a year.", subject="Acme renewal")
    assert Fact.objects.filter(scope="Lyon only 1 2 3 a").exists()


def test_by_mouse_in_chinese_with_a_difference_by_character(
    page: Page, live_server: Any, space: Space, chinese: list[Proposal]
) -> None:
    approve(space, *chinese)
    tell(space, "我们的预算改成了30万元。", subject="智能家居项目", speaker="林晓")
    set_preferences(user=User.objects.get(username="lin"), changes={"language": "zh-hans"})
    sign_in(page, live_server.url, "lin")
    expect_item(page, "“预算”应以哪条为准？")
    assert "20" in (page.locator("del").all_inner_texts()[-1])
    expect(page.locator("ins").first).to_be_visible()
    page.get_by_label("替换").check()
    page.get_by_role("button", name="解决冲突").click()
    expect(page.locator("#queue")).to_contain_text("这里没有等待处理的内容")
    assert Conflict.objects.get().outcome == "replace"
    page.keyboard.press("u")
    expect_item(page, "“预算”应以哪条为准？")
    assert Conflict.objects.get().status == "open"


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_a_refusal_is_in_view_and_has_the_focus(
    browser: Browser, live_server: Any, contested: Proposal, scripts: bool
) -> None:
    window = {"width": 390, "height": 700}
    page = browser.new_context(java_script_enabled=scripts, locale="en-GB", viewport=window).new_page()
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/review/conflicts/{contested.pk}/")
    page.get_by_label("Both are true").check()
    page.get_by_role("button", name="Resolve conflict").click()
    alert = page.get_by_role("alert")
    expect(alert).to_be_in_viewport(ratio=1)
    expect(alert).to_be_focused()
    page.get_by_role("alert").get_by_role("link").click()
    expect(page.get_by_label("What is held was true until")).to_be_in_viewport()
    page.context.close()


@pytest.mark.parametrize("key", ["1", "2", "3", "4", "5"])
def test_what_an_outcome_does_is_in_view_once_it_is_chosen(
    page: Page, live_server: Any, contested: Proposal, key: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/review/conflicts/{contested.pk}/")
    page.keyboard.press(key)
    after = page.locator(".after")
    expect(after).to_be_in_viewport(ratio=1)
    expect(page.locator(".choice:has(:checked) > label")).to_be_in_viewport(ratio=1)
    edge = after.evaluate("e => e.getBoundingClientRect().bottom")
    assert edge <= page.locator(".actionbar").evaluate("e => e.getBoundingClientRect().top")


def test_both_says_what_it_needs(page: Page, live_server: Any, contested: Proposal) -> None:
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/review/conflicts/{contested.pk}/")
    page.keyboard.press("3")
    both = page.locator(".choice:has(#outcome-both)")
    expect(both).to_contain_text("Fill in at least one of the two.")
    expect(both).not_to_contain_text("optional")
