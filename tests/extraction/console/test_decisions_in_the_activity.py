"""The activity and the page of a change name what was decided also where no statement of a document changed."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from extraction.models import Proposal
from extraction.services.decisions import decide_proposals
from extraction.services.resolving import resolve_conflict
from topics.changes import Actor
from topics.models import ChangeSet, Space, Topic
from topics.services.undo import undo_change_set


def decide(space: Space, user: User, *proposals: Proposal, **how: Any) -> ChangeSet:
    ids = [p.pk for p in proposals]
    change = decide_proposals(space=space, actor=Actor.person(user), ids=ids, **how).change_set
    assert change is not None
    return change


def pages(desk: Client, change: ChangeSet) -> tuple[str, str]:
    """The row of the change in the activity, and its page, without marks."""
    listed = html.unescape(desk.get("/activity/").content.decode())
    row = next(part for part in listed.split("<li>") if f"/activity/{change.pk}/" in part)
    page = html.unescape(desk.get(f"/activity/{change.pk}/").content.decode())
    return plain(row), plain(page.partition("<h1")[2])


def plain(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<(?!a href)[^>]+>", " ", page))


def test_one_rejection_is_told_in_the_singular_with_its_statement_topic_and_item(
    desk: Client, space: Space, reviewer: User, topic: Topic, facts: list[Proposal]
) -> None:
    change = decide(space, reviewer, facts[0], decision="reject", reason="Misheard")
    for shown in pages(desk, change):
        assert f"Rejected: “{facts[0].text}”" in shown
        assert f'<a href="/topics/{topic.pk}/">Acme renewal' in shown
        assert f'<a href="/review/facts/{facts[0].pk}/">' in shown
        assert "Rejected proposals" not in shown
    assert "Rejected a proposal" in pages(desk, change)[1]
    assert desk.get(f"/review/facts/{facts[0].pk}/").status_code == 200
    table = desk.get("/activity/changes.csv").getvalue().decode()  # type: ignore[attr-defined]
    assert f'Rejected proposals,"Rejected: “{facts[0].text}”"' in table


def test_of_several_the_activity_names_the_first_and_the_page_each(
    desk: Client, space: Space, reviewer: User, facts: list[Proposal]
) -> None:
    row, page = pages(desk, decide(space, reviewer, *facts, decision="reject"))
    assert "(and 2 more)" in row
    assert "Rejected proposals" in page
    for fact in facts:
        assert f"Rejected: “{fact.text}”" in page


def test_what_was_snoozed_and_what_an_undo_puts_back_are_named(
    desk: Client, space: Space, reviewer: User, facts: list[Proposal]
) -> None:
    until = timezone.now() + timedelta(days=1)
    change = decide(space, reviewer, facts[0], decision="snooze", snooze_until=until)
    for shown in pages(desk, change):
        assert f"Snoozed: “{facts[0].text}”" in shown
        assert f"/review/snoozed/{facts[0].pk}/" in shown
    undo = undo_change_set(change=change, actor=Actor.person(reviewer))
    for shown in pages(desk, undo):
        assert f"Waits for a decision: “{facts[0].text}”" in shown


@pytest.mark.parametrize(
    ("outcome", "line"), [("keep", "Kept: “{held}”, not: “{new}”"), ("ask", "Asked about: “{new}”")]
)
def test_of_a_conflict_it_is_told_which_side_holds(
    desk: Client, reviewer: User, contested: Proposal, outcome: str, line: str
) -> None:
    conflict = contested.conflict
    change = resolve_conflict(conflict=conflict, actor=Actor.person(reviewer), outcome=outcome)
    for shown in pages(desk, change):
        assert line.format(held=conflict.fact.text, new=contested.text) in shown
        assert f"/review/conflicts/{contested.pk}/" in shown


def test_what_became_a_statement_is_told_by_the_statement_alone(
    desk: Client, space: Space, reviewer: User, facts: list[Proposal]
) -> None:
    for shown in pages(desk, decide(space, reviewer, facts[0], decision="approve")):
        assert facts[0].text in shown
        assert "Approved: “" not in shown


def test_the_activity_asks_once_for_all_that_was_decided(
    desk: Client, space: Space, reviewer: User, facts: list[Proposal], contested: Proposal
) -> None:
    decide(space, reviewer, facts[1], decision="reject")
    with CaptureQueriesContext(connection) as before:
        desk.get("/activity/")
    decide(space, reviewer, facts[2], decision="reject")
    resolve_conflict(conflict=contested.conflict, actor=Actor.person(reviewer), outcome="keep")
    with CaptureQueriesContext(connection) as after:
        desk.get("/activity/")
    assert len(after) == len(before) <= 20
