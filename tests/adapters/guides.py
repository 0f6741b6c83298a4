"""The programs of docs/frameworks/: run as printed, against the example space."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.adapters.conftest import PATIENCE, ROOT, Server


def run_guide(name: str, server: Server, folder: Path) -> None:
    """Run the program of docs/frameworks/NAME.md, its ```python blocks in one file, in the environment of this test.

    What it prints must be what the page shows in its ```text blocks, taken together.
    """
    page = (ROOT / "docs" / "frameworks" / f"{name}.md").read_text(encoding="utf-8")
    program = folder / f"{name.replace('-', '_')}_guide.py"
    program.write_text(_blocks(page, "python"), encoding="utf-8")
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "INFINI_URL": server.url,
        "INFINI_API_KEY": server.example_key,
        "PYTHONPATH": str(ROOT / "clients" / "python"),
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(
        [sys.executable, str(program)], env=environment, cwd=folder, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip() == _blocks(page, "text").strip()


def _blocks(page: str, language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert found, f"The page has no block of {language}."
    return "".join(found)
