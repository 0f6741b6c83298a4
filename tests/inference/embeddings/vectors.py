"""Vectors that a scripted endpoint gives: texts with words in common come out near one another."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from typing import Any

from tests.inference.wire import Reply, Request, as_json

DIMENSIONS = 64


def vector(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    """Counts of the words (and of the single Han characters) of the text, hashed into `dimensions` places."""
    row = [0.0] * dimensions
    for word in re.findall(r"[a-z0-9']+|[\u4e00-\u9fff]", text.lower()):
        row[zlib.crc32(word.encode()) % dimensions] += 1.0
    return row if any(row) else [1.0] * dimensions


def embeddings(rows: Sequence[Any], *, tokens: int | None = 5, **item: Any) -> Reply:
    """An answer that holds these vectors in this order; `tokens` None leaves the usage out."""
    data = [{"object": "embedding", "index": n, "embedding": row} | item for n, row in enumerate(rows)]
    usage = {} if tokens is None else {"usage": {"prompt_tokens": tokens, "total_tokens": tokens}}
    return as_json({"object": "list", "model": "wire-vectors", "data": data} | usage)


def embedding_server(dimensions: int = DIMENSIONS) -> Callable[[Request], Reply]:
    """A step that answers any texts with their vectors."""
    return lambda request: embeddings([vector(text, dimensions) for text in request.json["input"]])
