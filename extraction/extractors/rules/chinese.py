"""Which Chinese sentences are worth keeping, as what, and how certain they are."""

from __future__ import annotations

import re

from extraction.extractors.protocol import Certainty
from extraction.extractors.rules.dates import Tense
from extraction.extractors.rules.sentences import Sentence
from extraction.extractors.rules.statement import Clues, Signal, SignalKind

# --- the part of a sentence that says something ---------------------------------------------------------------------

_CLAUSE = re.compile(r"[^，,；;]+[，,；;]*")
_FILLER = re.compile(
    r"(?:(?:嗯+|恩+|哦+|噢+|呃+|额|啊+|哈+|嘿+|嘻嘻|是的?|是啊|是呀|对|对啊|对呀|对的|没错|对了|好|好的|好吧|好啊|好呀|行|可以|当然(?:啦|啊|可以|了|会)?|其实|实际上|那么|那|不过|另外|还有|此外|"
    r"除此之外|顺便说一下|顺便问一下|说起来|话说|说到这个|而且|并且|所以|但是|但|可是|然后|哎+|唉+|嗨|喂|哇+|哎呀|天哪|说实话|老实说|总之|没有|没问题|没关系|不客气|你知道吗|你看|你说得对|你说的对|"
    r"(?:你好|您好|大家好|早上好|上午好|中午好|下午好|晚上好|早安|晚安|嗨|嘿)[^，,。！!]{0,12}?|(?:朋友|亲爱的|AI伴侣)[^，,。！!]{0,6}?)[，,、!！~～—\s]+|(?:其实|嗯+|哦|另外|而且|不过|所以|但是)(?=我))+"
)
_NOISE_CLAUSE = re.compile(
    r"^(?:(?:非常|真的|真|很|十分|太|多谢|再次)?(?:感谢|谢谢|多谢|谢啦|谢了)|(?:很|非常|真的?|十分)?(?:高兴|开心|荣幸)(?:能|可以)?(?:认识|见到|和你|跟你|与你)|你好|您好|再见|拜拜|明天见|晚安|"
    r"(?:想|我想|好想|今天想|很想)(?:和|跟|向|与)你|这是我们|(?:我们)?(?:明天|下次|改天)(?:再|继续)|(?:希望|期待)(?:我们|能|可以|你|和你|下次)|不知道|听起来|听着|听上去|这(?:个|些)?(?:建议|主意|想法|方法)|"
    r"你|您|让我|请|能不能|可不可以|有没有|有什么|怎么|如何|为什么|哪|什么|谁|这|那|它|他|她|他们|她们|它们|没问题|没关系|不客气|好的|我(?:会|一定会|一定|也会|以后会|以后也会)(?:尝试|试试|试着|考虑|注意|努力|去看|好好|"
    r"加油|记住|去试|认真|参考|遵|尽力|尽量|多|继续|按|去|听|采纳|的$|的[。！!]?$)|我(?:知道|明白|懂|理解|同意|觉得你|也这么|也是|也同感|记住|相信|了解)|感觉|觉得|真是|真的|太|好|非常(?:棒|好|有|感|开|美|不)|"
    r"很(?:好|棒|有|不错|开心|高兴|美|喜欢你|期待|感)|挺|比较|确实|说得|说的|味道|风景|景色|心情|虽然|尽管|不用|不要|别)"
)
_QUESTION = re.compile(
    r"(?:[吗嘛么呢]|吧)[？?]?$|[？?]$|你觉得|你认为|你(?:有|能|会|可以|知道|想|喜欢|要|是|也|平时|呢)|您(?:有|能|觉得)|是不是|能不能|可不可以|有没有(?!人)|要不要|好不好|行不行|会不会|怎么样|怎么办|"
    r"如何|为什么|为啥|什么(?:样|时候)?(?:的|是|呢|好)?(?:[^，,。！!]{0,10})[？?]|哪(?:里|个|些|种|一)|多少钱[？?]|请问|请教|推荐"
)

# --- left out -------------------------------------------------------------------------------------------------------

