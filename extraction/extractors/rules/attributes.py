"""Attributes that hold one value at a time, so that a later value can be seen to contradict an earlier one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from extraction.extractors.rules.numbers import Amount, decimal_value, find_money, find_percentages

# One line a concept: its English key, its Chinese key, then other words for it in either language.
_CONCEPTS = """
name 姓名 名字
residence 居住地 住址
hometown 家乡 老家
employer 工作单位
occupation 职业 profession job 工作
age 年龄
birthday 生日
marital-status 婚姻状况
email 邮箱 e-mail 邮件地址 电子邮箱 电邮
phone 电话 telephone mobile 手机号 手机 电话号码 手机号码 联系电话
wechat 微信号 微信
deadline 截止日期 截止时间 截止 交付日期 交付时间 due-date deadlines 期限
budget 预算
price 价格 单价 报价 quote 售价
cost 成本 费用 costs
revenue 营收 turnover 收入 营业额 销售额 sales
salary 工资 月薪 年薪 薪水 薪资 wage pay income
rent 房租 租金 月租
discount 折扣
headcount 人数 headcounts staff team-size 团队规模 employees 员工
address 地址
contact 联系人 contact-person 对接人
owner 负责人 lead
supplier 供应商 vendor
height 身高
weight 体重
database 数据库
option 方案 plan
supervisor 主管 boss manager 上司 老板 领导
target 目标 goal quota
deposit 押金 定金 订金
area 面积
capacity 容量
version 版本
status 状态
"""
_CONCEPT_OF: dict[str, str] = {}
_CHINESE_OF: dict[str, str] = {}
for _line in _CONCEPTS.strip().splitlines():
    _english, _chinese, *_others = _line.split()
    for _word in (_english, _chinese, *_others):
        _CONCEPT_OF[_word.replace("-", " ")] = _english.replace("-", " ")
    _CHINESE_OF[_english.replace("-", " ")] = _chinese

_ARTICLES = re.compile(
    r"^(?:(?:the|our|my|their|his|her|its|your|this|a|an|total|overall|current|new|latest|whole|entire|monthly|annual|yearly)\s+)+",
    re.IGNORECASE,
)
_CHINESE_LEAD = re.compile(
    r"^(?:我们|我的|我|他们|咱们|咱|本|该|这个|整个|目前|现在|当前|最新|总的?|的|公司|项目|客户|今年|每月|每年)+的?"
)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A single-valued attribute, its value in plain form and the unit of a number."""

    name: str
    value: str
    unit: str = ""


def attribute_key(words: str, *, chinese: bool) -> str:
    """The stable name of an attribute: `our total budget` → `budget`, `我们的硬件预算` → `硬件预算`, `报价` → `价格`."""
    if chinese:
        bare = _CHINESE_LEAD.sub("", words) or words
        concept = _CONCEPT_OF.get(bare)
        return _CHINESE_OF[concept] if concept else bare
    bare = (
        " ".join(_ARTICLES.sub("", words.strip()).lower().split()).replace("favorite", "favourite").removesuffix("'s")
    )
    return _CONCEPT_OF.get(bare, bare)


def concept(attribute: str) -> str:
    """One key for an attribute in both languages: `预算` and `budget` → `budget`; others are returned as they are."""
    return _CONCEPT_OF.get(attribute, attribute)


def find_attribute(text: str, *, chinese: bool) -> Attribute | None:
    """What the sentence sets to a value, or None. A number wins over a word."""
    return _number(text, chinese=chinese) or _stated(text, chinese=chinese)


# --- numbers -------------------------------------------------------------------------------------------------------

