"""Keeping vectors in PostgreSQL with pgvector: the column, and an index for each kind of a large set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

import numpy as np
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils.translation import gettext as _

from inference.embeddings import Vectors
from topics.errors import WrongState
from topics.models import Vector, VectorSet
from topics.selectors.vector_index import MOST_DIMENSIONS, has_column, index_name, is_indexed, literal
from topics.selectors.vector_matrix import Kind

KINDS: Sequence[Kind] = ("topic", "fact", "message")
# Rows that are written for pgvector in one statement.
SLICE = 1000
# What the server may use while it makes an index.
MEMORY = "512MB"
# Of advisory locks: whoever makes an index of a set holds (_BUILDING, the set).
_BUILDING = 20_001


def use_pgvector() -> None:
    """Begin to keep vectors for pgvector as well. Nothing if that is so already.

    Raises WrongState where the database is not PostgreSQL, has no pgvector, or does not let us create the extension.
    """
    if connection.vendor != "postgresql":
        raise WrongState(_("pgvector belongs to PostgreSQL; this database is another one."), code="no_pgvector")
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
        if cursor.fetchone() is None:
            raise WrongState(_("The server has no pgvector: install its package there first."), code="no_pgvector")
        try:
            with transaction.atomic():
                cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except DatabaseError as error:
            raise WrongState(
                _("We may not create the extension: let a superuser run CREATE EXTENSION vector in this database."),
                code="no_pgvector",
            ) from error
        cursor.execute("ALTER TABLE topics_vector ADD COLUMN IF NOT EXISTS embedding vector")


def write_embeddings(held: VectorSet, kind: Kind, rows: Mapping[UUID, Vectors | None]) -> None:
    """Keep these vectors for pgvector as well, None for a text with nothing in it. In a transaction of the caller's."""
    if not rows or not has_column():
        return
    literals = [None if row is None else literal(row) for row in rows.values()]
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE topics_vector SET embedding = given.embedding::vector"  # noqa: S608  (a kind is one of three words)
            f" FROM unnest(%s::uuid[], %s::text[]) AS given (pk, embedding)"
            f" WHERE set_id = %s AND {kind}_id = given.pk",
            [list(rows), literals, held.pk],
        )


def empty_embeddings(vectors: Iterable[int]) -> None:
    """Take these vectors (primary keys) out of what pgvector finds. In a transaction of the caller's."""
    if has_column():
        with connection.cursor() as cursor:
            cursor.execute("UPDATE topics_vector SET embedding = NULL WHERE id = ANY(%s)", [list(vectors)])


def lacks_index(held: VectorSet) -> bool:
    """Whether a kind of the set is large enough for an index and has none yet."""
    return any(True for _kind in _kinds_without_index(held))


def keep_indexes(held: VectorSet) -> list[str]:
    """Make the indexes that the set lacks, and drop those of sets that are gone. Returns the names of the new ones.

    Not in a transaction; it may take minutes, and readers and writers go on meanwhile. One process makes them at a
    time: another one leaves it to that.
    """
    made: list[str] = []
    with connection.cursor() as cursor:
        for name in _orphans() if has_column() else ():
            cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {connection.ops.quote_name(name)}")
        for kind in _kinds_without_index(held):
            cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [_BUILDING, held.pk % 2**31])
            if cursor.fetchone() != (True,):
                break
            try:
                _fill(held, kind)
                name = connection.ops.quote_name(index_name(held, kind))
                # One that was begun and not completed is of no use.
                cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
                # Made in memory as a whole it takes a fraction of the time; by one process, for what several share is
                # little in a container.
                cursor.execute(
                    "SELECT set_config('maintenance_work_mem', %s, false),"
                    " set_config('max_parallel_maintenance_workers', '0', false)",
                    [MEMORY],
                )
                cursor.execute(
                    f"CREATE INDEX CONCURRENTLY {name} ON topics_vector"
                    f" USING hnsw ((embedding::vector({int(held.dimensions or 0)})) vector_ip_ops)"
                    f" WHERE set_id = {int(held.pk)} AND {kind}_id IS NOT NULL"
                )
                # Of a table that has just been filled the planner knows too little to choose the index.
                cursor.execute("ANALYZE topics_vector")
                made.append(index_name(held, kind))
            finally:
                cursor.execute("RESET maintenance_work_mem")
                cursor.execute("RESET max_parallel_maintenance_workers")
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [_BUILDING, held.pk % 2**31])
    return made


def _kinds_without_index(held: VectorSet) -> Iterable[Kind]:
    if not held.dimensions or held.dimensions > MOST_DIMENSIONS or not has_column():
        return
    for kind in KINDS:
        rows = Vector.objects.filter(set=held, **{f"{kind}__isnull": False}).order_by()
        most = settings.INFINI_VECTORS_INDEXED_FROM
        if not is_indexed(held, kind) and rows.values("pk")[most : most + 1]:
            yield kind


def _orphans() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'i' AND relname LIKE 'topics\\_vector\\_near\\_%%'"
        )
        names = [name for (name,) in cursor.fetchall()]
    sets = {str(pk) for pk in VectorSet.objects.values_list("pk", flat=True)}
    return [name for name in names if name.split("_")[3] not in sets]


def _fill(held: VectorSet, kind: Kind) -> None:
    """Write what was stored before pgvector came."""
    rows = Vector.objects.filter(set=held, **{f"{kind}__isnull": False}).exclude(values=b"")
    missing = rows.extra(where=["embedding IS NULL"]).order_by()
    while True:
        with transaction.atomic():
            found = list(missing.select_for_update().values_list(kind, "values")[:SLICE])
            write_embeddings(held, kind, {pk: np.frombuffer(values, dtype="<f4") for pk, values in found})
        if len(found) < SLICE:
            return
