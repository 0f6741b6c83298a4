"""How many tokens a text has, for what an endpoint does not count itself."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import bpe_openai

# Characters. The library refuses texts of about a million bytes, or of which a stretch has 200,000 tokens.
_PIECE = 50_000


@lru_cache(maxsize=1)
def _encoding() -> bpe_openai.Encoding:
    # Loading the vocabulary takes a second, which commands that ask no model should not wait for.
    import bpe_openai

    return bpe_openai.get_encoding("o200k_base")


def estimate_tokens(texts: Iterable[str]) -> int:
    """The number of o200k_base tokens; other vocabularies differ by some tenths. Long texts are counted in pieces."""
    pieces = (text[n : n + _PIECE] for text in texts for n in range(0, len(text), _PIECE))
    return sum(len(_encoding().encode_ordinary(piece)) for piece in pieces)
