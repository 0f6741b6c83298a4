"""A scripted model behind the wire server, and conversations that the worker reads with it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from extraction.models import Job, Proposal
from extraction.services.intake import record_messages
from extraction.services.jobs import run_job
from tests.inference.wire import Reply, Request, Wire, answer_json
from topics.models import Space
from topics.services.conversations import MessageInput

WEDNESDAY = datetime(2024, 5, 15, 2, 0, tzinfo=UTC)
Findings = Sequence[dict[str, Any]] | Callable[[str], Sequence[dict[str, Any]]]


def is_check(request: Request) -> bool:
    return "You check notes" in request.json["messages"][0]["content"]


def asked(request: Request) -> str:
    """The last message: the lines of the first pass, or the notes of the second."""
    return str(request.json["messages"][-1]["content"])


def notes_in(request: Request) -> list[dict[str, Any]]:
    return [json.loads(line) for line in asked(request).splitlines() if line.startswith("{")]


def keep_all(request: Request) -> Reply:
    """A second pass that believes everything, held statements included."""
    verdicts = [{"n": note["n"], "verdict": "keep", "contradicts": True} for note in notes_in(request)]
    return answer_json({"verdicts": verdicts})


def model(findings: Findings, check: Callable[[Request], Reply] = keep_all) -> Callable[[Request], Reply]:
    """A model that finds these, or what a function finds in the lines that it is shown."""

    def step(request: Request) -> Reply:
        if is_check(request):
            return check(request)
        return answer_json({"findings": list(findings(asked(request)) if callable(findings) else findings)})

    return step


def verdicts(*found: dict[str, Any]) -> Callable[[Request], Reply]:
    """A second pass that answers just this."""
    return lambda request: answer_json({"verdicts": list(found)})


def labels_in(lines: str) -> list[str]:
    """The labels of the lines that can be quoted."""
    return re.findall(r"^(m\d+[a-z]*) ", lines, re.MULTILINE)


def shown(lines: str, label: str) -> str:
    """What the line of that label says."""
    match = re.search(rf'^{label} \[.*?\] .*?: (".*")$', lines, re.MULTILINE)
    assert match, lines
    return str(json.loads(match[1]))


def tell(
    space: Space, *texts: str, conversation: str = "call-7", subject: str = "", speaker: str = "Mia", first: int = 1
) -> Job:
    """Store turns of a user, D1 and so on, and leave their job in the queue. `assistant: …` is a turn of that role."""
    messages = []
    for number, text in enumerate(texts, start=first):
        role, _, rest = text.partition(": ") if text.startswith(("assistant: ", "system: ", "tool: ")) else ("", "", "")
        name = "" if role else speaker
        messages.append(
            MessageInput(id=f"D{number}", role=role or "user", name=name, content=rest or text, said_at=WEDNESDAY)
        )
    job = record_messages(space=space, conversation=conversation, messages=messages, subject=subject).job
    assert job is not None
    return job


def run(job: Job, *, attempts: int = 1) -> Job:
    """Run the job, as often as it is queued again and up to so many times; nothing more is waited for."""
    for _ in range(attempts):
        Job.objects.filter(pk=job.pk, status=Job.Status.QUEUED).update(run_after=timezone.now())
        run_job(job.pk, worker="tests")
    job.refresh_from_db()
    return job


def read(space: Space, wire: Wire, findings: Findings, *texts: str, **more: Any) -> Job:
    """Read these turns with a model that finds this and then believes it."""
    wire.always(model(findings))
    return run(tell(space, *texts, **more))


def proposed(space: Space) -> list[str]:
    """What waits or was decided, but for new topics."""
    rows = Proposal.objects.filter(space=space).exclude(kind=Proposal.Kind.TOPIC).order_by("pk")
    return [row.alias or row.text for row in rows]


def quotes_missing(space: Space) -> list[str]:
    """Quotes that do not stand in their message; there must be none."""
    quotes = [q for p in Proposal.objects.filter(space=space) for q in p.quotes.all()]
    return [str(q) for q in quotes if not q.text or not 0 <= q.start < q.end <= len(q.message.content)]


def outcomes(job: Job) -> list[str]:
    return list(job.messages.order_by("message__position").values_list("outcome", flat=True))
