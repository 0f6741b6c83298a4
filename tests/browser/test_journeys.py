"""Longer ways through the console, by keyboard and in Chinese where nothing else is said: two people, a merge of five
taken back later, the history, the settings, a statement that changed meanwhile, a session that ends.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from playwright.sync_api import Browser, Page, expect

from extraction.models import Conflict, Decision, Proposal
from tests.browser.pages import expect_item, focus_with_tab, press, sign_in
from tests.extraction.console.story import PASSWORD, approve, make_member, tell
from topics.changes import Actor
from topics.models import ChangeSet, Fact, Membership, Space, Topic
from topics.services.preferences import set_preferences
from topics.services.spaces import set_member
from topics.services.statements import add_fact, edit_fact
from topics.services.topics import create_topic


@pytest.fixture
def lin(space: Space) -> Actor:
    person = User.objects.get(username="lin")
    set_member(space=space, user=person, role=Membership.Role.ADMIN)
    set_preferences(user=person, changes={"language": "zh-hans"})
    return Actor.person(person)


def test_two_reviewers_empty_one_queue(
    page: Page, browser: Browser, live_server: Any, space: Space, english: list[Proposal], chinese: list[Proposal]
) -> None:
    make_member(space, "maya")
    set_preferences(user=User.objects.get(username="maya"), changes={"language": "zh-hans"})
    other = browser.new_context().new_page()
    for tab, name in ((page, "lin"), (other, "maya")):
        sign_in(tab, live_server.url, name)
        expect_item(tab, chinese[3].text)
    expect(other.locator("#item")).to_contain_text("lin")
    press(other, "j")
    expect_item(other, chinese[2].text)
    everything = [*english, *chinese]
    for number in range(len(everything)):
        tab, keys = ((page, ["a"]), (other, ["r", "Enter"]))[number % 2]
        before = str(tab.locator("#item").get_attribute("data-id"))
        press(tab, *keys)
        expect(tab.locator("#item")).not_to_have_attribute("data-id", before)
        expect(tab.locator("#item")).not_to_have_attribute("aria-busy", re.compile("."))
        if number < len(everything) - 2:
            # Whoever comes to an item that the other has just decided goes on to the next.
            while Proposal.objects.get(pk=str(tab.locator("#item").get_attribute("data-id"))).status != "pending":
                tab.reload()
                press(tab, "j")
    steps = Counter(Decision.objects.values_list("proposal_id", flat=True))
    assert steps == Counter(p.pk for p in everything)
    by = Counter(Decision.objects.values_list("change_set__actor_label", "after"))
    assert by == {("lin", "approved"): 4, ("maya", "rejected"): 4}
    other.context.close()


def test_a_conflict_that_moved_on_is_shown_anew_before_it_is_settled(
    page: Page, live_server: Any, space: Space, lin: Actor, chinese: list[Proposal]
) -> None:
    approve(space, *chinese)
    tell(space, "我们的预算改成了30万元。", subject="智能家居项目", speaker="林晓")
    held = Conflict.objects.get().fact
    sign_in(page, live_server.url, "lin")
    expect_item(page, "“预算”应以哪条为准？")
    edit_fact(fact=held, actor=Actor("Somebody else"), changes={"text": "我们的预算是25万元。"})
    press(page, "1", "Control+Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("#item")).to_contain_text("25")
    assert Conflict.objects.get().status == "open"
    expect_item(page, "“预算”应以哪条为准？")
    press(page, "1", "Control+Enter")
    expect(page.locator("#queue")).to_contain_text("这里没有等待处理的内容")
    assert Conflict.objects.get().outcome == "replace"


def test_five_topics_are_merged_and_parted_again_after_later_edits(
    page: Page, live_server: Any, space: Space, lin: Actor, console_errors: list[str]
) -> None:
    names = ["滨江项目", "滨江工程", "滨江一期", "Binjiang", "滨江"]
    topics = [create_topic(space=space, actor=lin, name=name, kind="project") for name in names]
    for topic in topics:
        add_fact(topic=topic, actor=lin, text=f"{topic.name}的负责人是陈工。")
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/merge/?{'&'.join(f't={topic.pk}' for topic in topics)}")
    expect(page.locator("h1")).to_have_text("合并5个主题")
    focus_with_tab(page, '[name="name_custom"]')
    page.keyboard.type("滨江新区")
    expect(page.locator("#result .claim-text")).to_have_text("滨江新区")
    press(page, "Control+Enter")
    page.wait_for_url(f"**/topics/{topics[0].pk}/")
    expect(page.locator("h1")).to_have_text("滨江新区")
    assert Topic.objects.filter(status="merged").count() == 4
    page.goto(f"{live_server.url}/topics/{topics[3].pk}/")
    expect(page.locator("h1")).to_have_text("滨江新区")

    add_fact(topic=Topic.objects.get(pk=topics[0].pk), actor=lin, text="新区的律师是周宁。")
    page.goto(f"{live_server.url}/activity/{ChangeSet.objects.get(action='merge_topics').pk}/")
    focus_with_tab(page, '[popovertarget="undo-menu"]')
    press(page, "Enter")
    focus_with_tab(page, "#undo-menu [type=submit]")
    press(page, "Enter")
    expect(page.locator("#toasts")).to_contain_text("已撤销")
    assert {t.name for t in Topic.objects.filter(pk__in=[t.pk for t in topics], status="active")} == set(names)
    assert Fact.objects.get(text="新区的律师是周宁。").topic == topics[0]
    assert all(Fact.objects.get(text=f"{topic.name}的负责人是陈工。").topic == topic for topic in topics)


def test_versions_are_compared_and_a_change_is_taken_back(
    page: Page, live_server: Any, space: Space, lin: Actor, console_errors: list[str]
) -> None:
    topic = Topic.objects.get(name="智能家居项目")
    fact = add_fact(topic=topic, actor=lin, text="预算是20万元。")
    edit_fact(fact=fact, actor=lin, changes={"text": "预算是30万元。"}, reason="听错了")
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/topics/{topic.pk}/history/")
    expect(page.locator("#item")).to_contain_text("听错了")
    focus_with_tab(page, "#item a[href*='compare']")
    press(page, "Enter")
    page.wait_for_url("**/compare/?**")
    focus_with_tab(page, "[name=old]")
    press(page, "End")
    focus_with_tab(page, "main form [type=submit]")
    press(page, "Enter")
    expect(page.locator(".diff")).to_contain_text("预算是30万元。")
    page.goto(f"{live_server.url}/topics/{topic.pk}/history/")
    focus_with_tab(page, '[popovertarget="undo-menu"]')
    press(page, "Enter")
    focus_with_tab(page, "#undo-reason")
    page.keyboard.type("没听错")
    press(page, "Enter")
    expect(page.locator("#toasts")).to_contain_text("已撤销")
    fact.refresh_from_db()
    assert fact.text == "预算是20万元。"


def test_the_settings_of_a_space_are_changed(
    page: Page, live_server: Any, space: Space, lin: Actor, console_errors: list[str]
) -> None:
    User.objects.create_user("maya", password=PASSWORD)
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/settings/")
    focus_with_tab(page, "#id_name")
    press(page, "Control+A")
    page.keyboard.type("销售")
    focus_with_tab(page, "[name=conflict_policy]")
    press(page, "ArrowDown")
    press(page, "Control+Enter")
    expect(page.locator("#nav, .sidebar").first).to_contain_text("销售")
    space.refresh_from_db()
    assert (space.name, space.conflict_policy) == ("销售", "newest")
    page.goto(f"{live_server.url}/settings/members/")
    focus_with_tab(page, "input[name=username]")
    page.keyboard.type("maya")
    press(page, "Enter")
    expect(page.get_by_role("table")).to_contain_text("maya")
    assert space.memberships.get(user__username="maya").role == Membership.Role.REVIEWER


def end_session_and_sign_in_again(page: Page, key: str) -> None:
    """What is sent with `key` meets no session any more; sign in, and be where it was sent from."""
    Session.objects.all().delete()
    press(page, key)
    page.wait_for_url(re.compile("/login/"))
    page.fill("#id_username", "lin")
    page.fill("#id_password", PASSWORD)
    press(page, "Enter")
    page.wait_for_url(lambda url: "/login/" not in url)


def test_nothing_typed_is_lost_when_the_session_ends(
    page: Page, live_server: Any, space: Space, lin: Actor, chinese: list[Proposal], console_errors: list[str]
) -> None:
    topic = Topic.objects.get(name="智能家居项目")
    fact = add_fact(topic=topic, actor=lin, text="书房的信号不好。")
    sign_in(page, live_server.url, "lin")
    # A form on a page of its own.
    page.goto(f"{live_server.url}/topics/new/")
    page.fill("#id_name", "地暖改造")
    page.fill("[name=summary]", "二楼的地暖。")
    end_session_and_sign_in_again(page, "Control+Enter")
    expect(page.locator("#id_name")).to_have_value("地暖改造")
    press(page, "Control+Enter")
    expect(page.locator("h1")).to_have_text("地暖改造")
    assert Topic.objects.get(name="地暖改造").summary == "二楼的地暖。"
    # A form inside the document, which is opened again.
    page.goto(f"{live_server.url}/topics/{topic.pk}/")
    line = page.locator(f"#s-{fact.pk}")
    line.get_by_role("link", name="修改").press("Enter")
    line.locator("textarea").first.fill("书房的信号很好。")
    end_session_and_sign_in_again(page, "Control+Enter")
    line.get_by_role("link", name="修改").press("Enter")
    expect(line.locator("textarea").first).to_have_value("书房的信号很好。")
    press(page, "Control+Enter")
    expect(page.locator(f"#s-{fact.pk} .text")).to_have_text("书房的信号很好。")
    # A decision with words of one's own.
    approve(space, *chinese)
    tell(space, "我们的预算改成了30万元。", subject="智能家居项目", speaker="林晓")
    page.goto(f"{live_server.url}/review/conflicts/")
    expect_item(page, "“预算”应以哪条为准？")
    press(page, "5")
    question = page.locator("#outcome-ask ~ .more textarea")
    question.fill("预算到底是多少？")
    end_session_and_sign_in_again(page, "Control+Enter")
    expect(page.locator("#outcome-ask")).to_be_checked()
    expect(question).to_have_value("预算到底是多少？")
    press(page, "Control+Enter")
    expect(page.locator("#queue")).to_contain_text("这里没有等待处理的内容")
    assert Conflict.objects.get().outcome == "ask"
    # What came through is not put into a form that is opened later.
    page.goto(f"{live_server.url}/topics/new/")
    expect(page.locator("#id_name")).to_have_value("")
