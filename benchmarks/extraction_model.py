"""Reads windows of real conversations with a language model and writes down what reached the queue, to be judged.

    python benchmarks/extraction_model.py --base-url http://127.0.0.1:8081/v1 --model NAME \\
        --data memorybank/en.json --data memorybank/cn.json --windows 10 --example --out judged.txt

`--data` is a MemoryBank file (user → history → date → [{query, response}]); a user's day is one window. `--example`
adds the conversations of the example space. Everything goes the way of the product, on a new SQLite database in a
folder of its own: messages are stored, the job reads them, what is found is filed for review. OPENAI_API_KEY is sent,
`none` without it. The output is written window by window, so that a run that is stopped has not been for nothing; the
database can be kept with `--folder`.

Prints a table and, as the last line, JSON; exits with 1 if a stored quote does not stand in its message.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parent.parent
ZONE = ZoneInfo("Asia/Shanghai")
CALL_SECONDS = 1800  # for one answer: a small model on a busy machine


@dataclass(frozen=True)
class Told:
    """One window: a conversation with its messages."""

    name: str
    messages: list[Any]
    subject: str = ""


def memorybank(file: Path, count: int, seed: int) -> list[Told]:
    """A sample of a file's days on which at least two things were said."""
    from topics.services.conversations import MessageInput

    days: list[Told] = []
    for user, record in json.loads(file.read_text(encoding="utf-8")).items():
        for date, exchanges in record["history"].items():
            began = datetime.fromisoformat(date).replace(hour=10, tzinfo=ZONE)
            texts = [t for e in exchanges for t in (("user", e["query"]), ("assistant", e["response"])) if t[1].strip()]
            messages = [
                MessageInput(
                    id=str(n),
                    role=role,
                    name=user.strip() if role == "user" else "",
                    content=text,
                    said_at=began + n * timedelta(minutes=1),
                )
                for n, (role, text) in enumerate(texts)
            ]
            if len(messages) > 2:
                days.append(Told(f"{file.stem} {user.strip()} {date}", messages))
    return random.Random(seed).sample(days, min(count, len(days)))


def example() -> list[Told]:
    """The conversations of the example space, in the order in which they were told."""
    from extraction.example import customer, smart_home

    stories = sorted(chain(customer.CONVERSATIONS, smart_home.CONVERSATIONS), key=lambda told: told.began_at)
    return [Told(f"example {told.id}", told.messages, told.subject) for told in stories]


def read(space: Any, told: Told) -> Any:
    """Store the messages and read them now; the job as it ended. A failed try is not made again."""
    from extraction.models import Job
    from extraction.services.gathering import read_now
    from extraction.services.intake import record_messages
    from extraction.services.jobs import run_job

    job = record_messages(space=space, conversation=told.name, messages=told.messages, subject=told.subject).job
    Job.objects.filter(pk=job.pk).update(max_attempts=1)
    read_now(conversation=job.conversation)
    run_job(job.pk, worker="benchmark")
    job.refresh_from_db()
    return job


def describe(job: Any, told: Told) -> Iterator[str]:
    """A window and what came of it, for a person to judge."""
    from extraction.models import Proposal

    yield f"== {told.name}: {job.status} {job.error}"
    yield from (f"   {m.name or m.role}: {m.content}" for m in told.messages)
    yield f"   report: {json.dumps(job.report, ensure_ascii=False)}"
    for p in Proposal.objects.filter(job=job).exclude(kind="topic").order_by("pk"):
        topic = p.topic.name if p.topic else p.new_topic.topic_name if p.new_topic else ""
        notes = [p.fact_kind or p.kind, p.certainty, f"topic: {topic}", f"confidence {p.confidence}"]
        notes += [f"{p.attribute} = {p.value} {p.unit}".strip()] if p.attribute else []
        notes += [f"{p.happened_at.astimezone(ZONE):%Y-%m-%d}, {p.precision}"] if p.happened_at else []
        notes += [f"alias: {p.alias}"] if p.alias else []
        notes += ["negated"] if p.negated else []
        notes += [f"conflict with: {p.conflict.fact.text}"] if hasattr(p, "conflict") else []
        notes += [p.why] if p.why else []
        yield f"   + {p.text}\n       [{'; '.join(notes)}]"
        yield from (f"       “{quote.text}”" for quote in p.quotes.all())


