"""Which Chinese sentences are worth keeping, as what, and how certain they are."""

from __future__ import annotations

import re
from dataclasses import replace

from extraction.extractors.protocol import Certainty
from extraction.extractors.rules.dates import Tense
from extraction.extractors.rules.owners import ZH_RELATED
from extraction.extractors.rules.sentences import Sentence
from extraction.extractors.rules.statement import SECRET, Clues, Signal, SignalKind, one_of
from extraction.extractors.rules.terms import tells_where_to_send
from extraction.extractors.rules.undecided import is_left_open, without_open_matters

# --- the part of a sentence that says something ---------------------------------------------------------------------

_BETWEEN_CLAUSES = re.compile(r"[，,；;]+(?:但是?|不过|可是|而(?!且|是))?|(?:但是?|不过|可是)")
_BY_SPEAKER = re.compile(r"[^，,；;我]{0,6}我(?!们|司|方|的|家)")
_HAS_SUBJECT = re.compile(rf"[我你您他她它]|{ZH_RELATED.pattern}")
# What is said of the clause before, or for the sake of it, is nothing without it.
_LEANS_ON = re.compile(
    r"(?:但是?|不过|可是|而(?!且)|所以|因此|因为|由于|毕竟|如果|要是|只要|只有|除非|前提|条件是|虽然|尽管|即使|以便|以免|否则|不然|为了|"
    r"[它这那其此]|该|[他她](?!们?的)|就|才|却|名?叫|名为|主要|包括|其中|尤其|特别是|例如|比如|即|不是|直到|到)"
)
# Under which the clause before it holds.
_CONDITION = re.compile(r"(?:但是?|不过|而且|且)?(?:如果|要是|只要|只有|除非|前提|条件是|仅当|假如|倘若)")
_CONDITION_BEHIND = re.compile(rf"[，,](?:{_CONDITION.pattern})")
_REASON = re.compile(r"[，,]\s*(?:(?:所以|因此)(?=我)|(?:因为|由于|毕竟)(?=我))")
_CLAUSE = re.compile(r"[^，,；;]+[，,；;]*")
_FILLER_WORDS = one_of(
    """嗯+ 恩+ 哦+ 噢+ 呃+ 额 啊+ 哈+ 嘿+ 嘻嘻 是的? 是啊 是呀 对 对啊 对呀 对的 没错 对了 好 好的 好吧 好啊 好呀
    行 可以 会的 当然(?:啦|啊|可以|了|会)? 其实 实际上 那么 那 不过 另外 还有 此外 除此之外 顺便[说提]一[下句] 顺便一提
    补充一下 顺便问一下
    说起来 话说 话说回来 说到这个 而且 并且 所以 但是 但 可是 然后 哎+ 唉+ 嗨 喂 哇+ 哎呀 天哪 说实话 老实说 总之
    没有 不是 不 没问题 没关系 不客气 你知道吗 你看 你说得对 你说的对 你说对了 比如(?:说)? 例如
    (?:你好|您好|大家好|早上好|上午好|中午好|下午好|晚上好|早安|晚安)[^，,。！!]{0,12}?
    (?:朋友|亲爱的|AI伴侣)[^，,。！!]{0,6}? 还有一个问题 哦?对了 有啊 有的 [A-Za-z]{2,15}"""
)
_FILLER = re.compile(
    rf"(?:{_FILLER_WORDS}[，,、!！~～—\s]+|(?:其实|嗯+|哦|另外|而且|不过|所以|但是|但|可是|比如|例如|"
    rf"顺便(?:说|提)一[下句]|顺便一提|补充一下|并且)(?=[我最今昨前]))+"
)
# What is not to be forgotten is a statement; what is not to be forgotten to do is none.
_REMINDER = re.compile(
    r"(?:请|千万|麻烦|帮我|你|您)*(?:别忘了?|别忘记了?|不要忘了?|不要忘记了?|记住了?|记得)(?:[，,：:\s]|这一?点[，,：:])?(?=我)|"
    r"(?:请|千万|麻烦|帮我|你|您)*(?:(?:别|不要)忘记?了?|记住了?|记下来?|记一下|记录(?:一下|下来)?|保存(?:一下|下来)?|备注(?:一下)?|"
    r"更新(?:一下)?(?:你的)?记忆)(?:[，,：:]\s*|(?=预算|价格|[一-龥]{1,6}(?:是|为|在|叫)))(?![要去给帮把在再带提买打问你您])"
)
_OBSERVATION = re.compile(r"(?:今天|最近|我|也|还|刚刚?|突然|[一-龥]{2}地)*发现了?(?=我)")
# A question that tells what it asks for.
_TELLING_QUESTION = re.compile(
    r"你知道(?P<told>我(?!.*(?:什么|哪|谁|多少|几|怎么|为什么|如何|是不是|有没有)).{3,})吗[？?]?"
)
_NOISE_CLAUSE = re.compile(
    r"^(?:(?:非常|真的|真|很|十分|太|多谢|再次)?(?:感谢|谢谢|多谢|谢啦|谢了)|"
    r"(?:很|非常|真的?|十分)?(?:高兴|开心|荣幸)(?:能|可以)?(?:认识|见到|和你|跟你|与你)|"
    + one_of(
        """你好 您好 再见 拜拜 明天见 晚安 (?:想|我想|好想|今天想|很想)(?:和|跟|向|与)你 这是我们
        (?:我们)?(?:明天|下次|改天)(?:再|继续) (?:希望|期待)(?:我们|能|可以|你|和你|下次) 不知道 听起来 听着 听上去
        你 您 让我 请 能不能 可不可以 有没有 有什么 怎么 如何 为什么 哪 什么 谁 这 那 它 他(?!们) 她(?!们) 没问题
        没关系 不客气
        好的 我(?:知道|明白|懂|理解|同意|觉得你|也这么|也是|也同感|记住|相信|了解)
        我(?:以后)?也?(?:一定会?|会)(?:尝试|试试|试着|考虑|注意|努力|去看|好好|加油|记住|去试|认真|参考|遵|尽力|尽量|多|继续|按|去|听|采纳|的$)
        感觉 觉得 真是 真的 太 好 非常(?:棒|好|有|感|开|美|不) 很(?:好|棒|有|不错|开心|高兴|美|期待|感) 挺 确实
        说得 说的 味道 风景 景色 心情 虽然 尽管 不用 不要 别"""
    )
    + ")"
)
_QUESTION = re.compile(
    r"(?:[吗嘛么]|[你您怎什哪谁几].*呢)[？?]?$|[？?]$|你觉得|你认为|你(?:有|能|会|可以|知道|想|喜欢|要|是|也|平时|"
    r"呢)|您(?:有|能|觉得)|是不是|能不能|"
    r"可不可以|有没有(?!人)|(?<!考虑)(?<!想)要不要|好不好|行不行|会不会|怎么样|怎么办|如何|为什么|为啥|"
    r"什么[^，,。！!]{0,12}[？?]|请问|请教|推荐"
)
_ENDS_A_RUN = re.compile(
    r"(?:非常|真的|很|十分|太|再次)?(?:感谢|谢谢)|(?:很|非常|真的)?(?:高兴|开心)(?:能)?(?:认识|见到|和你|跟你)|你|您|"
    r"(?:好想|想|我想|很想)(?:和|跟|向|与)你|想分享|不知道|(?:我)?(?:也)?不知道|(?:但是?|可是|不过)?(?:我)?(?:有些|"
    r"有点|很|感到|感觉)(?:困惑|迷茫|沮丧)|"
    r"(?:但是?|可是|不过)?我?(?:也|又|却|还)?(?:总|老)?是?(?:遇到|碰到)了?(?:一些|很多|不少|几个)?(?:困难|问题|麻烦|瓶颈)"
)

