"""`manage.py check_translations`: every text of the interface exists in every language, and is compiled."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

IGNORED = [".git", ".venv", "tests", "benchmarks", "clients", "staticfiles", "var"]
QUOTED = re.compile(r'"(.*)"$')


class Command(BaseCommand):
    help = "Fail when a translatable text has no translation, or when a compiled file differs from its source."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--update", action="store_true", help="First collect the texts into the catalogues and compile them."
        )

    def handle(self, *, update: bool, **options: Any) -> None:
        project = Path(settings.BASE_DIR)
        catalogues = sorted(file.relative_to(project) for file in project.glob("locale/*/LC_MESSAGES/django.po"))
        if not catalogues:
            raise CommandError(f"{project} holds no catalogue (locale/LANGUAGE/LC_MESSAGES/django.po).")
        if update:
            collect_texts(project, catalogues)
            for catalogue in catalogues:
                compile_texts(project / catalogue, (project / catalogue).with_suffix(".mo"))
        if problems := find_problems(project, catalogues):
            raise CommandError("\n".join([*problems, "Run `make messages`, translate, and run it again."]))
        self.stdout.write("Every text is translated and compiled.")


def find_problems(project: Path, catalogues: list[Path]) -> list[str]:
    """What is missing or stale in the catalogues (relative paths), in words. Changes nothing there."""
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        twin = make_twin(project, Path(scratch) / "twin")
        collect_texts(twin, catalogues)
        for catalogue in catalogues:
            problems += [f"{catalogue}: not translated: {text}" for text in untranslated(twin / catalogue)]
            if not is_compiled(project / catalogue, Path(scratch) / "fresh.mo"):
                problems.append(f"{catalogue.with_suffix('.mo')}: missing, or differs from {catalogue.name}.")
    return problems


def make_twin(project: Path, twin: Path) -> Path:
    """A folder that shows the project's files, but whose catalogues are copies and may be written to."""
    twin.mkdir()
    for entry in project.iterdir():
        if entry.name not in {*IGNORED, "locale"}:
            (twin / entry.name).symlink_to(entry)
    shutil.copytree(project / "locale", twin / "locale")
    return twin


def collect_texts(folder: Path, catalogues: list[Path]) -> None:
    """Brings the catalogues below the folder up to date with the sources below it.

    In a process without this project's settings: `makemessages` would find the real catalogues through them.
    """
    locales = [f"--locale={catalogue.parts[1]}" for catalogue in catalogues]
    options = ["--symlinks", "--no-obsolete", "--no-wrap", "--add-location=file", "--verbosity=0"]
    ignored = [f"--ignore={pattern}" for pattern in IGNORED]
    command = [sys.executable, "-m", "django", "makemessages", *locales, *options, *ignored]
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    run_tool(command, cwd=folder, env=environment)


def untranslated(catalogue: Path) -> list[str]:
    """The texts without a translation, or with one that gettext only guessed (fuzzy)."""
    missing = run_tool(["msgattrib", "--untranslated", "--no-wrap", str(catalogue)])
    guessed = run_tool(["msgattrib", "--only-fuzzy", "--no-wrap", str(catalogue)])
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
    says, should_say = (run_tool(["msgunfmt", "--sort-output", str(file)]) for file in (compiled, scratch))
    return says == should_say


def compile_texts(catalogue: Path, target: Path) -> None:
    run_tool(["msgfmt", "--check-format", "--output-file", str(target), str(catalogue)])


def run_tool(command: list[str], *, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """What the command prints. A tool that refuses its input is an error in its own words."""
    try:
        return subprocess.run(command, check=True, capture_output=True, encoding="utf-8", cwd=cwd, env=env).stdout
    except subprocess.CalledProcessError as error:
        raise CommandError(f"{' '.join(command)}: {error.stderr.strip()}") from error
