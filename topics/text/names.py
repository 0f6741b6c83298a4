"""How names are compared: `张曼婷` and `張曼婷`, `ＡＣＭＥ` and `Acme`, `Dr. Liu` and `Liu` are one name each."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import opencc

# Category P, yet part of the name itself: C#, AT&T, 100%, @home.
_MEANINGFUL_PUNCTUATION = frozenset("#&%@")
_VARIATION_SELECTORS = frozenset(chr(code) for code in range(0xFE00, 0xFE10))

_LATIN_TITLE = re.compile(
    r"^(?:(?:mr|mrs|ms|miss|mx|dr|prof|professor|doctor|sir|madam|mister)\b\.?\s*)+(?=\w)", re.IGNORECASE
)
# The longest first: 总经理 is one title.
_CHINESE_TITLE = re.compile(
    r"(?<=.)(?:"
    r"总经理|副总裁|副经理|董事长|工程师|總經理|副總裁|副經理|董事長|工程師|先生|女士|小姐|太太|"
    r"老师|教授|博士|医生|大夫|护士|律师|会计|经理|主管|总监|主任|总裁|老板|校长|院长|局长|"
    r"处长|科长|部长|厂长|店长|组长|队长|书记|秘书|师傅|同学|同志|阿姨|叔叔|老師|醫生|護士|"
    r"律師|會計|經理|總監|總裁|老闆|校長|院長|局長|處長|科長|部長|廠長|店長|組長|隊長|書記|"
    r"秘書|師傅|同學"
    r")$",
    re.DOTALL,
)
# A one-character title is one only after a bare surname: 王总 and 欧阳总, but not 汇总 or 员工.
_SHORT_CHINESE_TITLE = re.compile(
    r"^((?:欧阳|歐陽|司马|司馬|上官|诸葛|諸葛|皇甫|"
    r"[王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓"
    r"唐冯馮于董萧蕭程曹袁邓鄧许許傅沈曾彭吕呂苏蘇卢盧蒋蔣蔡贾賈丁魏薛叶葉阎閻余潘杜戴夏钟鍾汪田任姜范方石姚谭譚廖邹鄒"
    r"熊金陆陸郝孔白崔康毛邱秦江史顾顧侯邵孟龙龍万萬段钱錢汤湯尹黎易常武乔喬贺賀赖賴龚龔文]))[总總董工姐哥]$"
)


@lru_cache(maxsize=1)
def _to_simplified() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


@lru_cache(maxsize=8192)
def name_key(name: str) -> str:
    """The form under which a name is unique in its space.

    Width and compatibility forms (NFKC), traditional characters (OpenCC t2s), case, white space and punctuation make
    no difference. A name of nothing but punctuation keeps it, so the key of a visible name is never empty; the key of
    an invisible one (white space, control characters) is "".
    """
    visible = "".join(c for c in unicodedata.normalize("NFKC", name) if not _is_invisible(c))
    folded = unicodedata.normalize("NFKC", simplified(visible).casefold())
    bare = "".join(c for c in folded if c in _MEANINGFUL_PUNCTUATION or unicodedata.category(c)[0] != "P")
    return bare or folded


def untitled(name: str) -> str:
    """The name without its honorific: `Dr. Mei Liu` → `Mei Liu`, `张伟先生` → `张伟`. A visible name stays visible."""
    bare = name.strip()
    without_latin = _LATIN_TITLE.sub("", bare)
    short = _SHORT_CHINESE_TITLE.match(without_latin)
    return short[1] if short else _CHINESE_TITLE.sub("", without_latin).rstrip()


def match_keys(name: str) -> tuple[str, ...]:
    """The keys under which a mention may be looked up, the exact one first.

    A surname that is left of a title in Chinese (张先生 → 张) is no key: it would match any namesake.
    """
    exact, bare = name_key(name), name_key(untitled(name))
    return (exact,) if bare == exact or (len(bare) == 1 and not bare.isascii()) or not bare else (exact, bare)


def subject_key(name: str) -> str:
    """The key without a title, which all writings of a name share that may mean the same: "" for no name.

    Namesakes share it too (张先生, 张女士): what it finds is to be looked up by `match_keys`.
    """
    return name_key(untitled(name))[:200] if name else ""


def _is_invisible(character: str) -> bool:
    # Not Cn: an emoji newer than Python's own tables is "unassigned" and yet visible.
    invisible = ("Cc", "Cf", "Cs", "Zs", "Zl", "Zp")
    return character in _VARIATION_SELECTORS or unicodedata.category(character) in invisible


def simplified(text: str) -> str:
    """The text with traditional characters in their simplified form."""
    return text if text.isascii() else str(_to_simplified().convert(text))
