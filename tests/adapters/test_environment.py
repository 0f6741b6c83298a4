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


LOADED = "import sys; print(sorted({name.split('.')[0] for name in sys.modules}))"


@pytest.mark.parametrize(("module", "others"), [
    ("hooks", ("pydantic", "langchain_core", "langgraph", "autogen_core", "openai", "mcp", "agents")),
    ("autogen", ("langchain_core", "langgraph", "openai", "mcp", "agents")),
    ("langgraph", ("langchain", "langchain_openai", "autogen_core", "openai", "mcp", "agents")),
    ("langchain", ("langchain_openai", "autogen_core", "openai", "mcp", "agents")),
])  # fmt: skip
def test_a_module_loads_no_framework_but_its_own(module: str, others: tuple[str, ...]) -> None:
    program = f"import infini_client, infini_client.{module}\n{LOADED}"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert [name for name in others if f"'{name}'" in done.stdout] == []


def test_a_missing_framework_is_named_with_its_extra() -> None:
    with pytest.raises(ImportError, match=r"infini-memory-client\[langchain\]"), needs("langchain"):
        import a_framework_that_is_not_there  # noqa: F401
