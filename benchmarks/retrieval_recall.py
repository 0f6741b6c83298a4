"""How much of what answers a question stands in the block, at several budgets, in this process.

    python benchmarks/retrieval_recall.py --data locomo/dev.json [--audit locomo/audit.json] [--language zh-hans]
        [--embedder local]

The data is LoCoMo's format: conversations of dated sessions, and questions with the ids of the turns that answer them.
Each session becomes a conversation of one space for each sample; nothing is extracted. A turn counts as found when it
is cited and the block holds half of its words, or all those it shares with the expected answer. Prints a table and
JSON. The database is a temporary SQLite file, or DATABASE_URL when --keep-database is given (its contents stay).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import sys
import tempfile
import time
import uuid
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

BUDGETS = (500, 1000, 2000, 4000)
STOP = frozenset(
    "a an and are as at be but by did do for from had has have he her his i in is it its me my of on or".split()
)


def main() -> None:
    arguments = parse_arguments()
    if not arguments.keep_database:
        os.environ["DATABASE_URL"] = f"sqlite:///{tempfile.mkdtemp()}/recall.sqlite3"
    os.environ["INFINI_EMBEDDER"] = arguments.embedder
    set_up_django()
    audits = read_audit(arguments.audit)
    rows: list[dict[str, Any]] = []
    written: list[float] = []
    for sample in json.loads(Path(arguments.data).read_text(encoding="utf-8"))[: arguments.samples]:
        space, texts, seconds = store(sample, arguments.language)
        written += seconds
        rows += list(ask(sample, space, texts, audits[sample["sample_id"]], arguments.limit))
    report(rows, written)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--audit", help="corrections of the cited turns, by sample and question")
    parser.add_argument("--language", default="en", choices=["en", "zh-hans"])
    parser.add_argument("--samples", type=int, help="of the data's conversations, only the first ones")
    parser.add_argument("--limit", type=int, help="questions for each conversation")
    parser.add_argument("--embedder", default="none", choices=["none", "local"], help="whether to compare vectors too")
    parser.add_argument("--keep-database", action="store_true", help="use DATABASE_URL")
    return parser.parse_args()


def set_up_django(*, migrate: bool = True) -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "infini.settings")
    import django
    from django.core.management import call_command

    django.setup()
    if migrate:
        call_command("migrate", verbosity=0)


def read_audit(path: str | None) -> dict[str, dict[str, list[str]]]:
    audits: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for row in json.loads(Path(path).read_text(encoding="utf-8")) if path else []:
        if row.get("correct_evidence"):
            audits[row["sample_id"]][row["question"]] = row["correct_evidence"]
    return audits


# ---------------------------------------------------------------------------------------------------------- writing


def store(sample: dict[str, Any], language: str) -> tuple[Any, dict[str, str], list[float]]:
    """The space, the text of each turn, and the seconds that indexing took for each 20 messages."""
    from topics.models import Conversation, Message, Space
    from topics.retrieval.index import index_messages

    space = Space.objects.create(
        slug=f"recall-{uuid.uuid4().hex[:10]}",
        name=sample["sample_id"],
        language=language,
        source_turns=Space.SourceTurns.ALL,
    )
    texts, seconds = {}, []
    for number, at, turns in sessions(sample["conversation"]):
        conversation = Conversation.objects.create(space=space, external_id=f"session-{number}")
        messages = [
            Message(
                space=space,
                conversation=conversation,
                external_id=turn["dia_id"],
                position=position,
                role="user",
                name=turn["speaker"],
                content=turn_text(turn),
                said_at=(at or datetime.now(UTC)) + timedelta(seconds=20 * position),
            )
            for position, turn in enumerate(turns)
        ]
        Message.objects.bulk_create(messages)
        texts |= {message.external_id: message.content for message in messages}
        for start in range(0, len(messages), 20):
            began = time.perf_counter()
            index_messages(space, messages[start : start + 20], withheld=False)
            seconds.append(time.perf_counter() - began)
    embed(space)
    return space, texts, seconds


def embed(space: Any) -> None:
    """Do what the background job does, until nothing is missing."""
    from extraction.models import Job
    from extraction.services.embedding import prepare_embedding
    from inference.embeddings import embedder_for

    job = Job.objects.create(space=space, kind=Job.Kind.EMBED)
    while embedder_for(space) and prepare_embedding(job)():
        pass


def sessions(conversation: dict[str, Any]) -> Iterator[tuple[int, datetime | None, list[dict[str, Any]]]]:
    number = 1
    while f"session_{number}" in conversation:
        said = conversation.get(f"session_{number}_date_time", "")
        try:
            at = datetime.strptime(said, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        except ValueError:
            at = None
        yield number, at, conversation[f"session_{number}"]
        number += 1


def turn_text(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return turn["text"] + (f" [shares a picture: {caption}]" if caption else "")


# ----------------------------------------------------------------------------------------------------------- asking


def ask(
    sample: dict[str, Any], space: Any, texts: dict[str, str], audit: dict[str, list[str]], limit: int | None
) -> Iterator[dict[str, Any]]:
    from topics.retrieval.query import query_memory

    asked = [(qa, wanted) for qa in sample["qa"] if (wanted := evidence(qa, audit) & texts.keys())]
    for qa, wanted in asked[:limit]:
        for budget in BUDGETS:
            began = time.perf_counter()
            answer = query_memory(space=space, question=qa["question"], max_tokens=budget)
            seconds = time.perf_counter() - began
            cited = {citation.message for citation in answer.citations}
            have, expected = set(words(answer.context)), set(words(str(qa.get("answer", ""))))
            found = [pk for pk in wanted & cited if stands(set(words(texts[pk])), have, expected)]
            yield {
                "budget": budget,
                "category": qa.get("category"),
                "recall": len(found) / len(wanted),
                "tokens": answer.tokens,
                "over": answer.tokens > budget,
                "ms": 1000 * seconds,
            }


def evidence(qa: dict[str, Any], audit: dict[str, list[str]]) -> set[str]:
    cited = audit.get(qa["question"], qa.get("evidence") or [])
    return {turn for text in cited for turn in re.findall(r"D\d+:\d+", text)}


def stands(turn: set[str], have: set[str], expected: set[str]) -> bool:
    key = turn & expected
    return len(turn & have) >= len(turn) / 2 or (bool(key) and key <= have)


def words(text: str) -> list[str]:
    found: list[str] = []
    for run in re.findall(r"[a-z0-9']+|[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]+", text.lower()):
        if run[0] < "\u3040":
            found += [run] if run not in STOP else []
        else:
            found += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
    return found


# -------------------------------------------------------------------------------------------------------- reporting


def report(rows: list[dict[str, Any]], written: list[float]) -> None:
    figures: dict[str, Any] = {"budgets": {}}
    print(f"{'budget':>7} {'recall':>7} {'tokens':>7} {'p50 ms':>7} {'p95 ms':>7}   recall by category")
    for budget in BUDGETS:
        of_budget = [row for row in rows if row["budget"] == budget]
        by_category: dict[Any, list[float]] = defaultdict(list)
        for row in of_budget:
            by_category[row["category"]].append(row["recall"])
        shown = {
            "recall": round(statistics.fmean(row["recall"] for row in of_budget), 4),
            "tokens": round(statistics.fmean(row["tokens"] for row in of_budget)),
            **quantiles([row["ms"] for row in of_budget]),
            "categories": {str(c): round(statistics.fmean(v), 3) for c, v in sorted(by_category.items(), key=str)},
            "over_budget": sum(row["over"] for row in of_budget),
        }
        figures["budgets"][budget] = shown
        print(
            f"{budget:>7} {shown['recall']:>7.3f} {shown['tokens']:>7} {shown['p50_ms']:>7} {shown['p95_ms']:>7}"
            f"   {shown['categories']} over {shown['over_budget']}"
        )
    figures["questions"] = len(rows) // len(BUDGETS)
    figures["index_20_messages"] = quantiles([1000 * seconds for seconds in written])
    print(json.dumps(figures))


def quantiles(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "p50_ms": round(statistics.median(ordered), 1),
        "p95_ms": round(ordered[int(0.95 * (len(ordered) - 1))], 1),
    }


if __name__ == "__main__":
    main()
