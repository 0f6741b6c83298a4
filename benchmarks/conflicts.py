"""How well contradictions are found: a statement is held, another arrives; does it open a conflict?

    python benchmarks/conflicts.py --cdconv cdconv/dev.jsonl --prosecco prosecco/dev.jsonl [--half seen|unseen]
    python benchmarks/conflicts.py --prosecco prosecco/dev.jsonl --base-url http://127.0.0.1:8080/v1 --model NAME

CDConv (zh): the second answer of a speaker against the first; label 3 is a contradiction, 0 is none, the others are of
another kind and left out. ProSeCCo (en): two propositions of one speaker. Both statements are taken as they stand, as
facts of one topic, with what the rules read of them; nothing is told of the question that an answer answers. Beside it
stand two judges that know nothing: "always", and "negation", which looks only whether one statement is a denial and the
other is none. With --model, that model is asked about each pair as well.

Pairs are halved by what they have in common (an opening, a debate), so that rules made while looking at the "seen" half
can be measured on the "unseen" one. Prints a table and, as the last line, JSON. The database is temporary.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

SENT = """Two statements about one subject, made one after the other. Answer with one word: yes if they cannot both be
true at the same time, no if they can.

First: {first}
Second: {second}"""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements of one speaker; `kind` is how the data's makers came by the second."""

    first: str
    second: str
    contradicts: bool
    kind: str
    half: str


def cdconv(path: Path) -> Iterator[Pair]:
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        if row["label"] in (0, 3):
            half = half_of(row["u1"] + row["b1"])
            yield Pair(row["b1"], row["b2"], row["label"] == 3, row["method"], half)


def prosecco(path: Path) -> Iterator[Pair]:
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        contradicts = row["label"] == "self-contradiction"
        yield Pair(row["proposition_1"], row["proposition_2"], contradicts, row["source"], half_of(row["nodeset_id"]))


def half_of(key: object) -> str:
    return "unseen" if hashlib.sha256(str(key).encode()).digest()[-1] % 2 else "seen"


# ------------------------------------------------------------------------------------------------------------ judges


class Rules:
    """The product's own judgement: the first statement is held, the second is a claim on the same topic."""

    def __init__(self) -> None:
        os.environ["DATABASE_URL"] = f"sqlite:///{tempfile.mkdtemp()}/conflicts.sqlite3"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "infini.settings")
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        from topics.changes import Actor
        from topics.services.spaces import create_space
        from topics.services.topics import create_topic

        self._actor = Actor(label="benchmark")
        self._space = create_space(slug="conflicts")
        self._topic = create_topic(space=self._space, actor=self._actor, name="speaker", kind="person")

    def __call__(self, pair: Pair) -> bool:
        from django.db import transaction

        from extraction.services.reconcile import Claim, judge, load_held
        from topics.services.statements import FactDraft, commit_facts

        held = FactDraft(topic=self._topic, text=pair.first, origin="person", **self._read(pair.first))
        claim = Claim(self._topic.pk, pair.second, **self._read(pair.second))
        with transaction.atomic():
            commit_facts(space=self._space, actor=self._actor, drafts=[held])
            verdict = judge(claim, load_held([claim]))
            transaction.set_rollback(True)
        return verdict.relation == "conflict"

    def _read(self, text: str) -> dict[str, Any]:
        """What the extractor by rules reads of a statement that it keeps."""
        from extraction.extractors.rules.attributes import find_attribute
        from extraction.extractors.rules.language import is_chinese

        found = find_attribute(text, [], chinese=is_chinese(text))
        value = {"attribute": found.name, "value": found.value, "unit": found.unit} if found and found.value else {}
        return {"negated": denies(text)} | value


class Model:
    """A model at any endpoint that speaks the OpenAI protocol, asked about each pair."""

    def __init__(self, base_url: str, model: str) -> None:
        import openai

        self._client = openai.OpenAI(base_url=base_url or None, api_key=os.environ.get("OPENAI_API_KEY", "none"))
        self._model = model

    def __call__(self, pair: Pair) -> bool:
        content = SENT.format(first=pair.first, second=pair.second)
        answer = self._client.chat.completions.create(
            model=self._model, messages=[{"role": "user", "content": content}], max_tokens=5, temperature=0
        )
        return (answer.choices[0].message.content or "").strip().casefold().startswith("yes")


