"""The tables behind the text functions: the tokenizer's vocabulary and the Chinese conversions."""

from __future__ import annotations

from topics.text.analyse import analyse
from topics.text.names import name_key
from topics.text.tokens import count_tokens


def load_tables() -> None:
    """Load every table now, as a process starts, instead of within the first message that it handles.

    Takes about a second; later calls cost nothing.
    """
    for load in (count_tokens, analyse, name_key):
        load("開")