# --- left out -------------------------------------------------------------------------------------------------------

_NOT_A_STATEMENT = re.compile(
    r"^(?:"
    + one_of(
        """你 您 这 那(?!天) 它 他 她 请 让我 帮 给我 告诉我 看到 能 可以 谁 什么 怎么 为什么 哪 为何 是否 希望 祝
        加油 恭喜 真 太 好 记得(?!我|小时|那|当) 提醒 有些人 人们 大家 别 不要 不用 感觉 觉得 听起来 听说你 看来
        看起来 或许你 也许你 应该
        需要我 当你 有时候?(?:人|会觉得) .{0,4}(?:天气|阳光) 生活(?:中)?[是就] 人生 每个人
        今天又?是(?!我|.{1,6}(?:生日|纪念日)) 我会(?!说|弹|拉|做|讲|开) 我还会(?:准备|继续) 讲述 现在我要 有考虑
        我有(?:一|个|些).{0,3}(?:问题|烦恼|疑问|困惑|想法|感觉|建议) 我(?:还)?没有(?:计划|打算|想法|什么|太多|了)"""
    )
    + r"|我(?:们)?(?:也|都|还|真的?|很|非常|一直|完全|特别|就是|只是)*"
    + one_of(
        """觉得 认为 感觉 感到 同意 明白 知道 理解 懂 相信 希望 想知道 想问 想请 想听 想和你 想跟你 想向你 想谈
        想聊 期待 祝 感谢 谢 听 猜 发现 意识 体会 记得 同感 赞同 高兴 开心 难过 担心 怕 害怕 好奇 不知道 不确定
        不太确定 不明白 不懂 没想到 没有了 没事 来了 又来 回来了 在听 在呢 去忙 得走 要走 要去睡 先走 先去 能感"""
    )
    + ")"
)
_TALK = re.compile(
    r"(?:和|跟|与|向)[你您]|[你您]的|给[你您]|对[你您]|告诉[你您]|"
    + one_of(
        """(?:这些?|那些?|有|什么|一些|好|给我|其他|些)(?:的|个|些)?建议 谢谢 感谢 推荐 再见 聊聊 聊天 明天见
        认识你 见到你 陪 AI 听你 问你 教你 帮你 教我 帮我 你说 对不对 是不是 怎么办 该怎么 如何才能 的过程中 有没有
        人类 人们"""
    )
)
_UNREAL = re.compile(
    r"如果|假如|要是|假设|倘若|假使|若是|万一|的话(?:[，,。！!]|$)|早知道|本来可以|恨不得|幻想|想象一下|假装"
)
_JOKE = re.compile(r"开(?:个)?玩笑|逗你|骗你的|说笑|哈哈哈哈")
_TAKEN_BACK = re.compile(r"^\W*(?:哈*\W*)(?:开(?:个)?玩笑|逗你|骗你的|说笑|说着玩|我瞎说|当我没说|不是真的|才怪)")
_REPORTED = re.compile(
    r"(?:他|她|他们|她们|妈妈?|爸爸?|朋友|同事|老师|医生|老板|有人|别人|大家|网上|书上|新闻)(?:们)?"
    r"(?:经常|总|常|都|还|也|曾经)*(?:说|告诉我|跟我说|对我说|问我|建议|认为|觉得)"
)
_MOODS = one_of(
    """开心 高兴 难过 伤心 累 疲惫 疲倦 困 烦 烦躁 郁闷 焦虑 紧张 兴奋 激动 无聊 孤独 孤单 沮丧 低落 失落 迷茫 困惑
    舒服 舒畅 放松 愉快 愉悦 好 不错 糟糕 糟 满足 幸福 感动 温暖 无奈 无助 生气 担心 害怕 惊讶 幸运 充实 忙 饿 期待
    欣慰 自豪 骄傲 尴尬 羡慕 可惜 遗憾 棒 美 美好 有趣 有意思 吃力 害羞 想念 热 冷 不好 平静 有帮助 有道理 顺利
    压抑 后悔 压力 力不从心 身心俱疲 不太开心"""
)
_MOOD = re.compile(
    r"^(?:我|今天|最近|现在|这几天|这两天|刚才|此刻|一直|总是|真的|心情|情绪|有时候?|时常|还是|但|也|又|会|，|,)*"
    r"(?:有点|有些|很|非常|特别|好|挺|比较|超级?|十分|真的?|感觉|觉得|感到|心情|情绪|也|都|又|还|不太|不|太|过得|"
    r"是会|会)+" + _MOODS
)
_EMPTY_PLAN = re.compile(
    r"^(?:那)?(?:我|我们)?(?:以后|下次|一定|肯定|也|都|就|先|还|再|真的|确实|应该|今后|会|将|要|可以|想|得|需要|打算|"
    r"准备)*"
    + one_of(
        """尝试 试试 试着 试一下 试一试 考虑 注意 努力 加油 记住 参考 尽力 尽量 改进 调整 看看 去看看 想想 坚持
        继续努力 采纳 遵循 遵照 留意 保持联系 等 做到 关注 了解一下 好好 多多 听取 慢慢"""
    )
)
_VAGUE = re.compile(
    r"(?:遇到|碰到|有|出)(?:了|过)?(?:一|几)?(?:个|些|件|点)?(?:[^，,。]{0,6}的?)?(?:问题|挫折|困难|麻烦|烦恼|烦心事|"
    r"事情)(?:$|[，,。！!])|"
    r"(?:新的?|一些|某些)(?:新的?)?(?:技能|知识|东西|事物)|在看一些电影|(?:寻找|选择|找|选)(?:一个|一些|一项|个|"
    r"些)(?:.{0,6}的)?(?:活动|乐趣|事|地方|电影)|"
    r"(?:思考|考虑)[^，,。]{0,6}(?:问题|意义|人生)|想去一个[^，,。]{0,12}(?:，[^，,。]{0,8})?的地方|不开心的事|没想过|没什么|的概念时|没有去过|"
    r"(?:看|读)(?:了|到了|过)?一[部本场篇](?!.*(?:《|“|叫|关于))[^，,]{0,14}(?:电影|书|小说|文章)(?:$|[，,。！!])|"
    r"网上看到"
)
_EVERYDAY = re.compile(
    r"散步|跑步|慢跑|吃了(?!.{0,8}《)|吃饭|吃晚饭|吃午饭|吃早饭|晚餐|睡|起床|逛|休息|天气|上班|下班|加班|锻炼|聊|"
    r"咖啡|听了?(?:音乐|歌)|遛弯|工作又|堵车|堵了|塞车|[真很好太特挺][冷热]|下雨|下雪|刮风|台风|晴朗"
)
_TODAY = re.compile(r"今天|今日|今早|今晚|今晨|^(?:早上|上午|中午|下午|傍晚|晚上)")
# What makes a day one to remember, other than a name or a number.
_OCCASION = re.compile(
    one_of(
        """买 学 见到 认识 参加 收到 签 付 拿到 通过 获 赢 输 丢 搬 面试 体检 医院 生日 婚 葬 纪念 展 演出 音乐会 讲座
        活动 开始 完成 入职 出院 生病 受伤 注册 报名 拜访 第一次 演唱会 旅[游行] 比赛 考试 手术 辞职 义工 志愿 爬山
        登山 摔"""
    )
)

