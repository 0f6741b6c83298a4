"""Counting tokens exactly as the models' own tokenizer does."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import bpe_openai

TOKENIZER = "o200k_base"


@lru_cache(maxsize=1)
def _encoding() -> bpe_openai.Encoding:
    # Loading the vocabulary takes a second, which commands that count nothing should not wait for.
    import bpe_openai

    return bpe_openai.get_encoding(TOKENIZER)


def count_tokens(text: str) -> int:
    """The number of o200k_base tokens of `text`; special tokens in it count as plain text."""
    return len(_encoding().encode_ordinary(text))
