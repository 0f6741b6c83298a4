"""Write `infini_client/sync.py`, the blocking client, from `infini_client/aio.py`. With --check, only compare."""

from __future__ import annotations

import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent / "infini_client"
HEAD = '"""The blocking client. Made from `aio.py` by `python make_sync.py`; change that one."""'
REPLACED = [
    (r'\A""".*?"""', HEAD),
    (r"\bimport asyncio\n", ""),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\bAsyncIterator\b", "Iterator"),
    (r"\bAsyncClient\b", "Client"),
    (r"\b__aenter__\b", "__enter__"),
    (r"\b__aexit__\b", "__exit__"),
    (r"\baclose\b", "close"),
    (r"\b(async|await) ", ""),
]


def made() -> str:
    text = (PACKAGE / "aio.py").read_text(encoding="utf-8")
    for pattern, replacement in REPLACED:
        text = re.sub(pattern, replacement, text, flags=re.DOTALL)
    # Names in an import are sorted.
    return text.replace("import Iterator, Iterable, Mapping", "import Iterable, Iterator, Mapping")


if __name__ == "__main__":
    target = PACKAGE / "sync.py"
    if "--check" in sys.argv:
        sys.exit(0 if target.read_text(encoding="utf-8") == made() else f"{target.name} is not made from aio.py.")
    target.write_text(made(), encoding="utf-8")