# --- worth keeping --------------------------------------------------------------------------------------------------

_TIME = (
    r"(?:[今昨前明后]天(?:早上|上午|中午|下午|晚上|早晨)?|昨晚|今早|今晚|明早|早上|上午|中午|下午|晚上|最近|近来|"
    r"近期|现在|目前|以前|之前|从小|平时|平常|周末|"
    r"上?个?(?:上|这|本|下)(?:个)?(?:周|星期|月|礼拜)[一二三四五六日天末]?|[去今明前后]年|"
    r"\d{1,4}年(?:\d{1,2}月)?(?:\d{1,2}[日号])?|"
    r"\d{1,2}月(?:\d{1,2}[日号])?|"
    r"[一二三四五六七八九十两几半\d]+(?:个)?(?:天|周|星期|月|年)(?:前|以前|之前|后|以后)|刚刚?|当时|后来|第一次|终于|"
    r"年底|年初|月底|小时候|大学时|毕业后|闲暇时间?|空闲时间?|"
    r"业余时间|有时候?|除了[^，,]{1,12}[，,]|其实|另外|而且|但是?|不过|因为|由于|所以|并且|至于[^，,]{1,8}[，,]|"
    r"总的来说[，,]?|[，,\s]){0,5}"
)
_ADV = (
    r"(?:[也还都就很挺超最更太真曾已又正刚只总不没]|还是|仍然|依然|的确|真的|非常|特别|比较|一直|从小|平时|现在|最近|"
    r"目前|其实|十分|相当|尤其|确实|经常|不太|并不|"
    r"大概|大约|刚刚?|主要|一般|通常|自己|以前|今天|昨天|明天|个人|已经|曾经|终于|刚刚|正在|今年|去年|明年|下周|上周|"
    r"下个月|上个月|周末|晚上|早上|早就|并|有点|有些|越来越|打从心底|"
    r"[，,]){0,6}"
)
_WITH = r"(?:(?:和|跟|与|同)(?!你|您)[^，,]{1,10}?(?:一起|一同|们)?)?"
_ME = rf"(?:^|(?<=[，,；;：:]))(?:{_TIME})(?:我|我们|俺|咱们?){_WITH}{_TIME}{_ADV}{_WITH}"
_SELF = rf"(?:{_ME}|^{_TIME}{_ADV})"  # the speaker, named or left out
_MINE = rf"(?:^|(?<=[，,；;：:])){_TIME}我(?:们)?(?:的|家)?"
_NOT_POINTING = (
    r"(?!.{0,2}[啊呀的吧啦呢哦嘛]+[。！!~]*$|[^，,。]{0,8}(?:主题|颜色|色彩|质感|氛围|构图|细节)[。！!]?$|(?:电影|书|歌|剧|片|小说|文章)[中里]|让)"
    r"(?!\s*[你您这那它他她，,。！!；;~～—]|\s*$|的(?:话|是(?:你|这)|[一-龥]{0,4}是(?:这|那)))"
)
_RELATIVES = one_of(
    """妻子 老婆 丈夫 老公 爱人 女朋友 男朋友 女友 男友 孩子 儿子 女儿 爸爸? 妈妈? 父亲 母亲 父母 爸妈 哥哥? 姐姐?
    弟弟? 妹妹? 叔叔 婶婶 阿姨 舅舅 姑姑 姨妈 表弟 表妹 表哥 表姐 堂弟 堂妹 堂哥 堂姐 侄子 侄女 外甥 岳父 岳母 公公
    婆婆 下属 爷爷 奶奶 外公 外婆 姥姥 姥爷 朋友 同事 老板 上司 领导 同学 室友 邻居 猫 狗 宠物 团队 公司 部门 学校
    家 工作 性格 房东 导师 教练 客户 老师 车 手机 电脑 专业 身体 体重 视力
    血压 血糖 睡眠 作品 文章 论文"""
)