def denies(text: str) -> bool:
    """Whether the extractor by rules takes the statement for a denial."""
    from extraction.extractors.rules.chinese import Chinese
    from extraction.extractors.rules.english import English
    from extraction.extractors.rules.language import is_chinese
    from extraction.extractors.rules.statement import Signal

    return (Chinese() if is_chinese(text) else English()).negated(Signal("fact", 1.0, "", text))


# ----------------------------------------------------------------------------------------------------------- figures


def figures(pairs: Sequence[Pair], said: Sequence[bool]) -> dict[str, float]:
    """Precision, recall and F1 of what was called a contradiction, and how many were."""
    hits = sum(pair.contradicts and called for pair, called in zip(pairs, said, strict=True))
    precision, recall = hits / max(1, sum(said)), hits / max(1, sum(pair.contradicts for pair in pairs))
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    return {"called": sum(said), "precision": round(precision, 3), "recall": round(recall, 3), "f1": round(f1, 3)}


def measure(name: str, pairs: list[Pair], judges: dict[str, Callable[[Pair], bool]], show: int) -> dict[str, Any]:
    result: dict[str, Any] = {"pairs": len(pairs), "contradictions": sum(pair.contradicts for pair in pairs)}
    print(f"\n{name}: {result['pairs']} pairs, {result['contradictions']} contradictions")
    print(f"{'judge':12} {'called':>7} {'precision':>9} {'recall':>7} {'F1':>6} {'ms/pair':>8}")
    for judge, decide in judges.items():
        started = time.perf_counter()
        said = [decide(pair) for pair in pairs]
        spent = 1000 * (time.perf_counter() - started) / max(1, len(pairs))
        row = figures(pairs, said)
        result[judge] = row | {"ms": round(spent, 2)}
        print(
            f"{judge:12} {row['called']:7} {row['precision']:9.3f} {row['recall']:7.3f} {row['f1']:6.3f} {spent:8.2f}"
        )
        if judge in ("rules", "model") and show:
            show_errors(pairs, said, show)
        for kind in sorted({pair.kind for pair in pairs}) if judge == "rules" else ():
            chosen = [n for n, pair in enumerate(pairs) if pair.kind == kind]
            result[judge].setdefault("kinds", {})[kind] = figures([pairs[n] for n in chosen], [said[n] for n in chosen])
    return result


def show_errors(pairs: Sequence[Pair], said: Sequence[bool], most: int) -> None:
    rows = [
        (pair, called)
        for pair, called in zip(pairs, said, strict=True)
        if pair.half == "seen" and (called or pair.contradicts)
    ]
    called = [pair for pair, was_called in rows if was_called]
    missed = [pair for pair, was_called in rows if not was_called]
    for pair in called:
        print(f"    {'right' if pair.contradicts else 'FALSE'}   {pair.first} | {pair.second}")
    for pair in random.Random(1).sample(missed, min(most, len(missed))):
        print(f"    missed  {pair.first} | {pair.second}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cdconv", type=Path)
    parser.add_argument("--prosecco", type=Path)
    parser.add_argument("--half", choices=["seen", "unseen", "all"], default="all")
    parser.add_argument("--limit", type=int, help="of each data set, only so many pairs, chosen at random")
    parser.add_argument("--show", type=int, default=0, help="print what was called and as many missed as this")
    parser.add_argument("--base-url", default="", help="of an endpoint that speaks the OpenAI protocol")
    parser.add_argument("--model", default="", help="a model to ask as well")
    options = parser.parse_args()

    judges: dict[str, Callable[[Pair], bool]] = {
        "rules": Rules(),
        "always": lambda _pair: True,
        "negation": lambda pair: denies(pair.first) != denies(pair.second),
    }
    if options.model:
        judges["model"] = Model(options.base_url, options.model)
    sets = {"cdconv": (cdconv, options.cdconv), "prosecco": (prosecco, options.prosecco)}
    result = {"half": options.half}
    for name, (load, path) in sets.items():
        if path is None:
            continue
        pairs = [pair for pair in load(path) if options.half in ("all", pair.half)]
        if options.limit and options.limit < len(pairs):
            pairs = random.Random(1).sample(pairs, options.limit)
        result[name] = measure(name, pairs, judges, options.show)
    print(json.dumps(result, ensure_ascii=False))


if __name__ == "__main__":
    main()