_NOT_A_STATEMENT = re.compile(
    r"^(?:你|您|这|那(?!天)|它|他|她|请|让我|帮|给我|告诉我|能|可以|如果|假如|要是|假设|假使|万一|倘若|除非|谁|什么|怎么|为什么|哪|为何|是否|希望|祝|加油|恭喜|真|太|好|多|有些人|人们|大家|别|不要|不用|感觉|觉得|"
    r"听起来|听说你|看来|看起来|或许你|也许你|应该|需要我|当你|有时候?(?:人|会觉得)|我(?:们)?(?:也|都|还|真的?|很|非常|一直|完全|特别|就是|只是)*(?:觉得|认为|感觉|感到|同意|明白|知道|理解|懂|相信|希望|"
    r"想知道|想问|想请|想听|想和你|想跟你|想向你|想谈|想聊|期待|祝|感谢|谢|听|猜|发现|意识|体会|记得|同感|赞同|高兴|开心|难过|担心|怕|害怕|好奇|不知道|不确定|不太确定|"
    r"不明白|不懂|没想到|没有了|没事|来了|又来|回来了|在听|在呢|去忙|得走|要走|要去睡|先走|先去)|.{0,4}(?:天气|阳光)|生活(?:中)?[是就]|人生|每个人)"
)
_TALK = re.compile(
    r"(?:和|跟|与|向)[你您](?:聊|谈|说|分享|请教|交流|一起|倾诉|继续|诉)|(?:你|您)的|建议|谢谢|感谢|推荐|再见|聊聊|聊天|明天见|认识你|见到你|给你|对你|告诉你|陪|AI|听你|问你|教你|帮你|教我|帮我|帮忙|与你|跟你|和你|"
    r"你说|对不对|是不是|怎么办|该怎么|如何才能|问题想"
)
_UNREAL = re.compile(
    r"(?:如果|假如|要是|假设|倘若|假使|若是|万一)|的话(?:[，,。！!]|$)|要是能|(?:早知道|本来可以|恨不得|幻想|想象一下|假装|好像是在做梦)"
)
_JOKE = re.compile(r"开(?:个)?玩笑|逗你|骗你的|说笑|哈哈哈哈")
_TAKEN_BACK = re.compile(r"^\W*(?:哈*\W*)(?:开(?:个)?玩笑|逗你|骗你的|说笑|说着玩|我瞎说|当我没说|不是真的|才怪)")
_REPORTED = re.compile(
    r"(?:他|她|他们|她们|妈妈?|爸爸?|朋友|同事|老师|医生|老板|有人|别人|大家|网上|书上|新闻)(?:们)?(?:经常|总|常|都|还|也|曾经)*(?:说|告诉我|跟我说|对我说|问我|建议|认为|觉得)"
)
_MOOD = re.compile(
    r"^(?:我|今天|最近|现在|这几天|这两天|刚才|此刻|一直|总是|真的|心情|情绪|，|,)*(?:有点|有些|很|非常|特别|好|挺|比较|超级?|十分|真的?|感觉|觉得|感到|心情|情绪|也|都|又|还|不太|不|太|过得)+"
    r"(?:开心|高兴|难过|伤心|累|疲惫|困|烦|烦躁|郁闷|焦虑|紧张|兴奋|激动|无聊|孤独|孤单|沮丧|低落|失落|迷茫|困惑|舒服|舒畅|放松|愉快|愉悦|好|不错|糟糕|糟|满足|幸福|感动|温暖|无奈|无助|生气|担心|害怕|惊讶|"
    r"幸运|充实|忙|饿|期待|喜欢|欣慰|自豪|骄傲|尴尬|羡慕|可惜|遗憾|棒|美|美好|有趣|有意思|吃力|害羞|想念|热|冷|不好|平静|有帮助|有道理|顺利|压抑|后悔)"
)
_EMPTY_PLAN = re.compile(
    r"^(?:那)?(?:我|我们)?(?:以后|下次|一定|肯定|也|都|就|先|还|再|真的|确实|应该|今后|会|将|要|可以|想|得|需要|打算|准备)*(?:尝试|试试|试着|试一下|试一试|考虑|注意|努力|加油|记住|参考|尽力|尽量|改进|调整|看看|去看看|"
    r"想想|坚持|继续努力|采纳|遵循|遵照|留意|保持联系|等|做到|关注|了解一下|好好|多多|听取|慢慢)"
)
_EVERYDAY = re.compile(
    r"散步|跑步|慢跑|吃(?:了|饭|晚饭|午饭|早饭)|睡|起床|逛|休息|天气|上班|下班|加班|锻炼|聊|咖啡|听(?:了)?(?:音乐|歌)|遛弯"
)

