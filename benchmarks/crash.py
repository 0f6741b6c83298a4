"""What is lost or done twice when workers are killed with SIGKILL, again and again, while they read conversations.

    python benchmarks/crash.py                                                          # SQLite, the table is polled
    python benchmarks/crash.py --database postgres://user@host/any --broker redis://host:6379/7
    python benchmarks/crash.py --database postgres://user@host/any --broker amqp://user:password@host//

Works in a database of its own, which it creates and drops (on the server of `--database`). The same conversations are
posted to two spaces. The first is read in this process, undisturbed, and says what is expected. The second is read by
worker processes, of which one is killed and replaced whenever another randomly chosen share of the jobs is done.
Prints a table and, as the last line, JSON; exits with 1 if anything was lost, doubled or different. The code must not
change meanwhile: replaced workers would read with the new code what is compared with the old.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from filling import own_database, set_up_django

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 120.0  # seconds without any job getting done, after which the run is given up
LOOK = 0.1

STATEMENTS = (
    "Our budget for order {n} is {n} thousand dollars.",
    "We decided to ship order {n} by train.",
    "The delivery of order {n} costs {n} euros.",
    "Order {n} was delivered on 3 March 2024.",
    "The warehouse for order {n} has moved to Lyon.",
    "My favourite carrier for order {n} is Hanlin Freight.",
    "第{n}号订单的预算是{n}万元。",
    "我们决定用火车运送第{n}号订单。",
    "我喜欢在早上讨论第{n}号订单。",
    "第{n}号订单的负责人是李雷。",
)
SMALL_TALK = ("Thanks, talk to you soon!", "How are you today?", "好的，谢谢！", "你今天好吗？")


# --------------------------------------------------------------------------------------------------- the databases


def use_settings(database: str, broker: str, name: str) -> None:
    """Settle the environment of this process and its children, and set Django up."""
    set_up_django(
        database,
        CELERY_BROKER_URL=broker,
        INFINI_QUEUE=name,
        INFINI_JOB_LEASE_SECONDS="2",
        INFINI_SWEEP_SECONDS="1",
        INFINI_POLL_SECONDS="0.05",
        PYTHONUNBUFFERED="1",
    )


# --------------------------------------------------------------------------------------------------- conversations


def write_conversations(count: int, rng: random.Random) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """`count` times: the conversation's id, its subject, and one to three messages (id, text), one with a statement."""
    conversations = []
    for number in range(count):
        texts = [rng.choice(STATEMENTS).format(n=number + 1)]
        texts += rng.sample(SMALL_TALK, rng.randrange(3))
        rng.shuffle(texts)
        messages = [(f"{number}:{position}", text) for position, text in enumerate(texts)]
        conversations.append((f"c{number}", f"Customer {rng.randrange(count // 10 + 1)}", messages))
    return conversations


def post_all(slug: str, conversations: list[tuple[str, str, list[tuple[str, str]]]]) -> float:
    """Post to a new space as the API does; the seconds it took."""
    from extraction.services.intake import record_messages
    from topics.services.conversations import MessageInput
    from topics.services.spaces import create_space

    space = create_space(slug=slug, review_policy="everything")
    began = time.monotonic()
    for conversation, subject, messages in conversations:
        inputs = [MessageInput(id=key, role="user", name="Dana", content=text) for key, text in messages]
        record_messages(space=space, conversation=conversation, messages=inputs, subject=subject)
    return time.monotonic() - began


def readings(slug: str) -> Any:
    """The jobs of a space that read conversations. Others follow on them and may be due much later."""
    from extraction.models import Job

    return Job.objects.filter(space__slug=slug, kind=Job.Kind.EXTRACT)


def read_undisturbed(slug: str) -> float:
    """Run every job of the space that reads, in this process; the seconds it took."""
    from extraction.services.jobs import run_job

    began = time.monotonic()
    for pk in list(readings(slug).order_by("pk").values_list("pk", flat=True)):
        run_job(pk, worker="undisturbed")
    return time.monotonic() - began


# --------------------------------------------------------------------------------------------------------- workers


