"""manage.py rebuild_index [SPACE …]"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from topics.models import Space
from topics.retrieval.index import rebuild_index


class Command(BaseCommand):
    help = "Write the search index anew from the memory: after an upgrade that changed the analysis, or a repair."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("spaces", nargs="*", metavar="SPACE", help="Slugs; all spaces when none is given")

    def handle(self, *args: Any, **options: Any) -> None:
        slugs = options["spaces"]
        spaces = Space.objects.filter(slug__in=slugs) if slugs else Space.objects.all()
        unknown = set(slugs) - {space.slug for space in spaces}
        if unknown:
            raise CommandError(f"No such space: {', '.join(sorted(unknown))}")
        for space in spaces:
            self.stdout.write(f"{space.slug}: {rebuild_index(space)} rows")
