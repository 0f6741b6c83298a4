"""A space that remembers something, and a caller who chats."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.test import override_settings

from extraction.models import Job
from extraction.services.jobs import run_job
from tests.contract.helpers import Api, read
from tests.inference.wire import Wire
from topics.models import Space

BUDGET = "The budget for Project Apollo is 40,000 euros."
QUESTION = "What is the budget of Project Apollo?"
REPLY = "The budget is 40,000 euros [1]."


def remember(space: Space, *texts: str, conversation: str = "earlier") -> None:
    with by_rules():
        read(space, conversation, *(texts or (BUDGET,)), subject="Project Apollo")


def by_rules() -> override_settings:
    """Without a model conversations are read by rules."""
    return override_settings(INFINI_MODEL="")


def chat(api: Api, message: str = QUESTION, conversation: str = "c1", *, key: str = "", **more: Any) -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return api.post("agent/chat", {"conversation": conversation, "message": message, **more}, **headers)


def prompt(wire: Wire, number: int = -1) -> list[dict[str, Any]]:
    """The messages of a request to the model."""
    messages: list[dict[str, Any]] = wire.requests[number].json["messages"]
    return messages


def run_jobs(space: Space) -> None:
    """Read all that is due, by rules."""
    due = Job.objects.filter(space=space, kind=Job.Kind.EXTRACT, status=Job.Status.QUEUED)
    with by_rules():
        for job in due.order_by("pk"):
            run_job(job.pk, worker="tests")


@dataclass(frozen=True)
class Event:
    name: str
    data: Any


def events_of(body: Iterable[bytes]) -> list[Event]:
    """The events of a stream; a comment is an event named ":"."""
    found = []
    for block in b"".join(body).decode().split("\n\n")[:-1]:
        if block.startswith(":"):
            found.append(Event(":", None))
            continue
        name, data = block.split("\n")
        found.append(Event(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def names(events: Iterable[Event]) -> list[str]:
    return [event.name for event in events]