_MONEY_NOUN = re.compile(
    r"\b(?P<noun>(?:(?!the|our|my|your|their|his|her|its|a|an|is|of|for|in|on|to|and|that|this|with|by|we|i|new|total|overall|whole|s)\b[a-z]+\s+)?"
    r"(?:budget|price|pricing|cost|costs|fee|fees|salary|wage|rent|revenue|turnover|discount|quote|deposit|target|quota|limit|income|mortgage|"
    r"subscription|premium|margin|rate|valuation|funding|loan|debt|savings|allowance|tuition|commission|vat|tax|share|stake|growth|capacity))\b",
    re.IGNORECASE,
)
_EARNS = re.compile(r"\bI\s+(?:earn|make|get paid)\b", re.IGNORECASE)
_RENT = re.compile(r"\bI pay\b.*\b(?:rent|in rent|for (?:my|the) (?:flat|apartment|room))\b", re.IGNORECASE)
_COSTS = re.compile(
    r"^(?:the |our |their |my )?(?P<subject>[\w][\w' -]{1,40}?)\s+(?:now |currently )?costs?\b", re.IGNORECASE
)
_LIMIT = re.compile(
    r"\b(?:can|may|allowed to|authori[sz]ed to)\s+(?:sign|approve|spend)\b[^,.;]{0,40}?\b(?:up to|at most|no more than)\s*$",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\b(?P<verb>have|has|got|employs?|runs?|operates?|manages?|owns?|there are|with|seats?|holds?|serves?)\s+"
    r"(?:(?:about|around|roughly|approximately|some|now|currently|over|nearly|almost|exactly|only|just|already|a team of|a fleet of|a staff of)\s+)*"
    r"(?P<amount>\d{1,3}(?:,\d{3})+|\d{1,9}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+"
    r"(?P<noun>(?:[a-z][a-z-]+\s+)?[a-z][a-z-]*s|people|children|staff|women|men|(?:[a-z]+ )?(?:people|children|staff))\b",
    re.IGNORECASE,
)
_NO_COUNT = re.compile(
    r"\b(?:questions?|ideas?|things?|minutes?|hours?|days?|weeks?|months?|years?|tips?|options?|times?|reasons?|points?|ways?|problems?|issues?|"
    r"others?|nights?|as|is|was|has|of|more|plus|suggestions?|concerns?|topics?|favou?rites?|thoughts?|seconds?|miles?|this|pages?|steps?)$",
    re.IGNORECASE,
)
_CHINESE_MONEY_NOUN = re.compile(
    r"(?P<noun>[\u4e00-\u9fff]{0,4}?(?:预算|价格|单价|报价|售价|成本|费用|营收|收入|营业额|销售额|工资|月薪|年薪|薪水|薪资|房租|租金|月租|押金|定金|订金|折扣|利润|"
    r"目标|额度|上限|首付|月供|学费|投资额|合同额|合同金额|金额|总价|均价|毛利率|利率|占比|份额|提成|存款|贷款))"
)
_CHINESE_COUNT = re.compile(
    r"(?:有|共|一共|共有|总共|雇了|管理|管|带|拥有|配备|需要)(?:大约|大概|约|了|着)?(?P<amount>\d{1,9}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[两三四五六七八九])(?:多)?\s?"
    r"(?P<unit>名|位|个|辆|台|家|间|套|层|栋|只|条|座|张|支|所|人)(?P<noun>[\u4e00-\u9fff]{0,6})"
)
_CHINESE_NOT_COUNTED = (
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
    "左",
    "方法",
    "步骤",
)
_CHINESE_NOUN_END = re.compile(r"(?:的|在|和|了|以|，|是|都|也|要|可|能|就|会|组成|左右).*$")
_SPENT = re.compile(r"\b(?:spent|paid|bought)\b|花了|花费|付了|支付了|买了|花掉")


def _number(text: str, *, chinese: bool) -> Attribute | None:
    amounts = find_money(text, chinese) or find_percentages(text)
    if len(amounts) == 1 and not _SPENT.search(text):
        name = _chinese_amount_name(text, amounts[0]) if chinese else _amount_name(text, amounts[0])
        if name:
            return Attribute(name, amounts[0].value, amounts[0].unit)
    return None if amounts else _count(text, chinese=chinese)


def _amount_name(text: str, amount: Amount) -> str:
    before = text[: amount.start]
    if _LIMIT.search(before):
        return "approval limit"
    nouns = list(_MONEY_NOUN.finditer(before))
    if nouns:
        return attribute_key(nouns[-1]["noun"], chinese=False)
    after = _MONEY_NOUN.match(text[amount.end :].lstrip())
    if after:
        return attribute_key(after["noun"], chinese=False)
    if _EARNS.search(before):
        return "salary"
    if _RENT.search(text):
        return "rent"
    costs = _COSTS.match(before)
    return (
        f"{attribute_key(costs['subject'], chinese=False)} cost"
        if costs and costs["subject"].lower() not in ("it", "this", "that", "which")
        else ""
    )


def _chinese_amount_name(text: str, amount: Amount) -> str:
    nouns = list(_CHINESE_MONEY_NOUN.finditer(text[: amount.start]))
    return attribute_key(nouns[-1]["noun"], chinese=True) if nouns else ""


