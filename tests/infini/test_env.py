"""The environment is read with types, and a mistake in it names the variable."""

import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

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

DEFAULT_FILE = Path("/srv/memory.sqlite3")


def test_an_empty_value_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "  ")
    assert read_str("X", "default") == "default"
    assert read_bool("X", True) is True
    assert read_int("X", 7) == 7
    assert read_float("X", 0.5) == 0.5
    assert read_list("X", ["a"]) == ["a"]
    assert read_secret("X", "s") == "s"
    assert read_database("X", DEFAULT_FILE)["NAME"] == DEFAULT_FILE


@pytest.mark.parametrize(
    ("text", "value"), [("1", True), ("Yes", True), ("ON", True), ("0", False), ("false", False), ("off", False)]
)
def test_booleans_are_read_in_any_case(monkeypatch: pytest.MonkeyPatch, text: str, value: bool) -> None:
    monkeypatch.setenv("X", text)
    assert read_bool("X", not value) is value


def test_numbers_and_lists_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHOLE", " 42 ")
    monkeypatch.setenv("REAL", "0.25")
    monkeypatch.setenv("LIST", "a.example, b.example,,")
    assert read_int("WHOLE", 0) == 42
    assert read_float("REAL", 0) == 0.25
    assert read_list("LIST", []) == ["a.example", "b.example"]


@pytest.mark.parametrize("text", ["maybe", "2", "truee"])
def test_a_word_that_is_no_boolean_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("X", text)
    with pytest.raises(ImproperlyConfigured, match="^X must be one of"):
        read_bool("X")


@pytest.mark.parametrize("text", ["1.5", "ten", "-1"])
def test_a_bad_whole_number_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("X", text)
    with pytest.raises(ImproperlyConfigured, match="^X must be"):
        read_int("X", 1)


@pytest.mark.parametrize("text", ["nan", "inf", "-0.1", "soon"])
def test_a_bad_number_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("X", text)
    with pytest.raises(ImproperlyConfigured, match="^X must be"):
        read_float("X", 1)


def test_a_secret_comes_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s3cret\n", encoding="utf-8")
    monkeypatch.setenv("X_FILE", str(tmp_path / "secret"))
    assert read_secret("X") == "s3cret"


def test_a_secret_given_twice_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("X", "one")
    monkeypatch.setenv("X_FILE", str(tmp_path / "two"))
    with pytest.raises(ImproperlyConfigured, match="either X or X_FILE"):
        read_secret("X")


@pytest.mark.parametrize("content", [None, b"", b" \n", b"\xff\xfe\xff"])
def test_a_secret_file_that_is_absent_empty_or_not_text_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "secret").write_bytes(content)
    monkeypatch.setenv("X_FILE", str(tmp_path / "secret"))
    with pytest.raises(ImproperlyConfigured, match="^X_FILE: "):
        read_secret("X")


def test_an_absent_text_file_can_be_allowed(tmp_path: Path) -> None:
    assert read_text(tmp_path / "nothing") == ""
    with pytest.raises(FileNotFoundError):
        read_text(tmp_path / "nothing", missing_ok=False)


def test_an_sqlite_url_names_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "sqlite:////srv/memory%20one.sqlite3")
    database = read_database("X", DEFAULT_FILE)
    assert database["NAME"] == Path("/srv/memory one.sqlite3")
    monkeypatch.setenv("X", "sqlite:///memory.sqlite3")
    assert read_database("X", DEFAULT_FILE)["NAME"] == Path.cwd() / "memory.sqlite3"


def test_an_option_of_a_postgres_url_may_be_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "postgres://db.example/memory?options=")
    assert read_database("X", Path("f"))["OPTIONS"] == {"options": ""}


def test_a_postgres_url_is_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "postgres://me:p%40ss%2F@db.example:5433/memory?sslmode=require")
    assert read_database("X", DEFAULT_FILE) == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "memory",
        "USER": "me",
        "PASSWORD": "p@ss/",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }


@pytest.mark.parametrize(
    "url",
    [
        "mysql://localhost/memory",
        "memory.sqlite3",
        "sqlite:///",
        "sqlite://memory.sqlite3",
        "sqlite://host/memory.sqlite3",
        "sqlite:///memory.sqlite3?timeout=1",
        "sqlite:///:memory:",
        "postgres://host",
        "postgres://h:x/n",
    ],
)
def test_a_database_url_we_cannot_serve_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("X", url)
    with pytest.raises(ImproperlyConfigured, match="^X "):
        read_database("X", DEFAULT_FILE)


def test_prices_are_read_for_each_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRICES", "small=0.15/0.6, org/large:v2=2.5/10")
    assert read_prices("PRICES") == {
        "small": (Decimal("0.15"), Decimal("0.6")),
        "org/large:v2": (Decimal("2.5"), Decimal(10)),
    }
    assert read_prices("UNSET") == {}


@pytest.mark.parametrize("text", ["small", "small=1", "=1/2", "small=1/-2", "small=1/x", "small=1/NaN", "small=1/2/3"])
def test_prices_that_are_none_name_the_variable(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("PRICES", text)
    with pytest.raises(ImproperlyConfigured, match="PRICES"):
        read_prices("PRICES")


def test_a_choice_is_read_in_any_case_and_another_word_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "debug")
    assert read_choice("X", "INFO", ("DEBUG", "INFO")) == "DEBUG"
    monkeypatch.setenv("X", "loud")
    with pytest.raises(ImproperlyConfigured, match="^X must be one of DEBUG, INFO; it is 'LOUD'"):
        read_choice("X", "INFO", ("DEBUG", "INFO"))


def test_a_bad_log_level_is_a_configuration_error(child_environment: dict[str, str]) -> None:
    command = [sys.executable, "-c", "import django; django.setup()"]
    environment = child_environment | {"INFINI_LOG_LEVEL": "loud", "DJANGO_SETTINGS_MODULE": "infini.settings"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "ImproperlyConfigured: INFINI_LOG_LEVEL must be one of DEBUG," in run.stderr
