"""Attributes whose value is a word or a date: residence, employer, favourite dish, deadline, project manager."""

from __future__ import annotations

import re
from dataclasses import replace

from extraction.extractors.rules.concepts import Attribute, attribute_key
from extraction.extractors.rules.dates import DateMention
from extraction.extractors.rules.names import ZH_PERSON
from extraction.extractors.rules.numbers import decimal_value
from extraction.extractors.rules.owners import ZH_RELATED
from extraction.extractors.rules.places import HOUSE, PLACE, ZH_PLACE, is_chinese_house, is_chinese_place
from extraction.extractors.rules.statement import one_of
from extraction.extractors.rules.titles import ROLE, TITLE, TITLE_END, ZH_EMPLOYER, ZH_TITLE

# --- English -------------------------------------------------------------------------------------------------------

VALUE_END = (
    r"(?=\s*(?:$|[.,;:!?—–(]|\b"
    + one_of(
        """and but with since for because where which so now right at_the_moment as who while on from these_days after
        before when until to_be last this next
        in_(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:19)\\d\\d)
        in_(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:20)\\d\\d)
        yesterday today two three a_(?:few|couple|year|month|week) \\d""".replace("|\n        ", "|")
    )
    + r"\b|\d))"
)
CAPITAL = r"(?-i:[A-Z0-9])[\w&'+#./-]*"
PROPER = rf"(?P<value>{CAPITAL}(?:\s+(?:{CAPITAL}|of|the|de|and(?=\s+(?-i:[A-Z]))))*)"
AT_PLACE = rf"(?P<value>{PLACE})"
SPEAKER = r"\bI(?:'m|\s+am|'ve|\s+have)?(?:\s+(?:now|currently|just|recently|still|also|actually|already))*"
_CLAUSE_START = r"(?:^|[,;:–—]\s+|\b(?:and|but|so|because|since|hello|hi)\s+)"
_BY_NOW = r"(?: (?:now|currently|still|actually|already))*"
_MY = r"\b(?:my|our|the|his|her) (?:[a-z]+(?: [a-z]+)?'s )?(?:new )?"

