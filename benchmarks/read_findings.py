"""Prints a sample of what the rules extractor finds in real conversations, for a person to judge.

    python benchmarks/read_findings.py --data memorybank/en.json --sample 100 --seed 1

`--data` is a JSON file of one of two shapes: MemoryBank (user → history → date → [{query, response}]) or LoCoMo
([{conversation: {session_1, session_1_date_time, …}}]). With --nothing it prints turns from which nothing was taken.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import django

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "infini.settings")
django.setup()

from extraction.extractors.protocol import Finding, Turn, Window  # noqa: E402
from extraction.extractors.rules import RulesExtractor  # noqa: E402
from extraction.extractors.rules.language import is_chinese  # noqa: E402

ZONE = ZoneInfo("Asia/Shanghai")


def windows(data: Any) -> Iterator[Window]:
    if isinstance(data, dict):
        for user, record in data.items():
            for date, exchanges in record["history"].items():
                yield Window(tuple(_exchanges(user, date, exchanges)), ZONE, f"{user.strip()} {date}")
        return
    for number, sample in enumerate(data):
        conversation = sample["conversation"]
        for key in [key for key in conversation if f"{key}_date_time" in conversation]:
            said_at = datetime.strptime(conversation[f"{key}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=ZONE)
            turns = [Turn(str(i), "user", t["text"], said_at, t["speaker"]) for i, t in enumerate(conversation[key])]
            yield Window(tuple(turns), ZONE, f"{number} {key}")


def _exchanges(user: str, date: str, exchanges: list[dict[str, str]]) -> Iterator[Turn]:
    said_at = datetime.fromisoformat(date).replace(hour=10, tzinfo=ZONE)
    for number, exchange in enumerate(exchanges):
        yield Turn(f"{number}u", "user", exchange["query"], said_at, user)
        yield Turn(f"{number}a", "assistant", exchange["response"], said_at)


def show(turn: Turn, finding: Finding | None) -> None:
    print(f"{turn.speaker.strip()}, {turn.said_at:%Y-%m-%d %H:%M}: {turn.text}")
    if finding is None:
        return
    notes = [finding.kind, finding.certainty, f"→ {finding.topic.name} ({finding.topic.kind})", finding.why]
    if finding.happened_at:
        notes.append(f"{finding.happened_at:%Y-%m-%d %H:%M}, {finding.precision}")
    if finding.attribute:
        notes.append(f"{finding.attribute} = {finding.value} {finding.unit}".strip())
    if finding.alias:
        notes.append(f"alias {finding.alias}")
    print(f"    {finding.text}\n    [{'; '.join(notes)}{'; negated' if finding.negated else ''}]\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--language", choices=["en", "zh"], help="only findings in this language")
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nothing", action="store_true", help="print turns from which nothing was taken")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()

    extractor, taken, untouched, read = RulesExtractor(), [], [], 0
    started = time.process_time()
    for window in windows(json.loads(options.data.read_text(encoding="utf-8"))):
        turns = {turn.id: turn for turn in window.turns if turn.role == "user"}
        findings = extractor.extract(window).findings
        read += len(turns)
        taken += [(turns[finding.quotes[0].turn], finding) for finding in findings]
        untouched += [(turn, None) for key, turn in turns.items() if key not in {f.quotes[0].turn for f in findings}]
    seconds = time.process_time() - started

    rows: list[tuple[Turn, Finding | None]] = [*untouched] if options.nothing else [*taken]
    if options.language:
        rows = [row for row in rows if is_chinese(row[1].text if row[1] else row[0].text) == (options.language == "zh")]
    sample = random.Random(options.seed).sample(rows, min(options.sample, len(rows)))
    if options.json:
        print(
            json.dumps(
                [{"turn": asdict(t), "finding": f and asdict(f)} for t, f in sample], ensure_ascii=False, default=str
            )
        )
        return
    for turn, finding in sample:
        show(turn, finding)
    print(
        f"{read} turns, {len(taken)} findings from {read - len(untouched)} turns, {read / seconds:.0f} turns a second"
    )


if __name__ == "__main__":
    main()
