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
        parser.add_argument(
            "--conflict-policy", default=Space.ConflictPolicy.REVIEW, choices=Space.ConflictPolicy.values
        )
        parser.add_argument(
            "--source-turns",
            default="",
            choices=["", *Space.SourceTurns.values],
            help="what agents see beside statements (default: all where review is automatic, else approved)",
        )
        parser.add_argument(
            "--topic-sensitivity",
            default=Space.TopicSensitivity.NORMAL,
            choices=Space.TopicSensitivity.values,
            help="how soon something becomes a topic of its own (default: normal)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        names = ("slug", "name", "language", "time_zone", "review_policy", "conflict_policy", "source_turns")
        wanted = {name: options[name] for name in (*names, "topic_sensitivity")}
        try:
            space = create_space(**wanted)
        except MemoryRefusal as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(f"Created the space {space.slug} ({space.name}, review policy: {space.review_policy}).")