_ENGLISH = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("name", rf"\bmy (?:full )?name(?: is|'s) {PROPER}"),
        (
            "residence",
            rf"{SPEAKER}\s+(?:live|living|based|reside|moved|relocated) (?:in|back to|to) {AT_PLACE}{VALUE_END}",
        ),
        (
            "address",
            rf"\b(?:I|we)(?:'m|'re|'ve| am| are| have)?(?: now| currently| just| recently)* "
            rf"(?:live|living|based|located|moved|relocated) (?:in|at|to) (?P<value>{HOUSE})",
        ),
        ("address", rf"\bwe(?:'re| are){_BY_NOW} (?:based|located|headquartered) (?:in|at) {AT_PLACE}{VALUE_END}"),
        (
            "address",
            r"\b(?:change|update|correct|set) (?:my|our) address (?:from [^.;]{1,60}? )?to "
            rf"(?P<value>{HOUSE})",
        ),
        ("hometown", rf"\bI(?:'m| am| come)(?: originally)? from {AT_PLACE}{VALUE_END}"),
        ("hometown", rf"\bmy home ?town is {PROPER}"),
        ("employer", rf"{SPEAKER}\s+(?:work|working|employed) (?:at|for|by) {AT_PLACE}{VALUE_END}"),
        ("employer", rf"{SPEAKER}\s+(?:joined|started at|got hired (?:at|by)) {PROPER} as\b"),
        (
            "occupation",
            rf"{SPEAKER}\s+(?:work|working|worked|started|employed)(?: [a-z]+){{0,3}} as (?:an? |the |our )?"
            rf"(?P<value>{TITLE}{TITLE_END}|{ROLE}\b)",
        ),
        (
            "occupation",
            rf"{_CLAUSE_START}I(?:'m| am){_BY_NOW} (?:the |our |an? )?(?:new )?(?P<value>{TITLE}){TITLE_END}",
        ),
        (
            "occupation",
            rf"{_CLAUSE_START}(?:I(?:'m| am)|(?:my|the) name is|this is) {CAPITAL}(?: {CAPITAL}){{0,2}}, "
            rf"(?:the |our |an? |your )?(?:new |current )?(?P<value>{TITLE}){TITLE_END}",
        ),
        (
            "occupation",
            rf"{_CLAUSE_START}I(?:'ve| have)?(?: just| recently| now)*(?: become| became|"
            rf" (?:was|got|been)(?: just| recently)* (?:promoted to|appointed(?: as)?)) (?:the |an? )?(?:new )?"
            rf"(?P<value>{TITLE}){TITLE_END}",
        ),
        (
            "occupation",
            rf"\bmy (?:new |current )?(?:job title|title|job|role|position)(?: is|'s)(?: now)? (?:that of )?"
            rf"(?:the |an? )?(?P<value>{TITLE}){TITLE_END}",
        ),
        ("occupation", rf"\bI(?:'m| am)(?: now| currently)? an? (?P<value>{ROLE})\b"),
        (
            "age",
            r"\bI(?:'m| am|(?:'ve)?(?: just)? turned)(?: now)? (?P<value>[1-9]\d?)(?= years old| ?$|[.,;!]| now\b|"
            r"(?<=turned \d\d) (?:yesterday|today|last|this|in|on|recently)\b)",
        ),
        (
            "birthday",
            r"\bmy birthday(?: is|'s) (?:not )?(?:on )?(?P<value>[A-Za-z]+ \d{1,2}\w*|\d{1,2}\w*(?: of)? [A-Za-z]+)",
        ),
        (
            "marital status",
            r"\bI(?:'m| am)(?: now| currently| happily| already)? (?P<value>married|single|divorced|engaged|widowed)\b"
            r"(?! (?:in|with|by|parent|mother|father|mom|dad)\b)",
        ),
        ("email", rf"{_MY}e-?mail(?: address)?(?: is|:|'s) ?(?P<value>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"),
        ("phone", rf"{_MY}(?:phone|mobile|cell|telephone)(?: number)?(?: is|:|'s) ?(?P<value>\+?\d[\d ()-]{{5,18}}\d)"),
        (
            "option",
            r"\b(?:go(?:ing)? with|chose|choose|picked|decided on|settled on|approved|adopt(?:ed)?) "
            r"(?:option|plan|proposal|variant) (?P<value>[A-Z0-9])\b",
        ),
    )
)
_MOVED_HOUSE = re.compile(
    r"\b(?:my|our) (?P<owner>(?:[a-z]+ ){0,2}?(?:"
    + one_of(
        """friend sister brother mother mom mum father dad parents son daughter cousin aunt uncle colleague coworker
        boss neighbou?r roommate partner girlfriend boyfriend wife husband"""
    )
    + r"(?: (?-i:[A-Z])[a-z]+)?))(?:,[^,]{1,40},)? (?:who(?: has|'s)? )?"
    r"(?:(?:has|have|actually|just|recently|also|now|finally|already|still) )*"
    r"(?:(?:moved|relocated)(?: back)? (?:in)?to |"
    r"(?<!friend )(?<!cousin )(?<!colleague )(?:lives?|is (?:now )?living) in "
    r"(?=(?:an? [\w -]{3,30}? in )?(?-i:[A-Z])))"
    rf"(?:an? [\w -]{{3,30}}? in )?(?P<value>the [a-z]+|{CAPITAL}(?:,? {CAPITAL})*)",
    re.IGNORECASE,
)
_FAVOURITE = re.compile(
    r"\b(?P<noun>(?<=my )(?:all-time )?favou?rite [a-z]+(?: [a-z]+)?) (?:is|are|has always been|"
    r"has (?:now |recently )?(?:become|changed to|switched to)|became)(?: now)? (?:not |no longer )?"
    r"(?P<value>(?!when|that|because|how|this|these|to\b)[^,.;!?]{2,60}?)(?=\s*(?:$|[.,;:!?—–(]|because|since|but|"
    r"so)\b|[.,;!?]|$)",
    re.IGNORECASE,
)
HELD_ONCE = one_of(
    """manager lead owner contact supplier vendor database provider address office headquarters version model plan
    framework language backend colou?r car phone laptop boss supervisor landlord doctor dentist bank school university
    college company major sponsor champion decision_maker venue location time_?zone blood_type director architect
    counterpart"""
)
# "We use MySQL as our database" tells the database.
_SERVES_AS = re.compile(
    r"\b(?:I|we|they|(?:our|the) (?:team|company))(?:'re| are| now| currently| all| both| have)* us(?:e|es|ed|ing) "
    rf"{PROPER}(?: now)? (?:as|for) (?:the|our|my) (?P<noun>(?:[a-z]+ ){{0,2}}?{HELD_ONCE})\b",
    re.IGNORECASE,
)
_IS_NOW = re.compile(
    rf"\b(?P<noun>(?:the|our|my) (?:[a-z]+ ){{0,2}}{HELD_ONCE}) (?:is|will be|has moved to) "
    rf"(?:now |called |named |still )?(?:an? )?{PROPER}",
    re.IGNORECASE,
)
_SEAT = re.compile(
    r"\b(?:our|my|the(?:(?: company(?:'s)?| firm's| group's)(?= ))?(?= (?:head |main )?(?:office|headquarters)))"
    r" (?:new |current |company(?:'s)? )?"
    r"(?P<noun>(?:head |main )?(?:office|headquarters|warehouse|factory|shop|store|showroom))"
    r"(?: is|'s| has| now| currently| recently| just| been| located| based| moved| relocated)+ (?:in|at|to) "
    rf"(?P<value>{HOUSE}|{PLACE}){VALUE_END}(?!\s+and\s+(?-i:[A-Z]))",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    rf"^(?P<noun>(?:[a-z]+ ){{0,2}}(?:{HELD_ONCE}|email|phone|deadline|name|birthday|occupation)): ?"
    r"(?P<value>\S[^:]{0,80})$",
    re.IGNORECASE,
)
_CALENDAR = one_of(
    """january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday q[1-4] \\d{1,2}(?:st|nd|rd|th)"""
)
_CHANGED = re.compile(
    r"\b(?:switch(?:ed|ing)?|chang(?:ed|ing)|migrat(?:ed|ing)|mov(?:ed|ing)) (?P<noun>(?:the|our|my) [a-z]+(?: "
    r"[a-z]+)?) "
    rf"(?:from [^,.;]{{1,40}}? )?to (?!{_CALENDAR}\b){PROPER}",
    re.IGNORECASE,
)
_DEADLINE = re.compile(
    r"(?<!['’])\b(?P<before>[a-z]+ )?(?:deadline|due date)(?: for (?:the |our |my )?(?P<after>[\w-]+(?: [\w-]+)?))?"
    r"(?=:| (?:is|was|has|had|moved|got|will|slipped|stays|remains|of|:))",
    re.IGNORECASE,
)
# "Is not 15 June, and we meet on 20 June" is about the 15th.
_DENIED = re.compile(r"(?:\b(?:not|no longer)|n't) (?:on |by |the )*$|(?:不是|不再是|并非)在?$", re.IGNORECASE)
# What holds until a day, and the day.
_ENDS = re.compile(
    r"\b(?:the|our|my|this|your) (?:[a-z]+ )?(?P<noun>contract|lease|subscription|licen[cs]e|agreement|warranty|policy|"
    r"insurance|visa|passport|membership|permit|rental|tenancy|guarantee|certificate)(?:'s)?"
    r"(?: (?:now|already|only|still|will|is|has been|was|due|set|valid|to))* "
    r"(?:ends?|expires?|runs? out|runs?|valid|extended|prolonged|renewed|(?:end|expiry|expiration) date"
    r"(?: is| was| moved| has| been| now)*)(?: (?:on|at|until|till|to|through|by|the|now))*\s+(?=\S)",
    re.IGNORECASE,
)
_ZH_ENDS = re.compile(
    r"(?P<noun>合同|协议|租约|租期|保险|保单|签证|护照|会员|许可证|执照|证书|质保|保修|订阅)"
    r"(?:现在|目前|已经|已|的|将|会|要|于|在|延长?到|延期[到至]|[到至](?!期)|"
    r"续签?到|有效期(?:是|到|至)*|是)*(?=[\d今明后下本这一二三四五六七八九十])"
)
_ZH_EXPIRES = re.compile(r"[^，,。；;]{0,3}?(?:到期|期满|失效|截止|为止|结束)|(?<=[到至]).*?$")
# What may stand beside a day without making it another value.
_PUT_ON = re.compile(r"\W*(?:(?:on|by|the|in|at|在|于|这天|当天)\W*)*", re.IGNORECASE)
_DEADLINE_FOR = re.compile(r",? for (?:the |our |my )?(?P<after>[\w-]+(?: [\w-]+)?)", re.IGNORECASE)

