"""All that holds of vectors holds where PostgreSQL finds what is near with pgvector.

The server is that of PGVECTOR_DATABASE_URL, or else one out of a package, which there is for some systems only.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

WHERE = ("tests/topics/pgvector/cases", "tests/extraction/embedding", "tests/topics/services/test_vectors.py")


@pytest.fixture
def server() -> Iterator[str]:
    if url := os.environ.get("PGVECTOR_DATABASE_URL"):
        yield url
        return
    pgserver = pytest.importorskip("pgserver", reason="no package with a server that has pgvector is installed")
    # A socket's path must be short.
    with tempfile.TemporaryDirectory(prefix="pgv") as folder, pgserver.get_server(folder):
        yield f"postgres://postgres@/postgres?host={folder}"


def test_all_that_holds_of_vectors_holds_with_pgvector(server: str, child_environment: dict[str, str]) -> None:
    environment = child_environment | {"DATABASE_URL": server, "INFINI_VECTORS_INDEXED_FROM": "0"}
    environment["TESTS_ON_PGVECTOR"] = "1"
    # Workers of the run that this is part of would be taken for its own.
    environment = {name: value for name, value in environment.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *WHERE]
    done = subprocess.run(command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout


@pytest.mark.django_db
def test_where_there_is_no_pgvector_the_command_says_so() -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
            if cursor.fetchone():
                return
    with pytest.raises(CommandError, match="pgvector"):
        call_command("use_pgvector")


def test_the_tests_that_run_there_exist() -> None:
    assert all((Path(settings.BASE_DIR) / path).exists() for path in WHERE)
