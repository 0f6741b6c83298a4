"""Facts, timeline entries and aliases: write, change, take out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.helpers import Api, World, make_api
from topics.models import Alias, Fact, TimelineEntry
from topics.services.spaces import create_space


@pytest.fixture
def own(world: World) -> Api:
    return make_api(world.space)


def test_a_fact_is_written_with_its_value(own: Api, world: World) -> None:
    sent = {
        "text": "The team has six people.",
        "kind": "number",
        "attribute": "team size",
        "value": "6",
        "unit": "people",
    }
    response = own.post(f"topics/{world.topic}/facts", sent)
    assert response.status_code == 201
    fact = response.json()
    assert {name: fact[name] for name in sent} == sent
    assert (fact["topic"], fact["origin"], fact["status"], fact["sources"]) == (world.topic, "agent", "active", [])
    assert own.get(f"facts/{fact['id']}").json() == fact
    listed = own.get(f"topics/{world.topic}/facts").json()["results"]
    assert [row["id"] for row in listed] == [world.fact, fact["id"]]


def test_what_is_said_already_answers_409(own: Api, world: World) -> None:
    response = own.post(f"topics/{world.topic}/facts", {"text": "the budget for Project Apollo is 40,000 euros"})
    assert (response.status_code, response.json()["code"]) == (409, "duplicate")
    assert response.json()["fact"] == world.fact


def test_a_retracted_fact_is_listed_only_when_asked_for(own: Api, world: World) -> None:
    gone = own.post(f"facts/{world.fact}/retract", {"reason": "wrong"}).json()
    assert gone["status"] == "retracted"
    assert own.get(f"topics/{world.topic}/facts").json()["results"] == []
    [listed] = own.get(f"topics/{world.topic}/facts?status=retracted").json()["results"]
    assert listed["id"] == world.fact
    again = own.post(f"facts/{world.fact}/retract")
    assert (again.status_code, again.json()["code"]) == (409, "retracted")
    edited = own.patch(f"facts/{world.fact}", {"text": "x"}, If_Match="*")
    assert edited.status_code == 409


def test_facts_are_filtered_by_kind(own: Api, world: World) -> None:
    own.post(f"topics/{world.topic}/facts", {"text": "We go with plan B.", "kind": "decision"})
    [listed] = own.get(f"topics/{world.topic}/facts?kind=decision").json()["results"]
    assert listed["text"] == "We go with plan B."
    assert own.get(f"topics/{world.topic}/facts?kind=rumour").status_code == 422


BAD_FACTS: dict[str, tuple[Any, str]] = {
    "no text": ({}, "text"),
    "blank": ({"text": " \n"}, "text"),
    "a number": ({"text": 7}, "text"),
    "a number as value": ({"text": "a", "value": 7}, "value"),
    "unknown kind": ({"text": "a", "kind": "rumour"}, "kind"),
    "unknown certainty": ({"text": "a", "certainty": "sure"}, "certainty"),
    "no zone": ({"text": "a", "valid_from": "2024-01-01T00:00:00"}, "valid_from"),
    "ends before it begins": (
        {"text": "a", "valid_from": "2024-02-01T00:00:00Z", "valid_until": "2024-01-01T00:00:00Z"},
        "valid_until",
    ),
    "perhaps negated": ({"text": "a", "negated": "perhaps"}, "negated"),
    "too long": ({"text": "x" * 10_001}, "text"),
    "unknown field": ({"text": "a", "txet": "b"}, "txet"),
}


@pytest.mark.parametrize(("body", "field"), BAD_FACTS.values(), ids=BAD_FACTS)
def test_a_fact_that_makes_no_sense_answers_422(body: Any, field: str, own: Api, world: World) -> None:
    response = own.post(f"topics/{world.topic}/facts", body)
    assert response.status_code == 422
    assert list(response.json()["fields"]) == [field]
    assert Fact.objects.count() == 1


def test_a_timeline_entry_is_written_changed_and_taken_out(own: Api, world: World) -> None:
    sent = {"text": "Go-live", "happened_at": "2024-07-01T00:00:00+08:00", "precision": "month"}
    entry = own.post(f"topics/{world.topic}/timeline", sent).json()
    assert (entry["text"], entry["happened_at"], entry["precision"]) == ("Go-live", "2024-06-30T16:00:00Z", "month")
    changed = own.patch(f"timeline/{entry['id']}", {"text": "Go-live of the pilot"}, If_Match="*").json()
    assert changed["text"] == "Go-live of the pilot"
    listed = own.get(f"topics/{world.topic}/timeline").json()["results"]
    assert [row["id"] for row in listed] == [world.entry, entry["id"]]
    assert own.post(f"timeline/{entry['id']}/retract").json()["status"] == "retracted"
    assert own.get(f"topics/{world.topic}/timeline").json()["count"] == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"text": "a"}, "happened_at"),
        ({"text": "a", "happened_at": "2024"}, "happened_at"),
        ({"text": "a", "happened_at": "2024-07-01T00:00:00"}, "happened_at"),
        ({"text": "a", "happened_at": "2024-07-01T00:00:00Z", "precision": "century"}, "precision"),
    ],
    ids=str,
)
def test_an_entry_that_makes_no_sense_answers_422(body: Any, field: str, own: Api, world: World) -> None:
    response = own.post(f"topics/{world.topic}/timeline", body)
    assert response.status_code == 422
    assert list(response.json()["fields"]) == [field]
    assert TimelineEntry.objects.count() == 1


def test_an_alias_can_be_added_mended_moved_and_taken_away(own: Api, world: World) -> None:
    alias = own.post(f"topics/{world.topic}/aliases", {"name": "Apolo"}).json()
    assert own.patch(f"aliases/{alias['id']}", {"name": "Apollon"}, If_Match="*").json()["name"] == "Apollon"
    assert own.get("topics?alias=apollon").json()["count"] == 1
    assert own.get("topics?alias=apolo").json()["count"] == 0
    other = own.post("topics", {"name": "Zeus"}).json()["id"]
    assert own.patch(f"aliases/{alias['id']}", {"topic": other}, If_Match="*").json()["topic"] == other
    assert own.post(f"aliases/{alias['id']}/retract", {"reason": "wrong"}).json()["name"] == "Apollon"
    assert own.get("topics?alias=apollon").json()["count"] == 0


def test_an_alias_that_is_taken_answers_409(own: Api, world: World) -> None:
    other = own.post("topics", {"name": "Zeus"}).json()["id"]
    response = own.post(f"topics/{other}/aliases", {"name": "APOLLO"})
    assert (response.status_code, response.json()["code"], response.json()["topic"]) == (409, "name_taken", world.topic)
    response = own.patch(f"aliases/{world.alias}", {"name": "zeus"}, If_Match="*")
    assert (response.status_code, response.json()["code"], response.json()["topic"]) == (409, "name_taken", other)
    assert Alias.objects.get(pk=world.alias).name == "Apollo"


def test_a_topics_own_name_is_changed_by_renaming_only(own: Api, world: World) -> None:
    name = Alias.objects.get(topic=world.topic, is_name=True)
    for response in (
        own.delete(f"aliases/{name.pk}", If_Match="*"),
        own.patch(f"aliases/{name.pk}", {"name": "Other"}, If_Match="*"),
        own.post(f"aliases/{name.pk}/retract"),
    ):
        assert (response.status_code, response.json()["code"]) == (409, "own_name")


def test_an_alias_is_changed_in_one_way_at_a_time(own: Api, world: World) -> None:
    for body in ({}, {"reason": "why"}, {"name": "A", "topic": world.topic}):
        assert own.patch(f"aliases/{world.alias}", body, If_Match="*").status_code == 422
    response = own.patch(f"aliases/{world.alias}", {"topic": "nonsense"}, If_Match="*")
    assert response.status_code == 404


def test_an_alias_cannot_go_to_another_space(own: Api, world: World, stranger: Api) -> None:
    theirs = stranger.post("topics", {"name": "Theirs"}).json()["id"]
    assert own.patch(f"aliases/{world.alias}", {"topic": theirs}, If_Match="*").status_code == 404
    assert str(Alias.objects.get(pk=world.alias).topic_id) == world.topic


@pytest.mark.django_db
def test_times_are_told_in_the_zone_of_the_space() -> None:
    space = create_space(slug="shanghai", time_zone="Asia/Shanghai")
    own = make_api(space)
    topic = own.post("topics", {"name": "搬家"}).json()["id"]
    moved = {"text": "搬家了", "happened_at": "2024-05-03T16:00:00Z", "precision": "day"}
    entry = own.post(f"topics/{topic}/timeline", moved).json()
    assert entry["happened_at"] == "2024-05-04T00:00:00+08:00"
    assert own.get(f"timeline/{entry['id']}").json()["happened_at"] == "2024-05-04T00:00:00+08:00"
