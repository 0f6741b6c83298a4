"""`manage.py load_example`: fills an empty installation with two stories, so that there is something to look at."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from extraction.example.loading import Example, ExampleFailed, load_example
from topics.models import Space

QUESTION = "What is the budget of Fernhill Logistics?"


class Command(BaseCommand):
    help = "Load the example space, a person and a key into an installation that has no space yet."

    def handle(self, **options: Any) -> None:
        if Space.objects.exists():
            self.stdout.write("The example was not loaded: there is a space already.")
            return
        try:
            example = load_example()
        except ExampleFailed as error:
            raise CommandError(f"The example could not be read to its end. {error}") from error
        self.stdout.write(what_to_do(example))


def what_to_do(example: Example) -> str:
    """Where to go and with what, for a person who sees the product for the first time."""
    address = f"http://127.0.0.1:{settings.PORT}"
    return "\n".join(
        [
            "The example space is ready. Password and key are shown this once.",
            "",
            f"  Address   {address}",
            f"  Login     {example.username}",
            f"  Password  {example.password}",
            f"  API key   {example.key}  (scopes: read, propose)",
            "",
            "Ask the memory as an agent does:",
            "",
            f"  curl -sG {address}/api/v1/memory/query -H 'Authorization: Bearer {example.key}' \\",
            f"    --data-urlencode 'q={QUESTION}'",
            "",
        ]
    )
