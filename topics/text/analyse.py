"""From text to the terms that are searched. The same rules hold for what is stored and for what is asked.

Alphabetic text becomes lower-case words, English ones reduced to their stem (Snowball) and without stop words. Scripts
that are written without spaces (Chinese, Japanese, Korean, Thai and their neighbours) become single characters and
overlapping pairs; Han characters are compared in their simplified form. An emoji becomes an ASCII term.

A term consists of letters, digits and combining marks only, so nothing that a search engine could take for syntax ever
reaches it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

import opencc
import snowballstemmer

# Stored with every row: rows of another version are written anew by `manage.py rebuild_index`.
ANALYSER_VERSION = 1

MAX_TERM_LENGTH = 40

# Han with its extensions and marks, kana, Hangul, Bopomofo; then Thai, Lao, Myanmar and Khmer.
UNSPACED = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U000323af"
    "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff"
)
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0dff\u1ab0-\u1aff"
)
_EMOJI = "\u2600-\u27bf\u2b00-\u2bff\U0001f1e6-\U0001f1ff\U0001f300-\U0001f3fa\U0001f400-\U0001faff"

_PIECE = re.compile(f"([{UNSPACED}]+)|([{_EMOJI}])|((?:(?![{UNSPACED}])[^\\W_]|[{_MARKS}])+)")
_ASCII_WORD = re.compile("[a-z0-9]+")
_POSSESSIVE = re.compile(r"['’]s\b")

STOP_WORDS = frozenset(
    """
    a about above after again all also am an and any are as at be because been before being below between both
    but by can could d did do does doing don down during each else ever few for from further get got had has
    have having he her here hers herself him himself his how i if in into is it its itself just kind ll m many
    may me might more most much must my myself no nor not now of off on once only or other our ours ourselves
    out over own re s same shall she should so some such sure t than that the their theirs them themselves
    then there these they thing this those though through to too type under until up us ve very was we were
    what when where whether which while who whom whose why will with would yeah yes you your yours yourself
    isn wasn weren didn doesn couldn wouldn shouldn aren hasn haven hadn
    """.split()
)

# Asking words: in a question they say what is asked, not what it is about.
_QUESTION_PAIRS = frozenset(
    """
    什么 甚么 怎么 怎样 么样 哪里 哪儿 哪个 哪些 哪位 哪天 哪年 哪月 多少 多久 多大 多长 多远 几个 几次
    几天 几年 几月 几岁 何时 何地 何人 何种 如何 为何 为什 时候 么时 是否 是不 不是 有没 没有 是谁 谁的
    请问 告诉 诉我 知道 吗的 么的 了什 是什 有什 做什 在哪 去哪 有哪 是哪 的是 了吗 是怎 么会 会在
    """.split()
)
_QUESTION_CHARACTERS = frozenset(
    "的了吗呢吧啊呀嘛么是在和与及或就都也很把被对从向到给让又还我你您他她它们这那哪谁几何什怎为有个过着"
)
_ASKING = re.compile("|".join([*sorted(_QUESTION_PAIRS), f"[{''.join(sorted(_QUESTION_CHARACTERS))}]"]))


def analyse(text: str) -> list[str]:
    """The terms of a stored text, in order, with repetitions."""
    return list(_terms(text))


def analyse_question(text: str) -> list[str]:
    """The distinct terms that a question is about, in order: `analyse` without asking words and particles."""
    return list(dict.fromkeys(t for t in _terms(text) if t not in _QUESTION_PAIRS and t not in _QUESTION_CHARACTERS))


def without_asking(text: str, names: Iterable[str]) -> str:
    """What is left of a question, in its own words, without those that only ask and without these names."""
    for name in sorted(names, key=len, reverse=True):
        text = _word(name).sub(" ", text)
    pieces = [_without_asking(piece) for piece in _PIECE.finditer(_POSSESSIVE.sub("", text))]
    return " ".join(piece for piece in pieces if piece)


def _word(name: str) -> re.Pattern[str]:
    """The name as a word of its own; in a script without spaces anywhere."""
    words = r"\s+".join(map(re.escape, name.split()))
    return re.compile(rf"(?<![a-z0-9]){words}(?![a-z0-9])" if name.isascii() else words, re.IGNORECASE)


def _without_asking(piece: re.Match[str]) -> str:
    unspaced, emoji, word = piece.groups()
    if not unspaced:
        return emoji or ("" if word.lower() in STOP_WORDS else word)
    return " ".join(_ASKING.sub(" ", unspaced).split())


def is_weak(term: str) -> bool:
    """Whether the term is a single character of an unspaced script, which alone makes no match worth showing."""
    return len(term) == 1 and not term.isascii() and _PIECE.match(term)[1] is not None  # type: ignore[index]


def fold(text: str) -> str:
    """The text in the form in which terms are compared: NFKC, lower case, Han simplified."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    return str(_to_simplified().convert(folded))


def _terms(text: str) -> Iterator[str]:
    folded = _POSSESSIVE.sub("", fold(text))
    if folded.isascii():  # all there is are words, which a simpler pattern finds in a third of the time
        yield from [_stem(word) for word in _ASCII_WORD.findall(folded) if word not in STOP_WORDS]
        return
    for piece in _PIECE.finditer(folded):
        unspaced, emoji, word = piece.groups()
        if unspaced:
            yield from unspaced
            yield from map(str.__add__, unspaced, unspaced[1:])
        elif emoji:
            yield f"e{ord(emoji):x}"
        elif word not in STOP_WORDS:
            yield _stem(word)


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    word = word[:MAX_TERM_LENGTH]
    if word[0] < "\u0250":
        word = "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    return str(_english().stemWord(word)) if word.isascii() else word


@lru_cache(maxsize=1)
def _english() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=1)
def _to_simplified() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")
