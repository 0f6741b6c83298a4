"""A real Chromium against a live server. The browser is the system's own, named by CHROMIUM when it is elsewhere."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from extraction.models import Proposal
from tests.browser.visits import CHROMIUM, QUIET
from tests.extraction.console.story import make_member, make_space, make_topic, tell
from topics.models import Space

# Playwright's synchronous API runs an event loop in this thread, in which Django would refuse its ORM.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder is a browser test; nobody has to remember the marker."""
    for item in items:
        if item.path.parent.name == "browser":
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """pytest-playwright's launch options, with our browser."""
    return browser_type_launch_args | {
        "executable_path": CHROMIUM,
        "args": QUIET,
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    # Without motion a page has its final colours at once; half-way through a transition axe would measure others.
    return browser_context_args | {
        "locale": "en-GB",
        "viewport": {"width": 1280, "height": 800},
        "reduced_motion": "reduce",
    }


@pytest.fixture
def space(transactional_db: None) -> Space:
    """A space with a reviewer "lin" and a topic in each language."""
    space = make_space()
    make_member(space, "lin")
    make_topic(space, "Acme renewal")
    make_topic(space, "智能家居项目")
    return space


@pytest.fixture
def english(space: Space) -> list[Proposal]:
    """Four statements in English, in the order in which they were said."""
    return tell(
        space,
        "> What is the budget?",
        "Our budget is 84,000 euros a year.",
        "We decided to go with option A.",
        "Our office is in Lyon.",
        "The pilot went live on 1 April.",
        subject="Acme renewal",
    )


@pytest.fixture
def chinese(space: Space) -> list[Proposal]:
    """Four statements in Chinese, in the order in which they were said."""
    return tell(
        space,
        "> 预算是多少？",
        "我们的预算是20万元。",
        "我们决定采用方案A。",
        "我们下周五一起验收。",
        "上个月15号付了第二笔款，5万元。",
        subject="智能家居项目",
        speaker="林晓",
    )


@pytest.fixture
def console_errors(page: Page) -> Iterator[list[str]]:
    """What the browser complains about, which must be nothing: a script that fails, a policy that is broken."""
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield complaints
    assert complaints == []
