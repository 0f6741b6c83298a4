"""The API is as its OpenAPI description says, whatever is sent: tried by schemathesis, from a process of its own.

SCHEMATHESIS_SECONDS=1200 tries each part for so long; the first is complete after some 15 minutes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.contract.helpers import ALL, make_world
from topics.services.spaces import create_api_key, create_space

HERE = Path(__file__).parent
# Each request by itself; and chains of them, along the links of the description and those that schemathesis infers.
PARTS = {"examples,coverage": 30, "stateful": 25}  # seconds of trying, at most


@pytest.mark.skipif(connection.vendor != "sqlite", reason="what is described does not depend on the database")
@pytest.mark.parametrize("phases", PARTS)
def test_no_request_shows_a_difference_to_the_description(phases: str, live_server: Any, tmp_path: Path) -> None:
    seconds = int(os.environ.get("SCHEMATHESIS_SECONDS", PARTS[phases]))
    space = create_space(slug="robots", review_policy="automatic")
    make_world(space)
    plain = create_api_key(space=space, scopes=ALL)[1]
    command = [
        str(Path(sys.executable).parent / "schemathesis"),
        "--config-file",
        str(HERE / "schemathesis.toml"),
        "run",
        f"{live_server.url}/api/schema/",
        f"--header=Authorization: Bearer {plain}",
        f"--phases={phases}",
        "--continue-on-failure",
        "--max-examples=3",
        "--generation-deterministic",
        "--request-timeout=20",
        f"--max-time={seconds}",
    ]
    environment = os.environ | {"SCHEMATHESIS_HOOKS": "schemathesis_hooks", "PYTHONPATH": str(HERE)}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=seconds * 4, check=False
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2000:]
    assert "generated" in done.stdout
