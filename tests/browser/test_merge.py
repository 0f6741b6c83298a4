"""Duplicates, merge and split in a real browser: by keyboard alone, with the dry run, without scripts, undone later."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import focus_with_tab, press, sign_in
from topics.changes import Actor
from topics.models import ChangeSet, DuplicatePair, Fact, Membership, Space, Topic
from topics.services.duplicates import search_duplicates
from topics.services.spaces import set_member
from topics.services.statements import add_entry, add_fact
from topics.services.topics import create_topic

BUDGET = {"attribute": "budget", "unit": "EUR"}


@pytest.fixture
def lin(space: Space) -> Actor:
    person = User.objects.get(username="lin")
    set_member(space=space, user=person, role=Membership.Role.ADMIN)
    return Actor.person(person)


@pytest.fixture
def alike(space: Space, lin: Actor) -> tuple[Topic, Topic]:
    """Two topics that are one firm, with something in common, something else and a contradiction; and a second pair."""
    acme = create_topic(space=space, actor=lin, name="Acme", kind="customer", summary="Makes anvils.")
    corp = create_topic(
        space=space, actor=lin, name="Acme Corp", kind="other", summary="Buys licences.", aliases=["铁砧公司"]
    )
    for topic, budget in ((acme, "100"), (corp, "200")):
        add_fact(topic=topic, actor=lin, text="The office is in Leeds.")
        add_fact(topic=topic, actor=lin, text=f"The budget is {budget}.", value=budget, **BUDGET)
    add_fact(topic=acme, actor=lin, text="The owner is Mei.")
    add_fact(topic=acme, actor=lin, text="The phone is 555-0100.", attribute="phone", value="555-0100")
    add_fact(topic=corp, actor=lin, text="负责人是王芳。")
    add_entry(topic=corp, actor=lin, text="Founded.", happened_at=ChangeSet.objects.latest("at").at)
    create_topic(space=space, actor=lin, name="北京大学项目")
    create_topic(space=space, actor=lin, name="北大项目")
    search_duplicates(space=space)
    return acme, corp


def test_a_pair_is_merged_by_keyboard_alone_and_undone(
    page: Page, live_server: Any, alike: tuple[Topic, Topic], console_errors: list[str]
) -> None:
    acme, corp = alike
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/duplicates/")
    expect(page.locator(".pair")).to_have_count(2)
    press(page, "m")
    page.wait_for_url("**/merge/?**")
    expect(page.locator("h1")).to_have_text("Merge 2 topics")
    result = page.locator("#result")
    expect(result).to_contain_text("7 → 6")
    expect(result).to_contain_text("Conflicts for review")
    focus_with_tab(page, '[name="name"]')
    press(page, "ArrowUp")  # round to the last choice: another name
    focus_with_tab(page, '[name="name_custom"]')
    page.keyboard.type("Acme Holding")
    expect(result.locator(".claim-text")).to_have_text("Acme Holding")
    focus_with_tab(page, '[name^="conflict-"]')
    press(page, "ArrowDown")  # round to the first: the one that is held
    expect(result).to_contain_text("7 → 5")
    expect(result).not_to_contain_text("Conflicts for review")
    press(page, "Control+Enter")
    page.wait_for_url("**/duplicates/")
    expect(page.locator("#toasts")).to_contain_text("2 topics merged into Acme Holding.")
    expect(page.locator(".pair")).to_have_count(1)
    merged = Topic.objects.get(status="merged")
    assert Topic.objects.get(pk=merged.merged_into_id).name == "Acme Holding"
    press(page, "u")
    expect(page.locator("#toasts")).to_contain_text("Undone.")
    expect(page.locator(".pair")).to_have_count(2)
    assert {t.name for t in Topic.objects.filter(pk__in=[acme.pk, corp.pk], status="active")} == {"Acme", "Acme Corp"}


def test_not_duplicates_by_key_and_the_next_pair_is_at_hand(
    page: Page, live_server: Any, alike: tuple[Topic, Topic], console_errors: list[str]
) -> None:
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/duplicates/")
    first = page.locator(".pair h2").first.text_content()
    press(page, "n")
    expect(page.locator("#toasts")).to_contain_text("are not duplicates")
    expect(page.locator(".pair")).to_have_count(1)
    press(page, "u")
    expect(page.locator(".pair h2").first).to_have_text(str(first))
    assert not DuplicatePair.objects.exclude(dismissed_at=None).exists()
    press(page, "n")
    expect(page.locator(".pair")).to_have_count(1)
    press(page, "n")
    expect(page.locator("h2")).to_contain_text(["No duplicates in sight"])


def test_the_dry_run_follows_every_choice(page: Page, live_server: Any, alike: tuple[Topic, Topic], lin: Actor) -> None:
    acme, corp = alike
    third = create_topic(space=acme.space, actor=lin, name="Anvil Group")
    add_fact(topic=third, actor=lin, text="The group has 9 firms.")
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/merge/?t={acme.pk}&t={corp.pk}")
    page.get_by_label("Name of another topic").fill("anvil group")
    page.get_by_label("Name of another topic").press("Enter")
    expect(page.locator("h1")).to_have_text("Merge 3 topics")
    result = page.locator("#result")
    expect(result).to_contain_text("8 → 7")
    page.get_by_label("Include: Anvil Group").uncheck()
    expect(result).to_contain_text("7 → 6")
    page.locator(f'[name="survivor"][value="{corp.pk}"]').check()
    expect(result).to_contain_text("“Acme” leads here")
    page.locator("summary").click()
    page.get_by_label("The owner is Mei.").uncheck()
    expect(result).to_contain_text("7 → 5")
    page.get_by_label("铁砧公司").uncheck()
    expect(result).not_to_contain_text("铁砧公司")
    page.get_by_role("button", name="Merge").click()
    page.wait_for_url(f"**/topics/{corp.pk}/")
    assert Fact.objects.get(text="The owner is Mei.").status == "retracted"
    assert Topic.objects.get(pk=third.pk).status == "active"


def test_a_merge_is_undone_after_later_edits_with_what_is_kept_in_view(
    page: Page, live_server: Any, alike: tuple[Topic, Topic], lin: Actor
) -> None:
    acme, corp = alike
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/merge/?t={acme.pk}&t={corp.pk}")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(f"**/topics/{acme.pk}/")
    add_fact(topic=Topic.objects.get(pk=acme.pk), actor=lin, text="The lawyer is Bo.")
    change = ChangeSet.objects.get(action="merge_topics")
    page.goto(f"{live_server.url}/activity/{change.pk}/")
    expect(page.locator("main")).to_contain_text("“The lawyer is Bo.” was added later, and stays with Acme.")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo change").click()
    expect(page.locator("#toasts")).to_contain_text("Undone.")
    assert Fact.objects.get(text="The lawyer is Bo.").topic == acme
    assert Fact.objects.get(text="负责人是王芳。").topic == corp


def test_a_topic_is_split_by_keyboard_alone(
    page: Page, live_server: Any, alike: tuple[Topic, Topic], console_errors: list[str]
) -> None:
    acme, _corp = alike
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/topics/{acme.pk}/split/")
    moved = Fact.objects.get(text="The owner is Mei.")
    focus_with_tab(page, f'[value="{moved.pk}"]')
    press(page, "Space")
    focus_with_tab(page, "#id_name")
    page.keyboard.type("Mei's firm")
    press(page, "Control+Enter")
    expect(page.locator("h1")).to_have_text("Mei's firm")
    moved.refresh_from_db()
    assert moved.topic.name == "Mei's firm"
    press(page, "u")
    expect(page.locator("#toasts")).to_contain_text("Undone.")
    moved.refresh_from_db()
    assert moved.topic == acme


def test_everything_works_without_scripts(browser: Browser, live_server: Any, alike: tuple[Topic, Topic]) -> None:
    acme, corp = alike
    page = browser.new_context(java_script_enabled=False, locale="en-GB").new_page()
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/duplicates/")
    page.get_by_role("link", name=re.compile("Merge….*Acme")).click()
    page.get_by_label("Other name").fill("Acme Holding")
    page.locator('[name="name"][value="custom"]').check()
    page.get_by_role("button", name="Show the result").click()
    expect(page.locator("#result .claim-text")).to_have_text("Acme Holding")
    page.get_by_role("button", name="Merge", exact=False).first.click()
    expect(page.locator("#toasts")).to_contain_text("2 topics merged into Acme Holding.")
    page.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(page.locator("#toasts")).to_contain_text("Undone.")
    assert Topic.objects.filter(pk__in=[acme.pk, corp.pk], status="active").count() == 2
    page.get_by_role("button", name=re.compile("Not duplicates.*Acme")).click()
    expect(page.locator("#toasts")).to_contain_text("are not duplicates")
    page.context.close()


@pytest.mark.parametrize(("field", "text"), [("name", "Acme Holding"), ("summary", "做铁砧，买许可证。")])
def test_what_is_typed_beside_other_is_chosen(
    page: Page, live_server: Any, alike: tuple[Topic, Topic], field: str, text: str
) -> None:
    acme, corp = alike
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/merge/?t={acme.pk}&t={corp.pk}")
    page.locator(f'[name="{field}_custom"]').click()
    page.keyboard.type(text)
    expect(page.locator(f'[name="{field}"][value="custom"]')).to_be_checked()
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/topics/*/")
    assert getattr(Topic.objects.get(status="active", merged__isnull=False), field) == text
