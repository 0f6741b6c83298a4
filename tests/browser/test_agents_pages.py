"""What other programs do with the memory, as people see it: webhooks that are told, answers that are called wrong."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from extraction.models import Job, Webhook
from tests.browser.pages import sign_in
from topics.changes import Actor
from topics.models import Membership, Objection, Space
from topics.queries import new_query_id
from topics.services.feedback import give_feedback
from topics.services.spaces import create_api_key, set_member
from topics.services.statements import add_fact


def test_a_webhook_is_made_tried_and_deleted(
    page: Page, live_server: Any, space: Space, console_errors: list[str]
) -> None:
    set_member(space=space, user=User.objects.get(username="lin"), role=Membership.Role.ADMIN)
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/settings/webhooks/")
    page.get_by_label("Address").fill("https://hooks.example.com/memory")
    page.get_by_label("A question was answered").uncheck()
    page.get_by_role("button", name="Create webhook").click()
    secret = page.locator("#new-secret")
    expect(secret).to_have_text(Webhook.objects.get().secret)
    page.get_by_role("button", name="Send a test").click()
    row = page.get_by_role("row").filter(has_text="test")
    expect(row).to_contain_text("On its way")
    expect(secret).to_have_count(0)

    Job.objects.filter(kind=Job.Kind.DELIVER).update(
        status="failed", attempts=8, error="Answered 500.", finished_at=Webhook.objects.get().created_at
    )
    page.reload()
    expect(row).to_contain_text("Given up")
    page.get_by_role("button", name="Deliver again").click()
    expect(row).to_have_count(2)

    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete this webhook").click()
    expect(page.get_by_role("button", name="Create webhook")).to_be_visible()
    assert not Webhook.objects.exists()


def test_what_agents_call_wrong_is_kept_or_mended(
    page: Page, live_server: Any, space: Space, console_errors: list[str]
) -> None:
    topic = space.topics.get(name="Acme renewal")
    facts = [add_fact(topic=topic, actor=Actor("setup"), text=f"The office is in {town}.") for town in ("Lyon", "Nice")]
    key = create_api_key(space=space, scopes=["read"], name="Helpdesk")[0]
    for fact in facts:
        give_feedback(
            key=key,
            query_id=new_query_id(space),
            verdict="wrong",
            comment="Not any more.",
            citations=[{"fact": fact.pk}],
        )
    sign_in(page, live_server.url, "lin")
    page.goto(f"{live_server.url}/activity/feedback/")
    expect(page.get_by_text("Agents call 2 statements wrong.")).to_be_visible()
    page.get_by_role("button", name=re.compile("It is right.*Lyon")).click()
    expect(page.get_by_text("An agent calls 1 statement wrong.")).to_be_visible()
    assert Objection.objects.get(fact=facts[0]).dismissed_by == "lin"

    page.get_by_role("link", name=re.compile("Mend or retract.*Nice")).click()
    edit = page.get_by_role("form", name="Edit this fact")
    edit.locator("[name$=text]").fill("The office is in Turin.")
    edit.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The office is in Turin.").first).to_be_visible()
    page.goto(f"{live_server.url}/activity/feedback/")
    expect(page.get_by_role("cell", name="Not any more.")).to_have_count(2)
    expect(page.locator("#called-wrong")).to_have_count(0)
