"""Merging and splitting by the API: the contract, dry run, idempotency, stale callers and undo."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.helpers import Api, make_api
from topics.models import ChangeSet, Space, Topic
from topics.services.duplicates import search_duplicates


def create(api: Api, name: str, *facts: str, **values: Any) -> str:
    pk: str = api.post("topics", {"name": name} | values).json()["id"]
    for text in facts:
        assert api.post(f"topics/{pk}/facts", {"text": text}).status_code == 201
    return pk


@pytest.fixture
def pair(api: Api) -> tuple[str, str]:
    return (
        create(api, "Acme", "The office is in Leeds.", "The owner is Mei."),
        create(api, "Acme Corp", "The office is in Leeds.", "The phone is 555-0100.", aliases=["铁砧公司"]),
    )


def facts(api: Api, pk: str) -> list[str]:
    return sorted(fact["text"] for fact in api.get(f"topics/{pk}/facts").json()["results"])


def test_a_dry_run_says_what_the_merge_then_does(api: Api, pair: tuple[str, str]) -> None:
    survivor, other = pair
    body = {"survivor": survivor, "others": [other], "fields": {"name": other, "kind": "customer"}}
    before = ChangeSet.objects.count()
    tried = api.post("topics/merge", body | {"dry_run": True}).json()
    assert ChangeSet.objects.count() == before
    assert (tried["dry_run"], tried["change_set"]) == (True, None)
    assert (tried["name"], tried["kind"], tried["aliases"]) == ("Acme Corp", "customer", ["Acme", "铁砧公司"])
    assert tried["facts"] == {"before": 4, "after": 3}
    assert [(repeat["text"], len(repeat["joined"])) for repeat in tried["repeats"]] == [("The office is in Leeds.", 1)]
    done = api.post("topics/merge", body | {"reason": "the same firm"}).json()
    same = {"dry_run": False, "change_set": done["change_set"]}
    assert done == tried | same
    assert facts(api, other) == ["The office is in Leeds.", "The owner is Mei.", "The phone is 555-0100."]
    topic = api.get(f"topics/{other}").json()
    assert (topic["id"], topic["merged_from"], topic["name"]) == (survivor, other, "Acme Corp")


def test_the_contract_of_old_callers_is_enough(api: Api, pair: tuple[str, str]) -> None:
    body = {"survivor": pair[0], "others": [pair[1]], "fields": {}, "dry_run": False}
    assert api.post("topics/merge", body).status_code == 200


def test_undo_parts_them_and_lists_what_is_kept(api: Api, pair: tuple[str, str]) -> None:
    survivor, other = pair
    change = api.post("topics/merge", {"survivor": survivor, "others": [other]}).json()["change_set"]
    api.post(f"topics/{survivor}/facts", {"text": "The boss is Li."})
    undone = api.post(f"change-sets/{change}/undo").json()
    assert undone["kept"] == ["“The boss is Li.” was added later, and stays with Acme."]
    assert facts(api, other) == ["The office is in Leeds.", "The phone is 555-0100."]
    assert api.get(f"topics/{other}").json()["merged_from"] is None


def test_the_history_tells_what_the_merge_did(api: Api, pair: tuple[str, str]) -> None:
    survivor, other = pair
    change = api.post("topics/merge", {"survivor": survivor, "others": [other]}).json()["change_set"]
    changes = api.get(f"change-sets/{change}").json()["changes"]
    told = {(row["type"], row["verb"], row["title"]) for row in changes}
    assert ("topic", "merged", "Acme Corp") in told
    assert ("fact", "moved", "The phone is 555-0100.") in told
    assert ("fact", "joined", "The office is in Leeds.") in told


def test_a_fact_that_was_joined_goes_on_answering_and_names_the_one_that_stands(
    api: Api, pair: tuple[str, str]
) -> None:
    (repeat,) = api.post("topics/merge", {"survivor": pair[0], "others": [pair[1]]}).json()["repeats"]
    (joined,) = repeat["joined"]
    fact = api.get(f"facts/{joined}").json()
    assert (fact["status"], fact["superseded_by"]) == ("joined", repeat["kept"])
    refused = api.post(f"facts/{joined}/retract")
    assert (refused.status_code, refused.json()["code"]) == (409, "joined")


def test_the_same_request_twice_merges_once(api: Api, pair: tuple[str, str]) -> None:
    body = {"survivor": pair[0], "others": [pair[1]]}
    first = api.post("topics/merge", body, Idempotency_Key="m1")
    again = api.post("topics/merge", body, Idempotency_Key="m1")
    assert (first.status_code, again.content) == (200, first.content)
    assert ChangeSet.objects.filter(action="merge_topics").count() == 1


def test_what_is_merged_already_is_the_same_topic(api: Api, pair: tuple[str, str]) -> None:
    body = {"survivor": pair[0], "others": [pair[1]]}
    api.post("topics/merge", body)
    again = api.post("topics/merge", body)
    assert (again.status_code, list(again.json()["fields"])) == (422, ["others"])


def test_a_caller_who_saw_another_version_is_stopped(api: Api, pair: tuple[str, str]) -> None:
    survivor, other = pair
    seen = api.get(f"topics/{survivor}")
    body = {"survivor": survivor, "others": [other]}
    versions = {pk: api.get(f"topics/{pk}").json()["version"] for pk in pair}
    api.patch(f"topics/{survivor}", {"summary": "New."}, If_Match="*")
    assert api.post("topics/merge", body, If_Match=seen.headers["ETag"]).status_code == 412
    assert api.post("topics/merge", body | {"versions": versions}).status_code == 412
    present = api.get(f"topics/{survivor}").headers["ETag"]
    assert api.post("topics/merge", body, If_Match=present).status_code == 200


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"others": []}, 422),
        ({"others": ["no such topic"]}, 404),
        ({"survivor": "x" * 65}, 422),
        ({"colour": "red"}, 422),
        ({"fields": {"colour": "red"}}, 422),
        ({"fields": {"kind": "planet"}}, 422),
        ({"leave_out": ["everything"]}, 422),
        ({"prefer": ["0197b2c1-7a52-7c3e-9d1f-4b8f2a6c5d10"]}, 422),
        ({"versions": {"nonsense": 1}}, 404),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(api: Api, pair: tuple[str, str], wrong: dict[str, Any], status: int) -> None:
    assert api.post("topics/merge", {"survivor": pair[0], "others": [pair[1]]} | wrong).status_code == status
    assert not Topic.objects.filter(status="merged").exists()


def test_a_topic_of_another_space_is_not_found(api: Api, stranger: Api, pair: tuple[str, str]) -> None:
    foreign = create(stranger, "Acme")
    for body in ({"survivor": pair[0], "others": [foreign]}, {"survivor": foreign, "others": [pair[0]]}):
        assert api.post("topics/merge", body).status_code == 404


def test_merging_and_splitting_need_the_scope_admin(space: Space, pair: tuple[str, str]) -> None:
    reviewer = make_api(space, "read", "write", "review")
    for path in ("topics/merge", f"topics/{pair[0]}/split"):
        assert reviewer.post(path, {}).json()["code"] == "missing_scope"


def test_a_split_moves_what_was_chosen(api: Api, pair: tuple[str, str]) -> None:
    _acme, corp = pair
    phone = next(f for f in api.get(f"topics/{corp}/facts").json()["results"] if "phone" in f["text"])
    alias = next(a for a in api.get(f"topics/{corp}/aliases").json()["results"] if not a["is_name"])
    answer = api.post(f"topics/{corp}/split", {"name": "铁砧公司", "facts": [phone["id"]], "aliases": [alias["id"]]})
    new = answer.json()
    assert (answer.status_code, new["name"], new["aliases"]) == (201, "铁砧公司", [])
    assert (facts(api, corp), facts(api, new["id"])) == (["The office is in Leeds."], ["The phone is 555-0100."])
    change = api.get("change-sets").json()["results"][0]
    assert change["action"] == "split_topic"
    assert api.post(f"change-sets/{change['id']}/undo").status_code == 200
    assert facts(api, corp) == ["The office is in Leeds.", "The phone is 555-0100."]
    assert api.get(f"topics/{new['id']}").status_code == 404


def test_duplicates_are_listed_dismissed_and_suggested_again(api: Api, space: Space, pair: tuple[str, str]) -> None:
    search_duplicates(space=space)
    (found,) = api.get("duplicates").json()["results"]
    assert {found["first"]["id"], found["second"]["id"]} == set(pair)
    assert {"same_name", "shared_facts"} == {reason["code"] for reason in found["reasons"]}
    dismissed = api.post(f"duplicates/{found['id']}/dismiss").json()
    assert dismissed["dismissed_by"]
    assert api.get("duplicates").json()["count"] == 0
    assert [row["id"] for row in api.get("duplicates?status=dismissed").json()["results"]] == [found["id"]]
    assert api.post(f"duplicates/{found['id']}/reopen").json() == found
    api.post("topics/merge", {"survivor": pair[0], "others": [pair[1]]})
    assert api.get("duplicates").json()["count"] == 0


def test_duplicates_need_the_scope_review(space: Space) -> None:
    assert make_api(space, "read", "write").get("duplicates").json()["code"] == "missing_scope"
