"""Let PostgreSQL's pgvector find what is near in large spaces."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from topics.errors import MemoryRefusal
from topics.models import VectorSet
from topics.services.vector_index import keep_indexes, use_pgvector


class Command(BaseCommand):
    help = (
        "Use pgvector from now on, on a server where it came after this database was made, and make the indexes of all "
        "large spaces. Does nothing where that is done."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            use_pgvector()
        except MemoryRefusal as refusal:
            raise CommandError(str(refusal)) from refusal
        sets = VectorSet.objects.filter(state=VectorSet.State.CURRENT).select_related("space").order_by("pk")
        for held in sets:
            self.stdout.write(f"{held.space.slug}: looking for what needs an index …")
            made = keep_indexes(held)
            self.stdout.write(f"{held.space.slug}: {', '.join(made) or 'nothing to do'}")
        self.stdout.write("pgvector is in use.")
