"""manage.py rebuild_index [SPACE …]"""

from __future__ import annotations

from topics.management.spaces import SpacesCommand
from topics.models import Space
from topics.retrieval.index import rebuild_index


class Command(SpacesCommand):
    help = "Write the search index anew from the memory: after an upgrade that changed the analysis, or a repair."

    def do(self, space: Space) -> str:
        return f"{rebuild_index(space)} rows"
