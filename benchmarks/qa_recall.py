"""Evidence recall on MemDaily, LongMemEval and BEAM with BM25 beside it, and what becomes of knowledge that changed.

    python benchmarks/qa_recall.py --memdaily FOLDER --longmemeval FOLDER --beam FOLDER [--cases 20] [--embedder local]

Each case is a space of its own in which everything is stored, read by the rules and (with --embedder local) embedded; a
case is a trajectory of MemDaily, a chat of BEAM, and all the evidence sessions of LongMemEval together, which have no
distractors. Recall is the mean share of the messages that answer a question which are cited at each budget; BM25 packs
whole messages as lines into the same budget, by the same tokenizer, in the same run. `--cases` bounds the cases of
MemDaily (spread over its kinds), LongMemEval's questions with their sessions, and the questions of each chat of BEAM.

Knowledge that changed (knowledge-update of LongMemEval; knowledge_update and contradiction_resolution of BEAM):
of the pairs of an older and a newer statement,
- `both_held`: a fact was taken from each;
- `one_topic`: two such facts stand in one topic;
- `newer_current`: the newer is active, and the older superseded by it or disputed because of it;
- `older_shown`: the older message is cited in the answer at 2,000 tokens, and `older_marked` of these with a mark, on a
  line of each statement that was superseded.
Prints tables and JSON.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any

from measuring import BM25, make_space, open_memory, packed, share, work_off
from retrieval_recall import BUDGETS as USUAL

# A trajectory of MemDaily fits into 500 tokens as a whole.
BUDGETS = (100, *USUAL)
SETS = ("memdaily", "longmemeval", "beam")
_MARK = re.compile(r"superseded|disputed|contradicts|已被取代|有争议|矛盾")


@dataclass(frozen=True, slots=True)
class Said:
    """A message: the conversation it belongs to, its id, its role."""

    conversation: str
    id: str
    role: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the ids of the messages that answer it; of a change, which are the older and the newer."""

    kind: str
    text: str
    wanted: set[str]
    older: set[str] = field(default_factory=set)
    newer: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Case:
    language: str
    messages: list[Said]
    questions: list[Asked]


def main() -> None:
    options = parse_arguments()
    open_memory(embedder=options.embedder)
    figures: dict[str, Any] = {}
    for name in SETS:
        if folder := getattr(options, name):
            figures[name] = measure(READERS[name](Path(folder), options.cases))
            show(name, figures[name])
    print(json.dumps(figures, ensure_ascii=False))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in SETS:
        parser.add_argument(f"--{name}", metavar="FOLDER")
    parser.add_argument("--cases", type=int, help="how many at most; all without it")
    parser.add_argument("--embedder", default="none", choices=["none", "local"])
    return parser.parse_args()


# ---------------------------------------------------------------------------------------------------------- reading


def read_memdaily(folder: Path, most: int | None) -> Iterator[Case]:
    kinds = json.loads((folder / "dev.json").read_text(encoding="utf-8"))
    columns = [[(kind, trajectory) for trajectory in trajectories] for kind, trajectories in kinds.items()]
    spread = [found for row in zip_longest(*columns) for found in row if found]
    for kind, trajectory in spread[:most]:
        messages = [
            Said("notes", str(said["mid"]), "user", said["message"], _chinese_date(said["time"]))
            for said in trajectory["message_list"]
        ]
        questions = [
            Asked(kind.split("_")[1], asked["question"], {str(pk) for pk in asked["target_step_id"]})
            for asked in trajectory["question_list"]
        ]
        yield Case("zh-hans", messages, questions)


def _chinese_date(text: str) -> datetime:
    year, month, day, hour, minute = map(int, re.findall(r"\d+", text)[:5])
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


