"""A conversation is read by a model in two passes, and what comes of it is filed like anything else."""

from __future__ import annotations

from datetime import datetime

import pytest
from pytest_django import Settings

from extraction.models import Conflict, Job, Proposal
from inference.models import ModelCall
from tests.extraction.llm.reading import SHANGHAI, said
from tests.extraction.llm.scripted import (
    asked,
    labels_in,
    model,
    outcomes,
    proposed,
    quotes_missing,
    read,
    run,
    shown,
    tell,
    verdicts,
)
from tests.inference.wire import Wire
from topics.changes import Actor
from topics.models import Evidence, Fact, Space
from topics.services.statements import add_fact
from topics.services.topics import create_topic

ACTOR = Actor(label="tests")


def test_a_chinese_conversation(space: Space, wire: Wire) -> None:
    job = read(
        space,
        wire,
        [
            said(
                "智能家居项目的预算是15万元。",
                "预算定了，15万元",
                kind="number",
                attribute="预算",
                value="15万",
                unit="元",
            ),
            said("Mia下周五去上海签约。", "我下周五去上海签约", topic="t2", kind="timeline", when="2024-05-24"),
        ],
        "预算定了，15万元。我下周五去上海签约。",
        "assistant: 好的，已记下。",
        "谢谢，再见！",
        subject="智能家居项目",
    )
    assert (job.status, outcomes(job)) == (Job.Status.DONE, ["extracted", "nothing", "nothing"])
    budget, trip = Proposal.objects.filter(space=space).exclude(kind="topic").order_by("pk")
    assert (budget.extractor, budget.model, budget.new_topic.topic_name) == ("llm", "wire-model", "智能家居项目")
    assert (budget.fact_kind, budget.attribute, budget.value, budget.unit) == ("number", "预算", "150000", "CNY")
    assert (trip.kind, trip.happened_at, trip.precision) == ("timeline", datetime(2024, 5, 24, tzinfo=SHANGHAI), "day")
    assert (trip.certainty, trip.new_topic.topic_name) == ("planned", "Mia")
    assert quotes_missing(space) == []
    assert job.report == {"found": 2, "dropped": {}, "mended": {}}


def test_an_english_conversation(space: Space, wire: Wire) -> None:
    apollo = create_topic(space=space, actor=ACTOR, name="Apollo", kind="project")
    read(
        space,
        wire,
        [said("Apollo moved to PostgreSQL on 12 May 2024.", "It moved to Postgres three days ago", topic="t2",
              kind="timeline", when="2024-05-12")],
        "Let me tell you about Apollo. It moved to Postgres three days ago.",
    )  # fmt: skip
    (moved,) = Proposal.objects.filter(space=space)
    assert (moved.topic, moved.text) == (apollo, "Apollo moved to PostgreSQL on 12 May 2024.")
    assert [quote.text for quote in moved.quotes.all()] == ["It moved to Postgres three days ago"]


def test_every_call_is_a_row_of_the_job(space: Space, wire: Wire) -> None:
    job = read(space, wire, [said("Mia lives in Lyon.", "I live in Lyon")], "I live in Lyon.")
    calls = ModelCall.objects.filter(space=space, job=job.pk).order_by("started_at")
    assert [(call.purpose, call.reference) for call in calls] == [("find", "call-7"), ("check", "call-7")]


def test_nothing_is_asked_where_nobody_says_a_word(space: Space, wire: Wire) -> None:
    job = run(
        tell(space, "👍", "assistant: Shall we take option B?", "system: I live in Rome.", "tool: I live in Rome.")
    )
    assert (job.status, set(outcomes(job)), wire.requests) == (Job.Status.DONE, {"nothing"}, [])


def test_only_users_and_assistants_are_shown(space: Space, wire: Wire) -> None:
    read(space, wire, [], "I live in Lyon.", "assistant: Nice.", "system: SECRET-1", "tool: SECRET-2",
         "<memory id=1>SECRET-3</memory id=1> I work at Nordwind.")  # fmt: skip
    lines = asked(wire.requests[0])
    assert labels_in(lines) == ["m1", "m5"]
    assert shown(lines, "m5") == "I work at Nordwind."
    assert "SECRET" not in wire.requests[0].body.decode()