def _count(text: str, *, chinese: bool) -> Attribute | None:
    match = (_CHINESE_COUNT if chinese else _COUNT).search(text)
    if match is None:
        return None
    if not chinese:
        noun = match["noun"].lower()
        return (
            None
            if _NO_COUNT.search(noun)
            else Attribute(attribute_key(noun, chinese=False), decimal_value(match["amount"]))
        )
    noun = _CHINESE_NOUN_END.sub("", match["noun"])
    if match["unit"] == "人":
        return Attribute("人数", decimal_value(match["amount"]), "人") if not noun else None
    return (
        Attribute(attribute_key(noun, chinese=True), decimal_value(match["amount"]), match["unit"])
        if len(noun) > 1 and not noun.startswith(_CHINESE_NOT_COUNTED)
        else None
    )


# --- words ---------------------------------------------------------------------------------------------------------

_ROLE = (
    r"(?:software |senior |junior |primary |high |middle |school |graphic |civil |product |project |data |full-time |freelance |part-time |retired |"
    r"mechanical |electrical |marketing |sales |research |web |english |math |music |registered |truck |bus |taxi )*"
    r"(?:engineer|teacher|nurse|doctor|lawyer|developer|programmer|designer|accountant|manager|director|student|artist|writer|journalist|chef|"
    r"driver|pilot|scientist|researcher|architect|consultant|analyst|salesperson|salesman|photographer|musician|dentist|pharmacist|"
    r"electrician|plumber|carpenter|mechanic|farmer|librarian|translator|editor|professor|counsel(?:l)?or|therapist|psychologist|"
    r"entrepreneur|barista|waiter|waitress|cashier|veterinarian|vet|coach|trainer|social worker|firefighter|police officer|secretary|"
    r"receptionist|banker|economist|biologist|chemist|physicist|freelancer|intern|assistant|administrator|founder|ceo|cto)"
    r"(?: (?:manager|director|teacher|nurse|engineer|designer|editor|professor|coach|driver|analyst|assistant))?"
)
_VALUE_END = r"(?=\s*(?:$|[.,;:!?—–(]|\b(?:and|but|with|since|for|because|where|which|so|now|right|at the moment|as|who|while|from|these days|after|before|when|until|to be)\b))"
_PROPER = r"(?P<value>(?-i:[A-Z0-9])[\w&'+#./-]*(?:\s+(?:(?-i:[A-Z0-9])[\w&'+#./-]*|of|the|de|and(?=\s+(?-i:[A-Z]))))*)"
_PLACE = r"(?P<value>(?:the |a |an )?(?-i:[A-Z])[\w.'-]*(?:,? (?-i:[A-Z])[\w.'-]*)*|(?:a|an|the) [a-z ]{3,40}?)"
_I = (
    r"\bI(?:\s*(?:'|’)m|\s+am|\s*(?:'|’)ve|\s+have)?(?:\s+(?:now|currently|just|recently|still|also|actually|already))*"
)