# --- worth keeping --------------------------------------------------------------------------------------------------

_ME = r"(?:我|我们|俺|咱们?)"
_ADV = r"(?:[也还都就很挺超最更太真]|的确|真的|非常|特别|比较|一直|从小|平时|现在|最近|目前|其实|十分|相当|尤其|确实|经常|总|只|不太|不|并不|主要|一般|通常|自己|以前|今天|个人|比起.{1,8}?更)*"
_LIKED = r"(?![你您这那它他她]|的(?:话|是(?:你|这)))"

_SIGNALS: list[tuple[SignalKind, float, str, re.Pattern[str]]] = [
    (kind, confidence, why, re.compile(pattern))
    for kind, confidence, why, pattern in [
        (
            "decision",
            0.9,
            "决定",
            r"(?:决定|敲定|拍板|商定|选定|议定|最终选择|最后选择|确定(?:使用|采用|用|选|了|下来|为)|定下来|达成一致|一致同意|批准|否决|同意了|通过了(?!.{0,4}考试)|选择了(?!.{0,6}(?:好公司|我)))(?!性|因素|权)",
        ),
        ("decision", 0.85, "决定", r"(?:改用|改成|改为|换成|换为|调整为|变更为|切换到|采用|不再使用|弃用|选用|统一用)"),
        (
            "status",
            0.9,
            "变动",
            rf"(?:{_ME}|^).{{0,10}}?(?:毕业了|毕业于|结婚了?|离婚了?|订婚|分手了?|升职|辞职|离职|入职|退休|搬家|搬到|搬去|搬进|怀孕|出生|失业|被裁|跳槽|考上|考过|通过了|拿到了|录取|加入了|报名|确诊|住院|做了手术|出院|"
            r"买了(?:一?[套辆]?)?(?:房|车|新房|新车)|获得了?|得了.{0,6}奖|戒了|不再|再也不|开始(?:学|做|练|追|用|看|尝试|写|跑|健身|上)|学会了|养了|领养|创办|创立|开了(?:一)?家)",
        ),
        (
            "status",
            0.85,
            "进展",
            r"(?:已经?|正式|刚刚?|都|目前|现在|终于|全部|均|提前|基本)(?:经)?(?:完成|上线|发布|交付|验收|签约|签了|签署|暂停|取消|延期|推迟|启动|关闭|结束|恢复|部署|到货|发货|付清|付款|到账|停用|离开|解决|开工|竣工|进场|审批|落地|到期|续约)"
            r"|(?:上线|发布|交付|验收|签约|签署|暂停|取消|延期|推迟|启动|完成|到货|发货|竣工|开工|离职|开业|停产|续约)(?:了|至|到)|(?:进行中|搁置|待定|待审批|已(?:完成|取消|上线|暂停|延期))|进度.{0,4}(?:落后|正常|超前)",
        ),
        (
            "preference",
            0.9,
            "喜好",
            rf"(?:{_ME}|^|最|也|还|更).{{0,4}}?{_ADV}(?:喜欢|热爱|讨厌|偏爱|钟爱|酷爱|热衷于?|痴迷|着迷|爱好|爱吃|爱喝|爱看|爱听|爱玩|爱(?=[做打看听读写画跑唱跳])|受不了|吃不了|不吃|不喝|忌口|过敏|不爱|"
            rf"对.{{1,16}}?(?:感兴趣|有兴趣|过敏|很感|没兴趣|不感兴趣|情有独钟)|享受|更倾向|倾向于|的粉丝|沉迷|迷上){_LIKED}",
        ),
        (
            "preference",
            0.85,
            "喜好",
            r"(?:是|为)我(?:的)?(?:最爱|最喜欢的?|爱好|兴趣|偶像)|我的?(?:兴趣|爱好|兴趣爱好|业余爱好|特长|偶像)(?:是|有|包括|就是)",
        ),
        (
            "plan",
            0.8,
            "打算",
            rf"(?:{_ME}|^|最近|正).{{0,8}}?(?:打算|计划|准备(?!.{{0,3}}吃)|筹备|考虑(?!做到)|在攒钱|想要|想(?=[去学买换做开写考搬建养找参组当把在办请提创改试成])|希望能|梦想|目标是|立志|将(?:会|要|于)|即将)(?!.{{0,4}}(?:你|聊|问|看看|一下))",
        ),
        (
            "habit",
            0.85,
            "习惯",
            rf"(?:{_ME}|^|平时|一般|每).{{0,12}}?(?:每天|每周|每个?月|每年|每晚|每次|每逢|每个周末|周末(?:都|会|一般|经常)|经常|通常|常常|平时|平常|一般(?:都|会|是|在)?|习惯|总是|偶尔|有时候?会?|往往|从来不|从不|定期|坚持|闲暇|空闲)(?!.{{0,4}}(?:感觉|觉得|感到|难过|担心|希望))",
        ),
        (
            "fact",
            0.85,
            "近况",
            rf"(?:{_ME}|^|最近|近来|目前|现在).{{0,10}}?(?:一直在|正在|在学|在读|在看|在追|在写|在做|在练|在准备|在找|在研究|在收藏|在参加|在尝试|在用|在寻找|在备考|在减肥|在健身|在装修|在负责|在规律|在上|在忙|在组织|在培养|在努力|在(?:学习|开发|练习)|迷上了|学了|组了|忙于|热衷|从事)(?!想|思考|聊)",
        ),
        (
            "fact",
            0.9,
            "个人情况",
            r"我(?:现在|目前|一直|也|就|还|今年|以前|曾经?|已经|从小|是)*(?:是(?:一[名个位]|个|名|在|来自|做|独生|双胞胎|左撇子|.{1,10}(?:人|师|员|生|手|者|家|工)(?:[，,。！!]|$))|住在|住(?:的|着)|来自|出生|在.{2,16}?(?:工作|上班|上学|读书|任职|就职|留学|生活|长大|实习|住)|"
            r"今年.{0,3}\d|\d{1,2}岁|毕业|有(?:一|两|三|四|几|\d)[个只条位辆套台名]|有(?:女|男)朋友|有(?:孩子|儿子|女儿|哥哥|姐姐|弟弟|妹妹|高血压|糖尿病|哮喘)|会(?:说|弹|拉|做|讲|开)|养(?:了|着|有)|的(?:职业|专业|工作|生日|血型|星座|家乡|老家|母语|座右铭|梦想|目标)(?:是|在|为)|没有(?:孩子|结婚|兄弟)|单身|结婚|负责|擅长|不会|学过|做过|当过|去过|患有|从事|攻读|主修)",
        ),
        (
            "fact",
            0.8,
            "家人朋友",
            r"^(?:我|我们)(?:的|家)?(?:.{0,4}(?:妻子|老婆|丈夫|老公|爱人|女朋友|男朋友|女友|男友|孩子|儿子|女儿|爸爸?|妈妈?|父亲|母亲|父母|爸妈|哥哥?|姐姐?|弟弟?|妹妹?|爷爷|奶奶|外公|外婆|姥姥|姥爷|朋友|同事|老板|领导|同学|室友|邻居|猫|狗|宠物|团队|"
            r"公司|部门|学校|家|工作|性格|房东|导师|教练|客户|老师|车|手机|电脑))(?:们|叫|是|在|有|也|都|很|最近|刚|已经|喜欢|比较|不|今年|经常|想|住|得|生|要|给|被|会|正|做|从|养|的).{2,}",
        ),
        (
            "fact",
            0.8,
            "业务",
            r"(?:我们|我司|我方|咱们|公司|团队|部门|工厂|仓库|客户|对方|甲方|乙方|项目组?|系统|平台|产品)(?:.{0,6}?)(?:需要|使用|要求|有|共|提供|支持|采购|负责|希望|必须|不能|不支持|预计|位于|成立|主要|拥有|经营|生产|销售)(?!.{0,4}[你您])",
        ),
        (
            "event",
            0.75,
            "经历",
            rf"(?:{_ME}|^|今天|昨天|前天|上周|去年|最近|刚|第一次).{{0,16}}?(?:去了|去过|参加了?|买了|看了|看完|做了|见到|见了|学了|学到|收到|遇到|碰到|读了|读完|写了|画了|听了|试了|尝试了|尝试做|完成了|拿到|拍了|举办|组织了|参观|旅游|旅行|爬|演出|比赛|考试|面试|签|认识了|跑了|骑|"
            r"吃了|订了|报了|办了|寄|丢了|摔|受伤|生病|发烧|感冒|住院|搬|换了|赢|输|获|捐|种了|养了|发现|收养|接|送|带|陪|庆祝|过生日|品尝了?|录了|发布|发表|出差|开始|登|攀|游览|玩)",
        ),
    ]
]
_THIRD_PERSON_VERB = re.compile(
    r"是|在|有|负责|要|会|将|可以|能|需要|喜欢|住|说|希望|想|已|了|不|为|用|使用|支持|包括|属于|位于|采用|必须|计划|打算|提供|担任|来自|擅长"
)
_DATED_EVENT = re.compile(
    r"会议|开会|启动|上线|发布|截止|合同|交付|验收|演示|评审|培训|面试|考试|婚礼|航班|出差|旅行|生日|约|预约|手术|活动|演唱会|比赛|课|开始|结束|到期|续约|签|交|搬|开业|试点|回|去|来|到|完成|举行|举办|进行|装修|出发|拜访"
)

