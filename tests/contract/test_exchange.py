"""Extract previews, update files: the same shape goes out and comes in."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from extraction.models import Conflict, Proposal
from tests.contract.helpers import Api, World, make_api, read
from topics.models import Conversation, Evidence, Fact, Message, Space

BUDGET = "The budget for Project Apollo is 40,000 euros."
WORDS = "We talked about the kitchen. Mia will paint it green, she said so twice."


def turns(*texts: str) -> list[dict[str, Any]]:
    return [
        {"id": f"D{n}", "role": "user", "name": "Caroline", "content": text, "said_at": "2024-05-08T13:56:00Z"}
        for n, text in enumerate(texts, 1)
    ]


def counts() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (Message, Conversation, Proposal, Fact))


def test_a_preview_shows_what_would_be_taken_and_stores_nothing(api: Api) -> None:
    sent = {"messages": turns(BUDGET, "Thanks, bye!"), "topics": ["Project Apollo"]}
    answer = api.post("memory/extract", sent).json()
    assert (answer["extractor"], answer["model"]) == ("rules", None)
    [extraction] = answer["extractions"]
    assert extraction["topic"] == {"id": None, "name": "Project Apollo", "kind": "project", "is_new": True}
    [number] = extraction["numeric_updates"]
    assert (number["value"], number["certainty"]) == ("40000", "confirmed")
    [quote] = number["quotes"]
    assert quote["message"] == "D1"
    assert BUDGET[quote["start"] : quote["end"]] == quote["text"]
    assert extraction["updated_summary"] is None
    assert counts() == (0, 0, 0, 0)


def test_a_preview_of_a_text_is_one_turn(api: Api) -> None:
    answer = api.post("memory/extract", {"text": "预算定为15万元。", "topics": ["智能家居项目"]}).json()
    [extraction] = answer["extractions"]
    assert extraction["topic"]["name"] == "智能家居项目"
    found = [item for kind in ("new_facts", "decisions", "numeric_updates") for item in extraction[kind]]
    assert {quote["message"] for item in found for quote in item["quotes"]} == {"text"}


def test_nothing_to_remember_is_an_empty_list(api: Api) -> None:
    assert api.post("memory/extract", {"text": "Thanks, bye!"}).json()["extractions"] == []


def test_a_preview_names_the_topic_that_exists_and_what_it_contradicts(world: World) -> None:
    other = BUDGET.replace("40,000", "70,000")
    [extraction] = make_api(world.space).post("memory/extract", {"messages": turns(other)}).json()["extractions"]
    assert (extraction["topic"]["id"], extraction["topic"]["is_new"]) == (world.topic, False)
    assert extraction["conflicts"] == [{"with_fact": world.fact, "proposed": other, "why": "value"}]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": "a", "messages": turns("b")},
        {"text": ""},
        {"text": 7},
        {"messages": []},
        {"text": "a", "topics": "b"},
    ],
    ids=str,
)
def test_a_preview_that_makes_no_sense_answers_422(body: Any, api: Api) -> None:
    assert api.post("memory/extract", body).status_code == 422


def test_two_turns_with_one_id_are_refused(api: Api) -> None:
    response = api.post("memory/extract", {"messages": [*turns(BUDGET), *turns(BUDGET)]})
    assert list(response.json()["fields"]) == ["messages"]


def test_what_extract_answers_can_be_sent_to_update(api: Api, space: Space) -> None:
    store(api, BUDGET)
    extracted = api.post("memory/extract", {"messages": turns(BUDGET)}).json()
    assert extracted["extractions"][0]["topic"]["name"]
    response = api.post("memory/update", {**extracted, "conversation": "c1"})
    assert response.status_code == 202
    answer = response.json()
    assert (answer["committed"], answer["conflicts"]) == ([], [])
    shown = [api.get(f"proposals/{pk}").json() for pk in answer["proposals"]]
    assert {proposal["kind"] for proposal in shown} == {"topic", "fact"}
    [fact] = [proposal for proposal in shown if proposal["kind"] == "fact"]
    assert (fact["text"], fact["value"], fact["extractor"]) == (BUDGET, "40000", "agent")
    assert [(q["conversation"], q["message"], q["text"]) for q in fact["quotes"]] == [("c1", "D1", BUDGET)]


def test_under_the_automatic_policy_it_is_held_at_once(automatic: Space) -> None:
    own = make_api(automatic)
    store(own, WORDS)
    fact = statement("Mia will paint the kitchen green.", "Mia will paint it green")
    answer = own.post("memory/update", update({"topic": "Kitchen", "decisions": [fact]})).json()
    [held] = answer["committed"]
    shown = own.get(f"facts/{held}").json()
    assert (shown["text"], shown["kind"]) == ("Mia will paint the kitchen green.", "decision")
    assert [source["text"] for source in shown["sources"]] == ["Mia will paint it green"]
    own.post(f"change-sets/{answer['change_set']}/undo")
    assert own.get(f"facts/{held}").status_code == 404  # with the topic that was made for it


def test_every_kind_of_finding_is_filed(api: Api) -> None:
    store(api, WORDS)
    quoted = {"quotes": [{"message": "D1", "text": "kitchen"}]}
    sent = {
        "topic": {"name": "Kitchen", "kind": "project"},
        "new_facts": [{"text": "It is small.", "kind": "preference", "certainty": "tentative", **quoted}],
        "decisions": [{"text": "It will be green.", **quoted}],
        "numeric_updates": [{"attribute": "area", "value": 12.5, "unit": "m²", "text": "It has 12.5 m².", **quoted}],
        "status_changes": [{"text": "Work has begun.", **quoted}],
        "timeline": [{"text": "First coat", "happened_at": "2024-05-01T00:00:00Z", "precision": "month", **quoted}],
        "aliases": [{"name": "The galley", **quoted}],
    }
    answer = api.post("memory/update", update(sent)).json()
    shown = [api.get(f"proposals/{pk}").json() for pk in answer["proposals"]]
    assert sorted((p["kind"], p["fact_kind"], p["text"] or p["alias"] or p["topic_name"]) for p in shown) == [
        ("alias", "", "The galley"),
        ("fact", "decision", "It will be green."),
        ("fact", "number", "It has 12.5 m²."),
        ("fact", "preference", "It is small."),
        ("fact", "status", "Work has begun."),
        ("timeline", "", "First coat"),
        ("topic", "", "Kitchen"),
    ]
    assert {p["value"] for p in shown if p["fact_kind"] == "number"} == {"12.5"}


def test_words_are_looked_for_where_the_offsets_do_not_fit(api: Api) -> None:
    store(api, WORDS)
    text = "paint it green"
    for start, end in ((0, 5), (-1, 2), (99_999, 100_000), (None, None)):
        found = {**statement(f"From {start}.", text), "quotes": [quote(text, start=start, end=end)]}
        response = api.post("memory/update", update({"topic": "Kitchen", "new_facts": [found]}))
        if start == -1:
            assert list(response.json()["fields"]) == ["extractions.0.new_facts.0.quotes.0.start"]
            continue
        assert response.status_code == 202
    assert {str(q) for p in Proposal.objects.filter(kind="fact") for q in p.quotes.all()} == {text}


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "words that were not said": ({"quotes": [{"message": "D1", "text": "blue"}]}, "new_facts.0.quotes.0.text"),
    "another writing": ({"quotes": [{"message": "D1", "text": "PAINT"}]}, "new_facts.0.quotes.0.text"),
    "an unknown message": ({"quotes": [{"message": "D9", "text": "paint"}]}, "new_facts.0.quotes.0.message"),
    "no quotes": ({"quotes": []}, "new_facts.0.quotes"),
    "no text": ({"text": " "}, "new_facts.0.text"),
    "an unknown kind": ({"kind": "number"}, "new_facts.0.kind"),
    "too sure": ({"confidence": 1.5}, "new_facts.0.confidence"),
    "an unknown certainty": ({"certainty": "maybe"}, "new_facts.0.certainty"),
}


@pytest.mark.parametrize(("wrong", "field"), BAD.values(), ids=BAD)
def test_a_finding_that_cannot_be_true_is_refused_whole(wrong: dict[str, Any], field: str, api: Api) -> None:
    store(api, WORDS)
    good = statement("The kitchen was talked about.", "kitchen")
    bad = {**statement("Mia will paint.", "paint"), **wrong}
    sent = update({"topic": "Kitchen", "new_facts": [good]}, {"topic": "Mia", "new_facts": [bad]})
    response = api.post("memory/update", sent)
    assert response.status_code == 422
    assert list(response.json()["fields"]) == [f"extractions.1.{field}"]
    assert not Proposal.objects.exists()


@pytest.mark.parametrize(
    "topic", [None, 7, "", " ", {}, {"name": ""}, {"id": None}, {"name": "a", "kind": "planet"}], ids=str
)
def test_a_topic_needs_a_name_or_an_id(topic: Any, api: Api) -> None:
    store(api, WORDS)
    response = api.post("memory/update", update({"topic": topic, "new_facts": [statement("a", "kitchen")]}))
    assert response.status_code == 422
    [field] = response.json()["fields"]
    assert field.startswith("extractions.0.topic")


def test_what_is_in_another_space_answers_404(world: World, api: Api) -> None:
    body = update({"topic": "Kitchen", "new_facts": []}, conversation=world.conversation)
    assert api.post("memory/update", body).status_code == 404
    store(api, WORDS)
    response = api.post(
        "memory/update", update({"topic": {"id": world.topic}, "new_facts": [statement("a", "kitchen")]})
    )
    assert response.status_code == 404
    assert list(response.json()["fields"]) == ["extractions.0.topic"]


def test_an_id_that_is_no_topic_never_becomes_a_name(world: World, api: Api) -> None:
    store(api, WORDS)
    before = counts()
    sent = update({"topic": world.topic, "new_facts": [statement("a", "kitchen")]})
    for route, body, field in (
        ("memory/update", sent, "extractions.0.topic"),
        ("memory/extract", {"messages": turns(BUDGET), "topics": ["Apollo", world.topic]}, "topics.1"),
        ("conversations/c1/messages", {"messages": turns(BUDGET), "subject": world.topic}, "subject"),
    ):
        response = api.post(route, body)
        assert (response.status_code, list(response.json()["fields"])) == (422, [field])
    assert counts() == before


@pytest.mark.parametrize(("said_at", "status"), [("2024-05-08T13:56:00Z", "active"), (None, "disputed")])
def test_a_stated_contradiction_becomes_a_conflict(said_at: str | None, status: str, world: World) -> None:
    """Only words that are not older than what is held cast doubt on it."""
    own = make_api(world.space)
    held = own.post(f"topics/{world.topic}/facts", {"text": "The board meets whenever it likes."}).json()["id"]
    [turn] = turns("The steering board meets on Fridays only.")
    sent_turns = [turn | {"said_at": said_at or timezone.now().isoformat()}]
    assert own.post("conversations/c1/messages", {"messages": sent_turns}).status_code == 202
    said = statement("The board meets on Fridays only.", "on Fridays only")
    sent = {"topic": {"id": world.topic}, "new_facts": [said]}
    stated = {"with_fact": held, "proposed": said["text"], "why": "only"}
    answer = own.post("memory/update", update({**sent, "conflicts": [stated]})).json()
    [conflict] = answer["conflicts"]
    shown = own.get(f"conflicts/{conflict}").json()
    assert (shown["held"]["id"], shown["held"]["status"], shown["why"]) == (held, status, "stated")
    assert shown["is_older"] is (said_at is not None)
    assert answer["committed"] == []


@pytest.mark.parametrize(
    ("stated", "field"),
    [
        ({"with_fact": "00000000-0000-0000-0000-000000000000", "proposed": "a"}, "with_fact"),
        ({"with_fact": "f3", "proposed": "a"}, "with_fact"),
        ({"proposed": "b"}, "proposed"),
    ],
    ids=str,
)
def test_a_contradiction_of_nothing_is_refused(stated: dict[str, str], field: str, world: World) -> None:
    own = make_api(world.space)
    store(own, WORDS)
    before = Proposal.objects.count()
    sent = {
        "topic": world.topic,
        "new_facts": [statement("a", "kitchen")],
        "conflicts": [{"with_fact": world.fact, **stated}],
    }
    response = own.post("memory/update", update({**sent, "topic": {"id": world.topic}}))
    assert response.status_code == 422
    assert list(response.json()["fields"]) == [f"extractions.0.conflicts.0.{field}"]
    assert Proposal.objects.count() == before


def test_a_summary_waits_for_review(api: Api) -> None:
    topic = api.post("topics", {"name": "Kitchen"}).json()["id"]
    store(api, WORDS)
    sent = update({"topic": {"id": topic}, "updated_summary": "A kitchen that turns green."})
    [proposal] = api.post("memory/update", sent).json()["proposals"]
    assert api.get(f"proposals/{proposal}").json()["kind"] == "summary"
    assert api.post("memory/update", sent).json()["proposals"] == []
    api.post("proposals/decide", {"ids": [proposal], "decision": "approve"})
    assert api.get(f"topics/{topic}").json()["summary"] == "A kitchen that turns green."


def test_under_the_automatic_policy_a_summary_is_taken_over(automatic: Space) -> None:
    own = make_api(automatic)
    topic = own.post("topics", {"name": "Kitchen"}).json()["id"]
    store(own, WORDS)
    own.post("memory/update", update({"topic": "kitchen", "updated_summary": "A kitchen that turns green."}))
    assert own.get(f"topics/{topic}").json()["summary"] == "A kitchen that turns green."


def test_a_summary_of_a_topic_that_is_only_proposed_waits_with_it(api: Api) -> None:
    store(api, WORDS)
    sent = update({"topic": "Kitchen", "updated_summary": "Green.", "new_facts": [statement("Green it is.", "green")]})
    shown = [api.get(f"proposals/{pk}").json() for pk in api.post("memory/update", sent).json()["proposals"]]
    [topic] = [proposal["id"] for proposal in shown if proposal["kind"] == "topic"]
    [summary] = [proposal for proposal in shown if proposal["kind"] == "summary"]
    assert (summary["topic"], summary["new_topic"]) == (None, topic)


def test_the_same_update_twice_files_it_once(automatic: Space) -> None:
    own = make_api(automatic)
    store(own, WORDS)
    sent = update({"topic": "Kitchen", "new_facts": [statement("Mia will paint.", "Mia will paint it green")]})
    assert len(own.post("memory/update", sent).json()["committed"]) == 1
    again = own.post("memory/update", sent).json()
    assert (again["proposals"], again["committed"]) == ([], [])
    assert (Fact.objects.count(), Evidence.objects.count()) == (1, 1)


def test_a_rejected_finding_does_not_come_back(api: Api) -> None:
    store(api, WORDS)
    sent = update({"topic": "Kitchen", "new_facts": [statement("Mia will paint.", "paint it green")]})
    ids = api.post("memory/update", sent).json()["proposals"]
    api.post("proposals/decide", {"ids": ids, "decision": "reject"})
    again = api.post("memory/update", sent).json()["proposals"]
    assert [api.get(f"proposals/{pk}").json()["kind"] for pk in again if pk] in ([], ["topic"])
    assert not Conflict.objects.exists()


def test_reading_and_updating_take_few_queries(automatic: Space, django_assert_max_num_queries: Any) -> None:
    own = make_api(automatic)
    texts = [f"Project Apollo has a budget of {n}0,000 euros for part {n}." for n in range(1, 41)]
    read(automatic, "warm", *texts[:2])
    with django_assert_max_num_queries(30):
        assert own.post("memory/extract", {"messages": turns(*texts)}).status_code == 200


def test_a_list_under_a_wrong_name_is_refused_instead_of_lost(api: Api) -> None:
    store(api, WORDS)
    response = api.post("memory/update", update({"topic": "Kitchen", "facts": [statement("It is small.", "kitchen")]}))
    assert (response.status_code, list(response.json()["fields"])) == (422, ["extractions.0.facts"])


def test_the_summary_of_a_topic_that_nobody_knows_is_refused_with_all_that_came_along(api: Api) -> None:
    store(api, WORDS)
    said = {"topic": "Mia", "new_facts": [statement("Mia paints.", "Mia will paint it")]}
    response = api.post("memory/update", update(said, {"topic": "Kitchen", "updated_summary": "It turns green."}))
    assert (response.status_code, list(response.json()["fields"])) == (422, ["extractions.1.updated_summary"])
    assert not Proposal.objects.exists()


def test_several_statements_may_quote_one_turn_also_in_a_later_call(automatic: Space) -> None:
    own = make_api(automatic)
    store(own, WORDS)
    for text in ("The kitchen was talked about.", "Mia will paint the walls green.", "Mia said so twice."):
        answer = own.post("memory/update", update({"topic": "Kitchen", "new_facts": [statement(text, WORDS)]})).json()
        assert (len(answer["committed"]), answer["repeated"]) == (1, 0)
    assert Fact.objects.count() == 3


@pytest.mark.parametrize("text", ["👩", "cafe", "é", "𠮷"])
def test_offsets_count_code_points_and_wrong_ones_are_put_right(api: Api, text: str) -> None:
    content = "👩‍👩‍👧 café cafe\u0301 𠮷"
    api.post("conversations/c1/messages", {"messages": turns(content)})
    for n, (start, end) in enumerate(
        [(9, 2), (10**30, 10**31), (0, 1), (content.index(text), content.index(text) + 1)]
    ):
        found = {"text": f"{text} {n} is there.", "quotes": [quote(text, start=start, end=end)]}
        assert api.post("memory/update", update({"topic": "Signs", "new_facts": [found]})).status_code == 202
    assert {str(q) for p in Proposal.objects.filter(kind="fact") for q in p.quotes.all()} == {text}


def store(api: Api, *texts: str) -> None:
    assert api.post("conversations/c1/messages", {"messages": turns(*texts)}).status_code == 202


def quote(text: str, **offsets: int | None) -> dict[str, Any]:
    return {"message": "D1", "text": text, **offsets}


def statement(text: str, quoted: str) -> dict[str, Any]:
    return {"text": text, "quotes": [quote(quoted)]}


def update(*extractions: dict[str, Any], conversation: str = "c1") -> dict[str, Any]:
    return {"extractions": list(extractions), "conversation": conversation}
