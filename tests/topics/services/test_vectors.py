"""What a process holds of the vectors in memory is what is stored, whatever was written; only what is new is read."""

from __future__ import annotations

from uuid import UUID

import numpy as np
import pytest

from inference.embeddings import Vectors
from tests.topics.services.helpers import hold, make_topic
from topics.changes import Actor
from topics.models import ChangeSet, Fact, Space, Topic, Vector, VectorSet
from topics.selectors.vector_matrix import Kind, matrix_of
from topics.selectors.vectors import Wanted, missing
from topics.services.statements import retract_fact
from topics.services.undo import undo_change_set
from topics.services.vectors import finish_set, store_vectors

pytestmark = pytest.mark.django_db

SIZE = 8


@pytest.fixture
def topic(space: Space, person: Actor) -> Topic:
    return make_topic(space, person)


def facts(topic: Topic, count: int) -> list[Fact]:
    return [hold(topic, f"Statement {n} of {topic.facts.count()}.") for n in range(count)]


def embed(held: VectorSet | None, rows: list[Fact], seed: int) -> VectorSet:
    """Write a vector for each fact, other ones for each seed."""
    wanted = [Wanted("fact", fact.pk, fact.version, fact.text) for fact in rows]
    made = random_rows(wanted, seed)
    return store_vectors(space=rows[0].space, embedder="small", held=held, wanted=wanted, rows=made)


def random_rows(wanted: list[Wanted], seed: int) -> dict[tuple[Kind, UUID], Vectors]:
    random = np.random.default_rng(seed)
    return {(item.kind, item.pk): random.random(SIZE, dtype=np.float32) for item in wanted}


def stored(held: VectorSet) -> dict[UUID, Vectors]:
    rows = Vector.objects.filter(set=held, fact__isnull=False).values_list("fact", "values")
    return {pk: np.frombuffer(bytes(values), dtype="<f4") for pk, values in rows}


def kept(held: VectorSet) -> dict[UUID, Vectors]:
    matrix = matrix_of(VectorSet.objects.get(pk=held.pk), "fact")
    assert len(matrix.ids) == len(matrix.places) == len(matrix.rows)
    return {pk: matrix.rows[matrix.places[pk]] for pk in matrix.ids}


def assert_kept_as_stored(held: VectorSet) -> None:
    have, expected = kept(held), stored(held)
    assert have.keys() == expected.keys()
    for pk, row in expected.items():
        assert np.array_equal(have[pk], row)


def test_rows_that_came_after_are_found_beside_those_in_memory(topic: Topic) -> None:
    held = embed(None, facts(topic, 20), 1)
    assert_kept_as_stored(held)
    for seed in range(2, 6):
        embed(held, facts(topic, 2), seed)
        assert_kept_as_stored(held)


def test_a_row_embedded_again_takes_the_place_of_its_old_vector(topic: Topic) -> None:
    first = facts(topic, 5)
    held = embed(None, first, 1)
    before = kept(held)
    embed(held, [*first[1:3], *facts(topic, 1)], 2)
    assert_kept_as_stored(held)
    assert not np.array_equal(kept(held)[first[1].pk], before[first[1].pk])


def test_what_others_are_reading_stays_as_it_was(topic: Topic) -> None:
    first = facts(topic, 16)
    held = embed(None, first, 1)
    for seed in (2, 3):
        matrix = matrix_of(VectorSet.objects.get(pk=held.pk), "fact")
        before = matrix.rows.copy()
        embed(held, [first[0], *facts(topic, 1)] if seed == 3 else facts(topic, 1), seed)
        assert_kept_as_stored(held)
        assert np.array_equal(matrix.rows, before)


def test_a_row_that_was_taken_out_is_gone_from_memory(topic: Topic, person: Actor) -> None:
    first = facts(topic, 3)
    held = embed(None, first, 1)
    assert_kept_as_stored(held)
    retract_fact(fact=first[1], actor=person)
    assert list(kept(held)) == [first[0].pk, first[2].pk]


def test_a_row_that_comes_back_is_embedded_again(topic: Topic, person: Actor) -> None:
    first = facts(topic, 3)
    held = embed(None, first, 1)
    retract_fact(fact=first[1], actor=person)
    undo_change_set(change=ChangeSet.objects.latest("pk"), actor=person)
    first[1].refresh_from_db()
    assert first[1].pk in [item.pk for item in missing(topic.space, held, limit=99)]
    embed(held, [first[1]], 2)
    assert_kept_as_stored(held)


def test_what_was_taken_out_is_deleted_in_the_end(topic: Topic, person: Actor) -> None:
    first = facts(topic, 4)
    held = embed(None, first, 1)
    kept(held)
    for fact in first[:2]:
        retract_fact(fact=fact, actor=person)
    others = missing(topic.space, held, limit=99)
    store_vectors(space=topic.space, embedder="small", held=held, wanted=others, rows=random_rows(others, 2))
    assert finish_set(held=held) is False
    assert list(kept(held)) == list(stored(held)) == [fact.pk for fact in first[2:]]


def test_a_row_that_became_blank_is_gone_from_memory(topic: Topic) -> None:
    first = facts(topic, 2)
    held = embed(None, first, 1)
    assert_kept_as_stored(held)
    blank = Wanted("fact", first[0].pk, first[0].version, " ")
    store_vectors(space=topic.space, embedder="small", held=held, wanted=[blank], rows={})
    assert list(kept(held)) == [first[1].pk]


def test_only_what_was_written_since_is_read(topic: Topic) -> None:
    first = facts(topic, 10)
    held = embed(None, first, 1)
    before = kept(held)
    Vector.objects.filter(set=held, fact=first[0]).update(values=b"\x00" * 4 * SIZE)  # nobody counts this as a write
    added = facts(topic, 1)
    embed(held, added, 2)
    after = kept(held)
    assert np.array_equal(after[first[0].pk], before[first[0].pk])
    assert np.array_equal(after[added[0].pk], stored(held)[added[0].pk])
