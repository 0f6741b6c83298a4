"""How the attributes of facts are written and compared."""

from __future__ import annotations

import re
import unicodedata

_SPACES = re.compile(r"\s+")


def fold_attribute(attribute: str) -> str:
    """The one writing of an attribute: one width and case, white space folded."""
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", attribute).casefold()).strip()