# --- Chinese -------------------------------------------------------------------------------------------------------

ZH_MARRIED = {"结婚": "已婚", "离婚": "离异", "订婚": "订婚"}
ZH_END = r"(?=$|[，,。；;！!\s])"
ZH_VALUE = r"(?P<value>[^，,。；;！!？?的了呢啊吧、\s]{1,20})"
ZH_NOW = r"我(?:现在|目前|一直|也|就|还|今年|已经|是(?=住|在|定居))*"
ZH_SINCE = r"(?:现在|目前|如今|刚|最近|[上这本]个?[周月]|[今去]年|[昨今前]天|\d{1,2}月)*"
_ZH_HOLDS = (
    rf"(?:是|(?:在{ZH_EMPLOYER})?(?:担任|出任)|升任|调任|升职?[为成]|晋升[为成]|被?提拔[为成]|被?任命为|当上|当(?=了))了?"
    r"(?:一[名位个]?|名|个)?(?:新任的?|新来的|新的?)?"
)
_NO_EMPLOYER = r"(?!我|思考|考虑|找|寻|换|想|努力|认真|忙|做|学|准备|一[家个]|家里?(?:工|上)|当前|目前|这)"

_CHINESE = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("姓名", rf"(?:我叫(?:做)?|我的名字(?:是|叫)|我名叫)(?P<value>[一-龥·]{{2,6}}|[A-Z][A-Za-z]+){ZH_END}"),
        (
            "居住地",
            rf"(?:{ZH_NOW}|{ZH_RELATED.pattern}[^，,。的]{{0,6}}?)"
            rf"(?:住在|居住在|定居在|定居|搬到了?|搬去了?|搬回了?){ZH_VALUE}",
        ),
        ("居住地", rf"我(?:现在|目前)?住的(?:地方|城市)?(?:就)?[是在]{ZH_VALUE}"),
        ("家乡", rf"(?:我(?:是)?来自|我(?:的)?(?:老家|家乡)(?:是在|在|是)){ZH_VALUE}"),
        (
            "家乡",
            rf"我是(?!个|一|男|女|好|坏|普通|成年|老|年轻|中年|[一-龥]{{0,2}}(?:当事|负责|联系|主持|对接|"
            rf"创始))(?P<value>[一-龥]{{2,4}})人{ZH_END}",
        ),
        (
            "工作单位",
            rf"{ZH_NOW}在(?P<value>{_NO_EMPLOYER}[^，,。的]{{2,20}}?)(?:工作|上班|任职|就职)(?![上中压得室])",
        ),
        (
            "职业",
            rf"(?<!以为)(?<!认为)(?<!觉得)(?<!说){ZH_NOW}(?:[^，,。]{{0,12}}[，,])?{ZH_SINCE}{_ZH_HOLDS}"
            rf"{ZH_EMPLOYER}??(?P<value>{ZH_TITLE})了?{ZH_END}",
        ),
        (
            "职业",
            rf"{ZH_NOW}是{ZH_EMPLOYER}??(?P<value>{ZH_TITLE})(?:叫)?(?:{ZH_PERSON}){ZH_END}",
        ),
        (
            "职业",
            rf"(?:^|(?<=[，,；;]))(?:我是|我叫|我是.{{0,10}}的)(?:{ZH_PERSON})[，,]\s?(?:是|担任)?(?:新来的|新任的?|新的?)?"
            rf"{ZH_EMPLOYER}??(?P<value>{ZH_TITLE}){ZH_END}",
        ),
        (
            "职业",
            rf"我的?(?:职位|职务|头衔|岗位)(?:现在|目前)?(?:是|为|变成了?|改为|改成){ZH_EMPLOYER}??(?P<value>{ZH_TITLE}){ZH_END}",
        ),
        ("职业", rf"{ZH_NOW}(?:的职业是|从事){ZH_VALUE}"),
        (
            "年龄",
            rf"{ZH_NOW}(?:[昨今]天|上个?周|[这上]个?月|刚)*(?:满|过)?了?(?P<value>[1-9]\d?|[一二三四五六七八九]?十[一二三四五六七八九]?)岁(?!生日|就|时|的时候|那年|"
            rf"以前|之前|开始)",
        ),
        (
            "生日",
            r"(?<!今天是)(?<!明天是)(?<!昨天是)生日(?:是在|是|在)(?P<value>(?:[一-龥]{0,4}\d|"
            r"[一二三四五六七八九十]+月)[^，,。！!]{1,10})",
        ),
        ("婚姻状况", rf"{ZH_NOW}(?:是)?(?P<value>单身|结婚了|离婚了|未婚|已婚)"),
        ("邮箱", r"(?:邮箱|邮件地址|e-?mail)(?:地址)?(?:是|为|：|:)\s?(?P<value>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"),
        ("电话", r"(?:电话|手机|手机号|联系电话|电话号码|手机号码)(?:是|为|：|:)\s?(?P<value>\+?\d[\d -]{5,18}\d)"),
        ("微信号", r"微信号?(?:是|为|：|:)\s?(?P<value>[\w-]{4,30})"),
        (
            "方案",
            r"(?:选择了?|选定了?|采用了?|改用了?|改成了?|确定(?:使用|采用|用)?|定了|走|用|换成了?|通过了?|批准了?)"
            r"方案\s?(?P<value>[A-Za-z0-9一二三四五])",
        ),
    )
)
_ZH_LIVES = re.compile(rf"{ZH_NOW}住(?![在的过得])(?P<value>[^，,。；;！!？?了呢啊吧、\s]{{2,12}}){ZH_END}")
_ZH_FAVOURITE = re.compile(
    r"我(?:现在|目前|如今)?(?P<noun>最(?:喜欢|爱)的(?:(?!就是)[一-龥]){1,6}?)(?:现在|已经|早就)?(?:(?:不再|不|就)?是|变成了?|换成了?|改成了?)(?P<value>(?![这那你])[^，,。；;！!？?]{1,30})"
)
ZH_HELD_ONCE = one_of(
    """负责人 项目经理 客户经理 经理 供应商 联系人 对接人 地址 数据库 版本 地点 型号 颜色 品牌 主管 老板 领导 平台
    框架 语言 协议 网关 上线时间 专业 血型 星座 属相 学校 公司 车型 服务商 会议室 时间 学历 单位"""
)
_ZH_START = r"(?:^|(?<=[的，,；;]))"
_ZH_NOUN = r"(?P<noun>(?:(?![的是在为把将由从但而])[一-龥]){0,4}?"
_ZH_IS_NOW = re.compile(
    rf"{_ZH_NOUN}{ZH_HELD_ONCE})(?:是|为|定为|叫|定在|改为|改成|换成了?|改用了?|已经换成){ZH_VALUE}"
)
_ZH_SERVES_AS = re.compile(
    r"(?<!不)(?:使用|采用|用)\s?(?P<value>[^，,。；;\s的了]{2,16}?)\s?(?:作为|当作?|做|作)(?:我们的?|主要的?)?"
    rf"(?P<noun>{ZH_HELD_ONCE}){ZH_END}"
)
_ZH_SEAT = re.compile(
    r"(?:^|(?<=[，,；;]))(?:我们?的?|我司的?|咱们的?)?(?:(?:公司|集团|单位|企业)的?(?=总部|办公|仓库|工厂|门店))?(?P<noun>公司|办公室|办公地点|总部|仓库|工厂|门店|(?<=我们)|(?<=咱们))"
    rf"(?:现在|目前|已经?|刚刚?|最近|上个?[周月]|新)*(?:(?:搬|迁)[到至]了?|在|位于|设在)(?P<value>{ZH_PLACE})了?{ZH_END}"
)
_ZH_LABELLED = re.compile(rf"^(?P<noun>[一-龥]{{0,4}}{ZH_HELD_ONCE})[：:]\s?(?P<value>[^，,。；;：:]{{1,60}})")
_ZH_CHANGED = re.compile(
    rf"{_ZH_START}(?P<noun>(?!最后|最终|后来|现在|还是|经过|我们?[改换]|于是|所以|"
    rf"然后)(?:(?![的是在为把将由从但而]|可能|也许|或许|说不定|[上下这本]个?[周月]|[今明去]年|[今明昨后]天)[一-龥A-Za-z]){{2,8}}?)"
    r"(?:从[^，,。；;改换]{1,16}?)?(?:已经|已|都|现在|最终|最后|决定|可能|也许|或许|说不定|计划|打算|[会要将])*"
    rf"(?:改用|换成|改成|改为|换为|调整为|变更为|升级为|切换到|切换为)了?{ZH_VALUE}"
)
# Whoever changed something else is no thing that was changed: 我们从Slack换成了Teams.
_ZH_WHO = re.compile(r"(?:我们?|咱们?|他们?|她们?|大家|全体|整个|全|公司|团队|部门|小组|项目组|同事们?|客户|对方)+")
_ZH_RESPONSIBLE = re.compile(rf"{_ZH_START}(?P<noun>[一-龥]{{0,6}})由(?P<value>[一-龥]{{2,4}}?)(?:来)?(?:负责|牵头)")
_ZH_DEADLINE = re.compile(
    r"(?P<noun>(?:(?![的是在为把将由从但而])[一-龥]){0,4}?(?:截止日期|截止时间|交付日期|交付时间|期限|"
    r"(?:到期|失效|终止)(?:日期?|时间)))"
)


