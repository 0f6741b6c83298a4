"""The indexes of pgvector: they find nearly all that is nearest, and mend themselves."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from uuid import UUID

import numpy as np
import pytest
from django.core.management import call_command
from django.db import connection

from inference.embeddings import Vectors
from tests.topics.services.helpers import hold, make_person, make_space, make_topic
from topics.errors import WrongState
from topics.models import Topic, Vector, VectorSet
from topics.models.statement import Origin
from topics.selectors.vector_compare import InMemory, compare
from topics.selectors.vector_index import has_column, index_name, is_indexed
from topics.selectors.vector_matrix import matrix_of
from topics.selectors.vectors import Wanted
from topics.services.statements import FactDraft, commit_facts
from topics.services.vector_index import keep_indexes, use_pgvector
from topics.services.vectors import store_vectors

pytestmark = pytest.mark.django_db(transaction=True)

SIZE, CLUSTERS = 32, 12


@pytest.fixture
def topic() -> Topic:
    return make_topic(make_space(), make_person())


@pytest.fixture
def held(topic: Topic) -> VectorSet:
    """A set of 600 facts' vectors with an index."""
    held = fill(topic, 600)
    assert keep_indexes(held) == [index_name(held, "fact")]
    return held


def fill(topic: Topic, count: int) -> VectorSet:
    random = np.random.default_rng(1)
    centres = random.normal(size=(CLUSTERS, SIZE))
    drafts = [FactDraft(topic=topic, text=f"Statement {n}.", origin=Origin.PERSON) for n in range(count)]
    facts = commit_facts(space=topic.space, actor=make_person("filler"), drafts=drafts)
    wanted = [Wanted("fact", fact.pk, fact.version, fact.text) for fact in facts]
    rows = {("fact", fact.pk): unit(centres[n % CLUSTERS] + random.normal(size=SIZE)) for n, fact in enumerate(facts)}
    held = store_vectors(space=topic.space, embedder="small", held=None, wanted=wanted, rows=rows)  # type: ignore[arg-type]
    held.state = VectorSet.State.CURRENT
    held.save()
    return held


def unit(row: Vectors) -> Vectors:
    return np.asarray(row / np.linalg.norm(row), dtype=np.float32)


@pytest.fixture
def asked() -> list[Vectors]:
    random = np.random.default_rng(2)
    return [unit(random.normal(size=SIZE)) for _ in range(2)]


def plan_of(held: VectorSet, vector: Vectors) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SET enable_sort = off")
        cursor.execute(
            f"EXPLAIN SELECT fact_id FROM topics_vector WHERE set_id = {held.pk} AND fact_id IS NOT NULL"
            f" AND embedding IS NOT NULL ORDER BY embedding::vector({SIZE}) <#> %s::vector({SIZE}) LIMIT 50",
            [str(vector.tolist())],
        )
        plan = "\n".join(line for (line,) in cursor.fetchall())
        cursor.execute("RESET enable_sort")
    return plan


def test_nearly_all_that_is_nearest_is_found(held: VectorSet, asked: list[Vectors]) -> None:
    weights = (0.6, 0.4)
    matrix = matrix_of(held, "fact")
    exact = InMemory(matrix.ids, matrix.places, [matrix.rows @ vector for vector in asked], weights)
    found = compare(held, "fact", asked, weights)
    assert found is not None
    assert not isinstance(found, InMemory)
    near, expected = found.ranked(100), exact.ranked(100)
    assert len({row.pk for row in near} & {row.pk for row in expected}) >= 95
    by_key = {row.pk: row for row in expected}
    for row in near:
        if row.pk in by_key:
            assert row.outstanding == pytest.approx(by_key[row.pk].outstanding, abs=0.01)
            assert row.cosine == pytest.approx(by_key[row.pk].cosine, abs=1e-4)
    some = [row.pk for row in expected[::9]]
    assert found.outstanding([*some, UUID(int=0)]) == pytest.approx(exact.outstanding(some), abs=0.01)


def test_the_index_serves_the_question(held: VectorSet, asked: list[Vectors]) -> None:
    assert index_name(held, "fact") in plan_of(held, asked[0])


def test_vectors_of_before_are_taken_in(topic: Topic, asked: list[Vectors]) -> None:
    held = fill(topic, 50)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE topics_vector SET embedding = NULL")
    keep_indexes(held)
    found = compare(held, "fact", asked[:1])
    assert found is not None
    assert len(found.ranked(100)) == 50


def test_an_index_that_was_not_completed_is_made_anew(held: VectorSet) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass(%s)", [index_name(held, "fact")]
        )
    assert not is_indexed(held, "fact")
    assert keep_indexes(held) == [index_name(held, "fact")]
    assert is_indexed(held, "fact")
    assert keep_indexes(held) == []


def test_the_index_of_a_set_that_is_gone_is_dropped(held: VectorSet, topic: Topic) -> None:
    name = index_name(held, "fact")
    other = VectorSet.objects.create(space=topic.space, embedder="other")
    Vector.objects.filter(set=held).delete()
    held.delete()
    keep_indexes(other)
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [name])
        assert cursor.fetchone() == (None,)


def test_a_set_with_too_many_dimensions_stays_in_memory(topic: Topic) -> None:
    fact = hold(topic, "A long one.")
    row = unit(np.ones(2100))
    wanted = [Wanted("fact", fact.pk, fact.version, fact.text)]
    held = store_vectors(space=topic.space, embedder="large", held=None, wanted=wanted, rows={("fact", fact.pk): row})
    assert keep_indexes(held) == []
    assert isinstance(compare(held, "fact", [row]), InMemory)


@pytest.fixture
def without_pgvector(held: VectorSet) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("DROP EXTENSION vector CASCADE")
        yield
        cursor.execute("RESET ROLE")
    use_pgvector()


def test_where_we_may_not_create_the_extension_that_is_said(without_pgvector: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP ROLE IF EXISTS guest")
        cursor.execute("CREATE ROLE guest")
        cursor.execute("SET ROLE guest")
        with pytest.raises(WrongState, match="superuser"):
            use_pgvector()
        cursor.execute("RESET ROLE")
        cursor.execute("DROP ROLE guest")


def test_where_it_comes_later_the_command_does_the_rest(
    held: VectorSet, without_pgvector: None, asked: list[Vectors]
) -> None:
    assert not has_column()
    assert isinstance(compare(held, "fact", asked[:1]), InMemory)
    said = StringIO()
    call_command("use_pgvector", stdout=said)
    assert index_name(held, "fact") in said.getvalue()
    assert "pgvector is in use." in said.getvalue()
    found = compare(held, "fact", asked[:1])
    assert found is not None
    assert not isinstance(found, InMemory)
    again = StringIO()
    call_command("use_pgvector", stdout=again)
    assert "nothing to do" in again.getvalue()
