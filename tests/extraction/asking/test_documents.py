"""A document shows its open conflicts, and its past ones with what came of them, by whom and when."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from extraction.models import Conflict
from extraction.services.resolving import resolve_conflict
from tests.contract.helpers import make_api
from tests.extraction.filing.helpers import MONDAY, TUESDAY, propose_conflict
from tests.topics.services.helpers import hold
from topics.changes import Actor
from topics.models import ChangeSet, Fact, Membership, Space, Topic
from topics.selectors.documents import document
from topics.services.spaces import set_member
from topics.services.statements import retract_fact
from topics.services.undo import undo_change_set

BUDGET = {"attribute": "budget", "unit": "EUR"}
OLD, NEW = "The budget is 100.", "The budget is 200."


@pytest.fixture
def held(topic: Topic) -> Fact:
    return hold(topic, OLD, said_at=MONDAY, value="100", **BUDGET)


@pytest.fixture
def conflict(space: Space, topic: Topic, held: Fact) -> Conflict:
    return propose_conflict(space, NEW, topic=topic, said_at=TUESDAY, value="200", **BUDGET)


def shown(topic: Topic, **query: str) -> list[dict[str, Any]]:
    path = f"topics/{topic.pk}/document?" + "&".join(f"{name}={value}" for name, value in query.items())
    found: list[dict[str, Any]] = make_api(topic.space).get(path).json()["conflicts"]
    return found


def settle(conflict: Conflict, person: Actor, outcome: str, **values: Any) -> ChangeSet:
    return resolve_conflict(conflict=conflict, actor=person, outcome=outcome, **values)


def test_an_open_one_shows_both_sides(conflict: Conflict, topic: Topic, held: Fact) -> None:
    [row] = shown(topic)
    assert (row["status"], row["held"], row["claim"], row["fact"]) == ("open", OLD, NEW, str(held.pk))
    assert (row["outcome"], row["settled_by"], row["settled_at"], row["change_set"]) == ("", "", None, None)
    assert row["said_at"].startswith("2024-03-05")


@pytest.mark.parametrize(("outcome", "values"), [("replace", {}), ("keep", {}), ("both", {"scope": "Leeds"})])
def test_a_past_one_shows_what_came_of_it(
    conflict: Conflict, topic: Topic, person: Actor, outcome: str, values: dict[str, str]
) -> None:
    change = settle(conflict, person, outcome, **values)
    [row] = shown(topic)
    assert (row["status"], row["outcome"], row["settled_by"]) == ("settled", outcome, person.label)
    assert (row["held"], row["claim"], row["change_set"]) == (OLD, NEW, str(change.pk))
    assert row["settled_at"] is not None


def test_a_rejected_proposal_is_a_conflict_that_kept_what_is_held(
    conflict: Conflict, topic: Topic, space: Space
) -> None:
    body = {"ids": [str(conflict.proposal_id)], "decision": "reject"}
    make_api(space).post("proposals/decide", body)
    assert [row["outcome"] for row in shown(topic)] == ["keep"]


def test_undo_opens_it_again_and_redo_settles_it(conflict: Conflict, topic: Topic, person: Actor) -> None:
    undo = undo_change_set(change=settle(conflict, person, "replace"), actor=person)
    assert [row["status"] for row in shown(topic)] == ["open"]
    redo = undo_change_set(change=undo, actor=person)
    [row] = shown(topic)
    assert (row["status"], row["outcome"], row["change_set"]) == ("settled", "replace", str(redo.pk))


def test_a_moment_shows_what_was_open_then(conflict: Conflict, topic: Topic, held: Fact, person: Actor) -> None:
    during = timezone.now()
    settle(conflict, person, "keep")
    [then] = document(topic, during).conflicts
    assert (then.is_open, then.outcome, then.settled_by) == (True, "", "")
    [now] = document(topic).conflicts
    assert not now.is_open


@pytest.mark.parametrize("side", ["held", "new"])
def test_what_was_retracted_is_gone_from_there_too(conflict: Conflict, topic: Topic, person: Actor, side: str) -> None:
    settle(conflict, person, "replace")
    retract_fact(fact=topic.facts.get(text=OLD if side == "held" else NEW), actor=person)
    assert shown(topic) == []


def test_neither_leaves_nothing_to_show(conflict: Conflict, topic: Topic, person: Actor) -> None:
    settle(conflict, person, "neither")
    assert shown(topic) == []


def test_markdown_tells_both(conflict: Conflict, topic: Topic, space: Space, person: Actor) -> None:
    def markdown() -> str:
        content: str = make_api(space).get(f"topics/{topic.pk}/document?format=markdown").content.decode()
        return content

    text = markdown()
    assert "## Open conflicts" in text
    assert f"“{OLD}” is contradicted by “{NEW}” (said 2024-03-05)" in text
    settle(conflict, person, "keep")
    text = markdown()
    assert "## Open conflicts" not in text
    assert "## Past conflicts" in text
    assert f"What was held stayed, {person.label}" in text


def test_the_page_tells_both(client: Client, conflict: Conflict, topic: Topic, person: Actor) -> None:
    user = User.objects.get()
    set_member(space=topic.space, user=user, role=Membership.Role.REVIEWER)
    client.force_login(user)
    page = client.get(reverse("topics:document", args=[topic.pk])).content.decode()
    callout = page.split('class="callout warn"')[1].split("</div>")[0]
    assert OLD in callout
    assert NEW in callout
    change = settle(conflict, person, "keep")
    page = client.get(reverse("topics:document", args=[topic.pk])).content.decode()
    assert "1 settled conflict" in page
    assert "What was held stayed" in page
    assert reverse("topics:change", args=[change.pk]) in page


def test_conflicts_are_listed_by_topic(conflict: Conflict, topic: Topic, space: Space) -> None:
    api = make_api(space)
    assert [row["id"] for row in api.get(f"conflicts?topic={topic.pk}").json()["results"]] == [str(conflict.pk)]
    assert api.get("conflicts?topic=0197b2c1-7a52-7c3e-9d1f-4b8f2a6c5d10").json()["results"] == []
