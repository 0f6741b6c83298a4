"""Vectors in PostgreSQL with pgvector: which sets have an index there, and what it finds.

Each kind of a large set has an index of its own (HNSW, Malkov and Yashunin 2016), so that what one space finds does not
depend on the others. All vectors are of unit length: the inner product is the cosine.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

import numpy as np
from django.db import connection, transaction

from inference.embeddings import Vectors
from topics.models import VectorSet
from topics.selectors.vector_matrix import Kind

# An index takes vectors of so many dimensions at most.
MOST_DIMENSIONS = 2000
# Of the nearest that are asked for the index looks at so many times as many: it may miss some.
LOOKED_AT = 5
# The most that pgvector lets a search look at, and so the most that it finds.
MOST_FOUND = 1000

_NEAREST = """
    SELECT {kind}_id, {products} FROM topics_vector
    WHERE set_id = %s AND {kind}_id IS NOT NULL AND embedding IS NOT NULL
    ORDER BY embedding::vector({dimensions}) <#> %s::vector({dimensions}) LIMIT %s
"""
_PRODUCTS = """
    SELECT {kind}_id, {products} FROM topics_vector
    WHERE set_id = %s AND {kind}_id = ANY(%s) AND embedding IS NOT NULL
"""
# A digest is as good as a draw: those of texts have no order of their own.
_SAMPLE = """
    SELECT "values" FROM topics_vector
    WHERE set_id = %s AND {kind}_id IS NOT NULL AND embedding IS NOT NULL ORDER BY digest LIMIT %s
"""


def has_column() -> bool:
    """Whether vectors are kept for pgvector, too: the server has it and it is in use (`manage.py use_pgvector`)."""
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM pg_attribute WHERE attrelid = 'topics_vector'::regclass AND attname = 'embedding'"
            " AND NOT attisdropped"
        )
        return cursor.fetchone() is not None


def index_name(held: VectorSet, kind: Kind) -> str:
    """The name of the index of one kind of a set."""
    return f"topics_vector_near_{held.pk}_{kind}"


def is_indexed(held: VectorSet, kind: Kind) -> bool:
    """Whether the set's vectors of this kind have an index that is complete."""
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [index_name(held, kind)])
        return bool(cursor.fetchone() == (True,))


def nearest(
    held: VectorSet, kind: Kind, vector: Vectors, also: Sequence[Vectors], *, limit: int
) -> list[tuple[UUID, list[float]]]:
    """The rows whose vectors have the largest inner products with `vector`, the nearest first, nearly all of them: id
    and inner products with `vector` and each of `also`. `limit` is at most MOST_FOUND."""
    looked_at = min(LOOKED_AT * limit, MOST_FOUND)
    query = _NEAREST.format(kind=kind, dimensions=int(vector.size), products=_products(1 + len(also)))
    with transaction.atomic(), connection.cursor() as cursor:
        # The planner takes a search that looks at many for dearer than reading and sorting all of them.
        cursor.execute(
            "SELECT set_config('hnsw.ef_search', %s, true), set_config('enable_sort', 'off', true)", [str(looked_at)]
        )
        cursor.execute(query, [*map(literal, [vector, *also]), held.pk, literal(vector), limit])
        return [(pk, list(products)) for pk, *products in cursor.fetchall()]


def products_of(held: VectorSet, kind: Kind, ids: Collection[UUID], vector: Vectors) -> dict[UUID, float]:
    """Id → inner product with `vector`, for those of the rows that have one of this set."""
    query = _PRODUCTS.format(kind=kind, products=_products(1))
    with connection.cursor() as cursor:
        cursor.execute(query, [literal(vector), held.pk, list(ids)])
        return dict(cursor.fetchall())


def sample(held: VectorSet, kind: Kind, size: int) -> Vectors:
    """The vectors of `size` rows, or of all if there are fewer, one in each row of the result."""
    with connection.cursor() as cursor:
        cursor.execute(_SAMPLE.format(kind=kind), [held.pk, size])
        rows = [np.frombuffer(values, dtype="<f4") for (values,) in cursor.fetchall()]
    return np.stack(rows) if rows else np.empty((0, 0), dtype=np.float32)


def literal(vector: Vectors) -> str:
    """A vector as pgvector reads it."""
    return f"[{','.join(map(repr, np.asarray(vector, dtype=np.float32).tolist()))}]"


def _products(count: int) -> str:
    # The operator is the negative inner product, since an index can only go upwards.
    return ", ".join(["-(embedding <#> %s::vector)"] * count)
