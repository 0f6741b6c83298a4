"""A small space to review, filled as an agent would fill it: messages go in, the rules read them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.contrib.auth.models import User

from extraction.models import Proposal
from extraction.services.decisions import decide_proposals
from extraction.services.intake import record_messages
from extraction.services.reading import prepare_reading
from topics.changes import Actor
from topics.models import Membership, Space, Topic
from topics.services.conversations import MessageInput
from topics.services.spaces import create_space, set_member
from topics.services.topics import create_topic

PASSWORD = "a-long-secret"
MAY = datetime(2026, 5, 14, 8, 0, tzinfo=UTC)


def make_member(space: Space, name: str, role: str = Membership.Role.REVIEWER) -> User:
    user = User.objects.create_user(name, password=PASSWORD)
    set_member(space=space, user=user, role=role)
    return user


def make_space(slug: str = "sales") -> Space:
    return create_space(slug=slug, name=slug.title(), time_zone="Asia/Shanghai")


def make_topic(space: Space, name: str) -> Topic:
    return create_topic(space=space, actor=Actor(label="setup"), name=name, kind=Topic.Kind.PROJECT)


def tell(
    space: Space, *lines: str, subject: str, speaker: str = "Zhang Wei", said_at: datetime | None = None
) -> list[Proposal]:
    """Take in one conversation, a turn each minute, read it, and return what it proposes in the order of filing.

    Each conversation begins an hour after the one before, unless `said_at` tells another time. A line that starts with
    "> " is the assistant's.
    """
    count = space.conversations.count()
    begins = said_at or MAY + timedelta(hours=count)
    known = set(Proposal.objects.filter(space=space).values_list("pk", flat=True))
    messages = [
        MessageInput(
            role="assistant" if line.startswith("> ") else "user",
            name="" if line.startswith("> ") else speaker,
            content=line.removeprefix("> "),
            said_at=begins + timedelta(minutes=minute),
        )
        for minute, line in enumerate(lines)
    ]
    intake = record_messages(space=space, conversation=f"call-{count + 1}", messages=messages, subject=subject)
    assert intake.job is not None
    prepare_reading(intake.job)()
    return list(Proposal.objects.filter(space=space).exclude(pk__in=known).order_by("pk"))


def approve(space: Space, *proposals: Proposal) -> None:
    done = decide_proposals(space=space, actor=Actor(label="setup"), ids=[p.pk for p in proposals], decision="approve")
    assert [r.status for r in done.results] == ["approved"] * len(proposals)
