"""The words by which a clause is read: what asks, supposes, denies, counts, and says when and of whom."""

from __future__ import annotations

import re

from extraction.extractors.rules.statement import one_of

CLAUSE_END = re.compile(
    r"[,;.!\n，。；！…~～—]+(?!\d)|(?=[?？])|(?<=[?？])|"
    r"\b(?:but|although|though|because|however|whereas|while|since|so that)\b|"
    r"\band (?=(?:i|we|he|she|they|it|never|not|cannot)\b|\w+n't\b)|"
    r"但是?|不过|而且|因为|所以|可是|然后|虽然|而是"
)
ASKS = re.compile(
    r"[?？]|[吗嘛么]$|什么(?!的)|怎么|怎样|为啥|干嘛|哪|谁|多少|是不是|有没有|(.)不\1|(.)没\2|"
    r"^(?:what|who|where|when|why|how|which|do you|did you|are you|is it|can you|could you|would you|have you)\b"
)
# Clauses that state nothing: what is unknown, supposed, unreal, or true of some but not all.
STATES_NOTHING = re.compile(
    one_of(
        """不知道 不清楚 不晓得 不记得 不确定 不太清楚 不明白 没想好 如果 要是 假如 万一 的话 听说 据说 好像 似乎
        可能 也许 不一定 未必 不是所有 不都 不全"""
    )
    + r"|\b"
    + one_of(
        """if unless (?:do|does|did)(?:n't|_not)_(?:know|remember|recall) not_sure unsure maybe perhaps might
        would_(?:have|be) could_have should_have wonder whether as_if let's imagine suppose
        not_(?:all|every\\w*|always|necessarily|entirely|completely|everyone)"""
    )
    + r"\b"
)
# What one is after is not how things stand.
AIM = re.compile(
    r"\b(?:goals?|targets?|aim\w*|(?:trying|try|want|plan|planning|hope|hoping|(?:would|'d) like) to)\b|"
    r"目标|打算|计划|想要|希望"
)
# "Do not forget the milk" says the milk.
FORGET = re.compile(
    r"\b(?:do(?:n't| not)|never|won't|will not|can(?:'t|not)) (?:ever )?forget (?:to |that |about )?|"
    r"(?:别|不要|不会|没|从未)忘记?了?|忘不了"
)
# Words that look like a denial and are none.
NO_DENIAL = re.compile(
    one_of(
        """不得不 少不了 离不开 差不多 不但 不仅仅? 不只 对不起 了不起 忍不住 不禁 要不 不知不觉 来不及 不管 不论
        好不容易 无不 不错 不好意思 没关系 没问题 没事 不断 不久 不同 不少 不止 没错 没准 说不定 不用说 不客气
        不由 力不从心 特别 区别 性别 级别 分别 个别 告别 别人 别的 别墅 未来 未婚夫 未婚妻 不一会儿? 不妨"""
    )
    + r"|\b"
    + one_of(
        """not_only not_just not_(?:even_)?too_\\w+ can(?:'t|not)_wait can(?:'t|not)_help no_doubt no_wonder why_not
        not_bad no_matter not_to_mention no_problem no_worries couldn't_be_\\w+ never_been_\\w+er
        couldn't_agree_more no_one_(?:but|except)"""
    )
    + r"\b"
)
DENIAL = re.compile(
    r"\b(?:no longer|not|never|no|none|nobody|nothing|neither|nor|cannot|stopped|quit|gave up)\b|"
    r"\b(?:ca|wo|sha)n't\b|n't\b|"
    r"不再|再也[不没]|并?没有|从[来未]?[不没]|并?[不没未](?!人)|无法|没法|(?<![特区性级分个告])别(?=[再去做吃喝买])|"
    r"戒了|停止了?"
)
NEVER = re.compile(r"\bnever\b|从[来未]?[不没]")
_OTHERS = (
    one_of(
        """mother mom mum father dad parents sister brother wife husband son daughter partner girlfriend boyfriend
        friends? boss manager colleagues? coworkers? kids? children child baby dog cat grand\\w+ aunt uncle cousin
        neighbou?rs? roommate teacher team company family"""
    )
    + r"\b|"
    + one_of(
        """妻子 老婆 丈夫 老公 爱人 女朋友 男朋友 女友 男友 孩子 儿子 女儿 爸爸? 妈妈? 父亲 母亲 父母 哥哥? 姐姐?
        弟弟? 妹妹? 爷爷 奶奶 外公 外婆 叔叔 阿姨 舅舅 朋友 同事 老板 上司 领导 同学 室友 邻居 房东 导师 教练
        老师 家里人? 家人"""
    )
)
SUBJECT = re.compile(
    r"^(?:(?:and|yes|no|well|oh|so|now|also|actually|是的?|对|嗯|哦|啊|不)[\s,]+)*"
    r"(?:(?P<you>you|your|you're|你们?)|"
    rf"(?:my|our|his|her|their|the|我们?的?|我家的?)?\s*(?P<other>{_OTHERS})|"
    r"(?P<they>they|he|she|他们?|她们?|人家|别人|大家|很多人|有[些的]人))"
)
# Things of which there are many, told apart by number: what holds of order 3 does not contradict what holds of order 4.
# Not those at which one stands now and elsewhere later (pages, levels, chapters).
NUMBERED = re.compile(
    r"\b(?P<thing>"
    + one_of(
        """orders? tickets? invoices? contracts? shipments? deliver(?:y|ies) parcels? packages? batch(?:es)? lots?
        rooms? floors? buildings? apartments? flats? units? gates? lanes? lines? stores? branch(?:es)? warehouses?
        machines? servers? accounts? cases? claims? requests? issues? bugs? tasks? items? projects? sprints? phases?
        teams? groups? flights? trains? bus(?:es)? options? plans? samples? tests? trials? sites?"""
    )
    + r")\s+(?:(?:no|nr|number|id)\b\.?\s*)?#?(?P<number>\d+[a-z]?)\b"
    r"|(?P<thing2>订单|合同|发票|工单|包裹|批次|房间|仓库|门店|机器|服务器|账户|账号|项目|方案|航班|车间|样品|任务|需求|"
    r"单元|小组|阶段)\s*(?:编?号)?[:：#]?\s*(?P<number2>\d+)|(?P<number3>\d+)\s*号(?P<thing3>订单|合同|发票|楼|房|店|仓|线|"
    r"车间|机)"
)
# Rates and the like, of which there is one of each thing: that of the login says nothing of that of the payment.
_RATED = r"\b(?:rates?|share|margin|growth|capacity|commission|price|pricing|costs?|fees?)\b"
_ZH_RATED = r"(?:(?<!效)(?<!频)(?<!(?<!成)功)率|占比|份额|价格|单价|成本|费用)"
RATED_NOUN = re.compile(f"{_RATED}|{_ZH_RATED}")
RATED = re.compile(
    rf"\b(?P<before>(?:[a-z][\w'-]*\s+){{0,4}}){_RATED}"
    r"(?:\s+(?:of|for|in|on|at|among)\s+"
    r"(?P<of>(?:(?!(?:is|was|are|has|have|now|to|of|and|but)\b)[a-z][\w'-]*\s*){1,4}))?|"
    rf"(?P<before2>[\u4e00-\u9fffa-z]{{0,8}}?的?[\u4e00-\u9fff]{{0,4}}?){_ZH_RATED}"
)
TIMES = re.compile(
    r"\b"
    + one_of(
        """today tonight yesterday tomorrow monday tuesday wednesday thursday friday saturday sunday weekends?
        january february march april may june july august september october november december
        spring summer autumn fall winter mornings? afternoons? evenings? nights?
        (?:last|next|this)_\\w+ used_to previously formerly in_the_past as_a_(?:child|kid|teenager) (?:19|20)\\d\\d"""
    )
    + r"\b|"
    + one_of(
        """今天 昨天 明天 前天 后天 今晚 昨晚 早上 早晨 上午 中午 下午 晚上 周[一二三四五六日末] 星期[一二三四五六日]
        上周 下周 上个?月 下个?月 去年 明年 前年 \\d+月 \\d{4}年 春天 夏天 秋天 冬天 以前 之前 曾经? 小时候 过去
        原来 以后 将来 刚刚?"""
    )
)
NUMBER = re.compile(
    r"(?<![a-z0-9.])(?P<latin>\d{1,12}(?:[.:]\d+)?)(?:\s*(?P<noun>[a-z]+|[\u4e00-\u9fff]))?|"
    r"\b(?P<word>two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+(?P<of>[a-z]+)|"
    r"(?P<han>[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九])"
    r"(?P<measure>[个只条名位岁块家口台辆本套间点次杯斤年])"
)
# What lasts, so that another number for it is another state and not another event.
LASTS = re.compile(
    r"\b(?:am|is|are|have|has|got|own|owns|weighs?|costs?|every|usually|always|wakes?|gets? up|works?|lives?)\b|"
    r"'[mrs]e?\b|[是有养共]|岁|年的|身高|体重|一般|平时|通常|每[天周月年]|价格|总"
)
# Where one is reached, or a number that names something: "my phone is 13800138000".
REACHED_AT = re.compile(
    r"\S@\S|(?<![a-z0-9.])\+?\(?\d[\d ()-]{5,}\d(?![a-z0-9])|"
    r"(?:微信号?|qq号?|账号|帐号|号码)\s*(?:是|为|[：:])\s*[\w-]{4,}|"
    r"\b(?:wechat|whatsapp|telegram|skype|signal|handle|username|account|id|number)\s+is\s+\S*\d"
)
HAS = re.compile(
    r"\b(?:have|has|got|own|owns)(?: got)? (?:no|an?|any|some|several|many|my|\d+|two|three|four|five)\b|"
    r"\b(?:do(?:n't| not)|does(?:n't| not)) (?:have|own)\b|\bthere (?:is|are|isn't|aren't)\b|"
    r"(?<![没所只])有(?!点|些人|时|名|趣)|养|(?<!还)没有(?=[\u4e00-\u9fff]*(?:$|[的啊呀呢了]))"
)
# Terms that add nothing to what a clause is about.
EMPTY = frozenset(
    "think believ feel seem guess say mean realli realiz actual even still yet alreadi ever relat sever".split()
)
EMPTY_HAN = frozenset(
    """我 你 他 她 它 我们 很 是 有 会 能 要 可以 去 来 到 说 觉得 感觉 认为 想 没有 没 不 做 好 行 现在 目前 今年
    时候 人 事 东西 时间 还有 太 知道 应该""".split()
)
