"""Running what is queued, and asking what it left."""

from __future__ import annotations

from django.utils import timezone

from extraction.models import Job
from extraction.services.jobs import run_job
from topics.models import Space, Vector, VectorSet
from topics.selectors.vectors import Kind, vector_space


def run_queued(space: Space, kind: str = Job.Kind.EMBED) -> list[Job]:
    """Run every queued job of this kind once, whenever it is due; the jobs as they ended."""
    jobs = list(Job.objects.filter(space=space, kind=kind, status=Job.Status.QUEUED).order_by("pk"))
    for job in jobs:
        Job.objects.filter(pk=job.pk).update(run_after=timezone.now())
        assert run_job(job.pk, worker="tests")
        job.refresh_from_db()
    return jobs


def embed_all(space: Space) -> None:
    """Run what is queued; it must end well."""
    assert [job.status for job in run_queued(space)] == [Job.Status.DONE], Job.objects.values_list("error", flat=True)


def nearest(space: Space, kind: Kind, text: str, *, limit: int = 3, floor: float = 0.5) -> list[str]:
    """The names or texts of what is near."""
    found = vector_space(space)
    assert found is not None
    near = found.nearest(kind, found.embedder.embed([text])[0], limit=limit, floor=floor)
    rows = {
        v.topic_id or v.fact_id or v.message_id: v for v in Vector.objects.select_related("topic", "fact", "message")
    }
    held = [rows[n.pk] for n in near]
    return [v.topic.name if v.topic else v.fact.text if v.fact else v.message.content for v in held]


def sets(space: Space) -> list[tuple[str, int | None, str, int]]:
    """Embedder, dimensions, state and number of vectors of each set, the oldest first."""
    rows = VectorSet.objects.filter(space=space).order_by("pk")
    return [(s.embedder.split(" @ ")[0], s.dimensions, s.state, s.vectors.count()) for s in rows]
