"""On what terms somebody does business: in how many days is paid, and where invoices and the like are sent.

`We pay within 30 days`, `付款期限30天`, `Send invoices to ap@example.com`, `发票寄到南京西路100号`.
"""

from __future__ import annotations

import re

from extraction.extractors.rules.concepts import Attribute, attribute_key
from extraction.extractors.rules.numbers import decimal_value
from extraction.extractors.rules.places import HOUSE, is_chinese_house, is_chinese_place
from extraction.extractors.rules.statement import one_of

_EMAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"

# --- in how many days is paid --------------------------------------------------------------------------------------

_DAYS = (
    r"(?P<amount>\d{1,3}|seven|ten|fourteen|fifteen|thirty|sixty|ninety)(?: |-)"
    r"(?P<unit>(?:business |working |calendar )?days?|weeks?|months?)"
)
_WITHIN = rf"(?:within|in|after|at|net|of)(?: a| the)?(?: maximum of| at most| net)? {_DAYS}"
_PAPER = r"(?:invoices?|bills?|orders|suppliers|vendors|them)"
_ENGLISH_DAYS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bpayment (?:terms?|period|deadline)(?: is| are|:)?(?: now| always| still)*(?: of| strictly)? (?:net )?"
        + _DAYS,
        r"\bpayment terms?(?: is| are|:)?(?: now)? net[ -]?(?P<amount>\d{1,3})\b",
        r"\b(?:payments?|invoices|bills) (?:is|are)(?: now| always)* (?:due|payable|paid|to be paid|settled) "
        + _WITHIN,
        # What is paid as a rule; what will be paid, or did, is one payment.
        rf"(?<!\bwill )(?<!\bto )(?<!\bcan )(?<!\bcould )(?<!\bdid )(?<!n't )(?<!\bnot )(?<!'ll )(?<!'d )(?<!\bshould )"
        rf"(?<!\bI )\bpays?(?: (?:all|our|their|the|every|your))*(?: {_PAPER})?(?: always| only| strictly)* {_WITHIN}",
    )
)
_ZH_NUMBER = r"(?P<amount>\d{1,3}|[一二三四五六七八九]?十[一二三四五六七八九]?)"
_ZH_DAYS = rf"{_ZH_NUMBER}\s?(?P<unit>个?(?:工作日|自然日|星期|周)|个月|天|日)"
_ZH_PAPER = "(?:发票|票|货|货物|账单|验收|交货|货到)"
_ZH_AFTER = rf"(?:在|于)?(?:(?:收到|开具|开|见|凭)?{_ZH_PAPER}(?:合格|通过)?(?:之?后|到后|的)?)?(?:的|在)?"
_CHINESE_DAYS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:付款|支付|结算|回款|收款)(?:的)?(?:期限|账期|周期|条件|期|天数|时间)(?:都|现在|一般|通常|目前)*"
        rf"(?:是|为|[：:])?{_ZH_AFTER}{_ZH_DAYS}(?:内|以内|之内)?",
        rf"(?:账期|帐期)(?:都|现在|一般|通常|目前)*(?:是|为|[：:])?\s?{_ZH_DAYS}",
        rf"月结\s?{_ZH_DAYS}",
        rf"(?<![将要想求让请])(?:我们|我司|公司|客户|他们|对方|一般|都|通常|发票|货款)(?:一般|都|通常|必须|应|应该|须)*{_ZH_AFTER}"
        rf"{_ZH_DAYS}(?:之内|以内|内)(?:就|必须|应|应该|须)?(?:付款|支付|结清|付清|结算)(?:货款|全款|尾款|发票)?(?=$|[，,。；;！!])",
    )
)

# --- where things are sent -----------------------------------------------------------------------------------------

