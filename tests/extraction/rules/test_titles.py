"""The post that a speaker holds is his occupation, and a new one takes the place of the old."""

import pytest

from extraction.attributes import concept

from .reading import only, read


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("I am the purchasing manager at Northwind.", "purchasing manager"),
        ("I am now head of operations.", "head of operations"),
        ("I'm now the head of sales and marketing at Northwind.", "head of sales and marketing"),
        ("I'm the CTO.", "CTO"),
        ("I'm the CTO of Northwind.", "CTO"),
        ("Hi, I'm the new warehouse supervisor here.", "warehouse supervisor"),
        ("I'm a supply chain manager.", "supply chain manager"),
        ("I'm vice president of engineering.", "vice president of engineering"),
        ("I was promoted to director of purchasing.", "director of purchasing"),
        ("I've just become team lead.", "team lead"),
        ("I work as the purchasing manager.", "purchasing manager"),
        ("My job title is now operations manager.", "operations manager"),
        ("I am a nurse.", "nurse"),
        ("I am Tom Baker, the new IT lead.", "IT lead"),
        ("Hello, I'm Ana Silva, your new account manager.", "account manager"),
        ("I'm Anna Schmidt, a software engineer from Bonn.", "software engineer"),
        ("I am Tom Baker, head of operations at Northwind.", "head of operations"),
        ("I'm Li, the CTO.", "CTO"),
        ("I'm a primary school teacher.", "primary school teacher"),
    ],
)
def test_an_english_title(text: str, title: str) -> None:
    finding = only(text)
    assert (finding.attribute, finding.value) == ("occupation", title)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("我是采购经理。", "采购经理"),
        ("我是星辰科技的采购经理王敏。", "采购经理"),
        ("我是王敏，星辰科技的采购经理。", "采购经理"),
        ("我是李明，新来的IT主管。", "IT主管"),
        ("我是项目经理张伟，负责上海的项目。", "项目经理"),
        ("我现在是运营总监。", "运营总监"),
        ("我是北风公司的采购经理。", "采购经理"),
        ("我是北风公司采购部经理。", "采购部经理"),
        ("我在北风公司担任采购经理。", "采购经理"),
        ("我上个月升任运营总监。", "运营总监"),
        ("我升职为仓库主管了。", "仓库主管"),
        ("我以前是采购经理，现在是运营总监。", "运营总监"),
        ("我的职位是市场专员。", "市场专员"),
        ("我是公司的CTO。", "CTO"),
        ("我是项目负责人。", "项目负责人"),
        ("我是一名护士。", "护士"),
    ],
)
def test_a_chinese_title(text: str, title: str) -> None:
    assert [(f.attribute, f.value) for f in read(text) if f.attribute] == [("职业", title)]


def test_titles_of_one_person_are_one_attribute() -> None:
    held = {concept(only(text).attribute) for text in ("I'm a nurse.", "I'm now the CTO.", "我现在是运营总监。")}
    assert held == {concept("occupation")}


@pytest.mark.parametrize(
    "text",
    [
        "I'm the one who called.",
        "I am the same.",
        "I'm the first to admit it.",
        "I'm the manager who called yesterday.",
        "I'm the sales manager's wife.",
        "I'm the manager of this chaos.",
        "I'm head of the family.",
        "I'm the head of a small family.",
        "I'm the worst driver.",
        "I'm the happy owner of a dog.",
        "I'm the only designer left.",
        "I'm the former CTO.",
        "I'm no longer the CTO.",
        "I'm not the CTO.",
        "I'm also the treasurer.",
        "I'm looking for the CTO.",
        "I appointed the CTO.",
        "They think I'm the CTO.",
        "If I'm the CTO, everything changes.",
        "When I was promoted to CTO of Northwind everything changed.",
        "She said I'm the CTO.",
        "I'm head over heels in love.",
        "I'm the account holder.",
        "我是说采购经理明天来。",
        "我是采购经理的朋友。",
        "我不是采购经理。",
        "我以前是采购经理。",
        "客户以为我是采购经理。",
        "他说我是采购经理。",
        "如果我是总监，我就辞职。",
        "我要是运营总监就好了。",
        "我是来找采购经理的。",
        "你觉得我是采购经理吗？",
        "我是第一个到的。",
        "我是无所谓的。",
        "我是负责的。",
    ],
)
def test_no_title(text: str) -> None:
    assert [finding for finding in read(text) if finding.attribute in ("occupation", "职业")] == []


@pytest.mark.parametrize(
    "text", ["I'm the one who called.", "I am the same.", "I'm the first to admit it.", "我是说采购经理明天来。"]
)
def test_ordinary_talk_is_not_kept(text: str) -> None:
    assert read(text) == []
