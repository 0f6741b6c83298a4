"""Visits to the pages of the showcase: a browser context for each person, signed in once."""

from __future__ import annotations

import os
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import showcase

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
QUIET += ["--disable-component-update", "--disable-sync"]

WIDE = {"width": 1280, "height": 800}
NARROW = {"width": 390, "height": 844}
GROWN = """() => Math.max(0, document.documentElement.scrollHeight - innerHeight,
    ...[...document.querySelectorAll('main *')].filter(e => getComputedStyle(e).overflowY === 'auto')
        .filter(e => !e.matches('.queue:has(~ .detail)'))
        .map(e => e.scrollHeight - e.clientHeight))"""


class Visitor:
    """Opens pages of a showcase, as whom they name, with one tab for each person, width and language."""

    def __init__(self, browser: Browser, address: str, ids: dict[str, str]) -> None:
        self.browser, self.address, self.ids = browser, address, ids
        self.tabs: dict[tuple[str, str, bool], Page] = {}
        self.states: dict[str, Any] = {}

    def visit(self, name: str, language: str = "en", *, narrow: bool = False) -> Page:
        """The tab with the page of this name, as `showcase.PAGES` describes it, quiet."""
        wanted = showcase.PAGES[name]
        page = self.tab(wanted.person, language, narrow=narrow)
        response = page.goto(self.address_of(name))
        assert response is not None
        assert response.status == wanted.status, f"{name}: {response.status}"
        if wanted.script:
            page.evaluate(wanted.script)
        for key in wanted.keys:
            page.keyboard.press(key)
        if wanted.keys or wanted.script:
            page.wait_for_load_state("networkidle")
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        return page

    def address_of(self, name: str) -> str:
        return self.address + showcase.PAGES[name].address.format(**self.ids)

    def tab(self, person: str, language: str, *, narrow: bool = False) -> Page:
        key = (person, language, narrow)
        if key not in self.tabs:
            self.tabs[key] = self.open_context(person, language, narrow=narrow).new_page()
        return self.tabs[key]

    def open_context(self, person: str, language: str, *, narrow: bool = False) -> BrowserContext:
        """A context that is signed in. The narrow one is a phone's: it is touched, and hovers nowhere."""
        if person and person not in self.states:
            self.states[person] = self.sign_in(person)
        options: dict[str, Any] = {"locale": "en-GB", "reduced_motion": "reduce", "color_scheme": "light"}
        options |= {"viewport": NARROW, "has_touch": True} if narrow else {"viewport": WIDE}
        context = self.browser.new_context(storage_state=self.states.get(person), **options)
        context.add_cookies([{"name": "django_language", "value": language, "url": self.address}])
        return context

    def sign_in(self, person: str) -> Any:
        context = self.browser.new_context(locale="en-GB")
        page = context.new_page()
        page.goto(f"{self.address}/login/")
        page.fill("#id_username", person)
        page.fill("#id_password", showcase.PASSWORD)
        page.press("#id_password", "Enter")
        page.wait_for_url(lambda url: "/login/" not in url)
        state = context.storage_state()
        context.close()
        return state


def grow(page: Page, most: int = 3000) -> None:
    """Make the window so high that nothing on the page must be scrolled."""
    size = page.viewport_size
    assert size is not None
    page.set_viewport_size({"width": size["width"], "height": min(most, size["height"] + int(page.evaluate(GROWN)))})
