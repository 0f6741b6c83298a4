"""Words that say nothing of what a turn is about: when, how much, that somebody likes or begins something."""

from __future__ import annotations

from topics.text.analyse import STOP_WORDS

EMPTY = STOP_WORDS | frozenset(
    """
    really going get got went go like love would could thing things something lot much many good great nice well
    thanks thank hi hello hey wow okay ok know think want make made take took one two way still even let say said tell
    been having there's i'm it's that's don't didn't can't i've i'll you're we're let's new enjoy favorite favourite
    find feel started starting begin began plan planning considering trying looking working getting always usually
    sometimes often never ever
    today yesterday tomorrow tonight morning afternoon evening day days week weeks weekend month months year years
    last next ago since recently lately currently now soon time monday tuesday wednesday thursday friday saturday
    sunday january february march april june july august september october november december
    """.split()
)
EMPTY_HAN = frozenset(
    """
    我们 你们 他们 她们 自己 什么 怎么 这个 那个 这样 那样 可以 可能 应该 觉得 感觉 知道 没有 不是 还是 就是 但是
    因为 所以 如果 然后 时候 时间 非常 特别 真的 有点 起来 出来 这么 那么 大家 已经 需要 想要 希望 喜欢 谢谢 不错
    很多 比较 东西 事情 问题 以后 建议 推荐 帮助 告诉 听说 看看 不过 而且 这些 那些 为什么 我会 有些 确实 尝试
    开始 叫做 终于 充满 经常 得到 主要 尤其 比如 一般 更加 或者 参加 计划 打算 正在 目前 现在 最近 之前 每天
    今天 明天 昨天 上午 下午 晚上 早上 今年 去年 明年 本周 上周 下周 周末 上周末 下周末 本月 上月 下月 上个月
    下个月 上周一 上周二 上周三 上周四 上周五 上周六 上周日 下周一 下周二 下周三 下周四 下周五 下周六 下周日
    一直 一起 一些 一下 一个 一部 一道 一本 一场 一种 一次 一家 一点
    """.split()
)
