"""The package itself: the blocking client is made from the other, and nothing but httpx is needed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest
from django.conf import settings

PACKAGE = settings.BASE_DIR / "clients" / "python"


def test_the_blocking_client_is_made_from_the_asynchronous_one() -> None:
    subprocess.run([sys.executable, "make_sync.py", "--check"], cwd=PACKAGE, check=True)


def test_it_imports_neither_the_server_nor_a_framework() -> None:
    program = "import sys, infini_client, infini_client.hooks; print(sorted({n.split('.')[0] for n in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", program], cwd=PACKAGE, check=True, capture_output=True, text=True)
    assert "httpx" in done.stdout
    for name in ("django", "topics", "extraction", "openai", "langchain_core", "pydantic"):
        assert f"'{name}'" not in done.stdout


@pytest.mark.parametrize(("adapter", "framework"), [
    ("langchain", "langchain"), ("langgraph", "langgraph"), ("autogen", "autogen_core"),
])  # fmt: skip
def test_an_adapter_without_its_framework_names_the_extra(adapter: str, framework: str) -> None:
    if importlib.util.find_spec(framework):
        pytest.skip("The framework is installed here.")
    program = f"import infini_client.{adapter}"
    done = subprocess.run([sys.executable, "-c", program], cwd=PACKAGE, capture_output=True, text=True)
    assert "ImportError: No module named" in done.stderr
    assert f"pip install 'infini-memory-client[{adapter}]'" in done.stderr