def find_property(text: str, dates: list[DateMention], *, chinese: bool) -> Attribute | None:
    """The word or date that the sentence sets an attribute to, or None."""
    if dated := _deadline(text, dates, chinese=chinese) or _end(text, dates, chinese=chinese):
        return dated
    worded = _chinese(text) if chinese else _english(text)
    return _with_plain_date(worded, text, dates) if worded else None


def _with_plain_date(worded: Attribute, text: str, dates: list[DateMention]) -> Attribute:
    """The attribute with its value in plain form, if that is a day and nothing else. A birthday comes round."""
    start = text.find(worded.value)
    if worded.at is not None or worded.name in ("birthday", "生日") or start < 0:
        return worded
    for date in dates:
        beside = text[start : max(start, date.start)] + text[date.end : start + len(worded.value)]
        is_within = date.start < start + len(worded.value) and start < date.end
        if is_within and date.precision in ("day", "minute") and _PUT_ON.fullmatch(beside):
            return replace(worded, value=_plain_date(date), at=start)
    return worded


def _deadline(text: str, dates: list[DateMention], *, chinese: bool) -> Attribute | None:
    match = (_ZH_DEADLINE if chinese else _DEADLINE).search(text)
    after = [date for date in dates if match and date.start >= match.start()]
    if match is None or not after:
        return None
    first = after[0]
    date = first if _DENIED.search(text[: first.start]) else after[-1]  # "moved from 3 May to 9 May"
    value = _plain_date(date)
    if chinese:
        return Attribute(attribute_key(match["noun"], chinese=True), value, at=date.start)
    told = match["after"] or ((after_date := _DEADLINE_FOR.match(text, date.end)) and after_date["after"])
    whose = attribute_key(told or match["before"] or "", chinese=False)
    plain = whose in ("", "the", "our", "my", "new", "a")
    return Attribute("deadline" if plain else f"{whose} deadline", value, at=date.start)


