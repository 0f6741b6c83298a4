"""Documents, history, conversations and settings in a real browser: by mouse, by keyboard, without scripts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from extraction.models import Proposal
from tests.browser.pages import faults, press, sign_in
from tests.extraction.console.story import approve, tell
from topics.changes import Actor
from topics.models import Fact, Membership, Space, Topic
from topics.services.spaces import create_api_key, set_member
from topics.services.statements import add_entry, edit_fact
from topics.services.topics import add_alias


@pytest.fixture
def lin(space: Space) -> Actor:
    person = User.objects.get(username="lin")
    set_member(space=space, user=person, role=Membership.Role.ADMIN)
    return Actor.person(person)


@pytest.fixture
def acme(space: Space, english: list[Proposal], lin: Actor) -> Topic:
    """A topic with facts, one of them disputed, an alias, a summaryless document and a timeline."""
    approve(space, *english)
    tell(space, "Our budget is now 60,000 euros a year.", subject="Acme renewal")
    topic = Topic.objects.get(name="Acme renewal")
    add_alias(topic=topic, actor=lin, name="Acme 续约")
    add_entry(
        topic=topic, actor=lin, text="Contract ends", happened_at=datetime(2026, 6, 1, tzinfo=UTC), precision="month"
    )
    topic.refresh_from_db()
    return topic


@pytest.fixture
def fact(acme: Topic) -> Fact:
    return Fact.objects.get(topic=acme, text="Our office is in Lyon.")


def test_a_fact_is_found_and_edited_in_place_by_keyboard(
    page: Page, live_server: Any, acme: Topic, fact: Fact, console_errors: list[str]
) -> None:
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/activity/")
    page.keyboard.press("/")
    page.keyboard.type("office Lyon")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Acme renewal").press("Enter")
    line = page.locator(f"#s-{fact.pk}")
    line.get_by_text("1 source").press("Enter")
    expect(line.locator("mark")).to_have_text("Our office is in Lyon.")
    line.get_by_role("link", name="Edit").press("Enter")
    statement = line.get_by_label("Statement")
    expect(statement).to_have_value("Our office is in Lyon.")
    statement.fill("The office of Acme is in Lyon.")
    statement.press("Control+Enter")
    expect(page.locator(f"#s-{fact.pk} .text")).to_have_text("The office of Acme is in Lyon.")
    page.get_by_role("link", name="History").click()
    expect(page.locator("#item")).to_contain_text("Edited a fact")


def test_whoever_is_late_sees_both_texts_and_loses_nothing(
    page: Page, live_server: Any, acme: Topic, fact: Fact, lin: Actor
) -> None:
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/topics/{acme.pk}/facts/{fact.pk}/")
    edit_fact(fact=fact, actor=Actor("Somebody else"), changes={"text": "Our office is in Paris."})
    form = page.get_by_role("form", name="Edit this fact")
    form.get_by_label("Statement").fill("Our office is in Lille.")
    form.get_by_role("button", name="Save").click()
    alert = page.get_by_role("alert")
    expect(alert.locator("del")).to_contain_text("Paris")
    expect(alert.locator("ins").filter(has_text="Lille")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("form", name="Edit this fact").get_by_role("button", name="Save").click()
    expect(page.locator(f"#s-{fact.pk} .text")).to_have_text("Our office is in Lille.")


def test_a_change_is_undone_from_the_history(
    page: Page, live_server: Any, acme: Topic, console_errors: list[str]
) -> None:
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/topics/{acme.pk}/history/")
    press(page, "j", "j", "k")
    expect(page.locator("#split")).to_have_attribute("data-view", "detail")  # the pane of a narrow window
    expect(page.locator(".queue-item").nth(1)).to_have_attribute("aria-current", "true")
    expect(page.locator("#item")).to_be_focused()
    expect(page.locator("#item")).to_contain_text("Acme 续约")
    page.get_by_role("button", name="Undo").click()
    page.get_by_label("Reason").fill("Not their name")
    page.get_by_role("button", name="Undo change").click()
    expect(page.get_by_role("status").filter(has_text="Undone.")).to_be_visible()
    expect(page.locator("#item")).to_contain_text("undid this")
    expect(page.locator("#aliases")).not_to_contain_text("Acme 续约")


def test_a_new_key_is_shown_once(page: Page, live_server: Any, acme: Topic, console_errors: list[str]) -> None:
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/settings/keys/")
    page.get_by_role("textbox", name="Name").fill("CRM agent")
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(2)  # Read and Propose
    page.get_by_role("button", name="Create key").click()
    plain = page.locator("#new-key").inner_text()
    assert plain.startswith("im_")
    assert faults(page) == []
    page.goto(f"{live_server.url}/settings/keys/")
    expect(page.get_by_role("table")).to_contain_text("CRM agent")
    assert plain not in page.content()


def test_revoking_a_key_asks_first(page: Page, live_server: Any, space: Space, acme: Topic) -> None:
    key, _plain = create_api_key(space=space, scopes=["read"], name="CRM agent")
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/settings/keys/")
    page.get_by_role("button", name="Revoke CRM agent").click()
    expect(page.get_by_text("Revoke the key “CRM agent”")).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_text("Revoke the key “CRM agent”")).to_be_hidden()
    key.refresh_from_db()
    assert key.is_usable
    page.get_by_role("button", name="Revoke CRM agent").click()
    page.get_by_role("button", name="Revoke this key").click()
    expect(page.get_by_role("table")).to_contain_text("Revoked")
    key.refresh_from_db()
    assert not key.is_usable


def test_documents_are_edited_without_scripts(browser: Browser, live_server: Any, acme: Topic, fact: Fact) -> None:
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/topics/?q=office")
    page.get_by_role("link", name="Acme renewal").click()
    page.locator(f"#s-{fact.pk}").get_by_role("link", name="Edit").click()
    page.get_by_role("form", name="It was never right").get_by_label("Reason").fill("They moved")
    page.get_by_role("button", name="Retract fact").click()
    expect(page.locator("main")).not_to_contain_text("Our office is in Lyon.")
    page.get_by_role("link", name="History").click()
    expect(page.locator("#item")).to_contain_text("They moved")
    page.locator(".queue-item").nth(2).click()
    expect(page.locator("#item")).to_contain_text("Acme 续约")
    context.close()


def test_no_connection_is_said_for_as_long_as_there_is_none(page: Page, live_server: Any, acme: Topic) -> None:
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/topics/")
    note = page.get_by_text("You are offline.")
    page.context.set_offline(True)
    expect(note).to_be_visible()
    page.get_by_label("Name, alias or words of a fact").fill("zebra")
    expect(page.get_by_text("That did not go through")).to_be_visible()
    expect(note).to_be_visible()
    page.context.set_offline(False)
    expect(note).to_have_count(0)
    page.get_by_label("Name, alias or words of a fact").fill("acme")
    expect(page.locator("#topics").get_by_role("link", name="Acme renewal")).to_be_visible()
    expect(page.locator("#topics")).not_to_have_attribute("aria-busy", "true")
