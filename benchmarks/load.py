"""What many agents at once wait for, and whether anything fails, is lost or is done twice.

    python benchmarks/load.py                                                           # SQLite, the table is polled
    python benchmarks/load.py --database postgres://user@host/any --broker redis://host:6379/7
    python benchmarks/load.py --agents 50 --seconds 300 --think 1 --processes 2

Works in a database of its own, which it creates and drops (on the server of `--database`), with a web server (gunicorn,
configured as the product is) and a worker of its own. Every agent has a key and a topic of its own, and shares another
topic and a conversation with its team. One act follows the other, after a pause of `--think` seconds on average: it
stores messages (a part of them again, with the same Idempotency-Key or the same ids, after the first call or at once
with it), asks, reads a document, or decides what waits. A refusal with 429 is waited out, as is `in_flight` for a call
that was sent twice at once; every other error counts.

Afterwards all is looked up through the API: every message once and as it was sent, every job done, no proposal twice,
every approved fact in its document once. Prints a table and, as the last line, JSON; exits with 1 if anything failed,
was lost or doubled. The times are those that the agents saw; they and the server share this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any
from urllib.parse import urlsplit

import httpx

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from crash import PATIENCE, SMALL_TALK, STATEMENTS, beating, start, worker_command  # noqa: E402
from filling import own_database, set_up_django  # noqa: E402

from tests.browser.showcase import run_server  # noqa: E402

TEAM = 5  # agents that share a topic and a conversation
ACTS = {"store": 35, "ask": 35, "read": 20, "decide": 10}
SENT_AGAIN = 0.2  # of the calls that store
AT_ONCE = 5  # proposals that an agent looks at
FIRST_WORDS = 10  # statements about each topic, read before the agents begin
TIMEOUT = 60.0
WAYS = ("same key", "same ids", "at once")


@dataclass
class Record:
    """What the agents saw and did, for the report and for looking it up."""

    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    sent: defaultdict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    jobs: set[str] = field(default_factory=set)
    results: Counter[str] = field(default_factory=Counter)
    approved: list[tuple[str, str, str]] = field(default_factory=list)  # proposal, topic, fact
    in_flight: int = 0
    limited: int = 0


@dataclass
class Agent:
    """One agent: its client, and its topics, the own one and that of its team. `said` numbers what it says."""

    number: int
    http: httpx.AsyncClient
    topics: list[tuple[str, str]]  # id, name
    record: Record
    rng: random.Random
    said: int = 0

    async def work(self, until: float, think: float) -> None:
        """One act after the other."""
        acts = {"store": self.store, "ask": self.ask, "read": self.read, "decide": self.decide}
        await asyncio.sleep(self.rng.random() * think)
        while time.monotonic() < until:
            (act,) = self.rng.choices(list(ACTS), weights=list(ACTS.values()))
            await acts[act]()
            await asyncio.sleep(self.rng.expovariate(1 / think) if think else 0)

    async def store(self) -> None:
        """Store one to three messages, and sometimes the same again."""
        topic, name = self.rng.choice(self.topics)
        conversation = f"about-{name}".replace(" ", "-")
        messages = [self._message() for _ in range(self.rng.randrange(1, 4))]
        self.record.sent[conversation] |= {message["id"]: message["content"] for message in messages}
        path = f"conversations/{conversation}/messages"
        body, key = {"messages": messages, "subject": topic}, uuid.uuid4().hex
        way = self.rng.choice(WAYS) if self.rng.random() < SENT_AGAIN else ""
        if way == "at once":
            first, second = await asyncio.gather(*(self._post("store", path, body, key) for _ in range(2)))
        else:
            first = await self._post("store", path, body, key)
            second = await self._post("store again", path, body, key if way == "same key" else None) if way else None
        if first is None:
            return
        self.record.jobs.add(first["job"])
        self._expect(first["accepted"] == len(messages), f"{conversation}: accepted {first}")
        expected = {"job": first["job"], "accepted": 0, "duplicates": len(messages)} if way == "same ids" else first
        self._expect(second is None or second == expected, f"{conversation}: {first}, sent again: {second}")

    async def ask(self) -> None:
        """Ask about a topic."""
        _, name = self.rng.choice(self.topics)
        question = self.rng.choice(("What does {} need?", "Which orders of {} were delivered?", "{}的预算是多少？"))
        await self._call("ask", "GET", "memory/query", params={"q": question.format(name), "max_tokens": 800})

    async def read(self) -> None:
        """Read a document, and sometimes its history."""
        topic, _ = self.rng.choice(self.topics)
        part = "history" if self.rng.random() < 0.2 else "document"
        await self._call(f"read {part}", "GET", f"topics/{topic}/{part}")

    async def decide(self) -> None:
        """Decide a few of the proposals that wait about a topic, the rest of the team being at it too."""
        topic, _ = self.rng.choice(self.topics)
        asked = {"status": "pending", "topic": topic, "page_size": AT_ONCE}
        waiting = await self._call("list proposals", "GET", "proposals", params=asked)
        ids = [row["id"] for row in waiting["results"]] if waiting else []
        if not ids:
            return
        body = {"ids": ids, "decision": self.rng.choice(("approve", "approve", "reject")), "reason": "load"}
        decided = await self._post("decide", "proposals/decide", body, uuid.uuid4().hex)
        for result in decided["results"] if decided else []:
            self.record.results[f"{result['status']} {result['code']}".strip()] += 1
            if result["status"] == "approved":
                self.record.approved.append((result["id"], result["topic"], result["fact"] or result["entry"]))

    def _message(self) -> dict[str, str]:
        self.said += 1
        number = self.number * 100_000 + self.said
        is_statement = self.rng.random() < 0.7
        text = self.rng.choice(STATEMENTS).format(n=number) if is_statement else self.rng.choice(SMALL_TALK)
        return {"id": str(number), "role": "user", "name": f"Agent {self.number}", "content": text}

    async def _post(self, kind: str, path: str, body: Any, key: str | None) -> Any:
        headers = {"Idempotency-Key": key} if key else {}
        return await self._call(kind, "POST", path, json=body, headers=headers)

    async def _call(self, kind: str, method: str, path: str, **sent: Any) -> Any:
        """The answer's JSON; None after an error, which is noted."""
        while True:
            began = time.monotonic()
            try:
                answer = await self.http.request(method, path, **sent)
            except httpx.HTTPError as error:
                self.record.statuses[type(error).__name__] += 1
                self.record.problems.append(f"{kind}: {error!r}")
                return None
            self.record.seconds[kind].append(time.monotonic() - began)
            if answer.status_code == 409 and answer.json()["code"] == "in_flight":
                self.record.in_flight += 1
                await asyncio.sleep(0.2)
            elif answer.status_code == 429:
                self.record.limited += 1
                await asyncio.sleep(float(answer.headers["Retry-After"]))
            else:
                break
        self.record.statuses[str(answer.status_code)] += 1
        self._expect(answer.is_success, f"{kind}: {answer.status_code} {answer.text[:300]}")
        return answer.json() if answer.is_success else None

    def _expect(self, is_so: bool, problem: str) -> None:
        if not is_so:
            self.record.problems.append(problem)


