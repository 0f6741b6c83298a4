"""A text that is not translated, only guessed, or not compiled, is found; and nothing is changed by looking."""

import shutil
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

HEADER = 'msgid ""\nmsgstr ""\n"Language: zh_Hans\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
GREETING = '\nmsgid "Good morning"\nmsgstr "早上好"\n'


@pytest.fixture
def catalogue(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The catalogue of a small project of one module, in the current directory."""
    settings.BASE_DIR = tmp_path
    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts.py").write_text('greeting = _("Good morning")\n', encoding="utf-8")
    file = tmp_path / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
    file.parent.mkdir(parents=True)
    file.write_text(HEADER + GREETING, encoding="utf-8")
    return file


def test_a_complete_catalogue_passes(catalogue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("check_translations", update=True)
    before = catalogue.read_bytes()
    call_command("check_translations")
    assert "Every text is translated" in capsys.readouterr().out
    assert catalogue.read_bytes() == before


@pytest.mark.parametrize("source", ['_("Good evening")', '_("""Good\nevening""")'])
def test_a_new_text_is_reported_and_not_written(catalogue: Path, source: str) -> None:
    call_command("check_translations", update=True)
    before = catalogue.read_bytes()
    Path("more.py").write_text(f"more = {source}\n", encoding="utf-8")
    with pytest.raises(CommandError, match="not translated: Good.*evening"):
        call_command("check_translations")
    assert catalogue.read_bytes() == before


def test_a_guessed_translation_is_reported(catalogue: Path) -> None:
    catalogue.write_text(HEADER + GREETING.replace("msgid", "#, fuzzy\nmsgid"), encoding="utf-8")
    with pytest.raises(CommandError, match="not translated: Good morning"):
        call_command("check_translations", update=True)


def test_a_translation_that_is_not_compiled_is_reported(catalogue: Path) -> None:
    with pytest.raises(CommandError, match=r"django\.mo: missing"):
        call_command("check_translations")
    call_command("check_translations", update=True)
    catalogue.write_text(HEADER + GREETING.replace("早上好", "早安"), encoding="utf-8")
    with pytest.raises(CommandError, match=r"django\.mo: missing, or differs from django\.po"):
        call_command("check_translations")


def test_a_project_without_a_catalogue_is_an_error(catalogue: Path) -> None:
    shutil.rmtree("locale")
    with pytest.raises(CommandError, match="holds no catalogue"):
        call_command("check_translations")


def test_a_broken_catalogue_is_an_error_in_words(catalogue: Path) -> None:
    catalogue.write_text(HEADER + '\nmsgid "Good morning\n', encoding="utf-8")
    with pytest.raises(CommandError, match="end-of-line within string"):
        call_command("check_translations")


def test_missing_gettext_tools_are_an_error_in_words(catalogue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CommandError, match="GNU gettext tools"):
        call_command("check_translations")
