"""`manage.py create_space SLUG`: make a space."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from topics.errors import MemoryRefusal
from topics.models import Space
from topics.services.spaces import create_space


class Command(BaseCommand):
    help = "Create a space: a memory of its own, with its own people, keys and policies."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="lower-case letters, digits, - and _, for example acme-sales")
        parser.add_argument("--name", default="", help="the name that people see (default: the slug)")
        parser.add_argument("--language", default=Space.Language.ENGLISH, choices=Space.Language.values)
        parser.add_argument("--time-zone", default="UTC", help="an IANA name, for example Asia/Shanghai")
        parser.add_argument("--review-policy", default=Space.ReviewPolicy.EVERYTHING, choices=Space.ReviewPolicy.values)

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = {name: options[name] for name in ("slug", "name", "language", "time_zone", "review_policy")}
        try:
            space = create_space(**wanted)
        except MemoryRefusal as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(f"Created the space {space.slug} ({space.name}, review policy: {space.review_policy}).")