@dataclass
class Crew:
    """Worker processes, replaced when they are killed. `killed` notes of each whether it was in the middle of a job."""

    command: list[str]
    folder: Path
    rng: random.Random
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    killed: list[bool] = field(default_factory=list)

    def start_worker(self) -> None:
        self.workers.append(start(self.command, self.folder / f"worker-{len(self.killed)}-{len(self.workers)}.log"))

    def kill_one(self) -> None:
        """SIGKILL a random worker that has taken up work, at a random moment, and start another."""
        from extraction.models import Job

        names = set(Job.objects.exclude(worker="").values_list("worker", flat=True).distinct())
        at_work = [w for w in self.workers if any(name.endswith(f":{w.pid}") for name in names)]
        victim = self.rng.choice(at_work or self.workers)
        time.sleep(self.rng.random() * 0.2)
        victim.kill()
        victim.wait()
        self.killed.append(Job.objects.filter(status="running", worker__endswith=f":{victim.pid}").exists())
        self.workers.remove(victim)
        self.start_worker()

    def stop(self) -> None:
        """Ask all to end, and wait for them."""
        for worker in self.workers:
            worker.terminate()
        for worker in self.workers:
            worker.wait(60)


def start(arguments: list[str], log: Path) -> subprocess.Popen[bytes]:
    with log.open("ab") as output:
        return subprocess.Popen([sys.executable, *arguments], cwd=ROOT, stdout=output, stderr=output)


def worker_command(broker: str) -> list[str]:
    if not broker:
        return ["manage.py", "run_worker"]
    return ["-m", "celery", "-A", "infini", "worker", "--pool", "solo", "--loglevel", "WARNING"]


@contextmanager
def beating(broker: str, queue: str, folder: Path) -> Iterator[None]:
    """Celery's schedule, where there is a broker; its queue is removed at the end."""
    if not broker:
        yield
        return
    from kombu import Connection

    schedule = str(folder / "schedule")
    beat = start(["-m", "celery", "-A", "infini", "beat", "--schedule", schedule], folder / "beat.log")
    try:
        yield
    finally:
        beat.kill()
        beat.wait()
        with Connection(broker) as connection:
            connection.default_channel.queue_delete(queue)


def read_among_crashes(slug: str, crew: Crew, kills: int, jobs: int) -> float:
    """Let the crew read the space, killing one each time another random share is done; the seconds it took.

    Raises TimeoutError when nothing more gets done.
    """
    thresholds = sorted(crew.rng.sample(range(1, int(jobs * 0.97)), kills), reverse=True)
    began = last_progress = time.monotonic()
    seen = 0
    while (open_jobs := readings(slug).filter(status__in=["queued", "running"]).count()) > 0:
        ended = jobs - open_jobs
        if ended > seen:
            seen, last_progress = ended, time.monotonic()
        if thresholds and ended >= thresholds[-1]:
            thresholds.pop()
            crew.kill_one()
        elif time.monotonic() - last_progress > PATIENCE:
            raise TimeoutError(f"{open_jobs} jobs are stuck")
        time.sleep(LOOK)
    return time.monotonic() - began


# -------------------------------------------------------------------------------------------------------- verdict


def proposals_of(slug: str) -> Counter[tuple[Any, ...]]:
    """What was proposed in a space, in terms that two spaces with the same conversations share."""
    from extraction.models import Proposal

    found: Counter[tuple[Any, ...]] = Counter()
    rows = Proposal.objects.filter(space__slug=slug).prefetch_related("quotes__message").order_by()
    for proposal in rows.iterator(chunk_size=200):
        if proposal.kind == Proposal.Kind.TOPIC:
            found[proposal.kind, proposal.topic_name] += 1  # quotes whichever message was read first
            continue
        quotes = sorted((q.message.external_id, q.start, q.end) for q in proposal.quotes.all())
        found[proposal.kind, proposal.text, proposal.attribute, proposal.value, proposal.alias, *quotes] += 1
    return found


def outcomes_of(slug: str) -> dict[str, str]:
    from extraction.models import MessageOutcome

    rows = MessageOutcome.objects.filter(message__space__slug=slug)
    return dict(rows.values_list("message__external_id", "outcome"))