def _end(text: str, dates: list[DateMention], *, chinese: bool) -> Attribute | None:
    """The day on which a contract and the like ends."""
    match = (_ZH_ENDS if chinese else _ENDS).search(text)
    near = [date for date in dates if match and date.start <= match.end() + 4 and match.end() < date.end]
    date = near[0] if near else None
    if match is None or date is None or date.precision == "year":
        return None
    if chinese:
        is_told = date.relation == "until" or _ZH_EXPIRES.match(text, date.end)
        is_told = is_told or re.search(r"有效期|[延续].{0,3}[到至]", match[0])
        return Attribute(f"{match['noun']}到期日", _plain_date(date), at=date.start) if is_told else None
    return Attribute(f"{match['noun'].lower()} end date", _plain_date(date), at=date.start)


def _plain_date(date: DateMention) -> str:
    shapes = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d", "minute": "%Y-%m-%d %H:%M"}
    return date.at.strftime(shapes[date.precision])


def _english(text: str) -> Attribute | None:
    for name, pattern in _ENGLISH:
        if match := pattern.search(text):
            return Attribute(name, match["value"].strip(" ."))
    if match := _MOVED_HOUSE.search(text):
        return Attribute(f"{match['owner'].lower()} residence", match["value"].strip(" ."))
    if match := _SEAT.search(text):
        noun = match["noun"].lower().replace("main ", "")
        named = noun if noun.endswith("headquarters") else f"{noun} address"
        return Attribute(attribute_key(named, chinese=False), match["value"].strip(" ."))
    for pattern in (_FAVOURITE, _IS_NOW, _SERVES_AS, _LABELLED, _CHANGED):
        if match := pattern.search(text):
            return Attribute(attribute_key(match["noun"], chinese=False), match["value"].strip(" ."))
    return None


