"""How long questions and writes take as a space grows: 10,000, 100,000 and 1,000,000 facts in 10,000 topics.

    python benchmarks/scale.py                                          # SQLite
    python benchmarks/scale.py --database postgres://user@host/any      # its own databases there
    python benchmarks/scale.py --facts 10000 100000                     # only these sizes
    python benchmarks/scale.py --keep /some/folder                      # keeps what it filled, and asks it again

Each size has a database of its own, filled by benchmarks/filling.py in a process of its own; with --keep it stays (the
file scale-<facts>.sqlite3 in the folder, or a database of that name on the server) and later runs are spared the
filling, but find what the runs before them wrote. Questions are asked
through the API, in that process and not over the network: three of four name a topic and what is asked of it, the
others are made of words of all frequencies. They are asked of statements ("approved": with the words behind them) and
of turns ("all"). Writes go through the services: ten turns stored, then ten facts committed from them, again and again.
"wall" is milliseconds at the server, "cpu" what this process worked in them. Prints a table and, as the last line,
JSON; exits with 1 when the p95 of the largest size is above 60 ms or more than twice that of the smallest.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from filling import MATTERS, QUALITIES, Words, fill, kept_database, own_database, percentile, set_up_django

MOST_MILLISECONDS, MOST_GROWTH = 60, 2.0
COLUMNS = ("facts", "ask approved", "ask all", "cpu approved", "cpu all", "turns/s", "facts/s", "MB", "bytes a fact")


def main() -> int:
    options = parse_arguments()
    if options.one:
        with ExitStack() as stack:
            print(json.dumps(measure(options, database_of(options, stack))))
        return 0
    rows = [in_a_process(options, facts) for facts in options.facts]
    print(" ".join(f"{name:>13}" for name in COLUMNS) + "    (p50 / p95 in milliseconds)")
    for row in rows:
        asked = [pair(row[kind], unit) for unit in ("wall", "cpu") for kind in ("approved", "all")]
        cells = [f"{row['facts']:,}", *asked, row["turns_a_second"], row["facts_a_second"]]
        print(" ".join(f"{cell:>13}" for cell in [*cells, row["megabytes"], row["bytes_a_fact"]]))
    worst = [max(row[kind]["wall_p95"] for kind in ("approved", "all")) for row in rows]
    failed = worst[-1] > MOST_MILLISECONDS or worst[-1] > MOST_GROWTH * worst[0]
    print(json.dumps({"sizes": rows, "worst_p95": worst, "failed": failed}))
    return 1 if failed else 0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="", help="a PostgreSQL URL whose server may be used; SQLite if empty")
    parser.add_argument("--facts", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--topics", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--writes", type=int, default=30)
    parser.add_argument("--folder", default="", help="where the SQLite files are while they are needed")
    parser.add_argument("--keep", default="", help="a folder in which SQLite files stay; on a server databases stay")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--one", type=int, default=0, help=argparse.SUPPRESS)
    return parser.parse_args()


def in_a_process(options: argparse.Namespace, facts: int) -> dict[str, Any]:
    arguments = {"database": options.database, "topics": options.topics, "questions": options.questions}
    arguments |= {"writes": options.writes, "folder": options.folder, "seed": options.seed, "keep": options.keep}
    arguments |= {"one": facts}
    command = [sys.executable, __file__, *(f"--{name}={value}" for name, value in arguments.items())]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def pair(times: dict[str, float], unit: str) -> str:
    return f"{times[f'{unit}_p50']:.0f} / {times[f'{unit}_p95']:.0f}"


# ------------------------------------------------------------------------------------------------------------ a size


def database_of(options: argparse.Namespace, stack: ExitStack) -> str:
    """The URL of the database of one size, which is gone with the stack unless it is kept."""
    if options.keep:
        return kept_database(options.database, Path(options.keep), f"scale-{options.one}")
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="scale-", dir=options.folder or None))
    return stack.enter_context(own_database(options.database, Path(folder), f"scale-{uuid.uuid4().hex[:8]}"))


def measure(options: argparse.Namespace, database: str) -> dict[str, Any]:
    set_up_django(database)
    from django.db import connection, connections

    from topics.models import Space
    from topics.services.spaces import create_api_key

    space, told, filled = filled_space(options)
    import infini.wsgi  # noqa: F401  (what a server does before its first request)

    size = size_of_database()
    _row, key = create_api_key(space=space, name="scale", scopes=["read"])
    asked: dict[str, Any] = {}
    for shown in (Space.SourceTurns.APPROVED, Space.SourceTurns.ALL):
        Space.objects.filter(pk=space.pk).update(source_turns=shown)
        asked[str(shown)] = ask(key, told, options.questions, options.seed)
    result = {
        "database": connection.vendor,
        "facts": options.one,
        "seconds_to_fill": filled,
        **asked,
        **write(space, told, options.writes, options.seed),
        "megabytes": round(size / 1e6),
        "bytes_a_fact": round(size / options.one),
    }
    connections.close_all()
    return result


def filled_space(options: argparse.Namespace) -> tuple[Any, list[tuple[uuid.UUID, str]], int | None]:
    """The space, id and name of its topics, and the seconds it took to fill it; None if an earlier run did."""
    from django.contrib.auth.models import User

    from topics.models import Fact, Space, Topic
    from topics.services.spaces import create_space

    began = time.perf_counter()
    space = Space.objects.filter(slug="big").first()
    is_new = space is None
    if space is None:
        space = create_space(slug="big")
        person = User.objects.create_user("maya", first_name="Maya", last_name="Ortiz")
        fill(space, person, topics=options.topics, facts=options.one, decided=False, seed=options.seed)
    seconds = round(time.perf_counter() - began)
    if Fact.objects.filter(space=space).count() < options.one:
        raise SystemExit(f"An earlier run did not come to its end: remove the database scale-{options.one}")
    told = list(Topic.objects.filter(space=space).order_by("pk").values_list("pk", "name"))
    return space, told, seconds if is_new else None


def questions(told: Sequence[tuple[uuid.UUID, str]], seed: int) -> Iterator[str]:
    rng = random.Random(seed)
    words = Words(rng)
    while True:
        _pk, name = rng.choice(told)
        matter = f"{rng.choice(QUALITIES)} {rng.choice(MATTERS)}"
        yield rng.choice(
            (
                f"What is the {matter} of {name}?",
                f"What did Dana say about the {matter} of {name}?",
                f"Is {' '.join(words.some(2))} what {name} wants?",
                f"Which {matter} has {' '.join(words.some(3))}?",
            )
        )


def ask(key: str, told: Sequence[tuple[uuid.UUID, str]], count: int, seed: int) -> dict[str, Any]:
    """Ask so many questions, after a few to warm up: milliseconds, queries and how many found something."""
    from django.db import connection
    from django.test import Client, override_settings

    wall, cpu, queries, answered = [], [], [], 0
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        client = Client(headers={"authorization": f"Bearer {key}"})
        for number, question in zip(range(count + 10), questions(told, seed), strict=False):
            statements: list[None] = []

            def note(execute: Any, *arguments: Any, statements: list[None] = statements) -> Any:
                statements.append(None)
                return execute(*arguments)

            began, worked = time.perf_counter(), time.process_time()
            with connection.execute_wrapper(note):
                response = client.get("/api/v1/memory/query", {"q": question})
            took, worked = time.perf_counter() - began, time.process_time() - worked
            assert response.status_code == 200, response.content
            if number >= 10:
                wall.append(1000 * took)
                cpu.append(1000 * worked)
                queries.append(len(statements))
                answered += bool(response.json()["context"])
    return {
        **spread("wall", wall),
        **spread("cpu", cpu),
        "queries": max(queries),
        "answered": round(answered / count, 3),
    }


def spread(name: str, values: Sequence[float]) -> dict[str, float]:
    return {f"{name}_p50": round(statistics.median(values), 1), f"{name}_p95": round(percentile(values, 0.95), 1)}


def write(space: Any, told: Sequence[tuple[uuid.UUID, str]], times: int, seed: int) -> dict[str, Any]:
    """Ten turns stored and ten facts committed from them, so many times: how many of each a second."""
    from topics.changes import Actor
    from topics.models import Topic
    from topics.services.conversations import MessageInput, store_messages
    from topics.services.statements import FactDraft, Span, commit_facts

    words = Words(random.Random(seed + 1))
    stored, committed = [], []
    for _ in range(times):
        pk, name = words.rng.choice(told)
        topic = Topic.objects.get(pk=pk)
        texts = [f"The {' '.join(words.some(2))} of {name} is {' '.join(words.some(6))}." for _ in range(10)]
        sent = [MessageInput(role="user", name="Dana", content=text) for text in texts]

        def store(sent: list[MessageInput] = sent) -> Any:
            return store_messages(space=space, conversation=uuid.uuid4().hex, messages=sent).messages

        messages, took = timed(store)
        stored.append(took)
        drafts = [FactDraft(topic=topic, text=m.content, spans=[Span(m, 0, len(m.content))]) for m in messages]

        def commit(drafts: list[FactDraft] = drafts) -> Any:
            return commit_facts(space=space, actor=Actor(label="scale"), drafts=drafts)

        committed.append(timed(commit)[1])
    return {
        "turns_a_second": round(10 / statistics.median(stored)),
        "facts_a_second": round(10 / statistics.median(committed)),
    }


def timed(act: Callable[[], Any]) -> tuple[Any, float]:
    began = time.perf_counter()
    found = act()
    return found, time.perf_counter() - began


def size_of_database() -> int:
    """Bytes of the whole database."""
    from django.db import connection

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
        else:
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        return int(cursor.fetchone()[0])


if __name__ == "__main__":
    sys.exit(main())