_SENT = one_of(
    """invoices bills receipts statements credit_notes reminders purchase_orders orders deliveries parcels packages
    goods contracts applications complaints returns samples delivery_notes"""
)
_MANY = rf"(?:(?:all|any|your|our|the|every|future|new)\s+)*(?P<noun>(?:(?:every|each|any) )?(?:[a-z]+ )?{_SENT})"
_WHERE = (
    rf"(?:(?:our|the|my|this|following|e-?mail|address|office|headquarters|at|in|by)[ :,]+)*(?P<value>{_EMAIL}|{HOUSE})"
)
_ENGLISH_SENT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:send|e-?mail|mail|post|forward|deliver|ship|address|submit|direct) {_MANY}"
        rf"(?: only| always| by [a-z-]+| directly| straight)* to {_WHERE}",
        rf"\b{_MANY} (?:(?:always|now|only|must|should|have to|need to|can|may|please|are|be|is|to)\s+)*"
        r"(?:go(?:es)?|sent|e-?mailed|mailed|posted|delivered|shipped|forwarded|addressed|submitted)"
        rf"(?: only| directly)* to {_WHERE}",
        r"\b(?P<noun>invoice|invoicing|billing|delivery|shipping|returns|accounts payable|orders?)"
        rf"(?: e-?mail)?(?: address)?(?: is|:|'s)(?: now)? ?(?P<value>{_EMAIL}|{HOUSE})",
    )
)
_ZH_SENT = "(?:增值税)?(?:发票|账单|对账单|收据|催款单|采购单|订单|合同|货物|包裹|快递|样品|退货|投诉|简历)"
_ZH_SEND = r"(?:邮寄|寄送|发送|投递|快递|寄|发|送|提交)(?:到|至|给|往)"
_ZH_WHERE = (
    r"(?:(?:我们的?|以下|这个|公司|总部|邮箱|电子邮箱|地址|邮件|是|：|:|\s)*)"
    rf"(?P<value>(?a:{_EMAIL})|[^，,。；;！!？?\s]{{4,40}}?)(?=吧?(?:$|[，,。；;！!？?\s]))"
)
_CHINESE_SENT = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<noun>{_ZH_SENT})(?:请|都|一律|统一|以后|今后|可以|直接|要|应该|应|须|必须|也|现在|均|麻烦|全部)*{_ZH_SEND}{_ZH_WHERE}",
        rf"[把将](?:所有的?|全部的?|以后的?)?(?P<noun>{_ZH_SENT})(?:都|一律|统一|直接|全部)*{_ZH_SEND}{_ZH_WHERE}",
        rf"(?P<noun>发票|开票|账单|收货|送货|退货|订单)(?:接收)?(?:电子)?(?:邮箱|邮件地址)(?:现在|目前)?(?:是|为|[：:])\s?(?P<value>(?a:{_EMAIL}))",
    )
)


def find_terms(text: str, *, chinese: bool) -> Attribute | None:
    """The days in which is paid as a rule, or the address to which things are sent; None if the text tells neither."""
    for pattern in _CHINESE_DAYS if chinese else _ENGLISH_DAYS:
        if match := pattern.search(text):
            amount = _WORDS.get(match["amount"].lower()) or decimal_value(match["amount"])
            unit = match.groupdict().get("unit") or "days"
            return Attribute("账期" if chinese else "payment terms", amount, unit.lower(), match.start("amount"))
    return _destination(text, chinese=chinese)


_WORDS = {"thirty": "30", "sixty": "60", "ninety": "90"}


def _destination(text: str, *, chinese: bool) -> Attribute | None:
    for pattern in _CHINESE_SENT if chinese else _ENGLISH_SENT:
        match = pattern.search(text)
        value = match["value"].rstrip(".") if match else ""
        if match is None or (chinese and not ("@" in value or is_chinese_house(value) or is_chinese_place(value))):
            continue
        noun = match["noun"].lower()
        if chinese:
            return Attribute(f"{noun}{'邮箱' if '@' in value else '地址'}", value)
        thing = attribute_key(re.sub(r"^(?:every|each|any|all|your|our|the|new|future) ", "", noun), chinese=False)
        return Attribute(f"{_one(thing)} {'email' if '@' in value else 'address'}", value)
    return None


def tells_where_to_send(text: str) -> bool:
    """Whether a Chinese clause asks for things to be sent to an address."""
    return _destination(text, chinese=True) is not None


def _one(thing: str) -> str:
    """One of the things: `invoices` → `invoice`, `deliveries` → `delivery`; billing and invoicing are of invoices."""
    if thing in ("billing", "invoicing", "bill", "bills"):
        return "invoice"
    if thing.endswith("ies"):
        return f"{thing[:-3]}y"
    return thing.removesuffix("s") if thing not in ("goods", "returns") else thing
