"""The store measured apart from the model: facts that a model once extracted go in, then questions are asked.

    python benchmarks/extraction.py --data locomo/dev.json [--audit locomo/audit.json] --manage "python manage.py"

The data is LoCoMo's format; its `observation` entries are statements with the ids of the turns they are from. Against
a running server, a space is made for each sample and the conversations are sent session by session; then the
observations of each session go to POST /memory/update, a topic for each speaker. They hold no words of the turns, so
that each quotes its whole turn. Reported are
- `coverage`: of the turns that answer a question, the share that is evidence of a fact which the update committed;
- what the update refused, by its own words, and how long a call took;
- `recall` at each budget: of the turns that answer a question, the share that is cited while the block holds half of
  the turn's words, or all those that it shares with the expected answer.
With --source-turns approved agents see only turns that back a statement, with all (what an automatic space has) every
turn. The rules read the turns as well, as they always do; coverage counts the update's own facts alone. With --eval, a
Python file whose `words` and `evidence` are used instead of this project's. Prints a table and, as the last line, JSON.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import shlex
import statistics
import subprocess
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import retrieval_recall
from memorybank import Api
from retrieval_recall import BUDGETS, sessions, stands, turn_text

PATIENCE = 600.0  # seconds for the jobs of one sample


def make_space(manage: str, source_turns: str) -> str:
    """A new automatic space and the key of a program that may write and read."""
    slug, command = f"observed-{uuid.uuid4().hex[:8]}", shlex.split(manage)
    policy = ["--time-zone", "UTC", "--review-policy", "automatic", "--source-turns", source_turns]
    subprocess.run([*command, "create_space", slug, *policy], check=True, capture_output=True)
    key = [*command, "create_api_key", slug, "--scopes", "read,write,review"]
    return subprocess.run(key, check=True, capture_output=True, text=True).stdout.split()[-1]


def tell(api: Api, sample: dict[str, Any]) -> dict[str, str]:
    """Send every session and wait until it is read: the text of each turn by its id."""
    texts, jobs = {}, []
    for number, at, turns in sessions(sample["conversation"]):
        messages = [
            {"id": turn["dia_id"], "role": "user", "name": turn["speaker"], "content": turn_text(turn)}
            | ({"said_at": (at + timedelta(seconds=20 * place)).isoformat()} if at else {})
            for place, turn in enumerate(turns)
        ]
        texts |= {message["id"]: message["content"] for message in messages}
        jobs.append(api.post(f"/conversations/session-{number}/messages", {"messages": messages})["job"])
    give_up_at = time.monotonic() + PATIENCE
    for job in jobs:
        while api.get(f"/jobs/{job}")["status"] not in ("done", "failed"):
            if time.monotonic() > give_up_at:
                raise SystemExit(f"job {job} is not done after {PATIENCE:.0f} seconds")
            time.sleep(0.3)
    return texts


def updates(sample: dict[str, Any], texts: dict[str, str]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The conversation and extractions of each session. An observation from no known turn is sent all the same."""
    for key, by_speaker in sample["observation"].items():
        extractions = [
            {
                "topic": {"name": speaker, "kind": "person"},
                "new_facts": [
                    {"text": text, "quotes": [{"message": turn, "text": texts.get(turn, text)}]} for text, turn in facts
                ],
            }
            for speaker, facts in by_speaker.items()
        ]
        yield f"session-{key.split('_')[1]}", extractions


class Sent:
    """What became of the observations of all samples."""

    def __init__(self) -> None:
        self.observations = self.committed = self.repeated = self.conflicts = 0
        self.refusals: Counter[str] = Counter()
        self.seconds: list[float] = []

    def send(self, url: str, key: str, conversation: str, extractions: list[dict[str, Any]]) -> list[str]:
        """The ids of the facts that were committed. What is refused is told apart by field and taken out, once."""
        self.observations += sum(len(extraction["new_facts"]) for extraction in extractions)
        status, answer = self._post(url, key, conversation, extractions)
        if status == 422:
            for path, problems in answer.get("fields", {}).items():
                self.refusals[f"{re.sub(r'[0-9]+', 'n', path)}: {problems[0]}"] += 1
            status, answer = self._post(url, key, conversation, _without(extractions, answer.get("fields", {})))
        if status != 202:
            raise SystemExit(f"{conversation}: {status} {answer}")
        self.committed += len(answer["committed"])
        self.repeated += answer["repeated"]
        self.conflicts += len(answer["conflicts"])
        return list(answer["committed"])

    def _post(self, url: str, key: str, conversation: str, extractions: list[dict[str, Any]]) -> tuple[int, Any]:
        body = json.dumps({"conversation": conversation, "extractions": extractions}).encode()
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        started = time.perf_counter()
        try:
            with urlopen(Request(f"{url.rstrip('/')}/api/v1/memory/update", body, headers)) as response:
                status, answer = response.status, json.load(response)
        except HTTPError as error:
            status, answer = error.code, json.load(error)
        self.seconds.append(time.perf_counter() - started)
        return status, answer


