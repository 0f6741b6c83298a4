"""Which of the two rule sets a sentence is read with."""

from __future__ import annotations

import re

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")


def is_chinese(text: str) -> bool:
    """Whether the sentence is Chinese; names and terms of the other language may stand in it."""
    characters = len(_CHINESE.findall(text))
    return characters > 0 and characters >= len(_LATIN_WORD.findall(text))
