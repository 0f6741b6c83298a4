"""Which of the two rule sets a sentence is read with."""

from __future__ import annotations

import re

from topics.text.names import simplified

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")


def is_chinese(text: str) -> bool:
    """Whether the sentence is Chinese; names and terms of the other language may stand in it."""
    characters = len(_CHINESE.findall(text))
    return characters > 0 and characters >= len(_LATIN_WORD.findall(text))


def simplified_alike(text: str) -> str:
    """The text with traditional characters simplified, if that leaves every character in its place; else as it is."""
    if _HALF_A_CHARACTER.search(text):
        return text
    converted = simplified(text)
    return converted if len(converted) == len(text) else text
