"""Identifiers: UUID version 7 (RFC 9562), so that ids sort by creation time and stay opaque to callers."""

from __future__ import annotations

import os
import threading
import time
import uuid
from datetime import datetime

_lock = threading.Lock()
_last = 0


def uuid7() -> uuid.UUID:
    """A new UUIDv7 that is greater than every earlier one of this process.

    48 bits of Unix milliseconds, then 12 bits of sub-millisecond clock as RFC 9562 section 6.2 method 3 allows, then
    62 random bits.
    """
    global _last
    with _lock:
        ticks = max(time.time_ns() * 4096 // 1_000_000, _last + 1)
        _last = ticks
    milliseconds, fraction = ticks >> 12, ticks & 0xFFF
    random_bits = int.from_bytes(os.urandom(8)) & ((1 << 62) - 1)
    return uuid.UUID(int=(milliseconds & ((1 << 48) - 1)) << 80 | 7 << 76 | fraction << 64 | 2 << 62 | random_bits)


def first_uuid7(moment: datetime) -> uuid.UUID:
    """The smallest id that a row written at this aware moment, or after it, can have: ids are a range of time."""
    milliseconds = int(moment.timestamp() * 1000)
    return uuid.UUID(int=milliseconds << 80 | 7 << 76 | 2 << 62)
