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
_OUTCOME = "(?:decision|agreement|consensus|conclusion|resolution)"
_ENGLISH = re.compile(
    rf"\b(?:nothing|none of (?:it|this|that)|neither)(?:'s| is| was| has| have| got)?(?: yet)?(?: been)?{_ADVERB} "
    rf"{_SETTLED}\b|"
    rf"\b(?:no|without an?y?) (?:final |firm |formal |official |definite |clear )?{_OUTCOME}s?"
    r"(?: (?:has|have|was|were|could be)(?: yet)?(?: been)?(?: made| taken| reached| found)?)?\b|"
    r"(?:n't|\bnot|\bnever)(?: been)?"
    rf"{_ADVERB}(?: been)?{_ADVERB} {_SETTLED}\b|"
    r"(?:n't|\bnot)(?: yet)? (?:made up (?:my|our|his|her|their) minds?|"
    rf"(?:ma[dk]e|take|taken|reach|reached|c[oa]me to) (?:an?|any|the) (?:\w+ )?{_OUTCOME})\b|"
    rf"\b(?:the |this |a )?(?:{_OUTCOME}|matter|question|issue|point|item)(?:'s| is| was| has been) "
    r"(?:postponed|deferred|adjourned|put off|left open|tabled)\b|"
    r"\b(?:is|was|been|were) left open\b|"
    r"\b(?:have|has|had|'ve)(?: yet| still) to (?:decide|agree|settle|make up (?:my|our|his|her|their) minds?)\b|"
    r"\b(?:undecided|up in the air|to be (?:decided|settled|agreed|confirmed)|an open question)\b",
    re.IGNORECASE,
)
# Only what is open as a whole opens what was said before: in "nothing is decided about the menu" it is the menu.
_ENGLISH_OPEN = re.compile(
    r"(?:[,;:.(–—-]\s*|\b(?:but|and|though|although|so|while|where|(?=without\b))\s*)"
    r"(?:(?:but|and|though|although|so far|as yet|for now|as of now|at the moment|of course|however)[,\s]+)*"
    r"(?:(?:it|this|that|we|I|they|(?:the|our|my) (?:plan|matter|decision|details?)|everything|it all|(?:the|this) "
    r"whole thing)"
    r"(?:'s|'re|'ve|'m| is| are| was| has| have| am)?(?: still| all)*(?: (?:is|are|has|have|do|does)(?=n't))?\s?)?"
    rf"(?:{_ENGLISH.pattern}){_YET}(?=\s*(?:$|[.,;:!?)–—]|\s-|\b(?:and|but|so|because|as|since)\b))",
    re.IGNORECASE,
)
_HAN_SETTLED = one_of("决定 定下来 敲定 确定 拍板 想好 商定 议定 谈妥 落实 下定决心 定论 结论 决议 一致 共识 定")
_CHINESE = re.compile(
    r"(?:(?:还|尚|仍|并|都|也|目前|暂时|暂)*(?:没有?|未)(?:能|可以?|最后|最终|完全|正式|真正|做出?|作出?|得出|达成|形成|取得|任何|"
    r"什么|有|的|个)*"
    rf"{_HAN_SETTLED}|待定|悬而未决)"
)
_CHINESE_OPEN = re.compile(
    r"[，,；;]\s*"
    + one_of(
        """但是? 不过 只是 可是 然而 当然 目前 现在 暂时 具体 我们? 大家 公司 他们 什么 一切 全 都 也 事情 这件事 这事
        这个 这(?=还|尚|仍|没|未) 最后 最终 会议 会上 双方 还 是"""
    )
    + rf"*{_CHINESE.pattern}(?:了|呢|好|下来|的)*(?=\s*(?:$|[，,；;。！!~～]))"
)


# What was spoken of, or stood on an agenda.
_TALKED = re.compile(
    r"\b(?:discuss\w*|talk(?:ed|s|ing)?|spoke|speaking|debat\w+|deliberat\w+|brainstorm\w*|considered|reviewed|"
    r"went over|looked (?:at|into|over)|exchanged (?:views|ideas|opinions)|(?:touched|touching) (?:up)?on|"
    r"c[oa]me up|brought up|raised (?:the|a|his|her|their) (?:\w+ )?(?:question|issue|point|topic|matter|subject)|"
    r"agenda|minutes of|(?:had|held|in|at|during) (?:an?|the|our|this) (?:\w+ )?meeting)\b|"
    r"^\W*(?:(?:agenda )?(?:item|point|topic|note|line|no\.?|nr\.?|top) ?#?\d+|#\d+)\b",
    re.IGNORECASE,
)
_ZH_TALKED = re.compile(
    one_of(
        """讨论 商量 商讨 商议 研究了 研究过 谈了 谈到 谈过 谈论 聊了 聊到 聊过 提到 提出 提了 议了 审议 考虑了 考虑过
        交流 沟通 (?<!要)开会 开了.{0,4}会 会议(?:上|中|记录|纪要) 会上 议题 议程"""
    )
    + r"|^\W*第?[\d一二三四五六七八九十]{1,4}[项条点]"
)
# What may yet come of it is worth a note: "we talked about Leeds and may move there".
_MAY_BE = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|might|(?<!in )(?-i:may)|will|plan(?:s|ning)?|going to|hop(?:e|ing)|"
    r"would like)\b|可能|也许|或许|打算|计划(?!书)|说不定",
    re.IGNORECASE,
)


def without_open_matters(text: str, *, chinese: bool) -> str:
    """The text, of the same length, with the words blanked that say of something that it is not decided."""
    return blanked(_CHINESE if chinese else _ENGLISH, text)


def is_left_open(text: str, *, chinese: bool) -> bool:
    """Whether a clause says of all that is told before it that it is not decided."""
    return bool((_CHINESE_OPEN if chinese else _ENGLISH_OPEN).search(text))


def is_wholly_open(text: str, *, chinese: bool) -> bool:
    """Whether a sentence says nothing but that what was told before it is not decided."""
    match = (_CHINESE_OPEN if chinese else _ENGLISH_OPEN).match(f"; {text}")
    return match is not None and not re.search(r"\w", f"; {text}"[match.end() :])


def is_talk(text: str, *, chinese: bool) -> bool:
    """Whether it tells that something was spoken of, and nothing of what may come of that."""
    return bool((_ZH_TALKED if chinese else _TALKED).search(text)) and not _MAY_BE.search(text)


def is_only_talked_of(text: str, *, chinese: bool) -> bool:
    """Whether something was spoken of and left open, so that nothing holds now that did not before."""
    return is_left_open(text, chinese=chinese) and is_talk(text, chinese=chinese)
