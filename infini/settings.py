"""The one settings file. Every value a deployment may change is read from the environment here, and nowhere else."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

from infini.env import (
    read_bool,
    read_choice,
    read_database,
    read_float,
    read_int,
    read_list,
    read_prices,
    read_secret,
    read_str,
    read_text,
)
from infini.logs import logging_config

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = BASE_DIR / "var"

# ---------------------------------------------------------------------------------------------------------- basics

DEBUG = read_bool("INFINI_DEBUG")
DEFAULT_SECRET_KEY = "insecure: set INFINI_SECRET_KEY or INFINI_SECRET_KEY_FILE (infini.E001 refuses this one)"  # noqa: S105
# `make run` writes this file; with it, commands typed in another terminal work without any variable set.
SECRET_KEY_FILE = VAR_DIR / "secret_key"
SECRET_KEY = read_secret("INFINI_SECRET_KEY") or read_text(SECRET_KEY_FILE) or DEFAULT_SECRET_KEY
ALLOWED_HOSTS = read_list("INFINI_ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
ROOT_URLCONF = "infini.urls"
WSGI_APPLICATION = "infini.wsgi.application"
PORT = read_int("PORT", 8000, minimum=1)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "django_filters",
    "django_htmx",
    "simple_history",
    "infini",
    "inference",
    "topics",
    "extraction",
]

MIDDLEWARE = [
    "infini.middleware.RequestIdMiddleware",
    "infini.middleware.HeadMiddleware",
    "infini.middleware.CompressPagesMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "infini.middleware.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "topics.console.context.shell",
                "extraction.console.context.waiting",
            ],
        },
    },
]

# -------------------------------------------------------------------------------------------------------- database

# Writers take the lock when they begin (IMMEDIATE), so a transaction that reads first and writes later waits its turn
# instead of failing; readers never wait for a writer (WAL).
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 30,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000; PRAGMA mmap_size=134217728; "
        "PRAGMA temp_store=MEMORY"
    ),
}

# Our queries are short: to compile one (jit) takes longer than to run it.
POSTGRESQL_OPTIONS = {"connect_timeout": 5, "options": "-c jit=off"}


def database_settings() -> dict[str, Any]:
    """The default database with the options that its engine needs under concurrent writers."""
    database = read_database("DATABASE_URL", VAR_DIR / "infini.sqlite3")
    if database["ENGINE"].endswith("sqlite3"):
        database["NAME"].parent.mkdir(parents=True, exist_ok=True)
        database["OPTIONS"] = SQLITE_OPTIONS | database["OPTIONS"]
    else:
        database["OPTIONS"] = POSTGRESQL_OPTIONS | database["OPTIONS"]
    return database | {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}


DATABASES = {"default": database_settings()}

# ------------------------------------------------------------------------------------------------------------ jobs

INFINI_JOB_LEASE_SECONDS = read_float("INFINI_JOB_LEASE_SECONDS", 60, minimum=1)
# Messages of a conversation that are read together: what a job reads again, at most, after its worker died.
INFINI_WINDOW_TURNS = read_int("INFINI_WINDOW_TURNS", 100, minimum=1)
INFINI_JOB_MAX_ATTEMPTS = read_int("INFINI_JOB_MAX_ATTEMPTS", 5, minimum=1)
INFINI_SWEEP_SECONDS = read_float("INFINI_SWEEP_SECONDS", 15, minimum=1)
INFINI_POLL_SECONDS = read_float("INFINI_POLL_SECONDS", 0.3, minimum=0.01)
# Texts of one kind that a space must have before PostgreSQL's pgvector, where it is, finds what is near among them.
INFINI_VECTORS_INDEXED_FROM = read_int("INFINI_VECTORS_INDEXED_FROM", 50_000, minimum=0)
# How much of a conversation a model is shown in one question.
INFINI_EXTRACT_WINDOW_TOKENS = read_int("INFINI_EXTRACT_WINDOW_TOKENS", 1500, minimum=200)

TIDY_SECONDS = 3600

CELERY_BROKER_URL = read_secret("CELERY_BROKER_URL")
# Installations that share a broker need a queue each, or they take away each other's rings.
CELERY_TASK_DEFAULT_QUEUE = read_str("INFINI_QUEUE", "infini")
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# A ring of the doorbell that does not get through is only a delay (the sweep rings again), so a request gives up soon.
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.2, "interval_max": 0.2}
# Understood by Redis only; RabbitMQ's client refuses them.
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {"socket_connect_timeout": 1, "socket_timeout": 1, "visibility_timeout": 300}
    if CELERY_BROKER_URL.startswith("redis")
    else {}
)
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = (
    {
        "sweep": {
            "task": "extraction.tasks.sweep",
            "schedule": timedelta(seconds=INFINI_SWEEP_SECONDS),
            # A sweep nobody fetched in time is worthless: the next one does the same.
            "options": {"expires": INFINI_SWEEP_SECONDS},
        },
        "tidy": {
            "task": "inference.tasks.tidy",
            "schedule": timedelta(seconds=TIDY_SECONDS),
            "options": {"expires": TIDY_SECONDS},
        },
        "embed_missing": {
            "task": "extraction.tasks.embed_missing",
            "schedule": timedelta(seconds=TIDY_SECONDS),
            "options": {"expires": TIDY_SECONDS},
        },
        "search_duplicates": {
            "task": "topics.tasks.search_duplicates",
            "schedule": timedelta(minutes=1),
            "options": {"expires": 60},
        },
    }
    if CELERY_BROKER_URL
    else {}
)
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "celerybeat-schedule")

# ---------------------------------------------------------------------------------------------------------- models

# No model is asked until INFINI_MODEL names one. A space may depart from all this (ModelPolicy).
INFINI_MODEL = read_str("INFINI_MODEL")
OPENAI_BASE_URL = read_str("OPENAI_BASE_URL", "https://api.openai.com/v1")
OPENAI_API_KEY = read_secret("OPENAI_API_KEY")
# What a million tokens of prompt and answer cost, by model.
INFINI_MODEL_PRICES = read_prices("INFINI_MODEL_PRICES")
# Seconds: to connect, between two pieces of an answer, and for the whole of it.
INFINI_MODEL_CONNECT_TIMEOUT = read_float("INFINI_MODEL_CONNECT_TIMEOUT", 10, minimum=0.1)
INFINI_MODEL_READ_TIMEOUT = read_float("INFINI_MODEL_READ_TIMEOUT", 60, minimum=0.1)
INFINI_MODEL_TIMEOUT = read_float("INFINI_MODEL_TIMEOUT", 180, minimum=0.1)
# For a space and a day; 0 is no limit.
INFINI_MODEL_DAILY_TOKENS = read_int("INFINI_MODEL_DAILY_TOKENS", 0)
INFINI_MODEL_DAILY_CALLS = read_int("INFINI_MODEL_DAILY_CALLS", 0)
# How long calls are kept, with their prompts and answers.
INFINI_MODEL_CALL_DAYS = read_int("INFINI_MODEL_CALL_DAYS", 30, minimum=1)
# Seconds without a word after which a streamed answer sends a sign of life, so that no proxy takes it for dead.
INFINI_HEARTBEAT_SECONDS = read_float("INFINI_HEARTBEAT_SECONDS", 10, minimum=0.1)
INFINI_EMBEDDER = read_str("INFINI_EMBEDDER", "none")
INFINI_EMBEDDING_MODEL = read_str("INFINI_EMBEDDING_MODEL")

# ------------------------------------------------------------------------------------------------------------- API

# The API answers bodies above 1 MiB with its own JSON error; Django's limit lies above so that it never comes first.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

# For a key that has no limit of its own; 0 is no limit. A limit costs a write for each request, reading ones too.
INFINI_REQUESTS_PER_MINUTE = read_int("INFINI_REQUESTS_PER_MINUTE", 0)

# Whether webhooks may go to private addresses, and without encryption: only where nobody but the operator makes them.
INFINI_WEBHOOK_PRIVATE = read_bool("INFINI_WEBHOOK_PRIVATE")

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["topics.api.access.ApiKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["topics.api.access.HasScope"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["topics.api.parsers.JsonParser"],
    "DEFAULT_SCHEMA_CLASS": "topics.api.schema.ApiSchema",
    "EXCEPTION_HANDLER": "topics.api.errors.answer_error",
    "URL_FORMAT_OVERRIDE": None,  # ?format= is a parameter of our own
}

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Infini Memory",
    "DESCRIPTION": "Long-term memory of agents as topic documents that people review, correct and undo.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    # Not the hook of the default: choices stand where they are used, not in components with invented names.
    "POSTPROCESSING_HOOKS": ["topics.api.schema.link_operations"],
}

# ------------------------------------------------------------------------------------------------------- languages

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["infini.formats"]
USE_TZ = True
TIME_ZONE = "UTC"

# ---------------------------------------------------------------------------------------------------- static files

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage" if DEBUG else "infini.storage.StaticFiles"
    },
}

# -------------------------------------------------------------------------------------------------------- security

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "infini.views.csrf_failure"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

# On when people and agents reach the server over https, by way of a proxy that sets X-Forwarded-Proto itself.
HTTPS = read_bool("INFINI_HTTPS")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS

# ------------------------------------------------------------------------------------------------------------ logs

LOGGING_CONFIG = "logging.config.dictConfig"
LOG_LEVEL = read_choice("INFINI_LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"))
LOGGING = logging_config(level=LOG_LEVEL, as_json=read_bool("INFINI_LOG_JSON"))
