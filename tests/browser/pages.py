"""What every browser test does: sign in, wait for an item, look for accessibility faults."""

from __future__ import annotations

import re
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect


def sign_in(page: Page, address: str, name: str) -> None:
    """Open the console as this person, with a session as the form would begin it: no page is loaded for it."""
    client = Client()
    client.force_login(User.objects.get(username=name))
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": address}])
    page.goto(f"{address}{settings.LOGIN_REDIRECT_URL}")


def expect_item(page: Page, text: str) -> None:
    """The open item reads `text` and takes decisions."""
    expect(page.locator("#item-title")).to_have_text(text)
    expect(page.locator("#item")).not_to_have_attribute("aria-busy", re.compile("."))


# What depends on colours and on the width; the rest is the same in every theme and window.
LOOKS = ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable"]


def faults(page: Page, rules: list[str] | None = None) -> list[str]:
    """What axe-core finds against WCAG 2.2 AA, or against `rules` only, one line for each element."""
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    run_only = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": tags}
    options: dict[str, Any] = {"runOnly": run_only, "resultTypes": ["violations"]}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{v['id']}: {node['target']} {node['html'][:120]}" for v in found for node in v["nodes"]]


def sticks_out(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))


def broken_dates(page: Page) -> list[str]:
    """Dates without a space that stand on two lines all the same."""
    script = (
        "() => [...document.querySelectorAll('time')].filter(e => e.getClientRects().length > 1).map(e => e.innerText)"
    )
    return [date for date in page.evaluate(script) if not any(letter.isspace() for letter in date)]


def press(page: Page, *keys: str) -> None:
    """These keys, one after the other."""
    for key in keys:
        page.keyboard.press(key)


def focus_with_tab(page: Page, selector: str, most: int = 80) -> None:
    """Go on with Tab until the element has the focus, as somebody without a mouse does."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {selector}")
