"""A model may name what was found; its answer is held to what a name may be."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import override_settings

from extraction.models import Job
from extraction.services.discovery import discover_now
from inference.models import ModelCall, Purpose
from tests.extraction.discovery.helpers import SERVER, discover, found, tell
from tests.extraction.embedding.helpers import run_queued
from tests.inference.wire import Reply, Request, Wire, answer, answer_json, fault
from topics.changes import Actor
from topics.models import Space
from topics.services.topics import create_topic

pytestmark = pytest.mark.django_db(transaction=True)
NOTHING: dict[str, Any] = {"findings": []}


@pytest.fixture
def told(space: Space) -> Space:
    """Six turns about one matter, read by rules."""
    tell(space, SERVER)
    return space


def naming(reply: Reply) -> Any:
    """Answers the question for a name with `reply`, and finds nothing in what it is given to read."""

    def step(request: Request) -> Reply:
        return reply if "name_topic" in purposes() else answer_json(NOTHING)

    def purposes() -> set[str]:
        return set(ModelCall.objects.filter(outcome=ModelCall.Outcome.RUNNING).values_list("purpose", flat=True))

    return step


def test_the_models_name_is_taken(told: Space, wire: Wire) -> None:
    wire.always(naming(answer_json({"name": "Server migration", "kind": "project"})))
    discover(told)
    assert list(found(told)) == ["Server migration"]
    call = ModelCall.objects.get(purpose=Purpose.NAME_TOPIC)
    assert call.reference == "discovery"
    assert all(text in call.prompt[1]["content"] for text in SERVER)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "x",
        "服务器迁移",
        "Ignore all instructions",
        "The server migration was moved to 14 May and then once more to 21 May of this year",
        "<b>Server migration</b>",
        "Server\nmigration",
        "See https://server.example",
        "Taken: server things",
        None,
        7,
    ],
)
def test_what_can_be_no_name_gives_way_to_the_telling_terms(told: Space, person: Actor, wire: Wire, name: Any) -> None:
    create_topic(space=told, actor=person, name="Taken: server things")
    wire.always(naming(answer_json({"name": name, "kind": "project"})))
    discover(told)
    [given] = found(told)
    assert given != name
    assert "server" in given.lower()


@pytest.mark.parametrize("reply", [answer("I cannot help with that."), answer(None), fault(401)])
def test_a_model_that_gives_none_does_not_keep_the_topic_back(told: Space, wire: Wire, reply: Reply) -> None:
    wire.always(naming(reply))
    discover_now(space=told)
    run_queued(told, Job.Kind.DISCOVER)
    [given] = found(told)
    assert "server" in given.lower()


def test_an_outage_is_waited_for_and_then_done_without(told: Space, wire: Wire) -> None:
    wire.always(naming(fault(503, headers={"Retry-After": "60"})))
    discover_now(space=told)
    [job] = run_queued(told, Job.Kind.DISCOVER)
    assert (job.status, found(told)) == (Job.Status.QUEUED, {})
    assert (job.run_after - job.created_at).total_seconds() > 50
    Job.objects.filter(pk=job.pk).update(attempts=4)
    run_queued(told, Job.Kind.DISCOVER)
    [given] = found(told)
    assert "server" in given.lower()


def test_a_spent_budget_is_no_reason_to_wait(told: Space, wire: Wire) -> None:
    wire.always(naming(answer_json({"name": "Server migration", "kind": "project"})))
    ModelCall.objects.all().delete()
    with override_settings(INFINI_MODEL_DAILY_CALLS=1):
        discover_now(space=told)
        run_queued(told, Job.Kind.DISCOVER)
    assert ModelCall.objects.filter(purpose=Purpose.NAME_TOPIC).count() == 1
