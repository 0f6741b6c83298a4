"""Review by a program: decide, resolve, answer, undo."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from extraction.models import Conflict, Proposal
from tests.contract.helpers import SAID_AT, Api, World, make_api, read
from topics.models import ChangeSet, Fact, Space

BUDGET = "The budget for Project Apollo is 40,000 euros."
SPENT = "We have spent 12,500 euros on Project Apollo."


@pytest.fixture
def own(world: World) -> Api:
    return make_api(world.space)


@pytest.fixture
def waiting(space: Space) -> list[str]:
    """The topic Project Apollo and two of its facts, all of them proposed."""
    read(space, "c1", BUDGET, SPENT, subject="Project Apollo")
    return [str(pk) for pk in Proposal.objects.order_by("pk").values_list("pk", flat=True)]


def test_proposals_are_listed_with_their_words(api: Api, waiting: list[str]) -> None:
    listed = api.get("proposals?status=pending").json()["results"]
    assert [row["id"] for row in listed] == waiting
    [topic] = [row for row in listed if row["kind"] == "topic"]
    assert topic["topic_name"] == "Project Apollo"
    [fact] = [row for row in listed if row["text"] == BUDGET]
    assert (fact["topic"], fact["new_topic"], fact["fact_kind"]) == (None, topic["id"], "number")
    [quote] = fact["quotes"]
    assert (quote["conversation"], quote["message"], quote["text"]) == ("c1", "D1", BUDGET)
    assert api.get(f"proposals/{fact['id']}").json() == fact


def test_proposals_are_filtered(own: Api, world: World) -> None:
    def ids(query: str) -> list[str]:
        return [row["id"] for row in own.get(f"proposals?{query}").json()["results"]]

    assert ids("conflict=true") == [world.proposal]
    assert world.proposal not in ids("conflict=false")
    assert ids("status=pending") == [world.proposal]
    assert ids("status=rejected") == []
    assert world.proposal in ids(f"topic={world.topic}")
    assert ids("topic=00000000-0000-0000-0000-000000000000") == []
    assert world.proposal in ids("kind=number")
    assert world.proposal in ids("kind=fact")
    assert ids("kind=alias") == []
    for wrong in ("status=open", "kind=rumour", "topic=x", "conflict=perhaps"):
        assert own.get(f"proposals?{wrong}").status_code == 422


def test_a_filter_takes_no_number_for_an_id(own: Api, world: World) -> None:
    for topic in (False, 0, 7):
        answer = own.post("proposals/decide", {"filter": {"topic": topic}, "decision": "reject"})
        assert answer.status_code == 422
        assert list(answer.json()["fields"]) == ["filter.topic"]
    assert Proposal.objects.get(pk=world.proposal).status == "pending"


def test_approving_makes_the_document_and_undo_takes_it_back(api: Api, waiting: list[str]) -> None:
    answer = api.post("proposals/decide", {"ids": waiting, "decision": "approve", "reason": "right"}).json()
    assert {result["status"] for result in answer["results"]} == {"approved"}
    assert [result["id"] for result in answer["results"]] == waiting
    [topic] = api.get("topics").json()["results"]
    document = api.get(f"topics/{topic['id']}/document").json()
    assert {fact["text"] for fact in document["facts"]} == {BUDGET, SPENT}
    change = api.get(f"change-sets/{answer['change_set']}").json()
    assert (change["action"], change["reason"], change["actor_kind"]) == ("approve_proposals", "right", "key")
    assert {row["type"] for row in change["changes"]} == {"topic", "fact"}

    undo = api.post(f"change-sets/{answer['change_set']}/undo", {"reason": "mistake"}).json()
    assert (undo["action"], undo["undoes"], undo["reason"]) == ("undo", answer["change_set"], "mistake")
    assert api.get("topics").json()["count"] == 0
    assert api.get("proposals?status=pending").json()["count"] == len(waiting)
    assert api.get(f"change-sets/{answer['change_set']}").json()["undone_by"] == undo["id"]
    again = api.post(f"change-sets/{answer['change_set']}/undo")
    assert (again.status_code, again.json()["code"]) == (409, "undone")

    assert api.post(f"change-sets/{undo['id']}/undo").status_code == 200
    assert api.get("topics").json()["count"] == 1


def test_undo_is_refused_with_what_builds_on_it(api: Api, waiting: list[str]) -> None:
    change = api.post("proposals/decide", {"ids": waiting, "decision": "approve"}).json()["change_set"]
    fact = Fact.objects.get(text=BUDGET)
    api.patch(f"facts/{fact.pk}", {"text": "The budget is 41,000 euros."}, If_Match="*")
    response = api.post(f"change-sets/{change}/undo")
    assert (response.status_code, response.json()["code"]) == (409, "undo_blocked")
    assert len(response.json()["blockers"]) == 1
    assert Fact.objects.get(pk=fact.pk).status == "active"


def test_approving_with_edits(api: Api, waiting: list[str]) -> None:
    [fact] = [pk for pk in waiting if Proposal.objects.get(pk=pk).text == BUDGET]
    edits = {"text": "The budget is 41,000 euros.", "value": "41000", "valid_from": "2024-01-01T00:00:00+08:00"}
    answer = api.post("proposals/decide", {"ids": [fact], "decision": "approve", "edits": edits}).json()
    held = api.get(f"facts/{answer['results'][0]['fact']}").json()
    assert (held["text"], held["value"], held["valid_from"]) == (edits["text"], "41000", "2023-12-31T16:00:00Z")
    assert [source["text"] for source in held["sources"]] == [BUDGET]


def test_a_filter_decides_all_that_it_finds(api: Api, waiting: list[str]) -> None:
    answer = api.post(
        "proposals/decide", {"filter": {"kind": "fact", "status": "pending"}, "decision": "reject"}
    ).json()
    assert [result["status"] for result in answer["results"]] == ["rejected"] * 2
    assert answer["remaining"] == 0
    assert api.get("proposals?status=pending").json()["count"] == 1
    assert api.post("proposals/decide", {"filter": {"kind": "fact"}, "decision": "reject"}).json() == {
        "results": [],
        "change_set": None,
        "remaining": 0,
    }


def test_each_id_gets_its_own_result(own: Api, world: World, api: Api) -> None:
    ids = [world.proposal, "00000000-0000-0000-0000-000000000000", "nonsense", world.proposal]
    results = own.post("proposals/decide", {"ids": ids, "decision": "approve"}).json()["results"]
    assert [(r["id"], r["status"], r["code"]) for r in results] == [
        (world.proposal, "conflict", "conflict"),
        (ids[1], "error", "not_found"),
        ("nonsense", "error", "not_found"),
    ]
    assert results[0]["conflict"] == world.conflict
    [foreign] = api.post("proposals/decide", {"ids": [world.proposal], "decision": "reject"}).json()["results"]
    assert foreign["code"] == "not_found"
    assert Proposal.objects.get(pk=world.proposal).status == "pending"


def test_one_without_words_behind_it_is_refused_and_the_others_are_decided(api: Api, waiting: list[str]) -> None:
    bare = Proposal.objects.get(text=BUDGET)
    bare.quotes.all().delete()
    results = api.post("proposals/decide", {"ids": waiting, "decision": "approve"}).json()["results"]
    assert [(r["id"], r["status"]) for r in results] == [
        (pk, "error" if pk == str(bare.pk) else "approved") for pk in waiting
    ]
    [refused] = [r for r in results if r["status"] == "error"]
    assert (refused["code"], refused["message"]) == (
        "invalid",
        "No fact without evidence, unless a person wrote it.",
    )
    assert [row["id"] for row in api.get("proposals?status=pending").json()["results"]] == [str(bare.pk)]

    # In the words of who decides it needs none.
    edits = {"text": "The budget is 40,000 euros."}
    [own] = api.post("proposals/decide", {"ids": [str(bare.pk)], "decision": "approve", "edits": edits}).json()[
        "results"
    ]
    assert own["status"] == "approved"


def test_what_is_decided_stays_decided(api: Api, waiting: list[str]) -> None:
    api.post("proposals/decide", {"ids": waiting, "decision": "reject"})
    results = api.post("proposals/decide", {"ids": waiting, "decision": "approve"}).json()["results"]
    assert {result["code"] for result in results} == {"decided"}
    assert api.get("topics").json()["count"] == 0


def test_a_snooze_ends_by_itself(api: Api, waiting: list[str]) -> None:
    until = (timezone.now() + timedelta(days=1)).isoformat()
    answer = api.post("proposals/decide", {"ids": waiting, "decision": "snooze", "snooze_until": until}).json()
    assert {result["status"] for result in answer["results"]} == {"snoozed"}
    assert api.get("proposals?status=pending").json()["count"] == 0
    assert api.get("proposals?status=snoozed").json()["count"] == len(waiting)
    Proposal.objects.update(snoozed_until=timezone.now() - timedelta(minutes=1))
    listed = api.get("proposals?status=pending").json()["results"]
    assert {row["status"] for row in listed} == {"pending"}
    assert len(listed) == len(waiting)


BAD_DECISIONS: dict[str, tuple[Any, str]] = {
    "neither ids nor filter": ({"decision": "approve"}, "ids"),
    "both": ({"ids": ["a"], "filter": {}, "decision": "approve"}, "ids"),
    "no ids": ({"ids": [], "decision": "approve"}, "ids"),
    "a number as id": ({"ids": [7], "decision": "approve"}, "ids.0"),
    "too many": ({"ids": ["a"] * 501, "decision": "approve"}, "ids"),
    "no decision": ({"ids": ["a"]}, "decision"),
    "unknown decision": ({"ids": ["a"], "decision": "shrug"}, "decision"),
    "unknown filter": ({"filter": {"kind": "rumour"}, "decision": "approve"}, "filter.kind"),
    "a mistyped filter": ({"filter": {"topics": "x"}, "decision": "approve"}, "filter.topics"),
    "a filter for what is decided": ({"filter": {"status": "rejected"}, "decision": "approve"}, "filter.status"),
    "a mistyped field": ({"ids": ["a"], "decision": "approve", "edit": {"text": "b"}}, "edit"),
    "unknown edit": ({"ids": ["a"], "decision": "approve", "edits": {"txet": "b"}}, "edits.txet"),
    "an edit of another type": ({"ids": ["a"], "decision": "approve", "edits": {"text": 7}}, "edits.text"),
    "edits of a rejection": ({"ids": ["a"], "decision": "reject", "edits": {"text": "b"}}, "edits"),
    "snoozed into the past": (
        {"ids": ["a"], "decision": "snooze", "snooze_until": "2020-01-01T00:00:00Z"},
        "snooze_until",
    ),
    "snoozed for ever": ({"ids": ["a"], "decision": "snooze"}, "snooze_until"),
}


@pytest.mark.parametrize(("body", "field"), BAD_DECISIONS.values(), ids=BAD_DECISIONS)
def test_a_decision_that_makes_no_sense_answers_422(body: Any, field: str, api: Api) -> None:
    response = api.post("proposals/decide", body)
    assert response.status_code == 422
    assert list(response.json()["fields"]) == [field]


def test_a_conflict_shows_both_sides(own: Api, world: World) -> None:
    [conflict] = own.get("conflicts?status=open").json()["results"]
    assert conflict["id"] == world.conflict
    assert (conflict["held"]["id"], conflict["held"]["status"]) == (world.fact, "disputed")
    assert conflict["held"]["sources"][0]["text"] == BUDGET
    assert conflict["proposal"]["id"] == world.proposal
    assert "55,000" in conflict["proposal"]["quotes"][0]["text"]
    assert own.get(f"conflicts/{world.conflict}").json() == conflict


@pytest.mark.parametrize(
    ("body", "held", "new"),
    [
        ({"outcome": "replace"}, "superseded", "active"),
        ({"outcome": "keep"}, "active", None),
        ({"outcome": "both", "valid_until": "2024-06-01T00:00:00Z"}, "active", "active"),
        ({"outcome": "both", "scope": "abroad"}, "active", "active"),
        ({"outcome": "neither"}, "retracted", None),
    ],
    ids=str,
)
def test_each_outcome_settles_and_can_be_undone(
    body: dict[str, str], held: str, new: str | None, own: Api, world: World
) -> None:
    answer = own.post(f"conflicts/{world.conflict}/resolve", body).json()
    assert (answer["conflict"]["status"], answer["conflict"]["outcome"]) == ("resolved", body["outcome"])
    assert own.get(f"facts/{world.fact}").json()["status"] == held
    fact = own.get(f"proposals/{world.proposal}").json()["fact"]
    assert (own.get(f"facts/{fact}").json()["status"] if fact else None) == new
    again = own.post(f"conflicts/{world.conflict}/resolve", {"outcome": "keep"})
    assert again.status_code == 409
    assert own.post(f"change-sets/{answer['change_set']}/undo").status_code == 200
    assert own.get(f"conflicts/{world.conflict}").json()["status"] == "open"
    assert own.get(f"facts/{world.fact}").json()["status"] == "disputed"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "outcome"),
        ({"outcome": "shrug"}, "outcome"),
        ({"outcome": "both"}, "valid_until"),
        ({"outcome": "both", "valid_until": "soon"}, "valid_until"),
        ({"outcome": "replace", "edits": {"txet": "a"}}, "edits.txet"),
    ],
    ids=str,
)
def test_an_outcome_that_makes_no_sense_answers_422(body: Any, field: str, own: Api, world: World) -> None:
    response = own.post(f"conflicts/{world.conflict}/resolve", body)
    assert response.status_code == 422
    assert list(response.json()["fields"]) == [field]
    assert Conflict.objects.get().status == "open"


def test_the_users_answer_settles_the_conflict(own: Api, world: World) -> None:
    [question] = own.get("confirmations").json()["results"]
    assert (question["id"], question["topic"], question["status"]) == (world.confirmation, world.topic, "open")
    sent = {"messages": [{"id": "D9", "role": "user", "content": "Yes, that is right."}]}
    own.post("conversations/c%2F2/messages", sent)
    answer = own.post(f"confirmations/{world.confirmation}/answer", {"answer": "yes", "message": "D9"}).json()
    assert (answer["confirmation"]["status"], answer["confirmation"]["answer"]) == ("answered", "yes")
    assert answer["confirmation"]["message"] == "D9"
    assert own.get(f"facts/{world.fact}").json()["status"] == "superseded"
    assert own.get("confirmations").json()["count"] == 0
    assert own.get("confirmations?status=answered").json()["count"] == 1
    again = own.post(f"confirmations/{world.confirmation}/answer", {"answer": "no"})
    assert (again.status_code, again.json()["code"]) == (409, "answered")


def test_no_keeps_and_other_leaves_it_to_a_person(own: Api, world: World) -> None:
    own.post(f"confirmations/{world.confirmation}/answer", {"answer": "other"})
    assert own.get(f"conflicts/{world.conflict}").json()["status"] == "open"
    own.post(f"conflicts/{world.conflict}/resolve", {"outcome": "ask", "question": "Is it 55,000 now?"})
    [question] = own.get("confirmations").json()["results"]
    assert question["question"] == "Is it 55,000 now?"
    own.post(f"confirmations/{question['id']}/answer", {"answer": "no"})
    assert own.get(f"conflicts/{world.conflict}").json()["outcome"] == "keep"
    assert own.get(f"facts/{world.fact}").json()["status"] == "active"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "answer"),
        ({"answer": "perhaps"}, "answer"),
        ({"answer": "yes", "message": "D404"}, "message"),
        ({"answer": "yes", "message": "D1", "conversation": "elsewhere"}, "message"),
    ],
    ids=str,
)
def test_an_answer_that_makes_no_sense_answers_422(body: Any, field: str, own: Api, world: World) -> None:
    response = own.post(f"confirmations/{world.confirmation}/answer", body)
    assert response.status_code == 422
    assert list(response.json()["fields"]) == [field]
    assert own.get("confirmations").json()["count"] == 1


def test_lists_take_few_queries_however_much_there_is(
    api: Api, space: Space, django_assert_max_num_queries: Any
) -> None:
    for n in range(15):
        read(space, f"c{n}", f"The budget for Project X{n} is {n}0,000 euros.", subject=f"Project X{n}")
    for route in (
        "proposals",
        "conflicts",
        "confirmations",
        "change-sets",
        "conversations",
        "conversations/c1/messages",
    ):
        api.get(route)
        with django_assert_max_num_queries(10):
            assert api.get(route).status_code == 200


@pytest.mark.parametrize(("never_true", "outcome"), [(False, "approved"), (True, "rejected")])
def test_an_older_statement_is_kept_as_what_was_true_before_or_rejected(
    never_true: bool, outcome: str, own: Api, world: World
) -> None:
    assert own.get(f"conflicts/{world.conflict}").json()["is_older"] is False
    read(world.space, "old", "The budget for Project Apollo is 30,000 euros.", said_at=SAID_AT - timedelta(days=9))
    [older] = [row for row in own.get("conflicts?status=open").json()["results"] if row["is_older"]]
    body = {"outcome": "keep", "never_true": never_true}
    settled = own.post(f"conflicts/{older['id']}/resolve", body).json()["conflict"]
    assert (settled["outcome"], settled["proposal"]["status"]) == ("keep", outcome)
    document = own.get(f"topics/{world.topic}/document").json()
    assert [fact["text"] for fact in document["superseded"]] == (
        [] if never_true else ["The budget for Project Apollo is 30,000 euros."]
    )


def test_what_is_asked_about_a_topic_that_is_gone_is_asked_no_more_until_it_is_back(own: Api, world: World) -> None:
    def open_ones() -> list[int]:
        return [own.get(f"{route}?status=open").json()["count"] for route in ("conflicts", "confirmations")]

    assert open_ones() == [1, 1]

    def status() -> str:
        return str(own.get(f"confirmations/{world.confirmation}").json()["status"])

    assert status() == "open"
    assert own.delete(f"topics/{world.topic}", If_Match="*").status_code == 204
    assert open_ones() == [0, 0]
    assert status() == "cancelled"
    [withdrawn] = own.get("confirmations?status=cancelled").json()["results"]
    assert (withdrawn["id"], withdrawn["status"]) == (world.confirmation, "cancelled")
    for answer in ("yes", "no", "other"):
        refused = own.post(f"confirmations/{world.confirmation}/answer", {"answer": answer})
        assert (refused.status_code, refused.json()["code"]) == (409, "withdrawn")
        assert refused.json()["topic"] == world.topic
    assert own.post(f"change-sets/{ChangeSet.objects.latest('id').pk}/undo").status_code == 200
    assert open_ones() == [1, 1]
    assert status() == "open"
    assert own.get("confirmations?status=cancelled").json()["count"] == 0
    assert own.post(f"confirmations/{world.confirmation}/answer", {"answer": "yes"}).status_code == 200
    assert status() == "answered"
