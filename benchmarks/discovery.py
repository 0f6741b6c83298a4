"""Measures discovery: what is grouped, and under which names, when nobody says who speaks or what it is about.

    python benchmarks/discovery.py --data memorybank/en.json --data locomo/dev.json --embedder words --embedder local

`--data` is a file of one of the shapes that `read_findings.py` reads. Its speakers are taken away, each conversation is
read by rules, and the turns that hold a statement are grouped and named as the product does it: with --only gathered
(the default) only those whose statements are about nothing that has a name, with --only statements also those in the
first person. Purity is the share of grouped turns whose conversation, or whose user (pair of speakers), is the most
frequent of their group; beside it stands the purity of groups of the same sizes drawn at random. Conversations are no
labels of matters, so this only tells whether groups follow what was said together more than chance does. Prints a
sample of groups for a person to judge and, as the last line, JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.read_findings import windows  # sets Django up
from extraction.discovery.clusters import Cluster, find_clusters, word_vectors
from extraction.discovery.names import name_by_terms
from extraction.extractors.rules import RulesExtractor
from inference.embeddings.local import LocalEncoder

SHOWN = 5


@dataclass(frozen=True)
class Said:
    """What a turn states, in which conversation, and between whom."""

    text: str
    conversation: str
    user: str


def read(data: Any, *, only: str) -> list[Said]:
    extractor = RulesExtractor()
    said = []
    for window in windows(data):
        nameless = replace(window, turns=tuple(replace(turn, speaker="") for turn in window.turns))
        by_turn: dict[str, list[str]] = {}
        for finding in extractor.extract(nameless).findings:
            names_nothing = finding.topic.id is None and finding.topic.name == window.conversation
            if finding.text and names_nothing and (only == "statements" or finding.topic.kind != "person"):
                by_turn.setdefault(finding.quotes[0].turn, []).append(finding.text)
        user = window.conversation.split()[0]
        said += [Said("\n".join(dict.fromkeys(texts)), window.conversation, user) for texts in by_turn.values()]
    return said


def purity(groups: Sequence[Sequence[int]], labels: Sequence[str]) -> float:
    size = sum(map(len, groups))
    return sum(Counter(labels[n] for n in group).most_common(1)[0][1] for group in groups) / size if size else 0.0


def at_random(groups: Sequence[Sequence[int]], labels: Sequence[str]) -> float:
    """The mean purity of groups of these sizes drawn twenty times."""
    places = [n for group in groups for n in group]
    drawn = []
    for seed in range(20):
        random.Random(seed).shuffle(places)
        rest = iter(places)
        drawn.append(purity([[next(rest) for _n in group] for group in groups], labels))
    return sum(drawn) / len(drawn)


def measure(said: Sequence[Said], embedder: str, smallest: int) -> tuple[dict[str, Any], list[Cluster], list[str]]:
    texts = [item.text for item in said]
    began = time.perf_counter()
    vectors = LocalEncoder().embed(texts) if embedder == "local" else word_vectors(texts)
    embedded = time.perf_counter()
    clusters = find_clusters(vectors, smallest=smallest)
    named = name_by_terms([[texts[n] for n in cluster.members] for cluster in clusters], set())
    groups = [cluster.members for cluster in clusters]
    figures: dict[str, Any] = {
        "embedder": embedder,
        "smallest": smallest,
        "turns": len(said),
        "groups": len(groups),
        "grouped": sum(map(len, groups)),
        "seconds": {"vectors": round(embedded - began, 2), "groups": round(time.perf_counter() - embedded, 2)},
    }
    for label in ("conversation", "user"):
        labels = [getattr(item, label) for item in said]
        figures[label] = {"purity": round(purity(groups, labels), 3), "random": round(at_random(groups, labels), 3)}
    return figures, clusters, [name.name for name in named]


def show(said: Sequence[Said], clusters: Sequence[Cluster], names: Sequence[str], most: int) -> None:
    for cluster, name in list(zip(clusters, names, strict=True))[:most]:
        print(f"\n  {name}  ({len(cluster.members)} turns)")
        for n in cluster.members[:SHOWN]:
            print(f"    - {' '.join(said[n].text.split())[:110]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", action="append", required=True)
    parser.add_argument("--embedder", action="append", choices=["words", "local"])
    parser.add_argument("--only", choices=["gathered", "statements"], default="gathered")
    parser.add_argument("--smallest", type=int, default=5)
    parser.add_argument("--show", type=int, default=10, help="groups to print of each")
    options = parser.parse_args()
    results = []
    for path in options.data:
        said = read(json.loads(Path(path).read_text(encoding="utf-8")), only=options.only)
        for embedder in options.embedder or ["words", "local"]:
            if not said:
                continue
            figures, clusters, names = measure(said, embedder, options.smallest)
            figures = {"data": Path(path).stem, "only": options.only} | figures
            print(f"\n{figures}")
            show(said, clusters, names, options.show)
            results.append(figures)
    print(json.dumps(results))


if __name__ == "__main__":
    main()