def test_earlier_turns_are_context_and_cannot_be_quoted(space: Space, wire: Wire) -> None:
    read(space, wire, [], "I work with Tom.", "assistant: Since when?")
    findings = [
        said("Tom moved to Lyon.", "He moved to Lyon", topic="new", new_topic={"name": "Tom", "kind": "person"}),
        said("Mia works with Tom.", "I work with Tom", m="b1"),
    ]
    job = read(space, wire, findings, "He moved to Lyon.", first=3)
    lines = asked(wire.requests[-2])
    assert "b1 [2024-05-15 Wed 10:00]" in lines
    assert labels_in(lines) == ["m1"]
    assert (proposed(space), job.report["dropped"]) == (["Tom moved to Lyon."], {"context_quoted": 1})


# ------------------------------------------------------------------------------------------------- the second pass


def test_the_second_pass_drops_and_corrects(space: Space, wire: Wire) -> None:
    findings = [
        said("Mia's team uses Redis.", "we use Redis"),
        said("Mia's team has moved to Lyon.", "we move to Lyon"),
        said("Mia works with Tom.", "I work with Tom"),
    ]
    check = verdicts(
        {"n": 1, "verdict": "keep"},
        {"n": 2, "verdict": "correct", "text": "Mia's team moves to Lyon.", "certainty": "planned"},
        {"n": 3, "verdict": "drop"},
    )
    wire.always(model(findings, check))
    job = run(tell(space, "At work we use Redis, we move to Lyon, and I work with Tom."))
    assert proposed(space) == ["Mia's team uses Redis.", "Mia's team moves to Lyon."]
    assert Proposal.objects.get(text__contains="Lyon").certainty == "planned"
    assert job.report == {"found": 3, "dropped": {"not_borne_out": 1}, "mended": {"corrected": 1}}


def test_the_second_pass_sees_the_words_alone(space: Space, wire: Wire) -> None:
    read(space, wire, [said("Mia lives in Lyon.", "I live in Lyon")], "A secret plan. I live in Lyon.")
    find, check = wire.requests
    assert "secret plan" in asked(find)
    assert "secret plan" not in asked(check)
    assert '"words": ["I live in Lyon"]' in asked(check)


@pytest.mark.parametrize(
    "verdict",
    [{"n": 2, "verdict": "keep"}, {"n": "1", "verdict": "keep"}, {"n": True, "verdict": "keep"}, {"n": 1},
     {"n": 1, "verdict": "approve"}, "keep"],
)  # fmt: skip
def test_what_is_not_checked_is_not_filed(transactional_db: None, space: Space, wire: Wire, verdict: object) -> None:
    wire.always(model([said("Mia lives in Lyon.", "I live in Lyon")], verdicts(verdict)))  # type: ignore[arg-type]
    job = run(tell(space, "I live in Lyon."))
    assert (proposed(space), job.status, outcomes(job)) == ([], Job.Status.QUEUED, ["waiting"])


def test_a_correction_is_held_to_the_words_too(space: Space, wire: Wire) -> None:
    check = verdicts({"n": 1, "verdict": "correct", "text": "Mia's budget is 900 euros."})
    wire.always(model([said("Mia lives in Lyon.", "I live in Lyon")], check))
    job = run(tell(space, "I live in Lyon."))
    assert (proposed(space), job.report["dropped"]) == ([], {"not_borne_out": 1})


# --------------------------------------------------------------------------------------- what is held, and repeated


@pytest.fixture
def held(space: Space) -> Fact:
    apollo = create_topic(space=space, actor=ACTOR, name="Apollo", kind="project")
    return add_fact(topic=apollo, actor=ACTOR, text="Apollo runs on Postgres.")


def test_a_contradiction_opens_a_conflict(space: Space, wire: Wire, held: Fact) -> None:
    findings = [said("Apollo moved to Redis.", "We moved Apollo to Redis", topic="t1", contradicts="f1")]
    read(space, wire, findings, "We moved Apollo to Redis.", subject="Apollo")
    conflict = Conflict.objects.get(space=space)
    assert (conflict.fact, conflict.why, conflict.proposal.text) == (held, "stated", "Apollo moved to Redis.")
    held.refresh_from_db()
    assert held.status == Fact.Status.ACTIVE


