"""Log lines: one format for our own structured events and for everybody else's records."""

import logging
from typing import Any

import structlog


class OrdinaryRefusals(logging.Filter):
    """Takes the traceback from Django's lines on answers below 500: a missing page or a refused act is no fault."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", 500) < 500:
            record.exc_info = None
        return True


def logging_config(*, level: str, as_json: bool) -> dict[str, Any]:
    """A `logging.config` dictionary; also points structlog at it. JSON for machines, else lines for people."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    renderer: list[Any] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
        if as_json
        else [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
                "foreign_pre_chain": shared,
            }
        },
        "filters": {"ordinary_refusals": {"()": OrdinaryRefusals}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        # Without this, Django's own handlers print a second copy.
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "django.request": {"filters": ["ordinary_refusals"], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            # At DEBUG they write prompts down, and at INFO addresses that may hold a secret.
            **{name: {"level": "WARNING"} for name in ("openai", "httpx2", "httpcore2")},
        },
    }
