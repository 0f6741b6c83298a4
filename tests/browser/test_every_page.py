"""Every page of the console, as the product serves it: accessible in both themes, light, strict, within its frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.browser import showcase
from tests.browser.pages import LOOKS, broken_dates, faults, sticks_out
from tests.browser.visits import Visitor

FIRST_LOAD_KB = 150
LATER_LOAD_KB = 30
# Django's own pages, of which we only ask that they respect the policy.
NOT_OURS = {"admin"}
# Bytes on the wire, heads included: nothing for what the cache had, only the head for what it asked about.
TRANSFERRED = """() => ['navigation', 'resource'].flatMap(type => performance.getEntriesByType(type))
    .reduce((sum, entry) => sum + entry.transferSize, 0) / 1024"""


class Watcher(Visitor):
    """Notes what the browser complains about: a script that fails, a policy that is broken, a file that is missing."""

    def __init__(self, browser: Browser, address: str, ids: dict[str, str]) -> None:
        super().__init__(browser, address, ids)
        self.complaints: list[str] = []

    def tab(self, person: str, language: str, *, narrow: bool = False) -> Page:
        is_new = (person, language, narrow) not in self.tabs
        page = super().tab(person, language, narrow=narrow)
        if is_new:
            page.on("pageerror", lambda error: self.complaints.append(str(error)))
            page.on("console", self.note)
        return page

    def note(self, message: ConsoleMessage) -> None:
        # The browser also reports every page that is refused or not found, as it should be.
        is_refusal = "the server responded with a status of 4" in message.text
        if message.type == "error" and not (is_refusal and "/static/" not in message.location["url"]):
            self.complaints.append(message.text)


@pytest.fixture(scope="module")
def watcher(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watcher]:
    with showcase.serve(tmp_path_factory.mktemp("showcase")) as (address, ids):
        watcher = Watcher(browser, address, ids)
        yield watcher
        for tab in watcher.tabs.values():
            tab.context.close()


def look_at(page: Page, name: str, theme: str, rules: list[str] | None = None) -> dict[str, Any]:
    """What is wrong with the page in a theme, and how far it sticks out of the window."""
    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
    # What is half under the head of its list is measured where it is whole.
    page.evaluate("for (const list of document.querySelectorAll('.queue')) list.scrollTop = 0")
    found: dict[str, Any] = {} if name in NOT_OURS else {f"accessibility, {theme}": faults(page, rules)}
    return found | {f"width, {theme}": sticks_out(page)}


@pytest.mark.parametrize("name", showcase.PAGES)
def test_page(watcher: Watcher, name: str) -> None:
    """First in English, light and wide with nothing in the cache; then in Chinese, dark and narrow with the files of
    the pages before.
    """
    watcher.complaints.clear()
    person = showcase.PAGES[name].person
    empty = watcher.tab(person, "en")
    empty.context.new_cdp_session(empty).send("Network.clearBrowserCache")
    page = watcher.visit(name)
    first = page.evaluate(TRANSFERRED)
    found = look_at(page, name, "light")
    if watcher.tab(person, "zh-hans", narrow=True).url == "about:blank":
        watcher.visit(name, "zh-hans", narrow=True)
    page = watcher.visit(name, "zh-hans", narrow=True)
    later = page.evaluate(TRANSFERRED)
    found |= look_at(page, name, "dark", LOOKS) | {"dates": broken_dates(page), "complaints": watcher.complaints}
    assert {what: wrong for what, wrong in found.items() if wrong} == {}
    assert first <= FIRST_LOAD_KB, f"{first:.0f} KB at first"
    assert later <= LATER_LOAD_KB, f"{later:.0f} KB later"