_CHANNEL = r"(?:电话|短信|邮件|电子邮件|微信|信息|消息|通知|推送|广告|语音|传真|QQ|钉钉|短讯)"
_NOT_NOW = r"(?![^。！]*(?:今天|今晚|明天|现在先|刚才|这次|等会|一会|待会))"
# How somebody wants to be reached, or not; 明天打电话给我 is asked for once.
CONTACT_WISH = re.compile(
    rf"(?:^|[，,；;]|(?:请|麻烦|但是?|不过))\s*{_NOT_NOW}(?:请|麻烦|最好|以后|今后|千万|都|再|平时|有事){{0,3}}"
    r"(?:(?:不要|别|不用|勿|请勿|不必)(?:再|总|老|随便)?(?:(?:给|跟|向)我们?)?(?:打|发|寄|推送?)"
    rf"(?:[^，,。你您]{{0,4}}){_CHANNEL}(?!给?[他她它客])|"
    rf"(?:只|尽量|优先|最好)?(?:用|通过|以|发){_CHANNEL}(?:或{_CHANNEL})?(?:来|和|跟|与)*(?:联系|通知|回复)我们?)"
    rf"|我们?(?:更|比较|都|还是|一般|只|也)*(?:希望|喜欢|愿意|倾向于?|偏好|习惯)(?:被人?)?(?:用|通过|以){_CHANNEL}(?:或{_CHANNEL})?"
    r"(?:来|的方式|方式|进行)*(?:被)?(?:联系|沟通|通知|交流|接收)"
    r"|我们?(?:也|都|真的|并|一点|完全)*(?:不想|不希望|不愿意?|不要|不需要|拒绝|拒收)(?:再|要)?(?:收到?|接到?|接收|被)?"
    rf"(?:任何|你们的?|什么|太多|更多)*(?:的)?[一-龥]{{0,4}}?{_CHANNEL}(?!号|费|卡|会议)"
)