def verdict(jobs: int, folder: Path) -> dict[str, Any]:
    """How the disturbed space ended, compared with the undisturbed one."""
    from django.db.models import Max

    disturbed = readings("disturbed")
    expected, found = proposals_of("undisturbed"), proposals_of("disturbed")
    outcomes = outcomes_of("disturbed")
    logs = "\n".join(log.read_text(errors="replace") for log in folder.glob("*.log"))
    return {
        "jobs": jobs,
        "done": disturbed.filter(status="done").count(),
        "jobs_tried_again": disturbed.filter(attempts__gt=1).count(),
        "most_attempts": disturbed.aggregate(most=Max("attempts"))["most"],
        "conversations_with_a_proposal": disturbed.filter(proposals__isnull=False).distinct().count(),
        "outcomes": dict(Counter(outcomes.values())),
        "outcomes_different": sum(outcomes.get(key) != value for key, value in outcomes_of("undisturbed").items()),
        "proposals_expected": expected.total(),
        "proposals_found": found.total(),
        "proposals_lost": (expected - found).total(),
        "proposals_too_many": (found - expected).total(),
        "examples": [str(key) for key in ((expected - found) + (found - expected))][:4],
        "database_is_locked": logs.count("database is locked"),
    }


def is_clean(result: dict[str, Any]) -> bool:
    return (
        result["done"] == result["jobs"]
        and result["kills"] >= result["kills_asked"]
        and set(result["outcomes"]) <= {"extracted", "nothing"}
        and result["proposals_expected"] > 0
        and not any(
            result[name]
            for name in ("outcomes_different", "proposals_lost", "proposals_too_many", "database_is_locked")
        )
    )


def measure(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """One whole run in a database that is ready."""
    from django.conf import settings

    rng = random.Random(options.seed)
    conversations = write_conversations(options.jobs, rng)
    settings.CELERY_BROKER_URL = ""  # the undisturbed space is not for the crew
    post_all("undisturbed", conversations)
    undisturbed_seconds = read_undisturbed("undisturbed")
    settings.CELERY_BROKER_URL = options.broker
    crew = Crew(worker_command(options.broker), folder, rng)
    with beating(options.broker, settings.CELERY_TASK_DEFAULT_QUEUE, folder):
        post_seconds = post_all("disturbed", conversations)
        try:
            for _ in range(options.workers):
                crew.start_worker()
            seconds = read_among_crashes("disturbed", crew, options.kills, options.jobs)
        except BaseException:
            for worker in crew.workers:
                worker.kill()
            raise
        crew.stop()
    return verdict(options.jobs, folder) | {
        "database": "PostgreSQL" if options.database else "SQLite",
        "broker": urlsplit(options.broker).scheme or "none",
        "workers": options.workers,
        "seed": options.seed,
        "kills_asked": options.kills,
        "kills": len(crew.killed),
        "kills_in_the_middle_of_a_job": sum(crew.killed),
        "posted_per_second": round(options.jobs / post_seconds),
        "read_per_second_undisturbed": round(options.jobs / undisturbed_seconds),
        "seconds_disturbed": round(seconds, 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="", help="a PostgreSQL URL whose server may be used; SQLite if empty")
    parser.add_argument("--broker", default="", help="Celery's broker URL; the table is polled if empty")
    parser.add_argument("--jobs", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not 0 <= options.kills < int(options.jobs * 0.97):
        parser.error("--kills must be smaller than --jobs")
    name = f"crash-{uuid.uuid4().hex[:12]}"
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="crash-")))
        use_settings(stack.enter_context(own_database(options.database, folder, name)), options.broker, name)
        result = measure(options, folder)
        from django.db import connections

        connections.close_all()
    result["clean"] = is_clean(result)
    for key, value in result.items():
        print(f"{key.replace('_', ' '):32} {value}")
    print(json.dumps(result, ensure_ascii=False))
    return 0 if result["clean"] else 1


if __name__ == "__main__":
    sys.exit(main())
