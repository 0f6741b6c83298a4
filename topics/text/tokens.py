"""Counting tokens exactly as the models' own tokenizer does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import bpe_openai

TOKENIZER = "o200k_base"
# Characters. The library refuses texts of about a million bytes, or of which a stretch has 200,000 tokens.
_PIECE = 50_000


@lru_cache(maxsize=1)
def _encoding() -> bpe_openai.Encoding:
    # Loading the vocabulary takes a second, which commands that count nothing should not wait for.
    import bpe_openai

    return bpe_openai.get_encoding(TOKENIZER)


def count_tokens(text: str) -> int:
    """The number of o200k_base tokens of `text`; special tokens in it count as plain text.

    Texts above 50,000 characters are counted in pieces, cut before a space: where there is none, by a token more a cut.
    """
    return sum(len(_encoding().encode_ordinary(piece)) for piece in _pieces(text))


def _pieces(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > _PIECE:
        end = text.rfind(" ", start + _PIECE // 2, start + _PIECE)
        end = end if end > 0 else start + _PIECE
        yield text[start:end]
        start = end
    yield text[start:]
