"""manage.py reembed [SPACE …]"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from extraction.services.embedding import reembed
from topics.models import Space


class Command(BaseCommand):
    help = (
        "Turn all texts into vectors anew, in the background: when a model has changed behind its name. Until that is "
        "done, the present vectors go on answering. A change of the embedder itself needs no command."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("spaces", nargs="*", metavar="SPACE", help="Slugs; all spaces when none is given")

    def handle(self, *args: Any, **options: Any) -> None:
        slugs = options["spaces"]
        spaces = Space.objects.filter(slug__in=slugs) if slugs else Space.objects.all()
        if unknown := set(slugs) - {space.slug for space in spaces}:
            raise CommandError(f"No such space: {', '.join(sorted(unknown))}")
        for space in spaces:
            job = reembed(space=space)
            self.stdout.write(f"{space.slug}: {f'job {job.pk}' if job else 'no embedder is set'}")
