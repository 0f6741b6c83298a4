"""When a conversation is read: new messages gather in one job until there is enough to read, or a silence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from extraction.models import Job, MessageOutcome
from extraction.selectors.jobs import UNFINISHED
from extraction.services.jobs import ring
from extraction.services.reading import extractor_for
from topics.errors import WrongState
from topics.models import Conversation, Message, Passage, Space
from topics.retrieval.index import SHOWN_ROLES

# Where the space sets nothing. Rules cost nothing, so they read at once; a model understands more of several turns, and
# a call for each would cost many times as much.
MODEL_TURNS = 8
TOKENS = 1_500
SILENCE_SECONDS = 120
# A failing model is asked again within the timeout; the last of these tries may take as long once more.
REPLY_TIMEOUTS = 2
READ = (MessageOutcome.Outcome.EXTRACTED, MessageOutcome.Outcome.NOTHING)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What makes a gathering job due: turns (0: at once), tokens in them (o200k_base), or a silence."""

    turns: int
    tokens: int
    silence: timedelta


@dataclass(frozen=True, slots=True)
class Missing:
    """What a gathering job still waits for, whichever comes first: turns, tokens, or nothing said until `until`."""

    turns: int
    tokens: int
    until: datetime


def thresholds_of(space: Space) -> Thresholds:
    """What the space sets, else what suits its extractor."""
    default_turns = 0 if extractor_for(space).model is None else MODEL_TURNS
    return Thresholds(
        turns=default_turns if space.read_after_turns is None else space.read_after_turns,
        tokens=space.read_after_tokens or TOKENS,
        silence=timedelta(seconds=space.read_after_seconds or SILENCE_SECONDS),
    )


def missing(job: Job) -> Missing | None:
    """What the job waits for before it is read; None for one that waits for none."""
    if not job.gathering or job.kind != Job.Kind.EXTRACT:
        return None
    limits = thresholds_of(job.space)
    turns, tokens = _gathered(job)
    return Missing(max(limits.turns - turns, 0), max(limits.tokens - tokens, 0), job.run_after)


def enqueue_extraction(
    *, space: Space, conversation: Conversation, messages: Sequence[Message], awaits_reply: bool = False
) -> Job:
    """Let newly stored messages join the gathering job of their conversation, or begin one: that job.

    It becomes due when enough has gathered, else when nothing more came for a while. With `awaits_reply` it waits for
    one more message, as long as a model may take to write it, or until `end_waiting`. Needs the caller's transaction,
    which holds the conversation, so that two that store at once come one after the other.
    """
    limits = thresholds_of(space)
    # A worker that claims the job ends the gathering: this waits for it and then finds none.
    job = Job.objects.select_for_update(no_key=True).filter(conversation=conversation, gathering=True).first()
    if job is None:
        job = Job.objects.create(
            space=space,
            conversation=conversation,
            gathering=awaits_reply or limits.turns > 0,
            max_attempts=settings.INFINI_JOB_MAX_ATTEMPTS,
        )
    MessageOutcome.objects.bulk_create(MessageOutcome(message=message, job=job) for message in messages)
    if not job.gathering:
        transaction.on_commit(partial(ring, job.pk))
    elif awaits_reply:
        _put_off(job, max(limits.silence, timedelta(seconds=REPLY_TIMEOUTS * settings.INFINI_MODEL_TIMEOUT)))
    else:
        _weigh(job, limits)
    return job


def end_waiting(*, job: Job) -> None:
    """No reply will come: read the job as though none had been awaited."""
    with transaction.atomic():
        waiting = Job.objects.select_for_update(no_key=True).filter(pk=job.pk, gathering=True).first()
        if waiting is not None:
            _weigh(waiting, thresholds_of(waiting.space))


def read_now(*, conversation: Conversation) -> Job | None:
    """Read what has gathered without waiting for more: the job that reads it, else one that reads already, if any."""
    with transaction.atomic():
        job = Job.objects.select_for_update(no_key=True).filter(conversation=conversation, gathering=True).first()
        if job is not None:
            _make_due(job)
            return job
    unfinished = Job.objects.filter(conversation=conversation, status__in=UNFINISHED)
    return unfinished.order_by("-pk").first()


def read_again(*, conversation: Conversation) -> Job:
    """Read once more what was read already, as the space reads now: a job of its own, due at once.

    What these words were proposed for before is never proposed again from them, so only what is new is found. The
    messages belong to this job from then on; what failed or still gathers stays with its own. Raises WrongState while
    the conversation is being read, and when none of it was read yet.
    """
    with transaction.atomic():
        list(Conversation.objects.select_for_update(no_key=True).filter(pk=conversation.pk).values("pk"))
        if Job.objects.filter(conversation=conversation, gathering=False, status__in=UNFINISHED).exists():
            raise WrongState(_("This conversation is being read already."))
        job = Job.objects.create(
            space=conversation.space, conversation=conversation, max_attempts=settings.INFINI_JOB_MAX_ATTEMPTS
        )
        read = MessageOutcome.objects.filter(message__conversation=conversation, outcome__in=READ)
        if not read.update(job=job, outcome=MessageOutcome.Outcome.WAITING, error=""):
            raise WrongState(_("Nothing of this conversation has been read yet."))
        transaction.on_commit(partial(ring, job.pk))
    return job


def _weigh(job: Job, limits: Thresholds) -> None:
    """Make the job due if enough has gathered, else after a silence."""
    if _has_enough(job, limits):
        _make_due(job)
    else:
        _put_off(job, limits.silence)


def _has_enough(job: Job, limits: Thresholds) -> bool:
    if limits.turns == 0:
        return True
    turns, tokens = _gathered(job)
    return turns >= limits.turns or tokens >= limits.tokens


def _gathered(job: Job) -> tuple[int, int]:
    """Turns of the job and the tokens in them, as counted when they were indexed."""
    turns = Q(message__role__in=SHOWN_ROLES)
    count = job.messages.aggregate(turns=Count("pk", filter=turns))["turns"]
    tokens = Passage.objects.filter(message__outcome__job=job).aggregate(tokens=Sum("line_tokens"))["tokens"]
    return count, tokens or 0


def _put_off(job: Job, wait: timedelta) -> None:
    job.run_after = timezone.now() + wait
    job.save(update_fields=["run_after"])


def _make_due(job: Job) -> None:
    job.gathering, job.run_after = False, timezone.now()
    job.save(update_fields=["gathering", "run_after"])
    transaction.on_commit(partial(ring, job.pk))
