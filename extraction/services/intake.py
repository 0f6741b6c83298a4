"""Taking messages in: stored and queued in one transaction, so nothing after this can lose them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from extraction.models import Job, MessageOutcome
from extraction.services.embedding import request_embedding
from extraction.services.gathering import enqueue_extraction
from topics.models import Space
from topics.services.conversations import MessageInput, store_messages


@dataclass(frozen=True, slots=True)
class Intake:
    """What taking in did. `job` reads the new messages; when all were duplicates it is the job that read those."""

    job: Job | None
    accepted: int
    duplicates: int


def record_messages(*, space: Space, conversation: str, messages: Sequence[MessageInput], subject: str = "") -> Intake:
    """Store messages and queue their reading. Raises as `topics.services.conversations.store_messages`."""
    with transaction.atomic():
        stored = store_messages(space=space, conversation=conversation, messages=messages, subject=subject)
        if stored.messages:
            job: Job | None = enqueue_extraction(
                space=space, conversation=stored.conversation, messages=stored.messages
            )
            request_embedding(space=space)
        else:
            outcomes = MessageOutcome.objects.filter(message__in=stored.duplicates).select_related("job")
            job = max((o.job for o in outcomes), key=lambda j: j.pk, default=None)
        return Intake(job, len(stored.messages), len(stored.duplicates))