_SIGNALS: tuple[tuple[SignalKind, float, str, re.Pattern[str]], ...] = (
    (
        "decision",
        0.9,
        "决定",
        re.compile(
            r"(?:"
            + one_of(
                """(?<!的)(?<!个)决定 敲定 拍板 商定 选定 议定 最终选择 最后选择 确定(?:使用|采用|用|选|了|下来|为)
                定下来 达成一致 一致同意 批准 否决 (?<!太)同意了 改用 改成 改为 换成 换为 调整为 变更为 切换[到为成]
                采用 换到(?=[A-Za-z]) 迁移[到至为] 替换[成为] (?:取代|代替|替代)了 用[^，,。]{1,12}?(?:取代|代替|替代)
                选用 统一用"""
            )
            + r")(?!性|因素|权|是否|要不要|于)"
        ),
    ),
    (
        "status",
        0.9,
        "变动",
        re.compile(
            _SELF
            + one_of(
                """(?:大学|研究生|本科|高中)?毕业了? 结婚了? 离婚了? 订婚了? 分手了? 升职 辞职 离职 入职 退休 搬家
                搬到 搬去 搬进 怀孕 失业 被裁 跳槽 考上 考过了 通过了 拿到了 被?录取 加入了 报名 注册 报了 确诊
                住院 做了.{0,4}手术 出院 买了(?:一?[套辆台])?(?:房|车|新房|新车) 获得了? 得了.{0,6}奖 戒了 戒掉
                戒[烟酒]了 不再
                再也不 开始(?:学(?!了)|做|练|追|用|看|尝试|写|跑|健身|上|打|养|弹|拉|教|创业|准备|负责|接触|减肥)
                学会了 养了 领养 创办 创立 开了一?家 换了(?:新)?(?:工作|公司|手机|车)"""
            )
        ),
    ),
    (
        "status",
        0.85,
        "进展",
        re.compile(
            r"(?<!我)(?:已经?|正式|刚刚?|都|目前|现在|终于|全部|均|提前|基本)(?:经)?"
            + one_of(
                """完成 上线 发布 交付 验收 签约 签了 签署 暂停 取消 延期 推迟 启动 关闭 结束 恢复 部署 到货 发货
                付清 付款 到账 停用 离开 解决 开工 竣工 进场 审批 落地 到期 续约"""
            )
            + "|"
            + one_of("上线 发布 交付 验收 签约 签署 暂停 取消 延期 推迟 启动 完成 到货 发货 竣工 开工 开业 停产 续约")
            + r"(?:了|至|到)|(?:已经?|全部|均)(?:(?![没未不还想能要会])[一-龥]){0,6}?(?:完成|通过|就绪|到位)|"
            r"(?:延期|推迟|提前)[一二两三四五六七八九十半\d]|进行中|不再使用|弃用|停用|搁置|待审批|"
            r"已(?:完成|取消|上线|暂停|延期)|进度.{0,4}(?:落后|正常|超前)"
        ),
    ),
    (
        "preference",
        0.9,
        "喜好",
        re.compile(
            rf"(?:{_SELF}|(?<=[，,])(?:也|还|更|特别|尤其|最|我|很|非常)*(?<!最))(?:"
            + one_of(
                """喜欢 热爱 讨厌 偏爱 钟爱 酷爱 热衷于? 痴迷 着迷 爱好 爱(?=[吃喝看听玩做打写读画跑唱跳]) 受不了
                吃不了 不吃 不喝 忌口 过敏 迷上了? 沉迷 看重 倾向于 在热衷于 偏好"""
            )
            + rf"{_NOT_POINTING}|对[^，,]{{1,16}}?(?:感兴趣|有兴趣|过敏|没兴趣|不感兴趣|情有独钟|兴趣))"
            rf"|{_ME}享受(?!自己|我的|生活|其中|这)"
        ),
    ),
    (
        "preference",
        0.9,
        "联系",
        CONTACT_WISH,
    ),
    (
        "preference",
        0.85,
        "喜好",
        re.compile(
            rf"(?:是|为)我(?:的)?(?:最爱|最喜欢的?|爱好|兴趣|偶像)(?!之一)|{_MINE}(?:兴趣爱好|兴趣|爱好|业余爱好|"
            rf"特长|偶像)(?:主要)?(?:是|有|包括|就是)"
        ),
    ),
    (
        "plan",
        0.8,
        "打算",
        re.compile(
            rf"{_SELF}(?:正|在|也|还|要)*"
            + one_of(
                """打算 计划 考虑(?!做到|的) 攒钱 想要
                想(?=[去学买换做开写考搬建养找参组当把在办请提创改读拍组吃尽打])
                准备(?=[去买换做开写考搬建养参结辞]) 梦想 立志 将(?:会|要|于) 即将 筹备"""
            )
            + r"(?!.{0,4}(?:你|聊|问|看看|一下|分享))"
            rf"|{_MINE}(?:下一步|今年|未来|人生|具体)?的?(?:[一-龥]{{0,4}})?(?:目标|计划|梦想|愿望)(?:就)?是"
        ),
    ),
    (
        "habit",
        0.85,
        "习惯",
        re.compile(
            rf"{_ME}"
            + one_of(
                """每天 每周 每个?月 每年 每晚 每次 每逢 每个?周末 经常 通常 常常 平时 平常 一般 习惯 总是 偶尔
                有时候? 往往 从来不 从不 定期 周末 坚持"""
            )
            + r"(?!.{0,4}(?:感觉|觉得|感到|难过|担心|希望|那[儿里边，,]))"
            r"|^(?:平时|平常|周末|一般|每天|每周|通常|经常)(?!.{0,4}(?:感觉|觉得|感到|难过|担心|希望))(?=.{4,})"
            r"|我[^，,]{0,12}[，,](?:每天|每周|每个周末|每月|每年)(?:都)?(?:会|在|要|去)"
        ),
    ),
    (
        "ongoing",
        0.85,
        "近况",
        re.compile(
            rf"{_SELF}"
            + one_of(
                """正?在(?=学|了解|读|看|追|写|做|练|准备|找|研究|收藏|参加|尝试|用|寻找|备考|减肥|健身|装修|负责|规律|上课|上大学|忙|组织|培养|开发|玩|打|筹|养|学习|练习|实习|治疗|康复|攻读)
                忙于 热衷 从事 学着 跟着
                [学练住教用做写弹画][^，,。]{0,6}?了(?:快|将近|大约|大概|差不多|已经)?(?:\\d+|[一二两三四五六七八九十半]+)多?个?(?:年|月|星期)
                (?:又|重新|重又)开始[一-龥]"""
            )
        ),
    ),
    (
        "fact",
        0.9,
        "个人情况",
        re.compile(
            rf"{_ME}(?:"
            + one_of(
                """是(?:一[名个位]|个|名|在|来自|做|[一-龥]{2,4}的(?:$|[，,。！!])|独生|双胞胎|左撇子)
                是[^，,。]{1,10}(?:人|师|员|生|手|者|家|工)(?:$|[，,。！!])
                住在 住(?:的|着) 来自 出生
                在[^，,。]{2,16}?(?:工作|上班|上学|读书|任职|就职|留学|生活|长大|实习|住) .{0,2}\\d{1,2}岁
                [一二三四五六七八九]?十[一二三四五六七八九]?岁 有(?:一|两|三|四|\\d)[个只条位辆套台名]
                有(?:女|男)朋友 有(?:孩子|儿子|女儿|哥哥|姐姐|弟弟|妹妹|高血压|糖尿病|哮喘)
                会(?:说|弹|拉|讲|开车|瑜伽) 养(?:了|着|有)
                的(?:职业|专业|工作|生日|血型|星座|家乡|老家|母语|座右铭)(?:是|在|为) 没有(?:孩子|结婚|兄弟) 单身
                (?:不|从不)?(?:抽烟|吸烟|喝酒|吃素)(?:$|[，,。！!])
                负责 擅长 不会 学过 做过 当过 去过 患有 攻读 主修 比较(?:内向|外向) 属[鼠牛虎兔龙蛇马羊猴鸡狗猪]"""
            )
            + ")"
        ),
    ),
    (
        "fact",
        0.8,
        "场所",
        re.compile(
            r"(?:^|(?<=[，,；;]))(?:我们|咱们|我司|公司)(?:现在|目前|还|也|都|一共|总共)*(?:在[^，,。]{1,12}?)?(?:还|也|都|一共|总共)*"
            r"(?:有|拥有|设有|租了|租有|开了|开有|建了|建有)(?:了|着)?(?:自己的|[一两二三四五六七八九十几]+|\d+|)[个家座间处栋]?(?:[一-龥]{0,4}?)"
            r"(?:仓库|工厂|厂房|办公室|办事处|分公司|子公司|分店|门店|门市|展厅|车间|实验室|研发中心|数据中心|配送中心|基地|总部|工作室)"
        ),
    ),
    (
        "fact",
        0.8,
        "在用",
        re.compile(
            r"(?:^|(?<=[，,；;]))(?:我们|咱们|公司|团队)(?:现在|目前|一直|主要|平时|内部|都|也|还|全部|统一)*"
            r"(?:使用|采用|用的?是?)\s?(?=[A-Za-z])"
        ),
    ),
    (
        "fact",
        0.8,
        "家人朋友",
        re.compile(
            rf"{_MINE}(?:(?:(?![在回去到离])[^，,]){{0,4}}{_RELATIVES})(?:们)?"
            + one_of(
                """叫 是 在 有 也 都 很 最近 刚 已经 喜欢 比较 不 今年 经常 想 住 得 生 要 给 被 会 正 做
                从 养 表示 总 非常 患 把"""
            )
            + r"(?=.{2,})"
        ),
    ),
    (
        "event",
        0.75,
        "经历",
        re.compile(
            rf"{_SELF}(?:在[^，,]{{1,16}}?)?(?:[^，,的]{{0,4}}?)"
            + one_of(
                """去了 去[^，,]{1,10}了 去过 去看了 注册了 去参加 参加了? 买了 看了 看到了? 看完 做了 见到 见了
                学了 组了 学到 收到 付了 支付了 签了 花了 交了 遇到 碰到 读了 读完 写了 画了 听了 试了 尝试了
                尝试做 完成了 拿到 拍了 举办 组织了 参观 爬 登 认识了 跑了 骑 吃了 订了 报了 办了 寄 丢了 摔 受伤
                生病 发烧 感冒 住院 换了 赢 输 获 捐 种了 养了 发现了 收养 接 送 庆祝 过生日 品尝了? 录了 发布 发表
                出差 攀 游览 玩了 得到了 到了 打了 演出 比赛 考了 面试 签了"""
            )
        ),
    ),
)
_OF_THE_COMPANY = re.compile(
    r"(?:我们|他们|她们|我司|我方|咱们|公司|团队|部门|工厂|仓库|客户|对方|甲方|乙方|项目组?|系统|平台|产品)(?:.{0,6}?)"
    + one_of(
        """需要 使用 用(?=[A-Za-z一-龥])(?![户心力途处品功意工餐来于以法量不在完]) 要求
        有 共 提供 支持 采购 负责 希望 必须 不能 不支持 预计 位于 成立 主要 拥有 经营 生产 销售 出了
        不再 不想 不喜欢 同意 反对 拒绝 坚持 抱怨 投诉 反馈"""
    )
)
_REQUIREMENT = re.compile(
    r"一定要|必须|不要[^，,]{2}|不允许|不能[^，,]{2}|先不|暂不|暂时不|要求|(?<![累气吓忙冻热饿急乐笑])坏了|换了|可能会|暂时|方式|工期|平米"
)
_FIGURE = re.compile(r"[$€£¥￥%％]|[\d一二两三四五六七八九十百千万](?:万|元|块钱|美元|欧元)")
_THIRD_PERSON_VERB = re.compile(
    one_of(
        """是 在 有 负责 要 会 将 可以 能 需要 喜欢 住 说 希望 想 已 了 不 为 用 使用 支持 包括 属于 位于 采用 必须
        计划 打算 提供 担任 来自 擅长"""
    )
)
_APPOINTMENT = re.compile(
    one_of(
        """会议 开会 启动 上线 发布 截止 合同 交付 验收 演示 评审 培训 面试 考试 婚礼 航班 出差 旅行 生日 预约 手术
        活动 演唱会 比赛 上课 到期 续约 签约 签合同 交稿 搬家 开业 试点 完成 举行 举办 进行 装修 出发 拜访 约了"""
    )
)

