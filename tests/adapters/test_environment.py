"""What the adapters share: the client alone brings no framework, and says which extra is missing."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib

import pytest
from infini_client import Client
from infini_client.extras import needs

from tests.adapters.conftest import ROOT, Server

PACKAGE = ROOT / "clients" / "python" / "infini_client"


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


FRAMEWORKS = {
    "claude": {"anthropic"},
    "crewai": {"crewai", "pydantic"},
    "mcp": {"mcp", "pydantic", "typing_extensions", "uvicorn"},
    "openai_agents": {"agents"},
}


@pytest.mark.parametrize("module", FRAMEWORKS)
def test_an_adapter_imports_its_own_framework_alone(module: str) -> None:
    tree = ast.parse((PACKAGE / f"{module}.py").read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    roots = {name.split(".")[0] for name in imported}
    assert roots - set(sys.stdlib_module_names) == {"infini_client", *FRAMEWORKS[module]}
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = module.replace("_", "-")
    assert f'needs("{extra}")' in ast.unparse(tree).replace("'", '"')
    assert extra in project["optional-dependencies"]
