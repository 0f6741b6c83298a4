"""Texts as vectors, behind one protocol: none, an OpenAI-compatible endpoint, or the local multilingual encoder.

Whoever needs vectors asks `embedder_for` and speaks to the `Embedder` it returns. Vectors of two embedders, or of two
models, have nothing to do with one another: `name` says which belong together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol
from uuid import UUID

from django.conf import settings

from inference.embeddings.endpoint import EndpointEmbedder
from inference.embeddings.local import LocalEncoder
from inference.embeddings.pieces import Vectors
from inference.endpoints import Space, endpoint_for, policy_of
from inference.models import ModelPolicy

__all__ = ["Embedder", "Vectors", "embedder_for", "embedder_named"]


class Embedder(Protocol):
    """`name` tells models apart and may be shown; `dimensions` is None until an endpoint has answered."""

    name: str
    dimensions: int | None

    def embed(self, texts: list[str]) -> Vectors:
        """One row of unit length (float32) for each text. None of the texts may be blank.

        Not inside a transaction: a call takes seconds. Raises the errors of `inference.errors`.
        """
        ...


def embedder_for(space: Space, *, job: UUID | None = None, reference: str = "") -> Embedder | None:
    """The embedder of the space, or None where it does without. Nothing is loaded or asked yet.

    `job` and `reference` (what it is about) are noted with each call to an endpoint.
    """
    policy = policy_of(space)
    kind = policy.embedder or settings.INFINI_EMBEDDER
    if kind == ModelPolicy.Embedder.LOCAL:
        return LocalEncoder()
    if kind == ModelPolicy.Embedder.ENDPOINT:
        endpoint = endpoint_for(policy, policy.embedding_model or settings.INFINI_EMBEDDING_MODEL)
        return EndpointEmbedder(space, endpoint, job=job, reference=reference) if endpoint else None
    return None


def embedder_named(space: Space, name: str, *, patience: float | None = None) -> Embedder | None:
    """The embedder that once had this name, so that its vectors can still be asked while another's are being made.

    `patience` is how many seconds an endpoint is waited for, by one who cannot wait for a second try. None where the
    space does without any, and for a model at an endpoint that is no longer set.
    """
    if embedder_for(space) is None:
        return None
    if name == LocalEncoder.name:
        return LocalEncoder()
    model, _at, host = name.rpartition(" @ ")
    endpoint = endpoint_for(policy_of(space), model)
    if endpoint is None or endpoint.host != host:
        return None
    return EndpointEmbedder(space, replace(endpoint, patience=patience))
