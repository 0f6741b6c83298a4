"""A real Chromium against a live server. The browser is the system's own, named by CHROMIUM when it is elsewhere."""

import os
from typing import Any

import pytest

# Playwright's synchronous API runs an event loop in this thread, in which Django would refuse its ORM.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
QUIET += ["--disable-component-update", "--disable-sync"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder is a browser test; nobody has to remember the marker."""
    for item in items:
        if item.path.parent.name == "browser":
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """pytest-playwright's launch options, with our browser."""
    return browser_type_launch_args | {
        "executable_path": os.environ.get("CHROMIUM", "/usr/bin/chromium"),
        "args": QUIET,
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return browser_context_args | {"locale": "en-GB", "viewport": {"width": 1280, "height": 800}}
