"""Whom a question is about, and who has no place in the answer.

"What is the budget of Globex?" shares a word with what is held of the budgets of all others, and none of it answers:
neither where nobody ever mentioned Globex, nor where something else is held of it. What has no answer gets none.

So that nothing is held back by mistake, a name counts as unknown only where a short question asks about it ("of
Globex", "Globex's", "does Globex"; 环球公司的, 关于张伟), not beside what the asker wants for himself, and only while
no word of any such name occurs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from uuid import UUID

import rjieba

from topics.models import Message
from topics.retrieval.columns import prefix_of
from topics.retrieval.dates import named_periods
from topics.retrieval.items import Item, Search, terms_in
from topics.retrieval.question import Question
from topics.retrieval.view import View
from topics.text.analyse import UNSPACED, analyse, fold, is_weak

# Characters. What is longer, or more than a sentence, tells a story, in which names are beside the point.
_SHORT = 160
_SENTENCE_END = re.compile(r"[.!?]\s+(?=\S)|[。！？\n](?=.)")
_OF_HIMSELF = re.compile(r"\b(?:i|me|my|mine|myself)\b|我(?!们|司|方)|咱")
_OTHERS = re.compile(
    r"\b(?:others?|another|else|elsewhere|besides|except|apart from|like|similar\w*|compar\w*|than|versus|vs|differ\w*"
    r"|average|rank\w*|both|everybody|everyone|customers|clients|companies|accounts)\b"
    r"|其他|其它|别的|别人|别家|另外|除了|类似|相比|比较|对比|区别|不同|平均|各个|哪家|[些有个]客户|公司们|同行"
)
_COMPANY = r"(?i:ltd|limited|inc|llc|llp|plc|corp|corporation|gmbh|co|company|group|holdings?|bank)\b\.?"
_NAME = r"(?:[A-Z][\w&-]*(?:\s+(?=[A-Z]))?)+"
_ASKED_ABOUT = [
    re.compile(pattern)
    for pattern in (
        rf"\b({_NAME})['’]s\b",
        rf"\b(?i:of|about|regarding|concerning)\s+(?:the\s+)?({_NAME})",
        rf"\b(?i:does|did|is|was|has|had|will|would|can|could|should)\s+(?:the\s+)?({_NAME})",
        rf"\b({_NAME})\s*(?<=\s){_COMPANY}",
    )
]
# What is written with a capital, or before 's, without being a name.
_NO_NAMES = frozenset(
    """
    a an the it that there here what who when where why how which let everyone everybody someone anyone nobody one each
    he she they we you his her their our your this these those today tomorrow yesterday tonight week month year
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december spring summer autumn fall winter christmas easter
    """.split()
)
# What companies are called besides their name; others of the sort are known by it, too.
_OF_ANY_COMPANY = frozenset(
    analyse(
        "ltd limited inc llc llp plc corp corporation gmbh co company group holding holdings bank the and logistics "
        "labs systems solutions services partners industries technologies technology consulting software trading "
        "international 公司 有限公司 集团 银行 科技 物流 贸易 实业 软件 咨询 电子 股份"
    )
)
_HAN_NAMES = ("nr", "nt", "nz", "eng")
# Pronouns, numbers, measures, adverbs and other words that stand before "company" without naming one: 这家公司.
_NEVER_NAMES = ("r", "m", "q", "p", "u", "c", "d", "f", "t", "y")
_HAN_COMPANY = re.compile(
    r"(?:科技|物流|贸易|实业|软件|咨询|电子|技术|信息|网络|工业|文化|传媒)*(?:(?:股份)?有限(?:责任)?公司|公司|集团|银行)"
)
_ABOUT = ("关于", "有关", "对于", "请问", "客户", "那么", "那")


def is_about_the_unknown(search: Search, items: Sequence[Item]) -> bool:
    """Whether all that is asked about are names of which no word occurs in what is searched, and these items, which
    share some word with the question, are not said by somebody without a name: it may be his."""
    question = search.question
    if question.topics or len(question.text) > _SHORT:
        return False
    text = question.text.strip()
    if _SENTENCE_END.search(text) or _OF_HIMSELF.search(fold(text)):
        return False
    names = [terms for name in _names_asked_about(text) if (terms := _own_terms(name))]
    if not names or any(terms & search.occurring_terms for terms in names):
        return False
    return not any(item.row["speaker"] == Message.Role.USER and not item.row["conversation__subject"] for item in items)


def without_other_parties(view: View, question: Question, items: Sequence[Item]) -> list[Item]:
    """The items without what is held of, or was said about, other customers (and whoever else conversations are about)
    than those that are named, unless it mentions one of these or the question asks for others, too, or is narrowed to
    some topics anyway. What one customer pays is no answer about another, and nothing to let slip before him."""
    named = question.topic_ids()
    if not named or view.topic_ids is not None or _OTHERS.search(fold(question.text)):
        return list(items)
    subjects = {subject for item in items if (subject := item.row["conversation__subject"])}
    parties = view.parties(named.union(subjects, *(item.topics for item in items)), subjects)
    others = {pk for pk, survivor in parties.items() if survivor not in named}
    if not others or named.isdisjoint(parties):
        return list(items)
    prefixes = [prefix_of(view.space.pk, statements=kind) for kind in (False, True)]
    telling = [{prefix + term for term in _own_terms(name)} for name in question.names for prefix in prefixes]
    persons = view.persons(set().union(*(item.topics for item in items if item.statement_id)))
    return [item for item in items if others.isdisjoint(_told_of(item, persons)) or _is_of(item, named, telling)]


def _told_of(item: Item, persons: set[UUID]) -> set[UUID]:
    """The topics of the item; of what somebody said of himself also that of the conversation in which he said it."""
    subject = item.row["conversation__subject"]
    return item.topics | {subject} if subject and item.statement_id and item.topics <= persons else item.topics


def _is_of(item: Item, named: Collection[UUID], telling: Sequence[set[str]]) -> bool:
    """Whether the item is of a topic that is named, or mentions one by all words that tell it from others."""
    return not item.topics.isdisjoint(named) or any(terms <= terms_in(item.row) for terms in telling)


def _names_asked_about(text: str) -> list[str]:
    if re.search(f"[{UNSPACED}]", text):
        return _han_names_asked_about(text)
    found = [match[1] for pattern in _ASKED_ABOUT for match in pattern.finditer(text)]
    return [name for name in found if not _is_no_name(name)]


def _is_no_name(name: str) -> bool:
    words = name.split()
    if len(words) == 1 and name.isupper() and len(name) <= 4:  # VAT, API
        return True
    return all(word.casefold() in _NO_NAMES for word in words)


def _han_names_asked_about(text: str) -> list[str]:
    """Names at the beginning, after a word for "about", before 的 and of companies."""
    words = rjieba.tag(text)
    found = []
    for at, (word, tag) in enumerate(words):
        rest = "".join(other for other, _ in words[at + 1 :])
        is_company = _HAN_COMPANY.match(rest) is not None
        stands_first = all(other in _ABOUT for other, _ in words[:at])
        is_name = tag.startswith(_HAN_NAMES) or (is_company and not tag.startswith(_NEVER_NAMES))
        if is_name and len(word) > 1 and word[0].isalpha() and (stands_first or is_company or rest.startswith("的")):
            found.append(word)
    return [word for word in found if not named_periods(word, years=lambda: [2000], now=None)]


def _own_terms(name: str) -> set[str]:
    return {term for term in analyse(name) if term not in _OF_ANY_COMPANY and not is_weak(term)}
