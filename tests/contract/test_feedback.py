"""Feedback on answers: kept, and statements that are called wrong are marked for people until one decides."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.contract.helpers import Api, World, make_api
from topics.changes import Actor
from topics.models import Fact, Feedback, Objection
from topics.services.spaces import create_space, set_member
from topics.services.topics import delete_topic


@pytest.fixture
def own(world: World) -> Api:
    return make_api(world.space)


@pytest.fixture
def reviewer(world: World, client: Client) -> Client:
    person = User.objects.create_user("maya", password="secret-word")
    set_member(space=world.space, user=person, role="reviewer")
    client.force_login(person)
    return client


def call_wrong(api: Api, *citations: dict[str, Any], comment: str = "They say 42,000.") -> Any:
    query = api.get("memory/query?q=budget").json()["query_id"]
    return api.post(
        "feedback", {"query_id": query, "verdict": "wrong", "comment": comment, "citations": list(citations)}
    )


def test_what_is_said_of_an_answer_is_kept(world: World, own: Api) -> None:
    answer = own.get("memory/query?q=What+is+the+budget+for+Project+Apollo").json()
    sent = {"query_id": answer["query_id"], "relevance": 4, "satisfaction": 5, "variant": "b"}
    assert own.post("feedback", {**sent, "verdict": "useful", "citations": answer["citations"]}).status_code == 201
    assert own.post("feedback", {"query_id": answer["query_id"], "relevance": 0}).status_code == 201
    latest, first = own.get("feedback").json()["results"]
    assert {name: first[name] for name in sent} == sent
    assert (first["verdict"], latest["relevance"], latest["verdict"]) == ("useful", 0, "")
    assert [c["marker"] for c in first["citations"]] == [c["marker"] for c in answer["citations"]]
    assert not Objection.objects.exists()


def test_feedback_that_makes_no_sense_is_refused(world: World, own: Api) -> None:
    other = make_api(create_space(slug="other"))
    query, others = (api.get("memory/query?q=budget").json()["query_id"] for api in (own, other))
    for sender, body, field in (
        (own, {"verdict": "useful"}, "query_id"),
        (own, {"query_id": "x", "verdict": "useful"}, "query_id"),
        (own, {"query_id": query}, "verdict"),
        (own, {"query_id": query, "comment": " "}, "verdict"),
        (own, {"query_id": query, "verdict": "great"}, "verdict"),
        (own, {"query_id": query, "relevance": 6}, "relevance"),
        (own, {"query_id": query, "satisfaction": 0}, "satisfaction"),
        (own, {"query_id": query, "comment": "x" * 2001}, "comment"),
        (own, {"query_id": query, "verdict": "wrong", "stars": 5}, "stars"),
        (own, {"query_id": query, "verdict": "wrong", "citations": [{"entry": world.fact}]}, "citations.0.entry"),
        (other, {"query_id": others, "verdict": "wrong", "citations": [{"fact": world.fact}]}, "citations.0.fact"),
    ):
        response = sender.post("feedback", body)
        assert (response.status_code, list(response.json()["fields"])) == (422, [field])
    assert not Feedback.objects.exists()


def test_only_an_answer_that_the_space_gave_is_judged(own: Api, stranger: Api) -> None:
    foreign = stranger.get("memory/query?q=budget").json()["query_id"]
    for query in (foreign, str(uuid4())):
        response = own.post("feedback", {"query_id": query, "verdict": "useful"})
        assert (response.status_code, list(response.json()["fields"])) == (404, ["query_id"])
    assert not Feedback.objects.exists()


def test_a_statement_that_is_called_wrong_is_marked_until_a_person_decides(
    world: World, own: Api, reviewer: Client
) -> None:
    page = f"/topics/{world.topic}/"
    for _ in range(2):
        assert call_wrong(own, {"marker": "1", "fact": world.fact}, {"entry": world.entry}).status_code == 201
    assert Objection.objects.count() == 2
    text = reviewer.get(page).content.decode()
    assert "They say 42,000." in text
    assert text.count("Called wrong") == 2
    assert "Project Apollo" in reviewer.get("/activity/feedback/").content.decode()

    objection = Objection.objects.get(fact=world.fact)
    done = reviewer.post(f"/activity/feedback/{objection.pk}/dismiss/", {"next": "//evil.example/"}, follow=True)
    assert done.redirect_chain == [("/activity/feedback/", 302)]
    assert reviewer.get(page).content.decode().count("Called wrong") == 1
    call_wrong(own, {"fact": world.fact})
    assert reviewer.get(page).content.decode().count("Called wrong") == 1

    own.patch(f"facts/{world.fact}", {"text": "The budget is 42,000 euros."}, If_Match="*")
    call_wrong(own, {"fact": world.fact}, comment="Now it is 43,000.")
    assert "Now it is 43,000." in reviewer.get(page).content.decode()
    own.patch(f"facts/{world.fact}", {"text": "The budget is 43,000 euros."}, If_Match="*")
    assert "Now it is 43,000." not in reviewer.get(page).content.decode()


def test_an_objection_goes_with_its_topic(world: World, own: Api, reviewer: Client) -> None:
    call_wrong(own, {"fact": world.fact})
    delete_topic(topic=Fact.objects.get(pk=world.fact).topic, actor=Actor(label="tests"))
    assert "calls 1 statement wrong" not in reviewer.get("/activity/feedback/").content.decode()
    assert call_wrong(own, {"fact": world.fact}).status_code == 422


def test_only_reviewers_of_the_space_decide(world: World, own: Api, reviewer: Client) -> None:
    call_wrong(own, {"fact": world.fact}, comment="<script>alert(1)</script>")
    address = f"/activity/feedback/{Objection.objects.get().pk}/dismiss/"
    page = reviewer.get(f"/topics/{world.topic}/").content.decode()
    assert "&lt;script&gt;alert(1)" in page
    other = User.objects.create_user("lee", password="secret-word")
    set_member(space=world.space, user=other, role="viewer")
    assert "It is right" in page
    reviewer.force_login(other)
    assert "It is right" not in reviewer.get(f"/topics/{world.topic}/").content.decode()
    assert reviewer.post(address).status_code == 403
    stranger = User.objects.create_user("sam", password="secret-word")
    set_member(space=create_space(slug="elsewhere"), user=stranger, role="admin")
    reviewer.force_login(stranger)
    assert reviewer.post(address).status_code == 404
