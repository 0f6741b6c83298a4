"""Loads the example space: tells the stories to the product as an agent would, and reviews them as a person would."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction

from extraction.example import customer, smart_home
from extraction.example.story import Told
from extraction.extractors.rules import RulesExtractor
from extraction.models import Conflict, Job, Proposal
from extraction.services.decisions import decide_proposals
from extraction.services.gathering import read_now
from extraction.services.intake import record_messages
from extraction.services.jobs import run_job, worker_name
from extraction.services.reading import prepare_reading
from extraction.services.resolving import resolve_conflict
from topics.changes import Actor
from topics.models import ApiKey, Membership, Space
from topics.models.statement import Certainty
from topics.services.spaces import create_api_key, create_space, set_member

SLUG = "example"
USERNAME = "demo"


class ExampleFailed(Exception):
    """A conversation of the example could not be read. What was loaded before it stays."""


@dataclass(frozen=True, slots=True)
class Example:
    """What was made. `password` and `key` are never to be seen again."""

    space: Space
    username: str
    password: str
    key: str


def load_example() -> Example:
    """Make the example space with its person, its key and both stories, in the order in which they were told.

    Raises ExampleFailed when a conversation could not be read.
    """
    with transaction.atomic():
        space = create_space(slug=SLUG, name="Example / 示例", time_zone="Asia/Shanghai")
        user, password = _create_person(space)
        scopes = [ApiKey.Scope.READ, ApiKey.Scope.PROPOSE]  # what an agent needs that remembers
        _row, key = create_api_key(space=space, scopes=scopes, name="example", created_by=user)
    reviewer = Actor.person(user)
    for told in sorted(chain(customer.CONVERSATIONS, smart_home.CONVERSATIONS), key=lambda c: c.began_at):
        _read(space, told)
        if told.reviewed:
            _review(space, reviewer, told)
    return Example(space, user.get_username(), password, key)


def _create_person(space: Space) -> tuple[Any, str]:
    """An administrator of the site and of the space. The username gets a number when somebody has it already."""
    users = get_user_model()._default_manager
    taken = set(users.filter(username__startswith=USERNAME).values_list("username", flat=True))
    username = next(
        n for n in chain([USERNAME], (f"{USERNAME}{i}" for i in range(2, len(taken) + 3))) if n not in taken
    )
    password = secrets.token_urlsafe(12)
    user = users.create_superuser(username=username, password=password)
    set_member(space=space, user=user, role=Membership.Role.ADMIN)
    return user, password


def _read(space: Space, told: Told) -> None:
    record_messages(space=space, conversation=told.id, messages=told.messages, subject=told.subject)
    job = Job.objects.get(space=space, conversation__external_id=told.id)
    read_now(conversation=space.conversations.get(external_id=told.id))
    # By rules, whatever model there may be: the review that follows knows what they find.
    run_job(job.pk, worker=worker_name(), prepare=partial(prepare_reading, extractor=RulesExtractor()))
    job.refresh_from_db()
    if job.status != Job.Status.DONE:
        raise ExampleFailed(f"{told.id}: {job.error or job.get_status_display()}")


def _review(space: Space, reviewer: Actor, told: Told) -> None:
    """Let what changed replace what was held, approve what is settled, leave what is tentative for later."""
    found = Proposal.objects.filter(
        space=space, job__conversation__external_id=told.id, status=Proposal.Status.PENDING
    ).exclude(certainty=Certainty.TENTATIVE)
    for conflict in Conflict.objects.filter(proposal__in=found, status=Conflict.Status.OPEN).order_by("pk"):
        resolve_conflict(conflict=conflict, actor=reviewer, outcome=Conflict.Outcome.REPLACE)
    settled = list(found.order_by("pk").values_list("pk", flat=True))
    decide_proposals(space=space, actor=reviewer, ids=settled, decision="approve")
