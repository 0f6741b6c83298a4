"""What is said to be open: `nothing is decided yet`, `we have not made up our minds`, `还没有决定`, `还没定`."""

from __future__ import annotations

import re

from extraction.extractors.rules.sentences import blanked
from extraction.extractors.rules.statement import one_of

_YET = (
    r"(?: (?:yet|so far|as yet|for now|as of now|right now|at the moment|at this point|still|either|at all|for sure))*"
)
_ADVERB = r"(?: (?:yet|really|actually|even|quite|\w+ly))*"
_SETTLED = (
    r"(?:decided|settled|agreed|fixed|final|finali[sz]ed|confirmed|certain|definite|definitive|official|signed off|"
    r"(?:set|carved) in stone|a done deal)"
)
_ENGLISH = re.compile(
    rf"\b(?:nothing|none of (?:it|this|that)|neither)(?:'s| is| was| has| have)(?: yet)?(?: been)?{_ADVERB} "
    rf"{_SETTLED}\b|"
    r"\bno (?:final |firm |formal |official |definite )?decisions?(?: (?:has|have|was|were)(?: yet)?(?: been)?"
    r"(?: made| taken| reached)?)?\b|"
    r"(?:n't|\bnot|\bnever)(?: been)?"
    rf"{_ADVERB}(?: been)?{_ADVERB} {_SETTLED}\b|"
    r"(?:n't|\bnot)(?: yet)? (?:made up (?:my|our|his|her|their) minds?|(?:made|taken|reached) (?:a|any|the) "
    r"(?:\w+ )?decision)\b|"
    r"\b(?:have|has|had|'ve)(?: yet| still) to (?:decide|agree|settle|make up (?:my|our|his|her|their) minds?)\b|"
    r"\b(?:undecided|up in the air|to be (?:decided|settled|agreed|confirmed)|an open question)\b",
    re.IGNORECASE,
)
# Only what is open as a whole opens what was said before: in "nothing is decided about the menu" it is the menu.
_ENGLISH_OPEN = re.compile(
    r"(?:[,;:.(–—-]\s*|\b(?:but|and|though|although|so|while)\s+)"
    r"(?:(?:but|and|though|although|so far|as yet|for now|as of now|at the moment|of course|however)[,\s]+)*"
    r"(?:(?:it|this|that|we|I|they|(?:the|our|my) (?:plan|matter|decision|details?)|everything|it all|(?:the|this) "
    r"whole thing)"
    r"(?:'s|'re|'ve|'m| is| are| was| has| have| am)?(?: still| all)*(?: (?:is|are|has|have|do|does)(?=n't))?\s?)?"
    rf"(?:{_ENGLISH.pattern}){_YET}(?=\s*(?:$|[.,;:!?)–—]|\s-|\b(?:and|but|so|because|as|since)\b))",
    re.IGNORECASE,
)
_HAN_SETTLED = one_of("决定 定下来 敲定 确定 拍板 想好 商定 谈妥 落实 下定决心 定论 定")
_CHINESE = re.compile(
    r"(?:(?:还|尚|仍|并|都|目前|暂时|暂)*(?:没有?|未)(?:最后|最终|完全|正式|真正|做出?|作出?|有|的|个)*"
    rf"{_HAN_SETTLED}|待定|悬而未决)"
)
_CHINESE_OPEN = re.compile(
    r"[，,；;]\s*"
    + one_of(
        """但是? 不过 只是 可是 然而 当然 目前 现在 暂时 具体 我们? 大家 公司 他们 什么 一切 全 都 也 事情 这件事 这事
        这个 最后 最终 还 是"""
    )
    + rf"*{_CHINESE.pattern}(?:了|呢|好|下来|的)*(?=\s*(?:$|[，,；;。！!~～]))"
)


def without_open_matters(text: str, *, chinese: bool) -> str:
    """The text, of the same length, with the words blanked that say of something that it is not decided."""
    return blanked(_CHINESE if chinese else _ENGLISH, text)


def is_left_open(text: str, *, chinese: bool) -> bool:
    """Whether a clause says of all that is told before it that it is not decided."""
    return bool((_CHINESE_OPEN if chinese else _ENGLISH_OPEN).search(text))