# --- tense, certainty, negation --------------------------------------------------------------------------------------

_FUTURE = re.compile(
    r"将|会(?=[在于去来到把开有进])|打算|计划|准备|即将|明天|明年|后天|下周|下个?月|下个?星期|预计|截止|要(?=[去来到在开做交搬出参上办])|之后|以后|今晚"
)
_PAST = re.compile(r"了|过|昨|前天|上周|上个?月|去年|前年|曾|刚|之前|以前|已")
_TENTATIVE = re.compile(
    r"可能|也许|或许|大概(?!\d|[一二两三四五六七八九十])|说不定|考虑|不确定|没想好|没决定|还没定|未定|待定|好像|似乎|应该(?=是|会|可以|能|要)|估计|希望|有望|想(?!念|法|象|起|到|通|不到|必)|如果|看情况|有点想|梦想|期望|憧憬|要不要|暂定|初步|"
    r"争取|倾向于?|听说|据说|不一定|看看能不能|有机会|我猜|没准|犹豫"
)
_PLANNED = re.compile(
    r"打算|计划|准备|将|即将|预计|预定|拟|要(?=[去来到在开做交搬出参上办把给])|会(?=[在于去来到把开进])|筹备|定于|安排在|安排了|约了|约好|目标|攒钱|明天|后天|下周|下个?月|明年"
)
_NEGATION = re.compile(
    r"不再|再也不|不(?!得不|仅|但|但是|过|断|久|错|同|少|止|管|论|好意思|知|用说|一定|了解|由|禁|妨|客气|太好|如|只|已|可思议|见不散|光)|没(?!关系|问题|事|错|想到|准|完没了)|别(?!人|的|墅|名|克|致)|戒了|停用|弃用|取消|否决|未(?!来|婚夫|婚妻)|无法|拒绝|从未|勿"
)
_NO_NEGATION = re.compile(
    r"不得不|忘不了|别忘|不要忘|不会忘|少不了|离不开|差不多|不但|不仅|不过|对不起|了不起|忍不住|不禁|要不|不知不觉|不是(?=.{1,12}而是)|来不及|不亦乐乎|不管|不论|好不容易|无不"
)


