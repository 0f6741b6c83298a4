"""Extract and jobs where a model reads for the space."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from extraction.models import Conflict, Job, Proposal
from extraction.services.jobs import run_job
from tests.contract.helpers import Api
from tests.extraction.llm.reading import said
from tests.extraction.llm.scripted import labels_in, model
from tests.inference.wire import Reply, Wire, answer, answer_json, fault
from topics.changes import Actor
from topics.models import Message, Space
from topics.services.statements import add_fact
from topics.services.topics import create_topic

ACTOR = Actor(label="tests")
TURN = {"id": "D1", "role": "user", "name": "Mia", "content": "We moved Apollo to Redis."}
MOVED = said("Apollo moved to Redis.", "We moved Apollo to Redis", contradicts="f1")
PREVIEW = {"messages": [TURN], "topics": ["Apollo"]}


def test_a_preview_says_what_the_model_finds_and_contradicts(api: Api, space: Space, wire: Wire) -> None:
    apollo = create_topic(space=space, actor=ACTOR, name="Apollo", kind="project")
    held = add_fact(topic=apollo, actor=ACTOR, text="Apollo runs on Postgres.")
    wire.always(model([MOVED]))
    found = api.post("memory/extract", PREVIEW).json()
    assert (found["extractor"], found["model"]) == ("llm", "wire-model")
    [extraction] = found["extractions"]
    assert extraction["topic"]["id"] == str(apollo.pk)
    [fact] = extraction["new_facts"]
    assert (fact["text"], fact["quotes"][0]["text"]) == ("Apollo moved to Redis.", "We moved Apollo to Redis")
    assert extraction["conflicts"] == [
        {"with_fact": str(held.pk), "proposed": "Apollo moved to Redis.", "why": "stated"}
    ]
    assert (Message.objects.count(), Proposal.objects.count(), Conflict.objects.count()) == (0, 0, 0)


def test_nothing_found_is_an_empty_list(api: Api, wire: Wire) -> None:
    wire.always(model([]))
    assert api.post("memory/extract", PREVIEW).json()["extractions"] == []


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (fault(503), 503),
        (answer("I see."), 503),
        (fault(401, "Incorrect API key provided: wire-key"), 502),
        (answer(None, refusal="I cannot help with that."), 502),
        (answer('{"findings": [', finish_reason="length"), 502),
    ],
)
def test_a_model_that_fails_is_never_nothing_found(api: Api, wire: Wire, reply: Reply, status: int) -> None:
    wire.always(reply)
    response = api.post("memory/extract", PREVIEW)
    assert (response.status_code, response.json()["code"]) == (status, "model_unavailable")
    assert response.json()["detail"]
    assert "wire-key" not in response.content.decode()


def test_an_outage_is_told_in_the_callers_language_and_says_when_to_ask_again(api: Api, wire: Wire) -> None:
    wire.always(fault(429, headers={"Retry-After": "3600"}))
    response = api.post("memory/extract", PREVIEW)
    assert response.status_code == 503
    assert 3000 < int(response.headers["Retry-After"]) <= 3600


def test_a_refused_preview_is_tried_again_with_the_same_key(api: Api, wire: Wire) -> None:
    wire.script(fault(401))
    wire.always(model([]))
    first = api.post("memory/extract", PREVIEW, **{"Idempotency-Key": "k1"})
    again = api.post("memory/extract", PREVIEW, **{"Idempotency-Key": "k1"})
    assert (first.status_code, again.status_code) == (502, 200)


def test_a_job_says_what_was_dropped(api: Api, wire: Wire) -> None:
    def find(lines: str) -> list[dict[str, Any]]:
        [m] = labels_in(lines)
        return [said("Mia's team moved Apollo.", "We moved Apollo to Redis", m=m), said("x", "nobody said", m=m)]

    wire.always(model(find))
    job = api.post("conversations/c1/messages", {"messages": [TURN]}).json()["job"]
    Job.objects.update(run_after=timezone.now())
    run_job(job, worker="tests")
    shown = api.get(f"jobs/{job}").json()
    assert (shown["status"], shown["messages"]["extracted"]) == ("done", 1)
    assert shown["report"] == {"found": 2, "dropped": {"not_located": 1}, "mended": {}}


def test_findings_that_are_no_list_are_no_findings(api: Api, wire: Wire) -> None:
    wire.always(answer_json({"findings": {"text": "Mia lives in Lyon."}}))
    assert api.post("memory/extract", PREVIEW).status_code == 503