def _without(extractions: list[dict[str, Any]], fields: dict[str, Any]) -> list[dict[str, Any]]:
    bad = {tuple(map(int, re.findall(r"extractions\.(\d+)\.new_facts\.(\d+)", path)[0])) for path in fields}
    return [
        extraction | {"new_facts": [fact for k, fact in enumerate(extraction["new_facts"]) if (n, k) not in bad]}
        for n, extraction in enumerate(extractions)
    ]


def backed_turns(api: Api, committed: set[str]) -> set[str]:
    """The turns that are evidence of one of these facts."""
    return {
        source["message"]
        for topic in api.pages("/topics")
        for fact in api.pages(f"/topics/{topic['id']}/facts")
        if fact["id"] in committed
        for source in fact["sources"]
    }


def ask(api: Api, questions: list[tuple[Any, set[str]]], texts: dict[str, str], words: Any) -> Iterator[dict[str, Any]]:
    for qa, wanted in questions:
        for budget in BUDGETS:
            answer = api.get("/memory/query", q=qa["question"], max_tokens=budget)
            cited = {citation["message"] for citation in answer["citations"]}
            have, expected = set(words(answer["context"])), set(words(str(qa.get("answer", ""))))
            found = [turn for turn in wanted & cited if stands(set(words(texts[turn])), have, expected)]
            yield {
                "budget": budget,
                "recall": len(found) / len(wanted),
                "cited": len(wanted & cited) / len(wanted),
                "tokens": answer["tokens"],
                "over": answer["tokens"] > budget,
            }


def load_definition(path: Path | None) -> ModuleType:
    if path is None:
        return retrieval_recall
    spec = importlib.util.spec_from_file_location("definition", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def report(sent: Sent, covered: list[float], rows: list[dict[str, Any]]) -> None:
    figures: dict[str, Any] = {
        "observations": sent.observations,
        "committed": sent.committed,
        "repeated": sent.repeated,
        "conflicts": sent.conflicts,
        "refused": dict(sent.refusals),
        "update_ms": retrieval_recall.quantiles([1000 * seconds for seconds in sent.seconds]),
        "questions": len(covered),
        "coverage": round(statistics.fmean(covered), 4),
        "budgets": {},
    }
    for name, figure in figures.items():
        if name != "budgets":
            print(f"{name:14} {figure}")
    print(f"{'budget':>7} {'recall':>7} {'cited':>7} {'tokens':>7} {'over':>5}")
    for budget in BUDGETS:
        of_budget = [row for row in rows if row["budget"] == budget]
        shown = {name: round(statistics.fmean(row[name] for row in of_budget), 4) for name in of_budget[0]}
        figures["budgets"][budget] = shown
        print(
            f"{budget:>7} {shown['recall']:>7.3f} {shown['cited']:>7.3f} {shown['tokens']:>7.0f} "
            f"{sum(row['over'] for row in of_budget):>5}"
        )
    print(json.dumps(figures))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--audit", help="corrections of the cited turns, by sample and question")
    parser.add_argument("--eval", type=Path, help="a Python file with the definition to measure by")
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--manage", default="python manage.py", help="how to run manage.py, to make a space and a key")
    parser.add_argument("--source-turns", choices=["approved", "all"], default="approved")
    parser.add_argument("--limit", type=int, help="questions for each sample")
    options = parser.parse_args()

    definition, audits = load_definition(options.eval), retrieval_recall.read_audit(options.audit)
    sent, covered, rows = Sent(), [], []
    for sample in json.loads(options.data.read_text(encoding="utf-8")):
        key = make_space(options.manage, options.source_turns)
        api = Api(options.url, key)
        texts = tell(api, sample)
        committed = {
            fact
            for conversation, extractions in updates(sample, texts)
            for fact in sent.send(options.url, key, conversation, extractions)
        }
        backed = backed_turns(api, committed)
        audit = audits[sample["sample_id"]]
        wanted = [(qa, definition.evidence(qa, audit) & texts.keys()) for qa in sample["qa"]]
        questions = [(qa, turns) for qa, turns in wanted if turns][: options.limit]
        covered += [len(turns & backed) / len(turns) for _, turns in questions]
        rows += ask(api, questions, texts, definition.words)
    report(sent, covered, rows)


if __name__ == "__main__":
    main()
