"""Topics and their documents: find, read, create, change, put away."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.utils import timezone

from tests.contract.helpers import Api, World, make_api, read
from topics.models import Space, Topic


@pytest.fixture
def own(world: World) -> Api:
    return make_api(world.space)


def test_a_topic_is_created_found_and_read(api: Api) -> None:
    sent = {"name": "智能家居项目", "kind": "project", "summary": "A flat.", "aliases": ["Smart home", "全屋智能"]}
    created = api.post("topics", sent)
    assert created.status_code == 201
    topic = created.json()
    assert {name: topic[name] for name in sent} == sent
    assert (topic["status"], topic["version"], topic["merged_from"]) == ("active", 1, None)
    assert api.get(f"topics/{topic['id']}").json() == topic


@pytest.mark.parametrize("name", ["智能家居项目", "智能家居項目", "ＳＭＡＲＴ　ＨＯＭＥ", "smart-home"])
def test_a_topic_answers_to_its_names_in_any_writing(name: str, api: Api) -> None:
    topic = api.post("topics", {"name": "智能家居项目", "aliases": ["Smart Home"]}).json()
    found = api.get(f"topics?alias={quote(name)}").json()["results"]
    assert [row["id"] for row in found] == [topic["id"]]


def test_lists_are_filtered(api: Api) -> None:
    for name, kind in (("Acme", "customer"), ("Acme rollout", "project"), ("王芳", "person")):
        api.post("topics", {"name": name, "kind": kind})

    def names(query: str) -> list[str]:
        return [row["name"] for row in api.get(f"topics?{query}").json()["results"]]

    assert names("") == ["Acme", "Acme rollout", "王芳"]
    assert names("q=ACME") == ["Acme", "Acme rollout"]
    assert names("q=%E7%8E%8B") == ["王芳"]
    assert names("kind=person") == ["王芳"]
    assert names("q=acme&kind=project") == ["Acme rollout"]
    assert names("alias=nobody") == []
    api.post(f"topics/{api.get('topics?alias=Acme').json()['results'][0]['id']}/archive")
    assert names("status=archived") == ["Acme"]
    assert names("status=active") == ["Acme rollout", "王芳"]
    assert api.get("topics?kind=planet").status_code == 422
    assert api.get("topics?status=deleted").status_code == 422


def test_a_name_that_is_taken_answers_409_with_the_holder(api: Api) -> None:
    held = api.post("topics", {"name": "Acme Ltd", "aliases": ["Acme"]}).json()
    for sent in ({"name": "ＡＣＭＥ"}, {"name": "New", "aliases": ["acme ltd"]}):
        response = api.post("topics", sent)
        assert (response.status_code, response.json()["code"]) == (409, "name_taken")
        assert response.json()["topic"] == held["id"]
    assert Topic.objects.count() == 1


BAD: dict[str, tuple[Any, str]] = {
    "no name": ({}, "name"),
    "blank name": ({"name": "  "}, "name"),
    "a number": ({"name": 7}, "name"),
    "long name": ({"name": "x" * 201}, "name"),
    "control characters": ({"name": "a\u0007b"}, "name"),
    "unknown kind": ({"name": "a", "kind": "planet"}, "kind"),
    "an alias that is none": ({"name": "a", "aliases": ["b", 7]}, "aliases.1"),
    "aliases as text": ({"name": "a", "aliases": "b"}, "aliases"),
    "unknown field": ({"name": "a", "nmae": "b"}, "nmae"),
}


@pytest.mark.parametrize(("body", "field"), BAD.values(), ids=BAD)
def test_a_topic_that_makes_no_sense_answers_422(body: Any, field: str, api: Api) -> None:
    response = api.post("topics", body)
    assert response.status_code == 422
    assert list(response.json()["fields"]) == [field]
    assert not Topic.objects.exists()


def test_renaming_keeps_the_former_name(own: Api, world: World) -> None:
    changed = own.patch(f"topics/{world.topic}", {"name": "Apollo 2", "reason": "as on the site"}, If_Match="*").json()
    assert changed["name"] == "Apollo 2"
    assert "Project Apollo" in changed["aliases"]
    latest = own.get(f"topics/{world.topic}/history").json()["results"][0]
    assert (latest["action"], latest["reason"]) == ("update_topic", "as on the site")


def test_archive_and_restore(own: Api, world: World) -> None:
    assert own.post(f"topics/{world.topic}/archive", {"reason": "done"}).json()["status"] == "archived"
    again = own.post(f"topics/{world.topic}/archive")
    assert (again.status_code, again.json()["code"]) == (409, "wrong_state")
    assert own.post(f"topics/{world.topic}/restore").json()["status"] == "active"


def test_a_deleted_topic_is_gone_until_it_is_undone(own: Api, world: World) -> None:
    assert own.delete(f"topics/{world.topic}", If_Match="*").status_code == 204
    for route in ("", "/document", "/facts", "/history"):
        assert own.get(f"topics/{world.topic}{route}").status_code == 404
    assert own.get("topics").json()["count"] == 0
    assert own.get(f"facts/{world.fact}").status_code == own.get(f"timeline/{world.entry}").status_code == 404
    deleted = own.get("change-sets").json()["results"][0]
    assert deleted["action"] == "delete_topic"
    assert own.post(f"change-sets/{deleted['id']}/undo").status_code == 200
    assert own.get(f"topics/{world.topic}").json()["aliases"] == ["Apollo"]


def test_a_merged_topic_answers_as_its_survivor(own: Api, world: World, api: Api) -> None:
    from topics.changes import Actor, change_set
    from topics.models import Alias

    merged = own.post("topics", {"name": "Apollo programme"}).json()["id"]
    with change_set(space=world.space, actor=Actor(label="tests"), action="merge_topics"):
        Alias.objects.get(topic=merged).delete()
        topic = Topic.objects.get(pk=merged)
        topic.status, topic.merged_into_id = Topic.Status.MERGED, world.topic
        topic.save()
    for route in ("", "/document"):
        answer = own.get(f"topics/{merged}{route}").json()
        assert (answer["id"], answer["merged_from"]) == (world.topic, merged)
        assert own.get(f"topics/{world.topic}{route}").json()["merged_from"] is None
    assert own.get("topics").json()["count"] == 1


def test_the_document_holds_everything(own: Api, world: World) -> None:
    found = own.get(f"topics/{world.topic}/document").json()
    assert (found["name"], found["kind"], found["as_of"]) == ("Project Apollo", "project", None)
    assert [alias["name"] for alias in found["aliases"]] == ["Apollo"]
    [fact] = found["facts"]
    assert (fact["id"], fact["status"]) == (world.fact, "disputed")
    [source] = fact["sources"]
    assert (source["conversation"], source["message"], source["start"]) == ("c/1", "D1", 0)
    assert source["text"] == "The budget for Project Apollo is 40,000 euros."
    assert [entry["text"] for entry in found["timeline"]] == ["Kick-off"]


def test_the_document_as_markdown(own: Api, world: World) -> None:
    own.post(
        f"topics/{world.topic}/facts",
        {"text": "# Not a heading\n- nor *this* <b>", "certainty": "tentative", "valid_until": "2024-06-01T00:00:00Z"},
    )
    response = own.get(f"topics/{world.topic}/document?format=markdown")
    assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
    text = response.content.decode()
    assert text.startswith("# Project Apollo\n\nAlso known as: Apollo\n")
    assert "- The budget for Project Apollo is 40,000 euros. (disputed) 〔c/1 D1〕\n" in text
    assert "- \\# Not a heading - nor \\*this\\* \\<b\\> (tentative, until 2024-06-01)\n" in text
    assert "- 2024-05-08: Kick-off\n" in text


def test_the_document_as_it_was(own: Api, world: World) -> None:
    own.patch(f"topics/{world.topic}", {"name": "Apollo 2"}, If_Match="*")
    before = timezone.now()
    own.post(f"topics/{world.topic}/facts", {"text": "The team has six people."})
    own.patch(f"topics/{world.topic}", {"name": "Apollo 3"}, If_Match="*")
    path = f"topics/{world.topic}/document"
    now, then = own.get(path).json(), own.get(f"{path}?as_of={quote(before.isoformat())}").json()
    assert (now["name"], len(now["facts"])) == ("Apollo 3", 2)
    assert (then["name"], len(then["facts"])) == ("Apollo 2", 1)
    assert then["version"] < now["version"]
    assert then["as_of"] is not None
    early = quote((before - timedelta(days=9)).isoformat())
    assert own.get(f"{path}?as_of={early}").status_code == 404
    for nonsense in ("2024-05-08T13:56:00", "2024-05-08", "0000-01-01T00:00:00Z", "soon"):
        response = own.get(f"{path}?as_of={nonsense}")
        assert (nonsense, response.status_code) == (nonsense, 422)
        assert list(response.json()["fields"]) == ["as_of"]


def test_sources_are_the_messages_with_their_quotes(own: Api, world: World) -> None:
    [source] = own.get(f"topics/{world.topic}/sources").json()["results"]
    assert (source["conversation"], source["message"], source["name"]) == ("c/1", "D1", "Caroline")
    [quoted] = source["quotes"]
    assert quoted["fact"] == world.fact
    assert source["content"][quoted["start"] : quoted["end"]] == quoted["text"]
    own.post(f"facts/{world.fact}/retract")
    assert own.get(f"topics/{world.topic}/sources").json()["results"] == []


def test_history_tells_what_changed(own: Api, world: World) -> None:
    corrected = {"text": "The budget is 42,000 euros.", "attribute": "budget", "value": "42000", "unit": "EUR"}
    own.patch(f"facts/{world.fact}", corrected, If_Match="*")
    latest = own.get(f"topics/{world.topic}/history").json()["results"][0]
    assert (latest["action"], latest["actor_kind"]) == ("edit_fact", "key")
    [row] = latest["changes"]
    assert (row["type"], row["id"], row["verb"]) == ("fact", world.fact, "changed")
    assert row["fields"] == [
        {
            "field": "text",
            "old": "The budget for Project Apollo is 40,000 euros.",
            "new": "The budget is 42,000 euros.",
        },
        {"field": "value", "old": "40000", "new": "42000"},
    ]


@pytest.mark.parametrize(
    "route", ["topics", "topics/{topic}/facts", "topics/{topic}/history", "topics/{topic}/document"]
)
def test_reading_takes_few_queries_however_much_there_is(
    route: str, own: Api, world: World, automatic: Space, django_assert_max_num_queries: Any
) -> None:
    for n in range(12):
        read(automatic, f"more{n}", f"The team of Project Apollo has room {n}.", f"Project Moon{n} starts in May.")
        own.post("topics", {"name": f"Topic {n}", "aliases": [f"T{n}"]})
    with django_assert_max_num_queries(20):
        assert own.get(route.format(**world.ids())).status_code == 200
