"""manage.py discover [SPACE …]"""

from __future__ import annotations

from extraction.services.discovery import discover_now
from topics.management.spaces import SpacesCommand
from topics.models import Space


class Command(SpacesCommand):
    help = "Look for topics among statements that belong to none, in the background. What is found is proposed."

    def do(self, space: Space) -> str:
        return f"job {discover_now(space=space).pk}"
