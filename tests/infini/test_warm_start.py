"""A web process has loaded what every request needs before the first one comes, which would wait seconds for it."""

import subprocess
import sys

LOOK = """
import infini.wsgi, time
from django.urls import get_resolver
from topics.text.analyse import analyse
from topics.text.tokens import count_tokens
begin = time.process_time()
get_resolver().url_patterns, count_tokens("開會"), analyse("開會")
print(time.process_time() - begin)
"""


def test_the_first_request_finds_views_and_tables_loaded(child_environment: dict[str, str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", LOOK], env=child_environment, capture_output=True, text=True, check=True
    )
    assert float(ran.stdout) < 0.1


def test_what_is_loaded_is_not_looked_through_for_garbage_while_somebody_waits(
    child_environment: dict[str, str],
) -> None:
    look = "import infini.wsgi, gc; print(gc.get_freeze_count())"
    ran = subprocess.run(
        [sys.executable, "-c", look], env=child_environment, capture_output=True, text=True, check=True
    )
    assert int(ran.stdout) > 100_000


def test_nobody_waits_for_the_client_of_models_who_asks_none(child_environment: dict[str, str]) -> None:
    look = "import infini.wsgi, sys; print('openai' in sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", look], env=child_environment, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "False"
