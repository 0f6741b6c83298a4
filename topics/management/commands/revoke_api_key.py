"""`manage.py revoke_api_key SPACE START`: make a key useless from now on."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from topics.models import ApiKey
from topics.services.spaces import revoke_api_key


class Command(BaseCommand):
    help = "Revoke an API key of a space: it is refused from now on."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("space", help="the slug of the space")
        parser.add_argument("start", help="the first ten characters of the key, or the whole key")

    def handle(self, *args: Any, **options: Any) -> None:
        keys = ApiKey.objects.filter(space__slug=options["space"], prefix=options["start"][:10], revoked_at=None)
        if len(keys) != 1:
            raise CommandError(f"{options['space']} has {len(keys)} keys that begin so.")
        key = revoke_api_key(key=keys[0])
        self.stdout.write(f"Revoked {key}.")
