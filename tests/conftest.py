"""What every test needs: settings that make it quick, a database file, an environment for processes it starts."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connections
from django.test import override_settings
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from pytest_django import DjangoDbBlocker

from tests.inference import wire as wire_server

# They need frameworks that are not installed here: `make adapters`.
collect_ignore = ["adapters"]

# A busy machine is no fault of what is tested.
hypothesis_settings.register_profile("calm", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("calm")

# Commands that a test starts as processes refuse the default key, as they should.
os.environ.setdefault("INFINI_SECRET_KEY", "tests-only-" + "0123456789abcdef" * 4)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what touches the configured database: the rest is the same on every one.

    The tests of the extractor `llm` store what it finds the way that the tests of filing and of jobs do, and wait for a
    misbehaving endpoint most of the time: once is enough.
    """
    for item in items:
        if (item.path.parent.parent.name, item.path.parent.name) == ("extraction", "llm"):
            continue
        fixtures = getattr(item, "fixturenames", ())
        if item.get_closest_marker("django_db") or not {"db", "transactional_db"}.isdisjoint(fixtures):
            item.add_marker(pytest.mark.database)


@pytest.fixture(scope="session", autouse=True)
def quick_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cheap password hash, and static files that need not be collected first."""
    storages = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    with override_settings(
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        STORAGES=storages,
        STATIC_ROOT=tmp_path_factory.mktemp("static"),
    ):
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    tmp_path_factory: pytest.TempPathFactory, django_db_modify_db_settings_parallel_suffix: None
) -> None:
    """SQLite tests use a file: an in-memory database knows no WAL and no second process, and locks differently."""
    if connections["default"].vendor == "sqlite":
        connections["default"].settings_dict["TEST"]["NAME"] = str(tmp_path_factory.mktemp("db") / "test.sqlite3")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """PostgreSQL need not wait for its disk at the end of each transaction: nobody unplugs a test."""
    connection = connections["default"]
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            name = connection.ops.quote_name(connection.settings_dict["NAME"])
            cursor.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
            connection.close()


@pytest.fixture(scope="session", autouse=True)
def quick_flush() -> Iterator[None]:
    """Empty PostgreSQL's tables after a test by DELETE: most hold nothing, and TRUNCATE makes a new file for each.

    Foreign keys are checked at the end of the transaction. Twice, since a trigger may write while others are emptied.
    """

    def sql_flush(self: Any, style: Any, tables: list[str], **options: Any) -> list[str]:
        return [f"DELETE FROM {self.quote_name(table)}" for table in tables] * 2

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.db.backends.postgresql.operations.DatabaseOperations.sql_flush", sql_flush)
        yield


@pytest.fixture
def wire() -> Iterator[wire_server.Wire]:
    """A scripted model endpoint, which the settings name; see tests/inference/wire.py."""
    with (
        wire_server.serve() as server,
        override_settings(OPENAI_BASE_URL=server.url, OPENAI_API_KEY="wire-key", INFINI_MODEL="wire-model"),
    ):
        yield server


@pytest.fixture
def child_environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a process that a test starts: an SQLite database of its own, no broker."""
    return os.environ | {
        "DATABASE_URL": f"sqlite:///{tmp_path / 'child.sqlite3'}",
        "CELERY_BROKER_URL": "",
        "PYTHONPATH": str(settings.BASE_DIR),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
