"""Whose attribute it is, if not the topic's own: `my sister's email`, `我同事的电话`."""

from __future__ import annotations

import re

from extraction.extractors.rules.concepts import attribute_key
from extraction.extractors.rules.statement import one_of

_RELATED = re.compile(
    r"(?:my|our|the) (?!company|team|customer|client|project|office|business)(?P<owner>[a-z]+(?: [a-z]+)?)'s ",
    re.IGNORECASE,
)
ZH_RELATED = re.compile(
    r"我们?的?(?P<owner>"
    + one_of(
        """妻子 老婆 丈夫 老公 爱人 女朋友 男朋友 女友 男友 孩子 儿子 女儿 爸爸? 妈妈? 父亲 母亲 父母 哥哥? 姐姐?
        弟弟? 妹妹? 爷爷 奶奶 外公 外婆 叔叔 婶婶 阿姨 舅舅 姑姑 姨妈 表弟 表妹 表哥 表姐 堂弟 堂妹 堂哥 堂姐 岳父
        岳母 公公 婆婆 朋友 同事 老板 上司 领导 下属 同学 室友 邻居 房东 导师 教练 老师"""
    )
    + ")"
)
_ZH_OF = re.compile(r"(?![^的]{0,8}(?:忽略|忘|之前的|以前的))(?P<owner>[^，,。；;：:的我你他她它是在有]{2,16})的")
_NO_OWNERS = ("项目", "公司", "客户", "系统", "目前", "现在", "今年", "整个", "我们", "平台", "产品", "团队")


def owner_of(text: str, *, chinese: bool, named: bool) -> str:
    """The owner in words, to stand before the attribute's name; "" if the topic itself has the attribute.

    `named` says that the sentence's subject is a topic by name, which then is the owner.
    """
    if named:
        return ""
    match = ZH_RELATED.match(text) or _ZH_OF.match(text) if chinese else _RELATED.match(text)
    if match is None:
        return ""
    owner = attribute_key(match["owner"], chinese=chinese)
    return "" if owner in _NO_OWNERS else owner