def missing_quotes(space: Any) -> list[str]:
    """Stored quotes that do not stand in their message as it was told."""
    from extraction.models import ProposalQuote

    rows = ProposalQuote.objects.filter(proposal__space=space).select_related("message")
    return [str(row.pk) for row in rows if not row.text.strip() or row.text not in row.message.content]


def measure(space: Any, jobs: list[Any], seconds: float) -> dict[str, Any]:
    from extraction.models import Proposal
    from inference.models import ModelCall

    calls = ModelCall.objects.filter(space=space)
    reports = [job.report for job in jobs if job.report]
    dropped: Counter[str] = sum((Counter(r["dropped"]) for r in reports), Counter())
    mended: Counter[str] = sum((Counter(r["mended"]) for r in reports), Counter())
    found = sum(r["found"] for r in reports)
    unread = ("malformed", "unknown_topic", "unnamed_topic", "unknown_fact", "foreign_fact")
    unlocated = ("unknown_message", "context_quoted", "no_quote", "not_located")
    tokens = [(call.prompt_tokens or 0, call.completion_tokens or 0) for call in calls]
    return {
        "windows": len(jobs),
        "failed": sum(job.status == "failed" for job in jobs),
        "calls": calls.count(),
        "answers": dict(Counter(calls.values_list("outcome", flat=True))),
        "found": found,
        "located": found - sum(dropped[reason] for reason in (*unread, *unlocated)),
        "dropped": dict(dropped.most_common()),
        "mended": dict(mended.most_common()),
        "reached_the_queue": Proposal.objects.filter(space=space).exclude(kind="topic").count(),
        "seconds_a_window": round(seconds / max(len(jobs), 1), 1),
        "prompt_tokens_a_window": round(sum(p for p, _ in tokens) / max(len(jobs), 1)),
        "answer_tokens_a_window": round(sum(c for _, c in tokens) / max(len(jobs), 1)),
        "missing_quotes": len(missing_quotes(space)),
    }


def run(options: argparse.Namespace) -> dict[str, Any]:
    from topics.services.spaces import create_space

    told = [window for file in options.data for window in memorybank(file, options.windows, options.seed)]
    told += example()[: options.windows] if options.example else []
    space = create_space(slug="benchmark", time_zone=ZONE.key)
    jobs: list[Any] = []
    started = time.monotonic()
    figures: dict[str, Any] = {}
    for window in told:
        job = read(space, window)
        jobs.append(job)
        figures = measure(space, jobs, time.monotonic() - started)
        with options.out.open("a", encoding="utf-8") as out:
            out.write("\n".join([*describe(job, window), f"   so far: {json.dumps(figures, ensure_ascii=False)}", ""]))
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--data", type=Path, action="append", default=[])
    parser.add_argument("--windows", type=int, default=10, help="of each file, and of the example")
    parser.add_argument("--example", action="store_true", help="also the conversations of the example space")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="for the database; a temporary one without it")
    parser.add_argument("--out", required=True, type=Path, help="the file for the person who judges")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "infini.settings",
            "DATABASE_URL": f"sqlite:///{folder.absolute() / 'benchmark.sqlite3'}",
            "INFINI_SECRET_KEY": "benchmark-only-" + "0123456789abcdef" * 4,
            "CELERY_BROKER_URL": "",
            "OPENAI_BASE_URL": options.base_url,
            "INFINI_MODEL": options.model,
            "INFINI_MODEL_TIMEOUT": str(CALL_SECONDS),
            "INFINI_MODEL_READ_TIMEOUT": str(CALL_SECONDS),
            "INFINI_LOG_LEVEL": "WARNING",
        }
        os.environ.setdefault("OPENAI_API_KEY", "none")
        sys.path.insert(0, str(ROOT))

        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        figures = run(options)
    for name, figure in figures.items():
        print(f"{name:24} {figure}")
    print(json.dumps(figures, ensure_ascii=False))
    sys.exit(1 if figures.get("missing_quotes") else 0)


if __name__ == "__main__":
    main()
