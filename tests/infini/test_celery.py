"""Celery is configured from the settings, with the sweep in its schedule exactly when there is a broker."""

import json
import subprocess
import sys
from typing import Any

import pytest

REPORT = """
import json, django
django.setup()
from infini.celery import app
app.loader.import_default_modules()
schedule = {entry["task"]: entry["schedule"].total_seconds() for entry in app.conf.beat_schedule.values()}
tasks = [name for name in app.tasks if name.startswith(("extraction.", "inference.", "topics."))]
print(json.dumps({"schedule": schedule, "tasks": sorted(tasks), "ignore_result": app.conf.task_ignore_result}))
"""


def report(environment: dict[str, str], **values: str) -> dict[str, Any]:
    """How Celery is configured in a process with this environment."""
    environment = environment | {"DJANGO_SETTINGS_MODULE": "infini.settings"} | values
    command = [sys.executable, "-W", "ignore", "-c", REPORT]
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, env=environment).stdout)
    return found


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "amqp://guest:guest@127.0.0.1:1//"])
def test_with_a_broker_the_sweep_is_scheduled(child_environment: dict[str, str], url: str) -> None:
    found = report(child_environment, CELERY_BROKER_URL=url, INFINI_SWEEP_SECONDS="7")
    assert found["schedule"] == {
        "extraction.tasks.sweep": 7,
        "extraction.tasks.embed_missing": 3600,
        "inference.tasks.tidy": 3600,
        "topics.tasks.search_duplicates": 60,
    }
    assert set(found["schedule"]) <= set(found["tasks"])
    assert found["ignore_result"] is True


def test_without_a_broker_nothing_is_scheduled(child_environment: dict[str, str]) -> None:
    assert report(child_environment, CELERY_BROKER_URL="")["schedule"] == {}
