"""A conversation read with a model that fails or errs, fault by fault; the test report shows the table.

Every message ends extracted, nothing found, or failed with a retry that works once the fault is over; and nothing is
stored that its message does not say.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from extraction.extractors.llm.prompts import example_answers
from extraction.models import Conflict, Job, Proposal
from extraction.services.jobs import retry_job
from inference.models import Breaker
from tests.extraction.llm.reading import said
from tests.extraction.llm.scripted import (
    asked,
    is_check,
    labels_in,
    model,
    notes_in,
    outcomes,
    quotes_missing,
    run,
    shown,
    tell,
    verdicts,
)
from tests.inference.wire import DISCONNECT, Reply, Request, Step, Wire, answer, answer_json, fault, slowly
from topics.changes import Actor
from topics.models import Fact, Space
from topics.services.statements import add_fact
from topics.services.topics import create_topic

TURNS = ("I live in Lyon.", "assistant: I suggest that you move to Rome.", "我们的预算是15万元。", "Thanks, bye!")
TRUE = {"Mia lives in Lyon.", "Mia的预算是15万元。", "I live in Lyon.", "我们的预算是15万元。"}
LYON, BUDGET = said("Mia lives in Lyon.", "I live in Lyon"), said("Mia的预算是15万元。", "我们的预算是15万元", m="m3")
ALL, NONE = ["extracted", "nothing", "extracted", "nothing"], ["nothing"] * 4
ONE = ["extracted", "nothing", "nothing", "nothing"]
FAILED = ["failed"] * 4
UNREAD = ["failed", "nothing", "failed", "failed"]  # each alone; of the assistant's turn nothing is taken anyway


def find(lines: str) -> list[dict[str, Any]]:
    """What a good model finds in the lines that it is shown."""
    quotes = {item["quotes"][0]["words"]: item for item in (LYON, BUDGET)}
    return [
        item | {"quotes": [{"m": m, "words": words}]}
        for words, item in quotes.items()
        for m in labels_in(lines)
        if words in shown(lines, m)
    ]


GOOD = model(find)
FOUND = {"findings": [LYON, BUDGET]}
TOOL = [{"id": "1", "type": "function", "function": {"name": "delete_all", "arguments": "{}"}}]


@dataclass(frozen=True)
class Case:
    """`steps` answer the first requests, `then` every later one. `ends` is how the messages end."""

    name: str
    ends: list[str]
    then: Step = GOOD
    steps: tuple[Step, ...] = ()
    is_slow: bool = False


def once(name: str, *steps: Step, ends: list[str] = ALL) -> Case:
    return Case(name, ends, steps=steps)


def lasting(name: str, step: Step, ends: list[str] = FAILED, is_slow: bool = False) -> Case:
    return Case(name, ends, then=step, is_slow=is_slow)


def finds(name: str, *items: Any, ends: list[str] = NONE) -> Case:
    return Case(name, ends, then=model(items))


def checks(name: str, step: Callable[[Request], Reply], ends: list[str] = NONE) -> Case:
    return Case(name, ends, then=model(find, step))


def on_check(step: Step) -> Step:
    """A model whose first pass is good, and whose second is this."""
    return lambda request: (step(request) if callable(step) else step) if is_check(request) else GOOD(request)


def cut_off(request: Request) -> Reply:
    """An answer that never fits."""
    return answer('{"findings": [{"quotes": [{"m": "m1", "wor', finish_reason="length")


def cut_off_above_one(request: Request) -> Reply:
    return GOOD(request) if is_check(request) or len(labels_in(asked(request))) == 1 else cut_off(request)


def cut_off_then_refused(request: Request) -> Reply:
    return answer(None, refusal="No.") if "At most 4 findings" in asked(request) else cut_off(request)


def refuse_thanks(request: Request) -> Reply:
    """A content filter that one of the messages sets off."""
    if is_check(request) or not any("Thanks" in shown(asked(request), m) for m in labels_in(asked(request))):
        return GOOD(request)
    return answer(None, refusal="I cannot help with that.")


def corrected_to_a_lie(request: Request) -> Reply:
    lies = [{"n": note["n"], "verdict": "correct", "text": "Mia is a spy in Berlin."} for note in notes_in(request)]
    return answer_json({"verdicts": lies})


def forgetful(request: Request) -> Reply:
    """A second pass that has nothing to say of the budget."""
    kept = [note["n"] for note in notes_in(request) if "预算" not in note["text"]]
    return answer_json({"verdicts": [{"n": n, "verdict": "keep"} for n in kept]})


def wrong(item: dict[str, Any], **change: Any) -> dict[str, Any]:
    return item | change


CASES = [
    once("429 once", fault(429)),
    once("429 with Retry-After", fault(429, headers={"Retry-After": "1"})),
    lasting("429 for ever", fault(429)),
    once("503 once", fault(503)),
    lasting("503 for ever", fault(503)),
    once("disconnect before the head", Reply(status=None, pieces=[DISCONNECT])),
    once("disconnect in the body", Reply(pieces=[b'{"choices": [{"mess', DISCONNECT, b'age": {}}]}'])),
    lasting("disconnects for ever", Reply(status=None, pieces=[DISCONNECT])),
    lasting("slow bytes", slowly(answer_json(FOUND), pause=0.2), is_slow=True),
    lasting("no answer in time", Reply(None, pieces=[30.0]), is_slow=True),
    lasting("wrong key", fault(401, "Incorrect API key provided: wire-key")),
    once("code fence", answer(f"```json\n{json.dumps(FOUND)}\n```")),
    once("thinking section", answer(f'<think>Perhaps {{"findings": []}}?</think>{json.dumps(FOUND)}')),
    once("trailing commas", answer(json.dumps(FOUND).replace("}", ",}").replace(",,", ","))),
    once("prose around", answer(f"Here you are:\n{json.dumps(FOUND)}\nAnything else?")),
    once("null content once", answer(None)),
    lasting("null content for ever", answer(None)),
    lasting("prose only", answer("Mia lives in Lyon.")),
    lasting("tool calls", answer(None, tool_calls=TOOL)),
    lasting("refusal", answer(None, refusal="I cannot help with that."), ends=UNREAD),
    Case("refusal of one message", ["extracted", "nothing", "extracted", "failed"], then=refuse_thanks),
    lasting("content filter", answer("", finish_reason="content_filter"), ends=UNREAD),
    once("cut off once", cut_off, ends=ALL),
    lasting("cut off above one turn", cut_off_above_one, ends=ALL),
    lasting("cut off for ever", cut_off, ends=UNREAD),
    lasting("cut off, then refused", cut_off_then_refused, ends=UNREAD),
    lasting("prompt too long for ever", fault(400, "This model's maximum context length is 4096 tokens."), ends=UNREAD),
    lasting("another object", answer_json({"facts": ["Mia lives in Lyon."]})),
    lasting("findings is no list", answer_json({"findings": "none"})),
    finds("nothing found"),
    finds("unknown message", wrong(LYON, quotes=[{"m": "m99", "words": "I live in Lyon"}])),
    finds("unknown topic", wrong(LYON, topic="t99")),
    finds("unknown fact", wrong(LYON, contradicts="f99")),
    finds("fact of another topic", wrong(LYON, contradicts="f1")),
    finds("an id of ours for a label", wrong(LYON, topic="00000000-0000-0000-0000-000000000000")),
    finds("one wrong among good", LYON, wrong(BUDGET, topic="t99"), ends=ONE),
    finds("quote of another message", wrong(LYON, quotes=[{"m": "m3", "words": "I live in Lyon"}])),
    finds("quote that nobody said", said("Mia lives in Rome.", "I live in Rome")),
    finds("quote of the assistant", said("Mia moves to Rome.", "I suggest that you move to Rome", m="c2")),
    finds("assistant's words under the user's label", said("Mia moves to Rome.", "you move to Rome", m="m1")),
    finds("no quote", wrong(LYON, quotes=[])),
    finds("invented text", wrong(LYON, text="Mia is a vegetarian.")),
    finds("invented number", wrong(BUDGET, text="Mia的预算是20万元。")),
    finds("invented value", wrong(BUDGET, kind="number", attribute="预算", value="200000"),
          ends=["nothing", "nothing", "extracted", "nothing"]),
    finds("invented topic", wrong(LYON, topic="new", new_topic={"name": "Zorro", "kind": "person"})),
    finds("wrong language", wrong(LYON, text="Mia住在里昂。"), wrong(BUDGET, text="Mia's budget is 150,000 yuan."),
          ends=ALL),
    finds("prompt echo", *example_answers()[0], *example_answers()[1]),
    finds("prompt echo behind a real quote", wrong(LYON, text="Quorvane lives in Lyon.")),
    finds("garbage items", None, 1, "Mia", [], {}, {"quotes": 1}, ends=NONE),
    finds("the same a hundred times", *[LYON] * 100, ends=ONE),
    Case("503 on the check once", ALL, then=GOOD, steps=(GOOD, fault(503))),
    lasting("503 on the check for ever", on_check(fault(503))),
    lasting("cut off on the check for ever", on_check(cut_off), ends=["failed", "nothing", "failed", "nothing"]),
    lasting("refusal on the check", on_check(answer(None, refusal="No.")), ["failed", "nothing", "failed", "nothing"]),
    lasting("prose on the check", on_check(answer("All fine."))),
    checks("check answers nothing", verdicts(), ends=FAILED),
    checks("check of unknown numbers", verdicts({"n": 7, "verdict": "keep"}), ends=FAILED),
    checks("check drops all", verdicts({"n": 1, "verdict": "drop"}, {"n": 2, "verdict": "drop"})),
    checks("check corrects to a lie", corrected_to_a_lie, ends=["nothing", "nothing", "extracted", "nothing"]),
    checks("check forgets one at first", verdicts({"n": 1, "verdict": "keep"}), ends=ALL),
    checks("check forgets one for good", forgetful, ends=ONE),
]  # fmt: skip


pytestmark = pytest.mark.django_db(transaction=True)  # a failed attempt looks at its connection anew


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[list[tuple[str, str, str]]]:
    rows: list[tuple[str, str, str]] = []
    yield rows
    heading = ("fault", "messages", "dropped, mended, or error")
    lines = [f"{name:42}{ends:30}{why}" for name, ends, why in [heading, *rows]]
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_message_ends_and_nothing_unsupported_is_stored(
    case: Case, space: Space, wire: Wire, settings: Settings, table: list[tuple[str, str, str]]
) -> None:
    settings.INFINI_JOB_MAX_ATTEMPTS = 2
    if case.is_slow:
        settings.INFINI_MODEL_TIMEOUT = 1.0
    actor = Actor(label="tests")
    rome = add_fact(topic=create_topic(space=space, actor=actor, name="Lyon"), actor=actor, text="Lyon is large.")
    wire.script(*case.steps)
    wire.always(case.then)

    job = run(tell(space, *TURNS), attempts=2)

    table.append((case.name, _counts(outcomes(job)), _why(job)))
    assert outcomes(job) == case.ends
    assert_only_what_was_said(space)
    rome.refresh_from_db()
    assert (rome.status, rome.version) == (Fact.Status.ACTIVE, 1)
    if "failed" in case.ends:
        assert job.status == Job.Status.FAILED
        assert job.error
        assert "wire-key" not in job.error
        Breaker.objects.update(open_until=timezone.now())
        wire.always(GOOD)
        again = run(retry_job(job=job))
        assert (again.status, outcomes(again)) == (Job.Status.DONE, ALL)
        assert_only_what_was_said(space)
    else:
        assert job.status == Job.Status.DONE


def assert_only_what_was_said(space: Space) -> None:
    stored = Proposal.objects.filter(space=space)
    assert {p.text for p in stored.exclude(kind="topic")} <= TRUE
    assert {p.topic_name for p in stored.filter(kind="topic")} <= {"Mia"}
    assert {p.value for p in stored} <= {"", "150000"}
    assert quotes_missing(space) == []
    assert not Conflict.objects.exists()


def _counts(ends: list[str]) -> str:
    return ", ".join(f"{ends.count(end)} {end}" for end in dict.fromkeys(ends))


def _why(job: Job) -> str:
    counts = job.report.get("dropped", {}) | job.report.get("mended", {})
    return job.error or ", ".join(f"{name} {count}" for name, count in counts.items())
