"""What the adapters share: the client alone brings no framework, and says which extra is missing."""

from __future__ import annotations

import subprocess
import sys

import pytest
from infini_client import Client
from infini_client.extras import needs

from tests.adapters.conftest import Server


def test_the_example_space_answers(server: Server, example_key: str) -> None:
    with Client(server.url, example_key) as memory:
        assert "55,000 euros" in memory.recall("What is the budget of Fernhill Logistics?").context


def test_the_client_loads_no_framework_that_is_installed() -> None:
    program = "import sys, infini_client, infini_client.hooks; print(sorted({n.split('.')[0] for n in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    for name in ("pydantic", "langchain_core", "langgraph", "autogen_core", "openai", "mcp"):
        assert f"'{name}'" not in done.stdout


def test_a_missing_framework_is_named_with_its_extra() -> None:
    with pytest.raises(ImportError, match=r"infini-memory-client\[langchain\]"), needs("langchain"):
        import a_framework_that_is_not_there  # noqa: F401