class Chinese:
    """The Chinese rule set. The object holds no state."""

    def parts(self, sentence: Sentence) -> list[Sentence]:
        """The runs of clauses that may state something, cut at greetings, thanks, verdicts and questions between them."""
        filler = _FILLER.match(sentence.masked)
        body = sentence.part(filler.end() if filler else 0, len(sentence.text))
        clauses = [(match.start(), match.end()) for match in _CLAUSE.finditer(body.masked)]
        runs: list[list[int]] = []
        open_run = False
        for start, end in clauses:
            clause = body.masked[start:end].strip("，,；;。！!~～ ")
            is_question = bool(_QUESTION.search(clause)) or (end == len(body.masked) and body.is_question)
            if is_question or (_NOISE_CLAUSE.match(clause) and not open_run) or _ends_a_run(clause):
                open_run = False
            elif open_run:
                runs[-1][1] = end
            else:
                runs.append([start, end])
                open_run = True
        parts = [_without_comma(body.part(start, end)) for start, end in runs]
        return [part for part in parts if len(part.text) >= 4]

    def is_left_out(self, part: Sentence, clues: Clues) -> bool:
        """Whether it is small talk, a question, a request, an opinion, a mood, unreal, in jest, or said by somebody else."""
        text = part.masked
        if _UNREAL.search(text) or _JOKE.search(text):
            return True
        if clues.measured:
            return bool(_REPORTED.search(text)) and not clues.named
        if (_NOT_A_STATEMENT.match(text) or _REPORTED.search(text)) and not clues.named:
            return True
        return bool(_TALK.search(text) or _MOOD.match(text) or _EMPTY_PLAN.match(text))

    def signal(self, part: Sentence, clues: Clues) -> Signal | None:
        """The most telling reason to keep it, or None."""
        text = part.masked
        for kind, confidence, why, pattern in _SIGNALS:
            if not pattern.search(text):
                continue
            if kind == "event" and not _is_memorable(text, clues):
                continue
            return Signal(kind, confidence, why)
        if clues.measured:
            return Signal("fact", 0.85, "数值")
        if clues.named and _THIRD_PERSON_VERB.search(text):
            return Signal("fact", 0.75, "主题")
        if clues.dated and _DATED_EVENT.search(text):
            return Signal("event", 0.7, "日期")
        return None

    def tense(self, text: str) -> Tense:
        """Whether the sentence tells of something past or to come; empty if it does not say."""
        if _FUTURE.search(text):
            return "future"
        return "past" if _PAST.search(text) else ""

    def certainty(self, text: str, signal: Signal, tense: Tense, *, dated: bool) -> Certainty:
        """How settled the speaker says it is."""
        if _TENTATIVE.search(text):
            return "tentative"
        if signal.kind == "decision":
            return "confirmed"
        if signal.kind == "plan" or (_PLANNED.search(text) and (dated or tense == "future")):
            return "planned"
        return "confirmed"

    def negated(self, text: str) -> bool:
        """Whether the sentence denies what it states."""
        return bool(_NEGATION.search(_NO_NEGATION.sub("", text)))

    def takes_back(self, text: str) -> bool:
        """Whether the sentence says that the one before was not meant."""
        return bool(_TAKEN_BACK.search(text))


def _ends_a_run(clause: str) -> bool:
    """Clauses that are noise wherever they stand, not only in front."""
    return bool(
        re.match(
            r"(?:非常|真的|很|十分|太|再次)?(?:感谢|谢谢)|(?:很|非常|真的)?(?:高兴|开心)(?:能)?(?:认识|见到|和你|跟你)|你|您|(?:好想|想|我想|很想)(?:和|跟|向|与)你|不知道",
            clause,
        )
    )


def _without_comma(part: Sentence) -> Sentence:
    return part.part(0, len(part.text.rstrip("，,；;、 ")))


def _is_memorable(text: str, clues: Clues) -> bool:
    """Whether something that was done is more than the run of the day."""
    specific = bool(re.search(r"\d|＿|[A-Za-z]{2,}|第一次|演唱会|旅[游行]|比赛|考试|面试|手术|公司", text))
    if _EVERYDAY.search(text):
        return specific and clues.dated
    return clues.dated or specific or bool(re.search(r"最近|终于|刚刚?", text))
