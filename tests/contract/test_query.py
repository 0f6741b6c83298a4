"""The before-chat hook."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.contract.helpers import Api, World, make_api, read
from topics.models import Fact, Space
from topics.text.tokens import count_tokens


@pytest.fixture
def robot(automatic: Space) -> Api:
    read(automatic, "c1", "The budget for Project Apollo is 40,000 euros.", "Thanks, bye!", subject="Project Apollo")
    read(automatic, "c2", "智能家居项目的预算是15万元。", subject="智能家居项目")
    return make_api(automatic)


def test_a_question_gets_a_block_with_its_sources(robot: Api) -> None:
    answer = robot.get("memory/query?q=What+is+the+budget+of+Apollo").json()
    assert answer["query"] == "What is the budget of Apollo"
    assert "40,000 euros" in answer["context"]
    assert answer["tokens"] == count_tokens(answer["context"]) <= answer["max_tokens"] == 1500
    assert answer["tokenizer"] == "o200k_base"
    assert answer["waiting"] == 0
    assert answer["confirmations"] == []
    [topic] = [topic for topic in answer["topics"] if topic["name"] == "Project Apollo"]
    [fact] = topic["facts"]
    assert (fact["status"], fact["certainty"]) == ("active", "confirmed")
    assert fact["sources"] == [{"conversation": "c1", "message": "D1"}]
    cited = [citation for citation in answer["citations"] if citation["fact"] == fact["id"]]
    assert [(c["conversation"], c["message"]) for c in cited] == [("c1", "D1")]
    assert f"[{cited[0]['marker']}]" in answer["context"]


def test_every_query_has_an_id_of_its_own(robot: Api) -> None:
    ids = {robot.get("memory/query?q=budget").json()["query_id"] for _ in range(2)}
    assert len(ids) == 2


def test_chinese_is_asked_and_answered(robot: Api) -> None:
    answer = robot.post("memory/query", {"q": "智能家居项目的预算是多少？", "max_tokens": 500}).json()
    assert "15万元" in answer["context"]
    assert answer["tokens"] <= 500


def test_post_answers_as_get(robot: Api) -> None:
    got = robot.get("memory/query?q=Apollo+budget&max_tokens=300").json()
    posted = robot.post("memory/query", {"q": "Apollo budget", "max_tokens": 300}).json()
    assert posted["topics"] == got["topics"]
    assert posted["citations"] == got["citations"]


def test_text_is_the_block_alone(robot: Api) -> None:
    response = robot.get("memory/query?q=Apollo+budget&format=text")
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "40,000 euros" in response.content.decode()


def test_nothing_relevant_is_an_empty_answer(robot: Api) -> None:
    answer = robot.get("memory/query?q=Photosynthese+im+Regenwald").json()
    assert (answer["context"], answer["tokens"], answer["topics"], answer["citations"]) == ("", 0, [], [])


def test_what_still_waits_is_said(robot: Api, automatic: Space) -> None:
    sent = {"messages": [{"role": "user", "content": f"The budget is {n} euros."} for n in range(3)]}
    robot.post("conversations/c3/messages", sent)
    assert robot.get("memory/query?q=budget").json()["waiting"] == 3


def test_what_waits_for_review_is_counted_and_not_shown(space: Space) -> None:
    """Under the policy that spaces begin with, whoever stores and asks would think that nothing came of it."""
    read(space, "c1", "The budget for Project Apollo is 40,000 euros.", subject="Project Apollo")
    own, asked = make_api(space), "memory/query?q=What+do+you+know+about+Project+Apollo"
    waits = own.get("proposals?status=pending").json()["count"]
    answer = own.get(asked).json()
    assert (answer["context"], answer["waiting"], answer["to_review"]) == ("", 0, waits)
    assert waits > 0
    assert own.post("proposals/decide", {"filter": {}, "decision": "approve"}).status_code == 200
    answer = own.get(asked).json()
    assert "40,000" in answer["context"]
    assert answer["to_review"] == 0


def test_the_answer_carries_what_to_ask_the_user(world: World) -> None:
    answer = make_api(world.space).get("memory/query?q=Apollo+budget").json()
    [confirmation] = answer["confirmations"]
    assert (confirmation["id"], confirmation["topic"]) == (world.confirmation, world.topic)
    assert "55,000" in confirmation["question"]
    assert "disputed" in [fact["status"] for topic in answer["topics"] for fact in topic["facts"]]


def test_topics_narrow_the_answer(world: World) -> None:
    own = make_api(world.space)
    read(world.space, "c5", "The budget for Project Zeus is 9,000 euros.", subject="Project Zeus")
    assert "9,000" in own.get("memory/query?q=project+budget").json()["context"]
    narrowed = own.get(f"memory/query?q=project+budget&topics={world.topic}").json()
    assert "40,000" in narrowed["context"]
    assert "9,000" not in narrowed["context"]
    posted = own.post("memory/query", {"q": "project budget", "topics": [world.topic]}).json()
    assert posted["citations"] == narrowed["citations"]


def test_a_topic_of_another_space_answers_404(world: World, stranger: Api) -> None:
    for topic in (world.topic, "nonsense"):
        assert stranger.get(f"memory/query?q=budget&topics={topic}").status_code == 404


def test_an_edited_fact_names_its_editor(robot: Api, automatic: Space) -> None:
    fact = Fact.objects.get(topic__name="Project Apollo")
    asked = "memory/query?q=What+is+the+budget+of+Apollo"
    [topic] = [topic for topic in robot.get(asked).json()["topics"] if topic["name"] == "Project Apollo"]
    assert (topic["facts"][0]["edited_by"], topic["facts"][0]["edited_at"]) == (None, None)
    changed = robot.patch(f"facts/{fact.pk}", {"text": "The budget for Project Apollo is now 1 euro."}, If_Match="*")
    answer = robot.get(asked).json()
    [topic] = [topic for topic in answer["topics"] if topic["name"] == "Project Apollo"]
    [found] = topic["facts"]
    assert found["edited_by"] == changed.json()["edited_by"] == automatic.api_keys.get().prefix
    assert found["edited_at"] == changed.json()["edited_at"]
    assert found["sources"] == [{"conversation": "c1", "message": "D1"}]
    [line] = [line for line in answer["context"].splitlines() if "1 euro" in line]
    assert f"edited by {found['edited_by']}: " in line
    assert "Caroline" not in line


def test_archived_topics_answer_when_asked_for(robot: Api, automatic: Space) -> None:
    topic = robot.get("topics?alias=Project+Apollo").json()["results"][0]["id"]
    Space.objects.update(source_turns="none")
    robot.post(f"topics/{topic}/archive")
    assert "40,000" not in robot.get("memory/query?q=Apollo+budget").json()["context"]
    assert "40,000" in robot.get("memory/query?q=Apollo+budget&include_archived=true").json()["context"]


def test_as_of_answers_from_what_was_held_then(robot: Api, automatic: Space) -> None:
    before = timezone.now()
    fact = Fact.objects.get(text__contains="40,000")
    robot.patch(f"facts/{fact.pk}", {"text": "The budget for Project Apollo is 60,000 euros."}, If_Match="*")
    Space.objects.update(source_turns="none")
    now = robot.get("memory/query?q=Apollo+budget").json()["context"]
    then = robot.get(f"memory/query?q=Apollo+budget&as_of={before.isoformat()}").json()["context"]
    assert "60,000" in now
    assert "40,000" in then
    early = (before - timedelta(days=1)).isoformat()
    assert robot.get(f"memory/query?q=Apollo+budget&as_of={early}").json()["context"] == ""


BAD: dict[str, tuple[str, str]] = {
    "no question": ("", "q"),
    "empty question": ("q=", "q"),
    "blank question": ("q=+", "q"),
    "no budget": ("q=a&max_tokens=0", "max_tokens"),
    "negative budget": ("q=a&max_tokens=-5", "max_tokens"),
    "huge budget": ("q=a&max_tokens=1000000000", "max_tokens"),
    "words as budget": ("q=a&max_tokens=many", "max_tokens"),
    "no zone": ("q=a&as_of=2024-05-08T13:56:00", "as_of"),
    "a day alone": ("q=a&as_of=2024-05-08", "as_of"),
    "year 0": ("q=a&as_of=0000-01-01T00:00:00Z", "as_of"),
    "unknown format": ("q=a&format=xml", "format"),
    "neither true nor false": ("q=a&include_archived=perhaps", "include_archived"),
    "NUL": ("q=a%00b", "q"),
}


def test_a_long_question_narrowed_by_an_unknown_name_answers_422(api: Api) -> None:
    response = api.post("memory/query", {"q": "budget", "topic": "x"})
    assert (response.status_code, list(response.json()["fields"])) == (422, ["topic"])


@pytest.mark.parametrize(("query", "field"), BAD.values(), ids=BAD)
def test_a_query_that_makes_no_sense_answers_422(query: str, field: str, api: Api) -> None:
    response = api.get(f"memory/query?{query}")
    assert response.status_code == 422
    assert list(response.json()["fields"]) == [field]


@pytest.mark.parametrize(
    "q", ['"', "'", "a OR b", "-x", "a:b", "a*", "(", "NEAR(a b)", "AND", "\\", "%", "😀", "^a", "{}"]
)
def test_search_syntax_is_text(q: str, robot: Api) -> None:
    assert robot.post("memory/query", {"q": f"{q} budget Apollo {q}"}).status_code == 200
    assert robot.post("memory/query", {"q": q}).status_code == 200


def test_a_very_long_question_is_answered(robot: Api) -> None:
    words = " ".join(f"word{n}" for n in range(50_000))
    response = robot.post("memory/query", {"q": f"{words} Apollo budget"})
    assert response.status_code == 200
    assert "40,000" in response.json()["context"]


def test_an_offset_that_was_not_escaped_is_understood(robot: Api) -> None:
    assert robot.get("memory/query?q=budget&as_of=2024-05-08T13:56:00+08:00").status_code == 200


def test_a_query_takes_few_queries(robot: Api, automatic: Space, django_assert_max_num_queries: Any) -> None:
    for n in range(20):
        read(automatic, f"more{n}", f"The budget for Project X{n} is {n}0,000 euros.", subject=f"Project X{n}")
    robot.get("memory/query?q=budget")
    with django_assert_max_num_queries(24):
        robot.get("memory/query?q=What+is+the+budget+of+Apollo")
