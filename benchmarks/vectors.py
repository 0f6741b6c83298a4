"""How long it takes to find what is near among many turns, in memory and with pgvector, and how much of it is found.

    python benchmarks/vectors.py --database postgres://user@host/any [--turns 20000 100000]

The server must have pgvector. Each number of turns has a database of its own there, which is dropped in the end: one
space whose turns have vectors of 512 dimensions in 200 clusters. What a question asks for is what a query asks for: the
150 turns that stand out most from two vectors, and how far 200 given ones do. "in memory" is exact; `recall` is the
share of its 150 that the index finds as well. Milliseconds; `MB` is what the process holds of the vectors. Prints a
table and, as the last line, JSON.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from filling import own_database, percentile, set_up_django

SIZE, CLUSTERS, NEAREST, GIVEN = 512, 200, 150, 200
BATCH = 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", required=True, help="a PostgreSQL URL whose server has pgvector")
    parser.add_argument("--turns", type=int, nargs="+", default=[20_000, 100_000])
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--one", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        with tempfile.TemporaryDirectory(prefix="vectors-") as folder:
            name = f"vectors-{uuid.uuid4().hex[:8]}"
            with own_database(options.database, Path(folder), name) as database:
                print(json.dumps(measure(options, database)))
        return 0
    rows = [in_a_process(options, turns) for turns in options.turns]
    print(
        f"{'turns':>9} {'in memory':>16} {'MB':>6} {'pgvector':>16} {'MB':>6} {'recall':>7} {'build, s':>9}   p50 / p95"
    )
    for row in rows:
        memory, index = row["in_memory"], row["pgvector"]
        print(
            f"{row['turns']:>9,} {pair(memory):>16} {memory['megabytes']:>6} {pair(index):>16} {index['megabytes']:>6}"
            f" {index['recall']:>7} {index['seconds_to_build']:>9}"
        )
    print(json.dumps(rows))
    return 0


def in_a_process(options: argparse.Namespace, turns: int) -> dict[str, Any]:
    import subprocess

    command = [sys.executable, __file__, f"--database={options.database}", f"--questions={options.questions}"]
    done = subprocess.run([*command, f"--one={turns}"], check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def pair(times: dict[str, Any]) -> str:
    return f"{times['p50']:.1f} / {times['p95']:.1f}"


def measure(options: argparse.Namespace, database: str) -> dict[str, Any]:
    set_up_django(database, INFINI_VECTORS_INDEXED_FROM=str(options.one - 1))
    from django.db import connections

    from topics.selectors.vector_compare import InMemory, compare
    from topics.selectors.vector_matrix import matrix_of
    from topics.services.vector_index import keep_indexes

    random = np.random.default_rng(1)
    centres = random.normal(size=(CLUSTERS, SIZE)).astype(np.float32)
    held = fill(options.one, random, centres)
    began = time.perf_counter()
    made = keep_indexes(held)
    built = round(time.perf_counter() - began, 1)
    assert made, "no index was made: has the server pgvector?"
    questions = [[near(centres, random) for _ in range(2)] for _ in range(options.questions)]
    matrix = matrix_of(held, "message")
    given = [[matrix.ids[n] for n in random.integers(0, len(matrix.ids), GIVEN)] for _ in questions]

    def in_memory(vectors: list[Any]) -> Any:
        known = matrix_of(held, "message")
        return InMemory(known.ids, known.places, [known.rows @ vector for vector in vectors], (0.6, 0.4))

    def with_pgvector(vectors: list[Any]) -> Any:
        found = compare(held, "message", vectors, (0.6, 0.4))
        assert found is not None
        assert not isinstance(found, InMemory)
        return found

    exact, exact_times = ask(in_memory, questions, given)
    found, times = ask(with_pgvector, questions, given)
    recall = statistics.mean(len(a & b) / len(a) for a, b in zip(exact, found, strict=True))
    sample = with_pgvector(questions[0]).sample.nbytes
    connections.close_all()
    return {
        "turns": options.one,
        "in_memory": exact_times | {"megabytes": round(matrix.room.nbytes / 1e6)},
        "pgvector": times | {"megabytes": round(sample / 1e6), "recall": round(recall, 3), "seconds_to_build": built},
    }


def fill(turns: int, random: Any, centres: Any) -> Any:
    """So many turns of one space with their vectors; the set of them."""
    from django.db import transaction
    from django.utils import timezone

    from topics.models import Conversation, Message, VectorSet
    from topics.selectors.vectors import Wanted
    from topics.services.spaces import create_space
    from topics.services.vectors import store_vectors

    space, held, now = create_space(slug="near"), None, timezone.now()
    for at in range(0, turns, BATCH):
        conversation = Conversation.objects.create(space=space, external_id=str(at))
        messages = [
            Message(
                space=space,
                conversation=conversation,
                position=n,
                external_id=str(n),
                role="user",
                content="…",
                said_at=now,
            )
            for n in range(min(BATCH, turns - at))
        ]
        Message.objects.bulk_create(messages)
        wanted = [Wanted("message", message.pk, 1, uuid.uuid4().hex) for message in messages]
        rows: Any = {("message", message.pk): near(centres, random) for message in messages}
        with transaction.atomic():
            held = store_vectors(space=space, embedder="random", held=held, wanted=wanted, rows=rows)
    assert held is not None
    held.state = VectorSet.State.CURRENT
    held.save()
    return held


def near(centres: Any, random: Any) -> Any:
    """A vector of unit length about one of the centres."""
    row = centres[random.integers(0, len(centres))] + random.normal(size=SIZE)
    return (row / np.linalg.norm(row)).astype(np.float32)


def ask(
    compared: Callable[[list[Any]], Any], questions: list[list[Any]], given: list[list[Any]]
) -> tuple[list[set[Any]], dict[str, float]]:
    """The nearest of each question, and how long it took, once everything is read."""
    found, times = [], []
    compared(questions[0]).ranked(NEAREST)
    for vectors, ids in zip(questions, given, strict=True):
        began = time.perf_counter()
        rows = compared(vectors)
        ranked = rows.ranked(NEAREST)
        rows.outstanding(ids)
        times.append(1000 * (time.perf_counter() - began))
        found.append({row.pk for row in ranked})
    return found, {"p50": round(statistics.median(times), 1), "p95": round(percentile(times, 0.95), 1)}


if __name__ == "__main__":
    sys.exit(main())
