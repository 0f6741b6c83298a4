"""Where a house stands, in words: `8 Canal Road, Leeds`, `上海市静安区南京西路100号`."""

from __future__ import annotations

import re

import rjieba

STREET = (
    "(?:Street|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Square|Court|Place|Boulevard|Blvd|Terrace|Crescent|Close|Way|Row|Quay)"
)
_NAME = r"(?-i:[A-Z])[\w.'-]*"
# A house in a street, with the town if it is told.
HOUSE = (
    r"(?:(?:Flat|Apartment|Apt|Unit|Suite)\.? \w{1,5},? )?\d{1,5}[A-Za-z]?(?:[-/]\d{1,5})?,? "
    rf"(?:{_NAME} ){{1,4}}?(?-i:{STREET}|St)\b\.?(?:,? (?:{_NAME}|\d{{4,6}}))*"
)
PLACE = rf"(?:the )?{_NAME}(?:,? {_NAME})*"

ZH_PLACE = r"[^，,。；;！!？?\s的了吗呢]{2,40}"
_ZH_ADDRESS = re.compile(
    r"(?:[省市区县镇乡村路街道巷弄城]|\d号|大厦|广场|中心|(?:科技|工业|产业|软件)园|园区)(?:[^，,。]{0,12}[楼层座栋室号])?$"
)
_ZH_HOUSE = re.compile(r"[路街道巷弄]\s?\d+号")


def is_chinese_place(words: str) -> bool:
    """Whether the words end as an address does, or are nothing but names of places."""
    return bool(_ZH_ADDRESS.search(words)) or all(tag == "ns" for _, tag in rjieba.tag(words))


def is_chinese_house(words: str) -> bool:
    """Whether the words tell a street and a number."""
    return bool(_ZH_HOUSE.search(words))
