"""The names of attributes that hold one value at a time, one key for all the words that mean the same."""

from __future__ import annotations

import re
from dataclasses import dataclass

from extraction.attributes import CHINESE_OF, CONCEPT_OF

_LEAD = re.compile(
    r"^(?:(?:the|our|my|their|his|her|its|your|this|a|an|total|overall|current|new|latest|whole|entire|monthly|annual|"
    r"yearly)"
    r"\s+)+",
    re.IGNORECASE,
)
_CHINESE_LEAD = re.compile(
    r"^(?:我们|我的|我|他们|咱们|咱|本|该|这个|整个|目前|现在|当前|最新|总(?!部)的?|的|公司|项目(?!经理)|客户|今年|每月|"
    r"每年)+的?"
)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A single-valued attribute, its value in plain form and the unit of a number.

    `at` is where the words for the value start, if the plain form is not what they say. `of` is what a rate, a price
    and the like are of, where they are told apart by it: two rates of two things are two attributes. `denied`: of a
    change, whether it is so no more; None where no change is told and the words around the value say whether it is so.
    """

    name: str
    value: str
    unit: str = ""
    at: int | None = None
    of: str = ""
    denied: bool | None = None


def attribute_key(words: str, *, chinese: bool) -> str:
    """The stable name of an attribute: `our total budget` → `budget`, `我们的预算` → `预算`, `报价` → `价格`."""
    if chinese:
        bare = _CHINESE_LEAD.sub("", words) or words
        known = CONCEPT_OF.get(bare)
        return CHINESE_OF[known] if known else bare
    bare = " ".join(_LEAD.sub("", words.strip()).lower().split()).replace("favorite", "favourite")
    return CONCEPT_OF.get(bare, bare)
