"""Words that cannot both be true of one thing, in English and Chinese: a closed list."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Three lines a pair: its name, the words of one side, those of the other. A word is a pattern; `_` is a space. Of a
# pair marked with `!` one side must hold (who is not married is unmarried); of the others neither may hold: who does
# not love cats need not hate them.
_PAIRS = r"""
like
  like[sd]? love[sd]? enjoy(?:s|ed)? adore[sd]? fond_of 喜欢 喜爱 热爱 酷爱 爱(?=[吃喝看听玩打唱读学])
  hate[sd]? dislike[sd]? detest(?:s|ed)? loathe[sd]? 讨厌 厌恶 厌烦 反感 痛恨
married!
  married 已婚 结婚了 结了婚
  single unmarried divorced widowed 单身 未婚 离婚了? 离异 离了婚
alive!
  alive 活着 健在
  dead died 去世了? 过世了? 逝世
running!
  open_now still_open 营业中? 开业
  closed_down is_closed are_closed 停业 歇业 倒闭了?
agree
  agree[sd]? approve[sd]? 同意 赞成
  disagree[sd]? oppose[sd]? object(?:s|ed)?_to 反对 否决
accept
  accept(?:s|ed)? 接受了?
  refuse[sd]? decline[sd]? reject(?:s|ed)? 拒绝了? 驳回
employed!
  employed 在职 有工作 在上班
  unemployed jobless 失业了? 待业 没有?工作
studying
  still_(?:at|in)_(?:school|college|university) 还在(?:读书|上学|念书) 在校生 在读 大学?[一二三四](?![名位线])
  (?:have|has|'ve|already)_graduated 已经?毕业了 参加工作了
possible!
  possible 可行
  impossible 不可行 不可能
same!
  the_same identical 一样 相同
  different 不同 不一样
cheap
  cheap inexpensive affordable 便宜
  expensive pricey costly 太?贵
easy
  easy simple 容易 简单 轻松
  hard difficult tough complicated 困难 很难 复杂 辛苦
happy
  happy glad delighted 开心 高兴 快乐
  sad unhappy miserable upset 难过 伤心 郁闷
healthy!
  healthy 健康
  ill sick unwell 生病了? 病了
busy
  busy swamped 忙
  at_leisure 清闲 空闲 有空
safe!
  safe 安全
  unsafe dangerous 危险 不安全
legal!
  legal lawful 合法
  illegal unlawful 非法 违法
right!
  true correct 正确
  false untrue incorrect 错误
online!
  online remote(?:ly)? 线上 在线(?!下) 远程
  offline on-?site in_person 线下 现场 当面
rise
  increase[sd]? rises? rose risen gr[eo]wn? (?:went|gone|going)_up 增加了? 上涨了? 涨了 上升 提高了?
  decrease[sd]? fall(?:s|en)? fell dropp?(?:ed|s) (?:went|gone|going)_down 减少了? 下跌了? 跌了 下降了? 降低了?
pass
  pass(?:ed|es)? 及格 合格
  fail(?:ed|s)? 不及格 不合格 挂科
sex!
  male man boy 男[生的孩人]
  female woman girl 女[生的孩人]
outgoing
  extrovert(?:ed)? outgoing 外向
  introvert(?:ed)? shy 内向
enabled!
  enabled turned_on switched_on 启用了? 开启了?
  disabled turned_off switched_off 停用了? 禁用了?
smokes!
  抽烟 吸烟
  戒烟了? 戒了烟
drinks!
  喝酒
  戒酒了? 戒了酒
done!
  finished completed 完成了? 做完了?
  unfinished incomplete 未完成 没完成 没做完
"""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two opposite sides as patterns over folded text. `complete`: one of them must hold."""

    name: str
    sides: tuple[re.Pattern[str], re.Pattern[str]]
    complete: bool


def _side(words: str) -> re.Pattern[str]:
    """What follows a word as 的 does is a thing (喜欢的人), and nobody takes a side by naming it."""
    each = [word.replace("_", " ") for word in words.split()]
    latin = "|".join(word for word in each if ord(word.strip("(?:'")[0]) < 128)
    han = "|".join(word for word in each if ord(word.strip("(?:'")[0]) >= 128)
    return re.compile("|".join([rf"(?<!\w)(?:{latin})\b"] * bool(latin) + [f"(?:{han})(?!的)"] * bool(han)))


def _pairs() -> tuple[Pair, ...]:
    lines = _PAIRS.strip().splitlines()
    return tuple(
        Pair(name.rstrip("!"), (_side(first), _side(second)), name.endswith("!"))
        for name, first, second in zip(lines[::3], lines[1::3], lines[2::3], strict=True)
    )


PAIRS = _pairs()
ANY_SIDE = _side(" ".join(_PAIRS.strip().splitlines()[i] for i in range(len(PAIRS) * 3) if i % 3))