# --- tense, certainty, negation --------------------------------------------------------------------------------------

_FUTURE = re.compile(
    r"将|会(?=[在于去来到把开有进])|打算|计划|准备|即将|明天|明年|后天|下周|下个?月|下个?星期|预计|截止|"
    r"要(?=[去来到在开做交搬出参上办])|之后|以后|今晚|(?:推迟|延期|延后|顺延|改期|提前|挪)(?:到|至)|定[于在]|安排在"
)
# What was put on another day is still to come on it, however much 了 and 已经 say that it was put there.
_PUT_ELSEWHERE = re.compile(
    r"(?:改|改期|改签|调整|调|变更|延|延期|延长|延后|推迟|顺延|提前|提|移|挪|换|推)(?:到|至|在|成|为)了?"
    r"(?=\d{4}年|[今明后]年|\d{1,2}月|[一二三四五六七八九十]{1,2}月|\d{1,2}[日号]|[下这本]+个?(?:周|月|星期|礼拜)|"
    r"(?:周|星期|礼拜)[一二三四五六日天末]|[明后]天|大后天|年底|年初|月[底初中末])"
)
# Who is away on the days that are told with it.
_ABSENT = re.compile(
    r"(?<![不没])(?:休假|放假|请假|度假)|(?:休|请|放)(?:年|病|事|婚|产|陪产|探亲)?假|"
    r"不在(?:公司|办公室|单位|国内|$|[，,。])|(?<![不没])(?:外出|停业|歇业|闭馆)"
)
# What was decided is still to come when it is decided; 决定了要去，后来去了 tells what came of it.
_DECIDED = re.compile(
    r"(?:决定|商定|议定|敲定|约定|选定|拍板|同意|答应|承诺|(?:时间|日期|日子|会议|婚礼|活动|发布会?|上线|开业|交付)(?:暂|就)?[定选]|"
    r"(?:上线|发布|交付|开业|开工|验收|启动|交稿|到货|发货|会议|活动|举办|竣工|搬迁)(?:时间|日期)(?:是|为|[：:]))"
    r"(?:了|好|下来|于|在|为|成|到)*"
)
_CAME_OF_IT = re.compile(r"了(?!解)|过(?!来|程|年|节|渡)|曾|没[能有去]")
_PAST = re.compile(r"了|过|昨|前天|上周|上个?月|去年|前年|曾|刚|之前|以前|已")
_TENTATIVE = re.compile(
    one_of(
        """可能 也许 或许 大概(?!\\d|[一二两三四五六七八九十]) 说不定
        (?<!经过)(?<!再三)(?<!慎重)考虑(?!到|再三|后|之后|过后)
        不确定 没想好 没有?决定 还没有?(?:最后|最终)?定 未定
        待定 好像 似乎 应该(?=是|会|可以|能|要) 估计 希望 有望
        (?<![思感联幻理设构料猜])想(?!念|法|象|起|到|通|不到|必|象力) 如果 看情况 梦想 期望 憧憬 要不要 暂定 初步
        争取 倾向于? 听说 据说 不一定 有机会 我猜 没准 犹豫"""
    )
)
# 去了一直想去的地方 is settled.
_WISHED_BEFORE = re.compile(r"想[^，,]{1,6}的")
_PLANNED = re.compile(
    one_of(
        """打算 计划 (?<!在)准备(?!.{0,6}了) (?<!请)将(?!近) 即将 预计 预定 要(?=[去来到在开交搬出参上办])
        会(?=[在于去来到把开进]) 筹备 定于 安排在 安排了 约了 约好 攒钱 明天 后天 下周 下个?月 明年"""
    )
)
_NEGATION = re.compile(
    one_of(
        """不再 再也不
        不(?!得不|仅|但|过|断|久|错|同|少|止|管|论|好意思|知|用说|一定|了解|由|禁|妨|客气|太好|如|只|已|可思议|见不散|光|是.{1,12}而是)
        没(?!关系|问题|事|错|想到|准|完没了) (?<![特差区级性分个告辨识鉴类])别(?!人|的|墅|名|克|致|样) 戒了 停用
        弃用 取消 否决 未(?!来|婚夫|婚妻) 无法 拒绝 从未 勿"""
    )
)
_NO_NEGATION = re.compile(
    one_of(
        """不得不 忘不了 别忘 不要忘 不会忘 少不了 离不开 差不多 不但 不仅 对不起 了不起 忍不住 不禁 要不 不知不觉
        来不及 不亦乐乎 不管 不论 好不容易 无不"""
    )
)


