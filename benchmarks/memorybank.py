"""Tells MemoryBank's conversations to a running server over its API and writes down proposals for a person to judge.

    python benchmarks/memorybank.py --data memorybank/en.json --manage "python manage.py" --out judged-en.txt
    python benchmarks/memorybank.py --data memorybank/cn.json --url http://127.0.0.1:8000 --key KEY --out judged-cn.txt

`--data` is a MemoryBank file (user → history → date → [{query, response}]); a user's day is one conversation. With
`--manage` a space and a key are made first, on the database of the server at `--url`. Every quote of every proposal is
compared with the message it points to. The sample is numbered, each proposal with its turn, so that a person can write
right, wrong or trivial beside it. Prints, as the last line, JSON; exits with 1 if a quote does not stand in its
message, a job failed or a job is not done in time.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import subprocess
import sys
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

Message = dict[str, str]
SHANGHAI = timezone(timedelta(hours=8))
PATIENCE = 300.0  # seconds for all jobs
TRIES = 20  # of a request that is sent too early


class Api:
    """The agent API as a program sees it that knows its key and nothing else."""

    def __init__(self, url: str, key: str) -> None:
        self._url, self._key = url.rstrip("/"), key

    def get(self, path: str, **query: str | int) -> Any:
        return self._call(f"{path}?{urlencode(query)}" if query else path, None)

    def post(self, path: str, body: Any) -> Any:
        return self._call(path, json.dumps(body).encode())

    def pages(self, path: str, **query: str | int) -> Iterator[Any]:
        """Every row of a list, over all its pages."""
        page = self.get(path, page_size=200, **query)
        while True:
            yield from page["results"]
            if page["next"] is None:
                return
            page = self._call(page["next"].split("/api/v1", 1)[1], None)

    def _call(self, path: str, body: bytes | None) -> Any:
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        for _ in range(TRIES):
            try:
                with urlopen(Request(f"{self._url}/api/v1{path}", body, headers)) as answer:
                    return json.load(answer)
            except HTTPError as error:
                if error.code != 429:
                    raise SystemExit(f"{path}: {error.code} {error.read().decode()}") from error
                time.sleep(float(error.headers.get("Retry-After", 1)))
        raise SystemExit(f"{path}: too many requests, {TRIES} times")


def conversations(data: dict[str, Any]) -> Iterator[tuple[str, list[Message]]]:
    """Every day of every user on which somebody said something: the conversation's id and its messages, from ten
    o'clock in Shanghai and a minute apart."""
    for user, record in data.items():
        for date, exchanges in record["history"].items():
            name = f"{user.strip()} {date}"
            turns = [turn for e in exchanges for turn in (("user", e["query"]), ("assistant", e["response"]))]
            messages = [
                {
                    "id": f"{name} {number:03}",
                    "role": role,
                    "name": user.strip() if role == "user" else "",
                    "content": text,
                    "said_at": f"{date}T{10 + number // 60:02}:{number % 60:02}:00+08:00",
                }
                for number, (role, text) in enumerate(turns)
                if text.strip()
            ]
            if messages:
                yield name, messages


def make_space(manage: str, policy: str) -> str:
    """A new space and the key of a program that may write and review."""
    slug = f"memorybank-{uuid.uuid4().hex[:8]}"
    command = shlex.split(manage)
    made = [*command, "create_space", slug, "--time-zone", "Asia/Shanghai", "--review-policy", policy]
    subprocess.run(made, check=True, capture_output=True)
    key = [*command, "create_api_key", slug, "--scopes", "read,write,review"]
    return subprocess.run(key, check=True, capture_output=True, text=True).stdout.split()[-1]


def tell(api: Api, told: list[tuple[str, list[Message]]]) -> list[str]:
    """Post every conversation; the ids of the jobs that read them."""
    return [
        api.post(f"/conversations/{quote(name, safe='')}/messages", {"messages": messages})["job"]
        for name, messages in told
    ]


