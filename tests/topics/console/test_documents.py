"""The document as it stands, and as it stood at a moment or at a version."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from tests.topics.services.helpers import settle
from topics.changes import Actor
from topics.errors import NotFound
from topics.models import ChangeSet, Fact, Topic
from topics.selectors.documents import Document, document, document_at_version
from topics.services.statements import (
    add_entry,
    edit_fact,
    open_dispute,
    retract_fact,
    supersede_fact,
)
from topics.services.topics import add_alias, delete_topic, remove_alias, update_topic
from topics.services.undo import undo_change_set

pytestmark = pytest.mark.django_db
Learn = Callable[..., Fact]


def texts(held: Document) -> list[str]:
    return [line.row.text for line in held.facts]


def test_facts_stand_by_kind_with_their_exact_words(topic: Topic, learn: Learn) -> None:
    learn(topic, "we need 150 seats", within="Well, we need 150 seats, as before.", kind="number")
    learn(topic, "Ben prefers email", kind="preference")
    held = document(topic)
    assert [(str(kind), [x.row.text for x in lines]) for kind, lines in held.facts_by_kind()] == [
        ("number", ["we need 150 seats"]),
        ("preference", ["Ben prefers email"]),
    ]
    source = held.facts[0].sources[0]
    assert (source.before, source.words, source.after) == ("Well, ", "we need 150 seats", ", as before.")
    assert (source.speaker, source.conversation, source.position) == ("Zhang Wei", "call", 0)
    assert [alias.name for alias in held.aliases] == ["Acme 续约"]


def test_a_long_message_is_cut_around_the_quote_with_a_mark(topic: Topic, learn: Learn) -> None:
    learn(topic, "预算是十万元", within="好" * 200 + "预算是十万元" + "吧" * 200)
    source = document(topic).facts[0].sources[0]
    assert source.before == "…" + "好" * 80
    assert source.words == "预算是十万元"
    assert source.after == "吧" * 80 + "…"


def test_superseded_facts_stand_apart_and_retracted_ones_not_at_all(topic: Topic, learn: Learn, actor: Actor) -> None:
    old, new, wrong = learn(topic, "150 seats"), learn(topic, "120 seats"), learn(topic, "999 seats")
    supersede_fact(fact=old, by=new, actor=actor)
    retract_fact(fact=wrong, actor=actor)
    held = document(topic)
    assert texts(held) == ["120 seats"]
    assert [line.row.superseded_by for line in held.superseded] == [new]


def test_a_dispute_marks_its_fact_while_it_is_open(topic: Topic, learn: Learn) -> None:
    fact = learn(topic, "150 seats")
    dispute = open_dispute(fact=fact, said_at=None)
    during = timezone.now()
    assert [line.row for line in document(topic).disputed] == [fact]
    settle(dispute)
    assert document(topic).disputed == []
    assert [line.row.pk for line in document(topic, during).disputed] == [fact.pk]


def test_the_timeline_has_the_latest_first(topic: Topic, actor: Actor) -> None:
    for year in (2022, 2024, 2023):
        add_entry(topic=topic, actor=actor, text=f"Year {year}", happened_at=datetime(year, 1, 1, tzinfo=UTC))
    assert [line.row.text for line in document(topic).timeline] == ["Year 2024", "Year 2023", "Year 2022"]


def test_a_moment_shows_what_was_held_then(topic: Topic, learn: Learn, actor: Actor) -> None:
    fact = learn(topic, "150 seats")
    then = timezone.now()
    edit_fact(fact=fact, actor=actor, changes={"text": "160 seats"})
    retract_fact(fact=learn(topic, "Standard plan"), actor=actor)
    add_alias(topic=topic, actor=actor, name="ACME 2026")
    remove_alias(alias=topic.aliases.get(name="Acme 续约"), actor=actor)
    update_topic(topic=topic, actor=actor, name="Acme deal", summary="Renews in June.")
    held = document(topic, then)
    assert (held.topic.name, held.topic.summary, held.version) == ("Acme renewal", "", 2)
    assert texts(held) == ["150 seats"]
    assert held.facts[0].sources[0].words == "150 seats"
    assert [alias.name for alias in held.aliases] == ["Acme 续约"]
    topic.refresh_from_db()
    now = document(topic)
    assert now.topic.name == "Acme deal"
    assert texts(now) == ["160 seats"]
    assert [alias.name for alias in now.aliases] == ["Acme renewal", "ACME 2026"]


def test_every_version_can_be_shown(topic: Topic, learn: Learn, actor: Actor) -> None:
    learn(topic, "150 seats")
    open_dispute(fact=learn(topic, "Standard plan"), said_at=None)
    undo_change_set(change=ChangeSet.objects.filter(action="commit_facts").order_by("id")[0], actor=actor)
    assert [texts(document_at_version(topic, version)) for version in (1, 2, 3, 4)] == [
        [],
        ["150 seats"],
        ["150 seats", "Standard plan"],
        ["Standard plan"],
    ]
    assert [len(document_at_version(topic, version).disputed) for version in (2, 3, 4)] == [0, 1, 1]
    with pytest.raises(NotFound):
        document_at_version(topic, 5)


def test_evidence_that_was_undone_is_seen_only_in_the_past(topic: Topic, learn: Learn, actor: Actor) -> None:
    learn(topic, "150 seats")
    learn(topic, "150 seats", within="Again: 150 seats")
    assert len(document(topic).facts[0].sources) == 2
    undo_change_set(change=ChangeSet.objects.filter(action="commit_facts").latest("id"), actor=actor)
    assert len(document(topic).facts[0].sources) == 1
    assert len(document_at_version(topic, 3).facts[0].sources) == 2


def test_a_topic_that_did_not_exist_then_is_not_found(topic: Topic) -> None:
    with pytest.raises(NotFound):
        document(topic, topic.created_at - timedelta(days=1))


def test_a_topic_that_was_deleted_then_is_not_found(topic: Topic, actor: Actor) -> None:
    delete_topic(topic=topic, actor=actor)
    deleted = timezone.now()
    undo_change_set(change=ChangeSet.objects.get(action="delete_topic"), actor=actor)
    with pytest.raises(NotFound):
        document(topic, deleted)
    assert document(topic, timezone.now()).topic.name == "Acme renewal"


def test_a_past_state_cannot_be_saved(topic: Topic, learn: Learn) -> None:
    fact = learn(topic, "150 seats")
    past = document(topic, timezone.now()).facts[0].row
    assert past.pk == fact.pk
    assert past._state.adding


def test_the_number_of_queries_does_not_grow_with_the_document(
    topic: Topic, learn: Learn, actor: Actor, django_assert_max_num_queries: Callable[..., object]
) -> None:
    facts = [learn(topic, f"{n} seats") for n in range(12)]
    supersede_fact(fact=facts[0], by=facts[1], actor=actor)
    topic.refresh_from_db()
    with django_assert_max_num_queries(6):
        held = document(topic)
        assert held.superseded[0].row.superseded_by.text == "1 seats"  # type: ignore[union-attr]
        assert [source.conversation for line in held.facts for source in line.sources] == ["call"] * 11
    with django_assert_max_num_queries(8):
        document(topic, timezone.now())