_STATED_ENGLISH: list[tuple[str, re.Pattern[str]]] = [
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in [
        ("name", rf"\bmy (?:full )?name(?: is|'s|’s) {_PROPER}"),
        ("residence", rf"{_I}\s+(?:live|living|based|reside) in {_PLACE}{_VALUE_END}"),
        ("residence", rf"{_I}\s+(?:moved|relocated) (?:back )?to {_PLACE}{_VALUE_END}"),
        (
            "hometown",
            rf"\bI(?:'m| am|’m) (?:originally )?from {_PLACE}{_VALUE_END}|\bI come from {_PLACE.replace('value', 'value2')}{_VALUE_END}",
        ),
        ("hometown", rf"\bmy home ?town is {_PROPER}"),
        (
            "employer",
            rf"{_I}\s+(?:work|working|employed) (?:at|for|by) (?P<value>(?:the |a |an )?(?-i:[A-Z])[\w&'.-]*(?: (?-i:[A-Z])[\w&'.-]*)*){_VALUE_END}",
        ),
        ("employer", rf"{_I}\s+(?:joined|started at|got hired (?:at|by)) {_PROPER} as\b"),
        (
            "occupation",
            rf"{_I}\s+(?:work|working|worked|started|employed)(?: [a-z]+){{0,3}} as (?:an?|the) (?P<value>{_ROLE})\b",
        ),
        ("occupation", rf"\bI(?:'m| am|’m)(?: now| currently)? an? (?P<value>{_ROLE})\b"),
        ("age", r"\bI(?:'m| am|’m|(?: just)? turned)(?: now)? (?P<value>[1-9]\d?)(?= years old| ?$|[.,;!]| now\b)"),
        (
            "birthday",
            r"\bmy birthday(?: is|'s|’s) (?:on )?(?P<value>(?:the )?[\w ]{3,30}?\d\w*|\d{1,2}(?:st|nd|rd|th)?(?: of)? \w+)"
            + _VALUE_END,
        ),
        (
            "marital status",
            r"\bI(?:'m| am|’m)(?: now| currently| happily| already)? (?P<value>married|single|divorced|engaged|widowed)\b(?! (?:in|with|by|parent|mother|father|mom|dad))",
        ),
        (
            "email",
            r"\b(?:my|our|the|his|her) (?:new )?e-?mail(?: address)?(?: is|:|'s) ?(?P<value>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
        ),
        (
            "phone",
            r"\b(?:my|our|the|his|her) (?:new )?(?:phone|mobile|cell|telephone)(?: number)?(?: is|:|'s) ?(?P<value>\+?\d[\d ()-]{5,18}\d)",
        ),
        (
            "option",
            r"\b(?:go(?:ing)? with|chose|choose|picked|decided on|settled on|approved|adopt(?:ed)?) (?:option|plan|proposal|variant) (?P<value>[A-Z0-9])\b",
        ),
    ]
]
_FAVOURITE = re.compile(
    r"\bmy (?:all-time )?favou?rite (?P<noun>[a-z]+(?: [a-z]+)?) (?:is|are|has always been|was always)(?: now)? (?P<value>(?!when|that|because|how)[^,.;!?]{2,60}?)"
    + _VALUE_END,
    re.IGNORECASE,
)
_NOUN_IS = re.compile(
    r"\b(?P<noun>(?:the|our|my) (?:[a-z]+ ){0,2}(?:manager|lead|owner|contact|supplier|vendor|database|provider|address|office|headquarters|version|model|"
    r"plan|framework|language|backend|colou?r|car|phone|laptop|boss|supervisor|landlord|doctor|dentist|bank|school|university|college|company|major|"
    r"sponsor|champion|decision maker|password hint|venue|location|timezone|time zone|blood type|director|architect|counterpart))"
    r" (?:is|will be|is now|has moved to) (?:now |called |named |still )?" + _PROPER,
    re.IGNORECASE,
)
_SWITCHED = re.compile(
    r"\b(?:switch(?:ed|ing)?|chang(?:ed|ing)|migrat(?:ed|ing)|mov(?:ed|ing)) (?P<noun>(?:the|our|my) [a-z]+(?: [a-z]+)?) (?:from [^,.;]{1,40}? )?to "
    + _PROPER,
    re.IGNORECASE,
)

