"""What companies are called for short: `Wren` for Wren Ltd, 蓝鲸科技 for 上海蓝鲸科技有限公司."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import rjieba

from topics.text.names import name_key

_FORM = re.compile(
    r"[\s,]+(?:(?i:(?:&|and)\s+co|incorporated|inc|limited|ltd|llc|llp|plc|corporation|corp|company|co|gmbh|mbh|pty|sarl)|"
    r"AG|KG|OHG|UG|SE|SA|SAS|S\.A|S\.A\.S|S\.r\.l|S\.p\.A|SRL|SpA|BV|B\.V|NV|N\.V|AB|A/S|AS|Oy)\.?$"
)
_ZH_FORM = re.compile(r"(?<=..)(?:集团|集團|股份|有限|责任|責任)*(?:公司|集团|集團)$")
_BRACKETS = re.compile(r"[（(][^（()）]*[）)]")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LEAST = 2


@lru_cache(maxsize=50_000)
def short_names(name: str) -> tuple[str, ...]:
    """The name without what the firm is by law, and, of a Chinese one, also without where it is; () if it says neither.

    Whether a short name means this firm alone, and nothing else, the name does not tell.
    """
    if _CHINESE.search(name):
        bare = _BRACKETS.sub("", name).strip()
        short = _ZH_FORM.sub("", bare)
        found = [short, _without_place(short)] if short != bare else []
    else:
        short, longer = name.strip(), ""
        while short != longer:
            longer, short = short, _FORM.sub("", short)
        found = [short] if short != name.strip() else []
    return tuple(dict.fromkeys(short for short in found if len(short) >= _LEAST))


def short_keys(names: Iterable[str]) -> set[str]:
    """The keys of the short names of all these."""
    return {name_key(short) for name in names for short in short_names(name)}


def _without_place(name: str) -> str:
    word, tag = rjieba.tag(name)[0]
    return name[len(word) :] if tag == "ns" else name
