"""A change of the model: the vectors in use answer until those of the other are complete, and are never mixed."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from extraction.models import Job
from extraction.services.embedding import reembed, request_missing
from extraction.services.jobs import retry_job
from inference.models import ModelPolicy
from tests.extraction.embedding.helpers import embed_all, nearest, run_queued, sets
from tests.inference.embeddings.vectors import embedding_server, embeddings, vector
from tests.inference.wire import Reply, Request, Wire, fault
from tests.topics.services.helpers import hold, make_topic, say
from topics.changes import Actor
from topics.models import Space, Vector, VectorSet
from topics.selectors.vectors import progress_of, vector_space, wanted_set
from topics.services.statements import retract_fact

pytestmark = pytest.mark.django_db(transaction=True)
OVEN = "The oven is black."


def by_model(**dimensions: int) -> Callable[[Request], Reply]:
    """A server of several models."""
    return lambda request: embedding_server(dimensions[request.json["model"]])(request)


@pytest.fixture
def filled(space: Space, person: Actor, embedder: Wire) -> Space:
    """A space with 300 turns, a topic and a fact, embedded by the model `small`."""
    hold(make_topic(space, person), OVEN)
    for n in range(3):
        say(space, f"turn number {n}")
    embed_all(space)
    return space


def test_the_vectors_in_use_answer_until_the_others_are_complete(filled: Space, embedder: Wire) -> None:
    embedder.always(by_model(small=64, large=128))
    with override_settings(INFINI_EMBEDDING_MODEL="large"):
        assert request_missing() == 1
        assert nearest(filled, "fact", OVEN) == [OVEN]
        assert embedder.requests[-1].json["model"] == "small"
        embed_all(filled)
        assert sets(filled) == [("large", 128, "current", 6)]
        assert nearest(filled, "fact", OVEN) == [OVEN]
        assert embedder.requests[-1].json["model"] == "large"


def test_a_change_that_fails_half_way_goes_on_later(filled: Space, embedder: Wire) -> None:
    for n in range(300):
        say(filled, f"another turn, number {n}")
    request_missing()
    embed_all(filled)
    serve = by_model(small=64, large=128)
    served: list[int] = []

    def dying(request: Request) -> Reply:
        served.append(len(request.json["input"]))
        return serve(request) if sum(served) < 280 else fault(401, "no such key")

    embedder.always(dying)
    with override_settings(INFINI_EMBEDDING_MODEL="large"):
        request_missing()
        [job] = run_queued(filled)
        assert job.status == Job.Status.FAILED
        assert "API key" in job.error
        assert sets(filled) == [("small", 64, "current", 306), ("large", 128, "building", 256)]
        assert progress_of(filled, wanted_set(filled)).done == 256
        embedder.always(serve)
        assert nearest(filled, "fact", OVEN) == [OVEN]
        embedder.requests.clear()
        retry_job(job=job)
        embed_all(filled)
        assert sum(len(request.json["input"]) for request in embedder.requests) == 50
        assert sets(filled) == [("large", 128, "current", 306)]


def test_an_outage_waits_as_long_as_the_endpoint_asks(filled: Space, embedder: Wire) -> None:
    embedder.always(fault(503, headers={"Retry-After": "900"}))
    say(filled, "one more turn")
    request_missing()
    [job] = run_queued(filled)
    assert job.status == Job.Status.QUEUED
    assert (job.run_after - job.created_at).total_seconds() > 800


def test_going_back_to_the_model_in_use_needs_no_work(filled: Space, embedder: Wire) -> None:
    with override_settings(INFINI_EMBEDDING_MODEL="large"):
        reembed(space=filled)
    VectorSet.objects.exclude(state="current").get()
    embedder.requests.clear()
    embed_all(filled)
    assert embedder.requests == []
    assert sets(filled) == [("small", 64, "current", 6)]


def test_a_model_that_changes_its_length_behind_its_name_begins_a_new_set(filled: Space, embedder: Wire) -> None:
    embedder.always(embedding_server(32))
    say(filled, "one more turn")
    request_missing()
    embed_all(filled)
    assert sets(filled) == [("small", 32, "current", 7)]


def test_vectors_of_two_lengths_in_one_answer_are_not_stored(filled: Space, embedder: Wire) -> None:
    embedder.always(embeddings([vector("a", 16), vector("b", 8)]))
    say(filled, "one more turn")
    say(filled, "and another")
    request_missing()
    [job] = run_queued(filled)
    assert job.status == Job.Status.QUEUED
    assert sets(filled) == [("small", 64, "current", 6)]


def test_what_is_forgotten_while_the_other_is_made_does_not_come_with_it(
    filled: Space, person: Actor, embedder: Wire
) -> None:
    embedder.always(by_model(small=64, large=128))
    with override_settings(INFINI_EMBEDDING_MODEL="large"):
        reembed(space=filled)
        fact = filled.facts.get()
        retract_fact(fact=fact, actor=person)
        embed_all(filled)
        assert nearest(filled, "fact", OVEN) == []
        assert not Vector.objects.filter(fact=fact).exclude(values=b"").exists()


def test_a_space_that_does_without_answers_nothing_and_keeps_what_it_has(filled: Space) -> None:
    policy = ModelPolicy.objects.create(space=filled, embedder="none")
    assert vector_space(filled) is None
    policy.delete()
    assert nearest(filled, "fact", OVEN) == [OVEN]


def test_the_command_embeds_everything_anew(filled: Space, embedder: Wire) -> None:
    out = StringIO()
    call_command("reembed", "acme", stdout=out)
    assert out.getvalue().startswith("acme: job ")
    assert nearest(filled, "fact", OVEN) == [OVEN]
    embedder.requests.clear()
    embed_all(filled)
    assert sum(len(request.json["input"]) for request in embedder.requests) == 6
    assert sets(filled) == [("small", 64, "current", 6)]


def test_the_command_names_what_it_cannot_do(space: Space) -> None:
    out = StringIO()
    call_command("reembed", stdout=out)
    assert out.getvalue() == "acme: no embedder is set\n"
    with pytest.raises(CommandError, match="nowhere"):
        call_command("reembed", "nowhere")
