"""Long texts: an encoder reads them in pieces, and the text's vector is the mean of theirs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

# Characters. Some 500 tokens of English, or 1,500 of Chinese: more is beyond what most encoders were trained on.
PIECE = 2000
# Where a text may be cut without tearing a word: after white space or the end of a sentence.
_CUT = re.compile(r"[\s。！？；!?;，,]")


def embed_in_pieces(texts: Sequence[str], encode: Callable[[list[str]], Vectors]) -> Vectors:
    """One row of unit length for each text, whatever its length. `encode` takes texts of at most PIECE characters.

    The mean weighs each piece by its length, so that a short rest counts for little.
    """
    pieces = [cut_text(text) for text in texts]
    rows = encode([piece for of_one in pieces for piece in of_one])
    means, at = [], 0
    for of_one in pieces:
        means.append(mean_of(rows[at : at + len(of_one)], [len(piece) for piece in of_one]))
        at += len(of_one)
    return np.array(means, dtype=np.float32)


def mean_of(rows: Vectors, weights: Sequence[float]) -> Vectors:
    """The weighted mean of some vectors, of unit length; their first, should they cancel out."""
    mean = np.average(rows, axis=0, weights=weights)
    length = float(np.linalg.norm(mean))
    return np.asarray(mean / length if length > 0 else rows[0], dtype=np.float32)


def cut_text(text: str, limit: int = PIECE) -> list[str]:
    """The text in pieces of at most `limit` characters, none of them blank, cut between words where there are any."""
    pieces = []
    while len(text) > limit:
        ends = [found.end() for found in _CUT.finditer(text, limit // 2, limit)]
        end = ends[-1] if ends else limit
        pieces.append(text[:end])
        text = text[end:]
    pieces.append(text)
    return [piece for piece in pieces if piece.strip()] or [text]


def sendable(text: str) -> str:
    """The text with lone surrogates, which UTF-8 does not have, replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")
