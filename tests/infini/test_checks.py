"""Each dangerous configuration is reported under its id, and the configuration we ship is not."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import CheckMessage, Tags, run_checks
from django.db import connections
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

pytestmark = pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")

GOOD_SQLITE: dict[str, Any] = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": "memory.sqlite3",
    "OPTIONS": {
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": "PRAGMA journal_mode = WAL; PRAGMA synchronous=NORMAL",
    },
}


def ids(**options: Any) -> list[str]:
    messages: list[CheckMessage] = run_checks(**options)
    return [str(message.id) for message in messages if str(message.id).startswith("infini.")]


@pytest.fixture(autouse=True)
def _good_configuration(settings: Settings) -> None:
    settings.SECRET_KEY = "a key of our own"
    settings.DATABASES = {"default": deepcopy(GOOD_SQLITE)}
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:6379/0"
    settings.OPENAI_BASE_URL = "https://api.openai.com/v1"
    settings.OPENAI_API_KEY = settings.INFINI_MODEL = ""
    settings.CELERY_BEAT_SCHEDULE = {"sweep": {"task": "extraction.tasks.sweep", "schedule": 15}}


def test_a_good_configuration_passes() -> None:
    assert ids() == []


def test_the_default_secret_key_is_an_error_outside_debug(settings: Settings) -> None:
    settings.SECRET_KEY = settings.DEFAULT_SECRET_KEY
    settings.DEBUG = False
    assert ids() == ["infini.E001"]
    settings.DEBUG = True
    assert ids() == []


@pytest.mark.parametrize(
    "options",
    [
        {"transaction_mode": "DEFERRED"},
        {"transaction_mode": None},
        {"init_command": "PRAGMA journal_mode=DELETE"},
        {"init_command": ""},
        {"timeout": 5},
    ],
)
def test_sqlite_options_that_do_not_suit_writers_are_an_error(settings: Settings, options: dict[str, Any]) -> None:
    settings.DATABASES["default"]["OPTIONS"] |= options
    assert ids() == ["infini.E002"]


def test_every_missing_sqlite_option_is_named(settings: Settings) -> None:
    settings.DATABASES["default"]["OPTIONS"] = {}
    assert ids() == ["infini.E002"] * 3


def test_sqlite_options_are_not_asked_of_postgresql(settings: Settings) -> None:
    settings.DATABASES["default"] = {"ENGINE": "django.db.backends.postgresql", "NAME": "memory"}
    assert ids() == []


@pytest.fixture
def sqlite_connection(tmp_path: Path, django_db_blocker: Any) -> Iterator[Callable[[str], None]]:
    """Makes a new SQLite file, opened with the given init_command, the default connection until the test ends."""
    before = connections["default"]

    def connect(init_command: str) -> None:
        config = {"ENGINE": GOOD_SQLITE["ENGINE"], "NAME": str(tmp_path / "other.sqlite3")}
        config |= {"OPTIONS": {"init_command": init_command}}
        connections["default"] = DatabaseWrapper(connections.configure_settings({"default": config})["default"])

    with django_db_blocker.unblock():
        yield connect
        connections["default"].close()
        connections["default"] = before


@pytest.mark.parametrize(("init_command", "expected"), [("PRAGMA journal_mode=WAL", []), ("", ["infini.E002"])])
def test_the_running_database_must_be_in_wal_mode(
    sqlite_connection: Callable[[str], None], init_command: str, expected: list[str]
) -> None:
    sqlite_connection(init_command)
    assert ids(tags=[Tags.database], databases=["default"]) == expected


@pytest.mark.django_db
def test_no_connection_is_opened_unless_asked_for() -> None:
    with CaptureQueriesContext(connections["default"]) as queries:
        assert ids(tags=[Tags.database], databases=[]) == []
        assert ids() == []
    assert len(queries) == 0


@pytest.mark.parametrize("schedule", [{}, {"other": {"task": "extraction.tasks.other", "schedule": 15}}])
def test_a_broker_without_the_sweep_is_an_error(settings: Settings, schedule: dict[str, Any]) -> None:
    settings.CELERY_BEAT_SCHEDULE = schedule
    assert ids() == ["infini.E003"]
    settings.CELERY_BROKER_URL = ""
    assert ids() == []


@pytest.mark.parametrize("url", ["filesystem://", "memory://", "sqla+sqlite:///celery.sqlite3", "127.0.0.1:6379"])
def test_a_broker_that_loses_work_is_an_error(settings: Settings, url: str) -> None:
    settings.CELERY_BROKER_URL = url
    assert ids() == ["infini.E004"]


@pytest.mark.parametrize("url", ["redis://h/0", "rediss://h/0", "amqp://h//", "amqps://h//"])
def test_redis_and_rabbitmq_are_supported(settings: Settings, url: str) -> None:
    settings.CELERY_BROKER_URL = url
    assert ids() == []


def test_a_transaction_around_every_request_is_an_error(settings: Settings) -> None:
    settings.DATABASES["default"]["ATOMIC_REQUESTS"] = True
    assert ids() == ["infini.E005"]


@pytest.mark.parametrize(
    "values",
    [
        {"INFINI_MODEL": "m", "OPENAI_API_KEY": ""},
        {"INFINI_MODEL": "m", "OPENAI_BASE_URL": "localhost:8080/v1", "OPENAI_API_KEY": "k"},
        {"INFINI_MODEL": "m", "OPENAI_BASE_URL": "https://user:secret@models.example/v1", "OPENAI_API_KEY": "k"},
        {"INFINI_MODEL": "m", "OPENAI_API_KEY": "sk-…"},
        {"INFINI_EMBEDDER": "openai", "OPENAI_API_KEY": "k"},
        {"INFINI_EMBEDDER": "word2vec"},
    ],
)
def test_models_that_cannot_be_reached_are_an_error(settings: Settings, values: dict[str, str]) -> None:
    for name, value in values.items():
        setattr(settings, name, value)
    assert ids() == ["infini.E006"]


def test_a_model_without_a_key_is_fine_elsewhere(settings: Settings) -> None:
    settings.INFINI_MODEL = "m"
    settings.OPENAI_BASE_URL = "http://127.0.0.1:8080/v1"
    assert ids() == []


def test_static_files_that_were_not_collected_are_a_warning_of_deployment(settings: Settings, tmp_path: Path) -> None:
    backend = "whitenoise.storage.CompressedManifestStaticFilesStorage"
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": backend}}
    settings.STATIC_ROOT = tmp_path
    assert ids() == []
    assert ids(include_deployment_checks=True) == ["infini.W001"]
    (tmp_path / "staticfiles.json").write_text("{}", encoding="utf-8")
    assert ids(include_deployment_checks=True) == []
