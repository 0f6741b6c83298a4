"""How well duplicates are found, beside two simple rules, over all pairs of the records.

    python benchmarks/duplicates.py --restaurants restaurants/dev.csv --abbreviations zh_abbreviation/dev.txt

A record of the restaurants is a topic with a name and, unless --names-only is given, an address (street and city); rows
with the same `unique_id` are one place. The abbreviations are names: each short form and its full form are one, every
other pair is not. The rules beside ours: "exact" says that equal names are one (after the folding under which the
product keeps names apart anyway), "subsequence" that the characters of the shorter stand in the longer in their order.

The weights in topics/likeness/pairs.py were set on the half "tune" while the errors of both were looked at, so that
the fair test is a part of these sets that neither holds. A pair belongs to a half by a digest of its record: of the
place, or of the full form. Prints a table and JSON.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

Pairs = set[tuple[Any, Any]]


def main() -> None:
    arguments = parse_arguments()
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "infini.settings")
    rows = []
    if arguments.restaurants:
        rows += measure("restaurants", *read_restaurants(Path(arguments.restaurants), arguments.names_only))
    if arguments.abbreviations:
        rows += measure("zh_abbreviation", *read_abbreviations(Path(arguments.abbreviations)))
    print(f"{'data':16} {'half':5} {'rule':12} {'precision':>9} {'recall':>7} {'F1':>6} {'pairs':>6} {'seconds':>8}")
    for row in rows:
        figures = (
            f"{row['precision']:9.3f} {row['recall']:7.3f} {row['f1']:6.3f} {row['pairs']:6} {row['seconds']:8.2f}"
        )
        print(f"{row['data']:16} {row['half']:5} {row['rule']:12} {figures}")
    print(json.dumps(rows, ensure_ascii=False))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--restaurants", help="CSV with name, address, city and unique_id")
    parser.add_argument(
        "--abbreviations", help="lines `short: word/tag word/tag …`, `n:` for a name without a short form"
    )
    parser.add_argument("--names-only", action="store_true", help="leave the addresses of the restaurants out")
    return parser.parse_args()


def read_restaurants(path: Path, names_only: bool) -> tuple[list[Any], Pairs, Callable[[Any], str]]:
    from topics.likeness.contact import read_contact
    from topics.likeness.names import Name
    from topics.likeness.pairs import Profile

    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, skipinitialspace=True))
    profiles, places = [], defaultdict(list)
    for number, row in enumerate(rows):
        contact = None if names_only else read_contact("address", f"{row['address']}, {row['city']}")
        profiles.append(Profile(number, (Name(row["name"]),), contacts=frozenset([contact] if contact else [])))
        places[row["unique_id"]].append(number)
    truth = {pair for members in places.values() for pair in combinations(members, 2)}
    return profiles, truth, lambda number: rows[number]["unique_id"]


def read_abbreviations(path: Path) -> tuple[list[Any], Pairs, Callable[[Any], str]]:
    from topics.likeness.names import Name
    from topics.likeness.pairs import Profile

    names: set[str] = set()
    truth: Pairs = set()
    full_of: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        short, _colon, tagged = line.partition(": ")
        full = "".join(word.rpartition("/")[0] for word in tagged.split())
        names.add(full)
        if short != "n":
            names.add(short)
            truth.add(ordered(short, full))
            full_of.setdefault(short, full)
    profiles = [Profile(name, (Name(name),)) for name in sorted(names)]
    return profiles, truth, lambda name: full_of.get(name, name)


def measure(data: str, profiles: list[Any], truth: Pairs, record: Callable[[Any], str]) -> list[dict[str, Any]]:
    """The figures of each rule on each half and on all."""
    rows = []
    for rule in (exact, subsequence, ours):
        begun = time.perf_counter()
        found = {ordered(*pair) for pair in rule(profiles)}
        seconds = time.perf_counter() - begun
        known = {"data": data, "rule": rule.__name__, "seconds": round(seconds, 2)}
        rows += [
            known | {"half": half} | figures(of_half(found, half, record), of_half(truth, half, record))
            for half in ("tune", "test", "all")
        ]
    return rows


def figures(found: Pairs, truth: Pairs) -> dict[str, Any]:
    hits = len(found & truth)
    return {
        "precision": round(hits / max(len(found), 1), 4),
        "recall": round(hits / max(len(truth), 1), 4),
        "f1": round(2 * hits / max(len(found) + len(truth), 1), 4),
        "pairs": len(found),
    }


def of_half(pairs: Pairs, half: str, record: Callable[[Any], str]) -> Pairs:
    return pairs if half == "all" else {pair for pair in pairs if half_of(record(pair[0])) == half}


def half_of(record: str) -> str:
    return "tune" if hashlib.sha256(record.encode()).digest()[0] % 2 else "test"


def ordered(first: Any, second: Any) -> tuple[Any, Any]:
    return (first, second) if first < second else (second, first)


def exact(profiles: list[Any]) -> Iterable[tuple[Any, Any]]:
    from topics.text.names import name_key

    groups = defaultdict(list)
    for profile in profiles:
        groups[name_key(profile.names[0].text)].append(profile.id)
    return [pair for ids in groups.values() for pair in combinations(ids, 2)]


def subsequence(profiles: list[Any]) -> Iterable[tuple[Any, Any]]:
    from topics.text.names import name_key

    keys = [(name_key(profile.names[0].text), profile.id) for profile in profiles]
    return [
        (first, second)
        for (a, first), (b, second) in combinations(keys, 2)
        if min(len(a), len(b)) >= 2 and is_subsequence(*sorted((a, b), key=len))
    ]


def is_subsequence(short: str, full: str) -> bool:
    rest = iter(full)
    return all(character in rest for character in short)


def ours(profiles: list[Any]) -> Iterable[tuple[Any, Any]]:
    from topics.likeness.pairs import find_pairs

    return [(pair.first, pair.second) for pair in find_pairs(profiles)]


if __name__ == "__main__":
    main()