def _chinese(text: str) -> Attribute | None:
    for name, pattern in _CHINESE:
        if match := pattern.search(text):
            value = match["value"].strip()
            plain = decimal_value(value) if name == "年龄" else ZH_MARRIED.get(value.rstrip("了"), value)
            return Attribute(name, plain, at=match.start("value") if plain != value else None)
    if (match := _ZH_LIVES.search(text)) and is_chinese_place(match["value"]):
        return Attribute("居住地", match["value"])
    if (match := _ZH_SEAT.search(text)) and _is_seat(match["noun"], match["value"]):
        noun = match["noun"].replace("办公室", "办公")
        named = noun if noun in ("总部", "办公地点") else f"{noun}地址"
        return Attribute(attribute_key(named, chinese=True), match["value"])
    for pattern in (_ZH_FAVOURITE, _ZH_IS_NOW, _ZH_SERVES_AS, _ZH_LABELLED, _ZH_CHANGED):
        match = pattern.search(text)
        if match and not (pattern is _ZH_CHANGED and _ZH_WHO.fullmatch(match["noun"])):
            return Attribute(attribute_key(match["noun"], chinese=True), match["value"].strip())
    if match := _ZH_RESPONSIBLE.search(text):
        return Attribute(f"{attribute_key(match['noun'] or '的', chinese=True).strip('的')}负责人", match["value"])
    return None


def _is_seat(noun: str, place: str) -> bool:
    return is_chinese_place(place) if noun else is_chinese_house(place)
