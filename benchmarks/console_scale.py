"""How long the console's pages take in a space of 10,000 topics, 200,000 facts and 10,000 proposals that wait.

    python benchmarks/console_scale.py                                              # SQLite
    python benchmarks/console_scale.py --database postgres://user@host/any          # a database of its own there
    python benchmarks/console_scale.py --keep /some/folder                          # keeps the file, and asks it again

With `--database` and `--keep` the database `console-scale` stays on that server, and is asked again.

The space is made by benchmarks/filling.py. Every page is asked for in this process, through all of Django, and not over
the network: once to warm up, then `--times` times with other rows wherever an address names one. "wall" is what the
server takes, "cpu" what this process worked in it (on SQLite that is all of it, on PostgreSQL all but the database's
part, which is in "db", the time spent waiting for answers). Prints a table and, as the last line, JSON; exits with 1
when a page needs more than 20 queries (26 with a question to the memory) or its p95 more than 200 ms.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from filling import analyse_tables, fill, kept_database, own_database, percentile, propose, set_up_django

MOST_QUERIES, MOST_MILLISECONDS = 20, 200
# Asks the memory as an agent does, beside what the page itself asks.
MOST_QUERIES_OF = {"agent view": 26}


def main() -> int:
    options = parse_arguments()
    with ExitStack() as stack:
        if options.there:
            database = options.database
        elif options.keep:
            database = kept_database(options.database, Path(options.keep), "console-scale")
        else:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="scale-")))
            name = f"console-scale-{uuid.uuid4().hex[:8]}"
            database = stack.enter_context(own_database(options.database, folder, name))
        set_up_django(database)
        filled = make_space(options)
        import infini.wsgi  # noqa: F401  (what a server does before its first request)

        rows = [measure(page, ask, options.times) for page, ask in pages(options.seed)]
        from django.db import connection, connections

        engine = connection.vendor
        connections.close_all()
    print(f"{'page':34} {'queries':>7} {'wall p50':>9} {'p95':>7} {'cpu p50':>8} {'p95':>7} {'db p50':>7} {'KB':>6}")
    for row in rows:
        times = f"{row['wall_p50']:9.1f} {row['wall_p95']:7.1f} {row['cpu_p50']:8.1f} {row['cpu_p95']:7.1f}"
        print(f"{row['page']:34} {row['queries']:7} {times} {row['db_p50']:7.1f} {row['kilobytes']:6.1f}")
    failed = [
        row["page"]
        for row in rows
        if row["queries"] > MOST_QUERIES_OF.get(row["page"], MOST_QUERIES) or row["wall_p95"] > MOST_MILLISECONDS
    ]
    print(json.dumps({"database": engine, **filled, "times": options.times, "pages": rows, "failed": failed}))
    return 1 if failed else 0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="", help="a PostgreSQL URL whose server may be used; SQLite if empty")
    parser.add_argument(
        "--there", action="store_true", help="in the very database that --database names, which stays as it is"
    )
    parser.add_argument(
        "--keep",
        default="",
        help="a folder in which the SQLite file stays for the next run; the one on a server stays too",
    )
    parser.add_argument("--topics", type=int, default=10_000)
    parser.add_argument("--facts", type=int, default=200_000)
    parser.add_argument("--proposals", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def make_space(options: argparse.Namespace) -> dict[str, Any]:
    """The space `big` with its admin, unless it is there already: what it holds."""
    from django.contrib.auth.models import User

    from extraction.models import Proposal
    from topics.models import ChangeSet, DuplicatePair, Fact, Space, Topic
    from topics.services.duplicates import search_duplicates
    from topics.services.spaces import create_space, set_member

    began = time.perf_counter()
    space = Space.objects.filter(slug="big").first()
    if space is None:
        space = create_space(slug="big")
        person = User.objects.create_user("maya", first_name="Maya", last_name="Ortiz")
        set_member(space=space, user=person, role="admin")
        told = fill(space, person, topics=options.topics, facts=options.facts, seed=options.seed)
        propose(space, told, options.proposals)
        search_duplicates(space=space)
        analyse_tables()
    return {
        "topics": Topic.objects.filter(space=space).count(),
        "facts": Fact.objects.filter(space=space).count(),
        "waiting": Proposal.objects.filter(space=space, status="pending").count(),
        "change_sets": ChangeSet.objects.filter(space=space).count(),
        "pairs": DuplicatePair.objects.filter(space=space).count(),
        "seconds_to_fill": round(time.perf_counter() - began),
    }


def pages(seed: int) -> Iterator[tuple[str, Callable[[], str]]]:
    """The name of each page, and what gives the address to ask for next."""
    from django.db.models import Count
    from django.urls import reverse

    from extraction.models import Conflict, Proposal
    from topics.models import ChangeSet, Conversation, Topic

    rng = random.Random(seed)

    def any_of(rows: Any, route: str, *before: str) -> Callable[[], str]:
        ids = list(rows.order_by("pk").values_list("pk", flat=True))
        return lambda: reverse(route, args=[*before, rng.choice(ids)])

    def always(route: str, *parts: Any, query: str = "") -> Callable[[], str]:
        return lambda: reverse(route, args=parts) + query

    waiting = Proposal.objects.filter(status="pending")
    contested = Conflict.objects.filter(status="open").values("proposal")
    topics = Topic.objects.filter(status="active")
    largest = topics.annotate(count=Count("facts")).order_by("-count")[0]
    words = largest.name.split()
    for tab in ("facts", "conflicts", "topics", "snoozed"):
        yield f"queue, {tab}", always("extraction:queue", tab)
    far = waiting.filter(kind="fact").order_by("-pk").values_list("pk", flat=True)[849]
    yield "queue, far down", always("extraction:queue", "facts", query=f"?after={far}&rows=850")
    yield "queue, searched", always("extraction:queue", "facts", query=f"?q={words[0]}")
    yield "queue, of one topic", always("extraction:queue", "facts", query=f"?topic={largest.pk}")
    plain = waiting.filter(kind="fact").exclude(pk__in=contested)
    yield "item, fact", any_of(plain, "extraction:item", "facts")
    yield "item, conflict", any_of(waiting.filter(pk__in=contested), "extraction:item", "conflicts")
    yield "item, new topic", any_of(waiting.filter(kind="topic"), "extraction:item", "topics")
    yield "topics", always("topics:topics")
    yield "topics, page 150", always("topics:topics", query="?page=150")
    yield "topics, by name", always("topics:topics", query="?order=name")
    yield "topics, searched by name", always("topics:topics", query=f"?q={words[0]}+{words[1]}")
    yield "topics, searched by words", always("topics:topics", query="?q=annual+budget")
    yield "document", any_of(topics, "topics:document")
    yield "document, the largest", always("topics:document", largest.pk)
    yield "document, as it stood", always("topics:document", largest.pk, query="?version=5")
    yield "history", any_of(topics, "topics:history")
    yield "history, of the largest", always("topics:history", largest.pk)
    yield "compare, of the largest", always("topics:compare", largest.pk)
    yield "agent view", any_of(topics, "topics:agent")
    yield "activity", always("topics:activity")
    yield "activity, page 500", always("topics:activity", query="?page=500")
    yield "activity, of one person", always("topics:activity", query="?who=maya")
    yield "activity, one action", always("topics:activity", query="?action=create_topic")
    yield "change", any_of(ChangeSet.objects.filter(action="approve_proposals"), "topics:change")
    yield "duplicates", always("topics:duplicates")
    yield "conversations", always("extraction:conversations")
    yield "conversations, waiting", always("extraction:conversations", query="?state=waiting")
    yield "conversation", any_of(Conversation.objects.all(), "extraction:conversation")


def measure(page: str, address: Callable[[], str], times: int) -> dict[str, Any]:
    """Ask for a page `times` times: its queries (the most), milliseconds and size."""
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.db import connection
    from django.test import Client, override_settings

    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    wall, cpu, database, queries, size = [], [], [], [], 0
    with override_settings(STORAGES=settings.STORAGES | {"staticfiles": plain}, ALLOWED_HOSTS=["testserver"]):
        client = Client(headers={"accept-language": "en"})
        client.force_login(User.objects.get(username="maya"))
        for number in range(times + 1):
            timed: list[float] = []

            def note(execute: Any, *arguments: Any, timed: list[float] = timed) -> Any:
                began = time.perf_counter()
                try:
                    return execute(*arguments)
                finally:
                    timed.append(time.perf_counter() - began)

            began, worked = time.perf_counter(), time.process_time()
            with connection.execute_wrapper(note):
                response = client.get(address())
            took, worked = time.perf_counter() - began, time.process_time() - worked
            assert response.status_code == 200, (page, response.status_code)
            if number:
                wall.append(1000 * took)
                cpu.append(1000 * worked)
                database.append(1000 * sum(timed))
                queries.append(len(timed))
                size = max(size, len(response.content))
    return {
        "page": page,
        "queries": max(queries),
        "wall_p50": round(statistics.median(wall), 1),
        "wall_p95": round(percentile(wall, 0.95), 1),
        "cpu_p50": round(statistics.median(cpu), 1),
        "cpu_p95": round(percentile(cpu, 0.95), 1),
        "db_p50": round(statistics.median(database), 1),
        "kilobytes": round(size / 1024, 1),
    }


if __name__ == "__main__":
    sys.exit(main())