# -------------------------------------------------------------------------------------------------------- the world


def make_world(agents: int) -> tuple[list[str], list[tuple[str, str]], list[tuple[str, str]]]:
    """A space: a key for each agent and one to look things up, and the topics (id, name) of agents and of teams.

    A few proposals wait about each topic, so that there is something to decide from the beginning.
    """
    from extraction.services.intake import record_messages
    from extraction.services.jobs import run_job
    from topics.changes import Actor
    from topics.services.conversations import MessageInput
    from topics.services.spaces import create_api_key, create_space
    from topics.services.topics import create_topic

    space = create_space(slug="load", review_policy="everything")
    scopes = ["read", "write", "review"]
    keys = [create_api_key(space=space, scopes=scopes, name=f"Agent {n}")[1] for n in range(agents + 1)]

    def topic(name: str, kind: str) -> tuple[str, str]:
        made = create_topic(space=space, actor=Actor(label="load"), name=name, kind=kind)
        first = FIRST_WORDS * space.conversations.count()
        texts = [STATEMENTS[n % len(STATEMENTS)].format(n=f"0{n}") for n in range(first, first + FIRST_WORDS)]
        said = [MessageInput(role="user", name="Dana", content=text) for text in texts]
        intake = record_messages(space=space, conversation=f"before-{name}", messages=said, subject=name)
        assert intake.job is not None
        run_job(intake.job.pk, worker="benchmark")
        return str(made.pk), name

    own = [topic(f"Customer {n}", "customer") for n in range(agents)]
    shared = [topic(f"Project {n}", "project") for n in range((agents + TEAM - 1) // TEAM)]
    return keys, own, shared


async def let_agents_work(api: str, options: argparse.Namespace, world: Any, record: Record) -> float:
    """All agents at work for the time asked for; the seconds it took until the last one had its answer."""
    keys, own, shared = world
    clients = [client(httpx.AsyncClient, api, key) for key in keys[: options.agents]]
    agents = [
        Agent(n, http, [own[n], shared[n // TEAM]], record, random.Random(options.seed * 1000 + n))
        for n, http in enumerate(clients)
    ]
    began = time.monotonic()
    try:
        await asyncio.gather(*(agent.work(began + options.seconds, options.think) for agent in agents))
    finally:
        await asyncio.gather(*(http.aclose() for http in clients))
    return time.monotonic() - began


def client(kind: type[Any], api: str, key: str) -> Any:
    return kind(base_url=f"{api}/api/v1/", headers={"Authorization": f"Bearer {key}"}, timeout=TIMEOUT)


@contextmanager
def working(broker: str, queue: str, folder: Path) -> Iterator[None]:
    """The worker, and Celery's schedule where there is a broker."""
    with beating(broker, queue, folder):
        worker = start(worker_command(broker), folder / "worker.log")
        try:
            yield
        finally:
            worker.terminate()
            worker.wait(60)


def wait_for_jobs() -> float:
    """Wait until all that was stored has been read; the seconds it took. Raises TimeoutError when nothing moves."""
    from extraction.models import Job

    began = last_progress = time.monotonic()
    waiting = Job.objects.filter(kind=Job.Kind.EXTRACT, status__in=["queued", "running"])
    before = waiting.count()
    while now := waiting.count():
        if now != before:
            before, last_progress = now, time.monotonic()
        elif time.monotonic() - last_progress > PATIENCE:
            raise TimeoutError(f"{now} jobs are stuck")
        time.sleep(0.2)
    return time.monotonic() - began


# --------------------------------------------------------------------------------------------------------- verdict


def look_up(http: httpx.Client, record: Record) -> dict[str, Any]:
    """What became of everything, as the API tells it."""
    outcomes: Counter[str] = Counter()
    lost = changed = too_many = 0
    for conversation, sent in record.sent.items():
        rows = each(http, f"conversations/{conversation}/messages")
        outcomes += Counter(row["outcome"] for row in rows)
        found = Counter(row["id"] for row in rows)
        lost += sum(pk not in found for pk in sent)
        too_many += found.total() - len(found) + sum(pk not in sent for pk in found)
        changed += sum(row["content"] != sent.get(row["id"], row["content"]) for row in rows)
    jobs = Counter(http.get(f"jobs/{pk}").json()["status"] for pk in record.jobs)
    filed = Counter(identity(row) for row in each(http, "proposals"))
    approvals = Counter(proposal for proposal, _, _ in record.approved)
    return {
        "messages": sum(len(sent) for sent in record.sent.values()),
        "messages_lost": lost,
        "messages_changed": changed,
        "messages_too_many": too_many,
        "outcomes": dict(outcomes),
        "jobs": dict(jobs),
        "proposals": filed.total(),
        "proposals_doubled": filed.total() - len(filed),
        "approved": len(record.approved),
        "approved_twice": approvals.total() - len(approvals),
        "approved_but_not_in_the_document": missing_in_documents(http, record),
    }


def each(http: httpx.Client, path: str) -> list[dict[str, Any]]:
    """All rows of a list."""
    rows: list[dict[str, Any]] = []
    url: str | None = f"{path}?page_size=200"
    while url:
        page = http.get(url).raise_for_status().json()
        rows += page["results"]
        url = page["next"]
    return rows


def identity(proposal: dict[str, Any]) -> tuple[Any, ...]:
    """What no two proposals have in common."""
    quotes = sorted((q["conversation"], q["message"], q["start"], q["end"]) for q in proposal["quotes"])
    names = ("kind", "topic_name", "text", "attribute", "value", "alias")
    return (*(proposal[name] for name in names), *quotes)


def missing_in_documents(http: httpx.Client, record: Record) -> int:
    """How many approved statements do not stand in their document exactly once."""
    standing: Counter[str] = Counter()
    for topic in {topic for _, topic, _ in record.approved}:
        document = http.get(f"topics/{topic}/document").raise_for_status().json()
        standing += Counter(row["id"] for part in ("facts", "superseded", "timeline") for row in document[part])
    return sum(standing[row] != 1 for _, _, row in record.approved if row)


def seen_by_database() -> dict[str, int]:
    """Jobs that had to be tried again or failed, of whatever kind, and deadlocks that PostgreSQL has broken."""
    from django.db import connection

    from extraction.models import Job

    deadlocks = 0
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
            deadlocks = cursor.fetchone()[0]
    return {
        "jobs_tried_again": Job.objects.filter(attempts__gt=1).count(),
        "jobs_failed": Job.objects.filter(status="failed").count(),
        "deadlocks": deadlocks,
    }


def is_clean(result: dict[str, Any]) -> bool:
    bad = ("problems", "messages_lost", "messages_changed", "messages_too_many", "proposals_doubled", "approved_twice")
    bad += ("approved_but_not_in_the_document", "jobs_failed", "deadlocks")
    return (
        not any(result[name] for name in bad)
        and set(result["jobs"]) == {"done"}
        and set(result["outcomes"]) <= {"extracted", "nothing"}
        and result["proposals"] > 0
    )


def times(record: Record) -> dict[str, dict[str, float]]:
    """Of each kind of request: how many, and the milliseconds that half, 95 and 99 of a hundred stay below."""
    found = {}
    for kind, seconds in sorted(record.seconds.items()):
        cuts = quantiles(seconds, n=100) if len(seconds) > 1 else seconds * 99
        found[kind] = {"requests": len(seconds)} | {f"p{n}": round(cuts[n - 1] * 1000, 1) for n in (50, 95, 99)}
    return found


def measure(options: argparse.Namespace, folder: Path, name: str) -> dict[str, Any]:
    """One whole run in a database that is ready."""
    world, record = make_world(options.agents), Record()
    environment = {**os.environ, "WEB_CONCURRENCY": str(options.processes)}
    with run_server(environment, options.port) as address, working(options.broker, name, folder):
        seconds = asyncio.run(let_agents_work(address, options, world, record))
        read_after = wait_for_jobs()
        with client(httpx.Client, address, world[0][-1]) as http:
            found = look_up(http, record)
    count = sum(len(seen) for seen in record.seconds.values())
    return {
        "database": "PostgreSQL" if options.database else "SQLite",
        "broker": urlsplit(options.broker).scheme or "none",
        **{key: getattr(options, key) for key in ("agents", "think", "processes", "seed")},
        "seconds": round(seconds, 1),
        "requests": count,
        "requests_per_second": round(count / seconds, 1),
        "read_seconds_after_the_last": round(read_after, 1),
        "times": times(record),
        "statuses": dict(record.statuses),
        "limited": record.limited,
        "in_flight": record.in_flight,
        "results": dict(record.results),
        "problems": len(record.problems),
        "examples": record.problems[:5],
        **found,
        **seen_by_database(),
    }


def show(result: dict[str, Any]) -> None:
    for key, value in result.items():
        if key != "times":
            print(f"{key.replace('_', ' '):34} {value}")
    print(f"\n{'milliseconds':20} {'requests':>9} {'p50':>9} {'p95':>9} {'p99':>9}")
    for kind, row in result["times"].items():
        print(f"{kind:20} {row['requests']:9} {row['p50']:9} {row['p95']:9} {row['p99']:9}")
    print(json.dumps(result, ensure_ascii=False))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="", help="a PostgreSQL URL whose server may be used; SQLite if empty")
    parser.add_argument("--broker", default="", help="Celery's broker URL; the table is polled if empty")
    parser.add_argument("--agents", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--think", type=float, default=1.0, help="seconds between two acts of an agent, on average")
    parser.add_argument("--processes", type=int, default=2, help="of the web server")
    parser.add_argument("--port", type=int, default=0, help="of the web server; any that is free if 0")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    name = f"load-{uuid.uuid4().hex[:12]}"
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="load-")))
        database = stack.enter_context(own_database(options.database, folder, name))
        set_up_django(database, CELERY_BROKER_URL=options.broker, INFINI_QUEUE=name, PYTHONUNBUFFERED="1")
        result = measure(options, folder, name)
        from django.db import connections

        connections.close_all()
    result["clean"] = is_clean(result)
    show(result)
    return 0 if result["clean"] else 1


if __name__ == "__main__":
    sys.exit(main())
