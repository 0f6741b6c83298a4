"""manage.py discover [SPACE …]"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from extraction.services.discovery import discover_now
from topics.models import Space


class Command(BaseCommand):
    help = "Look for topics among statements that belong to none, in the background. What is found is proposed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("spaces", nargs="*", metavar="SPACE", help="Slugs; all spaces when none is given")

    def handle(self, *args: Any, **options: Any) -> None:
        slugs = options["spaces"]
        spaces = Space.objects.filter(slug__in=slugs) if slugs else Space.objects.all()
        if unknown := set(slugs) - {space.slug for space in spaces}:
            raise CommandError(f"No such space: {', '.join(sorted(unknown))}")
        for space in spaces:
            self.stdout.write(f"{space.slug}: job {discover_now(space=space).pk}")