_ZH_ROLE = (
    r"(?:软件|高级|初级|小学|中学|高中|初中|大学|平面|产品|项目|数据|自由|退休|全职|语文|数学|英语|音乐|美术|体育|前端|后端|室内|建筑|机械|电气|销售|市场|研究|外科|内科)*"
    r"(?:工程师|老师|教师|护士|医生|律师|程序员|设计师|会计|经理|总监|大学生|学生|研究生|博士生|画家|作家|记者|厨师|司机|飞行员|科学家|研究员|建筑师|顾问|分析师|销售员?|摄影师|"
    r"音乐家|牙医|药剂师|电工|农民|翻译|编辑|教授|咨询师|心理医生|创业者|职业者|教练|社工|警察|消防员|秘书|前台|公务员|实习生|助理|创始人|讲师|健身教练|公司职员|职员|上班族|家庭主妇)"
)
_ZH_VALUE = r"(?P<value>[^，,。；;！!？?的了呢啊吧、\s]{1,20})"
_STATED_CHINESE: list[tuple[str, re.Pattern[str]]] = [
    (name, re.compile(pattern))
    for name, pattern in [
        (
            "姓名",
            r"(?:我叫(?:做)?|我的名字(?:是|叫)|我名叫)(?P<value>[\u4e00-\u9fff·]{2,6}|[A-Z][A-Za-z]+)(?=$|[，,。；;！!\s])",
        ),
        ("居住地", rf"我(?:现在|目前|一直|也|就|还)*(?:住在|居住在|定居在|定居|搬到了?|搬去了?){_ZH_VALUE}"),
        ("家乡", rf"(?:我(?:是)?来自|我(?:的)?(?:老家|家乡)(?:在|是)|我是(?=[\u4e00-\u9fff]{{2,6}}人$)){_ZH_VALUE}"),
        (
            "工作单位",
            r"我(?:现在|目前|一直)*在(?P<value>(?!思考|考虑|找|寻|换|想|努力|认真|忙|做|学|准备|一[家个]|家里?(?:工|上)|当前|目前|这)[^，,。的]{2,20}?)(?:工作|上班|任职|就职)(?![上中压得])",
        ),
        ("职业", rf"我(?:现在|目前|以前)?是(?:一|一名|一位|一个|名|个)?(?P<value>{_ZH_ROLE})(?=$|[，,。；;！!\s])"),
        ("职业", rf"我(?:现在|目前)?(?:的职业是|从事){_ZH_VALUE}"),
        (
            "年龄",
            r"我(?:今年|现在|已经)*(?P<value>[1-9]\d?|[一二三四五六七八九]?十[一二三四五六七八九]?)岁(?!生日|时|的时候|那年|以前|之前|开始)",
        ),
        ("生日", r"我的?生日(?:是|在)(?P<value>[^，,。！!]{2,12})"),
        ("婚姻状况", r"我(?:已经|现在|目前|还)?(?:是)?(?P<value>单身|结婚了|离婚了|未婚|已婚)"),
        ("邮箱", r"(?:邮箱|邮件地址|e-?mail)(?:地址)?(?:是|为|：|:)\s?(?P<value>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"),
        ("电话", r"(?:电话|手机|手机号|联系电话|电话号码|手机号码)(?:是|为|：|:)\s?(?P<value>\+?\d[\d -]{5,18}\d)"),
        ("微信号", r"微信号?(?:是|为|：|:)\s?(?P<value>[\w-]{4,30})"),
        (
            "方案",
            r"(?:选择了?|选定了?|采用了?|改用了?|确定(?:使用|采用|用)?|定了|走|用|换成了?|通过了?)(?:了)?方案\s?(?P<value>[A-Za-z0-9一二三四五])",
        ),
    ]
]
_ZH_FAVOURITE = re.compile(
    r"我最(?:喜欢|爱)的(?P<noun>[\u4e00-\u9fff]{1,6}?)(?:是|就是)(?P<value>[^，,。；;！!？?]{1,30})"
)
_ZH_NOUN_IS = re.compile(
    r"(?P<noun>[\u4e00-\u9fff]{0,4}?(?:负责人|项目经理|经理|供应商|联系人|对接人|地址|数据库|版本|地点|型号|颜色|品牌|主管|老板|领导|平台|框架|语言|协议|网关|上线时间|专业|血型|星座|属相|学校|公司|车型|服务商|会议室))"
    r"(?:是|为|定为|叫|定在|改为|改成|换成了?|改用了?|已经换成)(?P<value>[^，,。；;！!？?的]{1,20})"
)
_ZH_CHANGED = re.compile(
    r"(?P<noun>[\u4e00-\u9fffA-Za-z]{2,8}?)(?:已经|已|都|现在|最终|最后|决定)*(?:改用|换成|改成|改为|换为|调整为|变更为|升级为|切换到|切换为)了?(?P<value>[^，,。；;！!？?的]{1,20})"
)
_ZH_RESPONSIBLE = re.compile(r"(?P<noun>[\u4e00-\u9fff]{0,6})由(?P<value>[\u4e00-\u9fff]{2,4}?)(?:来)?(?:负责|牵头)")


def _stated(text: str, *, chinese: bool) -> Attribute | None:
    for name, pattern in _STATED_CHINESE if chinese else _STATED_ENGLISH:
        if match := pattern.search(text):
            value = (match["value"] or match.groupdict().get("value2") or "").strip(" .")
            if name in ("age", "年龄"):
                value = decimal_value(value)
            return Attribute(name, value)
    for pattern in (_ZH_FAVOURITE, _ZH_NOUN_IS, _ZH_CHANGED) if chinese else (_FAVOURITE, _NOUN_IS, _SWITCHED):
        if match := pattern.search(text):
            noun = f"最喜欢的{match['noun']}" if pattern is _ZH_FAVOURITE else match["noun"]
            key = (
                f"favourite {match['noun'].lower()}" if pattern is _FAVOURITE else attribute_key(noun, chinese=chinese)
            )
            return Attribute(key, match["value"].strip(" ."))
    if chinese and (match := _ZH_RESPONSIBLE.search(text)):
        return Attribute(f"{_CHINESE_LEAD.sub('', match['noun'])}负责人", match["value"])
    return None
