"""What an adapter says when the framework that it is for is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Around the imports of a framework: one that fails names the extra of this package to install."""
    try:
        yield
    except ImportError as error:
        message = f"{error}. This needs the extra {extra!r}: pip install 'infini-memory-client[{extra}]'"
        raise ImportError(message, name=error.name, path=error.path) from error