def wait_for(api: Api, jobs: list[str]) -> Counter[str]:
    """How the messages of all jobs ended. Ends the program when a job fails or takes too long."""
    ends: Counter[str] = Counter()
    give_up_at = time.monotonic() + PATIENCE
    for job in jobs:
        while (state := api.get(f"/jobs/{job}"))["status"] not in ("done", "failed"):
            if time.monotonic() > give_up_at:
                raise SystemExit(f"job {job} is still {state['status']} after {PATIENCE:.0f} seconds")
            time.sleep(0.2)
        if state["status"] == "failed":
            raise SystemExit(f"job {job} failed: {state['error']}")
        ends.update(state["messages"])
    return ends


def missing_quotes(proposals: list[dict[str, Any]], texts: dict[str, str]) -> list[str]:
    """The quotes that do not stand word for word at their place in their message."""
    quotes = [q for proposal in proposals for q in proposal["quotes"]]
    return [q["text"] for q in quotes if texts[q["message"]][q["start"] : q["end"]] != q["text"]]


def local_day(moment: str) -> str:
    """The date in Shanghai, where the conversations are told."""
    return datetime.fromisoformat(moment).astimezone(SHANGHAI).date().isoformat()


def describe(number: int, proposal: dict[str, Any], texts: dict[str, str], names: dict[str, str]) -> str:
    """A proposal and its turn, for a person to judge."""
    topic = proposal["topic"]["name"] if proposal["topic"] else proposal["topic_name"] or names[proposal["new_topic"]]
    kind = proposal["fact_kind"] or proposal["kind"]
    notes = [kind, proposal["certainty"], f"topic: {topic}"]
    if proposal["attribute"]:
        notes.append(f"{proposal['attribute']} = {proposal['value']} {proposal['unit']}".strip())
    if proposal["happened_at"]:
        notes.append(f"{local_day(proposal['happened_at'])}, {proposal['precision']}")
    notes += [f"from {local_day(proposal['valid_from'])}"] if proposal["valid_from"] else []
    notes += [f"until {local_day(proposal['valid_until'])}"] if proposal["valid_until"] else []
    notes += [f"alias: {proposal['alias']}"] if proposal["alias"] else []
    notes += ["negated"] if proposal["negated"] else []
    notes += [f"conflict with: {proposal['conflict']['held']}"] if proposal["conflict"] else []
    turns = [f"      {q['message']}: {texts[q['message']]}" for q in proposal["quotes"]]
    return "\n".join([f"{number}. {proposal['text'] or topic}", f"      [{'; '.join(notes)}]", *turns])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--key", default="", help="of a space that holds nothing yet")
    parser.add_argument("--manage", default="", help="how to run manage.py, to make a space and a key")
    parser.add_argument("--review-policy", default="everything", help="of the new space; automatic shows conflicts")
    parser.add_argument("--conflicts", action="store_true", help="sample only proposals that contradict what is held")
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True, type=Path, help="the file for the person who judges")
    options = parser.parse_args()
    if bool(options.key) == bool(options.manage):
        parser.error("give either --key or --manage")

    api = Api(options.url, options.key or make_space(options.manage, options.review_policy))
    told = list(conversations(json.loads(options.data.read_text(encoding="utf-8"))))
    texts = {message["id"]: message["content"] for _, messages in told for message in messages}
    started = time.monotonic()
    ends = wait_for(api, tell(api, told))
    seconds = time.monotonic() - started
    proposals = list(api.pages("/proposals"))
    missing = missing_quotes(proposals, texts)
    names = {proposal["id"]: proposal["topic_name"] for proposal in proposals}
    chosen = [proposal for proposal in proposals if proposal["conflict"] or not options.conflicts]
    sample = random.Random(options.seed).sample(chosen, min(options.sample, len(chosen)))
    listed = [describe(number, proposal, texts, names) for number, proposal in enumerate(sample, start=1)]
    options.out.write_text("\n".join(listed) + "\n", encoding="utf-8")
    for text in missing:
        print(f"not in its message: {text}")
    result = {
        "conversations": len(told),
        "messages": dict(ends),
        "proposals": dict(Counter(proposal["fact_kind"] or proposal["kind"] for proposal in proposals)),
        "conflicts": sum(bool(proposal["conflict"]) for proposal in proposals),
        "quotes": sum(len(proposal["quotes"]) for proposal in proposals),
        "missing_quotes": len(missing),
        "seconds": round(seconds, 1),
    }
    for name, figure in result.items():
        print(f"{name:16} {figure}")
    print(json.dumps(result))
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
