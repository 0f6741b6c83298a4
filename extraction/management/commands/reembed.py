"""manage.py reembed [SPACE …]"""

from __future__ import annotations

from extraction.services.embedding import reembed
from topics.management.spaces import SpacesCommand
from topics.models import Space


class Command(SpacesCommand):
    help = (
        "Turn all texts into vectors anew, in the background: when a model has changed behind its name. Until that is "
        "done, the present vectors go on answering. A change of the embedder itself needs no command."
    )

    def do(self, space: Space) -> str:
        job = reembed(space=space)
        return f"job {job.pk}" if job else "no embedder is set"
