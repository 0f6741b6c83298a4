"""Conversations in which nobody has a name and nothing is named, told and discovered."""

from __future__ import annotations

from collections.abc import Sequence

from extraction.models import DISCOVERY, Job, Proposal
from extraction.selectors.gathered import gathered
from extraction.services.discovery import discover_now
from extraction.services.intake import record_messages
from tests.extraction.embedding.helpers import run_queued
from topics.models import Space
from topics.services.conversations import MessageInput

SERVER = (
    "The server migration is planned for 7 May.",
    "The server migration was moved to 14 May.",
    "The budget of the server migration is 20,000 euros.",
    "The server migration script is finished.",
    "The server migration was postponed to 21 May.",
    "The server migration was approved on 2 April.",
)
KITCHEN = (
    "The kitchen oven was delivered on 3 March.",
    "The kitchen worktop was delivered on 5 March.",
    "The price of the kitchen oven is 1,200 euros.",
    "The kitchen sink was delivered on 9 March.",
    "The budget of the kitchen is 15,000 euros.",
    "The kitchen floor is finished.",
)
CHINESE = (
    "服务器迁移的预算是2万元。",
    "服务器迁移脚本已经完成。",
    "服务器迁移推迟到5月14日。",
    "服务器迁移推迟到5月21日。",
    "服务器迁移文档已经完成。",
    "服务器迁移测试已经完成。",
)


def tell(space: Space, texts: Sequence[str], *, start: int = 0, **message: str) -> None:
    """Each text in a conversation of its own, read."""
    for n, text in enumerate(texts, start):
        record_messages(
            space=space, conversation=f"call {n}", messages=[MessageInput(role="user", content=text, **message)]
        )
    assert {job.status for job in run_queued(space, Job.Kind.EXTRACT)} == {Job.Status.DONE}


def discover(space: Space) -> None:
    """Run one discovery."""
    discover_now(space=space)
    jobs = run_queued(space, Job.Kind.DISCOVER)
    assert [job.status for job in jobs] == [Job.Status.DONE], [job.error for job in jobs]


def found(space: Space) -> dict[str, list[str]]:
    """Discovered topics that are not refused → what waits in them or was approved."""
    topics = Proposal.objects.filter(space=space, extractor=DISCOVERY).exclude(status="rejected").order_by("pk")
    return {
        topic.topic_name: sorted(Proposal.objects.filter(new_topic=topic).values_list("text", flat=True))
        for topic in topics
    }


def loose(space: Space) -> list[str]:
    return sorted(gathered(space).values_list("text", flat=True))
