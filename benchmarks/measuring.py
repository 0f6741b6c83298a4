"""What several of the measuring programs share: the memory in this process, plain BM25, and packing."""

from __future__ import annotations

import math
import os
import tempfile
import uuid
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from retrieval_recall import set_up_django, words


def open_memory(*, embedder: str) -> None:
    """Set Django up on an empty, temporary SQLite database."""
    os.environ["DATABASE_URL"] = f"sqlite:///{tempfile.mkdtemp()}/measured.sqlite3"
    os.environ["INFINI_EMBEDDER"] = embedder
    os.environ["INFINI_LOG_LEVEL"] = "WARNING"
    set_up_django()


def make_space(language: str) -> Any:
    """A space in which nothing waits for a person and the newest statement wins."""
    from topics.services.spaces import create_space

    slug = f"measured-{uuid.uuid4().hex[:10]}"
    return create_space(slug=slug, language=language, review_policy="automatic", conflict_policy="newest")


def work_off(space: Any) -> None:
    """Run the jobs that read and embed, whenever they are due."""
    from django.utils import timezone

    from extraction.models import Job
    from extraction.services.jobs import run_job

    kinds = (Job.Kind.EXTRACT, Job.Kind.EMBED)
    while job := Job.objects.filter(space=space, kind__in=kinds, status=Job.Status.QUEUED).order_by("-kind").first():
        Job.objects.filter(pk=job.pk).update(run_after=timezone.now())
        if not run_job(job.pk, worker="benchmark"):
            raise SystemExit(f"job {job.pk} does not run")


class BM25:
    """Okapi BM25 over single turns, without stemming (k1 = 1.5, b = 0.75)."""

    def __init__(self, texts: Sequence[str], k1: float = 1.5, b: float = 0.75) -> None:
        counts = [Counter(words(text)) for text in texts]
        lengths = [sum(count.values()) for count in counts]
        mean = sum(lengths) / max(1, len(texts)) or 1.0
        rows = Counter(word for count in counts for word in count)
        self._counts, self._k1 = counts, k1
        self._norms = [k1 * (1 - b + b * length / mean) for length in lengths]
        self._idf = {word: math.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for word, n in rows.items()}

    def rank(self, question: str) -> list[int]:
        """Places of the texts that hold a word of the question, the best first."""
        asked = set(words(question)) & self._idf.keys()
        scores = [
            sum(self._idf[w] * count[w] * (self._k1 + 1) / (count[w] + norm) for w in asked if w in count)
            for count, norm in zip(self._counts, self._norms, strict=True)
        ]
        return [place for place in sorted(range(len(scores)), key=lambda n: (-scores[n], n)) if scores[place] > 0]


def packed(order: Iterable[int], costs: Sequence[int], budget: int) -> set[int]:
    """The places that fit into the budget in this order; what does not fit is skipped."""
    taken, used = set(), 0
    for place in order:
        if used + costs[place] <= budget:
            taken.add(place)
            used += costs[place]
    return taken


def share(wanted: Collection[Any], found: Collection[Any]) -> float:
    return len(set(wanted) & set(found)) / len(set(wanted))
