"""The extractor is a library: it reads a conversation in an interpreter that knows no Django settings."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.conf import settings

READ = """
import sys
from datetime import UTC, datetime
from zoneinfo import ZoneInfo
from extraction.extractors.protocol import Turn, Window
from extraction.extractors.rules import RulesExtractor
turn = Turn("t1", "user", "Our budget is 40,000 euros.", datetime(2024, 5, 3, tzinfo=UTC), "Ann")
found = RulesExtractor().extract(Window(turns=(turn,), time_zone=ZoneInfo("UTC"), conversation="c1")).findings
print([finding.text for finding in found], "django" in sys.modules)
"""


@pytest.mark.parametrize("environment", [{}, {"DJANGO_SETTINGS_MODULE": "no.such.module"}])
def test_it_reads_without_settings(environment: dict[str, str]) -> None:
    run = subprocess.run(
        [sys.executable, "-c", READ],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stdout.strip(), run.stderr) == ("['Our budget is 40,000 euros.'] False", "")
