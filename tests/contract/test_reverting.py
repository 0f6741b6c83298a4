"""Reverting one row of a change set over the API; the rest of the set stays."""

from __future__ import annotations

from uuid import uuid4

import pytest

from extraction.models import Proposal
from tests.contract.helpers import Api, read
from topics.models import Fact, Space

BUDGET = "The budget for Project Apollo is 40,000 euros."
SPENT = "We have spent 12,500 euros on Project Apollo."


@pytest.fixture
def change(api: Api, space: Space) -> str:
    """The change set that made the topic and its two facts."""
    read(space, "c1", BUDGET, SPENT, subject="Project Apollo")
    ids = [str(pk) for pk in Proposal.objects.values_list("pk", flat=True)]
    return str(api.post("proposals/decide", {"ids": ids, "decision": "approve"}).json()["change_set"])


def test_one_row_goes_back_and_can_come_again(api: Api, change: str) -> None:
    [row] = [row for row in api.get(f"change-sets/{change}").json()["changes"] if row["title"] == BUDGET]
    body = {"row": row["id"], "reason": "too early"}
    first, again = (api.post(f"change-sets/{change}/revert", body, Idempotency_Key="k1") for _ in range(2))
    assert (first.status_code, again.content) == (200, first.content)
    revert = first.json()
    assert (revert["action"], revert["reason"], revert["actor_kind"]) == ("revert", "too early", "key")
    assert [(part["id"], part["verb"]) for part in revert["changes"]] == [(row["id"], "removed")]
    [topic] = api.get("topics").json()["results"]
    assert [fact["text"] for fact in api.get(f"topics/{topic['id']}/document").json()["facts"]] == [SPENT]
    [waiting] = api.get("proposals?status=pending").json()["results"]
    assert waiting["text"] == BUDGET
    assert api.get(f"change-sets/{change}").json()["undone_by"] is None

    assert api.post(f"change-sets/{revert['id']}/undo").status_code == 200
    assert len(api.get(f"topics/{topic['id']}/document").json()["facts"]) == 2


def test_what_builds_on_the_row_blocks_it(api: Api, change: str) -> None:
    fact = Fact.objects.get(text=BUDGET)
    api.patch(f"facts/{fact.pk}", {"text": "The budget is 41,000 euros."}, If_Match="*")
    refused = api.post(f"change-sets/{change}/revert", {"row": str(fact.pk)})
    assert (refused.status_code, refused.json()["code"], len(refused.json()["blockers"])) == (409, "undo_blocked", 1)


def test_what_stands_only_as_a_whole_is_refused(api: Api, change: str) -> None:
    [topic] = api.get("topics").json()["results"]
    refused = api.post(f"change-sets/{change}/revert", {"row": topic["id"]})
    assert (refused.status_code, refused.json()["code"]) == (409, "whole_only")
    assert api.get("topics").json()["count"] == 1


def test_a_row_that_the_set_did_not_write_is_not_found(api: Api, stranger: Api, change: str) -> None:
    assert api.post(f"change-sets/{change}/revert", {"row": str(uuid4())}).status_code == 404
    assert list(api.post(f"change-sets/{change}/revert", {"row": 7}).json()["fields"]) == ["row"]
    row = str(Fact.objects.get(text=BUDGET).pk)
    assert stranger.post(f"change-sets/{change}/revert", {"row": row}).status_code == 404
