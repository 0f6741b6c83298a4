"""`manage.py check_translations`: every text of the interface exists in every language, and is compiled."""

import re
import shutil
import subprocess
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.test import override_settings

IGNORED = [".venv", "tests", "benchmarks", "clients", "staticfiles", "var"]
QUOTED = re.compile(r'"(.*)"$')


class Command(BaseCommand):
    help = "Fail when a translatable text has no translation, or when a compiled file differs from its source."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--update", action="store_true", help="First collect the texts into the catalogues and compile them."
        )

    def handle(self, *, update: bool, **options: Any) -> None:
        folder = Path(settings.LOCALE_PATHS[0]).relative_to(settings.BASE_DIR)
        catalogues = sorted(folder.glob("*/LC_MESSAGES/django.po"))
        if not catalogues:
            raise CommandError(f"{folder} holds no catalogue (LANGUAGE/LC_MESSAGES/django.po).")
        if update:
            collect_texts(folder, catalogues)
            for catalogue in catalogues:
                compile_texts(catalogue, catalogue.with_suffix(".mo"))
        if problems := find_problems(folder, catalogues):
            raise CommandError("\n".join([*problems, "Run `make messages`, translate, and run it again."]))
        self.stdout.write("Every text is translated and compiled.")


def find_problems(folder: Path, catalogues: list[Path]) -> list[str]:
    """What is missing or stale below the locale folder, in words. Changes nothing there."""
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch) / "locale"
        shutil.copytree(folder, fresh)
        collect_texts(fresh, catalogues)
        for catalogue in catalogues:
            for text in untranslated(fresh / catalogue.relative_to(folder)):
                problems.append(f"{catalogue}: not translated: {text}")
            if not is_compiled(catalogue, Path(scratch) / "fresh.mo"):
                problems.append(f"{catalogue.with_suffix('.mo')}: missing, or differs from {catalogue.name}.")
    return problems


def collect_texts(folder: Path, catalogues: list[Path]) -> None:
    """Brings the catalogues in `folder` up to date with the source of the project, which is the current directory."""
    locales = [catalogue.parent.parent.name for catalogue in catalogues]
    with override_settings(LOCALE_PATHS=[str(folder)]):
        call_command(
            "makemessages",
            locale=locales,
            ignore_patterns=IGNORED,
            no_obsolete=True,
            no_wrap=True,
            add_location="file",
            verbosity=0,
        )


def untranslated(catalogue: Path) -> list[str]:
    """The texts without a translation, or with one that gettext only guessed (fuzzy)."""
    missing = run_gettext("msgattrib", "--untranslated", "--no-wrap", str(catalogue))
    guessed = run_gettext("msgattrib", "--only-fuzzy", "--no-wrap", str(catalogue))
    texts = [message_id(entry) for entry in (missing + "\n\n" + guessed).split("\n\n")]
    return [text for text in texts if text]


def message_id(entry: str) -> str:
    """The source text of one entry of a catalogue; empty for the catalogue's header."""
    lines = [line for line in entry.splitlines() if line[:1] not in {"#", ""}]
    start = next((i for i, line in enumerate(lines) if line.startswith("msgid ")), len(lines))
    end = next((i for i, line in enumerate(lines) if i > start and line.startswith("msg")), len(lines))
    return "".join(match[1] for line in lines[start:end] if (match := QUOTED.search(line)))


def is_compiled(catalogue: Path, scratch: Path) -> bool:
    """Whether the compiled file says what its source says. Compares the texts: the bytes depend on the tool."""
    compiled = catalogue.with_suffix(".mo")
    if not compiled.exists():
        return False
    compile_texts(catalogue, scratch)
    says, should_say = (run_gettext("msgunfmt", "--sort-output", str(file)) for file in (compiled, scratch))
    return says == should_say


def compile_texts(catalogue: Path, target: Path) -> None:
    run_gettext("msgfmt", "--check-format", "--output-file", str(target), str(catalogue))


def run_gettext(*command: str) -> str:
    try:
        return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    except FileNotFoundError as error:
        raise CommandError(f"{command[0]} is not installed (Debian: apt-get install gettext).") from error
    except subprocess.CalledProcessError as error:
        raise CommandError(f"{' '.join(command)}: {error.stderr.strip()}") from error
