"""What a model answers, and what stands in the document after it."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from extraction.models import Job
from extraction.services.jobs import run_job
from tests.inference.wire import Reply, answer_json
from topics.models import Topic

MAKES = ("Acme makes anvils in Leeds.", ["f1"])
BUDGET = ("Its budget is 40,000 euros.", ["f2"])
DECIDED = ("Acme decided on option A and prefers email.", ["f3", "f4"])


def summary(*sentences: tuple[Any, Any]) -> Reply:
    """The answer of a model with these sentences and the facts that each names."""
    return answer_json({"sentences": [{"text": text, "facts": facts} for text, facts in sentences]})


def summarise(topic: Topic) -> Job | None:
    """Run the job that gathers for this topic, as though its pause were over; None when there is none."""
    job = Job.objects.filter(topic=topic, gathering=True).first()
    if job is None:
        return None
    Job.objects.filter(pk=job.pk).update(run_after=timezone.now())
    assert run_job(job.pk, worker="tests")
    job.refresh_from_db()
    return job


def told(topic: Topic) -> str:
    topic.refresh_from_db()
    return topic.summary


def sentences(topic: Topic) -> list[tuple[str, bool]]:
    """Each sentence of the summary, and whether it is stale."""
    topic.refresh_from_db()
    return [(sentence["text"], sentence["stale"]) for sentence in topic.summary_sentences]
