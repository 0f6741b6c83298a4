"""Contact data and dates that tell whether two topics are one: read from facts, brought into a form to compare."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from topics.text.analyse import fold

# Folded attribute → the sort of contact data that it holds.
_SORTS = {
    "phone": "phone telephone mobile phone_number 电话 手机 手机号 电话号码 手机号码 联系电话",
    "email": "email e-mail email_address 邮箱 邮件地址 电子邮箱 电邮",
    "account": "wechat 微信 微信号 whatsapp telegram line qq",
    "address": "address 地址 office_address 办公地址 公司地址",
    "birthday": "birthday date_of_birth born 生日 出生日期",
}
SORT_OF = {word.replace("_", " "): sort for sort, words in _SORTS.items() for word in words.split()}

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")
# What sort of street it is, and where on it: written in many ways, so it tells nothing.
_STREET = frozenset(
    """
    st street sts ave avenue av blv blvd boulevard rd road dr drive ln lane way pl place sq square hwy highway pkwy
    parkway ct court ter terrace th rd nd n s e w north south east west ne nw se sw at and between near off the of
    suite floor
    """.split()
)
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_ORDINAL = re.compile(rf"\b({'|'.join(_ORDINALS)})\b")
_HOUSE = re.compile(r"\s*(\d+)(?!\d|st|nd|rd|th)")
_SAME_STREET = 85  # rapidfuzz ratio


def read_contact(attribute: str, value: str) -> tuple[str, str] | None:
    """What sort of contact data a fact holds, and the form in which it is compared; None when it is none."""
    sort = SORT_OF.get(attribute)
    if sort is None:
        return None
    read = {"phone": _phone, "email": _email}.get(sort, _plain)(value)
    return (sort, read) if read else None


def _phone(value: str) -> str:
    """The last nine digits: the country's prefix is written or not."""
    digits = "".join(_NUMBER.findall(fold(value)))
    return digits[-9:] if len(digits) >= 6 else ""


def _email(value: str) -> str:
    found = _EMAIL.search(fold(value))
    return found[0] if found else ""


def _plain(value: str) -> str:
    return " ".join(fold(value).split())


@dataclass(frozen=True, slots=True)
class Address:
    """An address taken apart: the number of the house, all numbers, the words that name the street, and the place
    after the last comma."""

    house: str
    numbers: frozenset[str]
    street: str
    town: str


@lru_cache(maxsize=50_000)
def parse_address(text: str) -> Address:
    """`text` is folded."""
    line, _comma, town = text.rpartition(",")
    line = _ORDINAL.sub(lambda found: str(_ORDINALS.index(found[1]) + 1) + "th", line or town)
    house = _HOUSE.match(line)
    words = [word for word in _WORD.findall(line) if word not in _STREET]
    return Address(house[1] if house else "", frozenset(_NUMBER.findall(line)), " ".join(words), town if _comma else "")


def same_place(first: str, second: str) -> bool:
    """Whether two folded addresses, which may differ in what they leave out, are of one place."""
    a, b = parse_address(first), parse_address(second)
    if a.house and b.house and a.house != b.house:
        return False
    if bool(a.numbers) != bool(b.numbers) or (a.numbers and not a.numbers & b.numbers):
        return False
    return fuzz.token_set_ratio(a.street, b.street) >= _SAME_STREET if a.street and b.street else a.street == b.street


def same_town(first: str, second: str) -> bool:
    """Whether two folded addresses name the same town."""
    a, b = parse_address(first).town, parse_address(second).town
    return bool(a and b) and fuzz.token_set_ratio(a, b) >= _SAME_STREET