def read_longmemeval(folder: Path, most: int | None) -> Iterator[Case]:
    rows = json.loads((folder / "dev.json").read_text(encoding="utf-8"))
    # What changed first: a sample should hold it.
    rows = sorted(rows, key=lambda row: row["question_type"] != "knowledge-update")[:most]
    messages, questions = [], []
    for row in rows:
        sessions = []
        for number, session in enumerate(row["evidence_sessions"]):
            at = datetime.strptime(re.sub(r"\s*\(\w+\)", "", session["date"]), "%Y/%m/%d %H:%M").replace(tzinfo=UTC)
            name = f"{row['question_id']}-{number}"
            sessions.append(
                [
                    Said(name, f"{name}-{place}", turn["role"], turn["content"], at + timedelta(seconds=20 * place))
                    for place, turn in enumerate(session["turns"])
                ]
            )
        sessions.sort(key=lambda said: said[0].at)
        messages += [said for session in sessions for said in session]
        wanted = {said.id for session in sessions for said in session}
        if not wanted:  # the answer is that it was never said
            continue
        changed = row["question_type"] == "knowledge-update" and len(sessions) > 1
        older = {said.id for said in sessions[0]} if changed else set()
        newer = {said.id for said in sessions[-1]} if changed else set()
        questions.append(Asked(row["question_type"], row["question"], wanted, older, newer))
    yield Case("en", messages, questions)


def read_beam(folder: Path, most: int | None) -> Iterator[Case]:
    for chat in sorted(path for path in folder.iterdir() if (path / "chat.json").exists()):
        messages = list(_beam_messages(json.loads((chat / "chat.json").read_text(encoding="utf-8"))))
        ids = {said.id for said in messages}
        probing = json.loads((chat / "probing_questions.json").read_text(encoding="utf-8"))
        kinds = sorted(probing, key=lambda kind: kind not in ("knowledge_update", "contradiction_resolution"))
        questions = [
            asked for kind in kinds for row in probing[kind] if (asked := _beam_question(kind, row, ids)) is not None
        ]
        yield Case("en", messages, questions[:most])


def _beam_messages(batches: list[dict[str, Any]]) -> Iterator[Said]:
    at = datetime(2024, 1, 1, tzinfo=UTC)
    for batch in batches:
        for number, turns in enumerate(batch["turns"]):
            for turn in turns:
                if anchor := turn.get("time_anchor"):
                    at = max(at, datetime.strptime(anchor, "%B-%d-%Y").replace(tzinfo=UTC))
                at += timedelta(seconds=20)
                text = re.sub(r"\s*->->.*$", "", turn["content"])
                yield Said(f"batch-{batch['batch_number']}-{number}", str(turn["id"]), turn["role"], text, at)


def _beam_question(kind: str, row: dict[str, Any], ids: set[str]) -> Asked | None:
    sources = row.get("source_chat_ids") or []
    parts = list(sources.values()) if isinstance(sources, dict) else [sources]
    of_part = [{str(pk) for pk in _flat(part)} & ids for part in parts]
    wanted = set().union(*of_part)
    if not wanted:
        return None
    changed = kind in ("knowledge_update", "contradiction_resolution") and len(of_part) > 1
    # Which of the two was said first is told by the ids, not by their names.
    first, *_rest, last = (
        sorted(of_part, key=lambda part: min(map(int, part), default=0)) if changed else (set(), set())
    )
    return Asked(kind, row["question"], wanted, first, last)


def _flat(value: Any) -> list[Any]:
    return [pk for part in value for pk in _flat(part)] if isinstance(value, list) else [value]


READERS = {"memdaily": read_memdaily, "longmemeval": read_longmemeval, "beam": read_beam}


# -------------------------------------------------------------------------------------------------------- measuring


def measure(cases: Iterator[Case]) -> dict[str, Any]:
    rows: dict[tuple[str, int], list[tuple[float, float]]] = defaultdict(list)
    changed = dict.fromkeys(("pairs", "both_held", "one_topic", "newer_current", "older_shown", "older_marked"), 0)
    for case in cases:
        space = store(case)
        for asked, budget, ours, theirs in ask(space, case):
            rows[asked.kind, budget].append((ours, theirs))
        for asked in case.questions:
            if asked.older and asked.newer:
                note_change(space, asked, changed)
    return {"recall": summary(rows), "changed": changed}


