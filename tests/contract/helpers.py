"""A caller of the API, and the rows that its tests begin with."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.http import HttpResponse
from django.test import Client

from extraction.models import Confirmation, Conflict, Event, Job
from extraction.services.intake import record_messages
from extraction.services.jobs import run_job
from extraction.services.resolving import resolve_conflict
from extraction.services.webhooks import create_webhook, send_test
from topics.changes import Actor
from topics.models import ChangeSet, DuplicatePair, Fact, Space
from topics.services.conversations import MessageInput
from topics.services.duplicates import search_duplicates
from topics.services.spaces import create_api_key
from topics.services.state import Put, write_state
from topics.services.statements import add_entry
from topics.services.topics import create_topic, delete_topic

ALL = ("read", "propose", "write", "review", "admin")
SAID_AT = datetime(2024, 5, 8, 13, 56, tzinfo=UTC)


class Api:
    """Calls the API with one key. Bodies are sent as JSON, answers are read by `.json()`."""

    base = "/api/v1/"

    def __init__(self, plain: str = "", **headers: str) -> None:
        self.client = Client(raise_request_exception=False)
        self.headers = ({"Authorization": f"Bearer {plain}"} if plain else {}) | headers

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        response: HttpResponse = self.client.generic(
            method, f"{self.base}{path}", data, "application/json", headers=self.headers | sent
        )
        return response

    def get(self, path: str, **headers: str) -> Any:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.call("POST", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.call("PUT", path, body, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.call("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.call("DELETE", path, **headers)


def make_api(space: Space, *scopes: str) -> Api:
    return Api(create_api_key(space=space, scopes=scopes or ALL)[1])


def read(space: Space, conversation: str, *texts: str, subject: str = "", said_at: datetime = SAID_AT) -> Job:
    """Store turns of a user, D1 and so on, and run the job that reads them."""
    messages = [
        MessageInput(id=f"D{n}", role="user", name="Caroline", content=text, said_at=said_at)
        for n, text in enumerate(texts, 1)
    ]
    job = record_messages(space=space, conversation=conversation, messages=messages, subject=subject).job
    assert job is not None
    run_job(job.pk, worker="tests")
    job.refresh_from_db()
    return job


@dataclass
class World:
    """One of everything, by the name under which the routes ask for it."""

    space: Space
    topic: str
    fact: str
    entry: str
    alias: str
    job: str
    conversation: str
    proposal: str
    conflict: str
    confirmation: str
    change_set: str
    duplicate: str
    key: str
    webhook: str
    delivery: str

    def ids(self) -> dict[str, str]:
        return {name: value for name, value in vars(self).items() if name != "space"}


def make_world(space: Space) -> World:
    """A topic with some of everything, a conflict that is being asked about, a failed job, a delivery given up.

    The policy is automatic.
    """
    actor = Actor(label="tests")
    topic = create_topic(space=space, actor=actor, name="Project Apollo", kind="project", aliases=["Apollo"])
    read(space, "c/1", "The budget for Project Apollo is 40,000 euros.", subject="Project Apollo")
    entry = add_entry(topic=topic, actor=actor, text="Kick-off", happened_at=SAID_AT)
    failed = read(space, "c/2", "The budget for Project Apollo is 55,000 euros.", subject="Project Apollo")
    Job.objects.filter(pk=failed.pk).update(status=Job.Status.FAILED)
    alike = create_topic(space=space, actor=actor, name="Apollo project", kind="project")
    search_duplicates(space=space)
    delete_topic(topic=alike, actor=actor)
    write_state(topic=topic, actor=actor, puts=[Put(key="thread/1", value={"step": 1})])
    conflict = Conflict.objects.get(space=space)
    resolve_conflict(conflict=conflict, actor=actor, outcome="ask")
    webhook = create_webhook(space=space, actor=actor, url="https://hooks.example.com/memory", events=[Event.ANSWERED])
    delivery = send_test(webhook=webhook)
    Job.objects.filter(delivery=delivery).update(status=Job.Status.FAILED)
    return World(
        space=space,
        topic=str(topic.pk),
        fact=str(Fact.objects.get(topic=topic).pk),
        entry=str(entry.pk),
        alias=str(topic.aliases.get(is_name=False).pk),
        job=str(failed.pk),
        conversation="c/1",
        proposal=str(conflict.proposal_id),
        conflict=str(conflict.pk),
        confirmation=str(Confirmation.objects.get(conflict=conflict).pk),
        change_set=str(ChangeSet.objects.filter(space=space).first().pk),
        duplicate=str(DuplicatePair.objects.get(space=space).pk),
        key="thread/1",
        webhook=str(webhook.pk),
        delivery=str(delivery.pk),
    )
