"""Which company a part of its name means: only where it can mean nothing else that is known here."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

import rjieba

from extraction.extractors.protocol import KnownTopic, Window
from extraction.extractors.rules.names import ORDINARY_WORD
from extraction.extractors.rules.statement import one_of
from topics.text.names import name_key
from topics.text.short_names import short_names

_WORD = re.compile(r"[^\W_]+")
_SMALL = re.compile(r"(?<![^\W_])[a-z]+(?![^\W_])")
# What a firm may be called and a sentence may begin with.
_COMMON = re.compile(
    one_of(
        """general global national international universal united federal central north south east west northern
        southern eastern western european american british asian african royal first second best new next
        old early late open smart simple easy fast quick rapid direct express prime premium standard classic
        modern digital mobile online virtual total complete perfect pure natural organic fresh green blue
        red black white gold silver bright clear safe secure service services solution solutions system
        systems product products production quality price prices delivery deliveries shipping transport
        logistics supply supplies storage trade trading business commerce market markets finance capital
        credit money cash payment payments insurance investment investments fund funds bank energy power
        water light heat steel metal wood paper glass plastic oil gas coal food foods coffee tea bread milk
        meat fish fruit sugar wine beer fashion clothing furniture design art media print printing film
        video sound data software hardware technology technologies internet web network networks cloud
        security safety support training education research science health care medicine sport sports
        fitness travel tourism event events home homes house housing office offices building construction
        engineering industry industries manufacturing agriculture farming property estate land garden city
        town street world earth sun moon star stars sky sea river mountain forest nature time today progress
        success future vision idea ideas team partner partners people human person company group unit target
        goal focus concept project plan option delta alpha beta summit gap visa return returns order orders
        invoice invoices contract contracts budget budgets feedback communication information knowledge
        experience planning growth"""
    ),
    re.IGNORECASE,
)
_ZH_TRADES = frozenset(
    """金融 科技 技术 教育 文化 传媒 物流 贸易 国际 电子 信息 网络 软件 智能 数字 数据 生物 医疗 健康 能源 环保
    建筑 工程 装饰 设计 食品 餐饮 服装 汽车 旅游 酒店 投资 管理 咨询 服务 商贸 实业 工业 农业 制造 化工 材料
    机械 新兴 产业 银行 保险 证券 地产 房地产 广告 体育 娱乐 互联网 人工智能 大数据 云 计算 新能源 供应链 电商
    零售 家居 家具 美容 医药 药业 航空 运输 快递 通信 电力 环境 安全 培训 人力 资源 人力资源 中国 全国 全球
    世界 新 大 第一 中心 商业 创新 创业 发展 研究 生活 时代 未来 城市 社区""".split()
)
_NAME_GOES_ON = re.compile(r"[ -](?!I\b)(?-i:[A-Z])|[-’'](?!s\b)\w")
_NAME_BEFORE = re.compile(r"(?P<word>[A-Z][\w'’.-]*)[ -]$")
# Of words that a name before them may belong to.
_NOUN_TAGS = ("n", "vn", "an", "l", "i", "j", "eng")
# Names, among the tags of Chinese words; those of places are no firm's.
_NAME_TAGS = ("nr", "nt", "nz")


class ShortNames:
    """The short names of known topics that each mean one of them, and no ordinary word."""

    def __init__(self, topics: Iterable[KnownTopic], window: Window) -> None:
        topics = tuple(topics)
        owners: dict[str, dict[str, KnownTopic]] = defaultdict(dict)
        ordinary = set()
        for topic in topics:
            for short in {short for name in topic.names for short in short_names(name)}:
                owners[name_key(short)][topic.id] = topic
                if _is_ordinary(short):
                    ordinary.add(name_key(short))
        speakers = {turn.speaker for turn in (*window.opening, *window.context, *window.turns) if turn.speaker}
        alone = {key: next(iter(found.values())) for key, found in owners.items() if len(found) == 1}
        self._topics = {
            key: topic
            for key, topic in alone.items()
            if key not in ordinary
            and not _means_another(key, topic, topics)
            and not any(_stands_in(key, speaker) for speaker in speakers)
        }
        self._in_small_letters = (
            {word for turn in (*window.context, *window.turns) for word in _SMALL.findall(turn.text[:20_000])}
            if self._topics
            else set()
        )

    def topic_of_words(self, text: str, start: int, end: int) -> KnownTopic | None:
        """The topic of which the words at [start, end) are the short name, written as a name is and no part of another:
        `wren` is a bird, and Wren Street a street."""
        words = text[start:end]
        topic = self._topics.get(name_key(words)) if self._topics and _is_written_as_name(words) else None
        if topic is None or words.lower() in self._in_small_letters or _NAME_GOES_ON.match(text, end):
            return None
        before = _NAME_BEFORE.search(text, 0, start)
        return None if before and not ORDINARY_WORD.fullmatch(before["word"]) else topic

    def topic_of_run(self, run: str, start: int, end: int) -> KnownTopic | None:
        """The topic of which [start, end) of a Chinese text is the short name: of whole words, and not as part of what
        another noun says: 蓝鲸科技园, 蓝鲸科技论坛."""
        topic = self._topics.get(run[start:end])
        if topic is None:
            return None
        words = _words_at(run)
        return topic if start in words and end in words and not words[end].startswith(_NOUN_TAGS) else None


def _words_at(run: str) -> dict[int, str]:
    """Where the words of a Chinese text begin, each with its tag, and where it ends."""
    found, at = {}, 0
    for word, tag in rjieba.tag(run):
        found[at] = tag
        at += len(word)
    return found | {at: ""}


def _is_written_as_name(words: str) -> bool:
    return all(word[0].isupper() or word in ("of", "and", "the", "de") for word in _WORD.findall(words))


def _is_ordinary(name: str) -> bool:
    """Whether a short name has no word that is anything but a trade or an ordinary word."""
    if name.isascii():
        words = _WORD.findall(name)
        return len(name) < 3 or all(ORDINARY_WORD.fullmatch(word) or _COMMON.fullmatch(word) for word in words)
    tagged = rjieba.tag(name_key(name))
    if all(word in _ZH_TRADES or tag == "ns" for word, tag in tagged):
        return True
    return len(tagged) == 1 and not tagged[0][1].startswith(_NAME_TAGS)


def _means_another(key: str, topic: KnownTopic, topics: Iterable[KnownTopic]) -> bool:
    """Whether another topic has it in its name, other than as part of this one's: Christopher Wren, the Wren Hotel."""
    mine = [name_key(name) for name in topic.names if name_key(name) != key]
    return any(
        _stands_in(key, name) and not any(own in name_key(name) for own in mine)
        for other in topics
        if other.id != topic.id
        for name in other.names
    )


def _stands_in(key: str, name: str) -> bool:
    """Whether the name has these words: whole words of an alphabet, any run of Chinese."""
    if not key.isascii():
        return key in name_key(name)
    words = [name_key(word) for word in _WORD.findall(name)]
    return any(
        "".join(words[start:end]) == key for start in range(len(words)) for end in range(start + 1, len(words) + 1)
    )