def store(case: Case) -> Any:
    from extraction.services.intake import record_messages
    from topics.services.conversations import MessageInput

    space = make_space(case.language)
    for conversation, said in groupby(case.messages, key=lambda message: message.conversation):
        messages = [MessageInput(role=s.role, content=s.text, id=s.id, said_at=s.at) for s in said if s.text.strip()]
        if messages:
            record_messages(space=space, conversation=conversation, messages=messages)
    work_off(space)
    return space


def ask(space: Any, case: Case) -> Iterator[tuple[Asked, int, float, float]]:
    from topics.retrieval.query import query_memory
    from topics.text.tokens import count_tokens

    lines = [f"[{said.at.date()}] {said.role}: {said.text}\n" for said in case.messages]
    costs, index = [count_tokens(line) for line in lines], BM25(lines)
    for asked in case.questions:
        order = index.rank(asked.text)
        for budget in BUDGETS:
            cited = {c.message for c in query_memory(space=space, question=asked.text, max_tokens=budget).citations}
            theirs = {case.messages[place].id for place in packed(order, costs, budget)}
            yield asked, budget, share(asked.wanted, cited), share(asked.wanted, theirs)


def note_change(space: Any, asked: Asked, counts: dict[str, int]) -> None:
    from topics.models import Fact
    from topics.retrieval.query import query_memory

    facts = Fact.objects.filter(space=space).exclude(status__in=["retracted", "joined"]).distinct()
    older, newer = (list(facts.filter(evidence__message__external_id__in=ids)) for ids in (asked.older, asked.newer))
    pairs = [(a, b) for a in older for b in newer if a.topic_id == b.topic_id and a.pk != b.pk]
    counts["pairs"] += 1
    counts["both_held"] += bool(older and newer)
    counts["one_topic"] += bool(pairs)
    counts["newer_current"] += any(b.status == Fact.Status.ACTIVE and b.pk in _after(a) for a, b in pairs)
    answer = query_memory(space=space, question=asked.text, max_tokens=2000)
    markers = {citation.marker for citation in answer.citations if citation.message in asked.older}
    lines = [line for line in answer.context.splitlines() if line.startswith(tuple(f"[{m}] " for m in markers))]
    counts["older_shown"] += bool(lines)
    counts["older_marked"] += any(_MARK.search(line) for line in lines)


def _after(fact: Any) -> set[Any]:
    """The facts that took the place of one, each in turn, and what disputes it now."""
    from topics.models import Dispute

    found = set(Dispute.objects.filter(fact=fact, closed_at=None).values_list("became", flat=True))
    while (fact := fact.superseded_by) is not None:
        found.add(fact.pk)
    return found


def summary(rows: dict[tuple[str, int], list[tuple[float, float]]]) -> dict[str, Any]:
    kinds = sorted({kind for kind, _budget in rows})
    found: dict[str, Any] = {}
    for kind in [None, *kinds]:
        of_kind = {
            b: [pair for (k, at), pairs in rows.items() if at == b and kind in (None, k) for pair in pairs]
            for b in BUDGETS
        }
        found[kind or "all"] = {
            "questions": len(of_kind[BUDGETS[0]]),
            "infini": {b: _mean([ours for ours, _ in pairs]) for b, pairs in of_kind.items()},
            "bm25": {b: _mean([theirs for _, theirs in pairs]) for b, pairs in of_kind.items()},
        }
    return found


def _mean(values: Sequence[float]) -> float:
    return round(statistics.fmean(values), 4) if values else 0.0


def show(name: str, figures: dict[str, Any]) -> None:
    print(f"{name:<28} questions  " + "  ".join(f"{f'@{b} (bm25)':>14}" for b in BUDGETS))
    for kind, row in figures["recall"].items():
        cells = "  ".join(f"{row['infini'][b]:>6.3f} ({row['bm25'][b]:.3f})" for b in BUDGETS)
        print(f"  {kind:<26} {row['questions']:>9}  {cells}")
    if figures["changed"]["pairs"]:
        print("  changed: " + ", ".join(f"{key} {value}" for key, value in figures["changed"].items()))


if __name__ == "__main__":
    main()
