"""`manage.py create_api_key SPACE --scopes read,propose`: make a key and print it, alone, on one line."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from topics.errors import MemoryRefusal
from topics.models import ApiKey, Space
from topics.services.spaces import create_api_key, read_expiry


class Command(BaseCommand):
    help = "Create an API key of a space and print it, alone, on one line. It is never shown again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("space", help="the slug of the space")
        scopes = ", ".join(ApiKey.Scope.values)
        parser.add_argument("--scopes", required=True, help=f"one or more of {scopes}, with commas")
        parser.add_argument("--name", default="", help="what the key is for")
        parser.add_argument(
            "--expires", help="the last day, a date and time, or so many days from now (90d); without it never"
        )
        parser.add_argument(
            "--requests-per-minute", type=int, help="its own limit, 0 for none; without it that of the installation"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        space = Space.objects.filter(slug=options["space"]).first()
        if space is None:
            raise CommandError(f"There is no space {options['space']}.")
        scopes = [scope.strip() for scope in options["scopes"].split(",") if scope.strip()]
        try:
            _key, plain = create_api_key(
                space=space,
                scopes=scopes,
                name=options["name"],
                expires_at=read_expiry(options["expires"], space=space) if options["expires"] is not None else None,
                requests_per_minute=options["requests_per_minute"],
            )
        except MemoryRefusal as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(plain)
