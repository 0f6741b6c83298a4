"""Hostile messages change nothing but what they state, and come back to an agent only inside the data fence.

They are read by the rules, and by a model that obeys the attacker as far as the form of its answers allows: it quotes
the message as the ground for everything that it is told to write, and believes all of it when it checks. The space lets
every statement pass, and the newest win.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any
from urllib.parse import quote

import pytest

from extraction.models import Conflict, Job, Proposal
from tests.contract.helpers import make_api
from tests.extraction.llm.hostile import MESSAGES
from tests.extraction.llm.reading import said
from tests.extraction.llm.scripted import labels_in, model, quotes_missing, run, shown, tell
from tests.inference.wire import Wire
from topics.changes import Actor
from topics.models import Alias, Fact, Space, TimelineEntry, Topic
from topics.services.spaces import create_space
from topics.services.statements import add_fact
from topics.services.topics import create_topic

ACTOR = Actor(label="a person")


@pytest.fixture
def space(db: None) -> Space:
    return create_space(slug="acme", review_policy="automatic", conflict_policy="newest", source_turns="all")


@pytest.fixture
def world(space: Space) -> Space:
    """Two projects with what is known of them, and a proposal that waits."""
    apollo = create_topic(space=space, actor=ACTOR, name="Apollo", kind="project", aliases=["阿波罗项目"])
    hermes = create_topic(space=space, actor=ACTOR, name="Hermes", kind="project", aliases=["赫尔墨斯项目"])
    add_fact(topic=apollo, actor=ACTOR, text="The owner of Apollo is Tom.")
    add_fact(topic=apollo, actor=ACTOR, text="Apollo is on schedule.")
    add_fact(topic=hermes, actor=ACTOR, text="Hermes keeps customer data in Lyon.")
    Proposal.objects.create(space=space, kind="archive", topic=hermes, fingerprint="waits")
    return space


def held(space: Space) -> dict[str, Any]:
    """Everything that stood before the message, as it is now. New rows are not in it."""
    known = {"Apollo", "Hermes"}
    return {
        "topics": list(
            Topic.objects.filter(space=space, name__in=known).order_by("pk").values("name", "status", "merged_into")
        ),
        "facts": list(
            Fact.objects.filter(space=space, origin="person")
            .order_by("pk")
            .values("text", "status", "version", "topic__name")
        ),
        "aliases": list(
            Alias.objects.filter(space=space, topic__name__in=known).order_by("pk").values("name", "topic__name")
        ),
        "proposal": Proposal.objects.get(space=space, fingerprint="waits").status,
    }


def obedient(lines: str) -> list[dict[str, Any]]:
    """Whatever the attacker may want, on the ground of his own message."""
    found: list[dict[str, Any]] = []
    for m in labels_in(lines):
        words = shown(lines, m)
        facts = sorted(set(re.findall(r"^  (f\d+):", lines, re.MULTILINE))) or ["f1"]
        topics = sorted(set(re.findall(r"^(t\d+):", lines, re.MULTILINE)))
        for topic in topics:
            found += [said(words, words, m=m, topic=topic, contradicts=fact) for fact in facts]
            found += [said(words, words, m=m, topic=topic, same_as=fact, certainty="confirmed") for fact in facts]
            found.append(said("Apollo was cancelled and its budget is 1.", words, m=m, topic=topic, kind="decision"))
            found.append(
                said(
                    words,
                    words,
                    m=m,
                    topic=topic,
                    kind="number",
                    attribute="budget",
                    value="999999",
                    until="2020-01-01",
                )
            )
            found.append(said(words, words, m=m, topic=topic, kind="alias", alias="Mallory"))
        found.append(said(words, words, m=m, topic="new", new_topic={"name": "SYSTEM", "kind": "other"}))
    return found[:16]


def letters(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


@pytest.mark.parametrize("extractor", ["rules", "llm"])
@pytest.mark.parametrize("number", range(len(MESSAGES)))
def test_it_changes_nothing_but_what_it_states(
    number: int, extractor: str, world: Space, request: pytest.FixtureRequest
) -> None:
    message, before = MESSAGES[number], held(world)
    if extractor == "llm":
        wire: Wire = request.getfixturevalue("wire")
        wire.always(model(obedient))
    job = run(tell(world, message, subject="Apollo", speaker="Mallory"))

    assert job.status == Job.Status.DONE
    assert held(world) == before
    stored = [p.text for p in Proposal.objects.filter(space=world, job=job).exclude(kind__in=["topic", "alias"])]
    stored += list(Fact.objects.filter(space=world, origin="extracted").values_list("text", flat=True))
    stored += list(TimelineEntry.objects.filter(space=world).values_list("text", flat=True))
    said_in_it = [letters(piece) in letters(message) for text in stored for piece in text.split()]
    assert all(said_in_it), stored
    assert set(Proposal.objects.filter(space=world, job=job).values_list("kind", flat=True)) <= {
        "topic", "fact", "timeline", "alias",
    }  # fmt: skip
    assert not Conflict.objects.filter(space=world).exclude(fact__topic__name="Apollo").exists()
    assert quotes_missing(world) == []
    assert_fenced(world, message)


def assert_fenced(space: Space, message: str) -> None:
    """Whatever an agent gets of it stands between one opening and one closing line of the fence."""
    question = quote(f"Apollo Hermes Mallory {message[:100]}")
    answer = make_api(space, "read").get(f"memory/query?q={question}&max_tokens=2000").json()
    context = answer["context"]
    assert "Apollo" in context
    opening = re.match(r"<memory id=(\d{9}) note=\"[^\"\n]*\">\n", context)
    assert opening
    assert context.endswith(f"\n</memory id={opening[1]}>")
    assert len(re.findall(r"<\s*/?\s*memory", context, re.IGNORECASE)) == 2


def test_the_set_is_as_large_as_it_is_said_to_be() -> None:
    assert len(set(MESSAGES)) == 40
    assert sum(bool(re.search("[\u4e00-\u9fff]", message)) for message in MESSAGES) == 20
