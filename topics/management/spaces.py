"""What commands share that do one thing to some spaces, or to all."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from topics.models import Space


class SpacesCommand(BaseCommand):
    """`manage.py NAME [SPACE …]`: `do` for each space that is named, or for all when none is."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("spaces", nargs="*", metavar="SPACE", help="Slugs; all spaces when none is given")

    def handle(self, *args: Any, **options: Any) -> None:
        slugs = options["spaces"]
        spaces = Space.objects.filter(slug__in=slugs) if slugs else Space.objects.all()
        if unknown := set(slugs) - {space.slug for space in spaces}:
            raise CommandError(f"No such space: {', '.join(sorted(unknown))}")
        for space in spaces:
            self.stdout.write(f"{space.slug}: {self.do(space)}")

    def do(self, space: Space) -> str:
        """Do it to one space; what came of it, for the line that is printed."""
        raise NotImplementedError
