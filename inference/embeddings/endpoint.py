"""An embedding model at an OpenAI-compatible endpoint, under the same budget, breaker and ledger as chat models."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Any
from uuid import UUID

import numpy as np
from django.utils.translation import gettext_lazy as _

from inference.calls import Call
from inference.completion import parse_object
from inference.embeddings.pieces import Vectors, cut_text, embed_in_pieces, mean_of, sendable
from inference.endpoints import Endpoint, Space
from inference.errors import CutOff, Unreadable
from inference.ledger import Occasion, Record
from inference.models import Purpose
from inference.tokens import estimate_tokens
from inference.traits import Body

# What one call holds at most. Endpoints allow from 32 to 2,048 texts and often 8,192 tokens for each.
MOST_TEXTS = 64
MOST_TOKENS = 16_000
# A text that is still too long at so few characters is not too long.
SHORTEST = 100


class EndpointEmbedder:
    """`name` holds the host, since two hosts may give one name to different models."""

    def __init__(self, space: Space, endpoint: Endpoint, *, job: UUID | None = None, reference: str = "") -> None:
        self.name = f"{endpoint.model} @ {endpoint.host}"
        self.dimensions: int | None = None
        self._occasion = Occasion(space, Purpose.EMBED, job, reference)
        self._endpoint = endpoint

    def embed(self, texts: list[str]) -> Vectors:
        """As `Embedder.embed`: in as many calls as it takes, each within the endpoint's limits."""
        return embed_in_pieces([sendable(text) for text in texts], self._encode)

    def _encode(self, pieces: list[str]) -> Vectors:
        rows = [row for batch in _batches(pieces) for row in self._embed_batch(batch)]
        if len({len(row) for row in rows}) > 1:
            raise Unreadable(_("The endpoint gave vectors of different lengths."))
        self.dimensions = len(rows[0]) if rows else None
        return np.array(rows, dtype=np.float32)

    def _embed_batch(self, batch: Sequence[str]) -> list[Vectors]:
        """The vectors of one call's texts; where they are too long together, or one is, in smaller parts."""
        tokens = estimate_tokens(batch)
        call = Call(self._occasion, self._endpoint, partial(self._body, batch), tokens)
        try:
            return call.run(partial(self._exchange, call, batch, tokens))
        except CutOff:
            if len(batch) > 1:
                middle = len(batch) // 2
                return self._embed_batch(batch[:middle]) + self._embed_batch(batch[middle:])
            if len(batch[0]) <= SHORTEST:
                raise
        halves = cut_text(batch[0], len(batch[0]) // 2 + 1)
        return [mean_of(np.array(self._embed_batch(halves)), [len(half) for half in halves])]

    def _body(self, batch: Sequence[str], traits: Collection[str], is_second: bool) -> Body:
        return {"model": self._endpoint.model, "input": list(batch)}

    def _exchange(self, call: Call, batch: Sequence[str], tokens: int, body: Body, record: Record) -> list[Vectors]:
        from inference.transport import post

        content = parse_object(post(self._endpoint, "embeddings", body))
        call.note_accepted()
        usage = content.get("usage")
        counted = usage.get("prompt_tokens") if isinstance(usage, dict) else None
        record.prompt_tokens = counted if isinstance(counted, int) and counted >= 0 else tokens
        record.completion_tokens = 0
        return read_vectors(content, len(batch))


def read_vectors(content: dict[str, Any], count: int) -> list[Vectors]:
    """The vectors of an answer, of unit length, in the order of the texts. Raises Unreadable unless there are `count`.

    An answer may come in any order, and not every server numbers its items.
    """
    data = content.get("data")
    items = data if isinstance(data, list) else []
    places = [item.get("index", n) if isinstance(item, dict) else None for n, item in enumerate(items)]
    if sorted(place for place in places if type(place) is int) != list(range(count)):
        raise Unreadable(_("The endpoint did not give one vector for each text."))
    rows = dict(zip(places, map(_unit_vector, items), strict=True))
    return [rows[n] for n in range(count)]


def _unit_vector(item: dict[str, Any]) -> Vectors:
    numbers = item.get("embedding")
    try:
        row = np.array(numbers, dtype=np.float64)
    except (TypeError, ValueError):
        row = np.empty(0)
    length = float(np.linalg.norm(row)) if row.ndim == 1 and row.size else 0.0
    if not np.isfinite(length) or length == 0.0:
        raise Unreadable(_("The endpoint gave something that is no vector."))
    return np.asarray(row / length, dtype=np.float32)


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    tokens = 0
    for text in texts:
        cost = estimate_tokens([text])
        if batch and (len(batch) == MOST_TEXTS or tokens + cost > MOST_TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(text)
        tokens += cost
    if batch:
        yield batch