class Chinese:
    """The Chinese rule set. It holds no state."""

    def parts(self, sentence: Sentence) -> list[Sentence]:
        """The runs of clauses that may state something, cut at greetings, thanks, verdicts and questions between
        them."""
        filler = _FILLER.match(sentence.masked)
        body = sentence.part(filler.end() if filler else 0, len(sentence.text))
        if lead := _REMINDER.match(body.masked) or _OBSERVATION.match(body.masked):
            body = body.part(lead.end(), len(body.text))
        if telling := _TELLING_QUESTION.fullmatch(body.masked):
            body = replace(body.part(*telling.span("told")), is_question=False)
        runs: list[list[int]] = []
        open_run = False
        for match in _CLAUSE.finditer(body.masked):
            clause = match[0].strip("，,；;。！!~～ ")
            asks = bool(_QUESTION.search(clause)) or (match.end() == len(body.masked) and body.is_question)
            if asks or _ENDS_A_RUN.match(clause) or (not open_run and _is_noise(clause)):
                open_run = False
            elif open_run:
                runs[-1][1] = match.end()
            else:
                runs.append([match.start(), match.end()])
                open_run = True
        parts = [_bare(body.part(start, end)) for start, end in runs if start == 0 or "我" in body.text[start:end]]
        return [part for part in parts if len(part.text) >= 4]

    def clauses(self, part: Sentence) -> list[Sentence]:
        """The clauses of a part, to see whether each sets a number of its own."""
        return part.split(_BETWEEN_CLAUSES, unless_before=_CONDITION)

    def predicates(self, part: Sentence) -> list[Sentence]:
        """The clauses, those apart that share the subject of the one before."""
        return self.clauses(part)

    def shared_subject(self, clause: str, whole: str, name: str) -> str:
        """The subject that a clause leaves out since the sentence begins with it, as it stands before a verb."""
        if name:
            return name
        if related := ZH_RELATED.match(whole):
            return related[0]
        return "我" if _BY_SPEAKER.match(whole) else ""

    def needs_subject(self, clause: str, whole: str) -> bool:
        """Whether a clause without a subject is of what the sentence begins with, other than its speaker."""
        return bool(ZH_RELATED.match(whole)) and not _HAS_SUBJECT.match(clause)

    def stands_alone(self, clause: str, *, business: bool) -> bool:
        """Whether a clause is to be understood without the one before it. `business`: see `Clues`."""
        return (business and clause.startswith("他们")) or not _LEANS_ON.match(clause)

    def leans_on(self, clause: str) -> bool:
        """Whether a clause speaks of what the one before it is about, without a name for it."""
        return bool(_LEANS_ON.match(clause))

    def unconditional(self, text: str) -> str:
        """The text up to the condition that follows it: what that says sets nothing."""
        condition = _CONDITION_BEHIND.search(text)
        return text[: condition.start()] if condition else text

    def with_reason(self, part: Sentence) -> list[Sentence]:
        """The part cut between what it says and the reason that it gives, in the order of the text."""
        return part.split(_REASON)

    def is_left_out(self, part: Sentence, clues: Clues) -> bool:
        """Whether it is small talk, a question, a request, an opinion, a mood, unreal, in jest, or hearsay."""
        text = part.masked
        if self.is_unmeant(text) or (self.is_hearsay(text) and not clues.named):
            return True
        if clues.measured or clues.standing:
            return False
        if _TALK.search(text) or _MOOD.match(text):
            return True
        if clues.named:
            return False
        if CONTACT_WISH.search(text):
            return False
        if clues.business and text.startswith("他们"):
            return False
        return bool(_NOT_A_STATEMENT.match(text) or _EMPTY_PLAN.match(text) or _VAGUE.search(text))

    def is_unmeant(self, text: str) -> bool:
        """Whether it is a secret, unreal or in jest."""
        return bool(SECRET.search(text) or _UNREAL.search(text) or _JOKE.search(text))

    def is_hearsay(self, text: str) -> bool:
        """Whether it tells what somebody else says."""
        return bool(_REPORTED.search(text))

    def signal(self, part: Sentence, clues: Clues) -> Signal | None:
        """The most telling reason to keep it, or None."""
        is_open = is_left_open(part.masked, chinese=True)
        signal = _said(part.masked, clues, is_open=is_open) or _reported(part.masked, clues)
        return replace(signal, is_open=True) if signal and is_open else signal

    def tense(self, text: str) -> Tense:
        """Whether the text tells of something past or to come; empty if it does not say."""
        if _FUTURE.search(text) or _PUT_ELSEWHERE.search(text):
            return "future"
        if _PAST.search(text):
            return "past"
        return "future" if _ABSENT.search(text) else ""

    def ahead_from(self, text: str) -> int:
        """Where the text begins to tell what was decided on, which is to come; its length if nowhere."""
        match = _DECIDED.search(text)
        return match.end() if match and not _CAME_OF_IT.search(text.rstrip("了。！!~～ "), match.end()) else len(text)

    def certainty(self, signal: Signal) -> Certainty:
        """How settled the speaker says it is. A preference or a habit is never a plan."""
        if signal.clause.rstrip("。！!~～").endswith("吧"):
            return "tentative"
        clause = _WISHED_BEFORE.sub("", signal.clause) if signal.kind == "event" else signal.clause
        if signal.kind not in ("preference", "habit") and (signal.is_open or _TENTATIVE.search(clause)):
            return "tentative"
        if signal.kind == "plan" or (
            signal.kind in ("fact", "ongoing", "event", "status", "absence") and _PLANNED.search(signal.clause)
        ):
            return "confirmed" if re.search(r"昨|前天|刚|已", signal.clause) else "planned"
        return "confirmed"

    def is_doubtful(self, text: str) -> bool:
        """Whether it begins with a doubt, or ends with one, that holds for all of it."""
        return bool(_DOUBT.match(text)) or is_left_open(text, chinese=True)

    def clause_at(self, text: str, position: int) -> str:
        """The clause around a position, as a signal has it."""
        return _clause(text, position)

    def negated(self, signal: Signal) -> bool:
        """Whether the statement denies what it states."""
        return bool(_NEGATION.search(_NO_NEGATION.sub("", signal.clause)))

    def takes_back(self, text: str) -> bool:
        """Whether the sentence says that the one before was not meant."""
        return bool(_TAKEN_BACK.search(text))


