"""Typed readers for the environment.

Every reader names the variable in its error, so that a typing mistake in a deployment is a message and not a traceback
from somewhere else. An empty value counts as unset.
"""

import os
from collections.abc import Collection
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off"})


def read_str(name: str, default: str = "") -> str:
    """The variable's text without surrounding white space, or `default`."""
    return os.environ.get(name, "").strip() or default


def read_choice(name: str, default: str, choices: Collection[str]) -> str:
    """One of `choices`, which are upper-case words, written in any case."""
    word = read_str(name, default).upper()
    if word not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}; it is {word!r}.")
    return word


def read_secret(name: str, default: str = "") -> str:
    """The text of `name`, else the content of the file named by `{name}_FILE`, else `default`.

    Both at once is an error: which one wins would be a guess.
    """
    value, file_name = read_str(name), read_str(f"{name}_FILE")
    if value and file_name:
        raise ImproperlyConfigured(f"Set either {name} or {name}_FILE, not both.")
    if not file_name:
        return value or default
    try:
        content = read_text(Path(file_name), missing_ok=False)
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE: cannot read {file_name}: {error}") from error
    if not content:
        raise ImproperlyConfigured(f"{name}_FILE: {file_name} is empty.")
    return content


def read_text(path: Path, *, missing_ok: bool = True) -> str:
    """The file's text without surrounding white space; an absent file is empty text if `missing_ok`."""
    try:
        return path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        if missing_ok:
            return ""
        raise


def read_bool(name: str, default: bool = False) -> bool:
    """1/true/yes/on or 0/false/no/off, in any case."""
    word = read_str(name).lower()
    if not word:
        return default
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise ImproperlyConfigured(f"{name} must be one of 1, true, yes, on, 0, false, no, off; it is {word!r}.")


def read_int(name: str, default: int, *, minimum: int = 0) -> int:
    """A whole number of at least `minimum`."""
    text = read_str(name)
    try:
        value = int(text) if text else default
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a whole number; it is {text!r}.") from error
    if value < minimum:
        raise ImproperlyConfigured(f"{name} must be at least {minimum}; it is {value}.")
    return value


def read_float(name: str, default: float, *, minimum: float = 0.0) -> float:
    """A number of at least `minimum`; infinity and NaN are refused."""
    text = read_str(name)
    try:
        value = float(text) if text else default
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a number; it is {text!r}.") from error
    if not minimum <= value < float("inf"):
        raise ImproperlyConfigured(f"{name} must be a number of at least {minimum}; it is {text or default!r}.")
    return value


def read_list(name: str, default: list[str]) -> list[str]:
    """Words separated by commas."""
    words = [word.strip() for word in read_str(name).split(",")]
    return [word for word in words if word] or default


def read_prices(name: str) -> dict[str, tuple[Decimal, Decimal]]:
    """What a million tokens of the prompt and of the answer cost, for each model: `small=0.15/0.6,large=2.5/10`."""
    prices = {}
    for entry in read_list(name, []):
        model, _, pair = entry.rpartition("=")
        try:
            prompt, completion = (Decimal(number.strip()) for number in pair.split("/"))
        except (ValueError, InvalidOperation) as error:
            raise ImproperlyConfigured(f"{name}: write model=PROMPT/ANSWER, not {entry!r}.") from error
        if not model.strip() or not all(number.is_finite() and number >= 0 for number in (prompt, completion)):
            raise ImproperlyConfigured(f"{name}: a price is a number of at least 0 for a named model, not {entry!r}.")
        prices[model.strip()] = (prompt, completion)
    return prices


def read_database(name: str, default: Path) -> dict[str, Any]:
    """Django's ENGINE, NAME, … from a URL (also from `{name}_FILE`); an SQLite file at `default` when unset.

    `sqlite:///relative/path`, `sqlite:////absolute/path` or `postgres://user:password@host:port/name?option=value`.
    PostgreSQL's options go to the driver as they are (`sslmode`, …); SQLite takes none.
    """
    url = read_secret(name)
    if not url:
        return sqlite_database(default)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or ""
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is not a valid URL: {error}") from error
    path = unquote(parts.path.removeprefix("/"))
    if not path or path == ":memory:":
        raise ImproperlyConfigured(f"{name} must name a database: sqlite:///path or postgres://user@host/name.")
    if parts.scheme == "sqlite":
        if parts.netloc or parts.query:
            raise ImproperlyConfigured(
                f"{name} takes only a path for SQLite: sqlite:///relative or sqlite:////absolute."
            )
        return sqlite_database(Path(path).absolute())
    if parts.scheme in {"postgres", "postgresql"}:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": path,
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": host,
            "PORT": str(port),
            "OPTIONS": dict(parse_qsl(parts.query, keep_blank_values=True)),
        }
    raise ImproperlyConfigured(f"{name} must start with sqlite:// or postgres://; it starts with {parts.scheme!r}.")


def sqlite_database(file: Path) -> dict[str, Any]:
    return {"ENGINE": "django.db.backends.sqlite3", "NAME": file, "OPTIONS": {}}
