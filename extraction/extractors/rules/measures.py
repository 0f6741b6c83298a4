"""Attributes whose value is a number: `budget 84,000 USD/year`, `drivers 38`, `approval limit 5,000 USD`."""

from __future__ import annotations

import re

from extraction.extractors.rules.concepts import Attribute, attribute_key
from extraction.extractors.rules.numbers import Amount, decimal_value, find_money, find_percentages
from extraction.extractors.rules.owners import ZH_RELATED
from extraction.extractors.rules.statement import one_of

_NO_MODIFIER = one_of(
    """the our my your their his her its a an is are was were of for in on to and that this with by we i new total
    overall whole s as at but so than"""
)
_PRICED = one_of(
    """budget price pricing costs? fees? salary wage rent revenue turnover discount quote deposit target quota
    limit income mortgage subscription premium margin rate valuation funding loan debt savings allowance tuition
    commission vat tax share stake value growth capacity"""
)
_PRICED_NOUN = re.compile(rf"\b(?P<noun>(?:(?!{_NO_MODIFIER}\b)[a-z]+\s+)?{_PRICED})\b", re.IGNORECASE)
# What there are many of, each of something: the success rate of the login, the price of apples.
_RATED = re.compile(
    r"\b(?:rate|share|margin|growth|capacity|value|commission|price|pricing|costs?|fees?)$", re.IGNORECASE
)
_NO_TIME = (
    r"(?!(?:this|that|these|those|it|them|us|me|last|next|past|first|now|total|average|general|moment|time|\d|"
    r"(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october|spring|summer|autumn|winter|"
    r"mon|tues|wednes|thurs|fri|satur|sun)(?:days?)?\b)"
)
_WHAT = rf"(?:(?:the|our|my|their|all|an?)\s+)?{_NO_TIME}(?P<what>[a-z][\w'-]*(?:\s+{_NO_TIME}[\w'-]+){{0,3}}?)"
_OF_WHAT = re.compile(
    rf"\s+(?:of|for|in|on|at|among)\s+{_WHAT}(?=\s*(?:[,:(]|$)|\s+"
    + one_of(
        """is was are were be has have had stands? stood will should must may can rose fell dropped grew went increased
        improved reached hit remains stays now currently of to"""
    )
    + r"\b)",
    re.IGNORECASE,
)
_FOR_WHAT = re.compile(
    rf"\s+(?:of|for|in|on|at|among)\s+{_WHAT}(?=\s*(?:$|[.,;:!?()]|\b"
    + one_of("and but because since so which that now this last after before when while with is was are")
    + r"\b))",
    re.IGNORECASE,
)
_MODIFIERS = re.compile(
    rf"(?:^|\b(?:the|our|my|your|their|its|an?)\s+)(?P<more>(?:(?!{_NO_MODIFIER}\b)[a-z-]+\s+){{1,2}})$", re.I
)
_GENERIC = frozenset(
    """project product company team business client customer service system platform app site website store shop year
    quarter month week period day time market industry whole moment""".split()
)
_ZH_RATED = re.compile(r"(?:率|占比|份额|价格?|费用?|成本)$")
_ZH_OF_WHAT = re.compile(r"(?P<what>(?:(?![的我你他她它们是在有为])[一-龥A-Za-z0-9]){2,10})的$")
_ZH_GENERIC = re.compile(
    r"(?:现在|目前|如今|当前|[今昨明]天|[今去明]年|[这本上下]个?[月周年]|[\d一二三四五六七八九十]+月|季度|项目|公司|客户|系统|平台|"
    r"产品|团队|整个|总体|整体|我们)+"
)
_EARNS = re.compile(r"\bI\s+(?:earn|make|get paid)\b", re.IGNORECASE)
_PAYS_RENT = re.compile(r"\bI pay\b.*\b(?:in rent|rent|for (?:my|the) (?:flat|apartment|room))\b", re.IGNORECASE)
_COSTS = re.compile(
    r"^(?:the |our |their |my )?(?P<subject>(?!(?:it|this|that|which|the|our|their|my)\b)\w[\w' -]{1,40}?)\s+"
    r"(?:now |currently )?costs?\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:can|may|(?:allowed|authori[sz]ed) to)\s+(?:sign|approve|spend)\b[^,.;]{0,40}?\b(?:up to|at most|no more "
    r"than)\s*$",
    re.IGNORECASE,
)
_QUANTITY = r"(?P<amount>\d{1,3}(?:,\d{3})+|\d{1,9}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_ROUGHLY = (
    r"(?:(?:about|around|roughly|approximately|some|now|currently|(?:well )?over|more than|at least|"
    r"no (?:fewer|less) than|fewer than|less than|close to|upwards of|nearly|almost|exactly|only|just|already|still|"
    r"another|a total of)\s+)*"
)
_COUNT = re.compile(
    r"\b(?:have|has|got|employs?|runs?|operates?|manages?|leads?|supervises?|owns?|there are|seats?|holds?|"
    r"serves?|covers?|includes?|comprises?)\s+"
    rf"{_ROUGHLY}(?:a (?:team|fleet|staff) of\s+)?{_QUANTITY}\+?\s+"
    r"(?P<noun>(?:[a-z][a-z-]+\s+)?(?:people|children|staff|women|men)|(?:[a-z][a-z-]+\s+)?[a-z][a-z-]*s)\b",
    re.IGNORECASE,
)
_MEASURED_NOUN = re.compile(
    r"\b(?:the|our|my|an?(?= (?:new )?(?:daily|hourly|weekly|monthly|yearly|annual) (?:quota|limit))) "
    r"(?P<noun>(?:new )?(?:[a-z]+ ){0,2}?"
    r"(?:headcount|team size|staff|capacity|height|weight|area|size|quota|limit|"
    r"distance|"
    rf"warranty|notice period|commute|blood pressure|iq|score)) (?:is|are|stands at|was|of) "
    rf"{_ROUGHLY}{_QUANTITY}(?P<unit>\s?[a-z%²]+)?",
    re.IGNORECASE,
)
_NOT_COUNTED = re.compile(
    r"\b"
    + one_of(
        """questions? ideas? things? minutes? hours? days? weeks? months? years? tips? options? times? reasons?
        points? ways? problems? issues? others? nights? as is was has of more plus suggestions? concerns? topics?
        favou?rites? thoughts? seconds? miles? this pages? steps? weekends? friends? offers?"""
    )
    + "$",
    re.IGNORECASE,
)
_GROWS = re.compile(
    r"\b(?:by|grew|grown|grows?|increas\w+|rose|risen|fell|fallen|dropp?\w*|decreas\w+|declin\w+|up|down)(?: by)?\s*$"
    r"|(?:增长|增加|上涨|上升|提高|提升|升高|下降|下跌|减少|降低)了?\s*$",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:\b(?:not|isn't|instead of|rather than|(?:up|down) from)|不是|并非)\s*(?:the )?$", re.IGNORECASE
)
_MOVES_TO = re.compile(
    r"\b(?:to|now)\s*$|(?:到|至|成|为)了?\s*$",
    re.IGNORECASE,
)
_ZH_PRICED = one_of(
    """预算 价格 单价 报价 售价 成本 费用 营收 收入 营业额 销售额 工资 月薪 年薪 薪水 薪资 房租 租金 月租 押金 定金
    订金 折扣 利润 目标 额度 上限 首付 月供 投资额 合同额 合同金额 金额 总价 均价 毛利率 利率 占比 份额 提成 存款
    贷款 [一-龥]费 (?<!效)(?<!频)(?<!(?<!成)功)率"""
)
_ZH_PRICED_NOUN = re.compile(
    rf"(?P<noun>(?:(?![的是在有为把将由从了每和月说要跟给但而]|项目|公司|我们|今年)[一-龥]){{0,4}}?{_ZH_PRICED})"
)
_ZH_COUNT = re.compile(
    r"(?:有|共|一共|共有|总共|雇了|管理|管|带领|领导|带|拥有|配备|需要|(?:扩大|增加|增长|发展|扩充|减少|缩减|裁)到|增至|减至)"
    r"(?:了|着)?(?:大约|大概|约|超过|多于|至少|不少于|不下|将近|接近|近|逾|差不多)?"
    r"(?P<amount>\d{1,9}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[两三四五六七八九])[多余来]?\s?"
    r"(?P<unit>[名位个辆台家间套层栋只条座张支所人])(?P<noun>[一-龥]{0,6})"
)
# 员工是150名, 门店为40家: the noun stands before.
_ZH_COUNTED_NOUN = re.compile(
    r"(?:^|(?<=[，,；;：:的])|(?<=我们)|(?<=公司)|(?<=团队))(?P<noun>(?:(?![的是在有为把将由从每和我你他她它这那])[一-龥]){2,5}?)"
    r"(?:总数|数量|人数|总量)?(?:现在|目前|如今|已经|已|一共|总共|共|大概|大约|约|应该|其实)*(?:是|为|有|达到?|增至|减至|：|:)"
    r"(?:大约|大概|约|超过|至少|将近|近)?\s?"
    r"(?P<amount>\d{1,9}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[两三四五六七八九])[多余来]?\s?"
    r"(?P<unit>[名位个人台家间套层栋条座张支所辆])(?=吧?(?:$|[，,。；;！!\s]))"
)
_ZH_MEASURED_NOUN = re.compile(
    rf"(?:^|(?<=[，,；;的其我他她们])|(?<=现在|目前|如今)|{ZH_RELATED.pattern})(?P<noun>身高|体重|工龄|智商)"
    r"(?:现在|目前|如今|已经|大概|大约|约|是|为|有|[降涨减增长瘦升]?到了?)*\s?"
    r"(?P<amount>\d{1,5}(?:\.\d+)?)\s?(?P<unit>公斤|千克|斤|kg|厘米|公分|cm|米|年)?(?![\d.一二三四五六七八九])"
)
_ZH_STAFF = re.compile(r"团队|公司|部门|小组|工厂|门店|项目组")
_ZH_NOT_COUNTED = (
    *(
        "月",
        "小时",
        "星期",
        "礼拜",
        "问题",
        "建议",
        "想法",
        "原因",
        "方面",
        "人",
        "多",
        "左右",
        "地方",
        "事",
        "好",
        "方法",
        "步骤",
    ),
    *("不", "没", "朋友", "梦想", "选择", "机会"),
)
_ZH_NOUN_END = re.compile(r"(?:的|在|和|了|以|是|都|也|要|可|能|就|会|组成|左右).*$")
_SPENT = re.compile(r"\b(?:spent|paid|bought)\b|花了|花费|付了|支付了|买了|花掉")


def find_measure(text: str, *, chinese: bool) -> Attribute | None:
    """The number that the sentence sets an attribute to. Money that was spent is an event and sets nothing."""
    amounts = find_money(text, chinese) or find_percentages(text)
    if not amounts:
        return _chinese_count(text) if chinese else _count(text)
    said = [amount for amount in amounts if not is_denied(text, amount)] or amounts
    amount = said[-1]
    if _SPENT.search(text) or (len(said) > 1 and not _is_change(text, said)):
        return None
    if _GROWS.search(text[: amount.start]):
        return None
    name, of = _chinese_name(text, amount) if chinese else _name(text, amount)
    return Attribute(name, amount.value, amount.unit, amount.start, of) if name else None


def is_denied(text: str, amount: Amount) -> bool:
    """Whether it is what something is not: the second of `$120, not $100`, the first of `不是7万元，是8万元`."""
    return _DENIED.search(text[: amount.start]) is not None


def _is_change(text: str, amounts: list[Amount]) -> bool:
    """Whether the last amount replaces the one before it: `from 15 to 18`."""
    return len(amounts) == 2 and bool(_MOVES_TO.search(text[amounts[0].end : amounts[1].start]))


def _name(text: str, amount: Amount) -> tuple[str, str]:
    """The attribute that an amount is the value of, and what it is of; empty if not said."""
    before, behind = text[: amount.start], text[amount.end :]
    if _LIMIT.search(before):
        return "approval limit", ""
    if costs := _COSTS.match(before):
        return f"{attribute_key(costs['subject'], chinese=False)} cost", ""
    if nouns := list(_PRICED_NOUN.finditer(before)):
        for noun in nouns:  # the first that is of all that follows: "the interest rate on the loan"
            of = _OF_WHAT.match(before, noun.end())
            if noun is nouns[-1] or (of and _RATED.search(noun["noun"]) and nouns[-1].end() <= of.end()):
                return _rated(noun, before, of or _FOR_WHAT.match(behind))
    if noun_behind := _PRICED_NOUN.match(behind.lstrip()):
        return _rated(noun_behind, "", _FOR_WHAT.match(behind.lstrip(), noun_behind.end()))
    if _EARNS.search(before):
        return "salary", ""
    return "rent" if _PAYS_RENT.search(text) else "", ""


def _rated(noun: re.Match[str], text: str, of: re.Match[str] | None) -> tuple[str, str]:
    name = attribute_key(noun["noun"], chinese=False)
    if not _RATED.search(noun["noun"]):
        return name, ""
    if more := _MODIFIERS.search(text[: noun.start()]):
        name = attribute_key(more["more"] + noun["noun"], chinese=False)
    what = " ".join(of["what"].lower().split()) if of else ""
    return name, "" if what in _GENERIC else what


def _chinese_name(text: str, amount: Amount) -> tuple[str, str]:
    before = text[: amount.start]
    nouns = list(_ZH_PRICED_NOUN.finditer(before))
    if not nouns:
        return "", ""
    name = attribute_key(nouns[-1]["noun"], chinese=True)
    of = _ZH_OF_WHAT.search(before, 0, nouns[-1].start()) if _ZH_RATED.search(nouns[-1]["noun"]) else None
    return name, "" if of is None or _ZH_GENERIC.fullmatch(of["what"]) else of["what"]


def _count(text: str) -> Attribute | None:
    if match := _MEASURED_NOUN.search(text):
        return Attribute(
            attribute_key(match["noun"], chinese=False), decimal_value(match["amount"]), (match["unit"] or "").strip()
        )
    match = _COUNT.search(text)
    if match is None or _NOT_COUNTED.search(match["noun"].lower()):
        return None
    return Attribute(attribute_key(match["noun"], chinese=False), decimal_value(match["amount"]))


def _chinese_count(text: str) -> Attribute | None:
    if match := _ZH_MEASURED_NOUN.search(text):
        return Attribute(attribute_key(match["noun"], chinese=True), match["amount"], match["unit"] or "")
    match = _ZH_COUNT.search(text)
    if match is None:
        return _chinese_counted(text)
    noun = _ZH_NOUN_END.sub("", match["noun"])
    if match["unit"] == "个" and noun == "人" and _ZH_STAFF.search(text, 0, match.start()):
        return Attribute("人数", decimal_value(match["amount"]), "人")
    if match["unit"] == "人":
        return None if noun else Attribute("人数", decimal_value(match["amount"]), "人")
    if len(noun) < 2 or noun.startswith(_ZH_NOT_COUNTED):
        return None if noun else _chinese_counted(text)
    return Attribute(attribute_key(noun, chinese=True), decimal_value(match["amount"]), match["unit"])


def _chinese_counted(text: str) -> Attribute | None:
    match = _ZH_COUNTED_NOUN.search(text)
    if match is None or match["noun"].startswith(_ZH_NOT_COUNTED) or match["noun"].endswith(_ZH_NOT_COUNTED):
        return None
    return Attribute(attribute_key(match["noun"], chinese=True), decimal_value(match["amount"]), match["unit"])