# What makes a decision that follows one that may yet be taken.
_DOUBT = re.compile(r"可能|也许|或许|说不定|没准|犹豫|要不要|(?<!再三)(?<!经过)(?<!慎重)考虑$")
_CONSIDERED = re.compile(
    rf"(?:^|(?<=[，,；;]))(?:{_TIME}|可能|也许|或许|说不定|没准)*(?:我们?|咱们?|公司|团队)(?:{_TIME}|可能|也许|或许|说不定|没准|大概|都|也)*"
    r"(?:会|将|要|想)(?!议|员)"
)


def _said(text: str, clues: Clues, *, is_open: bool) -> Signal | None:
    decided = without_open_matters(text, chinese=True)
    for kind, confidence, why, pattern in _SIGNALS:
        match = pattern.search(decided if kind == "decision" else text)
        if match is None or not _is_memorable(kind, text, clues):
            continue
        clause = _clause(text, match.end() - 1)
        if re.search("[你您]", clause) and pattern is not CONTACT_WISH:
            return None
        if kind == "decision" and (is_open or _DOUBT.search(text[text.find(clause) : match.start()])):
            return Signal("plan", 0.8, "考虑", clause, is_open=True)
        return Signal(kind, confidence, why, clause)
    is_open = is_open or (decided != text and _DOUBT.search(text) is not None)
    if is_open and (match := _CONSIDERED.search(text)):
        return Signal("plan", 0.8, "考虑", _clause(text, match.end() - 1), is_open=True)
    return None


def _reported(text: str, clues: Clues) -> Signal | None:
    """What a sentence says that is not about its speaker: values, and news of a topic."""
    if clues.measured:
        return Signal("fact", 0.85, "属性", _clause(text, 0))
    if clues.standing:
        return Signal("fact", 0.8, "现状", _clause(text, 0))
    if clues.dated and (absent := _ABSENT.search(text)) and not _TODAY.search(text):
        return Signal("absence", 0.85, "不在", _clause(text, absent.start()))
    if clues.business and _OF_THE_COMPANY.search(text):
        return Signal("fact", 0.8, "业务", _clause(text, 0))
    if clues.business and (_FIGURE.search(text) or _REQUIREMENT.search(text)):
        return Signal("fact", 0.7, "要求", _clause(text, 0))
    if clues.business and clues.dated and not _EVERYDAY.search(text):
        return Signal("event", 0.7, "日期", _dated_clause(text))
    if clues.named and _THIRD_PERSON_VERB.search(text):
        return Signal("fact", 0.75, "主题", _clause(text, 0))
    if clues.dated and _APPOINTMENT.search(text) and not _EVERYDAY.search(text):
        return Signal("event", 0.7, "日期", _dated_clause(text))
    return None


def _is_noise(clause: str) -> bool:
    """Whether a clause opens nothing that is worth keeping."""
    if not (_NOISE_CLAUSE.match(clause) or _MOOD.match(clause)):
        return False
    return not (CONTACT_WISH.search(clause) or tells_where_to_send(clause))


def _bare(part: Sentence) -> Sentence:
    """The part without a conjunction in front and a comma behind."""
    conjunction = re.match(r"(?:因为|由于|所以|但是?|不过|而且|并且|就是)(?=我)", part.text)
    return part.part(conjunction.end() if conjunction else 0, len(part.text.rstrip("，,；;、 ")))


def _clause(text: str, position: int) -> str:
    """The clause around a position."""
    start = max(text.rfind(mark, 0, position) for mark in "，,；;") + 1
    ends = [end for mark in "，,；;" if (end := text.find(mark, position)) >= 0]
    clause = text[start : min(ends, default=len(text))]
    return re.split(r"但是?|不过|可是", clause)[0] or clause


def _dated_clause(text: str) -> str:
    date = re.search(r"[前昨今明后]天|天[前后]|[周月年]|[\d一二三四五六七八九十][日号]", text)
    return _clause(text, date.start() if date else 0)


def _is_memorable(kind: SignalKind, text: str, clues: Clues) -> bool:
    """Whether something that was done, or is meant to be done, is more than the run of the day."""
    specific = bool(re.search(r"\d|＿|[A-Za-z]{2,}|[万元]|第一次|演唱会|旅[游行]|比赛|考试|面试|手术|公司", text))
    if kind in ("event", "plan", "decision") and not clues.business and _TODAY.search(text):
        return specific or bool(_OCCASION.search(text))
    if kind == "decision" and not clues.business and re.search(r"决定先", text):
        return specific
    if kind == "plan" and not clues.business and _EVERYDAY.search(text) and not clues.dated:
        return specific
    if kind != "event":
        return True
    if _EVERYDAY.search(text):
        return specific and clues.dated
    return clues.dated or specific or bool(re.search(r"最近|终于|刚刚?", text))