def test_a_contradiction_that_only_the_model_sees_waits_for_a_person(space: Space, wire: Wire, held: Fact) -> None:
    Space.objects.filter(pk=space.pk).update(review_policy="automatic", conflict_policy="newest")
    space.refresh_from_db()
    findings = [said("Apollo moved to Redis.", "We moved Apollo to Redis", topic="t1", contradicts="f1")]
    read(space, wire, findings, "We moved Apollo to Redis.", subject="Apollo")
    held.refresh_from_db()
    assert (held.status, Conflict.objects.get(space=space).status) == (Fact.Status.ACTIVE, Conflict.Status.OPEN)


def test_a_contradiction_that_the_second_pass_does_not_see_is_none(space: Space, wire: Wire, held: Fact) -> None:
    findings = [said("Apollo moved to Redis.", "We moved Apollo to Redis", topic="t1", contradicts="f1")]
    wire.always(model(findings, verdicts({"n": 1, "verdict": "keep"})))
    job = run(tell(space, "We moved Apollo to Redis.", subject="Apollo"))
    assert not Conflict.objects.filter(space=space).exists()
    assert (proposed(space), job.report["mended"]) == (["Apollo moved to Redis."], {"relation": 1})


def test_a_repetition_adds_evidence(space: Space, wire: Wire, held: Fact) -> None:
    findings = [said("Apollo is running on Postgres.", "Apollo is running on Postgres", topic="t1", same_as="f1")]
    job = read(space, wire, findings, "Apollo is running on Postgres, as before.", subject="Apollo")
    assert (proposed(space), outcomes(job)) == ([], ["extracted"])
    assert [evidence.fact for evidence in Evidence.objects.all()] == [held]


def test_a_fact_of_another_topic_is_neither(space: Space, wire: Wire, held: Fact) -> None:
    create_topic(space=space, actor=ACTOR, name="Hermes", kind="project")
    findings = [
        said("Hermes moved to Redis.", "We moved Hermes to Redis", topic="t2", contradicts="f1"),
        said("Hermes is fine.", "Hermes is fine", topic="t2", same_as="f9"),
    ]
    job = read(space, wire, findings, "We moved Hermes to Redis. Hermes is fine.", subject="Apollo", speaker="")
    assert (proposed(space), job.report["dropped"]) == ([], {"foreign_fact": 1, "unknown_fact": 1})
    held.refresh_from_db()
    assert (held.status, held.version) == (Fact.Status.ACTIVE, 1)


def test_the_same_finding_twice_is_one(space: Space, wire: Wire) -> None:
    item = said("Mia lives in Lyon.", "I live in Lyon")
    job = read(space, wire, [item] * 5, "I live in Lyon.")
    assert (proposed(space), job.report["dropped"]) == (["Mia lives in Lyon."], {"repeated": 4})


# --------------------------------------------------------------------------------------------- long, and cut off


def test_a_long_conversation_is_read_in_parts_that_overlap(space: Space, wire: Wire, settings: Settings) -> None:
    settings.INFINI_EXTRACT_WINDOW_TOKENS = 200

    def find(lines: str) -> list[dict[str, object]]:
        return [said(shown(lines, m), shown(lines, m), m=m) for m in labels_in(lines)]

    texts = [f"Our branch in town number {n} has {n + 10} people and opened in {1990 + n}." for n in range(20)]
    job = read(space, wire, find, *texts)
    finds = [asked(request) for request in wire.requests if "New lines" in asked(request)]
    assert len(finds) > 1
    assert sum(len(labels_in(lines)) for lines in finds) == 20
    assert "Earlier lines" in finds[1]
    assert proposed(space) == texts
    assert set(outcomes(job)) == {"extracted"}


def test_a_long_message_is_read_to_its_end(space: Space, wire: Wire, settings: Settings) -> None:
    settings.INFINI_EXTRACT_WINDOW_TOKENS = 300
    text = "这是很长的一段话，没有什么要紧的。" * 100 + "最后，我们的预算是15万元。"

    def find(lines: str) -> list[dict[str, object]]:
        return [
            said("预算是15万元。", "我们的预算是15万元", m=m) for m in labels_in(lines) if "预算" in shown(lines, m)
        ]

    read(space, wire, find, text)
    (budget,) = Proposal.objects.filter(space=space).exclude(kind="topic")
    (quote,) = budget.quotes.all()
    assert (quote.text, quote.start) == ("我们的预算是15万元", text.index("我们的预算"))
