"""Keeping the vectors of a space complete, in the background and in batches.

Every batch is embedded with no transaction open and written under the job's fence, so a worker that dies costs one
batch, and a job that fails goes on where it stopped. What is missing is read from the tables each time: nothing has to
be remembered about what changed.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db import DatabaseError
from django.dispatch import receiver

from extraction.extractors.protocol import ExtractionError
from extraction.models import Job
from extraction.services.background import is_being_done, request_job
from inference.embeddings import Embedder, Vectors, embedder_for
from inference.errors import InferenceError
from topics.models import ChangeSet, Space, VectorSet
from topics.selectors.vectors import Kind, Wanted, digests, missing, wanted_set
from topics.services.vector_index import keep_indexes, lacks_index
from topics.services.vectors import begin_anew, finish_set, store_vectors
from topics.signals import documents_changed

log = structlog.get_logger(__name__)

# What happens within this time after a change is embedded along with it.
PAUSE = timedelta(seconds=5)
BATCH = 256


@receiver(documents_changed, dispatch_uid="extraction.request_embedding")
def after_change(sender: Any, change_set: ChangeSet, topics: Collection[Any], **kwargs: Any) -> None:
    """Embed what the change set wrote."""
    request_embedding(space=change_set.space)


def request_embedding(*, space: Space) -> Job | None:
    """Queue the embedding of what has no vector yet; None where the space does without vectors."""
    if embedder_for(space) is None:
        return None
    return request_job(space=space, kind=Job.Kind.EMBED, delay=PAUSE)


def request_missing() -> int:
    """Queue it in every space where something is missing: after the embedder was changed. How many there were."""
    count = 0
    for space in Space.objects.order_by("pk"):
        if _is_behind(space):
            request_job(space=space, kind=Job.Kind.EMBED, delay=timedelta())
            count += 1
    return count


def _is_behind(space: Space) -> bool:
    if embedder_for(space) is None:
        return False
    held = wanted_set(space)
    is_in_use = held is not None and held.state == VectorSet.State.CURRENT
    return bool(missing(space, held if is_in_use else None, limit=1))


def reembed(*, space: Space) -> Job | None:
    """Embed the whole space anew; until that is done, the present vectors go on answering. None without an embedder."""
    embedder = embedder_for(space)
    if embedder is None:
        return None
    begin_anew(space=space, embedder=embedder.name)
    return request_job(space=space, kind=Job.Kind.EMBED, delay=timedelta())


def prepare_embedding(job: Job) -> Any:
    """Embed one batch of what is missing; returns the function that writes it and says whether more is left.

    Raises ExtractionError when the embedder fails.
    """
    embedder = embedder_for(job.space, job=job.pk)
    if embedder is None or is_being_done(job):
        return lambda: False
    held = wanted_set(job.space)
    is_in_use = held is not None and held.state == VectorSet.State.CURRENT
    if held is not None and is_in_use:
        _keep_indexes(held)
    wanted = missing(job.space, held, limit=BATCH)
    known = digests(held, wanted)
    fresh = [item for item in wanted if item.text.strip() and known.get((item.kind, item.pk)) != item.digest]
    rows = _embed(embedder, fresh)

    def write() -> bool:
        if not wanted and held is None:
            return False
        stored = held
        if wanted or stored is None:
            stored = store_vectors(space=job.space, embedder=embedder.name, held=held, wanted=wanted, rows=rows)
        # An index is tried for once: without it everything is found as well, only slower.
        return finish_set(held=stored) or (not is_in_use and lacks_index(stored))

    return write


def _keep_indexes(held: VectorSet) -> None:
    try:
        keep_indexes(held)
    except DatabaseError as error:
        log.warning("vectors_not_indexed", vector_set=held.pk, error=str(error))


def _embed(embedder: Embedder, wanted: list[Wanted]) -> dict[tuple[Kind, UUID], Vectors]:
    if not wanted:
        return {}
    try:
        rows = embedder.embed([item.text for item in wanted])
    except InferenceError as error:
        raise ExtractionError(error, retry=error.retry, retry_after=error.retry_after) from error
    return {(item.kind, item.pk): row for item, row in zip(wanted, rows, strict=True)}
